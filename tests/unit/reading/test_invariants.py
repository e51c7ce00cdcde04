"""What no reading and no comparison may do, over sentences that are put together at random."""

import json
import random
import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from cogmem_core.languages.reading import reading as in_languages
from cogmem_core.reading.compare import compare
from cogmem_core.reading.ends import endings
from cogmem_core.reading.model import TELLING, Reading
from cogmem_core.reading.pack import pack_of
from cogmem_core.reading.read import read

DATA = Path(__file__).parents[2] / "data" / "reading"
LANGUAGES = sorted(path.stem for path in DATA.glob("*.json"))
PARTS: dict[str, dict[str, Any]] = {
    code: json.loads((DATA / f"{code}.json").read_text(encoding="utf-8")) for code in LANGUAGES
}
SAID = datetime(2026, 5, 13, 10, tzinfo=timezone.utc)
FEW = 250
MANY = 20_000
HARD = ("ends", "replaces")


def taken_apart(text: str, code: str) -> Reading:
    return read(text, code, pack_of(code))


def grades(new: str, old: str, code: str) -> list[str]:
    pack = pack_of(code)
    return [v.grade for v in compare(taken_apart(new, code), taken_apart(old, code), pack)]


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def sentences(code: str, count: int, seed: str) -> Iterator[tuple[random.Random, dict[str, Any]]]:
    chance = random.Random(f"{seed} {code}")
    for _ in range(count):
        yield chance, PARTS[code]


def hard_of(chance: random.Random, parts: dict[str, Any], code: str) -> list[str]:
    """I1: what limits a statement, or says that it is not meant, before or behind it, or before another one."""
    old, new = chance.choice(parts["frames"])
    if chance.random() < 0.2:
        new = f"{chance.choice(parts['supposed'])} {parts['first']}{parts['and']}{new}"
    elif chance.random() < 0.5:
        new = f"{chance.choice(parts['unmeant'])} {new}{chance.choice(parts['harmless'])}"
    else:
        opener = chance.choice(parts["neutral"])
        new = f"{opener} {new}{chance.choice(parts['behind'])}".strip()
    text = capital(f"{new}.")
    return [text] if any(grade in HARD for grade in grades(text, capital(f"{old}."), code)) else []


def hard_for_another(chance: random.Random, parts: dict[str, Any], code: str) -> list[str]:
    """I2: what is told of another subject changes nothing for certain."""
    old, _ = chance.choice(parts["frames"])
    new = f"{chance.choice(parts['neutral'])} {chance.choice(parts['others'])}".strip()
    text = capital(f"{new}.")
    return (
        [f"{old} {text}"] if any(g in HARD for g in grades(text, capital(f"{old}."), code)) else []
    )


def hard_for_another_type(chance: random.Random, parts: dict[str, Any], code: str) -> list[str]:
    """I3: a day is no hour."""
    old, new = chance.choice(parts["types"])
    text = capital(f"{chance.choice(parts['neutral'])} {new}.".strip())
    return [text] if any(g in HARD for g in grades(text, capital(f"{old}."), code)) else []


def dropped(chance: random.Random, parts: dict[str, Any], code: str) -> list[str]:
    """I4: each word is in a clause, or joins two; a statement beside anything is still told."""
    statement = chance.choice(parts["frames"])[0]
    pieces = [
        statement,
        chance.choice(parts["questions"]),
        chance.choice(parts["garble"]),
        chance.choice(parts["fillers"]),
    ]
    chance.shuffle(pieces)
    text = " ".join(
        capital(piece) if piece[-1] in "?!" else capital(f"{piece}.") for piece in pieces
    )
    reading = taken_apart(text, code)
    told = [reading.words(clause) for clause in reading.clauses if clause.kind in TELLING]
    wrong = [] if any(capital(statement) in words for words in told) else [text]
    places: list[tuple[int, int]] = sorted((c.start, c.end) for c in reading.clauses)
    wrong += [text for left, right in pairwise(places) if left[1] > right[0]]
    covered = "".join(text[start:end] for start, end in places)
    return wrong + ([] if sum(map(str.isalnum, covered)) == sum(map(str.isalnum, text)) else [text])


def ended(chance: random.Random, parts: dict[str, Any], code: str) -> list[str]:
    """I5: what holds has no end beside a plan."""
    fact = chance.choice(parts["frames"])[0]
    if endings(taken_apart(capital(f"{fact}."), code), SAID)[0][1].end is not None:
        return []  # a deadline is over with its day
    pieces = [fact, chance.choice(parts["plans"])]
    chance.shuffle(pieces)
    text = capital(f"{pieces[0]}{chance.choice(parts['joins'])}{pieces[1]}.")
    found = endings(taken_apart(text, code), SAID)
    return [] if any(ending.end is None for _, ending in found) else [text]


def hard_by_a_pronoun(chance: random.Random, parts: dict[str, Any], code: str) -> list[str]:
    """I6: whom a pronoun means is a doubt at most."""
    old, _ = chance.choice(parts["frames"])
    before = chance.choice(parts["others"])
    text = capital(f"{before}. {capital(chance.choice(parts['pronouns']))}.")
    pack = pack_of(code)
    new, former = taken_apart(text, code), taken_apart(capital(f"{old}."), code)
    last = len(new.clauses) - 1
    return [text for v in compare(new, former, pack) if v.grade in HARD and v.by == last]


def read_otherwise(chance: random.Random, parts: dict[str, Any], code: str) -> list[str]:
    """I7: a reading depends on the text, the language and its tables alone."""
    text = capital(
        f"{chance.choice(parts['neutral'])} {chance.choice(chance.choice(parts['frames']))}."
    )
    first = taken_apart(text, code)
    with in_languages(("ja",)):
        again = taken_apart(text, code)
    found: list[Reading] = []
    if chance.random() < 0.05:
        thread = threading.Thread(target=lambda: found.append(taken_apart(text, code)))
        thread.start()
        thread.join()
    return [] if all(other == first for other in (again, *found)) else [text]


INVARIANTS: dict[str, Callable[[random.Random, dict[str, Any], str], list[str]]] = {
    "I1": hard_of,
    "I2": hard_for_another,
    "I3": hard_for_another_type,
    "I4": dropped,
    "I5": ended,
    "I6": hard_by_a_pronoun,
    "I7": read_otherwise,
}


def broken(name: str, code: str, count: int) -> list[str]:
    wrong: list[str] = []
    for chance, parts in sentences(code, count, name):
        wrong += INVARIANTS[name](chance, parts, code)
    return sorted(set(wrong))


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", INVARIANTS)
def test_an_invariant_holds(name: str, code: str) -> None:
    """Over so many random sentences of each language."""
    assert broken(name, code, FEW // len(LANGUAGES)) == []


@pytest.mark.thorough
@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", INVARIANTS)
def test_an_invariant_holds_over_many_sentences(name: str, code: str) -> None:
    """20,000 per invariant."""
    assert broken(name, code, MANY // len(LANGUAGES)) == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_plain_changes_are_certain(code: str) -> None:
    """So the invariants do not hold for want of verdicts."""
    parts = PARTS[code]
    pairs = [
        (old, f"{opener} {new}") for old, new in parts["frames"] for opener in parts["neutral"]
    ]
    found = [
        any(g in HARD for g in grades(capital(f"{new}.".strip()), capital(f"{old}."), code))
        for old, new in pairs
    ]
    assert sum(found) >= 0.9 * len(found)
