"""What the speakers of a namespace may be called: kept as they come and go, so that no question folds all of them.

Pure, like all that reads texts. Another thread may ask while one adds or removes: each look-up sees a
name either with or without the change.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Collection, Iterable, Iterator

from cogmem_core.text.folding import fold_letters
from cogmem_core.text.tokens import words
from cogmem_core.text.vocabulary import STOPWORDS

_SLICE = 64  # first names that are looked at in one step


class SpeakerNames(Collection[str]):
    """The names of those who speak, and how each of them may be called.

    A speaker is called by the full name, or by a first name that no other speaker has and that is no
    stop word. The cost of a look-up does not grow with the number of speakers.

    Args:
        names: the speakers' names.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._plain: dict[str, str] = {}
        self._by_full_name: dict[str, dict[str, None]] = {}
        self._by_first_name: dict[str, dict[str, None]] = {}
        self._sorted: list[str] = []
        for name in names:
            self.add(name)

    def __contains__(self, name: object) -> bool:
        return name in self._plain

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._plain))

    def __len__(self) -> int:
        return len(self._plain)

    def add(self, name: str) -> None:
        """A speaker; a known one changes nothing."""
        if name in self._plain:
            return
        plain = " ".join(word.text for word in words(fold_letters(name)))
        self._plain[name] = plain
        if not plain:
            return
        self._by_full_name.setdefault(plain, {})[name] = None
        first_name = plain.partition(" ")[0]
        if first_name not in self._by_first_name:
            insort(self._sorted, first_name)
        self._by_first_name.setdefault(first_name, {})[plain] = None

    def remove(self, name: str) -> None:
        """A speaker who is gone; an unknown one changes nothing."""
        plain = self._plain.pop(name, "")
        if not plain:
            return
        names = self._by_full_name[plain]
        del names[name]
        if names:
            return
        del self._by_full_name[plain]
        first_name = plain.partition(" ")[0]
        full_names = self._by_first_name[first_name]
        del full_names[plain]
        if not full_names:
            del self._by_first_name[first_name]
            del self._sorted[bisect_left(self._sorted, first_name)]

    def begins(self, word: str) -> bool:
        """Whether a name begins with this folded word."""
        return word in self._by_first_name

    def called(self, key: str) -> str | None:
        """The speaker of this folded name, in full or a first name; None if there is none.

        Of several whose names fold alike it is the last one in the order of the alphabet.
        """
        names = list(self._by_full_name.get(key, ()))
        if names:
            return max(names)
        full_names = self._by_first_name.get(key, {})
        if len(full_names) != 1 or key in STOPWORDS:
            return None
        owners = [list(self._by_full_name.get(full_name, ())) for full_name in list(full_names)]
        return max(owners[0], default=None) if owners else None

    def called_like(self, start: str) -> str | None:
        """The only speaker with a name of one word that begins like this; None if no one has, or several have."""
        owner: str | None = None
        place = bisect_left(self._sorted, start)
        while first_names := self._sorted[place : place + _SLICE]:
            for first_name in first_names:
                if not first_name.startswith(start):
                    return owner
                speakers = self.called(first_name)
                if speakers is not None and owner is not None and speakers != owner:
                    return None
                owner = owner or speakers
            place += _SLICE
        return owner
