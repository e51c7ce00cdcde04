"""The languages of the pages: English as it stands in the templates, others by catalogue."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.resources import files

from starlette.requests import Request

LANGUAGES: Mapping[str, str] = {
    "en": "English",
    "tr": "Türkçe",
    "de": "Deutsch",
    "fr": "Français",
    "es": "Español",
}
"""By code, as each calls itself."""
COOKIE = "cogm_language"


@lru_cache(maxsize=len(LANGUAGES))
def catalogue(language: str) -> Mapping[str, str]:
    """What each text of the pages is in a language; of English only those that have a name instead."""
    file = files(__package__) / "catalogues" / f"{language}.json"
    texts: Mapping[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return texts


def translator(language: str) -> Callable[..., str]:
    """Translates a text, and fills its braces."""
    texts = catalogue(language)

    def translate(text: str, /, **values: object) -> str:
        translation = texts.get(text) or catalogue("en").get(text) or text.replace("_", " ")
        return translation.format(**values) if values else translation

    return translate


def language_of(request: Request) -> str:
    """The one that was chosen, else the first that the browser asks for and that is here."""
    chosen = request.cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    for preference in request.headers.get("accept-language", "").split(","):
        code = preference.strip()[:2].lower()
        if code in LANGUAGES:
            return code
    return "en"
