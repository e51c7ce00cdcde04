"""The token budget of the context block: never exceeded, shared between its parts, spent on the most relevant."""

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cogmem_core.embedders import weights
from cogmem_core.models import Memory, WorkingItem
from cogmem_core.results import InjectionTier, Recalled
from cogmem_core.retrieval.budget import count_tokens, estimate_tokens
from cogmem_core.retrieval.plan import Request
from cogmem_core.retrieval.recall import Recall, RecallOrigin
from helpers.tables import each_row, each_row_of

NOW = datetime(2026, 5, 17, 12, tzinfo=timezone.utc)
AT = NOW - timedelta(days=14)
HEADINGS = (
    "Always worth knowing:",
    "On your mind in this conversation:",
    "Recalled for this question:",
)


def memory(name: str, content: str, speaker: str | None = None) -> Memory:
    return Memory(name, "ns", content, name, AT, AT, AT, speaker=speaker)


def recalled(
    name: str, content: str, tier: InjectionTier = "full", speaker: str | None = None
) -> Recalled:
    return Recalled(memory(name, content, speaker), 1.0, 1.0, {}, {}, {}, "", tier)


def on_mind(name: str, text: str) -> WorkingItem:
    return WorkingItem(name, text, 0.5, 0, NOW, NOW)


def block(
    *,
    hot: list[str] | None = None,
    working: list[str] | None = None,
    results: list[Recalled] | None = None,
    budget: int = 1_500,
) -> str:
    found = Recall(
        "r",
        "q",
        tuple(results or ()),
        hot=tuple(memory(f"hot {n}", text) for n, text in enumerate(hot or ())),
        working=tuple(on_mind(f"mind {n}", text) for n, text in enumerate(working or ())),
        origin=RecallOrigin("", Request("ns", "q"), NOW, None, budget),
    )
    return found.context()


def parts(text: str) -> list[int]:
    """How many memories stand under each heading."""
    counts, place = [0, 0, 0], 0
    for line in text.splitlines():
        place = HEADINGS.index(line) if line in HEADINGS else place
        counts[place] += line.startswith("- ")
    return counts


def many(words: str, count: int) -> list[str]:
    return [f"{words} number {n}" for n in range(count)]


texts = st.one_of(
    st.text(max_size=300),
    st.text(alphabet="ab <>/{}mem\u200b\uff1c漢字ğ🙂.,\n ", max_size=300),
    st.lists(
        st.sampled_from(["Lisbon", "tea", "12345", "don't", "--", "</memories>"]), max_size=60
    ).map(" ".join),
)
tiers: st.SearchStrategy[InjectionTier] = st.sampled_from(("full", "abbreviated", "withheld"))
results = st.lists(st.tuples(texts, tiers, st.none() | st.text(max_size=20)), max_size=6)


def test_tokens_are_counted_by_the_fetched_table() -> None:
    """tiktoken's figures for cl100k_base, not the estimate, which takes four letters for a token."""
    assert weights.find("cl100k_base") is not None
    text = "Ich wohne in Ulm, und das ist sch\u00f6n."
    assert (count_tokens(text), estimate_tokens(text)) == (13, 10)


@settings(max_examples=100)
@given(st.lists(texts, max_size=4), st.lists(texts, max_size=4), results, st.integers(1, 400))
def test_the_budget_is_never_exceeded(
    hot: list[str],
    working: list[str],
    found: list[tuple[str, InjectionTier, str | None]],
    budget: int,
) -> None:
    """'Context block under a token budget (tiktoken)', whatever the texts; all or a whole fence."""
    items = [
        recalled(f"r{n}", text, tier, speaker) for n, (text, tier, speaker) in enumerate(found)
    ]
    text = block(hot=hot, working=working, results=items, budget=budget)
    assert count_tokens(text) <= budget
    assert text == "" or (text.startswith("<memories>\n") and text.endswith("\n</memories>"))
    assert text == "" or text.count("\n- ") == sum(parts(text)) > 0


@each_row("budget", [1, 5, 20, 30])
def test_a_budget_that_holds_nothing_gives_nothing(budget: int) -> None:
    """The fence alone says nothing."""
    assert block(results=[recalled("a", "I moved to Lisbon")], budget=budget) == ""


def test_the_best_memory_is_shown_cut_rather_than_not_at_all() -> None:
    """A lone memory that does not fit is cut at a word, and uses the budget."""
    text = block(results=[recalled("a", "remember " * 5_000)], budget=100)
    line = text.splitlines()[3]
    assert line.startswith("- (2026-05-03, 2 weeks ago) remember remember")
    assert line.endswith(" remember…")
    assert 95 <= count_tokens(text) <= 100


def test_a_text_too_long_for_an_exact_count_keeps_the_budget_too() -> None:
    """60,000 Chinese characters are 90,000 tokens, not a quarter of their number."""
    text = block(results=[recalled("a", "漢字" * 30_000)], budget=30_000)
    pieces = [text[at : at + 1_000] for at in range(0, len(text), 1_000)]
    assert 29_000 <= sum(map(count_tokens, pieces)) <= 30_000


@each_row_of("context_budget/without_a_table_the_estimate_knows_scripts")
def test_without_a_table_the_estimate_knows_scripts(text: str, exact: int, estimated: int) -> None:
    """A quarter of the characters would fill a prompt with four times the budget in Chinese."""
    assert (count_tokens(text), estimate_tokens(text)) == (exact, estimated)


def test_each_part_keeps_to_its_share() -> None:
    """The hot tier gets a third and working memory a quarter at most; the rest is for what was recalled."""
    found = [recalled(f"r{n}", f"a recalled thing number {n}") for n in range(50)]
    text = block(
        hot=many("a hot thing", 50),
        working=many("a thing on mind", 50),
        results=found,
        budget=24 + 12 * 24,
    )
    spent, place = [0, 0, 0], 0
    for line in text.splitlines()[2:-1]:
        place = HEADINGS.index(line) if line in HEADINGS else place
        spent[place] += count_tokens(f"{line}\n")
    assert spent[0] <= 96
    assert spent[1] <= 72
    assert spent[2] > 120
    assert all(count > 1 for count in parts(text))


def test_what_one_part_does_not_use_goes_to_the_recalled() -> None:
    """Nothing hot, nothing on the mind: the whole budget is for the question."""
    found = [recalled(f"r{n}", f"a recalled thing number {n}") for n in range(50)]
    alone = block(results=found, budget=300)
    beside = block(results=found, hot=["one hot thing"], budget=300)
    assert parts(alone) == [0, 0, 12]
    assert parts(beside) == [1, 0, 11]
    assert parts(block(results=found, hot=many("a hot thing", 50), budget=300))[2] == 8


def test_the_most_relevant_are_kept() -> None:
    """As in unified-update, the top results come first, what does not fit is left out from the end."""
    text = block(results=[recalled(f"r{n}", f"thing {n}") for n in range(100)], budget=150)
    shown = [line.rpartition(" ")[2] for line in text.splitlines() if line.startswith("- ")]
    assert shown == [str(n) for n in range(len(shown))]
    assert 3 <= len(shown) <= 8


def test_a_long_memory_does_not_keep_short_ones_out() -> None:
    """Behind the best one, what does not fit is passed over."""
    found = [recalled("a", "first"), recalled("b", "long " * 2_000), recalled("c", "third")]
    assert [line[-5:] for line in block(results=found, budget=100).splitlines()[3:-1]] == [
        "first",
        "third",
    ]


@pytest.mark.parametrize(
    "content",
    [
        "I went hiking in the mountains with Ana and it was wonderful",
        "word " * 2_000,
        "漢字" * 250_000,
        "a" * 200_000,
    ],
    ids=["short", "long", "endless", "spaceless"],
)
def test_a_thousand_results_are_not_all_counted(content: str) -> None:
    """Counting stops when the block is full, and a text far too long is not read: else this would take many minutes."""
    text = block(results=[recalled(f"r{n}", content) for n in range(1_000)])
    assert count_tokens(text) <= 1_500
