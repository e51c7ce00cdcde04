"""Dutch: questions, small talk, words, dates. The rest is lacking."""

from cogmem_core.languages.base import SmallTalkRules
from cogmem_core.languages.loading import areas_of
from cogmem_core.languages.plain import (
    QuestionForms,
    pack,
    plain_query,
)
from cogmem_core.languages.tables import phrases, words

_LEAD = r"(?:(?:en|maar|hoi|he|dus|zeg|alsjeblieft|oke)[, ]+){0,2}"

NL = pack(
    "nl",
    **areas_of("nl"),
    query=plain_query(
        QuestionForms(
            opens=(
                rf"{_LEAD}(?:wie|wat|waar|waarheen|wanneer|waarom|hoe|hoeveel|welke?"
                rf"|sinds wanneer) "
                r"(?:is|zijn|was|ben|heb|heeft|woon|woont|werk|werkt|heet|moet|kan|ga|gaan|kost"
                r"|begint|\w+ (?:is|heb|heeft|was|ben))\b"
                rf"|{_LEAD}(?:weet|kun|kan|ben|heb|herinner|wil|heeft|is|zou) (?:je|jij|u|mijn"
                rf"|ik)\b"
            ),
            tells=(
                r"(?:en |maar |omdat |aangezien )?(?:ik (?!vraag me af|hoop|denk)\w+"
                r"|mijn \w+ (?:is|heeft|heet|werkt|woont)\b)"
            ),
        ),
        first_person=r"\b(?:ik|mijn|mij|me|wij|we|ons|onze)\b",
        asks_when=(r"wanneer", r"hoe laat", r"welke dag", r"sinds wanneer", r"hoe lang"),
    ),
    small_talk=SmallTalkRules(
        greetings=phrases(
            """
            hallo, hoi, hey, dag, goedemorgen, goedemiddag, goedenavond, goede morgen, welterusten
            tot ziens, tot morgen, tot straks, tot later, doei, hoe gaat het, hoe is het, alles goed
            fijn weekend, fijne dag, fijne avond, aangenaam, welkom, groetjes
            """
        ),
        confirmations=phrases(
            """
            ja, jazeker, oke, ok, prima, goed, is goed, zeker, natuurlijk, klopt, precies, nee,
            nee dank je
            nee bedankt, begrepen, snap ik, misschien, alsjeblieft, ga door, akkoord, doe maar
            """
        ),
        acknowledgements=phrases(
            """
            dank je, dank je wel, dankjewel, dank u, dank u wel, bedankt, hartelijk dank, heel
            erg bedankt
            top, super, geweldig, perfect, mooi, leuk, graag gedaan, geen probleem, sorry, het
            spijt me
            jammer, gefeliciteerd, haha, interessant, geen dank
            """
        ),
        fillers=words("en met jou je u allemaal iedereen erg heel vriend dan"),
    ),
)
