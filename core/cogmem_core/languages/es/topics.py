"""Spanish, folded: what people are asked about themselves, and in which words they tell it."""

from cogmem_core.languages.base import Topic

_MY = r"(?:mis?|nuestr[oa]s?)"
_ABOUT = (
    r"\b(?:de|sobre|en|quien(?:es)? (?:es|son|forman)|como (?:esta|estan|va|se llaman)) "
    rf"{_MY} "
)
_SOME = r"\b(?:tengo|tenemos|adopte|adoptamos) (?:una?|dos|tres|cuatro) (?:\w+ )?"
_KIN = (
    r"(?:madre|padre|mama|papa|padres|herman[oa]s?|hij[oa]s?|espos[oa]|marido|mujer|pareja|novi[oa]"
    r"|prometid[oa]|ti[oa]s?|prim[oa]s?|sobrin[oa]s?|abuel[oa]s?|niet[oa]s?|suegr[oa]s?|cunad[oa]s?"
    r"|bebe|gemel[oa]s)"
)
_PET = (
    r"(?:perr[oa]s?|gat[oa]s?|cachorr[oa]s?|gatit[oa]s?|perrit[oa]s?|conejos?|caballos?|hamsters?"
    r"|loros?|tortugas?)"
)
_AILMENT = r"(?:asma|diabetes|migranas?|epilepsia|hipertension|ansiedad|depresion|cancer|alergia|\w{3,}itis)"
TOPICS = {
    "family": Topic(
        asks=(
            rf"{_ABOUT}(?:familia|familiares|parientes)\b"
            r"|\b(?:tengo|tenemos) (?:familia|familiares|parientes)\b"
        ),
        tells=(
            rf"\b{_MY} (?:\w+ )?{_KIN}\b",
            rf"{_SOME}{_KIN}\b",
            r"\b(?:estoy|soy|estamos) (?:casad[oa]s?|divorciad[oa]s?|viud[oa]|prometid[oa]s?)\b",
        ),
    ),
    "pets": Topic(
        asks=(
            rf"{_ABOUT}(?:mascotas?|animales)\b|\bmascotas? (?:tengo|tenemos)\b"
            r"|\b(?:tengo|tenemos) (?:alguna )?mascotas?\b"
        ),
        tells=(rf"\b{_MY} (?:\w+ )?{_PET}\b", rf"{_SOME}{_PET}\b"),
    ),
    "health": Topic(
        asks=rf"{_ABOUT}(?:salud|enfermedades)\b|\bque (?:enfermedades|problemas de salud) tengo\b",
        tells=(
            r"\b(?:soy|estoy) (?:alergic[oa]|diabetic[oa]|asmatic[oa]|celiac[oa]|intolerante)\b",
            r"\b(?:tomo|me inyecto) (?:\w+ ){0,3}?\d[\d.,]* ?(?:mg|mcg|ml|unidades)\b",
            rf"\b(?:tengo|padezco(?: de)?|sufro de) {_AILMENT}\b",
            rf"\bmi (?:tension|presion arterial|azucar|colesterol|grupo sanguineo|{_AILMENT})\b",
            r"\bme (?:diagnosticaron|operaron|han operado|han diagnosticado)\b",
        ),
    ),
    "occupation": Topic(
        asks=(
            r"\bcual es mi (?:\w+ )?(?:trabajo|profesion|oficio|puesto)\b|\ba que me dedico\b"
            r"|\b(?:en|de) que trabajo\b|\bque trabajo tengo\b"
        ),
        tells=(
            r"\b(?:trabajo|trabajamos) (?:ahora |desde \w+ )?(?:como|de|en|para)\b|\bme dedico a\b",
            r"\bmi (?:trabajo|profesion|oficio) es\b|\bdoy clases? de\b",
            r"\bsoy (?:ahora )?(?:una? )?(?:\w*(?:ologo|ologa|ista|iero|iera|ero|era|tora?|sora?|cina|cino)"
            r"|medic[oa]|abogad[oa]|arquitect[oa]|policia|estudiante|autonom[oa]|jubilad[oa]|jefe|jefa)\b",
        ),
    ),
}
