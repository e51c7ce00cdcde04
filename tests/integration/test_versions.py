"""Version chains: a statement that may have taken the place of another one; nothing is lost."""

from datetime import datetime, timedelta, timezone

import cogmem_core
from cogmem_core import MemoryBank

NOW = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
OLD = "I wear black boots at work."
NEW = "I wear brown boots at work."
QUESTION = "Which boots do I wear at work?"

ENGINE = {"embedder": "hashing", "clock": None, "config": None}
NAMESPACE = "ana"


def said(bank: MemoryBank, text: str, days_ago: int) -> str:
    report = bank.remember(text, at=NOW - timedelta(days=days_ago))
    return report.receipts[0].memory_ids[0]


def test_both_stay_and_the_newer_one_comes_first(bank: MemoryBank) -> None:
    """Nothing shows that the older one ended: it stands behind, and says so."""
    old = said(bank, OLD, 60)
    report = bank.remember(NEW, at=NOW)
    new = report.receipts[0].memory_ids[0]
    assert report.receipts[0].status == "stored"
    assert report.receipts[0].reason.startswith("may be a newer version: ")
    assert [version.id for version in bank.versions(old)] == [new, old]
    results = bank.recall(QUESTION, floor=0.0).results
    assert [(item.content, item.earlier) for item in results[:2]] == [(NEW, False), (OLD, True)]
    context = bank.recall(QUESTION, floor=0.0).context()
    assert "- earlier (2026-04-02" in context


def test_the_newest_is_brought_along_where_only_the_older_one_is_found(bank: MemoryBank) -> None:
    """One result is wanted: it is the newest version, not the one that fits the words best."""
    said(bank, OLD, 60)
    said(bank, NEW, 0)
    results = bank.recall("black boots at work", k=1, floor=0.0).results
    assert [item.content for item in results] == [NEW]


def test_of_a_statement_about_two_things_the_newer_version_is_that_of_what_is_asked(
    bank: MemoryBank,
) -> None:
    """Each part may have a newer version; what changes the other part stands nowhere before it."""
    both = "Yoga is on Tuesdays and I swim on Saturdays."
    yoga, swimming = "Yoga has moved to Thursdays.", "I gave up swimming, the pool closed down."
    said(bank, both, 60)
    said(bank, yoga, 30)
    said(bank, swimming, 0)
    for question, newer in (("When is yoga?", yoga), ("Do I swim on Saturdays?", swimming)):
        found = bank.recall(question, floor=0.0).results
        order = {item.content: place for place, item in enumerate(found)}
        assert found[0].content == newer
        assert found[order[both]].earlier


def test_an_older_statement_that_is_learnt_later_stays_older(bank: MemoryBank) -> None:
    """What was said first counts, not what was imported first."""
    new = said(bank, NEW, 0)
    old = said(bank, OLD, 60)
    assert [version.id for version in bank.versions(new)] == [new, old]
    results = bank.recall(QUESTION, floor=0.0).results
    assert results[0].content == NEW


def test_a_person_settles_which_version_holds(bank: MemoryBank) -> None:
    """The others are superseded by it, and can be restored."""
    old = said(bank, OLD, 60)
    new = said(bank, NEW, 0)
    receipt = bank.settle_versions(keep=old)
    assert receipt.memory_ids == (new,)
    assert bank.get(new).state == "superseded"
    assert bank.get(new).superseded_by == old
    assert [version.id for version in bank.versions(old)] == [old]
    assert bank.restore(new).state == "active"


def test_a_memory_without_versions_is_its_only_one(bank: MemoryBank) -> None:
    """And settling it changes nothing."""
    only = said(bank, "I play the cello.", 3)
    assert [version.id for version in bank.versions(only)] == [only]
    assert bank.settle_versions(keep=only).memory_ids == ()


def test_an_assistant_makes_no_newer_version_of_what_a_person_said(bank: MemoryBank) -> None:
    """It may be remembered, but the person's own words stay first."""
    old = said(bank, OLD, 60)
    turn = cogmem_core.Turn(NEW, role="assistant", at=NOW)
    bank.remember([turn])
    assert [version.id for version in bank.versions(old)] == [old]


def test_what_is_asked_not_to_be_remembered_is_not(bank: MemoryBank) -> None:
    """Nor is a request, a question in any script, or a wish to forget."""
    refused = {
        "Don't remember this: my salary is 3,000 euros.": "asked_not_to",
        "Forget my salary": "forget_request",
        "Send a mail to my sister": "request",
        "Tell me where I live.": "question",
        "Translate this to German: I live in Porto": "request",
        "**Where do I live?**": "question",
        "Where do I live？": "question",
        "I live in Oslo?!": "question",
    }
    seen = {text: bank.remember(text).receipts[0] for text in refused}
    assert {text: receipt.status for text, receipt in seen.items()} == dict.fromkeys(
        refused, "skipped"
    )
    assert {text: receipt.reason for text, receipt in seen.items()} == refused


def test_what_is_told_is_remembered_however_it_is_introduced(bank: MemoryBank) -> None:
    """Requests to remember, and standing wishes, tell something."""
    told = [
        "Remember this: my phone number is 555 0101.",
        "Please update my profile: I live in Munich now.",
        "Always write dates as 2026-05-01.",
        "Show horses are my hobby.",
        "I have to send a mail to my sister today.",
        "Order a new bike, I lost mine.",
        "Write me a poem for my sister Ana, she turns 40 on Friday.",
        "Forget what I said about Berlin, I live in Porto.",
        "Forget my salary. I work at Acme now.",
    ]
    assert {bank.remember(text).receipts[0].status for text in told} == {"stored"}


def test_a_weekly_appointment_said_again_is_no_second_memory(bank: MemoryBank) -> None:
    """The words name a day, but it comes round every week."""
    first = said(bank, "My tango class is every Thursday at 19:00.", 20)
    again = bank.remember("My tango class is every Thursday at 19:00.", at=NOW).receipts[0]
    assert (again.status, again.memory_ids) == ("reinforced", (first,))
