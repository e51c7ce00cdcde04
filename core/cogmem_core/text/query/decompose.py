"""Split a compound question into two to four that each stand on their own (seed 001). English and Turkish; pure.

A question is cut between its question marks, at semicolons, before "and also", and at an "and" that a question of its
own follows; what the second half leaves out and plainly shares is carried over. Names joined directly ("What do Ana and
Bob like?") give one question each. Never inside quotation marks or brackets. In doubt a question stays whole: one query
too broad still finds something, a torn one finds something else.
"""

# ruff: noqa: RUF001, SIM905 - Turkish is spelt in Turkish, and a table is read as a table

from __future__ import annotations

import re

from cogmem_core.text.folding import fold_letters, inside, quoted_spans
from cogmem_core.text.lexicon.intents import AUXILIARY, TURKISH_QUESTION
from cogmem_core.text.observe.entities import entities
from cogmem_core.text.sentences import sentence_spans
from cogmem_core.text.tokens import tokens

__all__ = ["CONJUNCTIONS", "decompose"]

CONJUNCTIONS: frozenset[str] = frozenset("and also plus both additionally ve ayrıca bir de da hem".split())
"""Words that a split may drop."""

_MOST = 4
_LONGEST = 600  # characters; a longer query is a text about something, not a compound question
_BRACKETS = re.compile(r"\([^()\n]*\)|\[[^\[\]\n]*\]")
_WH = r"(?:what|when|where|why|how|who|whom|which)"
_SUBJECTS = r"(?:i|you|he|she|it|we|they|that|this|there)"
_ASKS = re.compile(
    rf"(?:(?:to|with|for|from|in|at|on|by|about|since|until) )?(?:(?:when|where|why)(?:'s\b| {AUXILIARY}\b)|how come\b"
    rf"|(?:what|which|whose|how)(?:'s\b|(?: (?!{_SUBJECTS}\b)[a-z][\w'-]*){{0,3}}? {AUXILIARY}\b)"
    r"|who\b|whom\b|what (?:happened|caused|made|led|motivated|inspired)\b)"
    r"|(?:please )?(?:tell|show|give|remind|list|name|describe|summari[sz]e|find)\b"
    rf"|{AUXILIARY} (?:{_SUBJECTS}|I|the|my|your|his|her|our|their|[A-Z][\w'-]*)\b"
)
"""A question with its verb in place, or a request: "when did", "what kind of books does", "does Ana", "tell me"."""
_ADVERBIAL = re.compile(r"[^,?]{1,40}, ")
_RELATIVE = re.compile(r"(?:who|whom|whose|which)\b")
_ASKING_ALONE = re.compile(r"(?:when|where|why|how)")
_ALTERNATIVE = re.compile(r"(?:or|but|nor|ya da|veya|yoksa|ama)\b", re.IGNORECASE)
_TWO_WORDS = re.compile(rf"(?P<one>{_WH}),? and (?P<two>{_WH})(?P<rest> .+)")
_GOVERNOR = re.compile(
    r"(?P<lead>(?:please )?(?:(?:do|can|could|would) you (?:please )?)?(?:tell me|remind me|remember|know|recall"
    rf"|show me|find out|explain)) (?={_WH}\b)"
)
_SHARED = re.compile(
    r"(?P<lead>(?:what|who|where|how|when)(?:'s| is| are| was| were)"
    r"|what (?:do|did) (?:you|i|we) (?:know|say|tell you) about|(?:please )?(?:tell me|remind me) about) ",
    re.IGNORECASE,
)
_THING = re.compile(r"(?:my|your|his|her|our|their|the|[a-z]+'s)(?: [\w'-]+){1,4}", re.IGNORECASE)
_JOINT = re.compile(
    r"(?P<mark>;)\s*(?:(?:and also|and|also|ve ayrıca|ve|ayrıca)\s+)?"
    r"|,?\s+(?P<also>and also|and additionally|plus also|ve ayrıca|ve bir de|bir de|ayrıca),?\s+"
    r"|,?\s+(?P<and>and|ve)\s+(?:then\s+)?|(?P<comma>,)\s+",
    re.IGNORECASE,
)
_TURKISH_JOINTS = frozenset(("", "ve", "ve ayrica", "ve bir de", "bir de", "ayrica"))
_TURKISH_ASKS = re.compile(rf"\b{TURKISH_QUESTION}\b")
_PERSON = re.compile(r"\b(?:(?P<plain>he|she|him)|his|her(?=\s(?!to\b|in\b|at\b|for\b|and\b|with\b)\w))\b", re.I)
_LEANING = re.compile(r"\b(?:it|its|they|them|their|theirs|those|these|he|him|she|his|hers?|one)\b|^(?:this|that)\b")
"""A question with such a word is not understood without the one before it."""
_NAME = rf"(?!(?i:{_WH}|{AUXILIARY}|tell|describe|about|both)\b)[A-ZÇĞİÖŞÜ][\w-]+(?: [A-ZÇĞİÖŞÜ][\w-]+)?"
_NAMES = re.compile(rf"\b{_NAME}")
_JOINED = re.compile(rf"\b(?P<names>{_NAME}(?:, {_NAME}){{0,2}},? and {_NAME})(?!['\u2019\w-])")
_JOINED_OWNERS = re.compile(rf"\b(?P<names>{_NAME}'s(?:, {_NAME}'s){{0,2}},? and {_NAME}'s)(?= )")
_TURKISH_JOINED = re.compile(rf"(?P<one>{_NAME}) ve (?P<two>{_NAME})(?P<rest> [^,;]+)")
_APART = re.compile(r",? and |, ")
_AUX_BEFORE = re.compile(rf"(?:^|\s)(?P<aux>{AUXILIARY}) (?:both )?$", re.IGNORECASE)
_ABOUT_BEFORE = re.compile(r"\b(?:about|describe) $", re.IGNORECASE)
_SINGULAR = {"do": "does", "are": "is", "were": "was", "have": "has", "don't": "doesn't", "aren't": "isn't",
             "weren't": "wasn't", "haven't": "hasn't"}  # fmt: skip
_TOGETHER = re.compile(
    r"\b(?:together|each other|one another|common|same|shared?|shares|between|meet|met|marry|married|differ\w{0,6}"
    r"|compared?|collaborat\w{1,4}|related|get along|talk|discuss|older|younger|better|who of|which of|friends|siblings"
    r"|a couple|their|they|themselves|birlikte|beraber|ortak|arasinda|birbir\w{1,8}|evli)\b"
)
"""What is asked of both at once."""
_UNITS = tuple(
    "johnson and johnson|barnes and noble|marks and spencer|procter and gamble|romeo and juliet|ben and jerry"
    "|tom and jerry|trinidad and tobago|bosnia and herzegovina|crime and punishment|war and peace|pride and prejudice"
    "|antigua and barbuda|dungeons and dragons|simon and garfunkel|rick and morty|black and decker".split("|")
)
_HEM = re.compile(r"(?P<lead>.{0,80}?)\bhem (?P<one>.{2,80}?),? hem (?:de|da) (?P<two>.{2,200})", re.IGNORECASE)
_TURKISH_SUBJECT = re.compile(rf"(?P<name>{_NAME}(?: ve {_NAME})?)(?:['\u2019]\w+)? ")
_NAMED_FIRST = re.compile(rf"(?P<name>{_NAME})(?:['\u2019]\w+)?(?P<rest> .+)")
_SUFFIXED_NAME = re.compile(rf"{_NAME}(?:['\u2019]\w+)?")
_DROPPED = frozenset(token for word in CONJUNCTIONS for token in tokens(word))


def decompose(query: str) -> tuple[str, ...]:
    """Split a query into standalone sub-queries.

    Args:
        query: a question; one of more than 600 characters is left whole.

    Returns:
        Two to four questions if it is compound, else the query itself as it stands. Together they hold every index
        token of the query, those of `CONJUNCTIONS` apart.
    """
    plain = " ".join(query.split())
    if len(query) > _LONGEST:
        return (query,)
    parts = [part for question in _questions(plain) for part in _split(question)]
    unique = list({fold_letters(part): part for part in map(_polished, parts)}.values())
    if len(unique) > _MOST:
        unique = [*unique[: _MOST - 1], " ".join(unique[_MOST - 1 :])]
    lost = set(tokens(plain)) - {token for part in unique for token in tokens(part)} - _DROPPED
    return (query,) if lost or len(unique) < 2 else tuple(unique)


def _questions(query: str) -> list[str]:
    """The sentences of a query; one that asks nothing, or leans on the question before it, stays with its neighbour."""
    grouped: list[str] = []
    waiting = ""
    for start, end in sentence_spans(query):
        sentence = query[start:end]
        if not sentence.endswith("?"):
            waiting = f"{waiting} {sentence}".strip()
            continue
        standing = _standing(grouped[-1], sentence) if grouped and not waiting else sentence
        if standing is None:
            grouped[-1] += f" {sentence}"
        else:
            grouped.append(f"{waiting} {standing}".strip())
        waiting = ""
    if waiting:
        grouped[-1:] = [" ".join([*grouped[-1:], waiting])]
    return grouped


def _split(question: str) -> list[str]:
    body = question.rstrip("?!. ")
    end = "?" if question.endswith("?") else ""
    twice = _TWO_WORDS.fullmatch(_opened(body))
    parts = [twice["one"] + twice["rest"], twice["two"] + twice["rest"]] if twice else _hem(body) or _clauses(body)
    return [part + end for whole in parts for part in _by_name(whole)]


def _clauses(body: str) -> list[str]:
    """Cut at the first joint that a question of its own follows, and go on with that."""
    guarded = quoted_spans(body) + [match.span() for match in _BRACKETS.finditer(body)]
    for joint in _JOINT.finditer(body):
        left, right = body[: joint.start()], body[joint.end() :]
        if inside(joint.start(), guarded) or inside(joint.end(), guarded) or not left.strip() or not right.strip():
            continue
        carried = _turkish(left, right, joint) or _english(left, right, joint)
        if carried:
            return [left, *_clauses(carried)]
    return [body]


def _english(left: str, right: str, joint: re.Match[str]) -> str | None:
    """The right side as a question of its own; None if it is none."""
    if joint["mark"]:
        listed = min(len(left.split()), len(right.split())) < 2 or _ALTERNATIVE.match(right)
        return None if listed else _standing(left, right)
    if not _asks(left) or (joint["comma"] and (_RELATIVE.match(right) or not _asks(right))):
        return None
    return _standing(left, right) if _asks(right) else _completed(left, right, also=bool(joint["also"]))


def _asks(side: str) -> bool:
    opened = _opened(side)
    adverbial = _ADVERBIAL.match(opened)
    return bool(_ASKS.match(opened) or (adverbial and _ASKS.match(opened, adverbial.end())))


def _opened(side: str) -> str:
    return side[:1].lower() + side[1:]


def _completed(left: str, right: str, *, also: bool) -> str | None:
    """A right side that shares the beginning or the end of the left one."""
    opening, asked = _opened(left), right.lower()
    if _ASKING_ALONE.fullmatch(asked):
        word = re.match(rf"{_WH}(?= {AUXILIARY}\b)", opening)
        return right + opening[word.end() :] if word and word.group() != asked else None
    governor = _GOVERNOR.match(opening)
    if governor and re.match(rf"{_WH}\b", asked):
        return _standing(left, f"{governor['lead']} {right}")
    shared = _SHARED.match(left)
    return _standing(left, f"{shared['lead']} {right}") if also and shared and _THING.fullmatch(right) else None


def _standing(left: str, right: str) -> str | None:
    """The right side with the one person that the left side names for its pronouns; None if one is left over."""
    persons = _persons(left)
    if len(persons) == 1 and not _persons(right):
        name = persons.pop()
        right = _PERSON.sub(lambda match: name if match["plain"] else f"{name}'s", right)
    return None if _LEANING.search(_opened(right).lower()) else right


def _persons(text: str) -> set[str]:
    return {text[found.start : found.end] for found in entities(text) if found.kind == "person"}


def _turkish(left: str, right: str, joint: re.Match[str]) -> str | None:
    """Both sides have a question word; a right side without a name gets the name that leads the left one."""
    if joint["comma"] or fold_letters(joint.group()).strip(" ,;") not in _TURKISH_JOINTS:
        return None
    small = fold_letters(left), fold_letters(right)
    if not all(map(_TURKISH_ASKS.search, small)) or len(small[1].split()) < 2:
        return None
    subject = _TURKISH_SUBJECT.match(left)
    leads = subject and not _TURKISH_ASKS.match(small[0])
    if subject and leads and not _NAMES.search(right) and _TURKISH_ASKS.match(small[1]):
        return f"{subject['name']} {right}"
    return right


def _hem(body: str) -> list[str]:
    """`Hem A hem de B`: what stands before belongs to both; a name in A takes what follows the name in B."""
    match = _HEM.fullmatch(body)
    if not match:
        return []
    lead, one, two = match["lead"], match["one"], match["two"]
    asks_one, asks_two = (_TURKISH_ASKS.search(fold_letters(side)) for side in (one, two))
    second = _NAMED_FIRST.fullmatch(two)
    if asks_one and asks_two:
        return [lead + one, lead + two]
    return [lead + one + second["rest"], lead + two] if asks_two and second and _SUFFIXED_NAME.fullmatch(one) else []


def _by_name(question: str) -> list[str]:
    """One question per name, where names are joined directly and each is asked about by itself."""
    small = fold_letters(question)
    owners = _JOINED_OWNERS.search(question)
    match = owners or _JOINED.search(question)
    if _TOGETHER.search(small) or any(unit in small for unit in _UNITS):
        return [question]
    if not match:
        return _by_turkish_name(question, small)
    if inside(match.start(), quoted_spans(question)):
        return [question]
    before, after = question[: match.start()], question[match.end() :]
    names, auxiliary = _APART.split(match["names"]), _AUX_BEFORE.search(before)
    if owners:
        return [before + name + after for name in names] if before else [question]
    if auxiliary and after.strip():
        before = before[: auxiliary.start("aux")] + _singular(auxiliary["aux"])
        return [f"{before} {name}{after.removeprefix(' both')}" for name in names]
    return [before + name for name in names] if _ABOUT_BEFORE.search(before) and not after else [question]


def _by_turkish_name(question: str, small: str) -> list[str]:
    match = _TURKISH_JOINED.fullmatch(question)
    plural = small.endswith(("lar", "ler", "yiz", "sunuz", "siniz"))
    if not match or plural or not _TURKISH_ASKS.search(small):
        return [question]
    return [match["one"] + match["rest"], match["two"] + match["rest"]]


def _singular(auxiliary: str) -> str:
    single = _SINGULAR.get(auxiliary.lower(), auxiliary.lower())
    return single.capitalize() if auxiliary[0].isupper() else single


def _polished(part: str) -> str:
    """Without marks around it, and with a capital; a Turkish i keeps its dot by staying small."""
    part = part.strip(" ,;")
    return part if part.startswith(("i", "ı")) else part[:1].upper() + part[1:]
