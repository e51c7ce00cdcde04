"""Of two statements that answer a question about the present nearly equally well, the newer one stands first.

Without a chain between them: nothing showed that the one took the place of the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from itertools import count

import pytest

import cogmem_core
from cogmem_core import Engine, Turn
from cogmem_core.testing import FrozenClock
from helpers.tables import each_row

NOW = datetime(2026, 11, 20, 12, tzinfo=timezone.utc)
NUMBERS = count()
OTHERS = (
    "The bakery opens at seven.",
    "My cousin collects stamps.",
    "Rain is forecast for the weekend.",
    "The bathroom tap drips.",
)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with cogmem_core.open(embedder="minilm", clock=FrozenClock(NOW)) as engine:
        yield engine


def first(
    engine: Engine, question: str, *texts: str, speakers: tuple[str | None, ...] = (None, None)
) -> str:
    """The first result of a bank to which the texts were told, with a month between them."""
    bank = engine.bank(f"bank {next(NUMBERS)}")
    told = [*zip(OTHERS, [None] * len(OTHERS), strict=True), *zip(texts, speakers, strict=True)]
    for number, (text, speaker) in enumerate(told):
        at = NOW - timedelta(days=30 * (len(told) - number))
        bank.remember(Turn(content=text, at=at, speaker=speaker), mode="raw")
    return bank.recall(question, floor=0).results[0].content


@each_row(
    ("question", "old", "new"),
    [
        (
            "Which street do I live on?",
            "First thing: I live in a one-bedroom on Rua do Almada.",
            "Boxes everywhere, we live on Rua do Heroismo since April.",
        ),
        (
            "What shampoo do I use?",
            "The shampoo I use is the almond one.",
            "I use a nettle shampoo, it smells of tea.",
        ),
        (
            "Who walks the dog?",
            "Mert walks the dog in the evening.",
            "The neighbour's girl walks the dog for me in the evening.",
        ),
        (
            "What time does the library close?",
            "The library closes at nine.",
            "The library closes at six, cuts in the budget.",
        ),
        (
            "Which gym do I go to?",
            "The gym I go to is Iron Works on the quay.",
            "I go to the gym in the old station, it is cheaper.",
        ),
        (
            "Köpeği kim gezdiriyor?",
            "Köpeği akşamları Mert gezdiriyor.",
            "Köpeği akşamları komşunun kızı gezdiriyor.",
        ),
    ],
)
def test_the_newer_of_two_answers_stands_first(
    engine: Engine, question: str, old: str, new: str
) -> None:
    assert first(engine, question, old, new) == new


@each_row(
    ("question", "old", "new"),
    [
        ("What phone do I have?", "My phone is a Pixel.", "I got an iPhone, the Pixel is dead."),
        ("Where do I live?", "I live in Tucson with my dad.", "We are in Phoenix, Tucson is over."),
        (
            "What car do I drive?",
            "I drive a Saab.",
            "The Saab is sold, a Dacia stands in the yard.",
        ),
        ("Which gym do I go to?", "I go to Ironworks.", "I left Ironworks, Studio Nove is nearer."),
        ("Hangi telefonu var?", "Telefonum bir Pixel.", "iPhone geldi, Pixel bozuldu."),
        (
            "Welches Auto fahre ich?",
            "Ich fahre einen Saab.",
            "Der Saab ist verkauft, ein Dacia steht da.",
        ),
        ("¿Qué coche tengo?", "Tengo un Saab.", "Vendí el Saab, hay un Dacia en el patio."),
        ("Quelle voiture ai-je ?", "J'ai une Saab.", "La Saab est vendue, une Dacia est là."),
    ],
)
def test_what_says_that_the_older_answer_is_over_stands_first(
    engine: Engine, question: str, old: str, new: str
) -> None:
    """It shares hardly a word with the question, and it need not say what the question asks for."""
    assert first(engine, question, old, new) == new


@each_row(
    ("question", "old", "new", "speakers"),
    [
        (
            "Where did I live in 2019?",
            "I live in Leeds, in a flat on Cardigan Road, it is 2019.",
            "I live in Bristol, in a flat on Ashley Road.",
            (None, None),
        ),
        (
            "What time does the library close?",
            "The library closes at nine.",
            "The library closes its doors gently, a nice touch.",
            (None, None),
        ),
        (
            "What shampoo do I use?",
            "The shampoo I use is the almond one.",
            "If I use a nettle shampoo, will it smell of tea?",
            (None, None),
        ),
        (
            "What shampoo do I use?",
            "The shampoo I use is the almond one.",
            "The nettle shampoo that I used to have smelled of tea.",
            (None, None),
        ),
        (
            "What time does the library close?",
            "The library closes at nine.",
            "The library closes at six, cuts in the budget.",
            ("Ann", "Ben"),
        ),
        ("Who helps in my shop?", "Bee helps in my shop.", "Bee has one tooth left.", (None, None)),
        ("What phone do I have?", "My phone is a Pixel.", "Is the Pixel dead?", (None, None)),
        ("What phone do I have?", "My phone is a Pixel.", "Ben's Pixel is dead.", ("Ann", "Ben")),
    ],
)
def test_what_does_not_answer_it_newly_stands_behind(
    engine: Engine, question: str, old: str, new: str, speakers: tuple[str | None, str | None]
) -> None:
    """The past, another kind of answer, a question, a memory of former times, another speaker."""
    assert first(engine, question, old, new, speakers=speakers) == old


@each_row(
    ("told", "asked"),
    [
        (
            "I drink my coffee black.",
            "How do I drink my coffee now? Joao keeps asking.",
        ),
        ("My blood type is A positive.", "What is my blood type?"),
        ("The wifi password stands under the router.", "Where do I find the wifi password?"),
    ],
)
def test_a_stored_question_stands_behind_its_answer(engine: Engine, told: str, asked: str) -> None:
    assert first(engine, asked.partition("?")[0] + "?", told, asked) == told
