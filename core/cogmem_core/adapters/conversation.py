"""A conversation as a chat memory sees it: questions, answers, and requests for its messages.

Frameworks do this in every order, and ask more than once. Here it is decided what that means: each
question is recalled for once; what was shown for it learns from its answer, once; what was said is
remembered when it was answered, so that no question finds itself. What is left unanswered is
remembered when a later question is answered, or at the end.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from cogmem_core import checks
from cogmem_core.adapters.answering_calls import shown_part
from cogmem_core.encoding.observe_turn import ECHO_MINUTES
from cogmem_core.engine import MemoryBank
from cogmem_core.errors import InvalidInput
from cogmem_core.fail_open import LogAndContinue
from cogmem_core.feedback import Similarity
from cogmem_core.models import Turn
from cogmem_core.results import Context
from cogmem_core.retrieval.recall import Recall

__all__ = [
    "Conversation",
    "ConversationOptions",
    "ShownContext",
    "open_question",
    "question_before",
    "record_answer",
    "turns_of",
    "with_dates",
    "with_question",
]

_SAVE_MODES: Mapping[str, tuple[str, ...]] = {
    "user": ("user",),
    "both": ("user", "assistant"),
    "none": (),
}
_SPOKEN = ("user", "assistant")
_MAX_OPEN = 8  # questions without an answer; of more the oldest is given up
Counter = Callable[[str], int]
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
        raise_errors: False = a recall, feedback or write that fails is logged, and the conversation
            goes on.

    Raises:
        InvalidInput: an unknown `save_mode`.
    """

    k: int = 8
    max_tokens: int | None = None
    session_id: str | None = None
    save_mode: str = "user"
    auto_feedback: bool = True
    similarity_fn: Similarity | None = None
    raise_errors: bool = False

    def __post_init__(self) -> None:
        if self.save_mode not in _SAVE_MODES:
            raise InvalidInput(
                f"save_mode is {self.save_mode!r}; use one of {', '.join(_SAVE_MODES)}"
            )


@dataclass(frozen=True, slots=True)
class ShownContext:
    """What a model reads of a recall.

    Attributes:
        recall: as if it had found nothing but what the text shows.
        first: it was not shown for this question before.
    """

    text: str
    recall: Recall
    first: bool


@dataclass(eq=False)
class _Exchange:
    """A question without an answer yet.

    Attributes:
        question: its text.
        replies_to: what the model had asked just before.
        said_at: when a user put it; None = nobody did.
        remembered: it was given to the bank.
        recall_tried: a recall was made for it, or failed.
        recall: what was recalled for it.
        context_recall: what the model read of the recall.
        lock: held during the recall.
    """

    question: str
    replies_to: str = ""
    said_at: datetime | None = None
    remembered: bool = False
    recall_tried: bool = False
    recall: Recall | None = None
    context_recall: Recall | None = None
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

    def add_question(self, question: str) -> None:
        """The user said something: it waits for an answer now.

        Saying it again before that changes nothing.
        """
        if question.strip():
            now = self._bank().engine.services.runtime.now()
            exchange = self._exchange(question)
            exchange.said_at = exchange.said_at or now

    def context_for(
        self, question: str, *, room: int | None = None, count: Counter | None = None
    ) -> ShownContext | None:
        """What a model should read for a question; None if there is nothing. Recalls once for it.

        Args:
            question: what the user said.
            room: the maximum number of tokens; None = as the options say.
            count: how many tokens a text takes in the prompt; None = as the engine counts.
        """
        if not question.strip() or (room is not None and room < 1):
            return None
        exchange = self._exchange(question)
        bank = self._bank()
        with exchange.lock:
            if not exchange.recall_tried:
                with self._fail_open("a recall"):
                    exchange.recall = self.last = self._recall(bank, question)
                exchange.recall_tried = True
            if exchange.recall is None:
                return None
            return self._shown_context(exchange, exchange.recall, room, count)

    def add_answer(self, answer: str, *, judged: bool = True) -> None:
        """The user was answered: what was shown learns from it, and what was said is remembered.

        Args:
            answer: a blank one is none, nor is what only calls tools: give "".
            judged: False = no model wrote it, so that no memory could be used.
        """
        if answer.strip():
            self._learn(self._close_question(), answer, judged=judged)

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
                self._learn(exchange, answer, judged=True)
        return current

    def end(self) -> None:
        """The conversation is over: what was said is remembered, answered or not."""
        with self._lock:
            waiting = list(self._open.values())
            self._open = {}
        self._remember(self._turns(waiting, ""))

    def _exchange(self, question: str) -> _Exchange:
        replies_to = question_before(self._bank(), self._options.session_id)
        with self._lock:
            exchange = self._open.pop(question, None) or _Exchange(question, replies_to)
            self._open[question] = exchange
            surplus = list(self._open)[:-_MAX_OPEN]
            given_up = list(map(self._open.pop, surplus))
        self._remember(self._turns(given_up, ""))
        return exchange

    def _close_question(self) -> _Exchange | None:
        """The question that is being answered: the last that a user put, else the last shown."""
        with self._lock:
            question = None
            for exchange in self._open.values():
                if exchange.said_at is not None:
                    question = exchange.question
            if question is None:
                question = next(reversed(self._open), None)
            return self._open.pop(question) if question is not None else None

    def _recall(self, bank: MemoryBank, question: str) -> Recall:
        bank.finish_pending()
        return bank.recall(question, k=self._options.k, session_id=self._options.session_id)

    def _shown_context(
        self, exchange: _Exchange, recall: Recall, room: int | None, count: Counter | None
    ) -> ShownContext | None:
        limits = [limit for limit in (room, self._options.max_tokens) if limit is not None]
        budget = min(limits, default=None)
        block = recall.block(budget)
        if room is not None and count is not None:
            tokens = count(block.text) if block.text else 0
            while tokens > room:
                # The caller counts other tokens than the engine: shrink in proportion.
                size = budget or tokens
                budget = min(size - 1, size * room // tokens)
                block = recall.block(budget) if budget > 0 else Context()
                tokens = count(block.text) if block.text else 0
        if not block.text:
            return None
        first = exchange.context_recall is None
        exchange.context_recall = recall.only(block.shown)
        return ShownContext(block.text, exchange.context_recall, first)

    def _learn(self, exchange: _Exchange | None, answer: str, *, judged: bool) -> None:
        options = self._options
        recall = None
        if exchange is not None and judged and options.auto_feedback:
            recall = exchange.context_recall
        if recall is not None:
            with self._fail_open("feedback"):
                self._bank().feedback(
                    shown_part(self._bank(), recall, answer),
                    answer,
                    similarity_fn=options.similarity_fn,
                    wait=options.raise_errors,
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

        The question that is answered belongs to them even if nobody put it.
        """
        turns = []
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
                )
                turns.append(turn)
        turns.append(Turn(answer, role="assistant"))
        return turns_of(turns, self._options)

    def _remember(self, turns: list[Turn]) -> None:
        if turns:
            bank = self._bank()
            with self._fail_open("remembering"):
                bank.remember(turns, wait=False)

    def __deepcopy__(self, _memo: object) -> Conversation:
        return Conversation(self._bank, self._options)


def record_answer(bank: MemoryBank, answer: str, session_id: str | None) -> None:
    """A model gave an answer, which need not be remembered: it may end with a question."""
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
    return [replace(turn, session_id=options.session_id) for turn in spoken]


def with_dates(turns: Iterable[Turn], began: datetime | None, session_id: str | None) -> list[Turn]:
    """The turns of people and models that have a text, as one conversation, a minute apart.

    Args:
        turns: the conversation.
        began: when the first of them was said, timezone-aware; None = as they are.
        session_id: the conversation; None = as they are.

    Raises:
        InvalidInput: `began` is not a timezone-aware datetime, or it is too late.
    """
    spoken = [turn for turn in turns if turn.role in _SPOKEN and turn.content.strip()]
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
