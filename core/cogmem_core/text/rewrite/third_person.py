"""Make a fact stand on its own: third person, names for pronouns, no filler. English and Turkish; pure.

English first person becomes the speaker's name or "User", and verbs agree. Turkish is rewritten only where the verb at
the end says who speaks and nothing else in the sentence does; otherwise it stays as it was said, as do `we`, `you` and
everything inside quotation marks. Rewriting twice gives what rewriting once gave.
"""

# ruff: noqa: RUF001, SIM905 - Turkish is spelt in Turkish, and a table is read as a table

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from cogmem_core.text.folding import MAX_INPUT, fold_letters, inside, quoted_spans
from cogmem_core.text.lexicon.calendar import NOT_PAST, PAST_VERBS
from cogmem_core.text.lexicon.stopwords import TURKISH
from cogmem_core.text.lexicon.verbs import ADVERBS, AUXILIARIES, BASE_VERBS, IRREGULAR_THIRD, PAST_TOO
from cogmem_core.text.rewrite.coreference import Known, resolve_pronouns

__all__ = ["Known", "resolve_pronouns", "rewrite", "strip_filler", "third_person", "third_person_verb"]

_LIMIT = 500  # characters (seed 001)
_USER = "User"


def rewrite(text: str, *, speaker: str | None = None, known: Sequence[Known] = (), limit: int = _LIMIT) -> str:
    """Rewrite a fact so that it is understood without its conversation.

    Args:
        text: one fact, as `split_facts` cuts it.
        speaker: who said it; "User" if None.
        known: what was spoken of before, the latest last.
        limit: the most characters of the result; it is cut at a space.
    """
    text = resolve_pronouns(strip_filler(text.strip()[: 2 * limit]), known, speaker=speaker or _USER)
    return _cut(third_person(text, speaker), limit)


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    space = text.rfind(" ", 0, limit + 1)
    return text[: space if space > limit // 2 else limit].rstrip(" ,;:")


_HUMS = r"(?:u+m+|u+h+|e+r+m+|h+m+)"
_OPENERS = (
    r"(?:well|so|oh|ah|okay|ok|anyway|you know|i mean|honestly|basically|frankly|to be honest"
    r"|yani|şey|işte|hani|valla|ya)"
)
_OPENING = re.compile(rf"^\s*(?:{_HUMS}\b[,.\u2026 ]*|{_OPENERS}\s*(?:,|\.\.\.|\u2026)\s*|yani\s+)", re.IGNORECASE)
_BETWEEN = re.compile(
    r",\s*(?:you know|i mean|like|honestly|basically|frankly|to be honest|well|yani|şey|işte|hani|valla)\s*,"
    rf"|,?\s{{1,3}}{_HUMS}\b(?=[\s,.!?])(?!,\s*{_HUMS}\b)"
    r"|,\s*(?:you know|i mean|honestly|to be honest|yani|işte)(?=[.!?]{0,3}$)",
    re.IGNORECASE,
)


def strip_filler(text: str) -> str:
    """Leave out words that only win time: "well,", "um", ", you know,", `yani`, ", şey,".

    "You know the place" and `işte` (at work) are content: most fillers count only between commas or before one. So
    does "actually", which announces a correction. White space around the text goes, and what follows its first 5,000
    characters is cut off.
    """
    text = text.strip()[:MAX_INPUT]
    spans = quoted_spans(text)
    stripped = _BETWEEN.sub(lambda match: match.group() if inside(match.start(), spans) else "", text)
    for _ in range(5):
        shorter = _OPENING.sub("", stripped, count=1)
        if shorter == stripped:
            break
        stripped = shorter
    stripped = re.sub(r"^,\s*", "", re.sub(r",\s*,", ",", stripped)).strip()
    if not stripped:
        return text.strip()
    capital = text.lstrip()[:1].isupper() and stripped[0].islower() and stripped != text.strip()
    return stripped[0].upper() + stripped[1:] if capital and stripped[0] != "i" else stripped


def third_person(text: str, speaker: str | None = None) -> str:
    """Turn the first person into the third: "I'm happy" is "User is happy", `seviyorum` is `User ... seviyor`."""
    name = speaker or _USER
    folded = fold_letters(text)
    ending = folded.rstrip(" .!\u2026\n\t")
    if not _ENGLISH_HINT.search(folded) and (_TURKISH_HINT.search(text) or _TURKISH_VERB.search(ending)):
        return _turkish_third(text, folded, name)
    return _english_third(text, name)


def third_person_verb(verb: str) -> str:
    """The third person singular of an English base form: have, has; go, goes; carry, carries; like, likes."""
    if verb in IRREGULAR_THIRD:
        return IRREGULAR_THIRD[verb]
    if verb.endswith(("s", "x", "z", "ch", "sh")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return verb[:-1] + "ies"
    return verb + "s"


_WORDS = r"(?:[a-z]+ly|" + "|".join(sorted(ADVERBS)) + ")"
_SUBJECT = re.compile(
    rf"\b(?P<i>[Ii])\b(?:(?P<short>['\u2019](?:m|ve|ll|d))\b)?(?P<adverbs>(?:\s{{1,3}}{_WORDS}\b)*)"
    r"(?:(?P<gap>\s{1,3})(?P<verb>[A-Za-z]+(?:['\u2019]t)?)\b)?"
)
_NUMERAL = re.compile(
    r"\b(?:war|part|type|chapter|phase|volume|act|class|stage|level|grade|book|section|tier)\s+$", re.I
)
_NOT_A_VERB = frozenset(
    "and or but so because if when who that which on in at to of for with from as not too, myself".split()
)
_ASKING = re.compile(r"\b(?:am|do|have|did|was|had|can|could|will|would|should|shall|may|might|must|don't)\s+$", re.I)
_HABIT = re.compile(r"\b(?:every|always|usually|often|never|normally|sometimes|daily|weekly)\b", re.IGNORECASE)
_SHORT = {"'m": "is", "'ve": "has", "'ll": "will"}
_NEGATED = {"don't": "doesn't", "haven't": "hasn't", "ain't": "isn't"}
_OBJECTS = re.compile(r"\b(?:(?P<me>me)|(?P<my>my)|(?P<mine>mine)|(?P<self>myself))\b", re.IGNORECASE)
_JOINED = re.compile(
    r"\s(?:and|or|but)\s{1,3}(?:(?:[a-z]+ly|also|then|never|always|often)\s{1,3})?(?P<verb>[a-z]+)(?=\s{1,3}[a-z\d])"
)


def _english_third(text: str, name: str) -> str:
    spans, habit = quoted_spans(text), bool(_HABIT.search(text))
    text, subjects = _replaced(_SUBJECT, text, spans, partial(_third_subject, text=text, name=name, habit=habit))
    if subjects:
        text = _agree_joined(_agree_inverted(text, name), name)
    spans = quoted_spans(text)
    first = text.find(name) if name in text else len(text)
    return _replaced(_OBJECTS, text, spans, partial(_third_object, name=name, first=first))[0]


def _replaced(
    pattern: re.Pattern[str], text: str, spans: list[tuple[int, int]], by: Callable[[re.Match[str]], str]
) -> tuple[str, int]:
    """The text with matches outside of quotations replaced, and how many changed."""
    changed = 0

    def outside(match: re.Match[str]) -> str:
        nonlocal changed
        new = match.group() if inside(match.start(), spans) else by(match)
        changed += new != match.group()
        return new

    return pattern.sub(outside, text), changed


def _third_subject(match: re.Match[str], *, text: str, name: str, habit: bool) -> str:
    """One "I" with its verb; left alone where it is a numeral or part of an abbreviation."""
    whole, verb, adverbs = match.group(), match["verb"], match["adverbs"]
    before, after = text[max(0, match.start() - 12) : match.start()], text[match.end("i") : match.end("i") + 1]
    if _NUMERAL.search(before) or (after and after in ".,-/)"):
        return whole
    if match["i"] == "i" and not match["short"] and not (verb and _verbal(verb)):
        return whole
    rest = f"{match['gap'] or ''}{verb or ''}"
    if match["short"]:
        return f"{name} {_short_verb(match)}{adverbs}{rest}"
    if not verb or _ASKING.search(before):
        return f"{name}{adverbs}{rest}"
    return f"{name}{adverbs}{match['gap']}{_agreeing(verb, habit=habit)}"


def _verbal(word: str) -> bool:
    return word in BASE_VERBS or word in AUXILIARIES or _is_past(word)


def _short_verb(match: re.Match[str]) -> str:
    short = match["short"].replace("\u2019", "'").lower()
    if short != "'d":
        return _SHORT[short]
    verb = (match["verb"] or "").lower()
    return "would" if verb in BASE_VERBS or verb in ("rather", "be", "not") else "had"


def _is_past(verb: str) -> bool:
    return verb in PAST_VERBS or verb in PAST_TOO or (verb.endswith("ed") and len(verb) > 3 and verb not in NOT_PAST)


def _agreeing(verb: str, *, habit: bool) -> str:
    """The verb after the third person; "do" and "have" change, modals and past forms do not."""
    plain = verb.replace("\u2019", "'")
    if plain in _NEGATED:
        return _NEGATED[plain]
    if plain in ("am", "have", "do"):
        return IRREGULAR_THIRD[plain]
    if plain in AUXILIARIES or plain in _NOT_A_VERB or not plain.islower():
        return verb
    if (_is_past(plain) and not (habit and plain in PAST_TOO)) or plain.endswith("ing"):
        return verb
    return third_person_verb(plain)


def _agree_inverted(text: str, name: str) -> str:
    """Let the auxiliary of a question agree: "is User", "does User"."""

    def agreeing(match: re.Match[str]) -> str:
        third = IRREGULAR_THIRD[match[1].lower()]
        return (third.capitalize() if match[1][0].isupper() else third) + match[2]

    return re.sub(rf"\b(am|do|have)(\s+{re.escape(name)}\b)", agreeing, text, flags=re.IGNORECASE)


def _agree_joined(text: str, name: str) -> str:
    """Let verbs joined to one that was changed agree, too: "User lives here and works there"."""
    pieces, position = [], 0
    present = re.compile(rf"\b{re.escape(name)}(?:\s+{_WORDS})*\s+(?P<verb>[a-z]+s|has)\b")
    spans = quoted_spans(text)
    for match in _JOINED.finditer(text):
        clause = text[max(0, match.start() - 200) : match.start()]
        clause = clause[max(clause.rfind(mark) for mark in ".;!?") + 1 :]
        starts = [found for found in present.finditer(clause) if found["verb"] not in ("is", "was", "does")]
        tail = clause[starts[-1].end() :] if starts else ""
        joins = (
            match["verb"] in BASE_VERBS
            and bool(starts)
            and not inside(match.start(), spans)
            and not _governed(tail)
            and _takes_object(text, match.end())
        )
        if joins:
            pieces += [text[position : match.start("verb")], third_person_verb(match["verb"])]
            position = match.end()
    return "".join(pieces) + text[position:]


def _governed(words: str) -> bool:
    """Whether a modal, a conjunction, another subject or an infinitive stands between two verbs."""
    infinitives = re.findall(r"\bto\s+([a-z]+)", words)
    other = re.search(r"\b(?:will|would|can|could|that|who|which|if|when|because|we|they|you)\b", words)
    return bool(other) or any(verb in BASE_VERBS for verb in infinitives)


def _takes_object(text: str, position: int) -> bool:
    """Whether what follows a word shows that it is a verb: "work at", "love my"; not "sleep and work"."""
    following = re.match(r"\s+([a-z']+)", text[position : position + 30].lower())
    return bool(following) and following[1] in _AFTER_VERBS  # type: ignore[index]


_AFTER_VERBS = frozenset(
    "a an the my your his her their our this that these those at in on for with to as from by about into up out over "
    "around near every no one two three some any not very it him them me you us myself".split()
)


def _third_object(match: re.Match[str], *, name: str, first: int) -> str:
    """Write "my" as the name where it comes first, as "their" after it; the other forms are the name."""
    later = match.start() > first
    if match["my"]:
        return "their" if later else f"{name}'s"
    if match["mine"]:
        return "theirs" if later else f"{name}'s"
    if match["self"]:
        return "themselves"
    return match.group() if match.group() == "ME" else name


_ENGLISH_HINT = re.compile(r"\b(?:the|was|were|is|are|i|my|me|to|of|and|with|have|has|for)\b")
_TURKISH_HINT = re.compile(r"[ğıİşĞŞ]")
_TURKISH_VERB = re.compile(r"\b[a-z]{2,}(?:[iu]yorum|acagim|ecegim|m[iu]st?[iu]m|[dt][iu]m)$")
_TURKISH_ENDINGS = (
    (re.compile(r"((?:[ıiuü])yor)um$"), r"\1"),
    (re.compile(r"ac(?:ağım)$"), "acak"),
    (re.compile(r"ec(?:eğim)$"), "ecek"),
    (re.compile(r"(m[ıiuü]ş)[ıiuü]m$"), r"\1"),
    (re.compile(r"([a-zçğıöşü]{2}[dt][ıiuü])m$"), r"\1"),
    (re.compile(r"([a-zçğıöşü]{2}[ae]r)[ıi]m$"), r"\1"),
    (re.compile(r"((?:sev|bil|iç|gel|gör|ver|kal|al|ol|bul)[iıuü]r)[ıiuü]m$"), r"\1"),
)
_TURKISH_NOUNS = frozenset(
    "adım yardım kadım tadım katım kutum umudum derdim cildim yurdum sanatım hayatım saatim".split()
)
# Case forms of "I" and "we", and nouns that end in "my": whose they are would have to change, too.
_TURKISH_SELF = re.compile(r"\b(?:benim|bana|beni|bende|benden|benimle|biz\w*|kendi\w*)\b")
_TURKISH_MY = re.compile(r"[aeiou]m(?:[iuae]|[dt][ae]n?|[iu]n|l[ae]|y?l[ae])?$")


def _turkish_third(text: str, folded: str, name: str) -> str:
    """Put "User" before `kahveyi seviyor`; without a verb in the first person, nothing changes."""
    end = len(text.rstrip(" .!\u2026\n\t"))
    body = text[:end]
    head, _, verb = body.rpartition(" ")
    changed = _turkish_verb(verb)
    others = re.findall(r"[a-z']+", folded[: len(head)])
    mine = _TURKISH_SELF.search(folded) or any(_TURKISH_MY.search(word) for word in others)
    if changed == verb or mine or re.search(r"[.!?;\"\u201c]", head):
        return text
    head = re.sub(r"^[Bb]en\s+(?:de\s+|da\s+)?|^[Bb]en$", "", head)
    first = head.split(" ", 1)[0]
    if first and _lower(first) in TURKISH | _TURKISH_OPENERS:
        head = _lower(first) + head[len(first) :]
    if not head:
        changed = _lower(changed[0]) + changed[1:]
    return " ".join(filter(None, (name, head, changed))) + text[end:]


_TURKISH_OPENERS = frozenset("bugün yarın dün artık şimdi sabah akşam genelde bazen kahveyi kahve çayı çay".split())


def _lower(word: str) -> str:
    return word.replace("İ", "i").replace("I", "ı").lower()


def _turkish_verb(verb: str) -> str:
    if verb.lower() in _TURKISH_NOUNS:
        return verb
    for pattern, replacement in _TURKISH_ENDINGS:
        if pattern.search(verb):
            return pattern.sub(replacement, verb)
    return verb
