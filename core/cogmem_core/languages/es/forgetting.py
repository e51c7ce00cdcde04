"""Spanish: how a person asks to forget something, and how things are named that may be forgotten."""

from __future__ import annotations

from cogmem_core.languages.base import ForgettingRules
from cogmem_core.languages.tables import words

__all__ = ["FORGETTING"]

_POLITE = (
    r"[\u00bf\u00a1]?(?:(?:por favor|porfa|oye|oiga|hola|vale|ok|okay|bueno|y|pues|entonces|ahora|mira|perdona"
    r"|disculpe),? [\u00bf\u00a1]?)*"
)
_ASKS = r"(?P<asks>(?:me |nos )?(?:puedes|podrias|puede|podria|podeis|podriais|pueden|podrian)(?: usted)?(?=.*\?))"
_STEM = r"(?:olvid|borr|elimin|quit)"
# What is said to strangers is written as what one did oneself, but for an accent.
_FORMAL = (
    r"(?:(?=.*\b(?:por favor|porfa|usted|su memoria|sus notas|lo que sabe|todo (?:sobre|lo)|fichas?|entradas?"
    r"|registros?)\b)(?P<formal>)|)"
)
_VERB = (
    rf"(?:{_ASKS}(?: por favor)? (?:{_STEM}ar(?:te|se|me)?|suprimir)"
    rf"|(?:quiero|quisiera|me gustaria|necesito|prefiero) que (?:te |se )?(?:{_STEM}(?:es|e|eis|en))"
    rf"|(?:{_STEM}(?:a|ad)|olvidate|olvidaos|olvidese|olvidense|suprime|suprima)"
    rf"|(?(formal){_STEM}en?(?: usted)?|(?!)))\b"
)
_SOFT = r"(?:,? (?:por favor|porfa|gracias|ya|ahora|ahora mismo|para siempre|del todo|por completo|definitivamente)\b)*"
_OF = r"(?:de|del|sobre|acerca de|respecto a)"
_KNOWN = r"lo que (?:sabes|sabe|recuerdas|recuerda|tienes|tiene|(?:te |le )?(?:he (?:dicho|contado)|dije|conte))"
_STORED = (
    r"(?:fichas?|notas?|entradas?|registros?|datos|informacion|informaciones|detalles|expedientes?)"
)
_ABOUT = (
    rf"(?:(?P<memory>(?:todo )?{_KNOWN} {_OF}|todo (?:sobre|acerca de|lo de)"
    rf"|(?:(?:la|el|los|las|tu|tus|toda la|todos los) )?{_STORED} {_OF})"
    r"|(?P<clause>(?:de )?que|el hecho de que)|de(?! que\b))"
)
_OWN = r"(?:mi|mis|nuestr[oa]s?)"
_IN = r"(?:del|de la|de los|de las|en)"
_I = (
    r"(?:soy|somos|estoy|estamos|tengo|tenemos|vivo|vivimos|trabajo|trabajamos|naci|gano|peso|mido|como|bebo"
    r"|tomo|odio|prefiero|juego|toco|estudio|uso|conduzco|hablo|fumo|llamo|voy|he|hemos|fui|nado|corro|quiero|amo)"
)

FORGETTING = ForgettingRules(
    wish=(
        rf"{_FORMAL}{_POLITE}(?:(?=.*\b(?P<mild>borr|elimin|quit|suprim))|){_VERB}{_SOFT},? (?:{_ABOUT} )?(?P<what>.+?)"
        r"(?P<stored> de (?:tu|su|la) (?:memoria|base)| de (?:tus|sus) (?:notas|datos|archivos|recuerdos))?"
        rf"{_SOFT}[\s.!?]*\Z"
    ),
    unless=(
        r"\b(?:(?:por|durante) (?:un|unos|el) (?:momento|rato|instante|minutos?)|por ahora|de momento"
        r"|un (?:momento|rato|segundo|minuto)"
        r"|hoy|esta (?:noche|vez|tarde)|manana|hasta|si|pero|sino|siempre|a veces|a menudo|cada|nunca"
        r"|jamas|cuando|en casa|o (?:yo|te|me|si)"
        r"|y (?:yo|te|me|no|vamos|ya|nunca|veras|centr\w*|habl\w*|pas\w*))\b"
        rf"|\A{_OWN} .*\b{_IN}\b(?! memoria)"
        r"|\b(?:pregunte|mencione|comente|acabo de)\b"
    ),
    because=r"\s(?=(?:porque|pues|ya que|puesto que|que (?:ya no|es)\b))",
    reason=(
        r".*\b(?:ya no|no importa|importante|relevante|privad[oa]s?|personal|confidencial\w*|secret[oa]s?|sensible"
        r"|fals[oa]|incorrect[oa]|equivocad[oa]|cierto|verdad|obsolet[oa]s?|anticuad[oa]s?|broma|error|termino"
        r"|acabo|incumbe|asunto)\b"
    ),
    request=r"\b(?:por favor|porfa|gracias|quiero|quisiera|gustaria|necesito|puedes?|podrias?|podeis|usted)\b",
    beside=(
        r"(?!.*\b(?:recuerd\w*|guard\w*|anot\w*|apunt\w*|pregunt\w*|di|dime|nuev\w*|mejor)\b).*"
        r"\b(?:es|era|eso|esto|el|ella|ellos|ellas|alli|ahi)\b"
    ),
    topic=(
        rf"(?:(?:todo )?{_KNOWN} {_OF}|todo (?:sobre|acerca de|lo de)"
        rf"|(?:(?:la|el|los|las) )?{_STORED} sobre) (?P<what>.+)"
        rf"|(?:(?:la|el|los|las) )?{_STORED} (?:(?:de|del) )?(?P<thing>.+)"
    ),
    own=rf"(?:{_OWN} |(?:el|la|los|las) (?=[\w -]*\b{_OWN}\b))(?P<thing>[\w' -]+)",
    told=rf"(?:donde|quien|como|cuant[oa]s?|cuando|que|cual\w*|si|lo que)\b.*\b(?:yo|{_OWN}|{_I})\b",
    openers=r"(?:que|de que|el hecho de que|sobre|acerca de)\s",
    subjects=words("yo me nos nosotros nosotras") | frozenset(_I[3:-1].split("|")),
    owners=words("mi mis nuestro nuestra nuestros nuestras"),
    objects=words("me nos"),
    foreign=words("su sus tu tus vuestro vuestra suyo suya"),
    belonging=words("de del"),
    cues={
        **dict.fromkeys(
            ("trabajo", "profesion", "oficio"), r"\b(?:trabajo (?:de|como|en)|soy \w+)\b"
        ),
        "peso": r"\bpeso \d",
        **dict.fromkeys(("altura", "estatura"), r"\bmido \d"),
        "hijos": r"\btengo .*\bhij[oa]s?\b",
        "lugar de nacimiento": r"\bnaci en\b",
        **dict.fromkeys(("numero", "telefono"), r"\bllama(?:r|d)?me\b.*\d[\d -]{5,}"),
    },
    slots={
        **dict.fromkeys(("direccion", "domicilio"), ("address", "residence")),
        **dict.fromkeys(("donde vivo", "donde vivimos", "ciudad"), ("residence", "address")),
        **dict.fromkeys(("empresa", "donde trabajo"), ("employer",)),
        **dict.fromkeys(("trabajo", "empleo"), ("employer", "occupation", "job")),
        **dict.fromkeys(("profesion", "oficio", "a que me dedico"), ("occupation", "job")),
        **dict.fromkeys(("edad", "cuantos anos tengo"), ("age",)),
        **dict.fromkeys(("salario", "sueldo", "cuanto gano", "lo que gano"), ("salary",)),
        **dict.fromkeys(("nombre", "como me llamo"), ("name",)),
        **dict.fromkeys(("correo", "email", "correo electronico"), ("email",)),
        **dict.fromkeys(("numero", "telefono", "numero de telefono", "movil"), ("phone", "number")),
        **dict.fromkeys(("cumpleanos", "fecha de nacimiento", "cuando naci"), ("birthday",)),
    },
)
