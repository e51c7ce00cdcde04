"""Turkish, folded: how two sentences tell of the same thing."""

from cogmem_core.languages.base import RetellingRules
from cogmem_core.languages.tables import stems, words

_ORDINALS = stems(
    "birinci ikinci ucuncu dorduncu besinci altinci yedinci sekizinci dokuzuncu onuncu"
)
_PERSONS = words(
    """
    anne baba abla abi agabey kardes teyze hala amca dayi yenge eniste dede nine babaanne anneanne
    kuzen yegen torun karim kocam esim nisanlim sevgilim oglum oglu kizim kizi cocugum cocuk arkadas
    komsu mudur patron hocam ogretmen doktor disci ev_sahib kiraci kayinpeder kayinvalide kaynana
    gorumce baldiz bacanak musteri kedim kopegim kedimiz kopegimiz bebek ikiz
    """
)

RETELLINGS = RetellingRules(
    persons=rf"(?:{'|'.join(sorted(_PERSONS))})[a-z]{{0,8}}",
    ordinals={word: str(number) for number, word in enumerate(_ORDINALS, start=1)},
    possessor=r"(.{2,}?)'?n?[iu]n",
    synonyms={
        "uyan": "kalk",
        "uyanir": "kalk",
        "uyanip": "kalk",
        "otur": "yas",
        "kalkip": "kalk",
        "doktorum": "hekimim",
    },
    nearness=((0.6, 0.75), (0.5, 0.86)),
)
