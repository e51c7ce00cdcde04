"""Turkish: which memories a question wants, and in what order."""

from cogmem_core.languages.base import AimRules

_AMOUNTS = (
    "saniye|dakika|saat|gun|hafta|ay|yil|sene|km|kilometre|metre|kilo|gram|litre|euro|avro|lira|tl|dolar"
    "|yuzde|derece|kalori|adim|sayfa|yasinda|yas|para|cocug|cocuk|kardes|oda|kat"
)
# "My son", "Tom's eldest son": English is read beside Turkish.
_NO_CHILD = "".join(
    f"(?<!{word} )"
    for word in (
        *("my", "our", "your", "his", "her", "their", "the", "whose", "'s", "s'"),
        *("eldest", "oldest", "older", "youngest", "younger", "little", "only", "adult", "grown"),
    )
)

AIMS = AimRules(
    newest=(
        r"\b(?:en son(?:uncu)?|en yeni|en guncel|son (?:kez|defa|sefer)|sonuncu\w{0,3})\b"
        rf"|\b(?<!o )(?<!bu ){_NO_CHILD}son\b(?= [a-z]{{2,}})(?! (?:derece|olarak|verd|ver|bul))"
    ),
    oldest=(
        r"\b(?:ilk (?:kez|defa|sefer)|en eski|en erken|en bastaki|ilk olarak)\b"
        r"|\bilk\b(?= [a-z]{2,})(?! (?:okul|yardim|bahar|once|ogretim|goz))"
    ),
    everything=(
        r"\b(?:butun|tum|her bir|hepsini|hepsi|tamamini)\b|\blistele\w{0,8}\b|\b(?:sirala|say)(?:r misin)?\b\W*$"
    ),
    several=(
        r"\bkac (?:kez|kere|defa|sefer|tane|adet)\b"
        rf"|\bkac\b(?! (?:{_AMOUNTS})[a-z]{{0,5}}\b)(?= [a-z]{{3,}})"
        r"|\bhangi(?= (?:[a-z]+ )?[a-z]{2,}(?:lar|ler)\w{0,6}\b)|\bneler(?:i|e)?\b"
    ),
    formerly=(
        r"\b(?:eskiden|onceden|daha once|evvelden|bir zamanlar|o zamanlar|gecmiste|eski(?= [a-z]{2,})|onceki"
        r"|bundan once)\b"
        r"|(?<=[dt][ae]n )once\b(?! (?:gun|hafta|ay|yil))|\bonce(?:leri)\b"
    ),
    overview=(
        r"(?:(?:peki|ya|hey|selam|merhaba|lutfen)[, ]+){0,2}(?:"
        r"(?:benim )?hakkimda (?:ne|neler|her seyi) (?:biliyorsun|biliyosun|hatirliyorsun|ogrendin|anlat)"
        r"|(?:beni|bizi) (?:taniyor musun|hatirliyor musun|anlat|ozetle|bana anlat)|ben kimim"
        r"|sana (?:simdiye kadar )?(?:ne|neler) (?:anlattim|soyledim)"
        r"|(?:hakkimda )?bildi(?:gin|klerin)(?: her sey)?i (?:anlat|soyle|listele|ozetle))"
    ),
    answer_form=(
        r"\b(?:[0-9]{1,2}|bir|iki|uc|dort|bes) (?:kisa )?(?:cumle|kelime|satir|madde|paragraf)"
        r"(?:yle|le|de|lik|da|yla)?\b(?: (?:anlat|ozetle|yaz|soyle)\w{0,4}\b)?"
        r"|\b(?:kisaca|lutfen|sirasiyla|sirayla)\b"
    ),
)
