"""Settings of `[observer]`: which turns are worth remembering."""

from __future__ import annotations

from pydantic import StrictBool

from cogmem_core.config.sections import section


@section("observer")
class ObserverConfig:
    """Limits of the observer."""

    keep_weak: StrictBool = True
    """Keep a message that is only dull, short, long or oddly formatted as a weak memory, because
    every twelfth such turn answers a later question (measured on LoCoMo); False = skip it."""
