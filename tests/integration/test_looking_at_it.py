"""What notebooks and browsers show: tables and a page in which whatever people said is only text."""

import dataclasses
from collections.abc import Iterator
from datetime import timedelta
from html.parser import HTMLParser
from typing import Any

import pytest

import cogmem_core
from cogmem_core import MemoryBank
from cogmem_core.testing import MANUAL, FrozenClock
from cogmem_serve.report import report_page

HOSTILE = (
    "<script>alert('Oslo')</script><img src=x onerror=alert(1)> &amp; \N{RIGHT-TO-LEFT OVERRIDE}"
    "</td></style></title>\x1b[2J my dog Rex lives in Oslo"
)
TABLE_TAGS = {"table", "caption", "thead", "tbody", "tr", "th", "td"}


class Tags(HTMLParser):
    """Every tag of a document with its attributes, and its text."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(document)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture
def bank(clock: FrozenClock) -> Iterator[MemoryBank]:
    """A bank in which somebody said what might break a page."""
    with cogmem_core.open(embedder="hashing", clock=clock, config=MANUAL) as engine:
        bank = engine.bank("alice <b>")
        bank.remember("I live in Berlin")
        clock.advance(days=40)
        bank.remember("I moved to Hamburg")
        bank.add(HOSTILE, category="plan", tags=["<i>"], valid_until=clock() + timedelta(days=1))
        yield bank


def answers(bank: MemoryBank) -> list[Any]:
    """One of each that a notebook shows."""
    memory = bank.list(category="plan")[0]
    recall = bank.recall(HOSTILE, floor=0)
    intention = bank.intend(HOSTILE, on_session=True)
    cycle = bank.consolidate(dry_run=True)
    return [
        memory,
        recall,
        recall[0],
        bank.recall("zeppelin quantum"),
        bank.remember(f"I said {HOSTILE}"),
        bank.list(),
        bank.history(memory.id),
        bank.explain(memory.id),
        bank.forget_matching("Rex", dry_run=True),
        bank.forecast(400),
        bank.audit(),
        bank.tip_of_tongue(HOSTILE),
        bank.observe(f"I think {HOSTILE}"),
        intention,
        cycle,
        bank.undo(bank.consolidate().run_id),
        bank.engine.doctor(),
    ]


def test_what_was_said_is_only_text_in_a_notebook(bank: MemoryBank) -> None:
    """Each answer is one table; of what somebody said no tag, no attribute and no control sign is left."""
    for answer in answers(bank):
        shown = Tags(answer._repr_html_())
        assert shown.names <= TABLE_TAGS, type(answer)
        assert {name for name, _ in shown.attributes} <= {"class", "dir", "style", "colspan"}
        assert "\x1b" not in shown.text
    assert "<script>alert('Oslo')</script>" in Tags(bank.recall("Rex", floor=0)._repr_html_()).text


def test_a_log_shows_each_answer_on_one_short_line(bank: MemoryBank) -> None:
    """However much it holds."""
    for number in range(30):
        bank.add(f"{number}. neighbour " * 40)
    for answer in answers(bank):
        assert dataclasses.is_dataclass(answer)
        assert len(repr(answer)) < 1_500, type(answer)
        assert "\n" not in repr(answer)


def test_a_page_needs_no_script_and_nothing_from_elsewhere(bank: MemoryBank) -> None:
    """It says so itself, and nothing that somebody said becomes more than text."""
    bank.consolidate()
    page = report_page(bank)
    shown = Tags(page)
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    assert policy in [value for name, value in shown.attributes if name == "content"]
    assert not {"script", "img", "iframe", "link", "a", "form", "object", "b>"} & shown.names
    assert not [name for name, _ in shown.attributes if name.startswith("on")]
    assert not [value for _, value in shown.attributes if value and "://" in value]
    assert "<script>alert('Oslo')</script>" in shown.text
    assert "Memories of alice <b>" in shown.text
    assert "\x1b" not in page


def test_a_page_tells_what_fades_and_what_took_whose_place(
    bank: MemoryBank, clock: FrozenClock
) -> None:
    """Retention after each number of days, version chains, and the last dream as a diff."""
    clock.advance(days=3)
    bank.consolidate()
    text = " ".join(Tags(report_page(bank)).text.split())
    place, _, dream = text.partition("What took the place of what")[2].partition("The last dream")
    assert place.index("I moved to Hamburg") < place.index("I live in Berlin")
    assert "its time is over" in dream
    assert "state active → superseded" in dream
    assert "now7 days30 days90 days180 daysa year" in text


def test_a_page_of_an_empty_namespace_says_so(bank: MemoryBank) -> None:
    """No drawing of nothing."""
    text = Tags(report_page(bank.engine.bank("nobody"))).text
    for sentence in (
        "There are no memories yet.",
        "No memory is active.",
        "No memory has taken another's place.",
        "No memories are related yet.",
        "No dream cycle has run yet.",
    ):
        assert sentence in text
