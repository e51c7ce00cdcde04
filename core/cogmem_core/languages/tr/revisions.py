"""Turkish, folded: how a later statement gives another value of the same thing."""

from cogmem_core.languages.base import RevisionRules
from cogmem_core.languages.tables import words

REVISIONS = RevisionRules(
    harmless=words("cunku"),
    unmeant=(
        r"\b(?:saka(?:ydi|lasi\w*|ciktan| yap\w*)?(?=\W*$)|saka yap\w*|takiliyorum|dalga gec\w*|kandirdim|yalandi"
        r"|yalan soyledim|uydurdum|1 nisan|nisan bir|gercek degil|ruya(?:m)?da)\b"
        r"|(?:^|[.!?;] )(?:\w+ ){0,2}(?:kitap|kitab\w+|oyun\w*|masal\w*|film\w*|roman\w*|hikaye\w*"
        r"|senaryo\w*)[dt][ae]\b"
    ),
    games=(
        r"\b(?:rol yap(?:alim|ma\w*)?|rol oyn\w*|oyun oynayalim|hayal et|hayal edelim|varsayalim|farz \w+|diyelim"
        r"|mis gibi yap\w*|kurgusal\w*|(?:romanim|hikayem|senaryom)\w*)\b"
    ),
    unreal=(
        r"\b(?:ruyam\w*|ruyada|hayal\w*|keske|belki|galiba|saniyorum|eger|(?<!bile )olsa\w*|olursa\w*|istiyorum"
        r"|dusunuyorum|planliyorum|umuyorum|eskiden|bir zamanlar|cocukken|kucukken|gecmiste|dedi|diyor"
        r"|diye|yazmis|soyledi|anlatti|roman\w*|film\w*|sarki\w*|saka\w*|ornegin|cevir\w*|kadar)\b"
        r"|\b(?:19|20)\d\d'?[dt]e\b|\w(?:ece[kg]|aca[kg])\w*\b"
    ),
    now=r"\b(?:artik|simdi|su an\w*|bu aralar|yeni|nihayet|sonunda|bundan boyle)\b",
    remarks=words(
        """
        guzel kotu iyi zor kolay yorucu sikici stresli harika berbat yuksek dusuk uzun kisa buyuk
        kucuk eski bozuk kapali acik dolu bos gec erken pahali ucuz hasta yorgun mutlu
        """
    ),
    degrees=words("cok biraz oldukca gayet pek daha en bir"),
    openers=r"aslinda|meger|bu arada|neyse|yanlis soyledim|pardon|duzeltiyorum|haber",
    denies_that=r"(?:artik )?dogru degil[,:]?\s",
    foreign=(
        r"(?:\A|(?<=[.!?\n] ))(?:lutfen )?(?:su|bu|asagidaki|iste)\b[^.!?:\n]{0,40}\b(?:metni|metin|e-?posta\w*"
        r"|mesaj\w*|mektup\w*|yazi\w*|ozgecmis\w*|cv\w*|yorum\w*|makale\w*)\b[^.!?:\n]{0,60}(?::|\n)\s"
    ),
    naming=words("adi adim ismi ismim yazilir yaziliyor"),
    state=(
        r"\b(?P<s>evli(?:y[iu][mz])?|evlendi[mk]|nisanli(?:y[iu][mz])?|nisanlandi[mk]|bosandi[mk]|bosanmis"
        r"|bekar(?:[iu]m)?|vegan(?:[iu]m)?|vejetaryen(?:im)?|emekli(?:yim)?|issiz(?:im)?)(?=\W*$|\W*[,.;!])"
    ),
    states={
        "evli": ("marital status", "married"),
        "evlen": ("marital status", "married"),
        "nisanl": ("marital status", "engaged"),
        "bosan": ("marital status", "divorced"),
        "bekar": ("marital status", "single"),
        "vegan": ("diet", "vegan"),
        "vejetaryen": ("diet", "vegetarian"),
        "emekli": ("work status", "retired"),
        "issiz": ("work status", "unemployed"),
    },
    dwellings=words("ev evi evden daire"),
    called_off=r"\b(?:iptal edildi|iptal oldu|iptal|bitti)(?=\W*$)",
    newness=words("yeni"),
    changed=r"\b(?:ertelendi|tasindi|degisti|alindi|yukseldi|uzatildi|artti)\b",
    besides=r"\b(?:ayrica|da|de|bir de|ikinci|baska|hem|sadece)\b",
    linking=words("kac"),
    single=words("otur yas calis"),
    partial=words("cok pek hep sadece"),
    named_wrong=r"(?P<a>[\w.:'-]{1,30})\sdegil\b",
    turns="ama",
    favourite=words("sevdigim"),
    several=words("kardesim agabeyim ablam oglum kizim kuzenim arkadasim komsum kedim kopegim"),
    qualifiers=(
        words("sabah aksam gece ogle ogleden"),
        words("pazartesi sali carsamba persembe cuma cumartesi pazar hafta"),
        words("ilkbahar yaz sonbahar kis kisin yazin"),
        words("evde iste ofiste okulda"),
        words("sol sag on arka ust alt birinci ikinci eski yeni"),
    ),
    ended=(
        r"(?P<a>[\w' -]{2,40}?)(?:'?y?[iu]|'?[dt][ae]n)?\s(?:sattim|biraktim|iptal ettim|ayrildim|ciktik"
        r"|ciktim|bitti|kapattim|vazgectim|kestim|sattik|iptal oldu"
        r"|(?<=[dt][ae]n\s)tasindi[mk])\b"
    ),
    set_behind=(
        r"(?<=[ae]\s)(?:cikar(?:di\w*|ildi\w*)|cikti|indi\w*|indir(?:di|ildi)\w*|ertele(?:di|ndi)\w*"
        r"|kaydir(?:di|ildi)\w*|yukselt(?:ti|ildi)\w*|yukseldi|dusur(?:du|uldu)\w*|dustu"
        r"|(?P<day>al(?:di|indi)\w*|tasi(?:di|ndi)\w*))\b|\boldu\b"
    ),
    given_up=(
        r"(?:artik(?=.*\b\w+(?:m[iu]yor|m[ae]z|m[ae]m\b|m[ae]y[ae]ca|m[ae]d[iu])|.*\b(?:yok|degil)\b)"
        r"|birak(?!ma(?:d|m|y|z))\w+|satti\w*|satil\w+|bitti\w*|bitir(?!me(?:d|m|y|z))\w+|tasin(?:di|mis)\w*|degil|yerine|vazgec(?!me(?:d|m|y|z))\w+|ayril(?!ma(?:d|m|y|z))\w+"
        r"|iptal|kapat(?!ma(?:d|m|y|z))\w+|kapandi\w*|kalmadi|bozuldu|degistir(?!me(?:d|m|y|z))\w+|gectim"
        r"|gectik|donduk?m?"
        r"|emekli|bosandi\w*|vefat|eskiden|eski)\b"
    ),
    for_the_day=r"bugunluk|bu (?:sabahlik|aksamlik|gecelik)",
    begun=r"\w+ (?:gundur|haftadir|aydir|yildir)|(?:\w+'?[dt][ae]n|\w+) beri",
)
