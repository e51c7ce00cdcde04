"""Dutch: questions, small talk, words, dates. The rest is lacking."""

from cogmem_core.languages.base import SmallTalkRules, TriggerRules, WordRules
from cogmem_core.languages.plain import (
    QuestionForms,
    one_fact,
    pack,
    plain_query,
    stem_by,
)
from cogmem_core.languages.plain_time import TimeForms, plain_times
from cogmem_core.languages.tables import any_of, phrases, words

_WEEKDAYS = {
    "maandag": 0,
    "dinsdag": 1,
    "woensdag": 2,
    "donderdag": 3,
    "vrijdag": 4,
    "zaterdag": 5,
    "zondag": 6,
}
_MONTHS = {
    "januari": 1,
    "februari": 2,
    "maart": 3,
    "april": 4,
    "mei": 5,
    "juni": 6,
    "juli": 7,
    "augustus": 8,
    "september": 9,
    "oktober": 10,
    "november": 11,
    "december": 12,
}
_PERIOD = rf"(?:{any_of(_WEEKDAYS)}|week|maand|jaar|weekend|zomer|winter)"
_LEAD = r"(?:(?:en|maar|hoi|he|dus|zeg|alsjeblieft|oke)[, ]+){0,2}"

NL = pack(
    "nl",
    words=WordRules(
        stop_words=words(
            """
            aan al alle als ben bent bij dan dat de deze die dit door dus een en er geen had heb
            hebben
            hebt heeft het hier hij hoe hun ik in is ja je jij jou jouw jullie kan kun maar me
            meer met
            mij mijn na naar nee niet nog nu of om omdat onder ons onze ook op over te tot u uit
            uw van
            veel voor waar wanneer waren was wat we wel werd wie wij wordt ze zeer zich zij zijn
            zo zou
            """
        ),
        stem=stem_by("heden heid ingen ing tjes tje jes je eren enen en st t e s", keeps=3),
        separate_facts=one_fact,
        abbreviations=words("dhr mevr dr bijv enz tel nr"),
    ),
    time=plain_times(
        TimeForms(
            ago=r"<count> <unit> geleden",
            ahead=r"over <count> <unit>",
            past_stretch=r"de (?:afgelopen|laatste) <count> <unit>",
            next_stretch=r"de komende <count> <unit>",
            last_next=(
                rf"(?P<w>vorig|vorige|afgelopen|volgend|volgende|komend|komende|deze"
                rf"|dit) (?P<n>{_PERIOD})",
            ),
            month_before="in|sinds|tot|vanaf|begin|eind",
            day_of_month=r"(?:op )?de (?P<x>(?P<d>\d{1,2})(?:e|ste|de))\b",
            season_before="in de|deze",
            weekend_before="in het|dit",
            year_before="in|sinds|tot|vanaf",
            ordinal="e|ste|de",
        ),
        weekdays=_WEEKDAYS,
        months=_MONTHS,
        month_names=tuple(_MONTHS),
        units={
            "dag": "days",
            "dagen": "days",
            "week": "weeks",
            "weken": "weeks",
            "maand": "months",
            "maanden": "months",
            "jaar": "years",
            "jaren": "years",
        },
        numbers={
            "een": 1,
            "twee": 2,
            "drie": 3,
            "vier": 4,
            "vijf": 5,
            "zes": 6,
            "zeven": 7,
            "acht": 8,
            "negen": 9,
            "tien": 10,
        },
        relative_days={
            "vandaag": 0,
            "gisteren": -1,
            "eergisteren": -2,
            "morgen": 1,
            "overmorgen": 2,
        },
        seasons={"lente": 3, "voorjaar": 3, "zomer": 6, "herfst": 9, "winter": 12},
        season_names={3: "lente", 6: "zomer", 9: "herfst", 12: "winter"},
        directions={
            "vorig": -1,
            "vorige": -1,
            "afgelopen": -1,
            "volgend": 1,
            "volgende": 1,
            "komend": 1,
            "komende": 1,
            "deze": 0,
            "dit": 0,
        },
        weekend_names=words("weekend"),
        looks_back=(
            r"was|waren|had|hadden|heb|heeft|ben|ge[a-z]{3,}(?:d|t|en)|vorige?|afgelopen"
            r"|geleden|ging|kwam"
        ),
        looks_ahead=(
            r"ga|gaat|gaan|zal|zullen|moet|wil|begint|komt|komen|volgende?|komende?"
            r"|vlieg|vliegen|vertrek|heb morgen|zie"
        ),
        on_the_hour=("uur",),
        hour_prepositions=("om", "rond"),
        lone_hour_prepositions=("om", "rond"),
        habits=(r"elke|iedere|altijd|(?:maan|dins|donder|vrij|zater|zon)dags",),
    ),
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
    triggers=TriggerRules(
        openers=r"(?:als|wanneer|zodra|nadat|telkens als|de volgende keer dat) ",
        topics=(r"(?:we |wij )?(?:het )?(?:praten|spreken|hebben) over (?P<topic>.+)",),
        unreal=(
            r"\b(?:als|wanneer|misschien|wellicht|zou|zouden|kan|kunnen|moet|moeten|wil|willen"
            r"|ga|gaat|gaan|zal|zullen|hoop|wacht|wachten|voordat|totdat|bijna|waarschijnlijk)\b"
        ),
        undone=(
            r"\b(?:niet|geen|nooit|niemand|niets|nergens|zonder|noch|nauwelijks|amper|bijna"
            r"|nog steeds)\b"
        ),
        denials=words("niet geen nooit niemand"),
    ),
)
