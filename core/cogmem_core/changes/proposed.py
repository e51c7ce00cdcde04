"""What may change in a namespace, as values: the dream cycle, feedback, encoding and people only ever propose these.

`apply` carries them out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cogmem_core.models import JournalEntry, Relation, ShortTerm, State, SynapticTag
from cogmem_core.ports import Archived, Stored

__all__ = ["Change", "Drop", "Link", "Mark", "Put", "Reset", "Retire", "Revive", "Rewrite", "Touch", "Unlink", "Unmark"]


@dataclass(frozen=True, slots=True)
class Put:
    """A new memory. `past` and `former` are its life so far, if it comes from another bank."""

    stored: Stored
    reason: str
    past: tuple[JournalEntry, ...] = ()
    former: tuple[Archived, ...] = ()


@dataclass(frozen=True, slots=True)
class Touch:
    """New values for fields that carry no text: counters, strength, tags, flags, sources."""

    memory_id: str
    fields: Mapping[str, Any]
    reason: str


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A new text; the former one is kept as a version. `stored.memory` holds the memory as it shall be."""

    stored: Stored
    reason: str


@dataclass(frozen=True, slots=True)
class Retire:
    """Take a memory out of normal recall; `fields` may set `superseded_by` and `valid_until`."""

    memory_id: str
    state: State
    reason: str
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Revive:
    """Make a memory active again; `fields` are the values that its retirement had changed."""

    memory_id: str
    reason: str
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Link:
    """A relation to add (or to replace: it is unique per pair and type)."""

    relation: Relation
    reason: str


@dataclass(frozen=True, slots=True)
class Unlink:
    """A relation to remove."""

    relation: Relation
    reason: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A synaptic tag, or a place on probation, to give back."""

    mark: SynapticTag | ShortTerm
    reason: str


@dataclass(frozen=True, slots=True)
class Unmark:
    """A synaptic tag, or a place on probation, to take away; the memory stays as it is."""

    mark: SynapticTag | ShortTerm
    reason: str


@dataclass(frozen=True, slots=True)
class Reset:
    """A memory as it was before a run that is undone.

    Attributes:
        fields: the former values of all fields that the run changed, the text excepted.
        former: with its former text, key and vector, if the run changed the text; later versions are dropped.
    """

    memory_id: str
    fields: Mapping[str, Any]
    reason: str
    former: Stored | None = None


@dataclass(frozen=True, slots=True)
class Drop:
    """A derived memory that only a run which is undone has known; its originals are all there."""

    memory_id: str
    reason: str


Change = Put | Touch | Rewrite | Retire | Revive | Link | Unlink | Mark | Unmark | Reset | Drop
