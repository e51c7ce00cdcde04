"""The benchmark of trajectories: worlds that are rules, agents and readers that are scripts."""

import cogmem_core
from helpers.agent_worlds import WORLDS
from helpers.trajectory_stories import KINDS, PLACES, answered, told
from unit.helpers.trajectories import evaluate


def test_worlds_have_rules_and_stories_can_be_answered_by_who_reads_all() -> None:
    """Newest first; what is read of nothing is nothing, and an older value is a wrong answer."""
    for place in PLACES:
        story = told(place, 3)
        assert (told(place, 3), told(place, 4) == story) == (story, False)
        assert {question.kind for question in story.questions} == set(KINDS)
        newest_first = story.observations[::-1]
        for question in story.questions:
            assert answered(story, question, newest_first) == question.answer
            assert answered(story, question, ()) == ""
        moved = next(question for question in story.questions if question.kind == "state")
        texts = [place.moved.format(thing=moved.about, spot=spot) for spot in ("Rome", "Oslo")]
        assert answered(story, moved, texts) == "Rome"
    for world in WORLDS:  # others in between do no harm, unless they spoil it
        assert world.done(["look", *world.right])
        assert not world.done(world.right[::-1])
        assert not world.done([*world.wrong, *world.right])
        assert not world.done(world.harmful)


def test_tasks_are_done_and_questions_answered_beside_both_baselines() -> None:
    """In each world, with and without what was learnt."""
    report = evaluate(lambda: cogmem_core.open(embedder="hashing"), tasks=6, stories=1)
    assert [task.world for task in report.tasks] == ["household", "files", "tickets"]
    assert {task.tasks for task in report.tasks} == {6}
    recall = report.stories[0]
    assert (recall.world, recall.kind, recall.asked) == ("household", "recall", 4)
    assert (recall.none, recall.everything, recall.read_of_everything) == (0, 4, 68.0)
    assert recall.memory >= 3
