"""The commands of the review queue: review list, review approve, review reject."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cogmem_cli.ids import complete_among
from cogmem_cli.progress import loading
from cogmem_cli.shell import Shell
from cogmem_cli.tables import rows
from cogmem_cli.values import line, local, short

if TYPE_CHECKING:
    from cogmem_core.engine import MemoryBank
    from cogmem_core.models import Review


ReviewId = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        help="Of the review, or of what waits: whole, or its first or last 8 characters.",
        show_default=False,
    ),
]


def review_list(
    shell: Shell,
    *,
    state: Annotated[
        list[str] | None,
        typer.Option(help="waiting, approved, rejected, expired; may be given again."),
    ] = None,
) -> None:
    """List what waits, oldest first; the setting guard.review says which kinds of writes do."""
    with shell.bank(read_only=True) as bank:
        reviews = bank.reviews(state or "waiting")
    table = rows(
        ("id", "kind", "state", "until", "what"),
        ((short(r.id), r.kind, r.state, local(r.until), line(r.content)) for r in reviews),
        texts=("what",),
    )
    shell.show({"reviews": reviews}, table if reviews else "nothing waits")


def approve(
    shell: Shell,
    review_id: ReviewId,
    *,
    keep_both: Annotated[bool, typer.Option(help="What it would replace stays as it is.")] = False,
) -> None:
    """Bring what waits into recall, in the place of what it replaces."""
    with shell.bank() as bank, loading(shell, bank.engine):
        review = bank.approve(_complete(bank, review_id), keep_both=keep_both)
    _show(shell, review)


def reject(shell: Shell, review_id: ReviewId) -> None:
    """Forget what waits; it does not come back by itself."""
    with shell.bank() as bank:
        review = bank.reject(_complete(bank, review_id))
    _show(shell, review)


def _complete(bank: MemoryBank, typed: str) -> str:

    reviews = bank.reviews(None)
    return complete_among(typed, [i for review in reviews for i in (review.id, review.target_id)])


def _show(shell: Shell, review: Review) -> None:
    shell.show(review, f"{short(review.id)}  {review.state}: {line(review.content)}")


COMMANDS = (review_list, approve, reject)
GROUP = "Writes that wait for a person."
