"""`/ui` without a browser: who gets in, what forms do, what is shown to whom, and in which language."""

import base64
import json
import re
from datetime import timedelta
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

from starlette.testclient import TestClient

from cogmem_core import Engine
from cogmem_core.testing import FrozenClock
from cogmem_serve import create_app
from cogmem_serve.keys import KeyRing
from cogmem_serve.sessions import LoginTokens
from helpers.command import cogm
from helpers.served import Served, token_in
from helpers.tables import each_row, each_row_of, rows_of

SCREENS = rows_of("pages/screens")
DECIDING = (*SCREENS, "/ui/review", "/ui/sharing")
"""What a reader does not see."""
SCRIPTS = '<script(?! src="/static/(?:progress|zone).js)'
"""A page that follows a piece of work has one script; nothing else has any."""
SCRIPT = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"


def test_a_login_address_works_once(engine: Engine) -> None:
    """It was printed where the server was started, so whoever has it is its owner."""
    logins = LoginTokens()
    client = TestClient(create_app(engine, logins=logins, namespace="nora"), "http://localhost")
    assert client.get("/ui").url.path == "/login"
    address = f"/login?token={logins.issue()}"
    shown = client.get(address)
    assert (shown.url.path, "/ui/ask?namespace=nora" in shown.text) == ("/ui", True)
    cookie = client.cookies.jar
    assert all(one.has_nonstandard_attr("HttpOnly") for one in cookie)
    client.cookies.clear()
    again = client.get(address)
    assert (again.status_code, again.url.path) == (403, "/login")
    assert client.get("/ui").url.path == "/login"


@each_row("whose", ["key", "owner"])
def test_whoever_logs_out_is_out_everywhere(
    whose: str, engine: Engine, clock: FrozenClock, tmp_path: Path
) -> None:
    """The cookie opens nothing any more, in no process with the same keys; another session goes on."""
    path = tmp_path / f"{whose}.json"
    secret = KeyRing(path, now=clock).add("ana", scopes=["admin"])[1]
    logins = LoginTokens()
    first, second = (
        create_app(engine, keys=KeyRing(path, now=clock), logins=logins) for _ in range(2)
    )

    def logged_in() -> TestClient:
        client = TestClient(first, base_url="http://localhost")
        if whose == "owner":
            client.get("/login", params={"token": logins.issue()})
        else:
            client.post("/login", data={"key": secret})
        return client

    out, other = logged_in(), logged_in()
    cookies = dict(out.cookies)
    elsewhere = TestClient(second, base_url="http://localhost", cookies=cookies)
    token = token_in(out.get("/ui").text)
    assert elsewhere.get("/ui").url.path == "/ui"
    out.post("/logout", data={"csrf": token})
    kept = TestClient(first, base_url="http://localhost", cookies=cookies)
    assert [one.get("/ui").url.path for one in (kept, elsewhere)] == ["/login", "/login"]
    assert kept.post("/ui/memories", data={"csrf": token, "content": "x"}).url.path == "/login"
    assert other.get("/ui").url.path == "/ui"
    assert logged_in().get("/ui").url.path == "/ui"


def test_all_sessions_of_the_owner_or_of_a_key_can_be_ended(engine: Engine, tmp_path: Path) -> None:
    """By a command, which a running server follows at once; others go on, and a new login works."""
    cogm(tmp_path, "keys", "list")
    ring = KeyRing(tmp_path / "keys.json")
    keys = [ring.add(name, scopes=["read"]) for name in ("ana", "ben")]
    logins = LoginTokens()
    site = create_app(engine, keys=ring, logins=logins)

    def client_of(name: str) -> TestClient:
        client = TestClient(site, base_url="http://localhost")
        if name == "owner":
            client.get("/login", params={"token": logins.issue()})
        else:
            client.post("/login", data={"key": next(s for key, s in keys if key.name == name)})
        return client

    names = ("owner", "owner", "ana", "ana", "ben")
    clients = [client_of(name) for name in names]

    def inside() -> list[bool]:
        return [client.get("/ui").url.path == "/ui" for client in clients]

    assert inside() == [True] * 5
    assert cogm(tmp_path, "keys", "sessions", "end").exit_code == 0
    assert inside() == [False, False, True, True, True]
    assert cogm(tmp_path, "keys", "sessions", "end", keys[0][0].id).exit_code == 0
    assert inside() == [False, False, False, False, True]
    assert cogm(tmp_path, "keys", "sessions", "end", "nobody").exit_code == 1
    clients = [client_of(name) for name in names]
    assert inside() == [True] * 5


def test_what_was_signed_for_one_purpose_opens_nothing_else(served: Served) -> None:
    """The token of a form is no session, whatever is written before it, and a session is no token."""
    served.log_in("admin")
    ((name, cookie),) = dict(served.client.cookies).items()
    token = token_in(served.client.get("/ui").text)
    payload = cookie.partition(".")[0]
    read = base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)).decode("latin-1")
    nonces = re.findall(r"[0-9a-f]{32}", read)
    signature = token.rpartition(".")[2]
    forged = [token, *(f"form {nonce}.{signature}" for nonce in nonces)]
    forged += [f"{payload}.{signature}", f"{token}.{signature}"]
    for one in forged:
        stranger = TestClient(served.client.app, base_url="http://localhost", cookies={name: one})
        assert (one, stranger.get("/ui").url.path) == (one, "/login")
    for one in (cookie, cookie.rpartition(".")[2], payload):
        refused = served.client.post("/ui/memories", data={"csrf": one, "content": "Ana flies"})
        assert refused.status_code == 403
    assert served.engine.bank("alice").count() == 0


def test_a_form_of_another_site_or_session_does_nothing(served: Served) -> None:
    """Each form sends back a token that only its session knows."""
    memory = served.engine.bank("alice").add("Ana likes tea")
    served.log_in("admin")
    path = f"/ui/memories/{memory.id}/forget"
    token = token_in(served.client.get("/ui").text)
    site = {"sec-fetch-site": "cross-site"}
    for answer in (
        served.client.post(path),
        served.client.post(path, data={"csrf": "0" * 64}),
        served.client.post(path, data={"csrf": token}, headers=site),
        served.client.get(path),
        served.client.post(path, json={"csrf": token}),
    ):
        assert answer.status_code in (403, 405)
    assert served.engine.bank("alice").get(memory.id).state == "active"
    assert served.client.post(path, data={"csrf": token}).status_code == 200
    assert served.engine.bank("alice").get(memory.id).state == "forgotten"


@each_row_of("pages/buttons_do_what_they_say")
def test_buttons_do_what_they_say(
    *, action: str, fields: dict[str, str], content: str, state: str, served: Served
) -> None:
    """By the public method of the same name; then the memory is shown."""
    served.client.cookies or served.log_in("admin")
    bank = served.engine.bank("alice")
    memory = bank.add("Ana likes tea")
    if action == "restore":
        bank.forget(memory.id)
    shown = served.submit(f"/ui/memories/{memory.id}/{action}", **fields)
    assert (shown.status_code, 'role="status"' in shown.text) == (200, True)
    assert (bank.get(memory.id).content, bank.get(memory.id).state) == (content, state)
    assert (
        "Nothing was forgotten" in served.submit("/ui/memories", content="Forget that I run").text
    )
    bank.forget_all(confirm="alice", hard=True)


def test_erasing_is_confirmed(served: Served) -> None:
    """And cannot be done by accident, or by somebody else than an administrator."""
    bank = served.engine.bank("alice")
    memory = bank.add("Ana's secret")
    served.log_in("write")
    path = f"/ui/memories/{memory.id}/erase"
    assert served.submit(path, sure="yes").status_code == 403
    served.log_in("admin")
    assert served.submit(path).status_code == 400
    assert bank.get(memory.id).content == "Ana's secret"
    assert served.submit(path, sure="yes").url.path == "/ui/memories"
    assert bank.count() == 0
    bank.forget(bank.add("Ana drinks tea").id)
    for state, told in (("active", "0 match"), ("any", "1 match"), ("forgotten", "1 match")):
        assert told in served.client.get(f"/ui/memories?state={state}").text


def test_a_reader_sees_everything_and_can_change_nothing(served: Served) -> None:
    """Pages have no buttons that would be refused."""
    memory = served.engine.bank("alice").add("Ana likes tea")
    served.log_in("read")
    for path in SCREENS:
        page = served.client.get(path.replace("{id}", memory.id))
        assert page.status_code == 200, path
        forms = set(re.findall(r'<form method="post"[^>]* action="([^"?]*)', page.text))
        assert forms <= {"/preferences", "/logout", "/ui/audit"}, path
    for path in (f"/ui/memories/{memory.id}/pin", "/ui/memories", "/ui/plans", "/ui/nights"):
        assert served.submit(path).status_code == 403
    other = served.client.get("/ui/memories?namespace=bob")
    assert (other.status_code, "is not for this namespace" in other.text) == (403, True)


def test_what_is_remembered_is_shown_as_text(served: Served) -> None:
    """Whatever it is: nothing of a memory, a speaker, a tag or a namespace becomes part of the page."""
    bank = served.engine.bank(SCRIPT)
    memory = bank.add(SCRIPT, speaker=SCRIPT, tags=[SCRIPT], session_id=SCRIPT, ref=SCRIPT)
    bank.remember(SCRIPT, speaker=SCRIPT, session_id=SCRIPT)
    bank.intend(SCRIPT, when=SCRIPT)
    bank.edit(memory.id, f"{SCRIPT} again")
    bank.remember(["I live in Oslo.", "I live in Porto now <script>alert(1)</script>."])
    served.engine.add_principal(SCRIPT)
    served.engine.grant(SCRIPT, "*", "write", reason=SCRIPT)
    served.log_in("admin", namespaces=(SCRIPT, "*"))
    paths = [
        f"{path}{'&' if '?' in path else '?'}namespace={quote(SCRIPT)}".replace("{id}", memory.id)
        for path in DECIDING
    ]
    for path in (
        *paths,
        f"/ui/ask?q={SCRIPT}&namespace={quote(SCRIPT)}",
        f"/ui/memories?speaker={SCRIPT}&category={SCRIPT}&namespace={quote(SCRIPT)}",
    ):
        text = served.client.get(path).text
        assert not re.search(SCRIPTS, text), path
        assert "<img src=x" not in text, path


def test_pages_need_no_script_and_nothing_from_elsewhere(served: Served) -> None:
    """No script, no style in the page, no address but the server's own."""
    memory = served.engine.bank("alice").add("Ana likes tea")
    served.log_in("admin", namespaces=("alice", "*"))
    for path in DECIDING:
        text = served.client.get(path.replace("{id}", memory.id)).text
        assert not re.search(rf"{SCRIPTS}|<style|\son\w+=|\sstyle=|javascript:", text), path
        addresses = re.findall(r'(?:href|src|action|formaction)="([^"]*)"', text)
        assert [one for one in addresses if not re.match(r"/(?!/)|#", one)] == [], path
    for name in ("style.css", "icon.svg"):
        content = (files("cogmem_serve.pages") / "static" / name).read_text()
        assert "url(" not in content
        assert "@import" not in content


def test_what_was_learnt_is_kept_and_forgotten_by_buttons(served: Served) -> None:
    """Each acts on the memory that its line shows; to stand for one takes the scope to review."""
    bank = served.engine.bank("alice")
    dog = bank.remember("Hi! My dog is called Rex.").memories[0].id
    at, page = f"/ui/memories/{dog}", "/ui/nights"
    served.log_in("write")
    shown = served.client.get(page).text
    assert ("My dog is called Rex</a>" in shown, f"{at}/keep" in shown) == (True, False)
    served.log_in("admin")
    assert f'action="{at}/keep' in served.client.get(page).text
    assert "you stand for it" in served.submit(f"{at}/keep").text
    assert [line.kept for line in bank.learnt()] == [True]
    served.submit(f"{at}/forget", back=page)
    assert "memories: 1" in served.client.get(page).text


@each_row_of("pages/an_error_is_a_page_that_a_person_can_read")
def test_an_error_is_a_page_that_a_person_can_read(
    path: str, status: int, told: str, served: Served
) -> None:
    """With what is wrong, and a way back."""
    if not served.client.cookies:
        served.log_in("admin")
    page = served.client.get(path)
    assert (page.status_code, told in page.text) == (status, True), page.text


def test_a_dream_is_looked_at_before_and_taken_back_after(
    served: Served, clock: FrozenClock
) -> None:
    """A dry run shows what would change, a run shows what did; one thing is taken back, or all."""
    bank = served.engine.bank("alice")
    memory = bank.add("The fair is in town", valid_until=clock() + timedelta(days=1))
    clock.advance(days=2)
    served.log_in("admin")
    tried = served.submit("/ui/nights", page="/ui/nights", kind="try")
    assert "The fair is in town" in tried.text
    assert bank.get(memory.id).state == "active"
    ran = served.submit("/ui/nights", page="/ui/nights", kind="run")
    assert bank.get(memory.id).state == "superseded"
    assert "The fair is in town" in ran.text
    (undo, _) = re.findall(r'action="(/ui/nights/[^/]+/undo)', ran.text)
    taken_back = served.submit(undo, page="/ui/nights", memory=memory.id).text
    assert ("You took this back." in taken_back, 'role="status"' in taken_back) == (True, True)
    assert bank.get(memory.id).state == "active"
    assert served.submit(undo, page="/ui/nights").status_code == 200
    assert [run.state for run in bank.consolidation_runs()] == ["undone"]


def test_what_waits_is_decided_with_a_button(served: Served) -> None:
    """Approved, kept beside what it contradicts, or rejected; a reader does not find the page."""
    bank = served.engine.bank("alice")
    pairs = (
        ("I live in Lisbon.", "I live in Porto now."),
        ("I work at Acme.", "I work at Globex now."),
    )
    bank.remember([said for pair in pairs for said in pair])
    bank.remember(["My favourite colour is blue.", "My favourite colour is green now."])
    served.log_in("review")
    page = served.client.get("/ui/review").text
    assert page.count("It would take the place of") == 3
    ids = [one.id for one in bank.reviews()]
    for review_id, decision in zip(ids, ("approve", "keep-both", "reject"), strict=True):
        assert 'role="status"' in served.submit(f"/ui/review/{review_id}/{decision}").text
    assert {one.content for one in bank.list(state="active")} == {
        *("I live in Porto now.", "I work at Acme.", "I work at Globex now."),
        "My favourite colour is blue.",
    }
    assert "Nothing waits." in served.client.get("/ui/review").text
    assert served.submit(f"/ui/review/{ids[0]}/burn").status_code == 404
    served.log_in("read")
    assert "/ui/review" not in served.client.get("/ui").text
    assert served.client.get("/ui/review").status_code == 403


def test_a_doubt_is_settled_with_a_button(served: Served) -> None:
    """The page of review asks, and each version is a button."""
    bank = served.engine.bank("alice")
    bank.remember(["I work at Acme.", "I work for a bank."])
    for review in bank.reviews():
        bank.approve(review.id)
    served.log_in("review")
    page = served.client.get("/ui/review").text
    assert "Do you still work at Acme, or at a bank now?" in page
    (older, newer) = re.findall(r'action="(/ui/doubts/[^"?]+)[^"]*".*?<button>(.*?)<', page)
    assert (older[1], newer[1]) == ("Acme", "a bank")
    assert "only this version holds" in served.submit(older[0], page="/ui/review").text
    assert [memory.content for memory in bank.list()] == ["I work at Acme."]
    assert "Which one holds?" not in served.client.get("/ui/review").text
    bank.restore(newer[0].rpartition("/")[2])
    page = served.client.get("/ui/review").text
    assert (len(bank.doubts()), "Nothing waits." in page) == (1, False)


def test_rights_are_shared_by_the_owner_and_seen_by_a_principal(served: Served) -> None:
    """A principal sees its own grants, what it may do, and nothing of where it may not read."""
    engine = served.engine
    engine.bank("alice").add("Alice keeps a secret diary")
    engine.bank("team/plans").add("The launch is on Friday")
    served.log_in("admin", namespaces=("*",))
    page = "/ui/sharing"
    for name in ("ann", "ben"):
        assert served.submit(f"{page}/principals", page=page, name=name).status_code == 200
        given = {"principal": name, "pattern": "team/*", "right": "write", "reason": "the team"}
        shown = served.submit(page, page=page, **given).text
    assert [one.name for one in engine.principals()] == ["ann", "ben"]
    assert "ben" in shown.partition("Access log")[2]
    served.log_in_with(served.principal("ann"))
    assert "The launch is on Friday" in served.client.get("/ui/memories").text
    portrait = served.client.get("/ui").text
    assert "alice" not in portrait
    assert "Tell it something" in portrait
    assert "Do it now" not in served.client.get("/ui/nights").text
    shared = served.client.get(page).text
    assert ("ann" in shared, "ben" in shared, "Revoke" in shared) == (True, False, False)
    for path in ("/ui", "/ui/audit", page):
        refused = served.client.get(f"{path}?namespace=alice")
        assert (refused.status_code, "secret" in refused.text) == (403, False)
    assert served.submit(f"{page}/principals", page=page, name="eve").status_code == 403
    given = {"principal": "ann", "pattern": "alice", "right": "read"}
    assert served.submit(page, page=page, **given).status_code == 403
    served.log_in("admin", namespaces=("*",))
    (granted,) = engine.grants("ann")
    assert served.submit(f"{page}/{granted.id}/revoke", page=page).status_code == 200
    assert engine.grants("ann") == ()


@each_row("kind", ["memories", "trail", "ahead"])
def test_a_look_shows_what_it_found(kind: str, served: Served) -> None:
    """Through the memories, over the record of changes, or ahead."""
    bank = served.engine.bank("alice")
    bank.add("Tea")
    bank.add("Tea")
    if not served.client.cookies:
        served.log_in("read")
    found = served.submit("/ui/audit", page="/ui/audit", kind=kind)
    told = {"memories": "Said twice", "trail": "as it was written", "ahead": "In the next 30 days"}
    assert told[kind] in found.text


def test_long_work_is_followed(served: Served, tmp_path: Path) -> None:
    """An import, an erasure, a new index: each tells how far it is, to whoever began it and nobody else."""
    bank = served.engine.bank("alice")
    bank.add("Ana likes tea")
    bank.export(tmp_path / "all.jsonl")
    bank.forget_all(confirm="alice", hard=True)
    served.log_in("admin", namespaces=("alice", "*"))
    sent = {"file": ("all.jsonl", (tmp_path / "all.jsonl").read_bytes())}
    token = {"csrf": token_in(served.client.get("/ui").text)}
    begun = served.client.post(
        "/ui/import?namespace=alice", data=token, files=sent, follow_redirects=False
    )
    work = begun.headers["location"]
    assert "Imported." in served.until_done(served.client.get(work)).text
    assert [one.content for one in bank.list()] == ["Ana likes tea"]
    events = served.client.get(work.replace("?", "/events?"))
    assert events.headers["content-type"].startswith("text/event-stream")
    *_, last = [line for line in events.text.splitlines() if line.startswith("data: ")]
    assert json.loads(last.removeprefix("data: "))["finished"] is True
    assert "is rebuilt" in served.submit("/ui/health?namespace=alice", page="/ui").text
    served.log_in("admin")
    assert served.client.get(work).status_code == 404
    assert served.submit("/ui/health").status_code == 403


@each_row(
    "name, content",
    [
        ("a.jsonl", b""),
        ("diary.jsonl", b"no bank"),
        ("tagebuch.json", b'[{"role": "user", "content": "Ich wohne'),
        ("export.zip", b"PK\x03\x04 and nothing else"),
        ("kept.jsonl", b'{"format": "cogmem-export", "version": 6, "fingerprint": "x"}\n{'),
        ("../../etc/notes.json", b'{"a": 1}'),
        ("mesaj.csv", b"\xff\xfe\x00"),
        ("sans-extension", b"\x00\x01\x02"),
        ("<b>bold.json", b"["),
    ],
)
def test_a_file_that_cannot_be_imported_is_refused_by_its_name(
    name: str, content: bytes, served: Served
) -> None:
    """As whoever sent it knows it: no path of the server is told, and nothing is stored."""
    if not served.client.cookies:
        served.log_in("admin")
    token = {"csrf": token_in(served.client.get("/ui").text)}
    file = {"file": (name, content)}
    answer = served.until_done(served.client.post("/ui/import", data=token, files=file))
    assert answer.status_code == 400, answer.text
    told = re.search(r'class="note bad"[^>]*>([^<]*)<', answer.text)
    assert told is not None
    assert "/tmp" not in told[1]
    assert "cogmem-import" not in told[1]
    known = Path(name).name.replace("<", "&lt;").replace(">", "&gt;")
    assert (known in told[1]) == (content != b"")
    assert served.engine.bank("alice").count() == 0
