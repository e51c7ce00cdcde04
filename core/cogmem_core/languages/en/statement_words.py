"""English: words by which statements say the same or different things."""

from itertools import pairwise

from cogmem_core.languages.base import StatementRules
from cogmem_core.languages.tables import stems, words

_NUMBERS = stems("two three four five six seven eight nine ten eleven twelve")
_FORMS = stems(
    """
    ate eat eaten eat became become began begin begun begin bought buy broke break broken break
    brought bring built build came come caught catch chose choose chosen choose drank drink drunk
    drink drew draw drawn draw drove drive driven drive fell fall fallen fall felt feel flew fly
    flown fly forgot forget forgotten forget found find grew grow grown grow heard hear held hold
    kept keep knew know known know laid lay learnt learn led lead left leave lent lend lost lose
    made make meant mean met meet paid pay ran run rang ring rode ride ridden ride sang sing sung
    sing sat sit saw see seen see sent send shot shoot slept sleep sold sell spent spend spoke speak
    spoken speak stole steal stolen steal stood stand swam swim swum swim taught teach thought think
    threw throw thrown throw told tell took take taken take understood understand won win woke wake
    woken wake wore wear worn wear wrote write written write
    """
)
_MEANINGFUL = stems(
    "before after against until under over off few more most only up down out without through"
)

STATEMENTS = StatementRules(
    filler=words(
        """
        know knowing need needs help helps helpful assist assistance support feel free ask asking
        question questions detail details anything something else happy glad pleased sure great good
        nice cool perfect wonderful awesome lovely excellent fantastic amazing thank thanks thx
        welcome course hope hear hearing sound sounds think absolutely certainly definitely
        understand understood understandable sorry got gotcha noted note further information info
        look looks right correct correctly true indeed alright yep yup yeah hello hi hey mention
        mentioned tell told recall remember reminder remind summary summarize short following list
        listed answer add want would cheers interesting hesitate worry fine exactly wow haha ah aha
        hmm well talk chat today anytime
        """
    ),
    meaningful={
        **{word: word for word in _MEANINGFUL},
        **dict.fromkeys(stems("like likes liked liking"), "like"),
        **dict.fromkeys(stems("go goes going went gone"), "go"),
        **dict.fromkeys(stems("give gives giving gave given"), "give"),
    },
    cardinals={word: str(number) for number, word in enumerate(_NUMBERS, start=2)},
    base_forms=dict(list(pairwise(_FORMS))[::2]),
    turns=words("but although though while whereas yet because"),
    subjects=words("i you he she they we it user my your his her their"),
    conjunctions=words("and"),
    dropped=words("user now currently still already actually really just presently"),
    sources=words("from"),
)
