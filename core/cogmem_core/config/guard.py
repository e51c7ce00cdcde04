"""Settings of trust: what is set aside, what may not rise, when a source is too loud."""

from __future__ import annotations

from dataclasses import dataclass

from cogmem_core.config.bounds import number

__all__ = ["GuardConfig"]


@dataclass(frozen=True, slots=True)
class GuardConfig:
    """Untrusted is what no person said and what is trusted less than fully (`encoding.trust`).

    Attributes:
        on: what is untrusted is never pinned, promoted or made a preference or a rule by itself,
            and never replaces, merges away or edits what is trusted more; and quarantine is on.
        quarantine: orders to the model and chat markup in untrusted text are set aside until a
            person releases them.
        claims_below: text of less trust is set aside also for telling what the user wants, or a
            rule for every answer.
        minutes: writes of one untrusted source (data source, speaker, session) are counted over so
            many minutes.
        writes_flagged, writes_most: of one source in that time; from the first on `health` names
            the source, what goes beyond the second is set aside.
        copies_flagged, copies_most: the same for writes that resemble each other; copies_from: by
            this cosine.
    """

    on: bool = True
    quarantine: bool = True
    claims_below: float = number(0.7, 0.0, 1.0)
    minutes: float = number(10.0, 0.01, 10_080.0)
    writes_flagged: int = number(300, 1, 1_000_000)
    writes_most: int = number(3_000, 1, 1_000_000)
    copies_flagged: int = number(10, 1, 64)
    copies_most: int = number(25, 1, 64)
    copies_from: float = number(0.9, 0.0, 1.0)
