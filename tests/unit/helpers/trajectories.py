"""Agents that are scripts in worlds that are rules: do they do better with this memory, and what can they be asked?

Two baselines stand beside it: an agent without a memory, and one that keeps everything. The idea of
asking for recall, cause, state and abstraction is that of AMA-Bench (arXiv 2602.22769); no model
judges or answers.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from tempfile import TemporaryDirectory

from cogmem_core import Engine, MemoryBank
from cogmem_core.maths.uplift import uplift
from cogmem_core.models import Procedure, Turn
from helpers.agent_worlds import WORLDS, Agent, World
from helpers.trajectory_stories import KINDS, PLACES, Story, answered, told

__all__ = ["Report", "StoryScore", "TaskScore", "evaluate"]

Progress = Callable[[str, int, int], None]
_Z = 1.96
_BEGAN = datetime(2026, 6, 1, 8, tzinfo=timezone.utc)
_SKILL = "---\nname: advice\ndescription: {trigger}\n---\n{steps}"


@dataclass(frozen=True, slots=True)
class TaskScore:
    """How tasks of a world went.

    Attributes:
        world: its name.
        tasks: how many were tried in each way, after as many in which was learnt.
        alone: the share done without a memory.
        everything: the share done by an agent that follows any way that ever ended well, or that
            somebody recommends.
        learnt: the share done with what the memory shows.
        uplift: `learnt` minus `alone`, with the ends of its 95 % interval.
        harmful: the state of the harmful procedure that was planted.
        exposures: how many tasks with a known end it was shown for.
        doubtful: procedures that are promoted though the interval of their uplift touches 0.
    """

    world: str
    tasks: int
    alone: float
    everything: float
    learnt: float
    uplift: tuple[float, float, float]
    harmful: str
    exposures: int
    doubtful: int


@dataclass(frozen=True, slots=True)
class StoryScore:
    """What was answered about trajectories of a world.

    Attributes:
        world: its name.
        kind: what was asked for.
        asked: how many questions.
        none: right answers without a memory.
        everything: right answers of a reader of the whole trajectory, the newest first.
        memory: right answers of a reader of what is recalled, the best first.
        read_of_everything: texts that a question costs the reader of everything, on average.
        read_of_memory: texts that a question costs the reader of what is recalled.
    """

    world: str
    kind: str
    asked: int
    none: int
    everything: int
    memory: int
    read_of_everything: float
    read_of_memory: float


@dataclass(frozen=True, slots=True)
class Report:
    """What came of tasks and of questions."""

    tasks: tuple[TaskScore, ...]
    stories: tuple[StoryScore, ...]


def evaluate(
    engine_factory: Callable[[], Engine],
    *,
    tasks: int = 150,
    stories: int = 10,
    progress: Progress | None = None,
) -> Report:
    """Let agents do tasks, and ask about trajectories, in each world; needs no file.

    Args:
        engine_factory: opens an engine in memory.
        tasks: of each world in each way, at least 1.
        stories: trajectories of each world, at least 1.
        progress: called with (the world, worlds done, worlds in all).
    """
    total = len(WORLDS) + len(PLACES)
    task_scores: list[TaskScore] = []
    story_scores: list[StoryScore] = []
    with ExitStack() as stack:
        engine = stack.enter_context(engine_factory())
        engine.pause()
        for world in WORLDS:
            task_scores.append(_worked(engine.bank(f"tasks of {world.name}"), world, tasks))
            if progress:
                progress(world.name, len(task_scores), total)
        for number, place in enumerate(PLACES, 1):
            told_stories = [told(place, seed) for seed in range(stories)]
            story_scores += _asked(engine, told_stories)
            if progress:
                progress(place.name, len(task_scores) + number, total)
    return Report(tuple(task_scores), tuple(story_scores))


def _worked(bank: MemoryBank, world: World, tasks: int) -> TaskScore:
    _recommend(bank, world)
    agent = Agent(world, bank, seed=len(world.name))
    ways = {world.harmful}
    for number in range(tasks):
        run = agent.run(f"learning-{number}")
        if run.ok:
            ways.add(tuple(call.tool for call in run.calls))
    sorted_ways = sorted(ways)
    counts = Counter[str]()
    for number in range(tasks):
        counts["learnt"] += world.done(agent.attempt(f"later-{number}")[1])
        counts["alone"] += world.done(agent.tried())
        counts["everything"] += world.done(agent.random.choice(sorted_ways))
    procedures = bank.procedures()
    harmful = next(p for p in procedures if p.provenance == ("file:SKILL.md",))
    gain = uplift(counts["learnt"], tasks, counts["alone"], tasks, _Z)
    return TaskScore(
        world=world.name,
        tasks=tasks,
        alone=counts["alone"] / tasks,
        everything=counts["everything"] / tasks,
        learnt=counts["learnt"] / tasks,
        uplift=(gain.mean, gain.low, gain.high),
        harmful=harmful.state,
        exposures=harmful.outcomes.shown,
        doubtful=sum(p.state == "active" and _gain_low(p) <= 0 for p in procedures),
    )


def _recommend(bank: MemoryBank, world: World) -> None:
    """Plant the harmful steps, as somebody's SKILL.md."""
    steps = "".join(f"{number}. {step}\n" for number, step in enumerate(world.harmful, 1))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "SKILL.md"
        text = _SKILL.format(trigger=world.harmful_trigger, steps=steps)
        file.write_text(text, encoding="utf-8")
        bank.import_(file, "skill")


def _gain_low(procedure: Procedure) -> float:
    o = procedure.outcomes
    return uplift(o.shown_ok, o.shown, o.hidden_ok, o.hidden, _Z).low


def _asked(engine: Engine, stories: Sequence[Story]) -> Iterator[StoryScore]:
    """The scores of one world, kind by kind."""
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    name = stories[0].place.name
    for number, story in enumerate(stories):
        bank = engine.bank(f"story {number} of {name}")
        bank.remember(
            [
                Turn(text, role="tool", at=_BEGAN + timedelta(minutes=minute))
                for minute, text in enumerate(story.observations)
            ],
            session_id="trajectory",
            mode="raw",
        )
        newest_first = story.observations[::-1]
        for question in story.questions:
            results = list(bank.recall(question.text, session_id=f"asked {number}"))
            if question.kind == "abstraction":  # what all of them say together, by their time
                results.sort(key=lambda result: result.memory.last_said_at, reverse=True)
            texts = [result.content for result in results]
            count = counts[question.kind]
            count["asked"] += 1
            count["none"] += answered(story, question, ()) == question.answer
            count["everything"] += answered(story, question, newest_first) == question.answer
            count["memory"] += answered(story, question, texts) == question.answer
            count["read_of_everything"] += len(newest_first)
            count["read_of_memory"] += len(texts)
    for kind, count in counts.items():
        if not count["asked"]:
            continue
        yield StoryScore(
            world=name,
            kind=kind,
            asked=count["asked"],
            none=count["none"],
            everything=count["everything"],
            memory=count["memory"],
            read_of_everything=count["read_of_everything"] / count["asked"],
            read_of_memory=count["read_of_memory"] / count["asked"],
        )
