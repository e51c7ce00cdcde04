"""From when and until when a statement holds, as its words say."""

from __future__ import annotations

import json
from datetime import datetime
from itertools import product
from pathlib import Path
from zoneinfo import ZoneInfo

from cogmem_core.config import Config
from cogmem_core.encoding.facts import ObservedTurn
from cogmem_core.encoding.formation import FactBuilder
from cogmem_core.models import Episode
from cogmem_core.text.rewrite.foresight import ending_of, foresee
from cogmem_core.text.time.find import find_times, first_time, normalise
from cogmem_core.text.time.rules import tells_habit
from cogmem_core.text.time.tense import only_looks_back
from helpers.tables import each_row

NOW = datetime(2026, 5, 13, 10, tzinfo=ZoneInfo("Europe/London"))
"""A Wednesday."""
TABLE = json.loads(
    (Path(__file__).parents[2] / "data" / "facts_beside_plans.json").read_text(encoding="utf-8")
)


def ends(text: str) -> tuple[str | None, str | None, bool]:
    """The first and the last day, and whether it is a plan."""
    begin, end, planned = ending_of(text, NOW)
    return (begin and f"{begin:%Y-%m-%d}", end and f"{end:%Y-%m-%d}", planned)


@each_row(
    ("text", "expected"),
    [
        ("We kept bees until 2017.", (None, "2017-12-31", False)),
        ("My visa is good till 4 November.", (None, "2026-11-04", False)),
        ("The permit runs through March 2028.", (None, "2028-03-31", False)),
        ("I'm in Turin up to the end of this month.", (None, "2026-05-31", False)),
        ("I'm on call until this Sunday.", (None, "2026-05-17", False)),
        ("Before 2012 we owned a kiosk.", (None, "2011-12-31", False)),
        ("I have to cancel the gym before Friday.", (None, "2026-05-14", False)),
        ("From 1999 to 2003 I sang in a choir.", ("1999-01-01", "2003-12-31", False)),
        ("I taught in Riga from 2011-2013.", ("2011-01-01", "2013-12-31", False)),
        ("I'm away from 3 to 7 June 2026.", ("2026-06-03", "2026-06-07", False)),
        ("June 3-7 I'm away.", ("2026-06-03", "2026-06-07", False)),
        ("I will be away between 3 and 7 June.", ("2026-06-03", "2026-06-07", True)),
        ("I'll be in Bonn from Tuesday to Thursday.", ("2026-05-19", "2026-05-21", True)),
        ("I'll be in Bonn from Monday to Sunday.", ("2026-05-18", "2026-05-24", True)),
        ("Since 2020 I have had a beard.", ("2020-01-01", None, False)),
        ("As of 1 August I'm at Nordlicht.", ("2026-08-01", None, False)),
        ("2017'ye kadar arıcılık yaptım.", (None, "2017-12-31", False)),
        ("Vizem 4 Kasım 2026'ya kadar geçerli.", (None, "2026-11-04", False)),
        ("Ay sonuna kadar Torino'dayım.", (None, "2026-05-31", False)),
        ("1999'dan 2003'e kadar koroda söyledim.", ("1999-01-01", "2003-12-31", False)),
        ("2011 ile 2013 arasında Riga'da çalıştım.", ("2011-01-01", "2013-12-31", False)),
        ("2020'den beri sakallıyım.", ("2020-01-01", None, False)),
        ("2012'den önce büfe işletiyordum.", (None, "2011-12-31", False)),
    ],
)
def test_a_period_begins_and_ends(text: str, expected: tuple[str | None, str | None, bool]) -> None:
    """Until, till and before close it, since and from open it, from-to does both."""
    assert ends(text) == expected


@each_row(
    "text",
    [
        "I didn't ride a bike until 2016.",
        "I was born before 2000.",
        "I never smoked before 2000, nor did I have a car.",
        "Before 2012 we didn't have a kiosk.",
        "The bakery is open until 6 pm.",
        "I have been a vegan until today.",
        "I worked at a kiosk until 2012, now I teach.",
        "The rink is here from October to March.",
        "I work from Tuesday to Saturday.",
        "From 2019 to 2015 I lived in Oslo.",
        "Between 7 and 3 June nothing happened.",
        "2016'ya kadar bisiklete binmedim.",
        "Salıdan cumartesiye çalışıyorum.",
        "Is the permit good until 2027?",
        "The choir sings on the last Thursday of the month.",
        "We have a lunch on the second Friday of each month.",
        "The flea market is on every other Saturday.",
        "Paper goes out on alternate Thursdays.",
        "I teach Monday, Wednesday and Friday.",
        "My pottery course is Tuesday and Thursday.",
        "The weekly retro is on Friday at 3.",
        "Keman dersim salı ve perşembe akşamları.",
        "Pilates derslerim pazartesi ve cuma.",
        "El judo de Mateo es los jueves a las seis.",
        "Tengo clase de inglés los lunes y miércoles.",
        "Der Stammtisch ist jeden ersten Freitag im Monat.",
        "Le cours de danse est le mardi et le jeudi.",
    ],
)
def test_what_only_looks_like_an_end_is_none(text: str) -> None:
    """Hours, days that come back, what has been so since, and what holds now: it lasts."""
    assert ends(text)[1] is None


@each_row(
    ("text", "day"),
    [
        ("I'll send the crate by Friday.", "2026-05-15"),
        ("I'm going to repot the fern.", "2026-05-20"),
        ("I will settle the bill within two weeks.", "2026-05-27"),
        ("Faturayı iki hafta içinde ödeyeceğim.", "2026-05-27"),
        ("My train is on Monday.", "2026-05-18"),
        ("The interview is on 12 June 2026 at 10:00.", "2026-06-12"),
        ("We're planning a party for 30 May.", "2026-05-30"),
        ("Friday week I'm seeing the vet.", "2026-05-22"),
        ("Haftaya bugün taşınacağım.", "2026-05-20"),
        ("I won't be in on Monday.", "2026-05-18"),
        ("The first meeting is on Thursday.", "2026-05-14"),
        ("I'll be in Rome on Monday and Tuesday.", "2026-05-19"),
        ("El jueves tengo cita con el médico.", "2026-05-14"),
        ("Jeudi je vais chez le dentiste.", "2026-05-14"),
    ],
)
def test_a_plan_ends_at_its_date(text: str, day: str) -> None:
    """Or after a week, if it has none; blank lines before it are no plans."""
    assert ends(text)[1:] == (day, True)
    plans = foresee(f"  \n\n {text}", NOW)
    assert [(plan.text, f"{plan.valid_until:%Y-%m-%d}") for plan in plans] == [(text, day)]


@each_row(
    "text",
    [
        "I'm going to live by the sea for good.",
        "From now on I'm going to walk to work.",
        "If it snows, I will take the bus.",
        "I won't touch liver.",
        "From June I will have a new desk.",
        "Our anniversary is on 12 August.",
        "I start at the mill on Monday.",
        "My grandfather's will names three cousins.",
        "Ciğer yemeyeceğim.",
        "Bundan sonra işe yürüyeceğim.",
    ],
)
def test_what_lasts_has_no_end(text: str) -> None:
    """Though it speaks of the future."""
    assert ends(text)[1] is None
    assert foresee(text, NOW) == ()


@each_row(
    ("text", "day"),
    [
        ("The Monday before last I saw a heron.", "2026-05-04"),
        ("The week before last I was ill.", "2026-04-27"),
        ("The night before last I saw a heron.", "2026-05-11"),
        ("Three weeks ago I saw a heron.", "2026-04-22"),
        ("A year ago today I saw a heron.", "2025-05-13"),
        ("At the beginning of the month I saw a heron.", "2026-05-01"),
        ("At the end of 2024 I saw a heron.", "2024-12-31"),
        ("At the end of March 2025 I saw a heron.", "2025-03-31"),
        ("At the end of April I saw a heron.", "2026-04-30"),
        ("At the end of last year I saw a heron.", "2025-12-31"),
        ("A week from Monday I'll see the heron.", "2026-05-25"),
        ("Ayın 6'sında balıkçıl gördüm.", "2026-05-06"),
        ("Yıl başında balıkçıl gördüm.", "2026-01-01"),
        ("Nisan sonunda balıkçıl gördüm.", "2026-04-30"),
        ("Önceki gün balıkçıl gördüm.", "2026-05-11"),
        ("Our dog is called Monday.", None),
        ("We have a dog called Monday.", None),
        ("My aunt called Monday.", "2026-05-11"),
        ("I'll call them Monday.", "2026-05-18"),
        ("Monday is our dog.", None),
        ("Pazar adında bir kedim var.", None),
        ("The mill pays within 30 days.", None),
        ("Rent is due on the 3rd.", None),
        ("Kira ayın 3'ünde ödenir.", None),
        ("Tuesday is pasta night.", None),
        ("Judo is on Monday evenings.", None),
    ],
)
def test_the_day_that_is_meant(text: str, day: str | None) -> None:
    """Names are no days, and what comes back each week or month has none of its own."""
    moment = first_time(text, NOW)
    assert (moment and f"{moment:%Y-%m-%d}") == day


@each_row(
    "text",
    [
        "My dog is called Friday.",
        "The firm pays within 30 days.",
        "Rent is due on the 3rd.",
        "Köpeğimin adı Cuma.",
        "Firma 30 gün içinde öder.",
    ],
)
def test_what_is_no_date_stays_as_it_was_said(text: str) -> None:
    """No date is written in the place of a name, a duration or what comes back."""
    assert normalise(text, NOW) == text


def test_what_comes_back_is_no_event() -> None:
    """Said twice it is the same, whenever it is said."""
    habits = ("Rent is due on the 3rd.", "My birthday is 3 May.", "I work Monday to Friday.")
    assert all(map(tells_habit, (*habits, "I usually call in May.")))
    assert not tells_habit("We met on 3 May.")


def test_a_question_about_the_past() -> None:
    """Words of the past alone; one of the present is enough to ask about the present."""
    assert only_looks_back("where was i flying last week?")
    assert not only_looks_back("what did i say my number is?")
    assert not only_looks_back("naples")


def test_an_end_in_words_of_others_is_none() -> None:
    """Within quotation marks nothing ends."""
    assert ends('My motto is "dance until 2030".') == (None, None, False)


def test_the_days_of_a_month_stand_for_themselves() -> None:
    """Two days of one month are one period, with its year or the nearest one."""
    found = find_times("from 3 to 7 June 2024 and 8-9 July", NOW)
    assert [(f"{time.first:%Y-%m-%d}", f"{time.last:%Y-%m-%d}") for time in found] == [
        ("2024-06-03", "2024-06-07"),
        ("2026-07-08", "2026-07-09"),
    ]


def memories(text: str) -> list[tuple[str, bool]]:
    """What is kept of a turn, and whether it has an end."""
    episode = Episode(
        id="e", namespace="n", role="user", content=text, at=NOW, speaker=None, recorded_at=NOW
    )
    facts = FactBuilder(Config(), lambda: "m").turn_or_sentences(ObservedTurn(episode, text))
    return [(fact.content, fact.valid_until is not None) for fact in facts]


def combined(row: dict[str, list[str]]) -> list[tuple[str, str]]:
    """Each fact that holds, beside each plan, in each way; with the fact."""
    texts = []
    for fact, plan, join in product(row["facts"], row["plans"], row["joins"]):
        words = {"f": fact, "p": plan, "F": fact[0].upper() + fact[1:]}
        text = join.format(**words, P=plan[0].upper() + plan[1:])
        texts.append((fact, text[0].upper() + text[1:] + "."))
    return texts


@each_row("row", TABLE["combined"])
def test_what_holds_has_no_end_beside_a_plan(row: dict[str, list[str]]) -> None:
    """Whatever joins the two: an end belongs to a clause."""
    lost = [
        text
        for fact, text in combined(row)
        if all(ends for said, ends in memories(text) if fact.casefold() in said.casefold())
    ]
    assert lost == []


def test_the_table_has_all_that_is_claimed() -> None:
    """480 combinations in English, and siblings in further languages."""
    assert len(combined(TABLE["combined"][0])) == 480
    assert sum(len(combined(row)) for row in TABLE["combined"]) == 2032
    assert {row["language"] for row in TABLE["combined"]} == {"en", "de", "tr", "fr", "es"}


def test_what_is_only_a_plan_still_ends() -> None:
    """However many places, people and hours it names; in doubt it holds on."""
    for ends_, texts in ((True, TABLE["plans"]["ending"]), (False, TABLE["plans"]["unsure"])):
        assert [text for text in texts if any(e for _, e in memories(text)) != ends_] == []
    assert len(TABLE["plans"]["ending"]) == 48
    assert len(TABLE["plans"]["unsure"]) == 5
