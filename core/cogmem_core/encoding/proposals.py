"""Plans with a day that somebody speaks of become proposed intentions: nothing fires before a person confirms it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timezone

from cogmem_core.changes import Change, Keep
from cogmem_core.process.services import Services
from cogmem_core.reading import of
from cogmem_core.text.time.days import seen_in
from cogmem_core.text.time.zones import zone_or_utc
from cogmem_core.values.models import Intention, Memory


def propose(services: Services, memories: Iterable[Memory], now: datetime) -> list[Change]:
    """An intention for each new plan of a person that names a moment or a day to come, and puts none off.

    Args:
        services: the parts of the engine; `encoding.intentions` says whether they are proposed,
            open at once, or not made.
        memories: what is stored now.
        now: the present.
    """
    settings = services.config.encoding
    if settings.intentions == "off":
        return []
    zone = zone_or_utc(settings.timezone)
    proposals: list[Change] = []
    for memory in memories:
        own = memory.category == "plan" and memory.data_source == "user_message"
        if not own or memory.state != "active" or memory.referenced_at is None:
            continue
        at = seen_in(memory.referenced_at, zone).astimezone(timezone.utc)
        if at <= now or of(memory.content).puts_off:
            continue
        intention = Intention(
            id=services.runtime.new_id(),
            namespace=memory.namespace,
            text=memory.content,
            created_at=now,
            updated_at=now,
            state="open" if settings.intentions == "open" else "proposed",
            kind="inferred",
            at=at,
            session_id=memory.session_id,
            memory_ids=(memory.id,),
        )
        proposals.append(Keep(intention, "foreseen"))
    return proposals
