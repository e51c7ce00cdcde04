"""Which answer is credited to which memories: the rules that both frameworks' handlers rely on."""

from collections.abc import Iterator

import pytest

import cogmem_core
from cogmem_core import Engine, Feedback, InvalidInput, Recall
from cogmem_core.adapters.attribution import Attribution, Tracing
from cogmem_core.testing import MANUAL
from helpers.store_kinds import BLAMING
from helpers.tables import each_case_of, each_row_of

HIKING = "Ann likes hiking on Mount Rainier"
COFFEE = "Ann drinks coffee from Guatemala"


@pytest.fixture
def engine() -> Iterator[Engine]:
    with cogmem_core.open(embedder="hashing", config=BLAMING) as engine:
        bank = engine.bank("ann")
        bank.add(HIKING)
        bank.add(COFFEE)
        yield engine


NAMESPACE = "ann"


class Watched:
    """An attribution, and what was judged: (memory's text, "used" or "ignored")."""

    def __init__(self, engine: Engine, **more: object) -> None:
        self.bank, self.judged = engine.bank("ann"), list[tuple[str, str]]()
        how: dict[str, object] = {"background": False, "on_feedback": self._hear, **more}
        self.trace = Attribution(engine, Tracing(**how))  # type: ignore[arg-type]

    def _hear(self, rows: tuple[Feedback, ...]) -> None:
        self.judged += [(self.bank.get(row.memory_id).content, row.signal) for row in rows]

    def recalled(self, run: str, query: str = "hiking, coffee?", **more: object) -> Recall:
        found = self.bank.recall(query, floor=0, **more)  # type: ignore[arg-type]
        self.trace.add_recall(run, found.id)
        return found

    def call(self, run: str, parent: str | None, prompt: str, answer: str) -> None:
        self.trace.start_run(run, parent)
        self.trace.add_prompt(run, prompt)
        self.trace.add_answer(run, answer)
        self.trace.end_run(run)


@pytest.fixture
def watched(engine: Engine) -> Watched:
    return Watched(engine)


BOTH = f"{HIKING}\n{COFFEE}"


def test_the_last_of_several_answers_counts(watched: Watched) -> None:
    """A rewritten question is no answer: the model that answers afterwards got the memories, too."""
    watched.trace.start_run("root")
    watched.recalled("root")
    watched.call("condense", "root", BOTH, "Where does she go walking?")
    watched.call("answer", "root", BOTH, "On Mount Rainier, hiking")
    watched.trace.end_run("root")

    assert sorted(watched.judged) == [(COFFEE, "ignored"), (HIKING, "used")]


def test_answers_given_at_the_same_time_all_count(watched: Watched) -> None:
    """Two branches in parallel: each may use another memory."""
    watched.trace.start_run("root")
    watched.recalled("root")
    for run in ("one", "other"):
        watched.trace.start_run(run, "root")
        watched.trace.add_prompt(run, BOTH)
    watched.trace.add_answer("one", "hiking on Mount Rainier")
    watched.trace.add_answer("other", "coffee from Guatemala")
    watched.trace.end_run("root")

    assert sorted(watched.judged) == [(COFFEE, "used"), (HIKING, "used")]


def test_an_answer_after_the_end_of_the_root_counts_at_once(watched: Watched) -> None:
    """A stream that is closed early is drained after its root run has ended (INTERFACES 1.3)."""
    watched.trace.start_run("root")
    watched.recalled("root")
    watched.trace.start_run("model", "root")
    watched.trace.add_prompt("model", HIKING)
    watched.trace.end_run("root")
    watched.trace.add_answer("model", "hiking on Mount Rainier")

    assert watched.judged == [(HIKING, "used")]


def test_recalls_may_outlive_their_root(engine: Engine) -> None:
    """`lingering`: a chat engine's stream asks its model after the root span is over (INTERFACES 2.4)."""
    watched = Watched(engine, lingering=True)
    watched.trace.start_run("root")
    found = watched.recalled("root")
    watched.bank.recall("hiking, coffee?", floor=0)
    watched.trace.end_run("root")
    watched.trace.start_run("model", "root")
    watched.trace.add_prompt("model", HIKING)
    watched.trace.add_answer("model", "hiking on Mount Rainier")

    assert watched.judged == [(HIKING, "used")]
    assert watched.bank.feedback(found, "coffee from Guatemala")[0].signal == "used"


def test_of_two_recalls_that_fit_the_one_whose_question_is_in_the_prompt_is_meant(
    watched: Watched,
) -> None:
    """INTERFACES 2.4: 40 concurrent streams over the same memories, each attributed to its own question."""
    mine, other = (
        watched.bank.recall(query, floor=0) for query in ("What about hiking?", "Is there hiking?")
    )
    watched.call("model", None, f"{HIKING}\nWhat about hiking?", "hiking on Mount Rainier")

    assert watched.judged == [(HIKING, "used")]
    assert [row.signal for row in watched.bank.feedback(mine, "coffee, Guatemala")] == ["used"]
    assert len(watched.bank.feedback(other, "coffee, Guatemala")) == 2


def test_a_recall_is_traced_once_without_a_common_root(watched: Watched) -> None:
    """A later call whose prompt happens to hold the same text is credited to no old recall."""
    watched.bank.recall("hiking?", floor=0)
    watched.call("model", None, HIKING, "hiking on Mount Rainier")
    watched.call("later", None, HIKING, "No idea")

    assert watched.judged == [(HIKING, "used")]


def test_memories_shown_in_short_are_found_by_what_was_shown(
    engine: Engine, watched: Watched
) -> None:
    """`Recall.context` abbreviates what is less likely to be relevant; the handler sees only that."""
    long = (
        "It was a quiet week. "
        + "The garden needs water and the fence needs paint, said the neighbour again. " * 8
    )
    memory = watched.bank.add(long)
    found = watched.bank.recall("garden fence", floor=0)
    lines = found.block(120).shown
    assert lines.keys() == {memory.id}
    assert long not in found.context(120)
    watched.trace.start_run("root")
    watched.trace.add_recall("root", found.id)
    watched.call(
        "model",
        "root",
        found.context(120),
        "The fence needs paint, the garden water, said the neighbour",
    )
    watched.trace.end_run("root")

    assert [signal for _, signal in watched.judged] == ["used"]


def test_an_unknown_recall_is_left_alone(watched: Watched) -> None:
    """One of another process, or of long ago: nothing is judged, nothing fails."""
    watched.trace.start_run("root")
    watched.trace.add_recall("root", "never heard of")
    watched.call("model", "root", "Nothing of ours", "hiking")
    watched.trace.end_run("root")

    assert watched.judged == []


@each_case_of("attribution/options_are_checked")
def test_options_are_checked(options: dict[str, object], message: str) -> None:
    """Typed errors that name the argument and the fix."""
    with pytest.raises(InvalidInput, match=message):
        Tracing(**options)  # type: ignore[arg-type]


def test_a_model_that_asks_itself_is_quoted_once(engine: Engine) -> None:
    """INTERFACES 5: `chat` that calls `complete` tells of one answer twice, one call within the other."""
    answers: list[str] = []

    def similarity(_memory: str, answer: str) -> float:
        answers.append(answer)
        return 1.0

    watched = Watched(engine, similarity_fn=similarity)
    watched.trace.start_run("root")
    watched.recalled("root")
    watched.trace.start_run("chat", "root")
    watched.trace.add_prompt("chat", HIKING)
    watched.call("complete", "chat", HIKING, "hiking on Mount Rainier")
    watched.trace.add_answer("chat", "hiking on Mount Rainier")
    watched.trace.end_run("root")

    assert watched.judged == [(HIKING, "used")]
    assert answers == ["hiking on Mount Rainier"]


@pytest.mark.parametrize(
    ("guessing", "meant"), [(True, "Is there hiking?"), (False, "hiking, coffee?")]
)
def test_where_roots_are_guessed_the_question_in_the_prompt_goes_first(
    engine: Engine, guessing: bool, meant: str
) -> None:
    """INTERFACES 2.4: interleaved lazy streams share a context, which says nothing about whose answer comes."""
    watched = Watched(engine, guessing=guessing, lingering=True)
    watched.trace.start_run("root")
    here = watched.recalled("root")
    other = watched.bank.recall("Is there hiking?", floor=0)
    watched.trace.end_run("root")
    watched.call("model", "root", f"{HIKING}\nIs there hiking?", "hiking on Mount Rainier")

    judged = [
        recall.query
        for recall in (here, other)
        if len(watched.bank.feedback(recall, "No idea")) == 1
    ]
    assert (watched.judged, judged) == ([(HIKING, "used")], [meant])


def test_a_guessed_root_counts_where_no_question_is_in_the_prompt(engine: Engine) -> None:
    """A question that was rewritten before it was searched for is nowhere in the prompt."""
    watched = Watched(engine, guessing=True)
    here = watched.recalled("root")
    watched.bank.recall("Is there hiking?", floor=0)
    watched.call("model", "root", HIKING, "hiking on Mount Rainier")

    assert watched.judged == [(HIKING, "used")]
    assert len(watched.bank.feedback(here, "No idea")) == 1


@each_row_of("attribution/what_tools_were_given_is_evidence")
def test_what_tools_were_given_is_evidence(
    answer: str, arguments: str, expected: list[tuple[str, str]]
) -> None:
    """A tool's arguments count with the run's last answer, and by themselves where there is none."""
    with cogmem_core.open(embedder="hashing", config=MANUAL) as engine:
        engine.bank("ann").add(HIKING)
        engine.bank("ann").add(COFFEE)
        watched = Watched(engine)
        watched.trace.start_run("root")
        watched.recalled("root", "What shall we do?")
        watched.trace.start_run("acting", "root")
        watched.trace.add_prompt("acting", BOTH)
        watched.trace.add_answer("acting", "", arguments=arguments)
        if answer:
            watched.call("saying", "root", BOTH, answer)
        watched.trace.end_run("root")
        assert sorted(watched.judged) == expected
