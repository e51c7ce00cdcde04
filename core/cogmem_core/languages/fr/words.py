"""French: words as such, dates and times."""

from cogmem_core.languages.base import EndRules, WordRules
from cogmem_core.languages.plain import one_fact, stem_by
from cogmem_core.languages.plain_time import TimeForms, plain_times
from cogmem_core.languages.tables import any_of, words

_STOP_WORDS = words(
    """
    a ai ainsi alors au aussi autre aux avant avec avez avons car ce cela ces cet cette ceux chaque
    ci comme comment d dans de des donc dont du elle elles en encore entre es est et eu été être eux
    fait il ils j je l la le les leur leurs lors lui là m ma mais me mes moi moins mon même n ne ni
    nos notre nous on ont ou où par parce pas pendant peu peut plus pour pourquoi qu quand que quel
    quelle quelles quels qui quoi s sa sans se sera ses si son sont sous sur t ta te tes toi ton
    tous tout toute toutes très tu un une vers vos votre vous y à ça étais était suis sommes
    """
)

WORDS = WordRules(
    stop_words=_STOP_WORDS,
    stem=stem_by(
        """
        ations ation issements issement ements ement ités ité iteurs euses euse eurs eur ances ance
        antes ante ants ant aient issons issez issent issait ais ait ions iez eons ons ez ent
        era erai
        eront ées ée és é er ir es e s x ment ives ive ifs if elles elle els el
        """
    ),
    separate_facts=one_fact,
    elisions=words("l d j m t s c n qu jusqu lorsqu"),
    abbreviations=words("dr m mme mlle st ste etc av bd tel env ex p"),
    auxiliaries=words(
        "suis es est sommes sont etait ai as a avons ont avait peux peut dois doit vais va veux"
    ),
    adverbs=words("toujours souvent jamais aussi encore deja vraiment maintenant plus tres"),
    governing=words("que si quand parce car crois pense dit espere suppose puisque"),
)

_MONTHS = {
    "janvier": 1,
    "fevrier": 2,
    "mars": 3,
    "avril": 4,
    "mai": 5,
    "juin": 6,
    "juillet": 7,
    "aout": 8,
    "septembre": 9,
    "octobre": 10,
    "novembre": 11,
    "decembre": 12,
}
_WEEKDAYS = {
    "lundi": 0,
    "mardi": 1,
    "mercredi": 2,
    "jeudi": 3,
    "vendredi": 4,
    "samedi": 5,
    "dimanche": 6,
}
_UNITS = {
    "jour": "days",
    "jours": "days",
    "semaine": "weeks",
    "semaines": "weeks",
    "mois": "months",
    "an": "years",
    "ans": "years",
    "annee": "years",
    "annees": "years",
}
_PERIOD = (
    rf"(?:{any_of(_WEEKDAYS)}|semaine|mois|an|annee|week-end|weekend|{any_of(_MONTHS)}"
    r"|ete|hiver|automne|printemps)"
)

TIME = plain_times(
    TimeForms(
        ago=r"il y a (?:environ )?<count> <unit>",
        ahead=r"dans <count> <unit>",
        past_stretch=r"(?:ces|les) <count> dernier(?:e)?s <unit>",
        next_stretch=r"(?:ces|les) <count> prochain(?:e)?s <unit>",
        last_next=(
            rf"(?:la |le |l')?(?P<n>{_PERIOD}) (?P<w>dernier|derniere|passee?|prochaine?)",
            r"(?P<w>cette|ce|cet) (?P<n>semaine|mois|annee|week-end|weekend|ete|hiver|automne"
            r"|printemps)",
        ),
        month_before="en|depuis|jusqu'en|de|debut|fin|au mois de|mi",
        day_link="",
        day_of_month=r"le (?P<x>(?P<d>\d{1,2}))(?! ?(?:euros|%|h))(?![.,:/]\d)\b",
        season_before="en|au|cet|l'|pendant l'",
        weekend_before="ce|le|pendant le",
        year_before="en|depuis|jusqu'en|l'annee|de|avant|apres",
        ordinal="er",
    ),
    weekdays=_WEEKDAYS,
    months=_MONTHS,
    month_names=(
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ),
    units=_UNITS,
    numbers={
        "un": 1,
        "une": 1,
        "deux": 2,
        "trois": 3,
        "quatre": 4,
        "cinq": 5,
        "six": 6,
        "sept": 7,
        "huit": 8,
        "neuf": 9,
        "dix": 10,
        "onze": 11,
        "douze": 12,
        "quinze": 15,
        "vingt": 20,
        "trente": 30,
        "quelques": 3,
    },
    relative_days={
        "aujourd'hui": 0,
        "hier": -1,
        "avant-hier": -2,
        "demain": 1,
        "apres-demain": 2,
    },
    seasons={"printemps": 3, "ete": 6, "automne": 9, "hiver": 12},
    season_names={3: "printemps", 6: "été", 9: "automne", 12: "hiver"},
    directions={
        "dernier": -1,
        "derniere": -1,
        "passe": -1,
        "passee": -1,
        "prochain": 1,
        "prochaine": 1,
        "ce": 0,
        "cet": 0,
        "cette": 0,
    },
    weekend_names=frozenset(("week-end", "weekend")),
    clock_units={"minute": "minutes", "minutes": "minutes", "heure": "hours", "heures": "hours"},
    day_parts={"matin": (6, 12), "apres-midi": (12, 18), "soir": (18, 24), "nuit": (18, 24)},
    looks_back=(
        r"depuis|etait|etais|etaient|avait|avais|suis alle|sommes alles|fut"
        # "ai rendez-vous", "a une réunion" are of the present.
        r"|(?:ai|as|a|avons|avez|ont)(?= (?:(?:pas|plus|deja|bien|tout|toujours) )?"
        r"(?!(?:une|le|la|les|de|des|ce|cette|mes|tes|ses|nos|vos|notre|votre|leur)\b)"
        r"[a-z]+(?:ee?s?|is?|it|us?|ert|[aeo]int)\b)"
        r"|passee?|derniere?"
        r"|[a-z]{2,}ait|est (?:ne|nee|mort|morte|parti|partie|venu|venue)"
    ),
    looks_ahead=(
        r"vais|va|vas|allons|vont|serai|sera|dois|veux|peux|viens|vient|viennent|arrive"
        r"|commence|pars|part|partons"
        r"|prochaine?|aurai|aura|j'irai|[a-z]{2,}erai|[a-z]{2,}erons|est|sont|dejeune|vois"
        r"|demenageons"
    ),
    on_the_hour=("heures", "heure", "h"),
    hour_prepositions=("a", "vers"),
    lone_hour_prepositions=("a", "vers"),
    part_prepositions=("le", "dans la", "de l'"),
    ends=EndRules(
        begins=r"\b(?:commenc\w+|demarr\w+|debut\w*|ouvre)\b",
        appointments=(
            r"\b(?:rendez-vous|rdv|reunion|conference|diner|dejeuner|vol|train|bus|examen"
            r"|entretien|fete|concert|cinema|theatre|repetition|excursion|visite|visiter|visitons"
            r"|prends l'avion|voyage|voyageons)\b"
        ),
    ),
    habits=(
        r"chaque|tou(?:s|tes) les|toujours|d'habitude|normalement|quotidien\w*|le (?:lundi"
        r"|mardi|mercredi|jeudi|vendredi|samedi|dimanche)(?! (?:prochain|dernier|suivant|d'avant|\d))",
    ),
)
