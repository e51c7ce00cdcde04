"""The one table of what `/v1` offers: each row is a public method, where it is found, and who may call it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, get_type_hints

from cogmem_core import Recall
from cogmem_core.base.reprs import plain
from cogmem_core.engine import MemoryBank
from cogmem_core.models import Feedback, Memory
from cogmem_core.results import Profile
from cogmem_serve.access import Scope
from cogmem_serve.repeats import etag_of
from cogmem_serve.schemas import Parameter, parameters_of

JUDGEMENTS = ("confirmed", "rejected")
"""What a person says of what was only proposed, or set aside."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A recall as it is sent.

    Attributes:
        context: the block for a prompt.
        ticket: what feedback needs to know of it; send it back as `recall`.
    """

    recall: Recall
    context: str
    ticket: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of the bank, as `/v1` offers it.

    Attributes:
        verb: of HTTP.
        path: below `/v1`; what stands in braces are parameters.
        method: a public method of the bank, or a function whose first parameter is the bank.
        scope: what the key must have.
        omit: parameters that a request cannot send.
        render: makes what is sent of what the method returns.
    """

    verb: str
    path: str
    method: Callable[..., Any]
    scope: Scope
    omit: tuple[str, ...] = ()
    render: Callable[[Any], Any] | None = None

    @property
    def id(self) -> str:
        """Its name in the OpenAPI document."""
        return self.method.__name__

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What it takes, those in its path included."""
        return parameters_of(self.method, self.omit)

    @property
    def has_body(self) -> bool:
        """Whether its parameters, but those in the path, come as a JSON object."""
        return self.verb in ("POST", "PUT", "PATCH")

    @property
    def is_of_memory(self) -> bool:
        """Whether its path names a memory: then it has an ETag."""
        return "{memory_id}" in self.path

    @property
    def returns(self) -> Any:
        """The type of its answer."""
        return get_type_hints(self.render or self.method)["return"]

    def call(self, bank: MemoryBank, arguments: Mapping[str, Any]) -> tuple[Any, str]:
        """Call it; the answer as JSON values, and the ETag of a memory that its path names and it returns."""
        result = self.method(bank, **arguments)
        etag = etag_of(result) if self.is_of_memory and isinstance(result, Memory) else ""
        return plain(self.render(result) if self.render is not None else result), etag

    def further_scopes(self, bank: MemoryBank, arguments: Mapping[str, Any]) -> Iterator[Scope]:
        """What the key must have besides for these arguments."""
        if arguments.get("hard"):
            yield "admin"
        if self.method is MemoryBank.settle and arguments.get("outcome") in JUDGEMENTS:
            yield "review"
        if self.method is MemoryBank.restore:
            memory = bank.get(arguments["memory_id"])
            if memory.state == "quarantined":
                yield "review"


def answered(recall: Recall) -> Answer:
    """A recall as it is sent."""
    return Answer(recall, recall.context(), recall.to_json())


def why_not(
    bank: MemoryBank,
    memory_id: str,
    query: str,
    *,
    mode: str = "current",
    session_id: str | None = None,
    deep: bool = False,
    as_of: datetime | None = None,
) -> str:
    """Say why a memory is not among the results of a question: its state, its rank, its signals.

    Args:
        memory_id: the memory.
        query: the question.
        mode: as of a recall, as are the others.
    """
    bank.get(memory_id)
    recall = bank.recall(query, mode=mode, session_id=session_id, deep=deep, as_of=as_of)
    return recall.missed(memory_id)


def profile(
    bank: MemoryBank,
    subject: str | None = None,
    *,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
    max_tokens: int | None = None,
) -> Profile:
    """Tell what is known of somebody or something, in sections, each line with its sources.

    Args:
        subject: whom or what; null = the person whose memories these are.
        as_of: what was true at that moment.
        known_at: only what had been said by that moment.
        max_tokens: what the text of the profile may cost.
    """
    return bank.profile(subject, as_of=as_of, known_at=known_at, max_tokens=max_tokens)


def feedback(
    bank: MemoryBank,
    recall: Mapping[str, Any],
    answer: str,
    *,
    query: str | None = None,
    alongside: Sequence[Mapping[str, Any]] = (),
    arguments: str = "",
) -> tuple[Feedback, ...]:
    """Say what was answered; what the answer made use of becomes stronger.

    Args:
        recall: the ticket of the recall that the answer was made from.
        answer: what the model said.
        query: the question, if it is not that of the recall.
        alongside: the tickets of other recalls of the same prompt.
        arguments: of the tools that the model called.
    """
    return bank.feedback(
        Recall.from_json(recall),
        answer,
        query=query,
        alongside=[Recall.from_json(ticket) for ticket in alongside],
        arguments=arguments,
    )


OPERATIONS: tuple[Operation, ...] = (
    Operation("POST", "/remember", MemoryBank.remember, "write"),
    Operation("POST", "/recall", MemoryBank.recall, "read", render=answered),
    Operation("POST", "/why-not", why_not, "read"),
    Operation("GET", "/profile", profile, "read"),
    Operation("POST", "/tip-of-tongue", MemoryBank.tip_of_tongue, "read"),
    Operation("POST", "/feedback", feedback, "write"),
    Operation("GET", "/memories", MemoryBank.list, "read"),
    Operation("POST", "/memories", MemoryBank.add, "write"),
    Operation("GET", "/memories/count", MemoryBank.count, "read"),
    Operation("GET", "/memories/{memory_id}", MemoryBank.get, "read"),
    Operation("PATCH", "/memories/{memory_id}", MemoryBank.edit, "write"),
    Operation("POST", "/memories/{memory_id}/supersede", MemoryBank.supersede, "write"),
    Operation("POST", "/memories/{memory_id}/end", MemoryBank.end, "write"),
    Operation("POST", "/memories/{memory_id}/pin", MemoryBank.pin, "write"),
    Operation("POST", "/memories/{memory_id}/unpin", MemoryBank.unpin, "write"),
    Operation("POST", "/memories/{memory_id}/restore", MemoryBank.restore, "write"),
    Operation("GET", "/memories/{memory_id}/history", MemoryBank.history, "read"),
    Operation("GET", "/memories/{memory_id}/versions", MemoryBank.versions, "read"),
    Operation("GET", "/memories/{memory_id}/relations", MemoryBank.relations, "read"),
    Operation("GET", "/memories/{memory_id}/explain", MemoryBank.explain, "read"),
    Operation("POST", "/memories/{memory_id}/hold", MemoryBank.hold, "review"),
    Operation("GET", "/memories/{memory_id}/why-allowed", MemoryBank.why_allowed, "admin"),
    Operation("GET", "/seals", MemoryBank.seals, "read"),
    Operation("POST", "/seal", MemoryBank.seal, "admin"),
    Operation("POST", "/unseal", MemoryBank.unseal, "admin"),
    Operation("GET", "/doubts", MemoryBank.doubts, "read"),
    Operation("POST", "/asked", MemoryBank.asked, "write"),
    Operation("GET", "/learnt", MemoryBank.learnt, "read"),
    Operation("POST", "/settle-versions", MemoryBank.settle_versions, "review"),
    Operation("POST", "/forget", MemoryBank.forget, "write"),
    Operation("POST", "/forget-matching", MemoryBank.forget_matching, "write"),
    Operation("POST", "/forget-session", MemoryBank.forget_session, "write"),
    Operation("POST", "/forget-all", MemoryBank.forget_all, "admin"),
    Operation("POST", "/observe", MemoryBank.observe, "write"),
    Operation("POST", "/reflect", MemoryBank.reflect, "write"),
    Operation("GET", "/transcript", MemoryBank.transcript, "read"),
    Operation("POST", "/transcript", MemoryBank.append_messages, "write"),
    Operation("DELETE", "/transcript", MemoryBank.clear_transcript, "admin"),
    Operation("GET", "/intentions", MemoryBank.intentions, "read"),
    Operation("POST", "/intentions", MemoryBank.intend, "write"),
    Operation("POST", "/due", MemoryBank.due, "write"),
    Operation("POST", "/settle", MemoryBank.settle, "write"),
    Operation("GET", "/procedures", MemoryBank.procedures, "read"),
    Operation("POST", "/runs", MemoryBank.observe_run, "write"),
    Operation("POST", "/outcome", MemoryBank.outcome, "write"),
    Operation("GET", "/reviews", MemoryBank.reviews, "review"),
    Operation("POST", "/reviews/{review_id}/approve", MemoryBank.approve, "review"),
    Operation("POST", "/reviews/{review_id}/reject", MemoryBank.reject, "review"),
    Operation("GET", "/dreams", MemoryBank.consolidation_runs, "read"),
    Operation("POST", "/dreams", MemoryBank.consolidate, "admin", omit=("progress",)),
    Operation("POST", "/dreams/tick", MemoryBank.tick, "admin", omit=("progress",)),
    Operation("GET", "/dreams/{run_id}/changes", MemoryBank.consolidation_changes, "read"),
    Operation("POST", "/dreams/{run_id}/undo", MemoryBank.undo, "admin"),
    Operation("GET", "/forecast", MemoryBank.forecast, "read"),
    Operation("GET", "/audit", MemoryBank.audit, "read"),
    Operation("GET", "/audit-trail", MemoryBank.verify_audit, "read"),
    Operation("GET", "/erasures", MemoryBank.verify_erasures, "read"),
    Operation("GET", "/health", MemoryBank.health, "read"),
)
_CALL = re.compile(r"\bbank\.(\w+)\([^()]*\)")
_PLACES = {operation.id: f"{operation.verb} /v1{operation.path}" for operation in OPERATIONS}


def without_calls(text: str) -> str:
    """A message of the engine without what names calls: a page has none."""
    return "; ".join(part for part in text.split("; ") if not _CALL.search(part))


def in_requests(text: str) -> str:
    """A message of the engine, with requests in place of the calls that it names."""
    return _CALL.sub(lambda call: _PLACES.get(call[1], call[0]), text)
