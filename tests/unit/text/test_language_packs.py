"""Every language pack is held to everyday sentences of its language, capability by capability."""

import json
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

from cogmem_core.config import ObserverConfig
from cogmem_core.encoding.observe_turn import Echoes, observe_turn
from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.detect import language_shown
from cogmem_core.languages.packs import OWN
from cogmem_core.models import Episode
from cogmem_core.reading import of
from cogmem_core.reading.between import change
from cogmem_core.reading.lasting import is_lasting
from cogmem_core.text.compare import entailment
from cogmem_core.text.observe.classify import classify, read_signals
from cogmem_core.text.observe.emotion import emotion
from cogmem_core.text.observe.ephemeral import is_ephemeral
from cogmem_core.text.observe.small_talk import is_trivial
from cogmem_core.text.query.intent import classify_intent
from cogmem_core.text.safety.secrets import find_secrets
from cogmem_core.text.time.find import first_time
from cogmem_core.text.tokens import tokens
from helpers.tables import each_row

_DATA = Path(__file__).parents[2] / "data" / "languages"
_SAID_AT = datetime(2025, 3, 12, 10, 0, tzinfo=timezone.utc)  # a Wednesday
FULL = ("en", "tr", "de", "es", "fr")
_FEW_CAPABILITIES = frozenset(("questions", "small_talk", "stems", "dates"))
_UNTOLD = {"question": "question"} | dict.fromkeys(
    ("request", "asked_not_to", "forget_request"), "request"
)
_IN_TEN = 10  # sentences of which one may be missed; language has more forms than a table
_IN_FIVE = {"changes": 5}  # in doubt both statements stay, and no change is shown
_LEAST_SENTENCES = 30


def _stems(pair: str) -> str:
    one, other = pair.split(" / ")
    return "apart" if set(tokens(one)).isdisjoint(tokens(other)) else "same"


def _date(text: str) -> str:
    first = first_time(text, _SAID_AT)
    return first.date().isoformat() if first else "none"


def _change(pair: str) -> str:
    old, new = pair.split(" => ")
    return "change" if change(of(new), of(old)) else "none"


def _untold(text: str) -> str:
    """Why a turn is not kept, other than that it is too short."""
    turn = Episode("e", "ns", text, "user", None, _SAID_AT, _SAID_AT)
    skipped = observe_turn(turn, Echoes(), ObserverConfig()).skipped
    return _UNTOLD.get(skipped, "statement")


def _kind(text: str) -> str:
    return classify(read_signals(text), 0)[0]


def _lasts(text: str) -> str:
    if is_ephemeral(text):
        return "passing"
    return "lasting" if is_lasting(text) else "other"


def _same(pair: str) -> str:
    one, other = pair.split(" = ")
    return "different" if entailment(one, other) == "different" else "same"


def _secret(text: str) -> str:
    return "secret" if find_secrets(text) else "none"


CHECKS: dict[str, Callable[[str], str]] = {
    "questions": _untold,
    "small_talk": lambda text: is_trivial(text) or "none",
    "stems": _stems,
    "dates": _date,
    "changes": _change,
    "signals": _kind,
    "durations": _lasts,
    "emotions": lambda text: emotion(text).label,
    "same": _same,
    "intents": lambda text: classify_intent(text)[0],
    "secrets": _secret,
    "language": lambda text: language_shown(text) or "none",
}


def rows(code: str, capability: str) -> list[tuple[str, str]]:
    """The sentences of a capability, each with what is expected."""
    data = json.loads((_DATA / f"{code}.json").read_text(encoding="utf-8"))
    table = data.get(capability, {})
    return [(text, expected) for expected, texts in table.items() for text in texts]


def misses(code: str, capability: str) -> list[str]:
    """Sentences of a capability that are read otherwise than expected."""
    read = CHECKS[capability]
    found = (
        (text, _UNTOLD.get(expected, expected), read(text))
        for text, expected in rows(code, capability)
    )
    return [f"{text}: {got}, not {expected}" for text, expected, got in found if got != expected]


@each_row("code", OWN)
def test_a_pack_reads_everyday_sentences_of_its_language(code: str) -> None:
    """Of each capability nine sentences in ten are read as expected, of changes four in five."""
    report: list[str] = []
    for capability in CHECKS:
        sentences = len(rows(code, capability))
        missed = misses(code, capability)
        if sentences and _IN_FIVE.get(capability, _IN_TEN) * len(missed) > sentences:
            report += [f"{capability}: {len(missed)} of {sentences}", *missed]
    assert not report, "\n".join(report)


@each_row("code", OWN)
def test_there_are_enough_sentences_for_each_capability(code: str) -> None:
    """Thirty for each capability of a full pack, and for the listed ones of the others."""
    least = _LEAST_SENTENCES if code in FULL else 10
    capabilities = CHECKS if code in FULL else _FEW_CAPABILITIES
    counts = {capability: len(rows(code, capability)) for capability in capabilities}
    assert all(count >= least for count in counts.values()), counts


@each_row("code", OWN)
def test_a_pack_says_what_it_lacks(code: str) -> None:
    """A full pack lacks rewriting at most; what a pack lacks changes nothing for good."""
    lacks = LANGUAGES[code].lacks
    if code in FULL:
        assert lacks <= {"rewrite"}
    else:
        assert {"wording", "entailment", "rewrite"} <= lacks
