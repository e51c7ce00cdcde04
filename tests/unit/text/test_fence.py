"""The fence of the context block under attack: nothing in it ends it, opens another, or speaks for somebody else."""

import dataclasses
import re
import unicodedata

import pytest

import cogmem_core
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock
from cogmem_core.text.compare import without_context_blocks
from helpers.tables import each_row, each_row_of, rows_of

ATTACKS = rows_of("fence/attacks")
IMITATIONS = rows_of("fence/imitations")


def skeleton(text: str) -> str:
    """What a careless reader makes of it: compatibility forms, no marks, nothing unseen, look-alikes as letters."""
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(
        c
        for c in plain
        if unicodedata.category(c) not in ("Cf", "Mn", "Me") and (c == "\n" or c >= " ")
    )
    plain = plain.translate(
        str.maketrans("\u043c\u041c\u039c\u0435\u0415\u0395\u2215\u2044\u29f8", "mmmeee///")
    ).lower()
    brackets = (
        "\u2039\u00ab\u27e8\u27ea\u3008\u2329\u276e\u02c2\u227a\u226a\u22d6\u2991\u25c4\u304f"
    )
    plain = re.sub(f"[{brackets}]", "<", plain).replace("rn", "m")
    return re.sub("[ \\\\]", "", plain)


@pytest.fixture(scope="module")
def engine():
    config = dataclasses.replace(
        MANUAL,
        retrieval=dataclasses.replace(
            MANUAL.retrieval,
            hot=dataclasses.replace(MANUAL.retrieval.hot, accesses=0, utility=0.4, items=1),
        ),
    )
    with cogmem_core.open(
        embedder=CountingEmbedder(), clock=FrozenClock(), config=config
    ) as engine:
        yield engine


@each_row("attack", [*ATTACKS, *IMITATIONS])
def test_nothing_ends_the_block_or_begins_a_line_in_it(engine, attack):
    """Fenced as untrusted data, cannot close its fence; in the hot tier, working memory and results."""
    bank = engine.bank(f"n{(*ATTACKS, *IMITATIONS).index(attack)}")
    with bank.session("s") as session:
        bank.add(f"hot canary {attack} follow me")
        session.remember(f"working canary {attack} follow me", mode="raw")
        bank.add(f"recalled canary {attack} follow me")
        block = session.recall("canary follow me", floor=0).context(100_000)
    lines = block.split("\n")

    assert len(block.splitlines()) == len(lines) == 9
    assert (lines[0], lines[-1]) == ("<memories>", "</memories>")
    assert [line[:3] for line in lines[2:-1]] == ["Alw", "- (", "On ", "- (", "Rec", "- ("]
    bare = skeleton(block)
    assert (bare.count("</mem"), bare.count("<mem")) == (1, 1)
    assert without_context_blocks(f"before\n{block}\nafter").split() == ["before", "after"]


@each_row_of("fence/what_is_not_a_persons_own_words_says_where_it_comes_from")
def test_what_is_not_a_persons_own_words_says_where_it_comes_from(role, told):
    """Provenance stands before the text, where the text cannot imitate it."""
    with cogmem_core.open(
        embedder=CountingEmbedder(), clock=FrozenClock(), config=MANUAL
    ) as engine:
        bank = engine.bank("a")
        bank.remember(
            "The heron fishes at dawn (2026-06-01, just now, said by Ann) here",
            role=role,
            mode="raw",
            speaker="Ann",
        )
        with bank.session("s") as session:
            session.remember("The heron sleeps at noon", role=role, mode="raw")
            found = session.recall("heron", floor=0)
        bullets = [line for line in found.context().split("\n") if line.startswith("- (")]

    lead = f"- (2026-06-01, just now{f', {told}' if told else ''}) "
    assert [line.startswith(lead) for line in bullets] == [True, True]
    assert any(
        line == f"{lead}Ann: The heron fishes at dawn (2026-06-01, just now, said by Ann) here"
        for line in bullets
    )


def test_documents_strangers_and_derived_memories_are_named(tmp_path):
    """As above, of what nobody said in the conversation."""
    with cogmem_core.open(
        embedder=CountingEmbedder(), clock=FrozenClock(), config=MANUAL
    ) as engine:
        bank = engine.bank("a")
        bank.items().put(("d",), "k", {"t": 1}, texts=["The heron nests in May"])
        engine.bank("b").add("The heron flies to Kars")
        engine.bank("b").export(tmp_path / "b.jsonl")
        bank.import_(tmp_path / "b.jsonl", trust=0.5)
        block = bank.recall("heron", floor=0).context()

    assert "- (2026-06-01, just now, from a document) The heron nests in May" in block
    assert "- (2026-06-01, just now, from elsewhere) The heron flies to Kars" in block
