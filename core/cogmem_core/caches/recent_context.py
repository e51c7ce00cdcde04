"""What this process saw lately, in RAM and bounded: injected texts, topics of sessions.

Losing it costs nothing but a little judgement: attention starts neutral, and a pasted memory counts
as said anew.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from cogmem_core.base.lru import LRUCache
from cogmem_core.ports import FloatArray
from cogmem_core.text.keys import plain
from cogmem_core.text.query.questions import last_question

_NAMESPACES = 1_000
_TEXTS = 200
_SESSIONS = 2_000
_VECTORS = 2_000
_RECALLS = 2
_WAITS = 3_600.0  # seconds
HandedOut = tuple[str, Mapping[str, int]]
"""The id of what was asked, and of each intention that was handed out the state it has since."""
_NOTHING: HandedOut = ("", {})


class RecentContext:
    """Thread-safe.

    `clock` counts seconds and never goes back, `context` = vectors kept per session.
    """

    def __init__(self, clock: Callable[[], float], *, context: int = 5) -> None:
        self._clock = clock
        self._context = context
        self._lock = threading.Lock()
        self._injected_texts: LRUCache[str, deque[tuple[float, str]]] = LRUCache(_NAMESPACES)
        self._sessions: LRUCache[tuple[str, str], deque[FloatArray]] = LRUCache(_SESSIONS)
        self._open_questions: LRUCache[tuple[str, str], tuple[float, str]] = LRUCache(_SESSIONS)
        self._handed_out: LRUCache[tuple[str, int], tuple[float, HandedOut]] = LRUCache(_SESSIONS)
        self._vectors: LRUCache[str, FloatArray] = LRUCache(_VECTORS)
        self._shown: LRUCache[tuple[str, str], deque[frozenset[str]]] = LRUCache(_SESSIONS)

    def inject(self, namespace: str, texts: Iterable[str]) -> None:
        """These memories went into a prompt."""
        now = self._clock()
        with self._lock:
            entries = self._injected_texts.made(namespace, lambda: deque(maxlen=_TEXTS))
            entries.extend((now, text) for text in texts)

    def injected(self, namespace: str, *, seconds: float) -> tuple[str, ...]:
        """What went into prompts during the last `seconds`, each text once, newest first."""
        since = self._clock() - seconds
        with self._lock:
            entries = self._injected_texts.get(namespace) or ()
            return tuple(dict.fromkeys(text for at, text in reversed(entries) if at >= since))

    def drop_injected(self, namespace: str, texts: Iterable[str]) -> None:
        """Something was forgotten: what holds one of these texts no longer counts as injected."""
        dropped_texts = [plain(text) for text in texts]
        with self._lock:
            entries = self._injected_texts.get(namespace)
            if entries:
                remaining = [
                    entry
                    for entry in entries
                    if not any(text in plain(entry[1]) for text in dropped_texts)
                ]
                self._injected_texts.put(namespace, deque(remaining, maxlen=_TEXTS))

    def record_answer(self, namespace: str, session_id: str | None, text: str) -> None:
        """A model said that; if it ends with a question, what is said next may answer it."""
        with self._lock:
            self._open_questions.put(
                (namespace, session_id or ""), (self._clock(), last_question(text))
            )

    def open_question(self, namespace: str, session_id: str | None, *, seconds: float) -> str:
        """What a model asked last, if that was during the last `seconds`; else empty."""
        with self._lock:
            at, question = self._open_questions.get((namespace, session_id or "")) or (0.0, "")
            return question if question and at >= self._clock() - seconds else ""

    def hand_out(
        self, namespace: str, question: str, handed_out: HandedOut = _NOTHING
    ) -> HandedOut:
        """A prompt with that question tells or asks this; returns what waited there for an answer."""
        key = namespace, hash(question)
        with self._lock:
            at, former = self._handed_out.pop(key) or (0.0, _NOTHING)
            if handed_out != _NOTHING:
                self._handed_out.put(key, (self._clock(), handed_out))
            return former if at >= self._clock() - _WAITS else _NOTHING

    def show(self, namespace: str, session_id: str, memory_ids: Iterable[str]) -> None:
        """A recall of the session showed these memories."""
        with self._lock:
            recalls = self._shown.made((namespace, session_id), lambda: deque(maxlen=_RECALLS))
            recalls.append(frozenset(memory_ids))

    def shown_lately(self, namespace: str, session_id: str) -> frozenset[str]:
        """Which memories the last two recalls of the session showed."""
        with self._lock:
            recalls = self._shown.get((namespace, session_id)) or ()
            return frozenset().union(*recalls)

    def attend(self, namespace: str, session_id: str, vectors: Sequence[FloatArray]) -> None:
        """The session goes on with these vectors."""
        with self._lock:
            key = (namespace, session_id)
            self._sessions.made(key, lambda: deque(maxlen=self._context)).extend(vectors)

    def context(self, namespace: str, session_id: str) -> tuple[FloatArray, ...]:
        """The vectors of the last few things said in the session, oldest first."""
        with self._lock:
            return tuple(self._sessions.get((namespace, session_id)) or ())

    def vectors(self, keys: Sequence[str]) -> dict[str, FloatArray]:
        """Vectors kept under these keys; others are missing."""
        with self._lock:
            found = ((key, self._vectors.get(key)) for key in keys)
            return {key: vector for key, vector in found if vector is not None}

    def keep_vectors(self, vectors: Iterable[tuple[str, FloatArray]]) -> None:
        """Keep vectors that were just made."""
        with self._lock:
            for key, vector in vectors:
                self._vectors.put(key, np.array(vector, dtype=np.float32))

    def forget(self, namespace: str) -> None:
        """Something was erased: nothing of the namespace stays in RAM, nor any vector of a text."""
        with self._lock:
            self._injected_texts.pop(namespace)
            self._vectors.clear()
            self._sessions.clear()
            self._open_questions.clear()
