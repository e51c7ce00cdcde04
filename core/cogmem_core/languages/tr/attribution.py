"""Turkish: phrases that say where a statement comes from, and courtesies; folded.

Expressions hold bounded repetitions only, and no quantifier stands inside another one.
"""

from __future__ import annotations

from cogmem_core.languages.base import AttributionRules

_TOLD = r"(?:soyle|belirt|bahset|anlat|de|ilet)"
_YOU = r"m[iu]s[dt][iu]n(?:[iu]z)?"
_REPORTING: tuple[str, ...] = (
    rf"{_TOLD}dig[iu]n(?:[iu]z)?(?: (?:gibi|uzere|kadariyla|icin))?",
    rf"(?:(?:daha once|onceden|gecen sefer|bana|daha once bana) )?{_TOLD}(?:{_YOU}"
    rf"|d[iu]n(?:[iu]z)?)",
    r"(?:soylediginize|soyledigine|hatirladigima|bildigime|notlarima|notlarimiza|hafizama"
    r"|kayitlarima"
    r"|aldigim notlara|onceki konusmalarimiza) gore",
    r"(?:hatirladigim|bildigim) kadariyla|(?:ben )?hatirliyorum(?: ki)?|yanlis hatirlamiyorsam"
    r"|notlarimda"
    r"|onceki konusmalarimiz(?:da|dan)|biliyorum(?: ki)?|gordugum kadariyla",
)
_COURTESIES: tuple[str, ...] = (
    r"degil mi(?= ?\?)",
    r"sorun (?:yok|degil)|onemli degil|bir sey degil|rica ederim|ne demek|cekinme|cekinmeyin"
    r"|hic sorun degil",
)

ATTRIBUTION = AttributionRules(reporting=_REPORTING, courtesies=_COURTESIES)
