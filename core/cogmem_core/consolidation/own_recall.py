"""How well a bank finds what it holds: its own recall@5, kept among the marks of its dream cycles.

Figures count under the conditions that they were measured under: version, embedder and settings. What
was measured under former ones is kept beside it, to be compared.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import cogmem_core
from cogmem_core.base.digests import text_digest
from cogmem_core.process.services import Services

MARK = "self_test"
"""The mark that it is kept under."""
FALL = 0.1
"""A fall of recall@5 that is worth a warning, if it is larger than two standard errors."""
ENOUGH = 20
"""Questions from which on a figure is compared."""

_REMEMBERED = 200  # questions; older ones count half


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a figure depends on besides the memories.

    Attributes:
        version: of cogmem.
        embedder: its fingerprint.
        settings: a digest of those that decide what is found.
    """

    version: str = ""
    embedder: str = ""
    settings: str = ""

    @classmethod
    def of(cls, services: Services) -> Conditions:
        """Those of now."""
        config = services.config
        decisive = repr((config.retrieval, config.embedding, config.strength))
        digest = text_digest(decisive, 12)
        return cls(cogmem_core.__version__, services.embedder.fingerprint, digest)


@dataclass(frozen=True, slots=True)
class Figure:
    """What came of the bank's questions under some conditions.

    Attributes:
        conditions: these.
        asked: so many of late.
        found: so many of them among the first five results.
        repaired: entries of the indexes that were made anew.
        at: when it was asked last, ISO 8601.
    """

    conditions: Conditions
    asked: int = 0
    found: int = 0
    repaired: int = 0
    at: str = ""

    @property
    def recall(self) -> float | None:
        """Recall@5, 0..1; None if nothing was asked."""
        return round(self.found / self.asked, 3) if self.asked else None

    def shown(self) -> dict[str, Any]:
        """As `health` tells it."""
        counts = asdict(self)
        return {"recall_at_5": self.recall, **counts.pop("conditions"), **counts}


_NEVER = Figure(Conditions())


@dataclass(frozen=True, slots=True)
class OwnRecall:
    """The figures of a bank, and how far its examination came.

    Attributes:
        figure: under the conditions of now.
        earlier: under the last ones before; None = there were none.
        after: where among the memories it goes on, see `steps.self_test`.
        saved: milliseconds of earlier cycles that may still be spent; below 0 they were overspent.
        cost: milliseconds of a question, as measured last.
    """

    figure: Figure = _NEVER
    earlier: Figure | None = None
    after: str = ""
    saved: float = 0.0
    cost: float = 20.0

    @classmethod
    def of(cls, marks: Mapping[str, str]) -> OwnRecall:
        """As it was kept."""
        kept = json.loads(marks.get(MARK, "{}"))
        figures = {name: _figure(kept[name]) for name in ("figure", "earlier") if kept.get(name)}
        return cls(**{**kept, **figures})

    def under(self, conditions: Conditions) -> OwnRecall:
        """Under other conditions it begins anew, beside the earlier figure."""
        if self.figure.conditions == conditions:
            return self
        tells = self.figure.asked >= ENOUGH or self.earlier is None
        earlier = self.figure if tells and self.figure.asked else self.earlier
        return replace(self, figure=Figure(conditions), earlier=earlier)

    def with_answers(self, asked: int, found: int, repaired: int, at: str) -> OwnRecall:
        """With further questions; those long ago count half."""
        was = self.figure
        part = 2 if was.asked > _REMEMBERED else 1
        counts = (was.asked // part + asked, was.found // part + found, was.repaired + repaired)
        return replace(self, figure=Figure(was.conditions, *counts, at))

    def mark(self) -> dict[str, str]:
        """What is kept."""
        return {MARK: json.dumps(asdict(self))}

    def shown(self) -> dict[str, Any] | None:
        """As `health` tells it; None if the bank never asked itself."""
        if not self.figure.asked and self.earlier is None:
            return None
        return {**self.figure.shown(), "earlier": self.earlier and self.earlier.shown()}

    def warnings(self) -> list[str]:
        """That less is found than under the earlier conditions, by more than chance explains."""
        now, before = self.figure, self.earlier
        if before is None or min(now.asked, before.asked) < ENOUGH:
            return []
        shares = [figure.found / figure.asked for figure in (now, before)]
        errors = [
            s * (1 - s) / figure.asked for s, figure in zip(shares, (now, before), strict=True)
        ]
        if shares[1] - shares[0] <= max(FALL, 2 * math.sqrt(sum(errors))):
            return []
        former = asdict(before.conditions)
        changed = [
            f"{name} {former[name]}, now {value}"
            for name, value in asdict(now.conditions).items()
            if value != former[name]
        ]
        return [
            f"recall@5 of the bank's own questions fell from {shares[1]:.2f} to {shares[0]:.2f} "
            f"({'; '.join(changed)}); see `self_test`, go back, or rebuild: engine.reindex()"
        ]


def _figure(kept: Mapping[str, Any]) -> Figure:
    return Figure(**{**kept, "conditions": Conditions(**kept["conditions"])})
