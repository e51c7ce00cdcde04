"""Turkish, folded: what people are asked about themselves, and in which words they tell it."""

from cogmem_core.languages.base import Topic

_AT = r"[\w&.-]{2,40}'[dt][ae]"
_TO = "'[yn]?[ae]"
_WHOM = "'[yn]?[iu]"
_WORK = r"\b(?:ise|ofise|okula|universiteye)"

_TRADE = (
    r"(?:ogretmen|doktor|hemsire|avukat|muhendis|mimar|asci|garson|sofor|memur|muhasebeci|polis|asker"
    r"|eczaci|terzi|berber|kuafor|kasap|firinci|ciftci|tesisatci|elektrikci|marangoz|yazar|cevirmen"
    r"|gazeteci|yazilimci|tasarimci|mudur|sekreter|tezgahtar|dis\shekimi|veteriner|akademisyen|ogrenci"
    r"|emekli|issiz|serbest)"
)

_KIN = (
    r"(?:annem|babam|ablam|agabeyim|abim|(?:kiz\s|erkek\s)?kardes(?:im|lerim)|og(?:lum|ullarim)|kiz(?:im|larim)|esim|karim|kocam"
    r"|dedem|ninem|anneannem|babaannem|teyzem|halam|dayim|amcam|kuzen(?:im|lerim)|yegen(?:im|lerim)|torun(?:um|larim)|kayinvalidem"
    r"|kayinpederim|nisanlim|cocuk(?:larim|larimiz)|cocugum|bebegim(?:iz)?|ikizler(?:im|imiz))"
)
_PET = r"(?:kopeg|kedi|kus|balig|tavsan|hamster|papagan|muhabbet\skus|kaplumbaga|at)"
_CLASSES = {
    "family": Topic(
        asks=(
            r"\bailem(?:den|i|de|iz|izden|izi|izde)?\s(?:bahset|soz\set|anlat|hakkinda|kim\w*|nasil)"
            r"|\b(?:akrabalarim|ailem)\skim\w*"
        ),
        tells=(
            rf"\b{_KIN}(?:le|la|yle|yla)?\b",
            r"\b(?:bir|iki|uc|dort)\s(?:\w+\s)?(?:kardesim|cocugum|kizim|oglum|torunum|ablam|abim)\svar\b",
            r"\b(?:evliyim|evliyiz|nisanliyim|bosandim|dulum)\b",
        ),
    ),
    "pets": Topic(
        asks=(
            r"\b(?:hangi\s)?evcil\shayvan(?:im|larim|imiz|larimiz)(?:dan|i)?\s(?:var|bahset|anlat|neler|hakkinda|kim\w*)"
        ),
        tells=(
            rf"\b{_PET}(?:im|um|imiz|umuz|m|miz)(?:[iu]n)?\b",
            r"\b(?:bir|iki|uc|dort)\s(?:\w+\s)?(?:kopek|kedi|kus|tavsan|hamster|papagan|kaplumbaga)\w*\s"
            r"(?:var|aldik|aldim|sahiplendik|sahiplendim)\b",
        ),
    ),
    "health": Topic(
        asks=r"\bsagli(?:gim|gimdan|gimi|k\ssorunlarim|k\sdurumum)\s(?:bahset|anlat|hakkinda|nasil|neler|ne)",
        tells=(
            r"\b(?:alerjim|alerjigim|alerjiyim|astimim|sekerim|tansiyonum|kolesterolum|migrenim|kan\sgrubum|diyabetim)\b",
            r"\b\d[\d.,]*\s?(?:mg|mcg|ml|unite)\s(?:\w+\s){0,3}?(?:aliyorum|kullaniyorum|iciyorum)\b",
            r"\b(?:bana\s)?\w+\s(?:teshisi|tanisi)\skondu\b|\bameliyat\soldum\b|\b(?:seker|kalp|astim)\shastasiyim\b",
        ),
    ),
}

TOPICS = {
    **_CLASSES,
    "occupation": Topic(
        asks=(
            r"\b(?:meslegim|isim)\s(?:su\san\s)?(?:ne|nedir)\b|\bne\sis\syapiyor(?:um|uz)\b"
            r"|\bhangi\sis(?:i|te)\s(?:yapiyor|calisiyor)(?:um|uz)\b|\bne\solarak\scalisiyor(?:um|uz)\b"
        ),
        tells=(
            r"\b(?:olarak|\w+'?[dt][ae])\s(?:\w+\s)?calisiyorum\b",
            rf"\b{_TRADE}(?:[iu]?y?[iu]m|l[iu]k\syapiyorum)\b",
            rf"\b{_TRADE}\solarak\s(?:ise\s)?basladim\b",
            r"\bise\s(?:basladim|alindim|girdim)\b|\bisten\s(?:ayrildim|ciktim|cikarildim|kovuldum)\b",
            r"\b(?:meslegim|isim)\s\w+(?:lik|luk)\b",
        ),
    ),
    "phone contract": Topic(
        asks=r"\b(?:operator|hattim|tarifem)\w*",
        tells=(
            rf"\bhattim\s(?:artik\s)?{_AT}\b",
            rf"\bnumarami\s\w+{_TO}\stasidim\b",
            rf"\b\w+{_TO}\sgectim\b[^.!?]*\b(?:gb|giga\w*|tarife\w*|hat\w*)\b",
        ),
    ),
    "gym": Topic(
        asks=r"\bspor\ssalonu\w*|\bnerede\s(?:spor|antrenman)\b",
        tells=(
            rf"\b{_AT}\s(?:\w+\s)?(?:spor|antrenman)\syapiyorum\b",
            rf"\b{_AT}(?:ki)?\s(?:ilk|ikinci|ucuncu)\s(?:antrenmanim|dersim)\b",
            rf"\buyeligim\s(?:artik\s)?{_AT}\b",
        ),
    ),
    "commute": Topic(
        asks=rf"{_WORK}\snasil\sgidi(?:yorum|p)",
        tells=(
            rf"{_WORK}\s(?:artik\s)?(?:\w+l[ae]|yuruyerek|yaya)\s(?:gidip\s)?(?:gidiyorum|geliyorum)\b",
        ),
    ),
    "book": Topic(
        asks=r"\b(?:ne|hangi\s(?:kitabi|romani))\sokuyorum\b",
        tells=(
            rf"\w{_WHOM}\s(?:\w+\s)?okuyorum\b",
            rf"\w{_TO}\sbasladim\b[^.!?]*\b(?:bolum|sayfa|kitap|roman)",
            r"\byeni\skitabim\s\w",
        ),
    ),
    "series": Topic(
        asks=r"\bhangi\sdiziyi\sizliyor(?:um|uz)\b",
        tells=(
            rf"\w{_WHOM}\s(?:\w+\s)?izliyor(?:um|uz)\b",
            r"\w'[ny]?[iu]n\s\w+\s(?:bolum|sezon)\w*\s(?:izledi[mk]|basladi[mk])\b",
        ),
    ),
    "medication": Topic(
        asks=r"\bhangi\silac\w*",
        tells=(
            r"\bilacim\s(?:artik\s)?\w",
            r"\bher\s(?:sabah|aksam|gun|gece)\s\w+\s(?:aliyorum|kullaniyorum)\b",
        ),
    ),
}
