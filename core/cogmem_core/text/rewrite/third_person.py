"""Make a fact stand on its own: third person, names for pronouns, no filler. Pure.

The first person becomes the speaker's name or "User", and verbs agree, as far as each language can
say so without a doubt; otherwise a text stays as it was said, as do `we`, `you` and everything
inside quotation marks. Rewriting twice gives what rewriting once gave.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.base import Antecedent
from cogmem_core.languages.merged import MergedPattern, all_words, any_word
from cogmem_core.languages.reading import in_its_language, language_told
from cogmem_core.text.folding import MAX_INPUT, fold_letters, inside, quoted_spans

_LIMIT = 500  # characters
_USER = "User"


@in_its_language
def rewrite(
    text: str,
    *,
    speaker: str | None = None,
    antecedents: Sequence[Antecedent] = (),
    limit: int = _LIMIT,
) -> str:
    """Rewrite a fact so that it is understood without its conversation.

    Args:
        text: one fact, as `split_facts` cuts it.
        speaker: who said it; "User" if None.
        antecedents: what was spoken of before, the latest last.
        limit: the most characters of the result; it is cut at a space.
    """
    text = strip_filler(text.strip()[: 2 * limit])
    text = resolve_pronouns(text, antecedents, speaker=speaker or _USER)
    return _cut(third_person(text, speaker), limit)


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    space = text.rfind(" ", 0, limit + 1)
    return text[: space if space > limit // 2 else limit].rstrip(" ,;:")


_HUMS = r"(?:u+m+|u+h+|e+r+m+|h+m+)"
_OPENING = MergedPattern(
    rf"^\s*(?:{_HUMS}\b[,.\u2026 ]*"
    rf"|{any_word(all_words('rewrite.opening_fillers'))}\s*(?:,|\.\.\.|\u2026)\s*"
    rf"|{any_word(all_words('rewrite.bare_opening_fillers'))}\s+)",
    re.IGNORECASE,
)
_BETWEEN = MergedPattern(
    rf",\s*{any_word(all_words('rewrite.inner_fillers'))}\s*,"
    rf"|,?\s{{1,3}}{_HUMS}\b(?=[\s,.!?])(?!,\s*{_HUMS}\b)"
    rf"|,\s*{any_word(all_words('rewrite.final_fillers'))}(?=[.!?]{{0,3}}$)",
    re.IGNORECASE,
)
_MAX_OPENINGS = 5


@in_its_language
def strip_filler(text: str) -> str:
    """Leave out words that only win time: "well,", "um", ", you know,", `yani`, ", şey,".

    "You know the place" and `işte` (at work) are content: most fillers count only between commas or
    before one. So does "actually", which announces a correction. White space around the text goes,
    and what follows its first 5,000 characters is cut off.
    """
    text = text.strip()[:MAX_INPUT]
    quotes = quoted_spans(text)
    stripped = _BETWEEN.sub(
        lambda match: match.group() if inside(match.start(), quotes) else "", text
    )
    for _ in range(_MAX_OPENINGS):
        shorter = _OPENING.sub("", stripped, count=1)
        if shorter == stripped:
            break
        stripped = shorter
    stripped = re.sub(r"^,\s*", "", re.sub(r",\s*,", ",", stripped)).strip()
    if not stripped:
        return text.strip()
    capital = text[:1].isupper() and stripped[0].islower() and stripped[0] != "i"
    if capital and stripped != text.strip():
        return stripped[0].upper() + stripped[1:]
    return stripped


@in_its_language
def resolve_pronouns(text: str, antecedents: Sequence[Antecedent], *, speaker: str = _USER) -> str:
    """Put the name of what was last spoken of in the place of a pronoun, and only in doubt of nothing.

    Only the first pronoun of each kind is replaced, and only if nothing that fits is named before
    it in the same text: what follows is then clear by itself. "It" stays where it stands for
    nothing ("it is raining").

    Args:
        text: one fact.
        antecedents: what was spoken of before it, the latest last.
        speaker: how the text names its speaker; "their" after that name is the speaker's.
    """
    rules = LANGUAGES[language_told(text)].rewrite
    return rules.resolve_pronouns(text, antecedents, speaker) if antecedents else text


@in_its_language
def third_person(text: str, speaker: str | None = None) -> str:
    """Turn the first person into the third.

    "I'm happy" is "User is happy", `seviyorum` is `User ... seviyor`.
    """
    return LANGUAGES[language_told(text)].rewrite.third_person(
        text, fold_letters(text), speaker or _USER
    )
