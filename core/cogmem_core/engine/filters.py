"""The filters that recall, list, count, forget and export have in common, checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from cogmem_core.config import Config
from cogmem_core.edge import checks
from cogmem_core.encoding.sanitize import checked_label, sanitize_labels
from cogmem_core.errors import InvalidInput
from cogmem_core.storage.ledger.codec import encode_time
from cogmem_core.storage.ledger.memories import Filter
from cogmem_core.values import where as conditions
from cogmem_core.values.models import STATES, TIERS


def checked_states(
    state: str | Sequence[str] | None, allowed: Sequence[str]
) -> tuple[str, ...] | None:
    """The states that are asked for, given as one or as several; None = all."""
    if state is None:
        return None
    given = (state,) if isinstance(state, str) else checks.listed("state", state)
    return tuple(checks.choice("state", name, allowed) for name in given)


def checked_session(config: Config, session_id: object) -> str:
    """The id of a conversation, as it is stored.

    Raises:
        InvalidInput: it is unusable.
    """
    session = checked_label("session_id", session_id, config)
    if session is None:
        raise InvalidInput("session_id is None; give a string that names the conversation")
    return session


def checked_filter(
    config: Config,
    *,
    where: Mapping[str, Any] | None = None,
    speaker: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    tags: Iterable[str] | None = None,
    categories: Iterable[str] | None = None,
    session_id: str | None = None,
    state: str | None = "any",
    tier: str | None = None,
) -> Filter:
    """The filter that these arguments ask for; None = any, but for a state: None = active.

    Names are looked up as they were stored.

    Raises:
        InvalidInput: an argument is unusable; the message names it.
    """
    limits = config.limits
    checked_state = "active" if state is None else checks.choice("state", state, (*STATES, "any"))
    checked_speaker = checked_label("speaker", speaker, config)
    session = checked_label("session_id", session_id, config)
    checked_tags = None
    if tags is not None:
        labels = checks.labels("tags", tags, limits)
        checked_tags = sanitize_labels("tags", labels, config.encoding)
    checked_where = None
    if where is not None:
        with checks.quoting_no_secret():
            checked_where = conditions.checked("where", where) or None
    checked_categories = None if categories is None else checks.categories(categories, limits)
    first = None if since is None else checks.moment("since", since)
    last = None if until is None else checks.moment("until", until)
    if first is not None and last is not None and first > last:
        raise InvalidInput(
            f"since is {first.isoformat()}, after until, {last.isoformat()}; exchange them"
        )
    return Filter(
        states=None if checked_state == "any" else (checked_state,),
        categories=checked_categories,
        tier=None if tier is None else checks.choice("tier", tier, TIERS),
        tags=checked_tags,
        session_id=session,
        speaker=checked_speaker,
        where=checked_where,
        said_from=encode_time(first),
        said_by=encode_time(last),
    )
