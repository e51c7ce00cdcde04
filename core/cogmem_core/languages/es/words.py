"""Spanish: words as such, dates and times."""

from cogmem_core.languages.base import EndRules, WordRules
from cogmem_core.languages.plain import one_fact, stem_by
from cogmem_core.languages.plain_time import TimeForms, plain_times
from cogmem_core.languages.tables import any_of, words

_STOP_WORDS = words(
    """
    a al algo algunos ante antes aquel aquí así aunque cada como cómo con contra cual cuál cuando
    cuándo cuánto de del desde donde dónde durante e el él ella ellas ellos en entre era eran eres
    es esa ese eso esta está están estar estas este esto estos estoy fue ha había han has hasta hay
    he la las le les lo los más me mi mí mis mucho muy nada ni no nos nosotros nuestra nuestro o
    otra otro para pero poco por porque pues que qué quien quién se sea ser si sí sido sin sobre
    sois somos son soy su sus también tan te tengo ti tiene tienen todo todos tu tú tus un una unas
    uno unos usted y ya yo
    """
)

WORDS = WordRules(
    stop_words=_STOP_WORDS,
    stem=stem_by(
        """
        amientos imientos amiento imiento aciones acion ción ciones cion idades idad ísimo ísima
        isimo isima adores ador adora amente mente  abamos íamos iamos aremos eremos iremos aban ían
        ian aste iste aron ieron ando iendo ados adas idos idas ado ada ido ida amos emos imos áis
        éis aba ía ia ará erá irá ar er ir as es os an en a e o s é í ó
        """
    ),
    separate_facts=one_fact,
    abbreviations=words("dr dra sr sra srta ud uds etc pág tel aprox av"),
    auxiliaries=words(
        "soy eres es somos son era fue he has ha hemos han puedo puede debo debe voy va estoy esta"
    ),
    adverbs=words("ya aun todavia siempre nunca tambien muy ahora casi solo"),
    governing=words("que si cuando porque aunque creo pienso dice dijo espero ojala supongo"),
)

_MONTHS = {
    "enero": 1,
    "febrero": 2,
    "marzo": 3,
    "abril": 4,
    "mayo": 5,
    "junio": 6,
    "julio": 7,
    "agosto": 8,
    "septiembre": 9,
    "setiembre": 9,
    "octubre": 10,
    "noviembre": 11,
    "diciembre": 12,
}
_WEEKDAYS = {
    "lunes": 0,
    "martes": 1,
    "miercoles": 2,
    "jueves": 3,
    "viernes": 4,
    "sabado": 5,
    "domingo": 6,
}
_UNITS = {
    "dia": "days",
    "dias": "days",
    "semana": "weeks",
    "semanas": "weeks",
    "mes": "months",
    "meses": "months",
    "ano": "years",
    "anos": "years",
}
_PERIOD = (
    rf"(?:{any_of(_WEEKDAYS)}|semana|mes|ano|{any_of(_MONTHS)}|verano|invierno|otono|primavera)"
)

TIME = plain_times(
    TimeForms(
        ago=r"hace (?:unos |unas )?<count> <unit>",
        ahead=r"(?:en|dentro de) <count> <unit>",
        past_stretch=r"(?:los|las) ultim[oa]s <count> <unit>",
        next_stretch=r"(?:los|las) proxim[oa]s <count> <unit>",
        last_next=(
            rf"(?:el |la |del |al )?(?P<n>{_PERIOD}|fin de semana) "
            r"(?P<w>pasad[oa]|que viene|proxim[oa]|anterior)",
            rf"(?:el |la )?(?P<w>proxim[oa]|est[ea]|ultim[oa]) (?P<n>{_PERIOD}|fin de semana)",
        ),
        month_before="en|desde|hasta|de|para|a principios de|a finales de",
        day_link="de",
        day_of_month=(
            r"(?:el|del|al) (?:dia )?(?P<x>(?P<d>\d{1,2}))(?! (?:de|por|euros"
            r"|%))(?![.,:/]\d)\b"
        ),
        season_before="en|el|este",
        weekend_before="el|este|durante el",
        year_before="en|desde|hasta|de|del ano|en el ano|el ano",
        ordinal="º|ro",
    ),
    weekdays=_WEEKDAYS,
    months=_MONTHS,
    month_names=(
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ),
    units=_UNITS,
    numbers={
        "un": 1,
        "una": 1,
        "dos": 2,
        "un par de": 2,
        "tres": 3,
        "cuatro": 4,
        "cinco": 5,
        "seis": 6,
        "siete": 7,
        "ocho": 8,
        "nueve": 9,
        "diez": 10,
        "once": 11,
        "doce": 12,
        "quince": 15,
        "veinte": 20,
        "treinta": 30,
    },
    relative_days={
        "hoy": 0,
        "ayer": -1,
        "anteayer": -2,
        "antier": -2,
        "manana": 1,
        "pasado manana": 2,
    },
    seasons={"primavera": 3, "verano": 6, "otono": 9, "invierno": 12},
    season_names={3: "primavera", 6: "verano", 9: "otoño", 12: "invierno"},
    directions={
        "pasado": -1,
        "pasada": -1,
        "anterior": -1,
        "ultimo": -1,
        "ultima": -1,
        "que viene": 1,
        "proximo": 1,
        "proxima": 1,
        "este": 0,
        "esta": 0,
    },
    weekend_names=frozenset(("fin de semana", "finde")),
    clock_units={"minuto": "minutes", "minutos": "minutes", "hora": "hours", "horas": "hours"},
    day_parts={"tarde": (12, 20), "noche": (20, 24), "madrugada": (0, 6)},
    looks_back=(
        r"fui|fue|fuimos|fueron|era|estuve|estuvo|hice|hizo|tuve|tuvo|compre|llegue|conoci"
        r"|empece|me mude"
        r"|nacio|naci|murio|pasad[oa]|ultim[oa]|hace|[a-z]{2,}aron|[a-z]{2,}ieron|habia"
    ),
    looks_ahead=(
        r"voy|vas|va|vamos|van|ire|sera|tengo que|quiero|puedo|viajo|viajamos|llega|llegan|empieza"
        r"|empiezo|salgo|vuelo|viene|vienen|proxim[oa]|tendre|es|son|tengo|hay|[a-z]{2,}are"
        r"|[a-z]{2,}aremos"
    ),
    on_the_hour=("horas",),
    hour_prepositions=("a las", "a la", "sobre las"),
    bare_hour_prepositions=("a las", "a la"),
    lone_hour_prepositions=("a las", "a la"),
    part_prepositions=("por la", "de la", "en la"),
    ends=EndRules(
        begins=r"\b(?:empiez\w+|empezamos|comienz\w+|comenzamos|abre)\b",
        appointments=(
            r"\b(?:citas?|reunion|conferencia|cena|almuerzo|desayuno|vuelo|vuelos|tren|autobus"
            r"|examen|entrevista|fiesta|concierto|cine|teatro|ensayo|excursion|visita|visito"
            r"|visitar|visitare|visitamos|vol(?:amos|ar|are)|viaj(?:o|a|amos|ar|are)"
            r"|qued(?:o|amos) con)\b"
        ),
    ),
    habits=(
        r"cada|tod[oa]s l[oa]s|siempre|normalmente|a diario|los (?:lunes|martes|miercoles"
        r"|jueves|viernes|sabados|domingos)",
    ),
)
