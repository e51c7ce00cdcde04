"""What differs from language to language: one folder and one `Language` record each."""

from cogmem_core.languages.base import Language
from cogmem_core.languages.packs import LANGUAGES

__all__ = ["LANGUAGES", "Language"]
