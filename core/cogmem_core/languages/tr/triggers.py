"""Turkish: what a reminder waits for. It stands in front of the verb, whose ending says "when"."""

# ruff: noqa: RUF001 - Turkish has an i without a dot

from __future__ import annotations

from cogmem_core.languages import tables
from cogmem_core.languages.base import TriggerRules

_WHO = r"(?P<who>(?:bir )?[\w'-]+)"
_WHEN = r"(?:[iu]nca|dig\w*nda|dug\w*nda|tig\w*nde|tug\w*nda|dig\w*nde|dug\w*nde|[iu]nce|irsa|irse|ursa|urse|arsa|erse)"


def words(table: str) -> frozenset[str]:
    """Words as they are compared: without the dotless i."""
    return tables.words(table.replace("ı", "i"))


TRIGGERS = TriggerRules(
    openers=r"(?:bana hatirlat,? |eger |sayet |ne zaman ki |bir dahaki sefere )",
    topics=(
        rf"(?:{_WHO} )??(?P<topic>[\w' -]+?)(?:den|dan|ten|tan)? (?:soz et\w+|bahse\w+|bahsed\w+)",
        rf"(?:{_WHO} )??(?P<topic>[\w' -]+?) (?:hakkinda|uzerine|konusunda|ile ilgili) (?:konus|yaz|soyle)\w*",
        r"(?P<topic>.+?) (?:konusu|lafi|sozu)? ?(?:acil|gec|konusul|gundeme gel)\w*",
    ),
    asks=(
        rf"{_WHO} (?:bana |bize )?(?P<topic>.+?) sor\w*{_WHEN}?",
        rf"(?:bir )?{_WHO} (?P<topic>.+?) (?:ogrenmek|bilmek) iste\w+",
    ),
    anybody=words(
        """
        ben biz sen siz o onlar biri birisi kimse herhangi bir beni bana bizi bize seni sana
        onu ona müşteri musteri insan kişi kisi
        """
    ),
    unreal=(
        r"\b(?:eger|belki|umarim|insallah|galiba|herhalde|sanirim|neredeyse|az kalsin|keske|diyelim|yarin|bekliyorum"
        r"|bekliyoruz)\b"
    ),
    undone=(
        r"\b(?:degil|hic|asla|kimse|henuz|yok|hala|belki|umarim|insallah)\b"
        r"|\b\w{2,20}?(?:m[ae]di(?:k|m|n|ler|lar)?|m[iu]yor\w*|m[ae]z(?:lar|ler)?|m[ae]m[iu]s\w*"
        r"|[ae]c[ae][kg]\w*|[ae]bilir\w*|m[ae]y[ae]c\w+)\b"
    ),
    asking=(
        r"\b(?:ister misin\w*|istiyorum|isterim|lutfen|soyler mi\w*|soyleyebilir mi\w*|ne kadar|merak ediyorum|ariyorum"
        r"|kac)\b|\bm[iu](?:sin|siniz)?\b"
    ),
    light=words(
        """
        var az önce şimdi bugün dün nihayet sonunda yine tekrar artık işte oldu olunca olduğunda etti edince ettiğinde
        söz dedi bu sabah gece
        """
    ),
    same=(
        words("arayınca aradığında ararsa aradı arıyor telefon telefonda aradılar arar"),
        words("gelince geldiğinde gelirse geldi ulaştı vardı ulaşınca varınca teslim elimde"),
        words("bozulunca bozulursa bozulduğunda bozuldu bozuk arızalandı arızalanınca arıza"),
        words("bitince bittiğinde biterse bitti tamamlandı tamamlanınca hazır bitirdim"),
        words("paket kargo koli"),
        words("sönünce sönerse söndüğünde söndü kapandı kapanınca"),
        words("imzalayınca imzaladı imzalandı imzalanınca"),
        words("alınca aldı satın"),
        words("kazanınca kazandı kazanırsa"),
        words("yağmur yağınca yağarsa yağdı yağıyor"),
        words("hastalanınca hasta hastalandı"),
        words("anne annem"),
        words("baba babam"),
        words("araba otomobil"),
        words("doktor hekim"),
        words("fiyat fiyatı fiyatları fiyatlar kaça"),
        words("bahsedince bahsetti bahseder anlattı dedi söyledi konuştu"),
        words("gezi geziden gezisi gezisinden geziyi seyahat"),
        words("bütçe bütçesi bütçeyi bütçemiz"),
    ),
    opposites=(
        (words("bozulunca bozulursa bozulduğunda bozuldu"), words("çalışıyor düzeldi onarıldı")),
        (words("gelince geldiğinde geldi"), words("gönderdim gönderildi gitti çıktı")),
        (words("açılınca açıldı"), words("kapandı kapanınca")),
        (words("sönünce sönerse söndü"), words("yanıyor yandı")),
        (words("kazanınca kazandı"), words("kaybetti kaybedince")),
        (words("bitince bittiğinde bitti"), words("başladı başlıyor")),
    ),
    paraphrase=("Araba çalışmıyor.", "Aracım bozuldu."),
    ordinary=(
        "Günaydın, nasılsın?",
        "Öğlen çorba içtim.",
        "Toplantı perşembeye alındı.",
        "Bir mektup için yardım eder misin?",
        "Kardeşim gitar çalıyor.",
        "Mutfağı sarıya boyadık.",
    ),
)
