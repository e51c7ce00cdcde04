"""Italian: questions, small talk, words, dates. The rest is lacking."""

from cogmem_core.languages.base import SlotRules, SmallTalkRules, TriggerRules, WordRules
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
    "lunedi": 0,
    "martedi": 1,
    "mercoledi": 2,
    "giovedi": 3,
    "venerdi": 4,
    "sabato": 5,
    "domenica": 6,
}
_MONTHS = {
    "gennaio": 1,
    "febbraio": 2,
    "marzo": 3,
    "aprile": 4,
    "maggio": 5,
    "giugno": 6,
    "luglio": 7,
    "agosto": 8,
    "settembre": 9,
    "ottobre": 10,
    "novembre": 11,
    "dicembre": 12,
}
_PERIOD = rf"(?:{any_of(_WEEKDAYS)}|settimana|mese|anno|weekend|estate|inverno)"
_LEAD = r"(?:(?:e|ma|ciao|allora|senti|scusa|per favore|ehi)[, ]+){0,2}"

IT = pack(
    "it",
    words=WordRules(
        stop_words=words(
            """
            a ad ai al alla alle anche c che chi ci come con cui da dal dalla dei del della
            delle di dove
            e è ed era essere fra gli ha hai ho i il in io l la le lei lo loro lui ma me mi mia
            mie miei
            mio ne nei nel nella no noi non nostro o per perché più quale quando quanto quella
            quello
            questa questo se sei si sì sia siamo sono su sua sue sul sulla suo suoi ti tra tu
            tuo un una
            uno vi voi
            """
        ),
        stem=stem_by(
            """
            azioni azione amente mente ità avamo evano avano ando endo ati ate ato ata iti ite
            ito ita
            uto uti iamo ano ono are ere ire ava eva i e a o
            """
        ),
        separate_facts=one_fact,
        elisions=words("l dell all nell sull dall d un c quest quell m t s"),
        abbreviations=words("dr dott sig sigra ecc tel"),
    ),
    time=plain_times(
        TimeForms(
            ago=r"<count> <unit> fa",
            ahead=r"(?:tra|fra) <count> <unit>",
            past_stretch=r"(?:gli|negli|le|nelle) ultim[ei] <count> <unit>",
            next_stretch=r"(?:i|nei|le|nelle) prossim[ei] <count> <unit>",
            last_next=(
                rf"(?:la |il |lo |l')?(?P<n>{_PERIOD}) (?P<w>scors[oa]|prossim[oa])",
                rf"(?:la |il |lo |l')?(?P<w>scors[oa]|prossim[oa]|quest[oa]) (?P<n>{_PERIOD})",
            ),
            month_before="a|in|da|fino a|di",
            day_of_month=r"il (?P<x>(?P<d>\d{1,2}))(?![.,:/]\d)\b",
            season_before="in|d'|questa",
            weekend_before="nel|questo",
            year_before="nel|dal|fino al",
        ),
        weekdays=_WEEKDAYS,
        months=_MONTHS,
        month_names=tuple(_MONTHS),
        units={
            "giorno": "days",
            "giorni": "days",
            "settimana": "weeks",
            "settimane": "weeks",
            "mese": "months",
            "mesi": "months",
            "anno": "years",
            "anni": "years",
        },
        numbers={
            "un": 1,
            "una": 1,
            "due": 2,
            "tre": 3,
            "quattro": 4,
            "cinque": 5,
            "sei": 6,
            "sette": 7,
            "otto": 8,
            "nove": 9,
            "dieci": 10,
        },
        relative_days={
            "oggi": 0,
            "ieri": -1,
            "l'altro ieri": -2,
            "altroieri": -2,
            "domani": 1,
            "dopodomani": 2,
        },
        seasons={"primavera": 3, "estate": 6, "autunno": 9, "inverno": 12},
        season_names={3: "primavera", 6: "estate", 9: "autunno", 12: "inverno"},
        directions={
            "scorso": -1,
            "scorsa": -1,
            "prossimo": 1,
            "prossima": 1,
            "questo": 0,
            "questa": 0,
        },
        weekend_names=words("weekend"),
        looks_back=(
            r"ero|era|eravamo|ho|abbiamo|ha|sono (?:stat[oa]|andat[oa]|nat[oa])|siamo"
            r"|scors[oa]|fa|sono cadut[oa]"
        ),
        looks_ahead=(
            r"vado|andiamo|va|arriva|comincia|inizia|parto|partiamo|devo|voglio|verra"
            r"|prossim[oa]|incontro|vedo|viene"
        ),
        on_the_hour=(),
        hour_prepositions=("alle", "all'"),
        bare_hour_prepositions=("alle",),
        lone_hour_prepositions=("alle",),
        habits=(r"ogni|tutt[ei] (?:i|le)|sempre",),
    ),
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
    slots=SlotRules(
        homes=(
            r"(?<!non )\b(?:abito|abitiamo|vivo|viviamo)\b"
            r"|\b(?:mi\ssono|ci\ssiamo)\strasferit[oaie]\b"
        ),
        places="a|ad|in",
        joints="e|ma|perche|dove",
        working=r"(?<!non )\b(?:lavoro|lavoriamo)\s(?:\w+\s)?(?:per|da|in|alla|presso)\s(?P<a>\S)",
        beginning=r"\bho\s(?:appena\s)?(?:iniziato|cominciato)\s(?:a\slavorare\s)?(?:da|in|alla|presso)\s(?P<a>\S)",
        subjects="io|ho|lavoro|lavoriamo|adesso|ora",
        others=r"\b(?:estate|inverno|fine\ssettimana|vacanze|se|quando|forse|vorrei)\b",
    ),
    triggers=TriggerRules(
        openers=(
            r"(?:ricordamelo )?(?:quando|se|(?:non )?appena|una volta che|dopo che|ogni volta che"
            r"|la prossima volta che) "
        ),
        topics=(r"(?:si )?(?:parl\w+|discut\w+) (?:di|del|della|dei|delle) (?P<topic>.+)",),
        unreal=(
            r"\b(?:se|quando|forse|magari|potrebbe|potrebbero|puo|dovrei|dovrebbe|devo|deve"
            r"|voglio|vuole|vorrei|sto per|sta per|spero|aspetto|aspettando|prima|finche|quasi"
            r"|probabilmente|penso|bisogna|sara|saranno|avra)\b"
        ),
        undone=r"\b(?:non|mai|nessun[oa]?|niente|nulla|senza|neanche|nemmeno|neppure|quasi)\b",
        denials=words("non nessuno"),
    ),
)
