"""Turkish: stems of feeling, words of urgency and of profanity, and grave events.

Stems are matched at the beginning of a word, the longest first, both with and without Turkish
letters. An exact stem needs its own letters, because without them it is another word (`öldü` died,
`oldu` happened; `aşk` love, `ask`).
"""

# ruff: noqa: RUF001, RUF002 - Turkish is spelt in Turkish

from __future__ import annotations

from cogmem_core.languages.base import EmotionRules
from cogmem_core.languages.tables import stems, words


def _lower(text: str) -> str:
    """Lower-case as Turkish has it: I is the capital of ı, İ that of i."""
    return text.replace("I", "ı").replace("İ", "i").lower()


EMOTIONS = EmotionRules(
    stems={
        "joy": stems(
            """
            mutlu sevin neşe keyif keyfi coşku heyecanl bayıl gurur şükür minnettar harika muhteşem
            müthiş yaşasın eğlen eğlence memnun huzur seviyor kutlu
            """
        ),
        "anger": stems(
            """
            kızgın kızdım kızıyor sinirl sinirim sinir öfke çıldır delirt nefret bıktım bezdim gıcık
            rezalet haksızlık kudur tepem küstah hiddet ihanet hakaret
            """
        ),
        "fear": stems(
            """
            kork korku dehşet endişe kaygı panik tedirgin ürk ürper ödüm tehdit tehlike telaş evham
            kâbus kabus gergin stresl stresi tırs huzursuz
            """
        ),
        "sadness": stems(
            """
            üzgün üzül üzücü üzüntü mutsuz keder hüzün ağlı ağla gözyaş yalnız yıkıld kahrold
            umutsuz çaresiz hasret özlü depresyon depresif perişan acıyor matem
            """
        ),
        "surprise": stems(
            """
            şaşır şaşkın hayret inanamı inanılmaz beklenmedik afall vay sürpriz afallad donakal
            tuhaf garip hayrete nutkum olamaz
            """
        ),
        "disgust": stems(
            """
            iğren tiksin midem pislik iğrenç kusaca kusmuk rezil tiksint bulanık çirkef menfur ayıp
            müstehcen bayağı
            """
        ),
    },
    strong_stems=words(
        """
        dehşet panik çıldır öfke kudur yıkıld kahrold perişan ödüm nutkum donakal delirt umutsuz
        iğrenç
        """
    ),
    positive_stems=stems(
        """
        mutlu sevin seviyor sevgi severim sevdim güzel harika muhteşem müthiş mükemmel şahane süper
        iyi iyiyim iyileş keyif keyfi neşe huzur gurur başarı başardı kazandı kutlu tebrik şükür
        teşekkür minnettar memnun bayıldı bayılı hoşlan beğen eğlen eğlence umut umutlu heyecanl
        rahatla ferah coşku tatlı sevimli nefis lezzetli yaşasın bravo aferin şanslı zevk özgür
        güven dost sağlıklı kolay faydalı yararlı verimli enfes zarif içten samimi cesur huzurlu
        """
    ),
    negative_stems=stems(
        """
        mutsuz üzgün üzül üzücü üzüntü kötü berbat korkunç kork korku endişe kaygı panik dehşet
        kızgın kızdım kızıyor sinir öfke nefret sevmiyor sevmem sevmedim beğenmed beğenmi hoşlanmı
        bıktım bezdim yorgun yoruldum hasta ağrı acıyor ağla ağlı yalnız umutsuz çaresiz başarısız
        başaramad kaybett kaybold kaza vefat cenaze yıkıld perişan rezalet rezil iğren tiksin çirkin
        sıkıcı sıkıldım sıkıntı sorun hata bozuk bozuldu çöktü kırıldı pişman utan suçlu tehlike
        tehdit zor zorlan maalesef ihanet haksızlık saçma pislik stresl stresi gergin mahvold
        felaket boşan kovuld deprem yangın
        """
    ),
    neutral_stems=stems(
        """
        korkmu korkma korkusuz hatırla hatta hatay zorunda zorunlu kazanç kazan kazak iyice sorunsuz
        hatasız hastane güvenlik yalnızca kolaylık sinirbilim gurme güzergah tehlikesiz endişelenme
        üzülme sıkıntısız
        """
    ),
    exact_stems={
        "öldü": ("sadness", -1),
        "ölüm": ("sadness", -1),
        "ölmüş": ("sadness", -1),
        "ölüyor": ("fear", -1),
        "aşk": ("joy", 1),
        "aşığı": ("joy", 1),
        "aşık": ("joy", 1),
        "acı": ("sadness", -1),
        "şok": ("surprise", 0),
        "mutlu": ("joy", 1),
        "özled": ("sadness", -1),
        "özlüyor": ("sadness", -1),
    },
    exact_strong_stems=words("öldü ölmüş şok"),
    denials_behind=stems("degil yok sayilmaz olamadim olamiyorum"),
    endings=stems("yorum yoruz iyor uyor dim dum dik duk lar ler yim yum degil"),
    lower=_lower,
    urgent=words("imdat acil acilen derhal hemen ivedi kritik"),
    profane_stems=stems(
        """
        amk aq siktir sikeyim sikerim orospu piç göt bok lanet kahretsin şerefsiz gerizekalı
        hassiktir
        """
    ),
    grave=(
        r"(?:trafik kazasi|kaza (?:yap|gecir)\w{1,8}|kazada|kaza oldu)",
        r"(?:vefat|cenaze|intihar|cinayet|kalp krizi|kanser|felc gecir|ameliyat|yogun bakim"
        r"|ambulans"
        r"|hastaneye kaldir)\w{0,12}",
        r"(?:deprem|yangin|patlama|sel felaketi)(?: (?:oldu|cikti))?",
        r"(?:bosandik|bosaniyor\w{0,4}|terk etti|isten (?:atil|cikaril|kovul)\w{1,8}|kovuldum"
        r"|saldiriya ugra\w{1,6}|soyuldu\w{0,4})",
        r"(?:hamileyim|bebegimiz oldu|dogum yapti|evlendik|nisanlandik)",
    ),
    cries=(
        r"imdat|yardim(?: edin| et| lazim)?(?=\s*[!,.:\u2026])|yardim edin|acil(?:en)?|112",
        r"ambulans(?:i)? (?:cagir|lazim|gonder)\w*|doktor (?:cagir|lazim)\w*",
    ),
    dangers=(
        r"(?:pil|madeni para|miknatis|ilac|hap|igne|boncuk|oyuncak)\w{0,4}(?: \w+){0,2} yut\w*",
        r"(?:camasir suyu|deterjan|zehir|tiner|kimyasal|benzin|ilac|hap)\w{0,4}(?: \w+){0,2} (?:ict|yut|yed)\w*",
        r"bayil(?:d|m)\w*|kendinden gec\w*|bilinci (?:kapali|yok)|bilincini kaybet\w*|uyanmiyor|tepki vermiyor",
        r"nefes (?:al(?:a)?m\w+|almakta zorlan\w+)|boguluyor\w*|boguldu",
        r"nobet gecir\w*|havale gecir\w*|kalp krizi|felc gecir\w*|kaniyor|kan kaybed\w*|kanamasi var|zehirlen\w+",
        r"(?:yangin|gaz kacagi|duman|patlama) (?:cikt|var|old)\w*|(?:ev|mutfak|bina|daire)\w{0,4} yaniyor",
        r"(?:merdiven|cati|balkon|pencere|agac|havuz)\w{0,4} dust\w*|dustu ve (?:kalk|kipird)\w*",
        r"(?:bicaklan|vurul|haslan)\w+|(?:araba|elektrik) carp\w+|mahsur kal\w+"
        r"|eve (?:hirsiz|biri) gir\w+|saldir(?:iyor|di)\w*|kayboldu",
    ),
    acronyms=words("abd tbmm meb tcdd odtu itu"),
)
