"""A conversation as a chat memory sees it: questions, answers, and requests for its messages.

Frameworks do this in every order, and ask more than once. Here it is decided what that means: each
question is recalled for once; what was shown for it learns from its answer, once. What was said is
remembered once: as soon as it was recalled for, if the caller says so, else when it was answered,
when a later question is answered, or at the end. No question finds itself, also not where it is
asked again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from pydantic import BaseModel

from cogmem_core.adapters.kept_blocks import KeptBlocks, ShownContext, gone, joined
from cogmem_core.adapters.options import as_query
from cogmem_core.adapters.run_recalls import shown_part
from cogmem_core.adapters.scores import all_of, run_scores
from cogmem_core.adapters.shown_once import (
    answered,
    checked_profile,
    give_back,
    profile_block,
    with_handed_out,
)
from cogmem_core.base.digests import text_digest
from cogmem_core.base.fail_open import LogAndContinue
from cogmem_core.edge import checks
from cogmem_core.encoding.observe_turn import ECHO_MINUTES
from cogmem_core.encoding.sanitize import readable_turn
from cogmem_core.engine import MemoryBank
from cogmem_core.engine.writing import remember_or_hold
from cogmem_core.errors import InvalidInput
from cogmem_core.feedback import Similarity
from cogmem_core.feedback.queue import FeedbackListener
from cogmem_core.retrieval.context_block import PROFILE_SHARE
from cogmem_core.retrieval.recall import Recall
from cogmem_core.text.broken import readable, shortened
from cogmem_core.values.models import Turn
from cogmem_core.values.results import Context

_SAVE_MODES: Mapping[str, tuple[str, ...]] = {
    "user": ("user",),
    "both": ("user", "assistant"),
    "none": (),
}
_SPOKEN = ("user", "assistant")
_MAX_OPEN = 8  # questions without an answer; of more the oldest is given up
Counter = Callable[[str], int]
_Blocks = tuple[Context, Context]
RoleTexts = Iterable[tuple[str, str]]
"""(role, text), oldest first.

Who neither asks nor answers ("system", "tool") does not count, nor does a blank text.
"""


@dataclass(frozen=True, slots=True)
class ConversationOptions:
    """What a conversation does by itself.

    Attributes:
        k: the maximum number of memories for a question.
        max_tokens: budget of their text; None = the engine's.
        session_id: what was said in it counts more, and is remembered as said in it.
        save_mode: whose words are remembered: "user", "both" or "none".
        auto_feedback: False = memories do not learn from the answers.
        similarity_fn: as for `MemoryBank.feedback`.
        on_feedback: called with the judgements of an answer, if there are any, by the thread that
            makes them.
        arguments: further arguments of the recall, such as `categories` or `deadline`.
        known_once: what is sent twice, by whichever way, is remembered once.
        ask: let the model put the question of `Recall.ask`.
        profile: begin with what is known of the user; a model class = with what is known of its fields.
        raise_errors: False = a recall, feedback or write that fails is logged, and the conversation
            goes on.

    Raises:
        InvalidInput: an unknown `save_mode`, or a `profile` that is neither.
    """

    k: int = 8
    max_tokens: int | None = None
    session_id: str | None = None
    save_mode: str = "user"
    auto_feedback: bool = True
    similarity_fn: Similarity | None = None
    on_feedback: FeedbackListener | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    known_once: bool = False
    ask: bool = False
    profile: bool | type[BaseModel] = False
    raise_errors: bool = False

    def __post_init__(self) -> None:
        checked_profile(self.profile)
        if self.save_mode not in _SAVE_MODES:
            raise InvalidInput(
                f"save_mode is {self.save_mode!r}; use one of {', '.join(_SAVE_MODES)}"
            )


@dataclass(eq=False)
class _Exchange:
    """A question without an answer yet.

    Attributes:
        question: its text.
        ref: its id in the bank: the same question on the same day has it again.
        replies_to: what the model had asked just before.
        said_at: when a user put it; None = nobody did.
        remembered: it was given to the bank, or is no person's word.
        recall_tried: a recall was made for it, or failed.
        recall: what was recalled for it.
        known: what is known of the fields of a model.
        handed_out: what is due was handed out with it, and what is asked.
        context_recall: what the model read of the recall.
        judged: the model that read it is the one that answers.
        left: the history was replaced before it was answered.
        kept: False = it was put incognito: whenever it is answered, nothing of that is kept.
        lock: held during the recall.
    """

    question: str
    ref: str
    replies_to: str = ""
    said_at: datetime | None = None
    remembered: bool = False
    recall_tried: bool = False
    recall: Recall | None = None
    known: str = ""
    handed_out: bool = False
    context_recall: Recall | None = None
    judged: bool = True
    left: bool = False
    kept: bool = True
    lock: threading.Lock = field(default_factory=threading.Lock)


class Conversation:
    """One conversation with one bank; thread-safe.

    A copy is a conversation with the same bank, and with no open question.

    Args:
        bank: returns the bank; called when it is first needed.
        options: what the conversation does by itself.
    """

    def __init__(self, bank: Callable[[], MemoryBank], options: ConversationOptions) -> None:
        self._bank = bank
        self._options = options
        self._fail_open = LogAndContinue(raises=Exception if options.raise_errors else None)
        self._lock = threading.Lock()
        self._open: dict[str, _Exchange] = {}
        self.last: Recall | None = None
        self.kept = KeptBlocks()

    @property
    def bank(self) -> MemoryBank:
        """Whose conversation it is."""
        return self._bank()

    def add_question(self, question: str, *, by_person: bool = True) -> None:
        """The user said something: it waits for an answer now.

        Saying it again before that changes nothing.

        Args:
            question: what was said.
            by_person: False = another agent gave it as a task, so that it is not remembered.
        """
        if question.strip():
            now = self._bank().engine.services.runtime.now()
            exchange = self._exchange(question)
            exchange.said_at = exchange.said_at or now
            exchange.remembered = exchange.remembered or not by_person

    def context_for(
        self,
        question: str,
        *,
        room: int | None = None,
        count: Counter | None = None,
        judged: bool = True,
        apart: bool = False,
    ) -> ShownContext | None:
        """What a model should read for a question; None if there is nothing. Recalls once for it.

        Args:
            question: what the user said.
            room: the maximum number of tokens; None = as the options say.
            count: how many tokens a text takes in the prompt; None = as the engine counts.
            judged: False = another model than the one that reads it gives the answer, so that the
                memories learn nothing from it.
            apart: what changes rarely by itself, so that it can stand where a prompt begins.
        """
        if not question.strip() or (room is not None and room < 1):
            return None
        exchange = self._exchange(question)
        exchange.judged = judged
        bank = self._bank()
        with exchange.lock:
            if not exchange.recall_tried:
                with self._fail_open("a recall"):
                    bank.finish_pending()  # what was said last may be a wish to forget
                    self.kept.drop(gone(bank, self.kept.memory_ids))
                    give_back(bank, exchange.question)
                    exchange.known = profile_block(bank, self._options.profile)
                    exchange.recall = self.last = self._recall(bank, exchange)
                exchange.recall_tried = True
            if exchange.recall is None:
                return None
            # What finds no room beside this question holds all the same, where it stands.
            lasting, _ = self._fitting(None, None, apart, exchange.known, exchange.recall)
            self.kept.renew(lasting.text)
            return self._shown_context(
                exchange,
                exchange.recall,
                partial(self._fitting, room, count, apart, exchange.known),
            )

    def add_answer(self, answer: str, *, judged: bool = True) -> None:
        """The user was answered: what was shown learns from it, and what was said is remembered.

        Args:
            answer: a blank one is none, nor is what only calls tools: give "".
            judged: False = no model wrote it, so that no memory could be used.
        """
        answer = readable(answer)
        if answer.strip():
            self._learn(self._close_question(), answer, judged=judged)

    def add_answer_to(self, question: str, answer: str, *, arguments: str) -> None:
        """That question was answered, whatever else is open; nothing happens if it is not.

        Args:
            question: what the user said.
            answer: a blank one is none.
            arguments: what the model gave to tools before it answered, as text.
        """
        answer = readable(answer)
        if answer.strip():
            with self._lock:
                exchange = self._open.pop(question, None)
            if exchange is not None:
                self._learn(exchange, answer, judged=True, arguments=arguments)

    def follow(self, messages: RoleTexts) -> str:
        """Learn from a history's answers to the questions open here; returns its own open question.

        For whoever is not told of answers, and sees the history when the next question comes.
        """
        listed = list(messages)
        current = open_question(reversed(listed))
        for question, answer in _answers(listed):
            with self._lock:
                exchange = self._open.pop(question, None) if question != current else None
            if exchange is not None:
                self._learn(exchange, readable(answer), judged=True)
        return current

    def remember_question(self, question: str) -> None:
        """What a user put is remembered now, and not only when it is answered: a model may fail.

        Call it after `context_for`.
        """
        with self._lock:
            exchange = self._open.get(question)
        if exchange is not None:
            self._remember(self._turns([exchange], ""))

    def restart(self) -> None:
        """The history was replaced: what is open waits for the next question.

        If that is another one, what waits is remembered; if it is the same, it is asked again, and
        must not find itself.
        """
        with self._lock:
            for exchange in self._open.values():
                exchange.left = True

    def end(self) -> None:
        """The conversation is over: what was said is remembered, answered or not."""
        with self._lock:
            waiting = list(self._open.values())
            self._open = {}
            self.kept = KeptBlocks()
        self._remember(self._turns(waiting, ""))

    def _exchange(self, question: str) -> _Exchange:
        bank = self._bank()
        replies_to = question_before(bank, self._options.session_id)
        today = bank.engine.services.runtime.now().date().isoformat()
        with self._lock:
            exchange = self._open.pop(question, None)
            if exchange is None or exchange.kept != bank.keeps:
                ref = self._ref(question, replies_to, today)
                exchange = _Exchange(question, ref, replies_to, kept=bank.keeps)
                exchange.remembered = not exchange.kept
            exchange.left = False
            self._open[question] = exchange
            surplus = list(self._open)[:-_MAX_OPEN]
            leaving = [text for text, waiting in self._open.items() if waiting.left]
            given_up = [self._open.pop(text) for text in dict.fromkeys([*surplus, *leaving])]
        self._remember(self._turns(given_up, ""))
        return exchange

    def _close_question(self) -> _Exchange | None:
        """The question that is being answered: the last that a user put, else the last shown."""
        with self._lock:
            put = [text for text, exchange in self._open.items() if exchange.said_at is not None]
            shown = put or list(self._open)
            return self._open.pop(shown[-1]) if shown else None

    def _ref(self, question: str, *circumstances: str) -> str:
        if self._options.known_once:
            circumstances = ()
        return _digest(self._options.session_id, "user", question, *circumstances)

    def _recall(self, bank: MemoryBank, exchange: _Exchange) -> Recall:
        """What the bank knows, but for what it knows from this very question."""
        recall = self._ask(bank, exchange.question, self._options.k)
        own = _memories_of(recall, exchange.ref)
        if own:
            # It was asked before, and not answered.
            max_k = bank.engine.services.config.retrieval.max_k
            k = min(self._options.k + len(own), max_k)
            recall = self._ask(bank, exchange.question, k)
            own |= _memories_of(recall, exchange.ref)
            recall = recall.only(set(recall.memory_ids) - own)
        return recall

    def _ask(self, bank: MemoryBank, question: str, k: int) -> Recall:
        options = self._options
        return bank.recall(
            as_query(bank, question), k=k, session_id=options.session_id, **options.arguments
        )

    def _shown_context(
        self, exchange: _Exchange, recall: Recall, fitting: Callable[[Recall], _Blocks]
    ) -> ShownContext | None:
        first = exchange.context_recall is None
        if not exchange.judged:
            recall = replace(recall, due=(), ask=None)  # who reads it answers nobody
        lasting, block = fitting(recall)
        if (block.due or block.ask) and not exchange.handed_out:
            exchange.handed_out = True
            recall = exchange.recall = with_handed_out(self._bank(), recall, block)
            lasting, block = fitting(recall)
        if not (block.text or lasting.text):
            return None
        exchange.context_recall = recall.only({**lasting.shown, **block.shown})
        later = block
        if block.due or block.ask or recall.procedures:
            later = fitting(replace(recall, due=(), ask=None, procedures=()))[1]
        return ShownContext(block.text, exchange.context_recall, first, lasting.text, later.text)

    def _fitting(
        self, room: int | None, count: Counter | None, apart: bool, known: str, recall: Recall
    ) -> _Blocks:
        """What fits into the room of a prompt: what changes rarely, if that is asked for, and the rest."""
        options = self._options
        with_profile = options.profile is True
        if room is not None and count is not None and count(known) > room * PROFILE_SHARE:
            known = ""
        own = options.max_tokens or (recall.origin.max_tokens if recall.origin else None)
        budget = min((limit for limit in (room, own) if limit is not None), default=None)

        def shown(tokens: int | None) -> _Blocks:
            lasting = Context()
            if apart:
                lasting = recall.block(tokens, stable=True, profile=with_profile)
            stable = False if apart else None
            rest = recall.block(tokens, stable=stable, ask=options.ask, profile=with_profile)
            return (_preceded(known, lasting), rest) if apart else (lasting, _preceded(known, rest))

        blocks = shown(budget)
        if room is not None and count is not None:
            while (tokens := sum(count(block.text) for block in blocks if block.text)) > room:
                # The caller counts other tokens than the engine: shrink in proportion.
                size = budget or tokens
                budget = min(size - 1, size * room // tokens)
                if budget < 1:
                    return Context(), Context()
                blocks = shown(budget)
        return blocks

    def _learn(
        self, exchange: _Exchange | None, answer: str, *, judged: bool, arguments: str = ""
    ) -> None:
        if exchange is not None and not exchange.kept:
            return
        options = self._options
        recall = None
        if exchange is not None:
            answered(self._bank(), exchange.question)
        if exchange is not None and exchange.judged and judged and options.auto_feedback:
            recall = exchange.context_recall
        if recall is not None:
            with self._fail_open("feedback"):
                self._bank().feedback(
                    shown_part(self._bank(), recall, answer),
                    answer,
                    similarity_fn=options.similarity_fn,
                    arguments=arguments,
                    wait=options.raise_errors,
                    heard=all_of(options.on_feedback, run_scores()),
                )
        with self._lock:
            exchanges = [waiting for waiting in self._open.values() if waiting.said_at is not None]
        if exchange is not None:
            exchanges.append(exchange)
        self._remember(self._turns(exchanges, answer, exchange))
        record_answer(self._bank(), answer, options.session_id)

    def _turns(
        self, exchanges: Iterable[_Exchange], answer: str, answered: _Exchange | None = None
    ) -> list[Turn]:
        """The questions that were put and are not remembered yet, and the answer.

        The question that is answered belongs to them even if nobody put it. Incognito there are none.
        """
        turns: list[Turn] = []
        if not self._bank().keeps:
            return turns
        with self._lock:
            for exchange in exchanges:
                if exchange.remembered or (exchange.said_at is None and exchange is not answered):
                    continue
                exchange.remembered = True
                turn = Turn(
                    exchange.question,
                    role="user",
                    at=exchange.said_at,
                    asked=exchange.replies_to,
                    ref=exchange.ref,
                )
                turns.append(turn)
        turns.append(Turn(answer, role="assistant"))
        return turns_of(turns, self._options)

    def _remember(self, turns: list[Turn]) -> None:
        if turns:
            with self._fail_open("remembering"):
                save_turns(self._bank(), turns)

    def __deepcopy__(self, _memo: object) -> Conversation:
        return Conversation(self._bank, self._options)


def _preceded(known: str, block: Context) -> Context:
    return replace(block, text=joined(known, block.text)) if known else block


def _memories_of(recall: Recall, ref: str) -> set[str]:
    """The ids of the memories that come from a turn."""
    memories = [*recall.hot, *(item.memory for item in recall.results)]
    return {memory.id for memory in memories if ref in memory.refs}


def save_turns(bank: MemoryBank, turns: Sequence[Turn]) -> None:
    """Remember turns, without waiting for the memories; what cannot be written waits in RAM.

    It is tried again, and `health()` tells it. Broken characters are replaced, and of a text longer than
    `limits.content_bytes` beginning and end are kept: what a framework hands over was said, whatever
    became of it on the way.

    Raises:
        InvalidInput: a turn is unusable; nothing waits.
        StoreError: the disk failed; the turns wait.
    """
    limits = bank.engine.services.config.limits
    held = [readable_turn(turn, limits) for turn in turns]
    remember_or_hold(
        bank,
        [replace(turn, content=shortened(turn.content, limits.content_bytes)) for turn in held],
    )


def record_answer(bank: MemoryBank, answer: str, session_id: str | None) -> None:
    """A model gave an answer, which need not be remembered: it may end with a question."""
    if not bank.keeps:
        return  # a reply would be stored with its question
    bank.engine.services.recent.record_answer(bank.namespace, session_id, answer)


def question_before(bank: MemoryBank, session_id: str | None) -> str:
    """What a model asked just before.

    Empty if it asked nothing, or longer ago than `ECHO_MINUTES`.
    """
    services = bank.engine.services
    return services.recent.open_question(bank.namespace, session_id, seconds=60 * ECHO_MINUTES)


def with_question(turns: Iterable[Turn], question: str) -> list[Turn]:
    """The turns; those of the user reply to the question that a model had asked."""
    return [replace(turn, asked=question) if turn.role == "user" else turn for turn in turns]


def turns_of(turns: Iterable[Turn], options: ConversationOptions) -> list[Turn]:
    """The turns that are remembered by these options, as said in their session."""
    roles = _SAVE_MODES[options.save_mode]
    spoken = [turn for turn in turns if turn.role in roles and turn.content.strip()]
    listed = [replace(turn, session_id=options.session_id) for turn in spoken]
    if not options.known_once:
        return listed
    return [replace(turn, ref=_digest(turn.session_id, turn.role, turn.content)) for turn in listed]


def _digest(*parts: str | None) -> str:
    """An id that the same parts have again."""
    text = "\0".join(part or "" for part in parts)
    return text_digest(text, 32)


def with_dates(turns: Iterable[Turn], began: datetime | None, session_id: str | None) -> list[Turn]:
    """The turns of people and models that have a text, as one conversation, a minute apart.

    Args:
        turns: the conversation.
        began: when the first of them was said, timezone-aware; None = as they are.
        session_id: the conversation; None = as they are.

    Raises:
        InvalidInput: `began` is not a timezone-aware datetime, or it is too late.
    """
    spoken = [
        readable_turn(turn) for turn in turns if turn.role in _SPOKEN and turn.content.strip()
    ]
    if session_id is not None:
        spoken = [replace(turn, session_id=session_id) for turn in spoken]
    if began is None:
        return spoken
    start = checks.moment("began", began)
    dated_turns = []
    try:
        for minute, turn in enumerate(spoken):
            at = (start + timedelta(minutes=minute)).astimezone(began.tzinfo)
            dated_turns.append(replace(turn, at=at))
    except OverflowError:
        raise InvalidInput(
            f"began is {began}: the calendar ends before the conversation does; give another"
        ) from None
    return dated_turns


def open_question(messages: RoleTexts) -> str:
    """What the user said last, if nobody has answered it; else empty.

    Args:
        messages: the newest first.
    """
    for role, text in messages:
        if text.strip() and role in _SPOKEN:
            return text if role == "user" else ""
    return ""


def _answers(messages: RoleTexts) -> list[tuple[str, str]]:
    """(question, answer), oldest first; of several answers in a row the last one counts."""
    pairs: list[tuple[str, str]] = []
    question = ""
    answer = ""
    for role, text in messages:
        if not text.strip():
            continue
        if role == "user":
            if answer:
                pairs.append((question, answer))
            question = text
            answer = ""
        elif role == "assistant" and question:
            answer = text
    if answer:
        pairs.append((question, answer))
    return pairs
