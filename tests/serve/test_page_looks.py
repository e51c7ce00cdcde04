"""The languages of the pages, and their colours."""

import json
import re
from datetime import datetime, timezone
from html import unescape
from importlib.resources import files

from cogmem_serve.pages.language import LANGUAGES
from cogmem_serve.pages.page import SCREENS as MENU
from cogmem_serve.pages.page import SETTINGS
from helpers.served import Served
from helpers.tables import each_row, rows_of

DECIDING = (*rows_of("pages/screens"), "/ui/review", "/ui/sharing")
ENGLISH = {
    "the",
    "of",
    "and",
    "what",
    "with",
    "from",
    "since",
    "said",
    "which",
    "known",
    "memories",
}
ENGLISH |= {"you", "your", "nothing", "where", "who", "not", "this"}
"""Words that no page in another language has."""
LATER = datetime(2030, 1, 1, tzinfo=timezone.utc)


def test_every_text_of_a_page_is_there_in_every_language(served: Served) -> None:
    """And no catalogue holds what no page says."""
    folder = files("cogmem_serve.pages") / "catalogues"
    english, *others = (
        json.loads((folder / f"{code}.json").read_text(encoding="utf-8")) for code in LANGUAGES
    )
    sources = [
        path.read_text(encoding="utf-8")
        for path in (files("cogmem_serve.pages") / "templates").iterdir()
    ]
    said = {"a year ago", "before {value}", *(screen.title for screen in (*MENU, *SETTINGS))}
    for source in sources:
        for _, text in re.findall(r"""\b_\((["'])(.*?)(?<!\\)\1""", source):
            said |= (
                {text}
                if not text.endswith(": ")
                else {one for one in english if one.startswith(text)}
            )
    problems = {"Bad Request", "Not Found", "Too Many Requests", "Service Unavailable"}
    problems |= {"Method Not Allowed", "Internal Server Error", "Request Entity Too Large"}
    for texts in others:
        assert texts.keys() == others[0].keys()
        assert said - set(texts) == set()
        sentences = {text for text in texts if " " in text and text not in english}
        assert sentences - said - problems == set()
        for text, translation in texts.items():
            meant = english.get(text, text)
            assert sorted(re.findall(r"{\w+}", meant)) == sorted(re.findall(r"{\w+}", translation))
        assert [len(texts["months"].split()), len(english["months"].split())] == [12, 12]
    served.engine.bank("alice").intend("Basilikum", at=LATER, every="2 days", times=9)
    served.log_in("read")
    assert "every 2 days" in served.client.get("/ui/plans").text


@each_row("language", ["tr", "de", "fr", "es"])
def test_a_page_in_one_language_has_no_words_of_another(language: str, served: Served) -> None:
    """Names, quotations and what the engine says in English aside, which are marked as such."""
    bank = served.engine.bank("alice")
    memory = bank.add("Zeynep, Porto 42")
    if bank.count() == 1:
        bank.remember("Ben Porto'da oturuyorum.", speaker="Zeynep")
        bank.consolidate()
    if not served.client.cookies:
        served.log_in("admin", namespaces=("alice", "*"))
    for path in [one.replace("{id}", memory.id) for one in DECIDING]:
        header = {"accept-language": f"{language}-{language.upper()}"}
        text = served.client.get(path, headers=header).text
        assert f'<html lang="{language}"' in text, path
        text = re.sub(r'<(\w+)[^>]* lang="en"[^>]*>.*?</\1>', " ", text, flags=re.S)
        text = re.sub(
            r"<head>.*?</head>|<pre.*?</pre>|<svg.*?</svg>|<[^>]+>", " ", text, flags=re.S
        )
        found = set(re.findall(r"\w+", unescape(text).casefold())) & ENGLISH
        assert found == set(), path


def luminance(colour: str) -> float:
    """How bright a colour is, 0..1, as WCAG reckons it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_colours_can_be_told_apart() -> None:
    """Text has 4.5 at least on whatever it stands, controls 3: light, dark, and on the paper of the past."""
    sheet = (files("cogmem_serve.pages") / "static" / "style.css").read_text()

    def palette(selector: str) -> dict[str, str]:
        block = sheet.partition(f"{selector} {{")[2].partition("}")[0]
        return dict(re.findall(r"--([\w-]+): (#\w{6})", block))

    light, dark = palette(":root"), palette('\n[data-theme="dark"]')
    past = {**light, **palette("body.then")}
    past_dark = {**dark, **palette('[data-theme="dark"] body.then')}
    papers = ("paper", "surface", "sunken", "accent-wash")
    pairs = [
        *((text, on, 4.5) for text in ("ink", "soft", "accent") for on in papers),
        *(("warn", on, 4.5) for on in ("paper", "surface", "warn-wash")),
        *(("bad", on, 4.5) for on in ("paper", "surface", "bad-wash")),
        *(("strong-line", on, 3.0) for on in ("paper", "surface")),
        ("accent-ink", "accent", 4.5),
        ("ink", "warn-wash", 4.5),
    ]
    for colours in (light, dark, past, past_dark):
        for text, on, least in pairs:
            darker, brighter = sorted((luminance(colours[text]), luminance(colours[on])))
            ratio = (brighter + 0.05) / (darker + 0.05)
            assert ratio >= least, (text, colours[text], on, colours[on], round(ratio, 2))
