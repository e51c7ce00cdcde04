"""German: words as such, dates and times."""

from cogmem_core.languages.base import EndRules, WordRules
from cogmem_core.languages.plain import one_fact, stem_by
from cogmem_core.languages.plain_time import TimeForms, plain_times
from cogmem_core.languages.tables import any_of, words

_STOP_WORDS = words(
    """
    aber alle allem allen aller alles als also am an auch auf aus außerdem bei beim bin bis bist da
    dabei damit danach dann das dass daß dein deine deinem deinen deiner dem den denn der des dessen
    deshalb dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem
    einen einer eines er es etwas euch euer eure für gegen gewesen habe haben hat hatte hatten hier
    hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem jeden
    jeder jedes jene jener jetzt kann kannst kein keine keinem keinen keiner können könnte machen
    mal man manche mehr mein meine meinem meinen meiner mich mir mit muss musste nach nein nicht
    nichts noch nun nur ob oder ohne schon sehr sein seine seinem seinen seiner seit sich sie sind
    so solche soll sollte sondern sonst über um und uns unser unsere unserem unseren unter viel vom
    von vor wann war waren warum was weg weil weiter welche welchem welchen welcher welches wenn wer
    werde werden wie wieder will wir wird wirst wo wollen wollte wurde würde während zu zum zur zwar
    zwischen
    """
)
NUMBERS = {
    "ein": 1,
    "eine": 1,
    "einem": 1,
    "einer": 1,
    "einen": 1,
    "zwei": 2,
    "drei": 3,
    "vier": 4,
    "funf": 5,
    "sechs": 6,
    "sieben": 7,
    "acht": 8,
    "neun": 9,
    "zehn": 10,
    "elf": 11,
    "zwolf": 12,
    "zwanzig": 20,
    "dreisig": 30,
    "ein paar": 3,
}
_ENDINGS = """
    en er em es est et st te ten e n s t in innen lich liche lichen ung ungen heit keit chen
    lein isch ische
"""

WORDS = WordRules(
    stop_words=_STOP_WORDS,
    stem=stem_by(_ENDINGS),
    separate_facts=one_fact,
    abbreviations=words("dr prof hr fr str nr bzw z.b d.h usw ca evtl ggf inkl u.a"),
    auxiliaries=words(
        """
        bin bist ist sind seid war waren habe hast hat haben hatte hatten werde wirst wird werden
        wurde kann kannst konnte muss musste soll sollte will wollte darf mag mochte
        """
    ),
    adverbs=words("auch immer noch schon sehr gern gerne meistens oft manchmal nie wirklich jetzt"),
    governing=words("dass ob wenn weil obwohl falls glaube denke meine hoffe sagt sagte meint"),
)

_MONTHS = {
    "januar": 1,
    "janner": 1,
    "jan": 1,
    "februar": 2,
    "feber": 2,
    "feb": 2,
    "marz": 3,
    "april": 4,
    "apr": 4,
    "mai": 5,
    "juni": 6,
    "jun": 6,
    "juli": 7,
    "jul": 7,
    "august": 8,
    "aug": 8,
    "september": 9,
    "sept": 9,
    "sep": 9,
    "oktober": 10,
    "okt": 10,
    "november": 11,
    "nov": 11,
    "dezember": 12,
    "dez": 12,
}
_WEEKDAYS = {
    "montag": 0,
    "dienstag": 1,
    "mittwoch": 2,
    "donnerstag": 3,
    "freitag": 4,
    "samstag": 5,
    "sonnabend": 5,
    "sonntag": 6,
}
_UNITS = {
    "tag": "days",
    "tage": "days",
    "tagen": "days",
    "woche": "weeks",
    "wochen": "weeks",
    "monat": "months",
    "monate": "months",
    "monaten": "months",
    "jahr": "years",
    "jahre": "years",
    "jahren": "years",
}
_LAST = r"(?:letzte[nrms]?|vergangene[nrms]?|vorige[nrms]?)"
_NEXT = r"(?:nachste[nrms]?|kommende[nrms]?)"
_DIRECTIONS = {
    **{
        stem + ending: -1 for stem in ("letzte", "vergangene", "vorige") for ending in ("", *"nrms")
    },
    **{stem + ending: 1 for stem in ("nachste", "kommende") for ending in ("", *"nrms")},
    **{f"diese{ending}": 0 for ending in ("", *"nrms")},
}

TIME = plain_times(
    TimeForms(
        ago=r"vor <count> <unit>",
        ahead=r"in <count> <unit>",
        past_stretch=r"(?:die|den|in den) (?:letzten|vergangenen) <count> <unit>",
        next_stretch=r"(?:die|den|in den|innerhalb der) (?:nachsten|kommenden) <count> <unit>",
        last_next=(
            rf"(?P<w>{_LAST}|{_NEXT}|diese[nrms]?) "
            rf"(?P<n>{any_of(_WEEKDAYS)}|woche|monat|jahr|wochenende|{any_of(_MONTHS)}|sommer"
            rf"|winter"
            r"|fruhling|herbst)",
        ),
        month_before=r"im|seit|ab|bis|anfang|mitte|ende|bis ende|seit ende",
        day_of_month=r"(?:am|bis zum|zum|ab dem|vom) (?P<x>(?P<d>\d{1,2})\.)(?!\d)",
        season_before="im|seit dem|bis zum",
        weekend_before="am|ubers|uber das|furs",
        year_before="in|im jahr|im jahre|seit|bis|ab|anfang|ende|von",
        ordinal=r"\.",
    ),
    weekdays=_WEEKDAYS,
    months=_MONTHS,
    month_names=(
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ),
    units=_UNITS,
    numbers=NUMBERS,
    relative_days={"heute": 0, "gestern": -1, "vorgestern": -2, "morgen": 1, "ubermorgen": 2},
    seasons={"fruhling": 3, "fruhjahr": 3, "sommer": 6, "herbst": 9, "winter": 12},
    season_names={3: "Frühling", 6: "Sommer", 9: "Herbst", 12: "Winter"},
    directions=_DIRECTIONS,
    weekend_names=words("wochenende"),
    clock_units={"minute": "minutes", "minuten": "minutes", "stunde": "hours", "stunden": "hours"},
    day_parts={
        "fruh": (6, 12),
        "vormittag": (6, 12),
        "mittag": (12, 14),
        "nachmittag": (12, 18),
        "abend": (18, 24),
        "nacht": (18, 24),
    },
    looks_back=(
        r"war|waren|hatte|hatten|habe|hast|hat|haben|bin|sind|wurde|wurden|ging|kam|fuhr|fing|sah"
        r"|letzte[nrms]?|vorige[nrms]?|ge[a-z]{3,}(?:t|en)"
    ),
    looks_ahead=(
        r"werde|wird|werden|muss|will|wollen|soll|sollte|mochte|kann|fliege|fliegen|fahre|fahren"
        r"|treffe|gehe|gehen|kommt|komme|plane|beginnt|beginne|startet|nachste[nrms]?|fangt"
    ),
    on_the_hour=("uhr",),
    hour_prepositions=("um", "gegen", "ab"),
    lone_hour_prepositions=("um", "gegen", "ab", "bis"),
    part_prepositions=("am", "in der"),
    ends=EndRules(
        begins=r"\b(?:beginn\w*|fang\w* .{0,40}\ban|start(?:e|et|en)|eroffnet)\b",
        appointments=(
            r"\b(?:termine?|besprechung|meeting|konferenz|vorlesung|vorstellungsgesprach|flug|zug"
            r"|abendessen|mittagessen|fruhstuck|prufung|party|konzert|kino|theater|probe|ausflug"
            r"|besuch(?:e|t|en)?|flieg(?:e|t|en)|fahr(?:e|t|en)|fahrt|reise|reist|reisen"
            r"|treff(?:e|en)|trifft)\b|termin\b"
        ),
    ),
    habits=(
        r"jede[nrms]?|immer|taglich|wochentlich|monatlich|meistens|normalerweise"
        r"|(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs",
    ),
)
