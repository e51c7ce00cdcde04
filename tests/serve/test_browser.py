"""The pages in a real browser, on a real server: every screen for every role, in both themes and at both widths."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import cogmem_core
from cogmem_core.config import GuardConfig
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.browsing import Visit, chromium
from helpers.servers import Missing, required
from helpers.serving import Serving, served_process

WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 400, "height": 800}


@dataclass(frozen=True)
class Story:
    """What is in the served bank: ids by what they are."""

    tea: str
    former: str
    newer: str
    waiting: tuple[str, ...]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The machine's; where it has none these tests are skipped, or fail where it must have one."""
    try:
        with chromium() as found:
            yield found
    except Missing as error:
        (pytest.fail if required() else pytest.skip)(str(error))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the bank is."""
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def story(place: Path) -> Story:
    """Half a year ago alice's bank was told a few things."""
    clock = FrozenClock()
    (place / "bank").mkdir()
    (place / "bank" / "cogmem.toml").write_text('[consolidation]\ntrigger = "manual"\n')
    config = replace(MANUAL, guard=GuardConfig(review=("procedure", "untrusted"), review_days=400))
    with cogmem_core.open(place / "bank", embedder="hashing", clock=clock, config=config) as engine:
        engine.add_principal("ben")
        engine.grant("ben", "team/*", "read", reason="the team")
        bank = engine.bank("alice")
        for said in ("Your plane leaves at noon on Friday.", "The hotel is in Porto."):
            bank.remember(said, role="assistant")
        bank.remember(
            ["My sister Zeynep is a nurse in Izmir", "I play the piano on Sundays"],
            speaker="Ana",
            session_id="monday",
        )
        tea = bank.add("Ana drinks black tea", tags=["drinks"], speaker="Ana")
        bank.add("The fair is in town", valid_until=clock() + timedelta(days=1))
        former = bank.remember("I prefer window seats on planes.", speaker="Ana").memories[0]
        newer = bank.remember("I prefer aisle seats on planes.", speaker="Ana").memories[0]
        bank.intend("Call Zeynep", when="Zeynep calls")
        for session in ("one", "two"):
            calls = [{"tool": "find", "ok": True}, {"tool": "book", "ok": True}]
            bank.observe_run("book a table", calls, session_id=session, ok=True)
        waiting = tuple(one.content for one in bank.reviews())
    return Story(tea.id, former.id, newer.id, waiting)


@pytest.fixture(scope="module")
def server(place: Path, story: Story) -> Iterator[Serving]:
    """`cogm serve` on that bank."""
    with served_process(place) as running:
        yield running


@pytest.fixture
def visit(browser: Browser, server: Serving) -> Iterator[Callable[..., Visit]]:
    """Come as somebody with these scopes; in the end nothing was complained of, and no stranger was asked."""
    visits: list[Visit] = []

    def come(*scopes: str, **options: object) -> Visit:
        visits.append(Visit(browser, server.address, **{"viewport": WIDE, **options}))
        if scopes:
            places = ("alice", "*") if "admin" in scopes else ("alice",)
            visits[-1].log_in(server.key(*scopes, namespaces=places))
        return visits[-1]

    yield come
    for one in visits:
        one.close()
    assert [one.complaints for one in visits if one.complaints] == []
    assert [one.strangers() for one in visits if one.strangers()] == []


def screens(story: Story, role: str = "read") -> tuple[str, ...]:
    found = (
        *(
            "/ui",
            "/ui/memories?state=any",
            f"/ui/memories/{story.tea}",
            f"/ui/memories/{story.newer}",
        ),
        *(f"/ui/recall?q=what+does+Ana+drink&why={story.former}", "/ui/dreams", "/ui/due"),
        *("/ui/procedures", "/ui/audit", "/ui/health"),
    )
    return found if role == "read" else (*found, "/ui/review", "/ui/sharing")


def here(path: str) -> str:
    """The path in alice's namespace, for whoever may enter all."""
    return f"{path}{'&' if '?' in path else '?'}namespace=alice"


@pytest.mark.parametrize(
    ("role", "theme", "size"),
    [
        ("admin", "light", WIDE),
        ("admin", "dark", NARROW),
        ("read", "dark", NARROW),
    ],
    ids=["admin-light-wide", "admin-dark-narrow", "reader-dark-narrow"],
)
def test_every_screen_is_open_to_everybody(
    role: str, theme: str, size: dict[str, int], visit: Callable[..., Visit], story: Story
) -> None:
    """Nothing is in the way of a keyboard or a screen reader, no text is too faint, no page too wide."""
    person = visit(role, color_scheme=theme, viewport=size)
    barriers = {}
    for path in screens(story, role):
        person.see(path if role == "read" else here(path))
        expect(person.page.get_by_role("heading", level=1)).to_have_count(1)
        assert not person.is_too_wide(), path
        buttons = person.page.locator("main form[method=post]").count()
        if role == "read" and path not in ("/ui/audit", "/ui/health"):
            assert buttons == 0, path
        else:
            barriers[path] = person.barriers()
    assert {path: found for path, found in barriers.items() if found} == {}


def test_who_is_not_logged_in_sees_the_login_only(
    visit: Callable[..., Visit], story: Story
) -> None:
    """In both themes, and in the language of the browser."""
    for theme, language, label in (("light", "en", "Log in"), ("dark", "tr-TR", "Giriş yap")):
        person = visit(color_scheme=theme, locale=language, viewport=NARROW)
        for path in screens(story)[:3]:
            person.see(path)
            assert person.page.url.endswith("/login")
        expect(person.page.get_by_role("button", name=label)).to_be_visible()
        assert person.barriers() == []


def test_a_memory_is_found_and_looked_after_without_a_script(visit: Callable[..., Visit]) -> None:
    """Search, why, pin, edit, forget, restore: with JavaScript switched off."""
    person = visit("admin", java_script_enabled=False)
    page = person.page
    page.get_by_placeholder("Ask the memory something").fill("What does Ana drink?")
    page.get_by_placeholder("Ask the memory something").press("Enter")
    expect(page.get_by_text("What the score is made of")).to_have_count(0)
    page.get_by_role("link", name="Ana drinks black tea").first.click()
    expect(page.get_by_role("heading", name="Why it stands as it does")).to_be_visible()
    page.get_by_role("button", name="Pin", exact=True).click()
    expect(page.get_by_role("status")).to_have_text("Pinned: it survives all forgetting.")
    page.get_by_role("button", name="Unpin").click()
    page.get_by_text("Edit, or replace it by what holds now").click()
    page.get_by_label("Text").fill("Ana drinks green tea")
    page.get_by_role("button", name="Save the edit").click()
    expect(page.locator(".big")).to_have_text("Ana drinks green tea")
    expect(page.locator("del")).to_have_text("Ana drinks black tea")
    page.get_by_role("button", name="Forget").click()
    expect(page.get_by_role("status")).to_have_text("Forgotten; it can be restored.")
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_role("status")).to_have_text("Restored.")


def test_a_person_decides_with_one_button_each(visit: Callable[..., Visit], story: Story) -> None:
    """A chain of versions is settled, an intention done, one write approved, one rejected, a right revoked."""
    person = visit("admin")
    person.see(f"/ui/memories/{story.newer}")
    person.page.get_by_role("button", name="Only this one holds").last.click()
    status = person.page.get_by_role("status")
    expect(status).to_have_text("Settled: only this version holds.")
    person.page.get_by_role("link", name="Review").click()
    for text, button, told in (
        (story.waiting[0], "Approve", "Approved: it counts now."),
        (story.waiting[1], "Reject", "Rejected: it is forgotten."),
    ):
        waiting = person.page.locator("section.card").filter(has_text=text)
        waiting.get_by_role("button", name=button).click()
        expect(status).to_have_text(told)
        expect(person.page.get_by_text(text)).to_have_count(0)
    person.page.get_by_role("link", name="Sharing").click()
    person.page.get_by_role("button", name="Revoke").click()
    expect(status).to_have_text("Revoked, at once and everywhere.")
    expect(person.page.get_by_text("Nothing is granted.")).to_be_visible()
    person.see("/ui/due")
    card = person.page.get_by_role("listitem").filter(has_text="Call Zeynep")
    card.get_by_role("button", name="Done").click()
    expect(person.page.get_by_role("listitem").filter(has_text="Call Zeynep")).to_contain_text(
        "done"
    )


def test_a_dream_is_tried_run_and_undone(visit: Callable[..., Visit]) -> None:
    """What it would change stands there first."""
    person = visit("admin")
    person.see("/ui/dreams")
    person.page.get_by_role("button", name="Dry run").click()
    expect(person.page.get_by_role("heading", level=1)).to_have_text("Dry run")
    expect(person.page.get_by_text("The fair is in town")).to_be_visible()
    person.page.get_by_role("button", name="Dream now").click()
    expect(person.page.get_by_role("heading", level=1)).to_have_text("Dream")
    person.page.get_by_role("button", name="Undo").click()
    expect(person.page.get_by_role("heading", level=1)).to_have_text("The dream is taken back")


def test_colours_language_and_keys_of_the_keyboard(visit: Callable[..., Visit]) -> None:
    """What was chosen stays; the first press of Tab leads past the menu."""
    person = visit("read")
    page = person.page
    page.get_by_role("button", name="dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="Türkçe").click()
    expect(page.get_by_role("heading", name="En yeniler")).to_be_visible()
    person.see("/ui/due")
    expect(page.locator("html")).to_have_attribute("lang", "tr")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Sayfaya geç")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
