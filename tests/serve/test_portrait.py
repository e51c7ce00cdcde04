"""What people see of what is known: the portrait, another day, answers, a copy, in the reader's zone."""

import re
from datetime import timedelta
from html import unescape

from cogmem_core import MemoryBank
from cogmem_core.testing import FrozenClock
from helpers.served import Served, token_in


def lines_of(html: str, section: str) -> list[str]:
    """The sentences of a section of a portrait, as a person reads them."""
    part = html.partition(f'aria-label="{section}"')[2].partition("</section>")[0]
    return [unescape(re.sub("<[^>]+>", "", one)) for one in re.findall(r"<q.*?</q>", part)]


def moved_to_porto(bank: MemoryBank) -> None:
    """Somebody who lived elsewhere says so, and what waits for a person is approved."""
    bank.remember("I moved to Porto.")
    for review in bank.reviews():
        bank.approve(review.id)


def test_a_portrait_is_put_right_line_by_line_and_every_deed_is_taken_back(
    served: Served, clock: FrozenClock
) -> None:
    """It shows the words, since when if told, and what was before; undo gives what held before."""
    bank = served.engine.bank("alice")
    bank.remember(["I live in Lisbon.", "I work at Acme.", "I'm allergic to nuts."])
    clock.advance(days=70)
    moved_to_porto(bank)
    bank.remember("She is here.")
    served.log_in("admin")
    before = served.client.get("/ui").text
    assert lines_of(before, "Home") == ["I moved to Porto"]
    assert "<s>Lisbon</s>" in before
    assert re.search(r"<h1>.*I moved to <b>Porto</b>.*I work at <b>Acme</b>", before, re.S)
    assert "nuts" in before.partition("Always in mind")[2].partition("</section>")[0]
    assert lines_of(before, "Projects") == []
    memory = next(one for one in bank.list(state="active") if "Porto" in one.content)
    for action, changed, fields in (
        ("end", ["I live in Lisbon"], {"at": f"{clock():%Y-%m-%d}"}),
        ("edit", ["I moved to Braga."], {"content": "I moved to Braga."}),
        ("supersede", ["I moved to Faro."], {"content": "I moved to Faro."}),
        ("forget", ["I live in Lisbon"], {}),
        ("pin", [], {}),
    ):
        done = served.submit(f"/ui/memories/{memory.id}/{action}", back="/ui", **fields)
        assert done.url.path == "/ui", action
        assert lines_of(done.text, "Home") == [one.rstrip(".") for one in changed], action
        # What was never so is no former value.
        assert ("<s>Porto</s>" in done.text) == (action in ("supersede", "end")), action
        (undo,) = re.findall(r'role="status".*?action="([^"?]+)', done.text, re.S)
        back = served.submit(undo, back=str(done.url.path))
        assert lines_of(back.text, "Home") == ["I moved to Porto"], action
        assert 'role="status"' in back.text, action
        assert ("<s>Lisbon</s>" in back.text, "Braga" in back.text) == (True, False), action
        memory = next(one for one in bank.list(state="active") if "Porto" in one.content)
    served.log_in("read")
    shown = served.client.get("/ui").text
    assert ("Not this?" in shown, "You may look, and not change." in shown) == (False, True)


def test_what_ended_stays_in_the_timeline(served: Served, clock: FrozenClock) -> None:
    """As what was so until that day, there and in the portrait of an earlier day; not what was replaced twice."""
    bank = served.engine.bank("alice")
    (memory,) = bank.remember("I work at Acme.").memories
    clock.advance(days=70)
    moved_to_porto(bank)
    served.log_in("write")
    day = clock() - timedelta(days=9)
    served.submit(f"/ui/memories/{memory.id}/end", page="/ui", at=f"{day:%Y-%m-%d}")
    assert lines_of(served.client.get("/ui").text, "Work") == []
    then = served.client.get(f"/ui?as_of={day - timedelta(days=1):%Y-%m-%d}").text
    assert lines_of(then, "Work") == ["I work at Acme"]
    listed = served.client.get("/ui/timeline").text.partition("The same as a list")[2]
    assert re.search(rf">Acme</a>.*?until {day.day} {day:%B %Y}", listed, re.S)
    assert served.client.get("/ui/timeline?of=work").text.count(">Acme</a>") == 1
    assert served.client.get("/ui/timeline?of=home").text.count(">Acme</a>") == 0


def test_a_topic_is_sealed_from_a_line_and_lifted(served: Served) -> None:
    """Offered are the topics of that line, and words of one's own; who may not, only sees what is sealed."""
    bank = served.engine.bank("alice")
    bank.remember("I'm allergic to nuts. I like tea.")
    served.log_in("admin")
    before = served.client.get("/ui").text
    assert re.findall(r'name="topic" value="(\w+)"', before) == ["health", "tastes"]
    for topic in ("health", "my ex Daniel"):
        done = served.submit("/ui/seal", back="/ui", topic=topic)
        assert (done.url.path, bank.seals()) == ("/ui", (topic,))
        assert f"Never kept: {topic}" in done.text
        (undo,) = re.findall(r'role="status".*?action="([^"?]+).*?name="topic"', done.text, re.S)
        assert served.submit(undo, back="/ui", topic=topic).text.count("Never kept: ") == 0
        assert (bank.seals(), served.client.get("/ui").text == before) == ((), True)
    assert served.submit("/ui/seal", back="/ui", topic="42!").status_code == 400
    bank.seal("money")
    # What was sealed already is not lifted by an undo.
    assert 'action="/ui/unseal' not in served.submit("/ui/seal", back="/ui", topic="money").text
    settings = served.client.get("/ui/settings").text
    assert ('action="/ui/unseal' in settings, 'value="health"' in settings) == (True, True)
    served.log_in("write")
    settings = served.client.get("/ui/settings").text
    assert ("money" in settings, 'action="/ui/unseal' in settings) == (True, False)
    assert served.submit("/ui/unseal", page="/ui", topic="money").status_code == 403
    assert "Never keep such things" not in served.client.get("/ui").text


def test_a_portrait_of_another_day_says_what_differs(served: Served, clock: FrozenClock) -> None:
    """The slider leads to an address with the day; what was said later about that day can be left out."""
    bank = served.engine.bank("alice")
    bank.remember(["I live in Lisbon.", "I work at Acme."])
    told = clock()
    clock.advance(days=70)
    moved_to_porto(bank)
    served.log_in("read")
    moved = served.client.get("/ui?m=1&known=then")
    first = (told.replace(day=1) + timedelta(days=32)).replace(day=1)
    assert moved.url.params["as_of"] == moved.url.params["known_at"] == f"{first:%Y-%m-%d}"
    then = served.client.get(f"/ui?as_of={told + timedelta(days=1):%Y-%m-%d}").text
    assert lines_of(then, "Home") == ["I live in Lisbon"]
    assert "now: Porto" in then
    assert "1 of 2 lines differ from today." in then
    assert 'class="then"' in then
    only = served.client.get(f"/ui?as_of={told + timedelta(days=1):%Y-%m-%d}&only=differs").text
    assert ("Lisbon" in only, lines_of(only, "Work")) == (True, [])
    assert served.client.get("/ui?m=2").url.params.get("as_of") is None


def test_an_answer_comes_first_and_silence_says_what_was_looked_for(served: Served) -> None:
    """The clause with what was before, then why; words find what is missing."""
    bank = served.engine.bank("alice")
    bank.remember(["I live in Lisbon.", "My dog is called Rex."])
    moved_to_porto(bank)
    served.log_in("write")
    asked = served.client.get("/ui/ask?q=Where+do+I+live%3F&missing=dog+Rex").text
    assert re.search(r"<h1>.*I moved to <b>Porto</b>.*<s>Lisbon</s>", asked, re.S)
    missing = asked.partition("Why is something missing?")[2]
    assert "My dog is called Rex." in missing
    assert "<pre" in missing
    silent = served.client.get("/ui/ask?q=What+is+the+boiling+point+of+iron%3F").text
    assert "That is not known." in silent
    assert "What is the boiling point of iron?" in silent.partition("Looked for")[2]
    assert 'action="/ui/memories' in silent


def test_a_copy_is_everything(served: Served) -> None:
    """As a file that an import takes."""
    served.engine.bank("alice").add("Ana likes tea")
    served.log_in("admin")
    copy = served.submit("/ui/copy", page="/ui/settings")
    assert "attachment" in copy.headers["content-disposition"]
    assert "Ana likes tea" in copy.text
    assert token_in(served.client.get("/ui/settings").text)
    served.log_in("write")
    assert served.submit("/ui/copy", page="/ui").status_code == 403


def test_times_are_those_of_the_reader(served: Served, clock: FrozenClock) -> None:
    """In the zone that was chosen, which each page names once."""
    clock.advance(hours=-clock().hour + 23)
    memory = served.engine.bank("alice").add("Ana likes tea")
    served.log_in("read")
    assert served.submit("/preferences", page="/ui", zone="Nowhere/Land").status_code == 400
    page = served.submit("/preferences", page="/ui", zone="Asia/Tokyo", back="/ui").text
    assert page.count("Asia/Tokyo") == 1
    tomorrow = memory.recorded_at + timedelta(hours=9)
    shown = served.client.get(f"/ui/memories/{memory.id}").text
    assert f"{tomorrow.day} {tomorrow:%B} {tomorrow.year}" in shown


def test_who_is_spoken_of_often_has_a_portrait_of_their_own(served: Served) -> None:
    """Reached by the name; it has all that is known, and says who else stands in it."""
    bank = served.engine.bank("alice")
    for name in ("Lena", "Jonas"):
        said = ("lives in Oslo", "works at Equinor", "has a dog")
        bank.remember([f"My friend {name} {words}." for words in said])
    bank.remember("Lena plays chess with Jonas.")
    served.log_in("read")
    assert 'href="/ui/of?namespace=alice&amp;who=lena">Lena</a>' in served.client.get("/ui").text
    page = served.client.get("/ui/of?who=lena").text
    assert "What is known of Lena" in page
    assert "My friend Lena lives in Oslo" in lines_of(page, "People")
    assert ">Jonas</a> (1)" in page.partition("Nearby")[2]
    assert "My friend Jonas" not in page
