"""Turns with an assistant that parrots what it recalled: memories do not multiply, and echoes strengthen nothing.

Each turn a person states one of twenty facts or asks one of twenty questions, sometimes with the context block of an
earlier answer pasted in; the assistant quotes, paraphrases, lists or wraps what was recalled.
"""

import random
import re
from collections.abc import Callable

import pytest

from cogmem_core import Config, MemoryBank, Recall, Turn
from helpers.tables import rows_of

FACTS: dict[str, str] = dict(rows_of("recall_loop/facts"))
STATED, ASKED = list(FACTS), list(FACTS.values())
_SECOND = dict(rows_of("recall_loop/second"))


def second(text: str) -> str:
    """ "My dog" → "your dog": what an assistant makes of what it was told."""
    return re.sub(r"\b(?:I am|I|My|my|We|Our|our)\b", lambda match: _SECOND[match.group()], text)


def opened(text: str) -> str:
    return text[:1].upper() + text[1:]


Saying = Callable[[Recall], str]
SAYINGS: tuple[Saying, ...] = (
    lambda found: f'You told me: "{found.results[0].content}".',
    lambda found: f"{opened(second(found.results[0].content))}.",
    lambda found: f"Sure! As you mentioned, {second(found.results[0].content)}.",
    lambda found: (
        "Here is what I know:\n" + "\n".join(f"- {item.content}" for item in found.results[:3])
    ),
    lambda found: " ".join(f"{opened(second(item.content))}." for item in found.results[:3]),
    lambda found: f"I remember that {second(found.results[0].content)}, right?",
    lambda found: f"Yes, {second(found.results[0].content)}. Happy to help!",
    lambda found: f"{found.context()}\n\nBased on this, {second(found.results[0].content)}.",
    lambda found: found.context(),
    lambda found: f"> {found.results[0].content}\n\nThat is what you said.",
)

ENGINE = {"embedder": "hashing", "config": Config(), "paused": True}


def strengths(bank: MemoryBank) -> dict[str, tuple[str, int, float, float, int]]:
    """What an echo must not change: text, access count, stability, importance, version."""
    return {
        memory.id: (
            memory.content,
            memory.access_count,
            memory.stability,
            memory.importance,
            memory.version,
        )
        for memory in bank.list(state="any", limit=1_000)
    }


def pasted(said: str, found: Recall, how: int) -> str:
    """What a person says, with what an earlier answer injected pasted in, in one of four ways."""
    bullets = "\n".join(line for line in found.context().splitlines() if line.startswith("- "))
    blocks = (
        f"{found.context()}\n\n{said}",
        f"{said}\n\n{found.context()}",
        "\n".join(f"> {line}" for line in found.context().splitlines()) + f"\n\n{said}",
        f"{bullets}\n\n{said}",
    )
    return blocks[how % len(blocks)]


@pytest.mark.parametrize("turns", [80, pytest.param(500, marks=pytest.mark.thorough)])
def test_many_turns_with_a_parrot(bank: MemoryBank, turns: int) -> None:
    """After the twenty facts nothing is added, whatever comes back; and no assistant's turn strengthens anything."""
    chance = random.Random(7)
    grown: list[str] = []
    strengthened: list[str] = []
    for turn in range(turns):
        number = turn if turn < 20 else chance.randrange(20)
        stating = turn < 20 or chance.random() < 0.3
        said = STATED[number] if stating else ASKED[number]
        found = bank.recall(said, k=5)
        pasting = turn >= 20 and chance.random() < 0.25
        text = pasted(said, found, turn) if pasting else said
        bank.remember(text, session_id="s")
        before = strengths(bank)
        grown += [text] if len(before) > max(20, turn + 1) else []
        if found.results:
            answer = SAYINGS[turn % len(SAYINGS)](found)
            bank.remember(answer, role="assistant", session_id="s")
            strengthened += [answer] if strengths(bank) != before else []
    assert grown == []
    assert strengthened == []
    assert sorted(memory.content for memory in bank.list()) == sorted(STATED)


def test_whatever_comes_back_is_an_echo(bank: MemoryBank) -> None:
    """In an answer quoted, turned round, listed, wrapped in courtesy, inside our own fence; and pasted by a person.

    Above, below, quoted, without its tags: of every fact, nothing comes of it, and nothing counts as said again.
    """
    bank.remember(STATED)
    before, missed = strengths(bank), []
    for question in ASKED:
        found = bank.recall(question, k=5)
        said = [Turn(saying(found), role="assistant") for saying in SAYINGS]
        said += [Turn(pasted(question, found, how)) for how in range(4)]
        for turn in said:
            bank.remember(turn)
            missed += [turn.content] if strengths(bank) != before else []
    assert missed == []


def test_what_is_new_beside_an_echo_is_kept(bank: MemoryBank) -> None:
    """Immunity is against echoes, not against what stands beside them."""
    bank.remember(STATED)
    found = bank.recall("Where do I live?", k=5)
    bank.remember(f"{found.context()}\n\nMy neighbour Jonas sold his boat")
    bank.remember(
        "As you said, you live in Lisbon. The ferry to Barreiro leaves at 9:40.", role="assistant"
    )
    new = [memory.content for memory in bank.list(limit=100) if memory.content not in FACTS]
    assert len(new) == 2
    assert new[0] == "My neighbour Jonas sold his boat"
    assert "The ferry to Barreiro leaves at 9:40." in new[1]


def test_a_person_who_says_it_again_is_no_echo(bank: MemoryBank) -> None:
    """Said anew without a recall before it, a fact is reinforced; that is not what immunity is for."""
    bank.remember("I live in Lisbon")
    bank.remember("I live in Lisbon")
    assert [memory.access_count for memory in bank.list()] == [1]


def test_a_corrected_value_is_no_echo(bank: MemoryBank) -> None:
    """The words of a memory with another value in them change it."""
    bank.remember("My passport expires in November 2027")
    bank.recall("When does my passport expire?")
    bank.remember("My passport expires in November 2037")
    assert "My passport expires in November 2037" in [memory.content for memory in bank.list()]
