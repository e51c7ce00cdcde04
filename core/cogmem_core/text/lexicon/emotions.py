"""Words of feeling, English and Turkish: Ekman's six emotions, Turkish valence, urgency, profanity, grave events.

English words are matched whole. Turkish entries are stems, matched at the beginning of a word, the
longest first, both with and without Turkish letters; a stem under `TURKISH_EXACT` needs its own
letters, because without them it is another word (`öldü` died, `oldu` happened; `aşk` love, `ask`).
"""

# ruff: noqa: RUF001, SIM905 - Turkish is spelt in Turkish, and a table is read as a table

from __future__ import annotations

from typing import Literal

__all__ = [
    "ACRONYMS",
    "EKMAN",
    "ENGLISH_NEGATIONS",
    "GRAVE",
    "PROFANITY",
    "STRONG",
    "TURKISH_EKMAN",
    "TURKISH_EXACT",
    "TURKISH_EXACT_STRONG",
    "TURKISH_NEGATIONS",
    "TURKISH_NEGATIVE",
    "TURKISH_NEUTRAL",
    "TURKISH_POSITIVE",
    "TURKISH_PROFANITY",
    "TURKISH_STRONG",
    "URGENT",
    "Label",
]

Label = Literal["joy", "anger", "fear", "sadness", "surprise", "disgust", "neutral"]

EKMAN: dict[Label, frozenset[str]] = {
    "joy": frozenset(
        """
        happy happier happiest glad joy joyful joyous delighted cheerful excited exciting thrilled ecstatic overjoyed
        elated blissful euphoric love loved loving wonderful amazing awesome fantastic proud grateful thankful blessed
        celebrate celebrated celebrating fun yay hooray woohoo pleased content
        """.split()
    ),
    "anger": frozenset(
        """
        angry anger mad furious rage raging enraged outraged outrageous livid irate annoyed annoying irritated
        irritating frustrated frustrating pissed resent resentful hate hates hated fuming infuriated infuriating
        hostile betrayed insulted unfair seething
        """.split()
    ),
    "fear": frozenset(
        """
        afraid fear fearful fears scared scary scares terrified terrifying terror frightened frightening panic panicked
        panicking anxious anxiety worried worry worrying nervous horrified dread dreading petrified alarmed threatened
        threat nightmare
        """.split()
    ),
    "sadness": frozenset(
        """
        sad sadly sadness unhappy depressed depressing depression miserable heartbroken devastated devastating grief
        grieving mourning mourn lonely loneliness cry crying cried tears hopeless disappointed disappointing hurt
        hurts upset sorrow gloomy regret lost despair shattered tragic
        """.split()
    ),
    "surprise": frozenset(
        """
        surprised surprise surprising surprisingly shocked shocking shock astonished astonishing amazed stunned stunning
        unexpected unexpectedly unbelievable speechless omg wow whoa startled astounded incredible flabbergasted
        """.split()
    ),
    "disgust": frozenset(
        """
        disgust disgusted disgusting gross grossed nasty revolting repulsive repulsed sickening nauseating nauseated
        vile yuck yucky ew eww eww repelled appalled appalling loathe loathing filthy foul
        """.split()
    ),
}
STRONG: frozenset[str] = frozenset(
    """
    ecstatic overjoyed euphoric elated furious enraged outraged livid raging infuriated seething fuming rage terrified
    terrifying terror petrified horrified panic panicked panicking devastated devastating heartbroken hopeless despair
    shattered miserable grief grieving shocked stunned speechless flabbergasted astounded disgusted revolting repulsed
    sickening appalled loathe
    """.split()
)

TURKISH_EKMAN: dict[Label, tuple[str, ...]] = {
    "joy": tuple(
        """
        mutlu sevin neşe keyif keyfi coşku heyecanl bayıl gurur şükür minnettar harika muhteşem müthiş yaşasın eğlen
        eğlence memnun huzur seviyor kutlu
        """.split()
    ),
    "anger": tuple(
        """
        kızgın kızdım kızıyor sinirl sinirim sinir öfke çıldır delirt nefret bıktım bezdim gıcık rezalet haksızlık
        kudur tepem küstah hiddet ihanet hakaret
        """.split()
    ),
    "fear": tuple(
        """
        kork korku dehşet endişe kaygı panik tedirgin ürk ürper ödüm tehdit tehlike telaş evham kâbus kabus gergin
        stresl stresi tırs huzursuz
        """.split()
    ),
    "sadness": tuple(
        """
        üzgün üzül üzücü üzüntü mutsuz keder hüzün ağlı ağla gözyaş yalnız yıkıld kahrold umutsuz çaresiz hasret özlü
        depresyon depresif perişan acıyor matem
        """.split()
    ),
    "surprise": tuple(
        """
        şaşır şaşkın hayret inanamı inanılmaz beklenmedik afall vay sürpriz afallad donakal tuhaf garip hayrete nutkum
        olamaz
        """.split()
    ),
    "disgust": tuple(
        """
        iğren tiksin midem pislik iğrenç kusaca kusmuk rezil tiksint bulanık çirkef menfur ayıp müstehcen bayağı
        """.split()
    ),
}
TURKISH_STRONG: frozenset[str] = frozenset(
    "dehşet panik çıldır öfke kudur yıkıld kahrold perişan ödüm nutkum donakal delirt umutsuz iğrenç".split()
)
TURKISH_POSITIVE: tuple[str, ...] = tuple(
    """
    mutlu sevin seviyor sevgi severim sevdim güzel harika muhteşem müthiş mükemmel şahane süper iyi iyiyim iyileş
    keyif keyfi neşe huzur gurur başarı başardı kazandı kutlu tebrik şükür teşekkür minnettar memnun bayıldı
    bayılı hoşlan beğen eğlen eğlence umut umutlu heyecanl rahatla ferah coşku tatlı sevimli nefis lezzetli
    yaşasın bravo aferin şanslı zevk özgür güven dost sağlıklı kolay faydalı yararlı verimli enfes zarif içten
    samimi cesur huzurlu
    """.split()
)
TURKISH_NEGATIVE: tuple[str, ...] = tuple(
    """
    mutsuz üzgün üzül üzücü üzüntü kötü berbat korkunç kork korku endişe kaygı panik dehşet kızgın kızdım kızıyor
    sinir öfke nefret sevmiyor sevmem sevmedim beğenmed beğenmi hoşlanmı bıktım bezdim yorgun yoruldum hasta ağrı
    acıyor ağla ağlı yalnız umutsuz çaresiz başarısız başaramad kaybett kaybold kaza vefat cenaze yıkıld perişan
    rezalet rezil iğren tiksin çirkin sıkıcı sıkıldım sıkıntı sorun hata bozuk bozuldu çöktü kırıldı pişman utan
    suçlu tehlike tehdit zor zorlan maalesef ihanet haksızlık saçma pislik stresl stresi gergin mahvold felaket
    boşan kovuld deprem yangın
    """.split()
)
TURKISH_NEUTRAL: tuple[str, ...] = tuple(
    """
    korkmu korkma korkusuz hatırla hatta hatay zorunda zorunlu kazanç kazan kazak iyice sorunsuz hatasız hastane
    güvenlik yalnızca kolaylık sinirbilim gurme güzergah tehlikesiz endişelenme üzülme sıkıntısız
    """.split()
)
"""Longer stems that take the feeling out of the ones above."""
TURKISH_EXACT: dict[str, tuple[Label, int]] = {
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
}
TURKISH_EXACT_STRONG: frozenset[str] = frozenset(("öldü", "ölmüş", "şok"))

ENGLISH_NEGATIONS: frozenset[str] = frozenset(
    "not no never none nor neither without hardly barely cannot cant dont didnt doesnt isnt wasnt arent aint".split()
)
TURKISH_NEGATIONS: tuple[str, ...] = ("degil", "yok", "sayilmaz", "olamadim", "olamiyorum")
"""As `fold_letters` writes them; they follow what they deny."""
URGENT: frozenset[str] = frozenset(
    """
    urgent urgently asap emergency immediately critical hurry deadline outage breach breached hacked leaked sos 911
    mayday imdat acil acilen derhal hemen ivedi kritik
    """.split()
)
PROFANITY: frozenset[str] = frozenset(
    """
    fuck fucking fucked fucker motherfucker shit shitty bullshit bitch bastard asshole dick damn damned goddamn hell
    crap wtf cunt piss pissed ffs stfu
    """.split()
)
TURKISH_PROFANITY: tuple[str, ...] = tuple(
    "amk aq siktir sikeyim sikerim orospu piç göt bok lanet kahretsin şerefsiz gerizekalı hassiktir".split()
)
GRAVE: tuple[str, ...] = (
    r"(?:car|bike|road|traffic|plane|work) (?:accident|crash)|(?:an?|the) accident"
    r"|crashed (?:my|the|our|his|her) (?:car|bike)",
    r"(?:died|dies|dying|dead|death|suicide|murder(?:ed)?|funeral|passed away|killed)",
    r"(?:cancer|tumou?r|heart attack|stroke|miscarriage|overdose|diagnosed|emergency room|intensive care|the er|icu)",
    r"(?:ambulance|surgery|hospitali[sz]ed|in (?:the )?hospital)",
    r"(?:earthquake|tsunami|explosion|wildfire|house fire|burned down|on fire|flooded)",
    r"(?:robbed|mugged|raped|assaulted|attacked|stabbed|shot at|kidnapped|burglar(?:y|ed)|broke into)",
    r"(?:i|we|he|she|got|was|been|were|am|just) (?:fired|evicted|arrested|laid off)",
    r"(?:divorced?|left me|cheated on me|broke up with me|dumped me)",
    r"(?:she said yes|i'm pregnant|we're pregnant|gave birth|baby (?:was|is) born|(?:we|i) got (?:married|engaged))",
    r"won the (?:lottery|championship|gold|world)|production (?:is|went) down|data loss|lost (?:all|everything)",
    r"(?:trafik kazasi|kaza (?:yap|gecir)\w{1,8}|kazada|kaza oldu)",
    r"(?:vefat|cenaze|intihar|cinayet|kalp krizi|kanser|felc gecir|ameliyat|yogun bakim|ambulans"
    r"|hastaneye kaldir)\w{0,12}",
    r"(?:deprem|yangin|patlama|sel felaketi)(?: (?:oldu|cikti))?",
    r"(?:bosandik|bosaniyor\w{0,4}|terk etti|isten (?:atil|cikaril|kovul)\w{1,8}|kovuldum"
    r"|saldiriya ugra\w{1,6}|soyuldu\w{0,4})",
    r"(?:hamileyim|bebegimiz oldu|dogum yapti|evlendik|nisanlandik)",
)
"""Things that happen to a person a few times in a life, as `fold_letters` writes them (Brown and Kulik 1977)."""
ACRONYMS: frozenset[str] = frozenset(
    """
    ascii cors crud gdpr gpus hipaa html http https iban icloud imap jpeg json kvkk latam lgbt lgbtq lgbtqia mbps mssql
    mysql nasa nato nosql npcs owasp pdfs posix raid rest saas smtp soap sqlite ssds tcpip tubitak todo toml unicef
    unesco urls usda utf8 uuid uuids wifi wasm xhtml yaml ymca zoom aids covid fifa uefa nasdaq nyse rsvp abd tbmm meb
    tcdd odtu itu
    """.split()
)
"""Words of four and more capitals that nobody shouts."""
