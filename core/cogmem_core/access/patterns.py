"""Which namespaces a grant names: one, a folder of them, or all; and the compartments of a namespace.

A compartment (Denning 1976, "A lattice model of secure information flow") holds the memories of a
namespace that were derived from others. It is a namespace of its own, whose name lists the
namespaces it rests on: so no query, count, index, cycle or export of the namespace itself ever
touches them, and whoever may read all of them reads it, too.
"""

from __future__ import annotations

from collections.abc import Iterable

from cogmem_core.config import Config
from cogmem_core.edge import checks
from cogmem_core.errors import InvalidInput
from cogmem_core.values.access_records import COMPARTMENT

ALL = "*"
_FOLDER_ENDS = ("/*", ":*", ".*")


def checked_pattern(value: object, config: Config) -> str:
    """A pattern as it is stored.

    Raises:
        InvalidInput: it is no namespace, no folder of them and not `*`.
    """
    if not isinstance(value, str):
        raise InvalidInput(
            f"namespaces is a {type(value).__name__}; give a namespace, a folder such as 'team/*', "
            "or '*'"
        )
    check_stars(value)
    if value == ALL:
        return value
    try:
        checks.namespace(_named(value), config)
    except InvalidInput as error:
        raise InvalidInput(f"namespaces is no pattern: {error}") from error
    return value


def check_stars(pattern: str) -> None:
    """Refuse a pattern with a star that would open nothing.

    Raises:
        InvalidInput: a star stands elsewhere than alone or behind a folder.
    """
    name = _named(pattern)
    if pattern != ALL and (ALL in name or name in ("/", ":", ".")):
        raise InvalidInput(
            f"namespaces is {checks.display(pattern)}; a star stands alone or behind a last '/', ':' or '.', such as "
            "'team/*'"
        )


def _named(pattern: str) -> str:
    """The namespace, or the folder with its sign, that a pattern is of."""
    return pattern[:-1] if pattern.endswith(_FOLDER_ENDS) else pattern


def covers(pattern: str, other: str) -> bool:
    """Whether a pattern names a namespace, or all that another pattern names."""
    if pattern in (ALL, other):
        return True
    folder = pattern[:-1]
    return pattern.endswith(_FOLDER_ENDS) and other.startswith(folder) and other != folder


def compartment(home: str, sources: Iterable[str]) -> str:
    """The namespace that holds what rests on these; the home itself if it rests on nothing else."""
    names: set[str] = set()
    for source in sources:
        names.update(parts_of(source))
    return COMPARTMENT.join([home, *sorted(names - {home})])


def home_of(namespace: str) -> str:
    """The namespace that a compartment belongs to; any other one itself."""
    return namespace.partition(COMPARTMENT)[0]


def parts_of(namespace: str) -> tuple[str, ...]:
    """The namespaces that a reader needs rights in: the home first, then those that it rests on."""
    return tuple(namespace.split(COMPARTMENT))
