"""Split a compound question into two to four that each stand on their own (seed 001). English and Turkish; pure.

A question is cut between its question marks, at semicolons, before "and also", and at an "and" that a question of its
own follows; what the second half leaves out and plainly shares is carried over. Names joined directly ("What do Ana and
Bob like?") give one question each. Never inside quotation marks or brackets. In doubt a question stays whole: one query
too broad still finds something, a torn one finds something else.
"""

# ruff: noqa: RUF001, SIM905 - Turkish is spelt in Turkish, and a table is read as a table

from __future__ import annotations

import re
from collections.abc import Iterable

from cogmem.text.letters import fold_letters, inside, quoted_spans
from cogmem.text.lexicon.intents import TURKISH_QUESTION
from cogmem.text.lexicon.stopwords import STOPWORDS
from cogmem.text.split import sentence_spans
from cogmem.text.tokens import tokens

__all__ = ["CONJUNCTIONS", "decompose"]

CONJUNCTIONS: frozenset[str] = frozenset("and also plus both ve ayrıca bir de da hem".split())
"""Words that a split may drop."""

_MOST = 4
_LONGEST = 600  # characters; a longer query is a text about something, not a compound question
_BRACKETS = re.compile(r"\([^()\n]*\)|\[[^\[\]\n]*\]")
_AUX = (
    r"(?:is|are|was|were|do|does|did|has|have|had|will|would|should|can|could|might|may|must|isn't|aren't|wasn't"
    r"|weren't|don't|doesn't|didn't|hasn't|haven't|hadn't|won't|wouldn't|shouldn't|can't|couldn't)"
)
_NO_SUBJECT = r"(?!(?:i|you|he|she|it|we|they|that|this|there)\b)"
_ASKS = re.compile(
    rf"(?:(?:to|with|for|from|in|at|on|by|about|since|until) )?(?:(?:when|where|why)(?:'s\b| {_AUX}\b)|how come\b"
    rf"|(?:what|which|whose|how)(?:'s\b|(?: {_NO_SUBJECT}[\w'-]+){{0,3}}? {_AUX}\b)"
    r"|who\b|whom\b|what (?:happened|caused|made|led|motivated|inspired)\b)"
)
"""A question with its verb in place: "when did", "what kind of books does", "who"."""
_ORDERS = re.compile(r"(?:please )?(?:tell|show|give|remind|list|name|describe|summari[sz]e|find)\b")
_INVERTED = re.compile(rf"{_AUX} (?:i|you|he|she|it|we|they|the|my|your|his|her|our|their|[\w-]+'s|[A-Z][\w'-]*)\b")
_ASKING_ALONE = re.compile(r"(?:when|where|why|how|with whom|who with|what for)")
_BARE_WORD = r"(?:what|when|where|why|how|who|whom|which)"
_TWO_WORDS = re.compile(rf"(?P<one>{_BARE_WORD}),? and (?P<two>{_BARE_WORD})(?P<rest> .+)")
_GOVERNOR = re.compile(
    rf"(?P<lead>(?:please )?(?:(?:do|can|could|would) you (?:please )?)?(?:tell me|remind me|remember|know|recall|show me"
    rf"|find out|explain)(?: about)?) (?=(?:{_BARE_WORD}|my|the|our|[A-Z])\b)"
)
_COPULA = re.compile(
    r"(?P<lead>(?:what|who|where|how|when)(?:'s| is| are| was| were)|what (?:do|did) (?:you|i|we) (?:know|say|tell you) about"
    r"|(?:please )?(?:tell me|remind me) about) "
)
_THING = re.compile(r"(?:my|your|his|her|our|their|the|[a-z]+'s)(?: [\w'-]+){1,4}", re.IGNORECASE)
_JOINT = re.compile(
    r"(?P<mark>;)\s*(?:(?:and|ve|also)\s+)?"
    r"|,?\s+(?P<also>and\s+also|and\s+additionally|plus\s+also|ve\s+ayrıca|ve\s+bir\s+de|bir\s+de|ayrıca),?\s+"
    r"|,?\s+(?P<and>and(?:\s+then)?|ve)\s+"
    r"|(?P<comma>,)\s+(?:also\s+)?",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"(?:who|whom|whose|which)\b")
_TURKISH_ASKS = re.compile(rf"\b{TURKISH_QUESTION}\b")
_UNSTANDING = re.compile(r"\b(?:it|its|they|them|their|theirs|those|these)\b|^(?:this|that)\b|\b(?:he|him|she)\b|\b(?:his|hers?)\b")
_NAME = r"[A-ZÇĞİÖŞÜ][\w-]+(?: [A-ZÇĞİÖŞÜ][\w-]+)?"
_JOINED_NAMES = re.compile(rf"(?P<names>{_NAME}(?:, {_NAME}){{0,2}},? and {_NAME})(?![\w-])")
_POSSESSORS = re.compile(rf"(?P<names>{_NAME}'s(?:, {_NAME}'s){{0,2}},? and {_NAME}'s)(?= )")
_NAMES_APART = re.compile(r",? and |, ")
_BEFORE_NAMES = re.compile(rf"(?:^|\s)(?P<aux>{_AUX})\s$", re.IGNORECASE)
_ABOUT = re.compile(r"\b(?:about|describe)\s$", re.IGNORECASE)
_SINGULAR = {"do": "does", "are": "is", "were": "was", "have": "has", "don't": "doesn't", "aren't": "isn't",
             "weren't": "wasn't", "haven't": "hasn't"}  # fmt: skip
_TOGETHER = re.compile(
    r"\b(?:together|each other|one another|in common|common|same|share|shares|shared|between|meet|met|marry|married|same"
    r"|differ|different|difference|compare|compared|collaborate|related|know each|get along|both .{0,30} or|talk|discuss"
    r"|older|younger|better|who of|which of|friends|siblings|a couple|their|they|themselves)\b"
)
_UNITS = frozenset(
    "johnson and johnson|barnes and noble|marks and spencer|procter and gamble|romeo and juliet|ben and jerry|tom and jerry"
    "|rock and roll|trinidad and tobago|bosnia and herzegovina|crime and punishment|war and peace|pride and prejudice"
    "|antigua and barbuda|dungeons and dragons|simon and garfunkel|rick and morty".split("|")
)
_HEM = re.compile(r"^(?P<lead>.{0,80}?)\bhem\s+(?P<one>.{2,80}?),?\s+hem\s+(?:de|da)\s+(?P<two>.{2,160})$", re.IGNORECASE)
_SUBJECT = re.compile(rf"(?P<name>{_NAME})(?P<case>['\u2019]\w+)?\s")
_PERSONAL = re.compile(r"\b(?P<he>he|she)\b|\b(?P<his>his)\b|\b(?P<her>her)\b(?=\s(?!to\b|in\b|at\b|for\b|and\b)\w)", re.IGNORECASE)


def decompose(query: str) -> tuple[str, ...]:
    """Split a query into standalone sub-queries.

    Args:
        query: a question; one of more than 600 characters is left whole.

    Returns:
        Two to four questions if it is compound, else the query itself. Together they hold every index token of the
        query, `CONJUNCTIONS` apart.
    """
    query = " ".join(query.split())
    if len(query) > _LONGEST:
        return (query,)
    parts: list[str] = []
    for question in _questions(query):
        parts += _split(question)
    unique = list({fold_letters(part): part for part in map(_polished, parts)}.values())
    if len(unique) > _MOST:
        unique = [*unique[: _MOST - 1], " ".join(unique[_MOST - 1 :])]
    lost = set(tokens(query)) - set(tokens(" ".join(unique))) - _DROPPED
    return (query,) if lost or len(unique) < 2 else tuple(unique)


_DROPPED = frozenset(token for word in CONJUNCTIONS for token in tokens(word))


def _questions(query: str) -> list[str]:
    """The sentences of a query; one that asks nothing stays with the question after it, or else before it."""
    sentences = [query[start:end] for start, end in sentence_spans(query)]
    asking = [sentence for sentence in sentences if sentence.endswith("?")]
    if len(asking) < 2:
        return [query]
    grouped, waiting = [], ""
    for sentence in sentences:
        waiting = f"{waiting} {sentence}".strip()
        if sentence.endswith("?"):
            grouped.append(waiting)
            waiting = ""
    if waiting:
        grouped[-1] += f" {waiting}"
    return grouped


def _split(question: str) -> list[str]:
    body = question.rstrip("?!. ")
    end = "?" if question.endswith("?") else ""
    twice = _TWO_WORDS.fullmatch(body[:1].lower() + body[1:])
    if twice and inside(0, []) is False:
        return [twice["one"] + twice["rest"] + end, twice["two"] + twice["rest"] + end]
    parts = _both(body) or _clauses(body)
    return [part + end for whole in parts for part in _by_name(whole)]


def _clauses(body: str) -> list[str]:
    """Cut from the left at each joint that a question of its own follows."""
    guarded = quoted_spans(body) + [match.span() for match in _BRACKETS.finditer(body)]
    parts, start = [], 0
    for joint in _JOINT.finditer(body):
        if joint.start() <= start or inside(joint.start(), guarded) or inside(joint.end(), guarded):
            continue
        left, right = body[start : joint.start()], body[joint.end() :]
        carried = _carried(left, right, joint)
        if carried is None:
            continue
        parts.append(left)
        body = body[: joint.end()] + carried
        start = joint.end()
        return [*parts, *_clauses(body[start:])]
    return [body[start:]]


def _carried(left: str, right: str, joint: re.Match[str]) -> str | None:
    """The right side as a question of its own; None if it is none."""
    small = fold_letters(left), fold_letters(right)
    if not tokens(left) and not _ASKS.match(small[0]):
        return None
    turkish = _turkish(left, right, small, joint)
    if turkish is not None:
        return turkish
    if not (_asking(left) or joint["mark"]):
        return None
    if joint["comma"] and (_RELATIVE.match(small[1]) or not _ASKS.match(small[1])):
        return None
    if joint["mark"] or _asking(right):
        return _standing(left, right)
    return _completed(left, right, small, also=bool(joint["also"]))


def _asking(side: str) -> bool:
    small = fold_letters(side)
    return bool(_ASKS.match(small) or _ORDERS.match(small) or _INVERTED.match(side[:1].lower() + side[1:]))


def _completed(left: str, right: str, small: tuple[str, str], *, also: bool) -> str | None:
    """A right side that shares its beginning, or its end, with the left one."""
    opening = left[:1].lower() + left[1:]
    if _ASKING_ALONE.fullmatch(small[1]) and not small[0].startswith(small[1]):
        asked = re.match(rf"(?:{_BARE_WORD})(?= {_AUX}\b)", opening)
        return right + opening[asked.end() :] if asked else None
    governor = _GOVERNOR.match(opening)
    if governor and re.match(rf"{_BARE_WORD}\b", small[1]):
        return _standing(left, f"{governor['lead']} {right}")
    copula = _COPULA.match(opening)
    if also and copula and _THING.fullmatch(right):
        return _standing(left, f"{copula['lead']} {right}")
    return None


def _standing(left: str, right: str) -> str | None:
    """The right side with the one person that the left side names for its pronouns; None if one is left over."""
    names = _names(left)
    if len(names) == 1 and not _names(right):
        name = names[0]
        right = _PERSONAL.sub(lambda match: name if match["he"] else f"{name}'s", right)
    return None if _UNSTANDING.search(fold_letters(right)) else right


def _names(text: str) -> list[str]:
    """Capitalised words other than the first, unless that has a verb or possessive behind it; each once."""
    found = [match.group() for match in re.finditer(_NAME, text) if match.start()]
    return list(dict.fromkeys(name for name in found if fold_letters(name) not in STOPWORDS))


def _turkish(left: str, right: str, small: tuple[str, str], joint: re.Match[str]) -> str | None:
    """Turkish: both sides have a question word; a right side without a name gets the name that leads the left one."""
    if joint["comma"] or not (joint["mark"] or fold_letters(joint.group()).strip(", ") not in ("and", "and also")):
        return None
    if not (_TURKISH_ASKS.search(small[0]) and _TURKISH_ASKS.search(small[1])) or len(small[1].split()) < 2:
        return None
    subject = _SUBJECT.match(left)
    leads = subject and not _TURKISH_ASKS.fullmatch(fold_letters(subject["name"]))
    if subject and leads and not re.search(_NAME, right) and _TURKISH_ASKS.match(small[1]):
        return f"{subject['name']} {right}"
    return right


def _both(body: str) -> list[str]:
    """`Hem A hem de B`: what stands before belongs to both; a name in A takes what follows the name in B."""
    match = _HEM.match(body)
    if not match:
        return []
    lead, one, two = match["lead"], match["one"], match["two"]
    asked = [bool(_TURKISH_ASKS.search(fold_letters(side))) for side in (one, two)]
    if all(asked):
        return [lead + one, lead + two]
    second = re.match(rf"{_NAME}(?:['\u2019]\w+)?(?P<rest> .+)", two)
    if asked[1] and second and re.fullmatch(rf"{_NAME}(?:['\u2019]\w+)?", one):
        return [lead + one + second["rest"], lead + two]
    return []


def _by_name(question: str) -> list[str]:
    """One question per name, where names are joined directly and each is asked about by itself."""
    guarded = quoted_spans(question)
    match = _POSSESSORS.search(question) or _JOINED_NAMES.search(question)
    small = fold_letters(question)
    if not match or inside(match.start(), guarded) or _TOGETHER.search(small) or _is_unit(match["names"]):
        return [question]
    before, after = question[: match.start()], question[match.end() :]
    names = _NAMES_APART.split(match["names"])
    auxiliary = _BEFORE_NAMES.search(before)
    if match["names"].endswith("'s") and before:
        return [before + name + after for name in names]
    if auxiliary and after.strip():
        aux = auxiliary["aux"]
        single = _SINGULAR.get(aux.lower(), aux.lower())
        start = before[: auxiliary.start("aux")] + (single.capitalize() if aux[0].isupper() else single) + " "
        return [start + name + re.sub(r"^ both\b", "", after) for name in names]
    return [before + name for name in names] if _ABOUT.search(before) and not after.strip() else [question]


def _is_unit(names: str) -> bool:
    folded = fold_letters(names).replace("'s", "")
    return any(unit in folded for unit in _UNITS)


def _polished(part: str) -> str:
    part = part.strip(" ,;")
    return part[:1].upper() + part[1:] if part[:1].isascii() else part


def _unused(parts: Iterable[str]) -> None: ...
