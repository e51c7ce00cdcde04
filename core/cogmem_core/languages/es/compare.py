"""Spanish: what one statement means to another."""

from cogmem_core.languages.base import (
    AttributeRules,
    AttributionRules,
    RetellingRules,
    StatementRules,
    WordingRules,
)
from cogmem_core.languages.plain import plain_entailment, plain_reader
from cogmem_core.languages.tables import any_of, stems, words

_NUMERALS = {
    word: str(number)
    for number, word in enumerate(
        stems("dos tres cuatro cinco seis siete ocho nueve diez once doce"), start=2
    )
}

WORDING = WordingRules(
    negations=words("no nunca jamas tampoco nadie nada ningun ninguno ninguna sin ni apenas"),
    number_words=words("un una dos tres cuatro cinco seis siete ocho nueve diez once doce"),
    leaning=words("el ella ellos ellas esto eso este esta ese esa alli su sus lo"),
    first_person=words("yo me mi mis mio mia nosotros nos nuestro nuestra tu te ti tus"),
    hedging=words(
        """
        no nunca sin nadie dice dijo creo cree piensa quizas quiza tal vez probablemente
        supuestamente si pero aunque salvo como casi apenas podria deberia seria broma
        """
    ),
    narrowing=words("no nunca sin solo todo todos siempre cada apenas casi si"),
    signal_words=words(
        """
        el la los las es soy mi no con de en y que por para un una tengo tiene vivo vive trabajo
        esta estoy me gusta son su al del
        """
    ),
)


RETELLINGS = RetellingRules(
    persons=any_of(
        words(
            """
        madre padre mama papa padres hermana hermano hijo hija esposa esposo marido mujer
        pareja novia novio prometida prometido tia tio prima primo sobrina sobrino abuela abuelo nieta
        nieto suegra suegro cunada cunado amiga amigo companera companero vecina vecino colega jefa jefe
        casera casero inquilina inquilino medica medico dentista profesora profesor entrenadora
        entrenador cliente alumna alumno nina nino bebe gemela gemelo perra perro gata gato cachorro
        conejo caballo hamster loro
        """
        )
    )
    + r"(?:e?s)?",
)


_THINGS = {
    "nombre": "name",
    "apodo": "nickname",
    "cumpleanos": "birthday",
    "direccion": "address",
    "telefono": "phone",
    "numero": "phone",
    "movil": "phone",
    "correo": "email",
    "email": "email",
    "talla": "size",
    "numero de pie": "shoe size",
    "altura": "height",
    "peso": "weight",
    "sueldo": "salary",
    "salario": "salary",
    "alquiler": "rent",
    "grupo sanguineo": "blood group",
    "color favorito": "favourite colour",
    "comida favorita": "favourite food",
    "pelicula favorita": "favourite film",
    "libro favorito": "favourite book",
    "jefe": "boss",
    "jefa": "boss",
    "medico": "doctor",
    "medica": "doctor",
    "dentista": "dentist",
    "casero": "landlord",
    "profesion": "job",
    "contrasena": "password",
    "presupuesto": "budget",
}
_NOW = r"(?:(?:ahora|ya|actualmente|desde \w+) )?"


ATTRIBUTES = AttributeRules(
    frames=(
        (rf"(?:yo )?(?:vivo|vivimos|resido) {_NOW}en (?P<v>.+)", "residence"),
        (rf"(?P<s>[a-z]+) vive {_NOW}en (?P<v>.+)", "residence"),
        (rf"(?:me mude|nos mudamos|me he mudado) {_NOW}a (?P<v>.+)", "residence"),
        (rf"(?:yo )?trabajo {_NOW}(?:en|para) (?P<v>.+)", "employer"),
        (rf"(?P<s>[a-z]+) trabaja {_NOW}(?:en|para) (?P<v>.+)", "employer"),
        (rf"(?:yo )?trabajo {_NOW}(?:como|de) (?P<v>.+)", "job"),
        (rf"me llamo {_NOW}(?P<v>.+)", "name"),
        (rf"tengo {_NOW}(?P<v><age>) anos", "age"),
        (rf"(?P<s>[a-z]+) tiene {_NOW}(?P<v><age>) anos", "age"),
        (
            rf"(?:estoy|soy) {_NOW}(?P<v>casad[oa]|solter[oa]|divorciad[oa]|viud[oa])\b",
            "marital status",
        ),
        (rf"soy {_NOW}(?P<v>vegan[oa]|vegetarian[oa])\b", "diet"),
        (rf"tomo {_NOW}(?P<v><dose>)", "dose"),
        (
            rf"(?:mi|nuestr[oa]) (?:nuev[oa] )?(?P<n>{any_of(_THINGS)}) {_NOW}(?:es"
            rf"|se llama) {_NOW}(?P<v>.+)",
            "thing",
        ),
    ),
    read=plain_reader(_THINGS),
    introductions=(
        r"en realidad|bueno|pues|vale|ah|no|perdon|ahora|y|pero|correccion|por cierto"
        r"|actualmente|hoy|digo|espera|desde (?:(?:el|la) )?\w+(?: pasad[oa])?"
    ),
    value_endings=r"ahora|desde|porque|y|pero|actualmente|hoy|otra vez|aunque|no|en vez",
    value_openers="el|la|los|las|un|una|a|unos|solo|de",
    empty_values=words(
        "no nunca muy tan demasiado bien mal importante bueno buena todavia bajo alto"
    ),
    ages=words("dos tres cuatro cinco seis siete ocho nueve diez once doce"),
    dose_units="mg|mcg|g|ml|ui|pastillas?|gotas?|capsulas?",
    titles=("dr", "dra", "sr", "sra"),
)

ENTAILMENT = plain_entailment(
    dropped=words("el la los las un una ahora ya actualmente todavia realmente muy yo , aun"),
    same={
        "carro": "coche",
        "auto": "coche",
        "movil": "telefono",
        "celular": "telefono",
        "mama": "madre",
        "papa": "padre",
        "piso": "apartamento",
        "ordenador": "computadora",
        "computador": "computadora",
        "resido": "vivo",
        "bici": "bicicleta",
        "adoro": "amo",
        "peli": "pelicula",
        "doctor": "medico",
        "gafas": "lentes",
        "empleo": "trabajo",
        "esposa": "mujer",
        "esposo": "marido",
    },
    additions=words("con en desde por para cerca junto a"),
    numerals=_NUMERALS,
)

STATEMENTS = StatementRules(
    filler=words(
        """
        claro gracias favor ayuda ayudar pregunta genial perfecto entendido siento vale hola espero
        bien bueno detalles anotado saber seguro gusto
        """
    ),
    meaningful={word: word for word in words("antes contra bajo sobre sin mas fuera")},
    cardinals=_NUMERALS,
    turns=words("pero aunque mientras sino porque"),
    conjunctions=words("y"),
    dropped=words("ahora ya todavia realmente actualmente solo"),
    subjects=words("yo tu el ella nosotros mi"),
    sources=words("de desde"),
)

ATTRIBUTION = AttributionRules(
    reporting=(
        r"como (?:me )?(?:dijiste|contaste|mencionaste|has dicho)",
        r"(?:me )?(?:dijiste|contaste|mencionaste) que",
        r"por lo que (?:se|recuerdo)",
    ),
    courtesies=(r"no hay problema", r"no te preocupes", r"de nada"),
)
