"""German: what a question asks for."""

from cogmem_core.languages.de.forgetting import FORGETTING
from cogmem_core.languages.plain import QuestionForms, plain_answers, plain_query
from cogmem_core.languages.tables import words

_LEAD = (
    r"(?:(?:und|aber|also|hey|hallo|ok|okay|bitte|sag mal|na|du|ach|uebrigens|ubrigens)[, ]+){0,2}"
)
_WORD = (
    r"(?:wer|wen|wem|wessen|was|wo|wohin|woher|wann|warum|wieso|weshalb|wie|womit|wofur|worum"
    r"|woran|welche[rsmn]?|seit wann|bis wann|um wie ?viel uhr|wie ?viele?|wozu)"
)
_VERB = (
    r"(?:ist|sind|bin|bist|war|waren|hat|habe|hast|haben|hatte|wird|werden|werde|wurde|kann|kannst"
    r"|konnt|konnte|konntest|konnen|muss|musst|soll|sollte|will|willst|darf|mag|magst|mochtest"
    r"|weist|kennst|erinnerst|wohnt|wohne|heis?st|heise|gibt|geht|macht|kommt|liegt|steht"
    r"|[a-z]{2,}t"
    r"|[a-z]{2,}st|[a-z]{2,}en|[a-z]{3,}e|wars|ists)"
)
_SUBJECT = r"(?:ich|du|er|sie|es|wir|ihr|man|das|der|die|mein\w*|dein\w*|unser\w*|jemand|Sie)"

QUERY = plain_query(
    QuestionForms(
        opens=(
            rf"{_LEAD}(?:(?:mit|von|bei|fur|seit|bis|auf|an|in|aus|zu|um|uber) )?{_WORD}"
            rf"(?: [a-z]+){{0,2}}? {_VERB}\b(?! (?:mir|mich) (?:gefallt|wichtig|freut))"
            rf"|{_LEAD}(?:ist|sind|bin|bist|war|hat|habe|hast|haben|kann|kannst|konntest|konnen"
            rf"|muss"
            rf"|musst|soll|sollte|will|willst|darf|magst|weist|kennst|erinnerst|wirst|wurdest|gibt)"
            rf" {_SUBJECT}\b"
        ),
        tells=(
            r"(?:und |aber |also |nein |ja |weil |da )?(?:ich|wir) (?!(?:frage mich"
            r"|wurde gerne? wissen|wus?ste gerne?"
            r"|mochte wissen|will wissen|hoffe|glaube|denke)\b)\w"
            r"|mein\w* (?:\w+ ){1,2}(?:ist|heis?st|war|hat|sind|wohnt|arbeitet)\b"
            r"|da ich\b|weil ich\b"
        ),
        orders=(
            rf"{_LEAD}(?:sag|erzahl|erklar|zeig|nenn|verrat|schreib|ubersetz)e? (?:mir|uns|doch"
            rf"|bitte|mal|einen|eine)\b"
        ),
        remember=(
            r"\b(?:merk dir|merke dir|merken sie sich|notier\w*|vergiss nicht|speicher\w*"
            r"|denk dran|denk daran)"
        ),
    ),
    first_person=r"\b(?:ich|mein\w*|mir|mich|wir|uns|unser\w*)\b",
    asks_number=r"wie (?:viele?|alt|hoch|lang|oft|weit|schnell|gros|gross|tief|schwer|teuer)|was kostet\w*",
    asks_name=r"wer|wen|wem|wessen|heis?t|heiss?en|name\w?|wo|wohin|woher",
    asks_when=(
        r"wann",
        r"seit wann",
        r"bis wann",
        r"an welchem tag",
        r"um wie ?viel uhr",
        r"welches datum",
        r"wie lange",
        r"in welchem (?:jahr|monat)",
        r"zu welcher uhrzeit",
    ),
    intents={
        "temporal": (
            (0.9, r"(?:seit |bis |ab )?wann\b"),
            (
                0.8,
                r"wie lange|um wie ?viel uhr|an welchem tag|welches datum|in welchem (?:jahr"
                r"|monat)",
            ),
            (0.3, r"gestern|heute|morgen|letzte\w?|nachste\w?|zuletzt"),
        ),
        "causal": (
            (0.95, r"warum|wieso|weshalb|weswegen|wozu"),
            (0.85, r"aus welchem grund|(?:der )?grund (?:fur|dafur)|wie kommt es"),
        ),
        "preference": (
            (0.9, r"liebling\w*|am liebsten"),
            (0.85, r"(?:(?:was )?mag|magst|mogen|bevorzug\w*|lieber|hasst?|gefallt|schmeckt)\b"),
        ),
        "entity_profile": (
            (
                0.9,
                r"(?:was weist du|was weis man|erzahl\w* (?:mir )?(?:etwas|mehr|alles"
                r"|was)?) ?(?:uber|von)\b",
            ),
            (0.9, r"wer (?:ist|war)\b"),
        ),
        "factual": (
            (0.6, r"wo|wohin|woher|wer|wen|wem|welche\w?|wie ?viele?|wie (?:alt|oft|gros|heis?st)"),
            (0.5, r"was|wie"),
        ),
    },
    answers=plain_answers(
        {
            "howto": r"wie (?:kann|mache?|soll|muss) (?:ich|man|wir)|anleitung (?:fur|zu)",
            "definition": r"was (?:ist|bedeutet|heist) (?:ein|eine)?|definition von",
            "technical": r"fehlermeldung|fehler|server|datenbank|python|docker|api|code",
            "lookup": r"wo|wann|wer|welche\w?|wie ?viele?|wie (?:heis?st|alt|gros)",
        },
        place=r"wo|wohin",
        time=r"wann",
        omitted=words(
            "wann wo wer was wie warum ist sind war hat habe hast haben wird bitte genau"
        ),
    ),
    about_you=(
        r"(?:bist|hast|magst|kannst|trinkst|rauchst|isst|wohnst|arbeitest|lebst|sprichst) du\b",
    ),
    no_fact=(r"sicher|bereit|fertig|zeit|lust|frage|problem|etwas|verstanden|da",),
    yes=words("ja jawohl jo jep genau klar doch natuerlich naturlich stimmt"),
    no=words("nein nee noe no nicht niemals"),
    courteous=words("bitte danke gern gerne"),
    courtesy=r"(?:hallo|hi|hey|guten (?:tag|morgen|abend)|sorry|entschuldigung|bitte)[,!. ]+",
    forgetting=FORGETTING,
)
