"""Turkish: orders to the model, claims in the name of others, and sentences that want to be rules.

Written as the English table is.
"""

from __future__ import annotations

from cogmem_core.languages.base import PatternTable

INSTRUCTIONS: PatternTable = (
    (
        ("talimat", "komut", "kural", "yonerge", "istem"),
        r"(?:talimat|komut|kural|yonerge|istem)\w{0,12}(?: \w{1,12}){0,3} (?:yok say|unut(?:un)?\b"
        r"|gormezden gel"
        r"|goz ardi et|dikkate alma|gecersiz|bos ?ver|uyma|iptal et)",
    ),
    (
        ("bundan sonra", "artik", "bundan boyle", "simdiden sonra"),
        r"(?:bundan sonra|bundan boyle|simdiden sonra|artik),? (?![^.!?]{0,60}(?:yorum|[ae]ca?[ge]im"
        r"|yoruz|[ae]ca?[ge]iz)\b)(?:[\w']{1,14} ){0,3}(?:her zaman"
        r"|daima|hep|asla"
        r"|sadece|yalnizca|her soruda)",
    ),
    (
        ("admin", "yonetici", "sistem"),
        r"(?:admin|yonetici|sistem)\w{0,6} (?:dedi|soyledi|emretti|istedi|onayladi)(?: ki)?"
        r"|(?:hatirla|unutma"
        r"|kaydet)(?: \w{1,12}){0,2} (?:admin|yonetici|sistem)",
    ),
)
CLAIMS: PatternTable = (
    (
        ("kullanici", "musteri"),
        r"(?:kullanici|musteri)\w{0,4} (?:[\w']{1,14} ){0,4}(?:tercih ed|istiyor|istedi|seviyor"
        r"|sever|onayladi"
        r"|her zaman|asla)\w{0,6}",
    ),
)
RULES: PatternTable = (
    (
        ("her zaman", "asla", "daima"),
        r"(?:her zaman|asla|daima)(?: \w{1,14}){0,3} (?:oner|tavsiye|kullan|soyle|yaz|gonder"
        r"|yonlendir)\w{0,4}",
    ),
)
