"""The worlds and agents of `cogm eval trajectories`, where tests find them."""

from cogmem_core.evaluation.worlds import WORLDS, Agent, World

__all__ = ["WORLDS", "Agent", "World"]
