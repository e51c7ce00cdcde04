"""Italian: questions, small talk, words, dates. The rest is lacking."""

from cogmem_core.languages.base import SmallTalkRules
from cogmem_core.languages.loading import areas_of
from cogmem_core.languages.plain import (
    QuestionForms,
    pack,
    plain_query,
)
from cogmem_core.languages.tables import phrases, words

_LEAD = r"(?:(?:e|ma|ciao|allora|senti|scusa|per favore|ehi)[, ]+){0,2}"

IT = pack(
    "it",
    **areas_of("it"),
    query=plain_query(
        QuestionForms(
            opens=(
                rf"{_LEAD}(?:chi|che|cosa|che cosa|quale|quali|qual|dove|quando|perche|come"
                rf"|quant[oaie]) "
                r"(?:e|sono|era|ho|hai|ha|abito|abita|vivo|lavoro|lavora|si chiama|mi chiamo"
                r"|costa|inizia|figli|anni|devo|posso|\w+ (?:e|ha|ho))\b"
                rf"|{_LEAD}(?:ti ricordi|ricordi|sai|puoi|potresti|dov'e|com'e)\b"
            ),
            tells=(
                r"(?:e |ma |siccome |perche )?(?:io )?(?:sono|ho|abito|vivo|lavoro|mi chiamo"
                r"|vado|non mangio|amo|odio)\b"
                r"|(?:il mio|la mia|mio|mia) \w+ (?:e|ha|si chiama|lavora)"
            ),
        ),
        first_person=r"\b(?:io|mio|mia|miei|mie|mi|me|noi|nostr[oaie])\b",
        asks_when=(r"quando", r"a che ora", r"che giorno", r"da quando", r"da quanto tempo"),
    ),
    small_talk=SmallTalkRules(
        greetings=phrases(
            """
            ciao, salve, buongiorno, buonasera, buonanotte, buon pomeriggio, buona giornata,
            buona serata
            arrivederci, a domani, a presto, a dopo, come stai, come va, come sta, tutto bene,
            buon weekend
            ci vediamo, piacere, ehi, benvenuto
            """
        ),
        confirmations=phrases(
            """
            si, certo, ok, okay, va bene, daccordo, esatto, giusto, no, no grazie, si grazie,
            per favore
            capito, ho capito, perfetto allora, forse, certamente, assolutamente, vai, fatto
            """
        ),
        acknowledgements=phrases(
            """
            grazie, grazie mille, tante grazie, molte grazie, ottimo, perfetto, fantastico,
            bello, bravo
            che bello, prego, di niente, figurati, scusa, scusami, mi dispiace, peccato, complimenti
            congratulazioni, haha, interessante, nessun problema, non fa niente
            """
        ),
        fillers=words("e a te tu voi tutti amico amica mio cara caro molto"),
    ),
)
