"""What is due, in what a model is shown: each intention once, whichever adapter or process shows it."""

from __future__ import annotations

from dataclasses import replace

from cogmem_core.base.fail_open import LogAndContinue
from cogmem_core.engine import MemoryBank
from cogmem_core.engine.agenda import take_shown
from cogmem_core.engine.rights import require
from cogmem_core.retrieval.recall import Recall
from cogmem_core.values.results import Context

_FAIL_OPEN = LogAndContinue()


def with_due_handed_out(bank: MemoryBank, recall: Recall, block: Context) -> Recall:
    """The recall with what its block shows as due, and no more; that counts as handed out now.

    What found no room stays due, and so does everything if it cannot be put on record (incognito,
    nothing is): then it comes up with a later turn.

    Args:
        bank: whose recall.
        recall: what a model is about to be shown.
        block: as it would read it.
    """
    if block.due and bank.keeps:
        with _FAIL_OPEN("handing out what is due"):
            require(bank, "write")
            return take_shown(bank.engine, bank.namespace, recall, block.due)
    return replace(recall, due=()) if recall.due else recall


def shown_once(
    bank: MemoryBank, recall: Recall, *, stable: bool | None = None
) -> tuple[Recall, Context]:
    """A recall and its block, as a model is shown them; see `with_due_handed_out`.

    `stable`: see `Recall.context`.
    """
    block = recall.block(stable=stable)
    if not recall.due:
        return recall, block
    recall = with_due_handed_out(bank, recall, block)
    return recall, recall.block(stable=stable)
