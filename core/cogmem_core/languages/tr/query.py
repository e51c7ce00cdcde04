"""Turkish: what a question asks for."""

# ruff: noqa: RUF001, SIM905 - Turkish is spelt in Turkish, and a table is read as a table

from __future__ import annotations

from cogmem_core.languages.base import AnswerRules, QueryRules, SplitRules, Strengths
from cogmem_core.languages.loading import areas_of
from cogmem_core.languages.tables import any_of, lazy_pattern
from cogmem_core.languages.tr.forgetting import FORGETTING

_UNITS = r"(?:gun|tarih|saat|hafta|ay|mevsim|yil|sene|donem)"
_NOT_WHENEVER = r"(?! \w{2,16}s[ae][mk]\b)"  # `ne zaman üzülsem`: whenever
_MONTH = any_of(areas_of("tr")["time"].months)
_YEAR = r"(?:19|20)\d\d"

_WHEN = (
    rf"ne zaman\w{{0,6}}\b{_NOT_WHENEVER}",
    r"ne vakit\b",
    rf"hangi {_UNITS}(?:larda|lerde|lar|ler|de|da|te|ta|inda|inde|unda|ini|i|u)?\b",
    rf"kac {_UNITS} (?:once|evvel|sonra)\b",
    r"ne kadar (?:zaman )?(?:once|evvel|sonra)\b",
    r"saat kac(?:ta|a|tan)\b",
    r"kac(?:inda|inci gun\w{0,4})\b",
    r"(?:tarih|dogum gun|yil donum|yildonum)(?:um|un|i|u|unuz|leri|umuz)\w{0,3} (?:ne(?:dir|ydi)?"
    r"|kac)\b",
)
_TEMPORAL: Strengths = (
    *((0.85, pattern) for pattern in _WHEN),
    (0.8, r"ne kadar (?:sure|zaman)\w{0,5}\b"),
    (0.8, rf"kac {_UNITS}(?:dir|den beri|dan beri| boyunca| surdu)\b"),
    (0.75, r"(?:zaman|yillar) icinde (?:nasil )?\w{0,20}\b"),
    (0.7, r"(?:zaman cizelge|kronoloji|gecmis|tarihce)\w{0,6}\b"),
    (0.65, r"(?:eskiden|artik|o zamanlar|daha once|onceden)\b"),
    (0.6, r"(?:en son|ilk|son) (?:kez|defa|sefer)\b|en son\b"),
    (0.6, r"(?:neler|ne) (?:oldu|degisti)\b"),
    (0.3, rf"(?:{_MONTH} ayinda|{_MONTH}'?[dt][ae]|{_YEAR}'?[dt][ae]|{_YEAR} yilinda)\b"),
    (0.3, r"(?:gecen|bu|gelecek|onumuzdeki) (?:hafta|ay|yil|sene|yaz|kis|bahar|gun)\w{0,5}\b"),
    (0.3, r"(?:dun|bugun|yarin|gecenlerde|son zamanlarda)\b"),
)
_CAUSAL: Strengths = (
    (0.9, r"(?:niye|nicin|ne diye|ne sebeple|hangi nedenle|hangi sebeple)\b"),
    (0.9, r"neden\b(?! (?:ol|hoslan|bahset|soz et)\w{0,12}\b)"),
    (
        0.9,
        r"(?:neden|sebeb|gerekce)i(?:ni|nin)?"
        r"(?: (?:ne\w{0,4}|nedir|neydi|bil\w{0,12}|soyle\w{0,10}))?\b|nedenleri\w{0,3}\b",
    ),
    (
        0.85,
        r"(?:neye|nelere) (?:yol ac|neden ol|sebep ol)\w{1,8}\b|(?:sebep|neden) (?:ne(?:dir|ydi)?"
        r"|oldu|olan)\b",
    ),
    (
        0.8,
        r"(?:sonuc|etki)(?:u|i|lari|leri)\w{0,3} (?:ne\w{0,6})\b|nasil etkile\w{1,8}\b|ne(?:ler)? "
        r"etkile\w{1,8}\b",
    ),
    (0.6, r"(?:yuzunden|sayesinde|sonucunda)\b"),
)
_PREFERENCE: Strengths = (
    (0.9, r"(?:en sev\w{2,14}|favori\w{0,8}|gozde\w{0,3})\b"),
    (0.85, r"tercih\w{0,14}\b"),
    (
        0.85,
        r"sev(?:er|erim|ersin|eriz|erler|mez|mem|mezsin|mezler|iyor\w{0,5}|miyor\w{0,5}|di|dim|dik"
        r"|dig\w{1,8}|medig\w{1,8})\b",
    ),
    (
        0.85,
        r"(?:hoslan|begen|bayil)(?:i|ir|di|m|d|iyo)\w{0,12}\b|hosuma\b|hosuna\b|nefret (?:ed"
        r"|et)\w{1,12}\b",
    ),
    (0.7, r"hakkinda ne dusun\w{2,10}\b|\w{2,20} hakkindaki (?:fikr|gorus)\w{1,8}\b"),
    (0.6, r"(?:hobi|ilgi alan)\w{1,8}\b"),
)
_ENTITY_PROFILE: Strengths = (
    (
        0.9,
        r"(?:kim(?:dir|di|im)|nasil bir(?:i|isi|idir|iydi)|nasil bir (?:insan|kisi|adam"
        r"|kadin)\w{0,4})\b",
    ),
    (0.85, r"\w{2,30} kim\s{0,3}(?:\?|$)"),
    (
        0.9,
        r"(?:hakk(?:imda|inda|imizda)|ile ilgili|dair|uzerine) (?:bana )?(?:ne(?:ler)? (?:bil|hatirl|ogren"
        r"|soyle)\w{1,14}"
        r"|bil(?:gi|dig)\w{0,10}|her sey\w{0,3}"
        r"|anlat\w{0,6}|neler var|ne var|ozet\w{0,6})\b",
    ),
    (
        0.85,
        r"(?:profil|ozgecmis|kisilik|kimlig|kisilig)\w{0,6}\b"
        r"|(?:tanit|tarif et|ozetle)(?:r misin|ir misin)?\b|\w{3,20}'[yn]?[iu] anlat\w{0,9}\b",
    ),
)
_FACTUAL: Strengths = (
    (
        0.6,
        r"(?:nere(?:de|ye|den|si|li|yi)\w{0,4}|hangi(?:si|leri)?|kac(?:a|i|ta|ar|inci)?"
        r"|kiminle|kimin|kime|kimden|kimi|kimler\w{0,4})\b",
    ),
    (
        0.5,
        r"(?:ne(?:dir|ydi|ler|yi|ye|yle|leri)?|nasil|kim)\b(?! (?:yazik|guzel|kadar guzel"
        r"|mutlu)\b)",
    ),
    (0.4, r"m[iu](?:y[ds]?[iu]?m?|yim|yiz|sin|siniz|ydi|dir)?\s{0,3}(?:\?|$)"),
)

_QUESTION_WORD = (
    r"(?:(?:ne|nedir|neydi|neler|neyi|neye|neyle|ne zaman|nasil|neden|niye|nicin"
    r"|nere(?:de|ye|den|si|li|yi)\w{0,5}|hangi(?:si|leri)?"
    r"|kim(?:dir|di|in|e|i|den|le|ler|inle)?|kac(?:a|i|ta|inci)?)"
    r"|m[iu](?:yim|yiz|sin|siniz|ydi|ydim|dir|yor\w{0,4})?)"
)

_ANSWERS = AnswerRules(
    templates={
        "definition": (
            "{topic} bir çeşit",
            "{topic} şu anlama gelir",
            "{topic} şunun için kullanılır",
        ),
        "howto": ("{topic}: önce", "{topic}, adımlar şöyle", "{topic}, nasıl yapıldığı anlatıldı"),
        "reasoning": ("{topic} çünkü", "Bunun sebebi {topic}", "{topic} bu yüzden oldu"),
        "lookup": ("{topic}", "{topic} olarak biliniyor", "{topic} diye söylendi"),
        "place": ("{topic} şehrinde", "{topic} bu adreste", "{topic}, bir yer"),
        "time": ("{topic} dün", "{topic} geçen hafta", "{topic} o gün"),
        "technical": ("{topic} şöyle yapılandırıldı", "{topic} hatası çözüldü", "{topic} için kod"),
        "preference": ("{topic} çok", "{topic}, en sevdiği", "{topic} tercih edilir"),
        "general": ("{topic}", "{topic} diye söylendi"),
    },
    patterns={
        "howto": (
            r"nasil (?:\w{2,20} )?\w{2,20}"
            r"(?:rim|r[iu]m|r[iu]z|lir|l[iu]r|bilirim|abilirim|ebilirim|maliyim|meliyim|yapilir"
            r"|edilir)\b|adimlari\b"
        ),
        "definition": r"(?:ne demek\w{0,4}|ne anlama gel\w{1,8}|(?<![iu]m )(?<![iu] )nedir)\b",
        "technical": (
            r"hata\w{0,5}|ayar\w{0,6}|yapilandir\w{1,10}|kurulum\w{0,4}|derle\w{1,8}"
            r"|veritaban\w{1,6}|sunucu\w{0,5}"
            r"|surum\w{0,5}|kod(?:u|da|un|lar\w{0,4})?"
        ),
        "lookup": (
            r"nere(?:de|ye|den|si|li)\w{0,4}|ne zaman|kim\w{0,5}|hangi\w{0,4}|kac\w{0,4}|saat "
            r"kac\w{0,3}"
            r"|(?:adi|numarasi|adresi|tarihi|adim|adresim) (?:ne|nedir|kac)"
        ),
    },
    place=r"nere\w{1,6}",
    time=r"ne zaman",
    omitted=frozenset(
        """
        ne nedir neydi neler nasil neden niye nicin nerede nereye nereden neresi nereli kim kimdir
        kimdi kimin hangi
        hangisi kac kacta mi mu miyim misin miydi mudur midir muyum acaba lutfen peki
        """.split()
    ),
    askers=frozenset(("ben", "biz")),
    request=(r"^(?:bana|lutfen) ", r"(?:soyle|anlat|hatirlat)(?:r misin)?\W*$"),
    defining=("demek|anlama gelir|anlama geliyor",),
    empty_after={"zaman": "ne"},
)

_SPLIT = SplitRules(
    droppable=frozenset("ve ayrıca bir de da hem".split()),
    semicolon_words=("ve ayrıca", "ve", "ayrıca"),
    also=("ve ayrıca", "ve bir de", "bir de", "ayrıca"),
    conjunction="ve",
    alternatives=("ya da", "veya", "yoksa", "ama"),
    together=(r"birlikte|beraber|ortak|arasinda|birbir\w{1,8}|evli",),
    by_question_word=True,
    both=r"(?P<lead>.{0,80}?)\bhem (?P<one>.{2,80}?),? hem (?:de|da) (?P<two>.{2,200})",
    plural_endings=("lar", "ler", "yiz", "sunuz", "siniz"),
)

_LONGEST_QUESTION = 6  # words of a question without a question mark
_WORD = lazy_pattern(r"[^\W\d_]+")
_QUESTION_WORDS = lazy_pattern(rf"\b{_QUESTION_WORD}\b")
_TELLS = lazy_pattern(
    r"\b(?:bil|unut|hatirla|soyle|anla|merak)\w*"
    r"|\b\w{2,20}(?:acag|eceg|d[iu]g|t[iu]g)\w{0,4}[iu]\b"
    r"|\bne (?:yazik|guzel|kadar|mutlu)\b|\bne\b.{1,60}\bne\b"
)
_ALSO_ELSEWHERE = lazy_pattern(r"ne|kim|m[iu]\w*")
_TURKISH = lazy_pattern(r"[ğış]|\b(?:benim|senin|bizim|sizin|bana|sana)\b")


def only_asks(sentence: str, folded: str) -> bool:
    """Whether a short sentence has a question word and tells nothing."""
    size = len(_WORD.findall(folded))
    if not 1 < size <= _LONGEST_QUESTION or _TELLS.search(folded):
        return False
    question_words = _QUESTION_WORDS.findall(folded)
    # "Kim called", "je ne sais" and "mi casa" are not Turkish.
    if any(not _ALSO_ELSEWHERE.fullmatch(word) for word in question_words):
        return True
    return bool(question_words) and _TURKISH.search(sentence) is not None


QUERY = QueryRules(
    asks_when=_WHEN,
    asks_number=r"kac\w*|ne kadar\w*|ne siklikta|ne siklikla|yuzde kac",
    asks_name=r"kim\w{0,5}|ad[iu]\w{0,3} ne(?:dir|ydi)?|isim\w*|nere\w*",
    intents={
        "causal": _CAUSAL,
        "temporal": _TEMPORAL,
        "preference": _PREFERENCE,
        "entity_profile": _ENTITY_PROFILE,
        "factual": _FACTUAL,
    },
    answers=_ANSWERS,
    split=_SPLIT,
    question_word=rf"\b{_QUESTION_WORD}\b",
    first_person=(
        r"\b(?:ben|bana|beni|bende|benden|benim\w{0,3}|benimle|biz|bize|bizi|bizde|bizden"
        r"|bizim\w{0,3}|kendim\w{0,3})\b"
    ),
    first_person_ending=(
        r"\b[a-z]{2,}(?:[aeiou]m(?:[iuae]|[dt][ae]n?|[iu]n|y?l[ae])?|[dt][iu]k|[iu]z"
        r"|[iu]m[iu]z[a-z]{0,4})\b"
    ),
    not_first_person=frozenset(
        """
        isim resim hakim ekim kasim egitim donem sistem film bolum olum dogum yardim takim islem
        eylem problem program
        krem kilim iklim durum yorum toplum uretim yatirim onem gundem kalem yontem mevsim
        temiz deniz ucuz yildiz dokuz otuz omuz domuz havuz yalniz lastik plastik politik
        """.split()
    ),
    name_ending=(
        r"(?:y?[iu]|n[iu]n|[iu]n|y?[ae]|d[ae]|t[ae]|d[ae]n|t[ae]n|y?l[ae]|l[ae]r\w{0,4}|n[iu]n?ki"
        r"|d[ae]ki|t[ae]ki)"
    ),
    yes=frozenset(("evet", "elbette", "tabii")),
    no=frozenset(("hayir",)),
    courteous=frozenset("lutfen tesekkurler sagol".split()),
    about_you=(r"m[iu]s[iu]n(?:iz)?\b", r"\w{2,20}n (?:var|yok) m[iu]\b"),
    # What offers have in them.
    no_fact=(
        r"ne|nerede|nereye|hangi|kim|neden|nasil|kac"
        r"|iste\w*|hazir|emin|musait|anla\w*|devam|soru\w*|baska",
    ),
    only_asks=only_asks,
    forgetting=FORGETTING,
)
