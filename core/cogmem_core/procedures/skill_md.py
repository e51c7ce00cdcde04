"""Procedures as SKILL.md: YAML in front, then Markdown with steps, what to avoid, and what is needed. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import count, repeat
from typing import NamedTuple

from cogmem_core.errors import InvalidInput
from cogmem_core.text.folding import single_spaced
from cogmem_core.values.models import Procedure

_FRONT = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_HEADING = re.compile(r"#{1,6}\s+(.+?)\s*#*\s*$")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.+)")
_AVOID = re.compile(r"avoid|don'?t|do not|never|pitfalls?|mistakes?|warnings?", re.IGNORECASE)
_NEEDS = re.compile(r"prerequisites?|preconditions?|requirements?|requires|needs?", re.IGNORECASE)
_NAME = re.compile(r"[^a-z0-9]+")
_MOST_STEPS = 100


class SkillFile(NamedTuple):
    """What a SKILL.md says."""

    name: str
    description: str
    steps: tuple[str, ...]
    avoid: tuple[str, ...]
    preconditions: tuple[str, ...]


def read_skill(where: str, text: str) -> SkillFile:
    """Read a SKILL.md.

    Args:
        where: what the file is called in an error.
        text: its text.

    Raises:
        InvalidInput: it has no name, no description, or no steps.
    """
    import yaml

    front = _FRONT.match(text)
    if front is None:
        raise InvalidInput(f"{where} is no SKILL.md: it does not begin with --- and YAML")
    try:
        head = yaml.safe_load(front[1])
    except yaml.YAMLError as error:
        raise InvalidInput(f"{where}: its YAML cannot be read: {error}; correct it") from None
    if not isinstance(head, dict):
        raise InvalidInput(f"{where}: its YAML holds no names; give name and description")
    for key in ("name", "description"):
        if not isinstance(head.get(key), str) or not head[key].strip():
            raise InvalidInput(f"{where} has no {key}; add it to the YAML in front")
    steps, avoid, needs = _body(text[front.end() :])
    if not steps:
        raise InvalidInput(f"{where} has no steps; list them, one a line, after - or 1.")
    if len(steps) > _MOST_STEPS:
        raise InvalidInput(f"{where} has {len(steps)} steps, the limit is {_MOST_STEPS}; split it")
    return SkillFile(head["name"].strip(), single_spaced(head["description"]), steps, avoid, needs)


def write_skill(procedure: Procedure) -> str:
    """A procedure as SKILL.md; `read_skill` reads it without loss of trigger, steps, and what to avoid."""
    import yaml

    name = (
        procedure.name or _NAME.sub("-", procedure.trigger.lower()).strip("-")[:64] or "procedure"
    )
    head = yaml.safe_dump(
        {"name": name, "description": procedure.trigger}, allow_unicode=True, sort_keys=False
    )
    numbers = (f"{number}." for number in count(1))
    parts = [f"---\n{head}---\n", "## Steps\n", _listed(numbers, procedure.steps)]
    if procedure.avoid:
        parts += ["## Avoid\n", _listed(repeat("-"), procedure.avoid)]
    if procedure.preconditions:
        parts += ["## Requirements\n", _listed(repeat("-"), procedure.preconditions)]
    return "\n".join(parts)


def _listed(marks: Iterable[str], lines: Sequence[str]) -> str:
    return "".join(
        f"{mark} {line}\n" for mark, line in zip(marks, map(single_spaced, lines), strict=False)
    )


def _body(text: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The items of all lists, by what the heading above them says."""
    steps: list[str] = []
    avoid: list[str] = []
    needs: list[str] = []
    items = steps
    for line in text.splitlines():
        heading = _HEADING.match(line)
        item = _ITEM.match(line)
        if heading:
            items = steps
            if _AVOID.search(heading[1]):
                items = avoid
            elif _NEEDS.search(heading[1]):
                items = needs
        elif item:
            items.append(item[1].strip())
    return tuple(steps), tuple(avoid), tuple(needs)
