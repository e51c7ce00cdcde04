"""What a new statement does to an old one, with and without cue words: ends it, may end it, nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogmem_core.languages import LANGUAGES, packs
from cogmem_core.text.compare import contradicts, revision
from cogmem_core.text.compare.retelling import nearness_of_retelling, tells_of_others
from helpers.tables import each_row

HARD = [
    # another value of the same thing
    ("My phone is a Pixel 7.", "My phone is a Fairphone 5."),
    ("Our CI runs on Jenkins.", "Our CI runs on Buildkite."),
    ("I work for Deloitte as an auditor.", "I work for Ørsted as an auditor."),
    ("The staging server runs Ubuntu 20.04.", "The staging server runs Ubuntu 24.04."),
    ("My GP is Dr. Lindqvist.", "My GP is Dr. Achebe."),
    ("Telefon operatörüm Turkcell.", "Telefon operatörüm Vodafone."),
    ("My phone number is 555 0101.", "My new phone number is 555 7777"),
    ("Lives in Lisbon", "Lives in Porto"),
    # corrections
    (
        "We're 12 people on the data team.",
        "Sorry, I was wrong about the data team, we're 14, not 12.",
    ),
    # denials
    ("I smoke about half a pack a day.", "I don't smoke."),
    ("I'm allergic to walnuts.", "Turns out I'm not allergic to walnuts."),
    ("I live in Berlin.", "It is not true that I live in Berlin."),
    ("I work at Siemens as an engineer", "I no longer work at Siemens"),
    ("Balık sevmem, kokusu dokunur.", "Balık severim."),
    # ends
    ("I drive a Skoda Octavia.", "I sold the Skoda"),
    ("I pay for Spotify Premium.", "Cancelled Spotify yesterday and went over to Tidal."),
    ("The meeting is on Tuesday at 9.", "The meeting is cancelled."),
    (
        "I'm going to apply for the product owner role.",
        "I've dropped the plan to apply for the product owner role.",
    ),
    ("Our office is in Shoreditch.", "Our office has moved to King's Cross."),
    ("Arabam dizel bir Megane.", "Megane'ı sattım, şimdi elektrikli bir Togg kullanıyorum."),
]

SOFT = [
    ("Maaşım 58 bin lira.", "zam geldi sonunda, maasim 74 bin lira"),
    ("My phone number is 555 0101.", "new number: 555 0102"),
    ("My email is rosa@acme.com", "I changed my email to rosa@delta.io"),
    ("I was born in Plovdiv.", "Wait, I told you Plovdiv but I was born in Burgas."),
    ("Toplantı salonu B204, üçüncü katta.", "Düzeltiyorum: toplantı salonu B204 değil B402."),
    ("Kardeşim Umut Eskişehir'de okuyor.", "Umut Eskişehir'de değil Kütahya'da okuyor."),
    ("I have no siblings.", "I have siblings, two older brothers."),
    ("My wife takes ramipril 10 mg.", "The cardiologist raised her ramipril to 7.5 mg."),
    ("Our daughter's bedtime is 8 pm.", "We moved her bedtime to 9 pm."),
    ("Our boat is called Puffin", "Actually the boat's name is Petrel"),
    ("I prefer window seats on planes.", "I prefer aisle seats on planes."),
    ("I don't like mornings.", "I like quiet mornings with coffee."),
    ("The server runs Ubuntu.", "The server runs Postgres."),
    # for a while, under a condition
    ("I live in Gdansk.", "I live in Gdynia while they paint my flat."),
    ("The build takes 12 minutes.", "The build takes 20 minutes on Windows."),
    ("The upload limit is 25 MB.", "Upload limit raised to 50 MB for enterprise customers."),
    ("Entry costs 8 euros.", "Entry now costs 5 euros at weekends."),
    ("Our project manager is Sam.", "Our project manager is now Zoe for the app."),
    (
        "Die Geb\u00fchr betr\u00e4gt 8 Euro.",
        "Die Geb\u00fchr betr\u00e4gt jetzt 5 Euro f\u00fcr Studenten.",
    ),
    # what took place stays true
    ("Sent the quote to Tilda: 40 seats, 39 euros.", "Tilda wants 55 seats instead of 40."),
    # one of two days, one of two figures is another one
    ("Hofmann AG signed for 12 seats at 45 euros each.", "Hofmann upgraded to 20 seats."),
    (
        "Football practice is Tuesdays and Thursdays at 17:30.",
        "Football practice moved to Mondays and Thursdays.",
    ),
    # something else is used
    ("We chat on Slack.", "Slack got too noisy, we switched to Zulip."),
    ("Payroll is done by Jackson.", "Jackson messed up twice, we switched to Gusto."),
    ("My bank is Barclays.", "Barclays kept charging me, I went over to Monzo."),
    ("Wir chatten \u00fcber Slack.", "Slack war zu teuer, wir sind zu Zulip gewechselt."),
    ("\u015eirkette Slack kullan\u0131yoruz.", "Slack pahal\u0131yd\u0131, Zulip'e ge\u00e7tik."),
    ("We're on Node 18.", "We upgraded Node to 22."),
    (
        "My car is a 2014 Skoda Octavia, dark green.",
        "I drive a dark green Skoda Octavia from 2014.",
    ),
]

NOTHING = [
    # somebody else's, and the speaker's own
    ("My wife takes ramipril 10 mg.", "The cardiologist raised my ramipril to 7.5 mg."),
    ("My wife takes ramipril 10 mg.", "They raised my ramipril to 7.5 mg."),
    ("My daughter runs 5 km every Sunday.", "I've upgraded to 10 km every Sunday."),
    # remarks about a value
    ("My salary is 3,000 euros", "My salary is paid late"),
    ("My job is teaching.", "My job is stressful"),
    ("My boss is Klaus", "My boss is German"),
    ("My cat is named Mochi", "My cat is named after a dessert"),
    ("The backup disk is 4 TB.", "The backup disk is on loan to Stefan."),
    # other circumstances
    ("The gym opens at 7 on weekdays", "The gym opens at 9 on weekends"),
    ("I take 5 mg in the morning", "I take 10 mg in the evening"),
    ("My flight to Denver is UA 1421.", "My flight home from Denver is UA 1412."),
    # other things and persons
    ("My sister lives in Rome", "My brother lives in Rome"),
    ("My passport expires in March 2027.", "My wife's passport expires in August 2029."),
    (
        "The checkout service has a timeout of 30 seconds.",
        "The search service has a timeout of 5 seconds.",
    ),
    ("My niece Paula is in second grade.", "No wait, Leon is in third grade already, not second."),
    ("The platform team has 12 people too.", "We're 14 on the data team, not 12."),
    ("My brother is Tom.", "My brother is Sam."),
    ("I don't like working with the vendor Kestrel.", "I like working with the vendor Osprey."),
    # events
    ("I moved from Leeds to Bristol in 2014.", "I moved from Bristol to Leeds in 2021."),
    (
        "In April I paid the plumber 180 euros for the sink.",
        "In November I paid the plumber 240 euros.",
    ),
    ("The server went down on 6 October.", "The server went down on 21 October."),
    (
        "The orders table has 3 million rows.",
        "someone dropped the orders table, we are losing everything",
    ),
    # what only sounds like an end
    ("Dr. Shah put the ramipril up to 10 mg.", "Dr. Shah retired; my new GP is Dr. Okafor."),
    ("Slack's office is in Denver.", "Slack got too noisy, we switched to Zulip."),
    ("I met Leo at a Slack meetup.", "Slack got too noisy, we switched to Zulip."),
    ("We chat on Slack.", "Slack is noisy, maybe we switch to Zulip one day."),
    ("Our office is in Shoreditch.", "I left the office at six."),
    ("My phone is a Pixel 7.", "I dropped my phone this morning."),
    ("The keys are in the drawer.", "I lost the keys."),
    ("I have a dog called Rex.", "I lost the dog in the park but found him again."),
    ("My wife's car is a Volvo.", "I sold my car."),
    ("I work at Siemens.", "I quit smoking at Siemens."),
    # values that answer different questions
    ("My house is 80 m2.", "My house is 12 years old."),
    ("The class has 20 pupils.", "The class has 2 teachers."),
    ("The API limit is 100 requests.", "The API limit is 60 seconds."),
    ("I work for Acme.", "I work on Mondays."),
    ("I work as a nurse.", "I work at Santa Maria."),
    ("My name is Ann.", "My name is Welsh."),
    # other things, places that are no towns, questions
    ("Our dog and cat are here", "I renamed our cat to Miso"),
    ("My sister is at home", "My sister moved to Porto"),
    ("Do I live in Lisbon?", "I live in Porto"),
    ("I walked to the lake", "I walked from the lake"),
    ("I live in Porto", "I moved back to Portugal"),
    ("The christening is on 15 June.", "Sorry, I was wrong: the wedding is on 18 June."),
    # a denial of one day, and of what is over anyway
    ("I run every morning.", "I didn't run today."),
    ("I used to smoke.", "I don't smoke."),
    # a denial of a part
    ("I eat meat.", "I don't eat much meat."),
    ("Balık sevmem.", "Balık aldım."),
    # wishes, plans, hearsay, the past, quotations, questions
    ("I live in Lisbon.", "I would live in Porto if I could."),
    ("I live in Lisbon.", "I dreamt I live in Porto now."),
    ("I live in Lisbon.", 'She wrote "I live in Porto now".'),
    ("My phone is a Pixel 7.", "Is my phone a Fairphone 5?"),
    # two languages, two persons
    ("Telefonum bir Pixel.", "My phone is a Fairphone 5."),
]


def grade(old: str, new: str) -> str:
    """What the new statement does to the old one."""
    found = revision(new, old, same_speaker=True)
    return found.grade if found else "none"


def test_what_ends_an_older_statement() -> None:
    """Another value of a thing with one value, a correction, a denial, an end."""
    assert [pair for pair in HARD if grade(*pair) != "hard"] == []


def test_what_may_be_a_newer_version() -> None:
    """A value of a habit, or the same in other words: both are kept."""
    assert [pair for pair in SOFT if grade(*pair) != "soft"] == []


def test_what_leaves_an_older_statement_alone() -> None:
    """Remarks, other circumstances, other things, events, and what is not so."""
    assert [(pair, grade(*pair)) for pair in NOTHING if grade(*pair) != "none"] == []


def test_another_person_changes_nothing_personal() -> None:
    """What Ben says of "my phone" is not about Ana's."""
    found = revision("My phone is a Fairphone 5.", "My phone is a Pixel 7.", same_speaker=False)
    assert found is None


def test_a_figure_that_comes_twice_is_not_one_that_comes_once() -> None:
    """However near the vectors are: invoice 0 of client 0 is another one than invoice 5 of client 0."""
    for new, old in (
        ("Invoice 5 of client 0", "Invoice 0 of client 0"),
        ("Invoice 0 of client 0", "Invoice 5 of client 0"),
    ):
        assert revision(new, old, same_speaker=True, nearness=0.99) is None, new


def test_an_ending_shows_whose_it_is_where_no_language_is_shown() -> None:
    """ "Kedim" is the cat of the one who says it."""
    assert revision("Kedim Limon", "Kedim Pamuk", same_speaker=False) is None


def test_a_language_that_lacks_rules_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What would be over has changed at most."""
    pair = ("My phone is a Fairphone 5.", "My phone is a Pixel 7.")
    ended = ("I no longer work at Siemens", "I work at Siemens as an engineer")
    known = revision(*pair, same_speaker=True)
    assert known
    assert contradicts(*ended, same_speaker=True, similarity=0.7)
    lacking = replace(LANGUAGES["en"], lacks=frozenset(("revisions", "contradictions")))
    own = packs._own
    monkeypatch.setattr(packs, "_own", lambda code: lacking if code == "en" else own(code))
    found = revision(*pair, same_speaker=True)
    assert found
    assert found.grade == "soft"
    assert contradicts(*ended, same_speaker=True, similarity=0.7) is None


@each_row(
    "new, old",
    [
        ("I walked from the lake", "I walked to the lake"),
        ("It is so", "It is"),
        ("My sister plays the violin", "My sister bakes sourdough on Sundays in her kitchen"),
    ],
)
def test_no_nearness_makes_one_a_retelling_of_the_other(new: str, old: str) -> None:
    """The other direction, nothing told, too few words in common."""
    assert nearness_of_retelling(new, old) > 1.0


def test_long_texts_do_not_plainly_tell_of_others() -> None:
    """They are not compared word by word."""
    long = " ".join(f"w{first}{second}" for first in "abcde" for second in "klmnopqrs")
    assert tells_of_others("I saw Rosa", "My sister saw Ben") is True
    assert tells_of_others(f"I saw {long}", "My sister saw Ben") is False


@each_row(
    "new, old, grade",
    [
        ("I live in Malaga in summer", "I live in Lisbon", "soft"),
        ("In winter I live in Porto", "I live in Lisbon", "soft"),
        ("I live in Malaga", "I live in Lisbon", "hard"),
    ],
)
def test_what_holds_at_some_season_only_ends_nothing(new: str, old: str, grade: str) -> None:
    """The rest of the year the older statement may hold."""
    found = revision(new, old, same_speaker=True)
    assert found is not None
    assert found.grade == grade


@each_row(
    "new",
    ["I moved to Porto last week", "I moved to Porto on Monday", "I moved to Porto yesterday"],
)
def test_the_day_of_a_move_is_no_condition(new: str) -> None:
    """It says when the new home began."""
    assert contradicts(new, "I live in Lisbon", same_speaker=True, similarity=0.6)
