"""Words by which statements of the same attribute are told, as `fold_letters` writes them.

English and Turkish.
"""

# ruff: noqa: RUF001, SIM905 - Turkish is spelt in Turkish, and a table is read as a table

from __future__ import annotations

__all__ = [
    "COUNTRIES",
    "NAMED_ROLES",
    "NEGATIONS",
    "NOT_PLACES",
    "NUMBER_WORDS",
    "SINGLE_VALUED",
    "STATES_OF_LIFE",
    "TIME_ADVERBS",
    "TURKISH_HEADS",
    "TURKISH_STATES",
]

SINGLE_VALUED: frozenset[str] = frozenset(
    """
    address age birthday birthplace blood budget colour color deadline diet dose dosage email employer
    favourite gender height hometown job language location major name nationality nickname number
    occupation password phone pin port price profession pronouns rent role salary size surname
    temperature time timezone title username version weight year
    """.split()
)
"""Nouns of which a thing has one value at a time."""
NAMED_ROLES: frozenset[str] = frozenset(
    """
    accountant barber boss boyfriend coach dentist director doctor father fiance fiancee girlfriend gp husband landlady
    landlord lawyer manager mentor mother partner spouse supervisor therapist trainer vet wife
    """.split()
)
"""People of whom one has one.

The value is a name ("my boss is Ana"), not a quality ("my boss is nice").
"""
STATES_OF_LIFE: dict[str, str] = {
    **dict.fromkeys("married single divorced engaged widowed".split(), "marital status"),
    **dict.fromkeys("vegan vegetarian pescatarian omnivore".split(), "diet"),
    **dict.fromkeys("employed unemployed retired".split(), "work status"),
}
TURKISH_STATES: dict[str, str] = {
    **dict.fromkeys("evli bekar bosanmis nisanli dul".split(), "marital status"),
    **dict.fromkeys("vegan vejetaryen".split(), "diet"),
    **dict.fromkeys("emekli issiz".split(), "work status"),
}
NOT_PLACES: frozenset[str] = frozenset(
    """
    android angular aws azure bitbucket chrome claude css django docker emacs engineering english excel figma finance
    firefox flask gcp git github gitlab go google gpt hr html ios java javascript kotlin kubernetes linear linux mac
    macos management marketing mongodb mysql neovim notion numpy obsidian openai postgres postgresql product pytest
    python pytorch react redis ruby rust safari sales slack sqlite support svelte swift teams tensorflow typescript
    ubuntu vim vscode vue windows zig
    """.split()
)
"""What people "move to" without moving house."""
COUNTRIES: frozenset[str] = frozenset(
    """
    africa america argentina asia australia austria belgium brazil britain bulgaria canada chile china colombia croatia
    denmark egypt england estonia europe finland france germany greece hungary iceland india indonesia iran iraq ireland
    israel italy japan kenya korea latvia lithuania malaysia mexico morocco netherlands nigeria norway pakistan peru
    philippines poland portugal romania russia scotland serbia singapore slovakia slovenia spain sweden switzerland
    taiwan thailand tunisia turkey turkiye uk ukraine us usa vietnam wales
    almanya amerika avusturya avustralya belcika brezilya bulgaristan cin danimarka finlandiya fransa hollanda ingiltere
    irlanda ispanya isvec isvicre italya japonya kanada macaristan meksika misir norvec polonya portekiz romanya rusya
    yunanistan
    """.split()
)
"""A country and a town in it do not contradict each other.

Which town lies where, this table does not know.
"""
NEGATIONS: frozenset[str] = frozenset(
    """
    not no never neither nor none without cannot nobody nothing hardly isn't aren't wasn't weren't hasn't haven't hadn't
    don't doesn't didn't won't wouldn't shouldn't can't couldn't ain't stopped quit
    degil degilim degiliz yok hic asla hicbir degildir
    """.split()
)
TIME_ADVERBS: frozenset[str] = frozenset(
    """
    now currently anymore longer today still already lately again recently these days presently more actually really
    very just so any artik simdi su an halen hala yine tekrar gercekten cok aslinda bugun bugunlerde
    """.split()
)
NUMBER_WORDS: frozenset[str] = frozenset(
    """
    one two three four five six seven eight nine ten eleven twelve no once twice
    bir iki uc dort bes alti yedi sekiz dokuz on
    """.split()
)
TURKISH_HEADS: dict[str, str] = {
    "ad": "name", "isim": "name", "ism": "name", "soyad": "surname", "yas": "age", "boy": "height", "kilo": "weight",
    "numara": "number", "beden": "size", "adres": "address", "sifre": "password", "maas": "salary", "meslek": "job",
    "kira": "rent", "butce": "budget", "fiyat": "price", "dogum gun": "birthday", "dogum tarih": "birthday",
    "patron": "boss", "mudur": "manager", "doktor": "doctor", "es": "spouse", "kari": "spouse", "koca": "spouse",
    "surum": "version", "son tarih": "deadline", "teslim tarih": "deadline",
}  # fmt: skip
"""Stems that take a possessive ending (`adım`, `numarası`), and what they name."""
