"""The pages in a real browser, on a real server: every screen for every role, in both themes and at both widths."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import cogmem_core
from cogmem_core.config import GuardConfig
from cogmem_core.testing import MANUAL, FrozenClock
from cogmem_serve import create_app
from cogmem_serve.sessions import LoginTokens
from helpers.browsing import Visit, chromium
from helpers.mcp_sessions import served
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
    return Story(tea.id, former.id, newer.id)


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
        *("/ui", "/ui?as_of=2026-06-20&known_at=2026-06-20", "/ui/of?who=zeynep", "/ui/map"),
        *(f"/ui/memories/{story.tea}", f"/ui/memories/{story.newer}", "/ui/memories?state=any"),
        "/ui/timeline",
        *("/ui/ask?q=what+does+Ana+drink&missing=window+seats", "/ui/ask", "/ui/nights"),
        *("/ui/plans", "/ui/procedures", "/ui/settings", "/ui/audit", "/ui/health"),
    )
    return found if role == "read" else (*found, "/ui/review", "/ui/sharing")


def here(path: str) -> str:
    """The path in alice's namespace, for whoever may enter all."""
    return f"{path}{'&' if '?' in path else '?'}namespace=alice"


def walk(
    person: Visit, story: Story, role: str, *, where: Callable[[str], str], every: int = 1
) -> None:
    """Look at screens: each has one heading, fits, and nothing on it is in anybody's way."""
    for path in screens(story, role)[::every]:
        person.see(where(path))
        expect(person.page.get_by_role("heading", level=1)).to_have_count(1)
        assert not person.is_too_wide(), path
        assert person.barriers() == [], path
        if role == "read" and path not in ("/ui/audit", "/ui/health", "/ui/settings"):
            assert person.page.locator("main form[method=post]").count() == 0, path


def test_every_third_screen_is_open_to_everybody(visit: Callable[..., Visit], story: Story) -> None:
    """Nothing is in the way of a keyboard or a screen reader, no text is too faint, no page too wide."""
    walk(visit("admin", color_scheme="dark", viewport=NARROW), story, "admin", where=here, every=3)


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["en", "tr-TR", "de-DE", "fr-FR", "es-ES"])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_screen_in_every_shape(
    theme: str, size: dict[str, int], language: str, visit: Callable[..., Visit], story: Story
) -> None:
    """For a reader, for who decides, and for who is not logged in, in every language."""
    options = {"color_scheme": theme, "viewport": size, "locale": language}
    walk(visit("admin", **options), story, "admin", where=here)
    walk(visit("read", **options), story, "read", where=lambda path: path)
    stranger = visit(**options)
    for path in screens(story, "admin"):
        stranger.see(path)
        assert stranger.page.url.endswith("/login"), path
        assert not stranger.is_too_wide(), path
    assert stranger.barriers() == []


def test_who_is_not_logged_in_sees_the_login_only(
    visit: Callable[..., Visit], story: Story
) -> None:
    """In the language of the browser."""
    person = visit(color_scheme="light", locale="tr-TR", viewport=NARROW)
    for path in screens(story)[:3]:
        person.see(path)
        assert person.page.url.endswith("/login")
    expect(person.page.get_by_role("button", name="Giriş yap")).to_be_visible()
    assert person.barriers() == []


def test_a_memory_is_found_and_looked_after_without_a_script(visit: Callable[..., Visit]) -> None:
    """Search, why, pin, edit, forget, restore: with JavaScript switched off."""
    person = visit("admin", java_script_enabled=False)
    page = person.page
    page.get_by_placeholder("Ask the memory").fill("What does Ana drink?")
    page.get_by_placeholder("Ask the memory").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Ana drinks black tea")
    page.get_by_role("link", name="its whole life").first.click()
    expect(page.get_by_role("heading", name="Why it stands as it does")).to_be_visible()
    page.get_by_role("button", name="Pin", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("Always in mind from now on.")
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    page.get_by_text("Edit, or replace it by what holds now").click()
    page.get_by_label("Text").fill("Ana drinks green tea")
    page.get_by_role("button", name="Save the edit").click()
    expect(page.locator(".big")).to_have_text("Ana drinks green tea")
    expect(page.locator("del")).to_have_text("Ana drinks black tea")
    page.get_by_role("button", name="Forget").click()
    expect(page.get_by_role("status")).to_contain_text(
        "It is no longer in mind; it can be brought back."
    )
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_role("status")).to_have_text("Restored.")


def test_a_line_is_put_right_where_it_stands(visit: Callable[..., Visit]) -> None:
    """With all its acts open nothing is in the way or too wide; what ended, and what is sealed, is taken back."""
    person = visit("admin", viewport=NARROW, color_scheme="dark", locale="de-DE")
    page = person.page
    person.see("/ui?namespace=alice")
    line = page.locator("ul.lines > li").filter(has_text="Izmir")
    line.locator("summary").first.click()
    acts = line.locator(".acts > details > summary").all()
    for summary in acts:
        summary.click()
    assert (person.is_too_wide(), person.barriers()) == (False, [])
    for summary in acts:
        summary.click()
    status = page.get_by_role("status")
    for summary, button, told in (
        ("Nicht mehr\u2026", "Es ist vorbei", "Vorbei: Es bleibt als das, was bis dahin so war."),
        ("So etwas nie behalten\u2026", "Nie behalten: Familie", "Von nun an nie behalten."),
    ):
        line.get_by_text(summary).click()
        line.get_by_role("button", name=button).click()
        expect(status).to_contain_text(told)
        status.get_by_role("button").click()
        line.locator("summary").first.click()


@pytest.mark.parametrize("scripts", [True, False], ids=["followed", "loaded anew"])
def test_long_work_shows_how_far_it_is(scripts: bool, browser: Browser) -> None:
    """With a script its events are followed on the same page; without one the page loads itself anew."""
    gates = [threading.Event(), threading.Event()]

    def work(progress: Callable[[str, int, int], None]) -> bool:
        for done, (step, gate) in enumerate(zip(("merge", "forgetting"), gates, strict=True)):
            progress(step, done, 2)
            assert gate.wait(60)
        return True

    logins = LoginTokens()
    with cogmem_core.open(embedder="hashing", config=MANUAL) as engine:
        app = create_app(engine, logins=logins)
        with served(app) as address:
            person = Visit(browser, address, java_script_enabled=scripts, viewport=NARROW)
            person.see(f"/login?token={logins.issue()}")
            job = app.state.jobs.start("erase", "", "alice", work, after="/ui/memories")
            person.see(f"/ui/work/{job.id}?namespace=alice")
            bar = person.page.get_by_role("progressbar")
            expect(person.page.get_by_text("merge", exact=True)).to_be_visible()
            if scripts:
                assert person.barriers() == []
                person.page.evaluate("window.stays = true")
            gates[0].set()
            expect(person.page.get_by_text("forgetting", exact=True)).to_be_visible()
            expect(bar).to_have_attribute("value", "1")
            if scripts:
                assert person.page.evaluate("window.stays") is True
            gates[1].set()
            expect(person.page.get_by_role("status")).to_have_text("Erased from disk.")
            assert (person.complaints, person.strangers()) == ([], set())
            person.close()


def test_colours_language_and_keys_of_the_keyboard(visit: Callable[..., Visit]) -> None:
    """What was chosen stays; the first press of Tab leads past the menu."""
    person = visit("read")
    page = person.page
    page.get_by_role("link", name="Light, dark, language").click()
    page.get_by_role("button", name="dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="Türkçe").click()
    expect(page.get_by_role("heading", name="Ayarlar", level=1)).to_be_visible()
    person.see("/ui/plans")
    expect(page.locator("html")).to_have_attribute("lang", "tr")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Sayfaya geç")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
