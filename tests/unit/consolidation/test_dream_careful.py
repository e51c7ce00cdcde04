"""What it takes for two memories to count as one: nearness alone does not do."""

import pytest

import cogmem_core
from cogmem_core import Config
from cogmem_core.config import ConsolidationConfig
from cogmem_core.testing import MANUAL, FrozenClock, GivenVectors

LAMPS = GivenVectors({"left": (1.0, 0.0), "right": (0.958, 0.287)})
NURSES = GivenVectors({"nurse": (1.0, 0.0)})


@pytest.mark.parametrize(("careful", "merged"), [(True, 0), (False, 1)])
def test_nearness_alone_makes_no_duplicates(careful: bool, merged: int) -> None:
    """A cosine of 0.958 (measured) says that both are about a lamp, not that they say the same; agentos merges."""
    config = Config(consolidation=ConsolidationConfig(trigger="manual", careful=careful))
    with cogmem_core.open(None, embedder=LAMPS, clock=FrozenClock(), config=config) as engine:
        bank = engine.bank("a")
        bank.add("the left lamp is broken")
        bank.add("the right lamp is broken")
        assert bank.consolidate(steps=["duplicates"]).merged == merged


def test_the_same_in_other_words_is_a_duplicate() -> None:
    """Articles and contractions say nothing."""
    clock, config = FrozenClock(), MANUAL
    with cogmem_core.open(None, embedder=NURSES, clock=clock, config=config) as engine:
        bank = engine.bank("a")
        old = bank.add("I am a nurse")
        clock.advance(days=1)
        new = bank.add("I'm a nurse")
        assert bank.consolidate(steps=["duplicates"]).merged == 1
        assert (bank.get(old.id).state, bank.get(new.id).state) == ("superseded", "active")
