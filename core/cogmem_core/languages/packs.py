"""The packs there are, each loaded when it is first needed: our own files, and those of others.

Others add a pack with an entry point of the group `cogmem.languages`, whose name is the code and
whose object is a `Language` with `shown_by`, or the path to a file of one. A pack of ours is not replaced.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from importlib.metadata import entry_points
from operator import attrgetter
from pathlib import Path

from cogmem_core.errors import InvalidInput
from cogmem_core.languages.base import Language

GROUP = "cogmem.languages"
"""Where other distributions register their packs."""

OWN: tuple[str, ...] = ("en", "tr", "de", "es", "fr", "pt", "it", "nl", "zh", "ja", "ru", "ar")
"""The codes of our packs, tables/<code>.toml."""


@lru_cache(maxsize=1)
def added_by_others() -> dict[str, Language]:
    """The packs of other distributions, by their codes."""
    packs: dict[str, Language] = {}
    for point in entry_points(group=GROUP):
        pack = point.load()
        if point.name in OWN:
            continue
        if isinstance(pack, Path) or str(pack).endswith(".toml"):
            pack = Language.from_toml(pack)
        if not isinstance(pack, Language) or pack.code != point.name:
            raise InvalidInput(
                f"entry point {point.name!r} of {GROUP}: give a Language with this code, or a path to "
                "its file"
            )
        packs[point.name] = pack
    return packs


_WITH_FUNCTIONS = ("en", "tr")


@lru_cache(maxsize=len(OWN))
def _own(code: str) -> Language:
    language: Language = import_module("cogmem_core.languages.loading").language_of_ours(code)
    if code in _WITH_FUNCTIONS:
        functions = import_module(f"cogmem_core.languages.{code}").FUNCTIONS
        for table, given in functions.items():
            vars(attrgetter(table)(language)).update(given)
    return language


class _Languages(Mapping[str, Language]):
    """The packs by their codes."""

    def __getitem__(self, code: str) -> Language:
        if code in OWN:
            return _own(code)
        return added_by_others()[code]

    def __iter__(self) -> Iterator[str]:
        yield from OWN
        yield from added_by_others()

    def __len__(self) -> int:
        return len(OWN) + len(added_by_others())


LANGUAGES: Mapping[str, Language] = _Languages()
