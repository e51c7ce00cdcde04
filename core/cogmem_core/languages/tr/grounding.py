"""Turkish: words by which a fact that a model formed is compared with the turn it came from; folded."""

from cogmem_core.languages.base import GroundingRules
from cogmem_core.languages.tables import alike, stems, words

_UNITS = "sifir bir iki uc dort bes alti yedi sekiz dokuz"
_TENS = "on yirmi otuz kirk elli altmis yetmis seksen doksan"
_ORDINALS = "birinci ikinci ucuncu dorduncu besinci altinci yedinci sekizinci dokuzuncu onuncu"

GROUNDING = GroundingRules(
    numbers={
        **{word: number for number, word in enumerate(stems(_UNITS))},
        **{word: 10 * number for number, word in enumerate(stems(_TENS), start=1)},
        **{word: number for number, word in enumerate(stems(_ORDINALS), start=1)},
        "yarim": 0.5,
        "bucuk": 0.5,
        "ceyrek": 0.25,
        "ikiz": 2,
    },
    ordinals=words(_ORDINALS),
    factors={"yuz": 100, "bin": 1_000, "milyon": 1_000_000},
    single=words("bir tek birer"),
    loose=words("bir yarim bucuk ceyrek on ikiz birinci yuz kirk"),
    half_past=r"(?P<hour>\w+) bucuk",
    clocks={"gece yarisi": "0:00", "ogle": "12:00", "oglen": "12:00"},
    forenoon=words("sabah sabahlari sabahleyin"),
    afternoon=words("aksam aksami aksamlari gece ogleden"),
    units=alike(
        """
        kg kilo kilogram
        g gram
        mg miligram
        km kilometre
        m metre
        cm santim santimetre
        mi mil
        l litre
        ml mililitre
        eur euro avro
        usd dolar
        gbp sterlin
        try lira tl liraya liralik
        % yuzde
        cup bardak
        cupful fincan
        second saniye
        minute dakika dk
        hour saat saatlik
        day gun gunde gunluk gundur
        week hafta haftada haftalik haftadir
        month ay ayda aylik aydir
        year yil yilda yillik yildir sene senede
        """
    ),
    periods=words("second minute hour day week month year"),
    aged=words("yas yasinda yaslarinda"),
    averse=words("alerji alerjik alerjim alerjisi alerjisi intolerans"),
    denying=words("birakti biraktim sevmem nefret vazgecti vazgectim"),
    privative=r"\b(?P<thing>[a-z]{3,}?)s[iu]z(?:d[iu]r|[iu]m)?\b",
    no_denial=r"\bsabirsizlan\w+|\bsorun degil\b|\bfark etmez\b|\bsadece [\w ]+ degil\b|\bunutma\w*",
    emphatic=words("hic asla hicbir"),
    openers=words("hayir evet yok tabii ayrica ve ama"),
    joints=r"\b(?:ve|ama|fakat|cunku|ancak|oysa)\b",
    speakers=words("ben bana beni benim bende benden biz bize bizi bizim bizde kendim"),
    objects=words("bana beni bize bizi"),
    third=words("o onun ona onu onlar"),
    user=words(
        "kullanici kullanicinin kullaniciya kullaniciyi kullanicida kullanicidan kullaniciyla ben benim"
    ),
    naming=words("adi adinda isimli ismi"),
    place_ending=r"n?[dt][ae](?:n|ki)?|n?y?[ae]",
    possessive=r"'?n?[iu]n$",
    having=words("var yok"),
    own_possessive=words("kullanicinin benim"),
    persons=alike(
        """
        mother anne
        father baba
        parent ebeveyn
        sister abla
        brother agabey abi
        sibling kardes
        spouse es
        wife kari hanim
        husband koca
        son ogul
        daughter kiz
        child cocuk
        grandmother babaanne anneanne nine
        grandfather dede
        uncle amca dayi
        aunt hala teyze
        cousin kuzen
        nephew yegen
        friend arkadas
        girlfriend sevgili
        roommate evarkadasi
        neighbour komsu
        boss patron mudur
        dog kopek
        cat kedi
        doctor doktor
        teacher hoca
        """
    ),
    person_ending=(
        r"(?:l[ae]r)?(?:[iu]?m|[iu]?n|s?[iu]|[iu]m[iu]z|l[ae]r[iu])?"
        r"(?:n?[iu]n(?:ki)?|[ny]?[iu]|n?[ae]|n?[dt][ae]n?|y?l[ae])?"
    ),
    person_roots={"ogl": "son", "kedi": "cat", "kiz": "daughter", "kopeg": "dog", "cocug": "child"},
    broader={"parent": words("mother father"), "child": words("son daughter")},
    plain=words(
        """
        kullanici kullanicinin yasiyor yasar oturuyor calisiyor calisir var yok adi adinda isimli
        isminde seviyor sever tercih ediyor eder istiyor ister etti oldu olacak olan yapiyor yapar
        yaptigi simdi su anda artik her gun yil ay hafta tarihinde saat gore icin ile birlikte
        kullaniyor kullanir aldi aliyor gidecek gidiyor gitti planliyor ait bulunuyor kez defa yasinda
        sahip oluyor odemesi odeme oduyor
        """
    ),
    same=(
        words("yasiyor oturuyor ikamet"),
        words("randevu bulusma toplanti"),
        words("taksit odeme oduyor"),
        words("icer iciyor icerim"),
        words("yer yiyor yerim yemek"),
        words("kocasi karisi esi esim kocam karim"),
    ),
    demonym=r"l[iu]|c[ae]|[iu]n|'?[dt][ae]n?|'?y?[ae]|'?y?[iu]|'?n[iu]n",
)
