"""Turkish, folded: phrases by which a statement ends, denies or corrects an older one."""

from __future__ import annotations

import re

from cogmem_core.languages.base import ContradictionRules, Switch
from cogmem_core.languages.tables import words

_FROM_TO = r"\b(?P<a>[a-z]+)'?[dt][ae]n\s(?P<b>[a-z]+)'?y?[ae]\s(?:gecti|dondu|tasindi)[mk]?\b"


def _case_of_name(ending: str) -> str:
    """What follows the apostrophe of a name, spelt alike for all vowels and for d and t.

    Empty for the English possessive.
    """
    case = re.sub("[aeiu]", "a", ending).replace("t", "d")
    return "" if case == "s" else case


CONTRADICTIONS = ContradictionRules(
    wishes=(r"\b(?:keske|umarim)\b"),
    went_over=r"(?P<a>[^\s']+)'?y?[ae]\s(?:gectik|gectim|tasindik|tasindim)\b",
    correction_cues=(
        r"aslinda|duzeltme|duzeltiyorum|yanlis|demek istedim|pardon|artik (?:degil|yok)"
    ),
    correction_openers="hayir|yok",
    denial=r"\bdegil\b",
    meant="demek istedigim",
    cue_words=words("aslinda hayir pardon duzeltme yok"),
    subject_openers=words("artik aslinda"),
    own_subjects="ben",
    owners="benim",
    switches=(Switch(_FROM_TO),),
    stop_cue=r"\b(?:birakti\w*|vazgecti\w*|kestim|kesti)\b|\bartik\b",
    given_up=r"\b(?:birakti[mk]?|vazgecti[mk]?|kestim)\b",
    habit=r"(?:[iu]yor(?:um|uz)?|[aeiu]r[iu][mz])\W*$",
    object_ending=r"'?(?:[ny]?[iu]|m[ae]y[iu]|m[ae]kt[ae]n|[dt][ae]n)$",
    case_of_name=_case_of_name,
    date_ending="'?[dt][ae]n?$",
)
