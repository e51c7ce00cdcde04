"""What a model is shown once, whichever adapter or process shows it: what is due, and a question to the user."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, create_model
from pydantic.fields import FieldInfo

from cogmem_core import intentions
from cogmem_core.adapters.options import as_query
from cogmem_core.base.fail_open import LogAndContinue
from cogmem_core.caches.recent_context import HandedOut
from cogmem_core.engine import MemoryBank
from cogmem_core.engine.agenda import take_shown
from cogmem_core.engine.rights import require
from cogmem_core.errors import InvalidInput
from cogmem_core.retrieval.context_block import fenced
from cogmem_core.retrieval.recall import Recall
from cogmem_core.upkeep.doubts import mark_asked
from cogmem_core.values.results import Context

_FAIL_OPEN = LogAndContinue()


def with_handed_out(bank: MemoryBank, recall: Recall, block: Context) -> Recall:
    """The recall with what its block shows as due or asks, and no more; that counts as handed out now.

    What found no room stays due, and so does everything if it cannot be put on record (incognito,
    nothing is): then it comes up with a later turn.

    Args:
        bank: whose recall.
        recall: what a model is about to be shown.
        block: as it would read it.
    """
    ask_id = ""
    if block.ask is not None and bank.keeps:
        with _FAIL_OPEN("putting a question on record"):
            ask_id = block.ask.id if bank.asked(block.ask.id) else ""
        recall = recall if ask_id else replace(recall, ask=None)
    told = replace(recall, due=())
    if block.due and bank.keeps:
        with _FAIL_OPEN("handing out what is due"):
            require(bank, "write")
            told = take_shown(bank.engine, bank.namespace, recall, block.due)
    if ask_id or told.due:
        due = {intention.id: intention.seq for intention in told.due}
        bank.engine.open_services.recent.hand_out(bank.namespace, recall.query, (ask_id, due))
    return told


def give_back(bank: MemoryBank, question: str) -> None:
    """What a prompt with that question told or asked, and no answer followed, is to be told again.

    A model may have failed. Call it before a recall for a prompt. It holds for an hour, in this process.
    """
    if not bank.keeps:
        return
    services = bank.engine.open_services
    ask_id, due = answered(bank, question)
    with _FAIL_OPEN("telling again what no answer told"):
        if due:
            intentions.give_back(services, bank.namespace, due)
        if ask_id:
            mark_asked(services, bank.namespace, ask_id, bank.principal, heard=False)


def answered(bank: MemoryBank, question: str) -> HandedOut:
    """An answer follows: nothing waits for it any more; returns what did."""
    return bank.engine.services.recent.hand_out(bank.namespace, as_query(bank, question))


def shown_once(
    bank: MemoryBank,
    recall: Recall,
    *,
    stable: bool | None = None,
    ask: bool = False,
    profile: bool = False,
) -> tuple[Recall, Context]:
    """A recall and its block, as a model is shown them; see `with_handed_out`.

    `stable`, `ask`, `profile`: see `Recall.block`.
    """
    block = recall.block(stable=stable, ask=ask, profile=profile)
    if not (recall.due or block.ask):
        return recall, block
    recall = with_handed_out(bank, recall, block)
    return recall, recall.block(stable=stable, ask=ask, profile=profile)


def shown_later(recall: Recall, block: Context, *, stable: bool | None, profile: bool) -> str:
    """What of a block is shown in later prompts, too: neither what is due nor what is asked.

    Args:
        recall: as `shown_once` returned it.
        block: as it returned it.
        stable: as it was called with.
        profile: as it was called with.
    """
    if not (block.due or block.ask):
        return block.text
    return replace(recall, due=(), ask=None).block(stable=stable, profile=profile).text


def checked_profile(profile: Any) -> bool | type[BaseModel]:
    """The option `profile` of an adapter: whether, or as which model, what is known of a person is shown.

    Raises:
        InvalidInput: it is something else.
    """
    if isinstance(profile, bool) or (isinstance(profile, type) and issubclass(profile, BaseModel)):
        return profile
    raise InvalidInput(f"profile is {profile!r}; give True, False or a pydantic model class")


def profile_block(bank: MemoryBank, profile: bool | type[BaseModel]) -> str:
    """What is known of the fields of a model, as a line of JSON each; empty if nothing is, or there is no model.

    A field that must be given is left out, too, where it is not known.
    """
    if isinstance(profile, bool):
        return ""
    fields: dict[str, Any] = {}
    for name, field in profile.model_fields.items():
        kind: Any = field.annotation
        fields[name] = (kind | None, FieldInfo.merge_field_infos(field, default=None))
    optional: type[BaseModel] = create_model(profile.__name__, **fields)
    known = bank.profile(schema=optional).model_dump(mode="json", exclude_defaults=True)
    lines = [json.dumps({name: value}, ensure_ascii=False) for name, value in known.items()]
    return fenced(lines) if lines else ""
