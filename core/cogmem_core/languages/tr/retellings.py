"""Turkish, folded: how two sentences tell of the same thing."""

from cogmem_core.languages.base import RetellingRules
from cogmem_core.languages.tables import words

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
)
