"""Small worlds with rules, and an agent that is a script: it does what it is shown, and else tries its luck."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from cogmem_core import MemoryBank
from cogmem_core.models import Procedure, TaskRun, ToolCall

__all__ = ["WORLDS", "Agent", "World"]


@dataclass(frozen=True)
class World:
    """A place where tasks are done with tools.

    Attributes:
        name: of the world.
        task: what is wanted, with a place for what it is wanted for.
        fillings: what it may be wanted for.
        right: the calls that do it, in order.
        wrong: calls that spoil it.
        luck: how often an agent finds the right ones by itself, 0..1.
        harmful: steps that somebody recommends, and that spoil it.
        harmful_trigger: the task for which they are recommended.
    """

    name: str
    task: str
    fillings: tuple[str, ...]
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    luck: float
    harmful: tuple[str, ...]
    harmful_trigger: str

    def done(self, tools: Sequence[str]) -> bool:
        """Whether the right calls were made, in their order, and none that spoils it before the end."""
        place = 0
        for tool in tools:
            if tool in self.wrong:
                return False
            place += tool == self.right[place]
            if place == len(self.right):
                return True
        return False


WORLDS = (
    World(
        "household",
        "unlock the {} door of the house",
        ("red", "blue", "green", "old", "small", "back", "front"),
        ("open_drawer", "take_key", "unlock_door"),
        ("kick_door",),
        0.45,
        ("kick_door", "unlock_door"),
        "unlock the door of the house",
    ),
    World(
        "files",
        "publish the {} report to the archive",
        ("weekly", "sales", "annual", "safety", "travel", "budget"),
        ("read_draft", "run_checks", "sign_report", "upload"),
        ("delete_draft",),
        0.5,
        ("delete_draft", "upload"),
        "publish the report to the archive",
    ),
    World(
        "tickets",
        "refund the order of customer {} at the desk",
        ("Ames", "Bell", "Cole", "Dunn", "Ekes", "Fynn", "Gale"),
        ("find_order", "verify_payment", "issue_refund", "notify_customer"),
        ("close_ticket",),
        0.55,
        ("close_ticket", "issue_refund"),
        "refund the order of a customer at the desk",
    ),
)
_TOOL = re.compile(r"\w+")


class Agent:
    """Does tasks of a world: follows the first procedure that it is shown, else tries its luck.

    Args:
        world: where.
        bank: its memory.
        seed: of its luck.
    """

    def __init__(self, world: World, bank: MemoryBank, seed: int) -> None:
        self.world, self.bank = world, bank
        self.random = random.Random(seed)
        self.shown: list[Procedure] = []

    def run(self, session_id: str, *, helped: bool = True) -> TaskRun:
        """One task in a session of its own, from the recall at its beginning to its outcome."""
        task, tools = self.attempt(session_id, helped=helped)
        calls = [ToolCall(tool, {"for": task}) for tool in tools]
        run = self.bank.observe_run(task, calls, session_id=session_id)
        return self.bank.outcome(run, self.world.done(tools))

    def attempt(self, session_id: str, *, helped: bool = True) -> tuple[str, list[str]]:
        """The task, and the tools that the agent calls for it."""
        task = self.world.task.format(self.random.choice(self.world.fillings))
        self.shown = []
        if helped:
            self.shown = list(self.bank.recall(task, session_id=session_id).procedures)
        if self.shown:
            steps = self.shown[0].steps
            return task, [match[0] for match in map(_TOOL.match, steps) if match]
        return task, self.tried()

    def tried(self) -> list[str]:
        """The tools that it calls where nothing is shown."""
        if self.random.random() < self.world.luck:
            extra = self.random.choice([[], ["look_around"], ["ask"]])
            return [*extra, *self.world.right]
        tools = list(self.world.right)
        self.random.shuffle(tools)
        spoilt = tools[: self.random.randrange(1, len(tools))]
        return [*spoilt, self.random.choice(self.world.wrong)]
