"""Turkish, folded: phrases anywhere in a message by which it gives a value of something."""

from cogmem_core.languages.base import SlotRules
from cogmem_core.languages.tables import words

_NAME = r"\b[\w&.-]{1,40}"
_AT = "'[dt][ae]"
_FROM = "'[dt][ae]n"

SLOTS = SlotRules(
    further="ve",
    joints="ve|ama|fakat|ancak|oysa|cunku|diye|o yuzden",
    working=rf"(?P<a>{_NAME}){_AT}\s(?:\w+\s){{0,3}}calisiyorum\b",
    beginning=(
        rf"(?P<a>{_NAME}){_AT}(?:ki)?\s(?:ilk|ikinci|ucuncu|dorduncu)\s(?:gunum|haftam|ayim)"
        rf"|(?P<b>{_NAME}){_AT}\s(?:yeni\s)?(?:ise|calismaya)\sbaslad[iu]m\b"
    ),
    offered=rf"(?P<a>{_NAME}){_FROM}\s(?:is\s)?teklif\w*\s(?:aldim|geldi)\b",
    leaving=(
        rf"(?P<a>{_NAME}){_FROM}\s(?:istifa\s(?:ettim|ediyorum)|ayril(?:dim|iyorum))\b"
        rf"|(?P<b>{_NAME}){_AT}(?:ki)?\sson\s(?:gunum|haftam)"
    ),
    no_employers=words("okul universite kurs lise spor"),
    others=r"\b(?:yazin|yazlari|kisin|kislari|tatil\w*|hafta\s(?:sonu|ici)\w*)\b",
)
