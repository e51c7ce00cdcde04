"""Turkish, folded: phrases that show what kind of thing a message says, and orders to the model.

Every pattern begins at a word. No quantifier stands inside another one, and every repetition is
bounded, so that each takes linear time on any text.
"""

from __future__ import annotations

from cogmem_core.languages.base import SignalRules
from cogmem_core.languages.tables import words

_CORRECTIONS: tuple[str, ...] = (
    r"aslinda",
    r"olmali(?:ydi|ymis|dir|yken)?",
    r"yanlis(?!lik)\w{0,12}",
    r"hatali\w{0,8}",
    r"duzelt(?:me|iyor|ir|ey|mem|tim)\w{0,8}",
    r"demek iste(?:dim|dik|mistim|digim)",
    r"kast(?:etti|ettig|etmi)\w{1,8}",
    r"(?:oyle|dogru|boyle) degil",
    r"degil[,;] ?\w",
    r"hayir, ",
    r"artik \w{1,20} degil|artik degil|artik yok",
)
_PREFERENCES: tuple[str, ...] = (
    r"tercih (?:ede|edi|etm)\w{1,10}",
    r"tercih(?:im|imiz|leri|lerim)",
    r"seviyo\w{1,8}|severi[mz]|sevme[mz]|sevmiyo\w{1,8}|sevdigi\w{1,6}",
    r"hoslan\w{2,14}",
    r"nefret (?:ed|et)\w{1,10}",
    r"bayil(?:ir|iyo)\w{1,6}",
    r"favori\w{0,8}",
    r"begen(?:iri|iyo|mem|miyo)\w{0,8}",
    r"tiksin\w{1,10}",
    r"(?:her zaman|asla|hep) \w{2,16} (?:kullan|yaz|konus)\w{0,6}",
)
_DECISIONS: tuple[str, ...] = (
    r"karar (?:ver|al|kil)\w{1,12}",
    r"karari(?:m|miz|ni|mi)",
    r"sect(?:im|ik|iler)|secildi|sececegi[mz]",
    r"tercih ett\w{1,4}",
    r"kullanaca(?:gim|giz|k)",
    r"(?:ile|onunla|bununla) (?:devam ed|ilerl)\w{1,12}",
    r"anlastik|gecmeye|gecis yap\w{1,8}",
)
_FACTS: tuple[str, ...] = (
    r"(?:adim|ismim|soyadim|adimiz|lakabim)",
    r"\w{2,20}(?:iyo|uyo)r(?:um|uz|du|dum|duk|lar|sun)?",
    r"\w{2,20}m(?:iz|uz)? var(?:di)?",
    r"\w{2,18}(?:dim|dum|tim|tum|dik|duk|mistim|mistik)(?=\s{0,3}(?:[.,!;:)]|$)|\s(?:ve|ama|cunku"
    r"|fakat)\b)",
    r"\d{1,3} yas\w{1,10}",
    r"dogumlu\w{0,5}|evliyim|bekarim|alerji\w{1,6}|emekli\w{1,6}|ogrenciyim|\w{3,14}(?:ciyim|miyim"
    r"|yasindayim)",
    r"(?:surum|versiyon|port|adres|telefon|sifre|butce|toplanti|randevu|dogum gun)\w{0,8}:? \S",
)
_STATEMENTS: tuple[str, ...] = (
    r"\w{3,20}(?:dir|dur|tir|tur|mis|mus)(?=\s{0,3}(?:[.,!;:)]|$))",
    r"\w{2,20} (?:oldu|olacak|gerek|lazim|basladi|bitti|degisti|yapildi|bulunuyor)",
)
_TEMPORAL: tuple[str, ...] = (
    r"(?:bugun|yarin|dun|bu aksam|bu sabah|bu gece|simdi|gecenlerde|su an|haftaya|seneye|oburgun"
    r"|evvelsi gun)\w{0,4}",
    r"(?:gecen|gelecek|onumuzdeki|bu|her|evvelki) (?:\w{1,8} )?(?:hafta|ay|yil|sene|gun|yaz|kis"
    r"|bahar"
    r"|cuma|sali)\w{0,4}",
    r"\w{1,10} (?:dakika|saat|gun|hafta|ay|yil|sene) (?:once|sonra|evvel|icinde|boyunca)\w{0,3}",
    r"<day>(?:yi|ye|ya|de|da|si|den|dan|leri|lari)?",
)
_INJECTIONS: tuple[str, ...] = (
    r"(?:onceki|yukaridaki|tum|butun|mevcut|sistem|eski|verilen)(?: (?:tum|butun|onceki"
    r"|sistem)){0,2} "
    r"(?:talimat|komut|kural|yonerge|istem|direktif)\w{0,12}(?: \w{1,12}){0,2} "
    r"(?:yok say|unut(?:un)?\b|gormezden gel|goz ardi et|dikkate alma|gecersiz|bos ?ver|uyma|iptal et)",
    r"(?:talimat|kural|yonerge)\w{0,12} (?:yok say|unut(?:un)?\b|gormezden gel|goz ardi et"
    r"|dikkate alma)",
    r"sistem (?:istemi|komutu|mesaji|talimat\w{0,8}|promptu)\w{0,6} (?:goster|yaz|soyle|acikla"
    r"|paylas|ver)",
    r"artik (?:bir )?(?:dan|kisitlamasiz|sinirsiz|filtresiz)",
    r"(?:gelistirici|yonetici) modu\w{0,4} (?:gec|ac|etkinlestir)[^\n]{0,40}"
    r"\b(?:kisitlama|filtre|kural|sinir|ozgur)",
    r"(?:kisitlama|sinirlama|kural|filtre)\w{0,6} olmadan (?:cevap|yanit|davran|konus)",
    # Somebody with authority speaks about "the user" and the memory, as no user does.
    r"(?:sistem|yonetici|guvenlik|gelistirici|admin) (?:mesaji|notu|komutu|bildirimi|uyarisi)"
    r"[^.!?:]{0,20} ?[:\u2013-] ?[^\n]{0,120}\b(?:kullanici|hafiza|bellek|bilgileri unut|kaydi|kaydini)",
    r"[<\[]/?sistem(?: \w{1,10})?[>\]]",
    r"(?:hafiza|bellek) (?:guncelleme|yazma|kayit)\w{0,6} ?:",
    r"(?:hafiza|belle)\w{1,5} (?:sunu |bunu )?(?:yaz|kaydet|ekle)\w{0,3} ?[:,]? ?(?:ki )?kullanici",
    r"yapay zek\w{1,4} (?:not|mesaj|talimat|uyari)\w{0,2} ?[:,]",
    r"<!--[^>:]{0,40}(?:asistan|yapay zek)\w{0,6} ?[:,]",
    r"base ?64\b[^\n]{0,80}\b(?:coz|ac)\w{0,6}[^\n]{0,40}\b(?:uygula|calistir|yerine getir)",
)

SIGNALS = SignalRules(
    corrections=_CORRECTIONS,
    preferences=_PREFERENCES,
    decisions=_DECISIONS,
    facts=_FACTS,
    statements=_STATEMENTS,
    temporal=_TEMPORAL,
    ambiguous_months=words("ocak ekim mart"),
    tag_questions=(r"degil mi",),
    injections=_INJECTIONS,
)
