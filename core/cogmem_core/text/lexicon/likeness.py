"""Words that make no difference between two statements, and words that always do. English and Turkish.

English words are lower-case; Turkish ones as `fold_letters` writes them. The tables are small on
purpose: a word that is missing costs a duplicate, a word too many makes two different facts one.
"""

# ruff: noqa: SIM905 - a table is read as a table

from __future__ import annotations

__all__ = [
    "ADVERBIAL",
    "DETERMINERS",
    "ENGLISH_WORDS",
    "FIRST_PERSON",
    "GERUND_AFTER",
    "HEDGING",
    "LEANING",
    "NARROWING",
    "NUMERALS",
    "OPENERS",
    "PHRASES",
    "PLAIN_PROGRESSIVE",
    "SOFT",
    "STARTERS",
    "SUBJECTS",
    "SYNONYMS",
    "TURKISH_PHRASES",
    "TURKISH_POSTPOSITIONS",
    "TURKISH_SOFT",
    "TURKISH_SYNONYMS",
    "TURKISH_TIMES",
    "TURKISH_TIME_NOUNS",
    "TURKISH_WHICH",
    "TURKISH_WORDS",
]

ENGLISH_WORDS: frozenset[str] = frozenset(
    """
    the is are was were i i'm i've i'd i'll my of and with has have had for from we our his she they it it's user
    likes works lives this that not don't doesn't didn't can't isn't will would you your their be
    """.split()
)
"""Words that hardly stand in a Turkish text."""
TURKISH_WORDS: frozenset[str] = frozenset(
    "benim bana beni bir ve icin cok ile degil annem babam kardesim esim".split()
)
"""Words that hardly stand in an English one."""
SOFT: frozenset[str] = frozenset(
    """
    a an the really very truly absolutely totally definitely actually just simply quite now still currently presently
    nowadays also honestly basically literally already finally recently
    """.split()
)
OPENERS: frozenset[str] = frozenset("well so oh hey um ok okay yes yeah and but fyi".split())
"""Soft where a sentence begins."""
TURKISH_SOFT: frozenset[str] = frozenset(
    """
    bir cok gercekten simdi halen hala artik zaten ayrica aslinda bayagi oldukca ben benim biz bizim sahiden
    """.split()
)
PHRASES: dict[str, str] = {
    "right now": "",
    "at the moment": "",
    "at present": "",
    "these days": "",
    "by the way": "",
    "as of now": "",
    "have got": "have",
    "has got": "has",
    "can not stand": "dislike",
    "is based in": "live in",
    "am based in": "live in",
    "are based in": "live in",
    "reside in": "live in",
    "resides in": "live in",
    "work for": "work at",
    "works for": "work at",
    "my name is": "i am called",
    "is named": "is called",
    "am named": "am called",
    "are named": "are called",
    "each day": "every day",
    "each week": "every week",
    "each morning": "every morning",
    "ice cream": "icecream",
}
"""Phrases after contractions were written out, and what they stand for."""
_ALIKE = """
    like love enjoy adore
    liked loved enjoyed adored
    dislike hate detest loathe
    disliked hated detested loathed
    bought purchased
    buy purchase
    start begin
    started began
    mother mom mum mommy mummy mama
    father dad daddy papa
    grandmother grandma granny
    grandfather grandpa granddad
    child kid
    children kids
    film movie
    films movies
    flat apartment
    car automobile
    bicycle bike
    doctor physician
    favourite favorite
    colour color
    photo photograph picture
    fridge refrigerator
    sick ill
    happy glad
    scared afraid
    big large
    fix repair
    fixed repaired
    finished completed
    reply answer
    pc computer
    tv television
    ad advertisement
    exam examination
    usually normally
    programme program
    centre center
    theatre theater
    neighbour neighbor
    neighbours neighbors
    licence license
    organise organize
"""
SYNONYMS: dict[str, str] = {
    word: first for first, *others in map(str.split, _ALIKE.strip().splitlines()) for word in others
}
"""Words that people use for one another, and the one that stands for them."""
NUMERALS: dict[str, str] = {
    name: str(number)
    for number, name in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
} | {
    name: str(number)
    for number, name in enumerate("sifir bir iki uc dort bes alti yedi sekiz dokuz on".split())
    if name not in ("bir", "alti", "yedi", "on")
}
"""Without `bir`, `altı`, `yedi` and `on`, which are also an article, a place, a verb and an English preposition."""  # noqa: RUF001
DETERMINERS: frozenset[str] = frozenset(
    "a an the my his her our their your its 's this that these those two three".split()
)
"""A word behind one of these is a noun."""
PLAIN_PROGRESSIVE: frozenset[str] = frozenset("work live study learn use".split())
"""Verbs of which "I am working" and "I work" say the same."""
GERUND_AFTER: frozenset[str] = frozenset("like dislike start started prefer".split())
"""After these, "to swim" and "swimming" say the same."""
STARTERS: frozenset[str] = frozenset(
    """
    in at on to from for with by near since until till during before after about into onto around through over under
    between among against as because which who called named every yesterday today tomorrow tonight last next twice once
    daily weekly monthly together
    """.split()
)
"""Words with which a phrase begins that can be added to a statement or moved to its front."""
ADVERBIAL: frozenset[str] = frozenset(
    "yesterday today tomorrow tonight twice once daily weekly monthly together".split()
)
"""Phrases of one word."""
SUBJECTS: frozenset[str] = frozenset("i my we our he she they his her their".split())
LEANING: frozenset[str] = frozenset(
    "he she it they this that these those there his her its their o onun bu su".split()
)
"""A sentence that begins so is about what was said before it."""
FIRST_PERSON: frozenset[str] = frozenset(
    "i me my mine myself we us our ours ourselves user you your ben beni bana bende benden benim "
    "biz bizi bize bizim "
    "sen senin siz sizin".split()
)
HEDGING: frozenset[str] = frozenset(
    """
    not no never nor without nobody nothing none said says say told tells think thinks thought believe believes guess
    hope hopes heard suppose probably maybe perhaps apparently allegedly according supposedly if unless except but
    although though or instead than when while almost nearly hardly might may could would should joke kidding lie lied
    yok degil hic asla belki galiba sanirim dedi demis ama fakat eger haric disinda sakaydi
    """.split()
)
"""What stands in an addition that takes back, limits or attributes what the rest says."""
NARROWING: frozenset[str] = frozenset(
    """
    not no never nor without nobody nothing none only all everyone everybody everything always any anyone anything
    most hardly rarely if unless
    yok degil hic asla yalnizca sadece hep hepsi her herkes
    """.split()
)
"""An addition to a statement with one of these says less, not more: "I don't eat meat", "...

On Fridays".
"""
TURKISH_SYNONYMS: dict[str, str] = {
    "severim": "seviyorum",
    "sever": "seviyor",
    "severiz": "seviyoruz",
    "sevmem": "sevmiyorum",
    "sevmez": "sevmiyor",
    "oturuyorum": "yasiyorum",
    "oturuyor": "yasiyor",
    "oturuyoruz": "yasiyoruz",
    "otururum": "yasiyorum",
    "yasarim": "yasiyorum",
    "hoslanirim": "hoslaniyorum",
    "hoslanmam": "hoslanmiyorum",
    "calisirim": "calisiyorum",
    "kullanirim": "kullaniyorum",
    "hekimim": "doktorum",
    "hekim": "doktor",
    "hediye": "armagan",
    "otomobil": "araba",
    "ufak": "kucuk",
}
TURKISH_PHRASES: dict[str, str] = {
    "satin aldim": "aldim",
    "satin aldik": "aldik",
    "satin aldi": "aldi",
    "su an": "",
    "su anda": "",
}
"""Turkish phrases, and what they stand for."""
TURKISH_POSTPOSITIONS: frozenset[str] = frozenset(
    "olarak beri icin ile birlikte beraber boyunca yuzunden sayesinde once sonra".split()
)
TURKISH_TIMES: frozenset[str] = frozenset(
    """
    dun bugun yarin sabahlari aksamlari geceleri yazin kisin baharda evde iste okulda ofiste hastanede sirkette parkta
    ocakta subatta martta nisanda mayista haziranda temmuzda agustosta eylulde ekimde kasimda aralikta
    """.split()
)
"""Adverbs of time and place that stand by themselves."""
TURKISH_TIME_NOUNS: frozenset[str] = frozenset(
    "hafta ay yil sene gun gunu gunleri sabah aksam gece sonu sonlari".split()
)
"""They are times only behind one of the next table: `akşam yemeği` is a dinner."""
TURKISH_WHICH: frozenset[str] = frozenset(
    "bu gecen gelecek onumuzdeki her dun bugun yarin pazartesi sali carsamba persembe cuma cumartesi pazar".split()
)
