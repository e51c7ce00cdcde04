"""What an examination of a bank returns."""

from __future__ import annotations

from dataclasses import dataclass

from cogmem_core.base.html_tables import html_table
from cogmem_core.base.reprs import brief


@dataclass(frozen=True, slots=True)
class Symptom:
    """Something that is wrong with a bank.

    Attributes:
        kind: `schema integrity journal embedder queue erasures leases orphans clauses generations index
            content permissions disk clock`.
        message: what it is, and what to do about it, in plain sentences.
        repaired: it was repaired, and is not found any more.
    """

    kind: str
    message: str
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was found; `dataclasses.asdict` of it is JSON.

    Attributes:
        findings: what is, or was, wrong.
        skipped: what could not be examined here, and why.
    """

    findings: tuple[Symptom, ...] = ()
    skipped: tuple[str, ...] = ()

    def __repr__(self) -> str:
        kinds = [finding.kind for finding in self.findings]
        return brief(self, "skipped", clean=self.clean, findings=kinds)

    def _repr_html_(self) -> str:
        rows = [(item.kind, item.message, item.repaired) for item in self.findings]
        caption = "Nothing is wrong" if self.clean else "Something is wrong"
        return html_table(caption, ("what", "message", "repaired"), rows)

    @property
    def clean(self) -> bool:
        """True if nothing is wrong (any more)."""
        return all(finding.repaired for finding in self.findings)
