"""A conversation as a chat memory sees it: questions and answers are put, its messages asked for in between.

Frameworks do this in every order, and ask more than once. Here it is decided what that means: each question is recalled
for once; what was shown for it learns from its answer, once; what was said is remembered when it was answered, so that
no question finds itself. What is left unanswered is remembered when a later question is answered, or at the end.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from cogmem_core import checks
from cogmem_core.adapters.sightings import learn
from cogmem_core.engine import MemoryBank
from cogmem_core.errors import InvalidInput
from cogmem_core.fail_open import LogAndContinue
from cogmem_core.feedback import Similarity
from cogmem_core.models import Turn
from cogmem_core.results import Context
from cogmem_core.retrieval.recall import Recall

__all__ = [
    "Conversation",
    "Habits",
    "Told",
    "asked_before",
    "dated",
    "model_said",
    "open_question",
    "replying",
    "turns_of",
]

_SAVE_MODES: Mapping[str, tuple[str, ...]] = {"user": ("user",), "both": ("user", "assistant"), "none": ()}
_SPOKEN = ("user", "assistant")
_MOST = 8  # questions without an answer; of more the oldest is given up
Counter = Callable[[str], int]
Said = Iterable[tuple[str, str]]
"""(role, text), oldest first; who neither asks nor answers ("system", "tool") does not count, nor does a blank text."""


@dataclass(frozen=True, slots=True)
class Habits:
    """What a conversation does by itself.

    Attributes:
        k: at most so many memories for a question. max_tokens: budget of their text; None = the engine's.
        session_id: what was said in it counts more, and is remembered as said in it.
        save_mode: whose words are remembered: "user", "both" or "none".
        auto_feedback: False = memories do not learn from the answers.
        similarity_fn: as for `MemoryBank.feedback`.
        raise_errors: False = a recall, feedback or write that fails is logged, and the conversation goes on.

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
            raise InvalidInput(f"save_mode is {self.save_mode!r}; use one of {', '.join(_SAVE_MODES)}")


@dataclass(frozen=True, slots=True)
class Told:
    """What a model reads of a recall.

    Attributes:
        recall: as if it had found nothing but what the text shows. first: it was not shown for this question before.
    """

    text: str
    recall: Recall
    first: bool


@dataclass(eq=False)
class _Exchange:
    """A question without an answer yet; `shown`: what the model was told for it. `said_at`: None = nobody put it.

    `answers`: what the model had asked just before.
    """

    question: str
    answers: str = ""
    said_at: datetime | None = None
    kept: bool = False
    asked: bool = False
    found: Recall | None = None
    shown: Recall | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


class Conversation:
    """One conversation with one bank; thread-safe. A copy is a conversation with the same bank, and nothing open.

    Args:
        bank: whose; asked for when it is first needed.
    """

    def __init__(self, bank: Callable[[], MemoryBank], habits: Habits) -> None:
        self._bank, self._habits = bank, habits
        self._harmless = LogAndContinue(raises=Exception if habits.raise_errors else None)
        self._lock = threading.Lock()
        self._open: dict[str, _Exchange] = {}
        self.last: Recall | None = None

    def said(self, question: str) -> None:
        """The user said something: it waits for an answer now. Saying it again before that changes nothing."""
        if question.strip():
            now = self._bank().engine.services.runtime.now()
            exchange = self._exchange(question)
            exchange.said_at = exchange.said_at or now

    def told(self, question: str, *, room: int | None = None, count: Counter | None = None) -> Told | None:
        """What a model should read for a question; None if there is nothing. It is recalled for once.

        Args:
            room: tokens that there is room for; None = as many as are wanted.
            count: tells how many tokens a text takes up of the room; None = as the engine counts.
        """
        if not question.strip() or (room is not None and room < 1):
            return None
        exchange, bank = self._exchange(question), self._bank()
        with exchange.lock:
            if not exchange.asked:
                with self._harmless("a recall"):
                    exchange.found = self.last = self._recalled(bank, question)
                exchange.asked = True
            return None if exchange.found is None else self._shown(exchange, exchange.found, room, count)

    def answered(self, answer: str, *, judged: bool = True) -> None:
        """The user was answered: what was shown learns from it, and what was said is remembered.

        Args:
            answer: a blank one is none, nor is what only calls tools: give "".
            judged: False = no model wrote it, so that no memory could be used.
        """
        if answer.strip():
            self._learn(self._close(), answer, judged=judged)

    def follow(self, said: Said) -> str:
        """Learn from the answers in a history to questions that are open here; returns the question that is open there.

        For whoever is not told of answers, and sees the history when the next question comes.
        """
        known = list(said)
        current = open_question(reversed(known))
        for question, answer in _answers(known):
            with self._lock:
                exchange = self._open.pop(question, None) if question != current else None
            if exchange is not None:
                self._learn(exchange, answer, judged=True)
        return current

    def end(self) -> None:
        """The conversation is over: what was said is remembered, answered or not."""
        with self._lock:
            waiting, self._open = list(self._open.values()), {}
        self._remember(self._turns(waiting, ""))

    def _exchange(self, question: str) -> _Exchange:
        before = asked_before(self._bank(), self._habits.session_id)
        with self._lock:
            found = self._open.pop(question, None) or _Exchange(question, before)
            self._open[question] = found
            surplus = list(self._open)[:-_MOST]
            given_up = [self._open.pop(old) for old in surplus]
        self._remember(self._turns(given_up, ""))
        return found

    def _close(self) -> _Exchange | None:
        """The question that is being answered: the last that was said; else the last that was asked for."""
        with self._lock:
            said = [exchange.question for exchange in self._open.values() if exchange.said_at is not None]
            question = next(iter(reversed(said or list(self._open))), None)
            return None if question is None else self._open.pop(question)

    def _recalled(self, bank: MemoryBank, question: str) -> Recall:
        bank.finish_pending()
        return bank.recall(question, k=self._habits.k, session_id=self._habits.session_id)

    def _shown(self, exchange: _Exchange, found: Recall, room: int | None, count: Counter | None) -> Told | None:
        limits = [limit for limit in (room, self._habits.max_tokens) if limit is not None]
        budget, first = min(limits) if limits else None, exchange.shown is None
        block = found.block(budget)
        while block.text and room is not None and count is not None and (taken := count(block.text)) > room:
            budget = min((budget or taken) - 1, (budget or taken) * room // taken)
            block = found.block(budget) if budget > 0 else Context()
        if not block.text:
            return None
        exchange.shown = found.only(block.shown)
        return Told(block.text, exchange.shown, first)

    def _learn(self, exchange: _Exchange | None, answer: str, *, judged: bool) -> None:
        shown = exchange.shown if exchange is not None and judged and self._habits.auto_feedback else None
        if shown is not None:
            with self._harmless("feedback"):
                how = self._habits
                bank = self._bank()
                learn(bank, shown, answer, similarity_fn=how.similarity_fn, wait=how.raise_errors)
        with self._lock:
            waiting = [one for one in self._open.values() if one.said_at is not None]
        self._remember(self._turns([*waiting, *([] if exchange is None else [exchange])], answer, exchange))
        model_said(self._bank(), answer, self._habits.session_id)

    def _turns(self, exchanges: Iterable[_Exchange], answer: str, answered: _Exchange | None = None) -> list[Turn]:
        """The questions that were said and are not remembered yet, and the one that is answered in any case."""
        turns = []
        with self._lock:
            for exchange in exchanges:
                if not exchange.kept and (exchange.said_at is not None or exchange is answered):
                    exchange.kept = True
                    turns.append(Turn(exchange.question, role="user", at=exchange.said_at, asked=exchange.answers))
        return turns_of([*turns, Turn(answer, role="assistant")], self._habits)

    def _remember(self, turns: list[Turn]) -> None:
        if turns:
            bank = self._bank()
            with self._harmless("remembering"):
                bank.remember(turns, wait=False)

    def __deepcopy__(self, _memo: object) -> Conversation:
        return Conversation(self._bank, self._habits)


def model_said(bank: MemoryBank, answer: str, session_id: str | None) -> None:
    """A model gave an answer, which need not be remembered: it may end with a question."""
    bank.engine.services.recent.answered(bank.namespace, session_id, answer)


def asked_before(bank: MemoryBank, session_id: str | None) -> str:
    """What a model asked just before; empty if it asked nothing, or longer ago than `echo.minutes`."""
    services = bank.engine.services
    return services.recent.asked(bank.namespace, session_id, seconds=60 * services.config.echo.minutes)


def replying(turns: Iterable[Turn], asked: str) -> list[Turn]:
    """The turns, those of the user as said to what a model had asked."""
    return [replace(turn, asked=asked) if turn.role == "user" else turn for turn in turns]


def turns_of(said: Iterable[Turn], habits: Habits) -> list[Turn]:
    """What of a conversation is remembered: the words of those whose are to be, as said in the session."""
    roles, session = _SAVE_MODES[habits.save_mode], habits.session_id
    return [replace(turn, session_id=session) for turn in said if turn.role in roles and turn.content.strip()]


def dated(said: Iterable[Turn], began: datetime | None, session_id: str | None) -> list[Turn]:
    """Of turns those of people and models that have a text, as said in one conversation, a minute after each other.

    Args:
        began: when the first of them was said, timezone-aware; None = as they are.
        session_id: the conversation; None = as they are.

    Raises:
        InvalidInput: `began` is no timezone-aware datetime, or too late.
    """
    turns = [turn for turn in said if turn.role in _SPOKEN and turn.content.strip()]
    if session_id is not None:
        turns = [replace(turn, session_id=session_id) for turn in turns]
    if began is None:
        return turns
    start = checks.moment("began", began)
    try:
        moments = [(start + timedelta(minutes=place)).astimezone(began.tzinfo) for place in range(len(turns))]
    except OverflowError:
        raise InvalidInput(f"began is {began}: the calendar ends before the conversation does; give another") from None
    return [replace(turn, at=at) for turn, at in zip(turns, moments, strict=True)]


def open_question(said: Said) -> str:
    """What the user said last, if nobody has answered it; else empty. Of `said` the newest comes first here."""
    for role, text in said:
        if text.strip() and role in ("user", "assistant"):
            return text if role == "user" else ""
    return ""


def _answers(said: Said) -> list[tuple[str, str]]:
    """(question, answer), oldest first; of several answers in a row the last one counts."""
    pairs: list[list[str]] = []
    for role, text in said:
        if role == "user" and text.strip():
            pairs.append([text, ""])
        elif role == "assistant" and text.strip() and pairs:
            pairs[-1][1] = text
    return [(question, answer) for question, answer in pairs if answer]
