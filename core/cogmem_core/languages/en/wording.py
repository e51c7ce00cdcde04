"""English: words that decide whether two statements can be compared."""

from cogmem_core.languages.base import WordingRules
from cogmem_core.languages.tables import words

WORDING = WordingRules(
    negations=words(
        """
        not no never neither nor none without cannot nobody nothing hardly isn't aren't wasn't
        weren't hasn't haven't hadn't don't doesn't didn't won't wouldn't shouldn't can't couldn't
        ain't stopped quit
        """
    ),
    number_words=words(
        """
        one two three four five six seven eight nine ten eleven twelve no once twice
        """
    ),
    leaning=words("he she it they this that these those there his her its their"),
    first_person=words("i me my mine myself we us our ours ourselves user you your"),
    hedging=words(
        """
        not no never nor without nobody nothing none said says say told tells think thinks thought
        believe believes guess hope hopes heard suppose probably maybe perhaps apparently allegedly
        according supposedly if unless except but although though or instead than when while almost
        nearly hardly might may could would should joke kidding lie lied
        """
    ),
    narrowing=words(
        """
        not no never nor without nobody nothing none only all everyone everybody everything always
        any anyone anything most hardly rarely if unless
        """
    ),
    signal_words=words(
        """
        the is are was were i i'm i've i'd i'll my of and with has have had for from we our his she
        they it it's user likes works lives this that not don't doesn't didn't can't isn't will
        would you your their be
        """
    ),
)
