"""What differs from language to language: one folder and one `Language` record each."""

from __future__ import annotations

from cogmem_core.languages.base import Language
from cogmem_core.languages.en import EN
from cogmem_core.languages.tr import TR

__all__ = ["LANGUAGES", "Language"]

LANGUAGES: dict[str, Language] = {"en": EN, "tr": TR}
