"""Spanish: what a question asks for."""

from cogmem_core.languages.es.forgetting import FORGETTING
from cogmem_core.languages.plain import QuestionForms, plain_answers, plain_query
from cogmem_core.languages.tables import words

_LEAD = r"(?:(?:y|pero|oye|hola|vale|bueno|por favor|entonces|ok|eh|perdona|mira)[, ]+){0,2}"
_WORD = (
    r"(?:quien(?:es)?|que|cual(?:es)?|donde|adonde|cuando|por que|para que|como|cuant[oa]s?"
    r"|(?:con|a|de|desde|en|para|hasta|por) (?:quien(?:es)?|que|cual|cuando|donde|cuant[oa]s?))"
)

QUERY = plain_query(
    QuestionForms(
        opens=(
            rf"{_LEAD}{_WORD} (?:me |te |se |le |nos |les )?(?:es|son|era|fue|soy|eres|estoy"
            rf"|esta|estan|estas|estaba"
            rf"|tengo|tiene|tienes|tenemos|tienen|hay|ha|he|han|hago|hace|vivo|vive|viven"
            rf"|vivimos|trabajo|trabaja|llamo"
            rf"|llama|puedo|puede|debo|voy|va|vamos|dije|dijo|gusta|gustan|cumple|cuesta"
            rf"|empieza|sale|llega|sabes|calzo"
            rf"|anos|veces|hijos|hermanos|numero|talla|color|dia|hora|comida|libro|pelicula"
            rf"|musica|[a-z]+(?:aba|ia|amos|emos|aste|iste))\b"
            rf"|{_LEAD}(?:sabes|recuerdas|te acuerdas|conoces|puedes decirme|me puedes decir"
            rf"|tienes idea)\b"
        ),
        tells=(
            r"(?:y |pero |es que |como |porque |ya que )?(?:(?:yo )?(?:soy|tengo|vivo|trabajo"
            r"|estoy|voy|me llamo|me mude|no como|no puedo"
            r"|acabo de|compre|fui|he|odio|prefiero|como (?!se\b|puedo\b|hago\b)\w+|bebo|uso"
            r"|estudio)\b"
            r"|mi \w+ (?:\w+ )?(?:es|esta|se llama|tiene|vive|trabaja|ha)\b)"
        ),
        orders=rf"{_LEAD}(?:dime|cuentame|explicame|recuerdame|muestrame)\b",
        remember=(
            r"\b(?:recuerda que|apunta que|anota que|no olvides que|ten en cuenta que"
            r"|guarda que|apunta:|acuerdate de que)"
        ),
    ),
    first_person=r"\b(?:yo|mi|mis|me|mio|mia|nosotros|nos|nuestr[oa]s?)\b",
    asks_number=r"cuant[oa]s?|que (?:edad|precio|numero|talla)",
    asks_name=r"quien(?:es)?|como se llama\w*|nombres?|donde|adonde",
    asks_when=(
        r"cuando",
        r"desde cuando",
        r"hasta cuando",
        r"a que hora",
        r"que dia",
        r"en que (?:ano|mes|fecha)",
        r"cuanto tiempo",
        r"hace cuanto",
    ),
    intents={
        "temporal": (
            (0.9, r"(?:desde |hasta )?cuando\b"),
            (0.85, r"a que hora|que dia|en que (?:ano|mes|fecha)|cuanto tiempo|hace cuanto"),
            (0.3, r"ayer|hoy|manana|pasad[oa]|proxim[oa]|ultima vez"),
        ),
        "causal": (
            (0.95, r"por que|a que se debe|cual (?:es|fue) (?:la razon|el motivo)"),
            (0.85, r"motivo|razon|causa"),
        ),
        "preference": (
            (0.9, r"favorit[oa]s?|preferid[oa]s?"),
            (
                0.85,
                r"(?:gusta|gustan|gustaba|prefiero|prefiere|prefieres|odio|odia|encanta"
                r"|encantan)\b",
            ),
        ),
        "entity_profile": (
            (0.9, r"quien (?:es|era|fue)\b"),
            (
                0.9,
                r"(?:que sabes|que recuerdas|cuentame|hablame|dime)(?: (?:algo|mas"
                r"|todo))? (?:de|sobre|acerca)\b",
            ),
        ),
        "factual": (
            (0.6, r"donde|adonde|quien|cual|cuales|cuant[oa]s?"),
            (0.5, r"que|como"),
        ),
    },
    answers=plain_answers(
        {
            "howto": r"como (?:puedo|se|hago|debo)|pasos para|receta (?:de|para)",
            "definition": r"que (?:es|significa) (?:un|una)?|definicion de",
            "technical": r"error|servidor|base de datos|python|docker|api|codigo",
            "lookup": r"donde|cuando|quien|cual|cuant[oa]s?",
        },
        place="donde|adonde",
        time="cuando",
        omitted=words(
            "cuando donde quien que cual como por es son esta era fue ha tiene por favor"
        ),
    ),
    about_you=(r"(?:eres|tienes|vives|trabajas|comes|bebes|fumas|hablas|te gusta|estas)\b",),
    no_fact=(r"segur[oa]|list[oa]|tiempo|ganas|pregunta|problema|algo|ahi",),
    yes=words("si claro exacto correcto vale cierto"),
    no=words("no nunca jamas tampoco"),
    courteous=words("gracias favor"),
    courtesy=r"(?:hola|buenos dias|buenas(?: tardes| noches)?|oye|perdona?|disculpa)[,!. ]+",
    forgetting=FORGETTING,
)
