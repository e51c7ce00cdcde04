"""Of two statements that answer a question about the present nearly equally well, the newer one stands first.

Without a chain between them: nothing showed that the one took the place of the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from itertools import count
from typing import Literal

import pytest

import cogmem_core
from cogmem_core import Engine, MemoryBank, Turn
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


def told(
    engine: Engine,
    *texts: str,
    speakers: tuple[str | None, ...] = (None, None, None),
    mode: Literal["auto", "raw"] = "raw",
) -> MemoryBank:
    """A bank to which the texts were told after others, with a month between them."""
    bank = engine.bank(f"bank {next(NUMBERS)}")
    turns = [*zip(OTHERS, [None] * len(OTHERS), strict=True), *zip(texts, speakers, strict=False)]
    for number, (text, speaker) in enumerate(turns):
        at = NOW - timedelta(days=30 * (len(turns) - number))
        bank.remember(Turn(content=text, at=at, speaker=speaker), mode=mode)
    return bank


def first(
    engine: Engine,
    question: str,
    *texts: str,
    speakers: tuple[str | None, ...] = (None, None, None),
    mode: Literal["auto", "raw"] = "raw",
) -> str:
    """The first result of such a bank."""
    bank = told(engine, *texts, speakers=speakers, mode=mode)
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
        (
            "Where does my brother Tom work?",
            "My brother Tom works at Volvo.",
            "Tom has started at Scania.",
        ),
        ("When is yoga?", "Yoga is on Tuesdays at 18:00.", "From now on yoga is on Thursdays."),
        (
            "How much levothyroxine do I take?",
            "I take levothyroxine 50 mcg.",
            "My GP bumped me up to 75 mcg.",
        ),
    ],
)
def test_a_newer_version_stands_first(engine: Engine, question: str, old: str, new: str) -> None:
    """Each tells a part of it, and both are kept."""
    bank = told(engine, old, new, mode="auto")
    found = bank.recall(question, floor=0).results
    assert [(item.content, item.earlier) for item in found[:2]] == [(new, False), (old, True)]


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
    ("question", "old", "new"),
    [
        (
            "Which gym do I go to?",
            "I work out at Fit Factory.",
            "First class at Urban Moves today, I can hardly walk.",
        ),
        ("How do I commute?", "I take the tram to work.", "I've started cycling to the office."),
        ("In which town is my house?", "My house is in Ghent.", "We moved to Bruges."),
        ("Okula nasıl gidiyorum?", "Okula otobüsle gidiyorum.", "Okula bisikletle gidiyorum."),
    ],
)
def test_the_later_answer_stands_first_in_whatever_words(
    engine: Engine, question: str, old: str, new: str
) -> None:
    """However little it has in common with the question and the older answer."""
    assert first(engine, question, old, new) == new
    assert first(engine, question, new, old) == old


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
        (
            "How do I get to work?",
            "I get to work by tram.",
            "My husband gets to work by tram and bus.",
            (None, None),
        ),
        (
            "Which medication do I take?",
            "I take sertraline.",
            "My mother takes bupropion.",
            (None, None),
        ),
        (
            "When do I run?",
            "I run on Tuesdays and swim on Fridays.",
            "I gave up swimming.",
            (None, None),
        ),
        (
            "Where do I live?",
            "I live in Granada with my cat Pelusa.",
            "Pelusa no longer takes the pill.",
            (None, None),
        ),
        (
            "\u00bfD\u00f3nde vivo?",
            "Vivo en Granada con mi gato Pelusa.",
            "Pelusa ya no toma la pastilla.",
            (None, None),
        ),
        (
            "Nerede ya\u015f\u0131yorum?",
            "Eski\u015fehir'de ya\u015f\u0131yorum, e\u015fim Derya \u00f6\u011fretmen.",
            "Derya \u00e7ay\u0131 b\u0131rakt\u0131.",
            (None, None),
        ),
        (
            "What does my husband do?",
            "My husband Tom is a translator.",
            "Tom stopped eating meat.",
            (None, None),
        ),
        (
            "What's my blood pressure?",
            "Blood pressure this morning 145 over 90.",
            "I stopped walking in the mornings, I swim at the pool instead.",
            (None, None),
        ),
        (
            "Who owns billing?",
            "Nina owns the billing service, Omar owns search.",
            "Omar left; search belongs to Priti now.",
            (None, None),
        ),
        (
            "Who is Agnieszka?",
            "My sister Agnieszka lives in Gdansk.",
            "Agnieszka moved her wedding to 3 October.",
            (None, None),
        ),
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
        ("Agnieszka sells boats.", "Who is Agnieszka? I forgot."),
        ("The wifi password stands under the router.", "Where do I find the wifi password?"),
    ],
)
def test_a_stored_question_stands_behind_its_answer(engine: Engine, told: str, asked: str) -> None:
    assert first(engine, asked.partition("?")[0] + "?", told, asked) == told


@each_row(
    ("question", "former", "between"),
    [
        ("Where is the key?", "I put the key into the study.", "I put the key into the kitchen."),
        ("Where is the ladder?", "The ladder is in the garage.", "The ladder is in the shed."),
        (
            "Where are the passports?",
            "The passports are in the desk.",
            "I moved the passports to the safe.",
        ),
        ("Where do I live?", "I live in Porto.", "I live in Lisbon."),
        ("Where do I work?", "I work at Acme.", "I work at Globex."),
        ("Which phone do I have?", "My phone is a Pixel.", "My phone is an iPhone."),
        ("Who is my dentist?", "My dentist is Dr Wong.", "My dentist is Dr Ames."),
        ("What time do I get up?", "I get up at six.", "I get up at seven."),
        ("Anahtar nerede?", "Anahtarı çalışma odasına koydum.", "Anahtarı mutfağa koydum."),
        ("Wo arbeite ich?", "Ich arbeite bei Siemens.", "Ich arbeite bei Bosch."),
    ],
)
def test_a_value_that_returns_stands_first(
    engine: Engine, question: str, former: str, between: str
) -> None:
    """Said again it is the newest word, though it is no second memory."""
    assert first(engine, question, former, between, former) == former
    assert first(engine, question, former, between, former, mode="auto") == former
    assert first(engine, question, former, former, between) == between


def test_a_value_that_returns_retires_nothing_and_tells_when_it_was_said_again(
    engine: Engine,
) -> None:
    study, kitchen = "I put the key into the study.", "I put the key into the kitchen."
    bank = told(engine, study, kitchen, study, mode="auto")
    found = [memory for memory in bank.list() if "key" in memory.content]
    assert [(memory.content, memory.state) for memory in found] == [
        (study, "active"),
        (kitchen, "active"),
    ]
    returned = found[0]
    assert returned.last_said_at - returned.recorded_at == timedelta(days=60)
    block = bank.recall("Where is the key?").context()
    assert "(2026-08-22, 3 months ago, again last month) I put the key into the study." in block


def test_of_what_speaks_of_many_things_nothing_takes_the_place(engine: Engine) -> None:
    """There may be a chain between two long turns: one thing of several may have changed."""
    museum = (
        "That's awesome, Ana! Congrats on following your dreams. Yesterday I took the kids to the museum, "
        "it was so cool spending time with them and seeing their eyes light up at the dinosaurs."
    )
    music = (
        "That's so cool, Ana! That's a great way to show off and be proud of everyone's skills. You know "
        "I love live music. Can't wait to hear about it, and what they make of it in June!"
    )
    bank = told(engine, museum, music, speakers=("Mel", "Mel", None), mode="auto")
    found = bank.recall("Where did Mel take the kids?", floor=0).results
    assert len(bank.versions(found[0].memory.id)) == 2
    assert [found[0].content, found[0].earlier] == [museum, False]


@each_row(
    ("question", "own", "foreign"),
    [
        ("Where do I live?", "I moved to Porto last week.", "My sister Lena lives in Lisbon."),
        ("Where do I live?", "I'm in Porto these days.", "My parents live in Lisbon."),
        ("Where do I live?", "Our new flat is in Hackney.", "Tom lives in Camden."),
        ("Where do I work?", "I started at Marea on Monday.", "My wife works at Siemens."),
        ("What is my phone number?", "My new number is 555 0199.", "Mum's phone number is 555 01."),
        ("Nerede yaşıyorum?", "Geçen hafta İzmir'e taşındım.", "Kız kardeşim Ankara'da yaşıyor."),
        (
            "What dose of metformin do I take?",
            "Metformin is up to 1000 mg twice a day since today's visit.",
            "My brother takes metformin 850 mg.",
        ),
        ("Wo arbeite ich?", "Ich arbeite bei Bosch.", "Meine Frau arbeitet bei Siemens."),
        ("How many points do I have?", "Points are at 41 now.", "My uncle has 200 points."),
        (
            "When is my dentist appointment?",
            "Dentist appointment moved to 14:30.",
            "My wife's dentist appointment is at 9:15.",
        ),
        ("How much is my rent?", "Rent went up to 1,225 this month.", "My sister pays 900 rent."),
        ("Maaşım ne kadar?", "Zam geldi, maaş 52.000 oldu.", "Arkadaşımın maaşı 70.000 lira."),
        (
            "How old is my dog?",
            "My dog turned six in May.",
            "My neighbour's dog is nine years old.",
        ),
        (
            "How heavy is my rabbit?",
            "My rabbit weighs two kilos.",
            "My uncle's rabbit weighs three kilos.",
        ),
        (
            "When is my sister's birthday?",
            "My sister's birthday is on 12 June.",
            "My boss's birthday is on 4 May.",
        ),
        (
            "Wie alt ist mein Hund?",
            "Mein Hund ist sechs Jahre alt.",
            "Der Hund meiner Nachbarin ist neun Jahre alt.",
        ),
        (
            "What is our cat called?",
            "Our cat is called Momo.",
            "My neighbour's cat is called Felix.",
        ),
        ("Who is my dentist?", "My dentist is Dr Costa.", "My wife's dentist is Dr Alm."),
        ("Wo wohne ich?", "Ich bin nach Bonn gezogen.", "Meine Schwester wohnt in Hamburg."),
        (
            "¿Cuántos años tiene mi gato?",
            "Mi gato tiene tres años.",
            "El gato de mi prima tiene catorce años.",
        ),
        (
            "Quel âge a mon chien ?",
            "Mon chien a six ans.",
            "Le chien de ma voisine a neuf ans.",
        ),
    ],
)
def test_of_the_speaker_before_the_like_of_others(
    engine: Engine, question: str, own: str, foreign: str
) -> None:
    assert first(engine, question, own, foreign) == own
    assert first(engine, question, foreign, own) == own


@each_row(
    ("question", "answer", "other"),
    [
        ("Where do I live?", "I moved to Lisbon last spring.", "I spent a spring in Faro."),
        ("Where do I live?", "We've settled in Ghent since June.", "Flew to Oslo on Monday."),
        ("Where do I live?", "I relocated to Oslo for good.", "I'd love to move to Leeds."),
        ("Where do I work?", "I joined Acme as an analyst.", "Met a client at Globex."),
        ("Where do I work?", "First day at Initech went fine.", "Had an interview at Globex."),
        ("Tell me about my family", "My brother Leo lives in Oslo.", "Tom's sister sells flats."),
        ("What pets do I have?", "We adopted a kitten called Filou.", "A dog barked at night."),
        ("Tell me about my health", "I take ramipril 5 mg every morning.", "The tree looks sick."),
    ],
)
def test_an_answer_in_passing_is_at_least_as_likely_as_not(
    engine: Engine, question: str, answer: str, other: str
) -> None:
    found = told(engine, answer, other).recall(question, floor=0)
    likely = {item.content: item.confidence >= 0.5 for item in found.results}
    assert (found.results[0].content, likely[answer], likely[other]) == (answer, True, False)


@each_row(
    ("question", "answer", "own"),
    [
        ("Where does my sister live?", "My sister Lena lives in Lisbon.", "I live in Porto."),
        ("Where does Lena live?", "My sister Lena lives in Lisbon.", "I live in Porto."),
        (
            "Who helps in my shop?",
            "My sister helps in the shop.",
            "I closed my shop for Bastille Day.",
        ),
        ("Which phone does my sister have?", "My sister has an iPhone.", "I have a Pixel."),
        ("Am I married?", "My sister is getting married.", "I was asked to lead the department."),
        (
            "Where did my brother and I go?",
            "My brother and I went to Rome.",
            "I went to Madrid alone.",
        ),
        (
            "What did I get from my wife?",
            "My wife gave me a watch.",
            "I gave a watch to the museum.",
        ),
    ],
)
def test_where_others_are_asked_about_what_tells_of_them_stands_first(
    engine: Engine, question: str, answer: str, own: str
) -> None:
    assert first(engine, question, answer, own) == answer
    assert first(engine, question, own, answer) == answer
