"""Hypothetical answers to a question, from templates (HyDE without a model; seed 001). English and Turkish; pure.

An embedding of "Caroline works at" lies nearer to what was remembered than one of "Where does Caroline work?". The
caller embeds the question and its hypothetical answers in one batch and searches with their mean.
Source: Gao et al. (2022), "Precise zero-shot dense retrieval without relevance labels"; the templates are those of the
seven intents of the seed.
"""

# ruff: noqa: RUF001, SIM905 - Turkish is spelt in Turkish, and a table is read as a table

from __future__ import annotations

import re
from typing import Literal

from cogmem_core.text.folding import fold_letters
from cogmem_core.text.lexicon.intents import CAUSAL, PREFERENCE
from cogmem_core.text.lexicon.verbs import BASE_VERBS
from cogmem_core.text.query.intent import asks_in_turkish
from cogmem_core.text.rewrite.third_person import third_person, third_person_verb
from cogmem_core.text.tokens import tokens

__all__ = ["HydeIntent", "hyde_intent", "hypothetical"]

HydeIntent = Literal["definition", "howto", "reasoning", "lookup", "technical", "preference", "general"]

_READ = 500  # characters; a template around a longer text changes nothing
_PREFERENCE_FROM, _REASON_FROM = 0.7, 0.75
_TECHNICAL = (
    r"(?:debug\w{0,4}|stack ?traces?|exceptions?|error (?:message|code|log)s?|errors?|bugs?|crash\w{0,3}|config\w{0,10}"
    r"|settings?|install\w{0,6}|deploy\w{0,6}|compil\w{1,5}|build|endpoints?|api|apis|sdk|cli|schema|migrations?|query"
    r"|quer(?:y|ies) (?:plan|time)|env(?:ironment)? var\w{0,6}|functions?|class(?:es)?|method|parameters?|flags?|ports?"
    r"|server|database|repo(?:sitory)?|branch|commit|docker\w{0,7}|kubernetes|python|javascript|typescript|sql|regex"
    r"|timeout|code|hata\w{0,5}|ayar\w{0,6}|yapilandir\w{1,10}|kurulum\w{0,4}|derle\w{1,8}|veritaban\w{1,6}|sunucu\w{0,5}"
    r"|surum\w{0,5}|kod(?:u|da|un|lar\w{0,4})?)"
)
_HOWTO = (
    r"(?:how (?:do|can|should|could|would|might|must) (?:i|we|you|one|people|user)\b|how (?:to|can)\b"
    r"|(?:the )?steps (?:to|for)\b"
    r"|(?:best|right|easiest) way to\b|(?:guide|tutorial|instructions|recipe) (?:to|for|on)\b"
    r"|nasil (?:\w{2,20} )?\w{2,20}"
    r"(?:rim|r[iu]m|r[iu]z|lir|l[iu]r|bilirim|abilirim|ebilirim|maliyim|meliyim|yapilir|edilir)\b|adimlari\b)"
)
_DEFINITION = (
    r"(?:what(?:'s| is| are| was) (?:an? |the (?:meaning|definition|concept) of )?"
    r"(?!(?:my|your|his|her|our|their|the|that|this|it|you|we|they|i)\b)(?![^?]{1,60} like\b)"
    r"[\w-]+(?: [\w-]+){0,2}\s{0,2}(?:\?|$)|what does (?:[\w-]+ ){1,4}(?:mean|stand for)\b"
    r"|(?:define|definition of|meaning of|explain what)\b"
    r"|(?:ne demek\w{0,4}|ne anlama gel\w{1,8}|(?<![iu]m )(?<![iu] )nedir)\b)"
)
_LOOKUP = (
    r"(?:where|when|who|whom|whose|which|how (?:many|much|old|long|often|far|tall|big)"
    r"|what(?:'s| is| was) (?:my|your|his|her|our|their|the|[\w-]+'s)"
    r"|what (?:time|date|day|year|month|name|number|address)"
    r"|find|nere(?:de|ye|den|si|li)\w{0,4}|ne zaman|kim\w{0,5}|hangi\w{0,4}|kac\w{0,4}|saat kac\w{0,3}"
    r"|(?:adi|numarasi|adresi|tarihi|adim|adresim) (?:ne|nedir|kac))"
)


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile(r"(?<![\w'])(?:" + "|".join(patterns) + r")(?!\w)")


_TABLE: tuple[tuple[HydeIntent, re.Pattern[str]], ...] = (
    ("reasoning", _any(*(pattern for strength, pattern in CAUSAL if strength >= _REASON_FROM))),
    ("preference", _any(*(pattern for strength, pattern in PREFERENCE if strength >= _PREFERENCE_FROM))),
    ("howto", _any(_HOWTO)),
    ("definition", _any(_DEFINITION)),
    ("technical", _any(_TECHNICAL)),
    ("lookup", _any(_LOOKUP)),
)
_PLACE, _TIME = (
    re.compile(r"\b(?:where|nere\w{1,6})\b"),
    re.compile(r"\b(?:when|ne zaman|what (?:date|day|year|time))\b"),
)

_Templates = tuple[str, ...]
_ENGLISH: dict[str, _Templates] = {
    "definition": ("{topic} is a kind of", "{topic} means that", "{topic} is used for"),
    "howto": ("To {topic}, first", "The steps to {topic} are", "It was explained how to {topic}"),
    "reasoning": ("{topic} because", "The reason is that {topic}", "{topic} was caused by"),
    "lookup": ("{topic}", "{topic} is called", "It was mentioned that {topic}"),
    "place": ("{topic} in", "{topic} at", "{topic}, a place"),
    "time": ("{topic} yesterday", "{topic} last week", "{topic} on that day"),
    "technical": ("{topic} is configured with", "The error with {topic} was fixed by", "The code for {topic} uses"),
    "preference": ("{topic} a lot", "{topic}, a favorite", "{topic} is preferred to"),
    "general": ("{topic}", "It was mentioned that {topic}"),
}
_TURKISH: dict[str, _Templates] = {
    "definition": ("{topic} bir çeşit", "{topic} şu anlama gelir", "{topic} şunun için kullanılır"),
    "howto": ("{topic}: önce", "{topic}, adımlar şöyle", "{topic}, nasıl yapıldığı anlatıldı"),
    "reasoning": ("{topic} çünkü", "Bunun sebebi {topic}", "{topic} bu yüzden oldu"),
    "lookup": ("{topic}", "{topic} olarak biliniyor", "{topic} diye söylendi"),
    "place": ("{topic} şehrinde", "{topic} bu adreste", "{topic}, bir yer"),
    "time": ("{topic} dün", "{topic} geçen hafta", "{topic} o gün"),
    "technical": ("{topic} şöyle yapılandırıldı", "{topic} hatası çözüldü", "{topic} için kod"),
    "preference": ("{topic} çok", "{topic}, en sevdiği", "{topic} tercih edilir"),
    "general": ("{topic}", "{topic} diye söylendi"),
}
_LEFT_OUT = frozenset(
    """
    what what's whats when when's where where's wheres who who's whos whom whose which why how how's
    is are was were am be been being do does did done has have had having will would shall should can could might must
    isn't aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't won't wouldn't shouldn't can't couldn't
    please exactly many much
    ne nedir neydi neler nasil neden niye nicin nerede nereye nereden neresi nereli kim kimdir kimdi kimin hangi hangisi
    kac kacta mi mu miyim misin miydi mudur midir muyum acaba lutfen peki
    """.split()
)
_REQUEST = re.compile(
    r"^\s*(?:hey |hi |ok |so |and |please )?(?:(?:can|could|would|do|will) (?:you|we) (?:please |still )?)?"
    r"(?:tell (?:me|us)|remind me|explain|remember|know|recall)\b(?: (?:to me|again))?(?: about)?|^(?:bana|lutfen) "
    r"|(?:soyle|anlat|hatirlat)(?:r misin)?\W*$",
    re.IGNORECASE,
)
_ASKER = frozenset("i we you one people to ben biz".split())
_DEFINING = re.compile(
    r"\b(?:means?|stands? for|(?:the )?(?:meaning|definition|concept) of|define|demek|anlama gelir|anlama geliyor)\b",
    re.IGNORECASE,
)
_EMPTY_TURKISH = {"zaman": "ne"}  # without the word before it, it asks nothing
_WORD = re.compile(r"[^\s?!.,;:\"()\u201c\u201d]+(?:[.,:][^\s?!.,;:\"()\u201c\u201d]+)*")


def hyde_intent(query: str) -> HydeIntent:
    """Which of the seed's seven kinds of answer a question wants.

    The first kind that matches counts, in this order: reasoning (why X), preference (likes and dislikes), howto (how to
    X), definition (what is X), technical (debugging, code, configuration), lookup (where, when, who, which, how many);
    else general.
    """
    folded = " ".join(fold_letters(query[:_READ]).split())
    return next((intent for intent, pattern in _TABLE if pattern.search(folded)), "general")


def hypothetical(query: str) -> tuple[str, ...]:
    """Beginnings of answers to a question, to be embedded beside it; who asks is "User", as in what is remembered.

    Args:
        query: its first 500 characters are read.

    Returns:
        Two or three different texts, the most plain one first; none if the query has no word of content.
    """
    text = query[:_READ]
    folded, intent, turkish = fold_letters(text), hyde_intent(text), asks_in_turkish(text)
    topic = _topic(text, intent)
    if not tokens(topic):
        return ()
    kind: str = intent
    if intent == "lookup":
        kind = "place" if _PLACE.search(folded) else "time" if _TIME.search(folded) else intent
    templates = (_TURKISH if turkish else _ENGLISH)[kind]
    return tuple(template.replace("{topic}", topic) for template in templates)


def _topic(text: str, intent: HydeIntent) -> str:
    """The question as a statement without what is asked: no question words and auxiliaries, third person."""
    if intent == "definition":
        text = _DEFINING.sub(" ", text)
    kept: list[str] = []
    before, auxiliary = "", ""
    for match in _WORD.finditer(_REQUEST.sub("", text)):
        word, plain = match.group(), fold_letters(match.group())
        if auxiliary and kept and plain in BASE_VERBS:
            kept.append(third_person_verb(word) if auxiliary.startswith("does") else word)
            auxiliary = ""
        elif plain in _LEFT_OUT or _EMPTY_TURKISH.get(plain) == before:
            auxiliary = plain if plain.startswith(("do", "did")) else auxiliary
        elif kept or intent != "howto" or plain not in _ASKER:
            kept.append(word)
        before = plain
    return third_person(" ".join(kept))
