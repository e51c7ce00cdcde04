"""A turn of an agent or a graph: what a person said is recalled for and written down, and its answer is learnt from.

Middleware and nodes translate; what they do is the same. A turn is noted as plain values, which a
state can hold. What a model reads of it stands in front of the person's message, in every prompt in which
that message stands, so that the prompt of a turn begins the next one's, to the byte, and a provider's cache
of it is hit.
"""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from langchain_core.messages import AIMessage, AnyMessage, SystemMessage, ToolMessage
from pydantic import BaseModel

from cogmem_core.adapters.conversation import save_turns
from cogmem_core.adapters.kept_blocks import gone, holds, joined, news, surplus
from cogmem_core.adapters.options import (
    as_query,
    checked_arguments,
    checked_filters,
    checked_function,
)
from cogmem_core.adapters.resolve_bank import BankResolver
from cogmem_core.adapters.scores import all_of, run_scores
from cogmem_core.adapters.shown_once import (
    answered,
    checked_profile,
    give_back,
    profile_block,
    shown_later,
    shown_once,
)
from cogmem_core.base.fail_open import LogAndContinue
from cogmem_core.base.lru import LRUCache
from cogmem_core.edge import checks
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.feedback import Similarity
from cogmem_core.models import Feedback
from cogmem_core.results import Context
from cogmem_core.retrieval.recall import Recall
from langchain_cogmem.convert import (
    NamespaceSource,
    SaveMode,
    role_of,
    structured_answer,
    text_of,
    turn_of,
)
from langchain_cogmem.framework_texts import written_by_langchain
from langchain_cogmem.run_info import RunInfo, help_by_name
from langchain_cogmem.traces import trace_recall
from langchain_cogmem.user_words import UserWords, objections, said_by_person, turns_said

__all__ = ["KEPT", "AgentTurns", "End", "Insert", "lasting_of", "with_context"]

Insert = Literal["system", "user", "auto"]
_INSERTS = ("system", "user", "auto")
_SAVE_MODES = ("user", "both", "none")
_MESSAGES = 4_096
KEPT = 16_000
"""Characters of earlier blocks that are shown again; of more the older half is given up."""
_FROM_RUN = ("lc_run-", "run-")
"""How the ids begin that LangChain gives to what a model wrote."""
_CALLS = 32  # of tools, whose arguments are told with an answer
_NOTES = ("_lock", "_model_message_ids", "_begun", "_written")


class AgentTurns:
    """Whose words, what for, and how; with what is noted of runs in this process. Thread-safe.

    Args:
        bank: as for `CogMemMiddleware`, like the rest.
        engine: as there.
        namespace: as there.
        missing_key_help: as for `BankResolver`.
        name: of its recalls in traces.

    Raises:
        InvalidInput: an option is unusable.
    """

    def __init__(
        self,
        bank: MemoryBank | None,
        engine: Engine | None,
        namespace: NamespaceSource,
        missing_key_help: str,
        *,
        k: int = 8,
        max_tokens: int | None = None,
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - LangChain's name
        categories: Iterable[str] | None = None,
        deadline: float | None = None,
        insert: Insert = "auto",
        ask: bool = False,
        profile: bool | type[BaseModel] = False,
        auto_feedback: bool = True,
        similarity_fn: Similarity | None = None,
        on_feedback: Callable[[tuple[Feedback, ...]], None] | None = None,
        save_mode: SaveMode = "user",
        raise_errors: bool = False,
        name: str = "cogmem",
    ) -> None:
        self._name = name
        self._insert = checks.choice("insert", insert, _INSERTS)
        self._save_mode = checks.choice("save_mode", save_mode, _SAVE_MODES)
        self._ask = checks.flag("ask", ask)
        self._profile = checked_profile(profile)
        self._auto_feedback = auto_feedback
        self.resolve_bank = BankResolver(
            bank, engine, namespace, missing_key_help, help_by_name(missing_key_help)
        )
        options = {
            "k": k,
            "max_tokens": max_tokens,
            "categories": categories,
            "deadline": deadline,
        }
        given = {name: value for name, value in options.items() if value is not None}
        self._recall_arguments = {
            **checked_filters(bank or engine, filter, "filter"),
            **checked_arguments(bank or engine, given),
        }
        self._fail_open = LogAndContinue(raises=Exception if raise_errors else None)
        self._raise_errors = raise_errors
        self._similarity = checked_function("similarity_fn", similarity_fn)
        self._on_feedback = checked_function("on_feedback", on_feedback)
        self._begin()

    def _begin(self) -> None:
        """With nothing noted of any run."""
        self._lock = threading.Lock()
        self._model_message_ids: LRUCache[str, bool] = LRUCache(_MESSAGES)
        self._begun: LRUCache[str, bool] = LRUCache(_MESSAGES)
        self._written: LRUCache[str, bool] = LRUCache(_MESSAGES)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in _NOTES}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._begin()

    def __repr__(self) -> str:
        return repr(self.resolve_bank)

    def bank(self, run: RunInfo) -> MemoryBank:
        """Whose memories are meant in a run."""
        return self.resolve_bank(run.state, run.runtime, run=run)

    async def abank(self, run: RunInfo) -> MemoryBank:
        """Async twin of `bank`."""
        return await self.resolve_bank.awaited(run.state, run.runtime, run=run)

    def noted(
        self,
        note: UserWords,
        earlier: UserWords,
        run: RunInfo,
        bank: MemoryBank | None,
        *,
        turn: str | None = None,
        recalls: bool = True,
    ) -> UserWords:
        """The note of a turn that begins, with what is recalled for it.

        Args:
            note: what was said.
            earlier: the note of the turn before; empty if there is none.
            run: the run.
            bank: whose memories; None = nobody said anything.
            turn: tells the turn from others; None = it is new.
            recalls: False = nothing is recalled.
        """
        note["turn"] = (uuid.uuid5(uuid.NAMESPACE_OID, turn) if turn else uuid.uuid4()).hex
        said = note["said"]
        by_others = [message for message in said if not said_by_person(message["text"])]
        note["is_task"] = run.by_tool or (bool(said) and by_others == said)
        unkept = [
            *by_others,
            *earlier.get("unkept", ()),
            *(earlier.get("said", ()) if earlier.get("incognito") else ()),
        ]
        # What was said incognito and not answered stands among the messages of a later run.
        note["unkept"] = [message for message in said if message in unkept]
        note["incognito"] = bank is not None and not bank.keeps
        note["blocks"] = _blocks_of(earlier)
        if bank is not None and recalls:
            with self._fail_open("a recall"):
                bank.finish_pending()  # what was said last may be a wish to forget
                note["blocks"] = _still_shown(bank, note["blocks"])
                note |= self._recall(bank, note, earlier, run.thread)
        with self._lock:
            self._begun.put(note["turn"], True)
        return note

    def lost(self, bank: MemoryBank, memory_ids: Collection[str]) -> Collection[str]:
        """Those of the memories that are shown no more; none if that cannot be told."""
        with self._fail_open("a recall"):
            return gone(bank, memory_ids)
        return ()

    def _recall(
        self, bank: MemoryBank, note: UserWords, earlier: UserWords, thread: str | None
    ) -> dict[str, Any]:
        """What is noted of a recall; nothing if there is nothing to show.

        What was said before under the same ids (a run that is tried again) is no answer to itself.
        An agent that works for another one is not told what is due or open: nobody would hear of it.
        """
        query = as_query(bank, note["said"][-1]["text"])
        if not note["is_task"]:
            for message in note["said"]:
                give_back(bank, message["text"])
        recall = bank.recall(query, session_id=thread, **self._recall_arguments)
        own_ids = {message["id"] for message in note["said"]}
        if any(own_ids.intersection(item.memory.refs) for item in recall.results):
            other_results = [
                item for item in recall.results if not own_ids.intersection(item.memory.refs)
            ]
            recall = replace(recall, results=tuple(other_results))
        if note["is_task"]:
            recall = replace(recall, due=(), ask=None)
        apart = self._insert == "auto"
        stable = False if apart else None
        with_profile = self._profile is True
        recall, block = shown_once(bank, recall, stable=stable, ask=self._ask, profile=with_profile)
        later = shown_later(recall, block, stable=stable, profile=with_profile)
        lasting = recall.block(stable=True, profile=with_profile) if apart else Context()
        known = profile_block(bank, self._profile)
        before = "" if apart else known
        always = joined(known, lasting.text) if apart else ""
        former = earlier.get("lasting")
        note["blocks"] = [each for each in note["blocks"] if holds(each.get("new", ""), always)]
        new, first = "", always
        if former is not None and holds(former, always):
            # What follows the system prompt stays as long as it holds; what is new comes last.
            new = news(always, [former, *(each["text"] for each in note["blocks"])])
            before = joined(new, before)
            first = former
        context = joined(before, block.text)
        if not (context or always):
            return {"lasting": ""}
        trace_recall(recall, self._name)
        return {
            "recall": recall.only({**lasting.shown, **block.shown}).to_json(),
            "context": context,
            "later": joined(before, later),
            "lasting": first,
            "always": always,
            **({"new": new} if new else {}),
        }

    def informed(
        self, messages: Sequence[AnyMessage], note: UserWords, *, first: bool = False
    ) -> tuple[str, list[AnyMessage]]:
        """What belongs behind the system prompt, and the messages with what stands in front of the person's.

        `first`: what belongs behind the system prompt stands in front of the first message of a person.
        """
        context = note.get("context", "")
        lasting = lasting_of(note, messages)
        place = None
        if self._insert != "system":
            place = _place_of_question(messages, note)
        texts = {block["id"]: block["text"] for block in note.get("blocks", ())}
        informed = []
        for index, message in enumerate(messages):
            text = context if index == place else texts.get(message.id, "")
            if first and role_of(message) == "user":
                text = joined(lasting, text)
                first = False
            informed.append(_preceded(message, text) if text else message)
        return (lasting if place is not None else joined(lasting, context)), informed

    def unwritten(self, note: UserWords, messages: Sequence[AnyMessage]) -> bool:
        """Whether there are words of the user that may not be on disk yet.

        In another process than the one in which the turn began, words that stand no more among the
        messages were written by that one.
        """
        if self._save_mode == "none" or not note.get("said") or note.get("is_task"):
            return False
        if note.get("incognito"):
            return False
        turn = note.get("turn", "")
        with self._lock:
            if self._written.get(turn):
                return bool(self._objections(messages))
            began_here = self._begun.get(turn)
        ids = {message.id for message in messages}
        return bool(began_here) or all(message["id"] in ids for message in note["said"])

    def _objections(self, messages: Sequence[AnyMessage], thread: str | None = None) -> list[Any]:
        """What a person said to an interrupt, and is not written yet."""
        turns = objections(messages, thread)
        return [turn for turn in turns if not self._written.get(f"objection {turn.ref}")]

    def write(
        self,
        bank: MemoryBank,
        note: UserWords,
        messages: Sequence[AnyMessage],
        thread: str | None,
    ) -> None:
        """Remember what the user said.

        What was said before, under the same id, is known. What cannot be written now waits.
        """
        kept = [message for message in note["said"] if message not in note.get("unkept", ())]
        with self._lock:
            turns = self._objections(messages, thread)
            objected = [f"objection {turn.ref}" for turn in turns]
            if not self._written.get(note.get("turn", "")):
                turns = [*turns_said({**note, "said": kept}, messages, thread), *turns]
        with self._fail_open("remembering"):
            save_turns(bank, turns)
        with self._lock:
            for done in (*objected, *([note["turn"]] if "turn" in note else ())):
                self._written.put(done, True)  # notes of earlier versions have no turn

    def record(self, messages: Iterable[AnyMessage]) -> None:
        """Note what a model wrote."""
        with self._lock:
            for message in messages:
                if message.id is not None and not written_by_langchain(message):
                    self._model_message_ids.put(message.id, True)

    def end_of(
        self,
        messages: Sequence[AnyMessage],
        note: UserWords,
        state: Any = None,
        *,
        guarded: bool = True,
    ) -> End:
        """What is to be done at the end of a turn, or of a call of a model within it.

        `guarded`: where no model was asked and LangChain did not say why, a guard kept the words from it: they
        are not written.
        """
        final = messages[-1] if messages else None
        answer = final if isinstance(final, AIMessage) and self._is_answer(final) else None
        text = text_of(answer) if answer is not None else structured_answer(state)
        is_result = isinstance(final, ToolMessage)
        arguments = self._tool_arguments(messages) if text or is_result else ""
        is_heard = not guarded or (
            final is not None
            and (is_result or self._is_by_model(final) or written_by_langchain(final))
        )
        return End(
            note=note,
            answer=answer,
            text=text,
            arguments=arguments,
            is_told="recall" in note and bool(text or arguments),
            is_unwritten=is_heard and self.unwritten(note, messages),
            is_remembered=answer is not None
            and self._save_mode == "both"
            and not note.get("incognito"),
        )

    def finish(
        self,
        bank: MemoryBank,
        messages: Sequence[AnyMessage],
        end: End,
        thread: str | None,
        alongside: Iterable[UserWords] = (),
    ) -> None:
        """Do it.

        Args:
            bank: whose memories.
            messages: as they are now.
            end: what is to be done.
            thread: the conversation.
            alongside: the notes of all that recalled for the same words.
        """
        if end.is_told:
            answered(bank, end.note["recall"]["query"])
        if end.is_told and self._auto_feedback:
            with self._fail_open("feedback"):
                bank.feedback(
                    Recall.from_json(end.note["recall"]),
                    end.text,
                    alongside=[
                        Recall.from_json(note["recall"])
                        for note in alongside
                        if "recall" in note and note.get("said") == end.note.get("said")
                    ],
                    similarity_fn=self._similarity,
                    arguments=end.arguments,
                    wait=self._raise_errors,
                    heard=all_of(self._on_feedback, run_scores()),
                )
        if end.is_unwritten:
            self.write(bank, end.note, messages, thread)
        if end.is_remembered and end.answer is not None:
            answer = replace(turn_of(end.answer), session_id=thread)
            with self._fail_open("remembering"):
                save_turns(bank, [answer])

    def _is_answer(self, final: AIMessage) -> bool:
        """Whether it is what the user is answered, and a model wrote it."""
        if final.tool_calls or not text_of(final).strip():
            return False
        return self._is_by_model(final)

    def _is_by_model(self, message: AnyMessage) -> bool:
        if not isinstance(message, AIMessage) or written_by_langchain(message):
            return False
        message_id = str(message.id)
        with self._lock:
            is_known = self._model_message_ids.get(message_id)
        is_from_run = message_id.startswith(_FROM_RUN) or bool(message.response_metadata)
        return bool(is_known) or is_from_run

    def _tool_arguments(self, messages: Sequence[AnyMessage]) -> str:
        """What the model gave to tools since the user spoke, as JSON; also structured answers."""
        texts: list[str] = []
        for message in reversed(messages):
            if role_of(message) == "user":
                break
            if isinstance(message, AIMessage) and self._is_by_model(message):
                calls = [call["args"] for call in message.tool_calls]
                texts += [json.dumps(args, ensure_ascii=False, default=str) for args in calls]
            if len(texts) >= _CALLS:
                break
        return "\n".join(reversed(texts))


@dataclass(frozen=True)
class End:
    """What a run ended with, and what is to be done about it.

    Attributes:
        note: what was noted when it began.
        answer: the model's final message; None if there is none.
        text: what it says; of a structured answer its values as JSON.
        arguments: what the model gave to tools.
        is_told: an answer followed what was shown.
        is_unwritten: the user's words may not be on disk yet.
        is_remembered: the answer is remembered.
    """

    note: UserWords
    answer: AIMessage | None
    text: str
    arguments: str
    is_told: bool
    is_unwritten: bool
    is_remembered: bool

    @property
    def has_work(self) -> bool:
        """Whether anything is to be done."""
        return self.is_told or self.is_unwritten or self.is_remembered

    @property
    def left(self) -> UserWords:
        """What is still needed of the note once that is done: what the next turn shows again."""
        lasting = {"lasting": self.note["lasting"]} if "lasting" in self.note else {}
        return {"blocks": _blocks_of(self.note), **lasting}


def lasting_of(note: UserWords, messages: Sequence[AnyMessage]) -> str:
    """What belongs behind the system prompt: also what is always shown, and was told where the history was cut."""
    ids = {message.id for message in messages}
    lasting = note.get("lasting", "")
    standing = [block["text"] for block in note.get("blocks", ()) if block["id"] in ids]
    standing += [lasting, note.get("context", "")]
    return joined(lasting, news(note.get("always", ""), standing))


def with_context(system: SystemMessage | None, context: str) -> SystemMessage:
    r"""The system prompt with the context behind it; a string stays a string.

    Example:
        >>> with_context(SystemMessage("Be kind."), "Ann has a boat.").content
        'Be kind.\n\nAnn has a boat.'
    """
    if system is None or not system.content:
        return SystemMessage(context)
    if isinstance(system.content, str):
        content: Any = f"{system.content}\n\n{context}"
    else:
        content = [*system.content, {"type": "text", "text": f"\n\n{context}"}]
    return system.model_copy(update={"content": content})


def _preceded(message: AnyMessage, context: str) -> AnyMessage:
    """A message with the context in front of it; a string stays a string."""
    content: Any = message.content
    if isinstance(content, str):
        content = f"{context}\n\n{content}"
    else:
        content = [{"type": "text", "text": f"{context}\n\n"}, *content]
    return message.model_copy(update={"content": content})


def _place_of_question(messages: Sequence[AnyMessage], note: UserWords) -> int | None:
    """Where the user's last message stands; None if there is none."""
    said_ids = {message["id"] for message in note.get("said", ())}
    persons = [index for index, message in enumerate(messages) if role_of(message) == "user"]
    places = [index for index in persons if messages[index].id in said_ids] or persons
    return places[-1] if places else None


def _blocks_of(note: UserWords) -> list[dict[str, Any]]:
    """What was shown up to that turn: by which message, what text, which memories.

    `once`: what it said at first; `new`: what of it changes rarely.
    """
    blocks = list(note.get("blocks", ()))
    said = note.get("said")
    if not (said and said[-1]["id"] and note.get("context")):
        return blocks
    memories = sorted({*Recall.from_json(note["recall"]).memory_ids})
    later = note.get("later", note["context"])  # notes of earlier versions have none
    block = {"id": said[-1]["id"], "text": later, "memories": memories}
    if later != note["context"]:
        block["once"] = note["context"]
    if "new" in note:
        block["new"] = note["new"]
    return [*blocks, block]


def _still_shown(bank: MemoryBank, blocks: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The blocks of whose memories none was forgotten since."""
    lost = gone(bank, {memory_id for block in blocks for memory_id in block["memories"]})
    kept = [block for block in blocks if lost.isdisjoint(block["memories"])]
    return kept[surplus([len(block["text"]) for block in kept], KEPT) :]
