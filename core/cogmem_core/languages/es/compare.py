"""Spanish: what one statement means to another."""

from cogmem_core.languages.base import (
    AttributeRules,
    AttributionRules,
    ContradictionRules,
    RetellingRules,
    RevisionRules,
    SlotRules,
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
    time_adverbs=words(
        "ahora ya hoy actualmente todavia aun mas realmente muy solo ultimamente recientemente"
    ),
    number_words=words("un una dos tres cuatro cinco seis siete ocho nueve diez once doce"),
    countries=words(
        """
        espana francia italia portugal alemania inglaterra mexico argentina chile colombia peru
        venezuela ecuador uruguay bolivia cuba brasil japon china india canada eeuu suiza polonia
        """
    ),
    leaning=words("el ella ellos ellas esto eso este esta ese esa alli su sus lo"),
    first_person=words("yo me mi mis mio mia nosotros nos nuestro nuestra tu te ti tus"),
    hedging=words(
        """
        no nunca sin nadie dice dijo creo cree piensa quizas quiza tal vez probablemente
        supuestamente si pero aunque salvo como casi apenas podria deberia seria broma
        """
    ),
    narrowing=words("no nunca sin solo todo todos siempre cada apenas casi si"),
    auxiliaries=words("soy es son era he ha han yo"),
    signal_words=words(
        """
        el la los las es soy mi no con de en y que por para un una tengo tiene vivo vive trabajo
        esta estoy me gusta son su al del
        """
    ),
)

CONTRADICTIONS = ContradictionRules(
    wishes=(r"\b(?:ojala|(?:me|nos) gustaria|preferiria)\b"),
    correction_cues=(
        r"correccion|quise decir|queria decir|me equivoque|me he equivocado|estaba equivocad[oa]"
        r"|en realidad|ya no|no es cierto|no es correcto|en vez de|en lugar de|mejor dicho|de hecho"
    ),
    correction_openers="no|perdon|perdona|espera|ojo",
    contrast=r",\s?(?:y )?no\s",
    meant=r"quise decir|queria decir|digo",
    cue_words=words("realidad correccion perdon no espera digo"),
    articles=words("el la los las un una unos unas lo"),
    subject_openers=words("ahora ya actualmente"),
    went_over=(
        r"\b(?:nos pasamos|me pase|(?:nos )?cambiamos|me cambie|migramos)\s(?:todo\s)?a\s(?P<a>\S)"
    ),
    own_subjects=r"yo|nosotros|user|soy|vivo|trabajo|tengo|estoy|prefiero|uso|bebo|como|deje|he"
    r"|cancele|vendi|vendimos|renuncie|abandone|anule",
    owners="mi|mis|nuestro|nuestra|nuestros|nuestras",
    stopped=(r"\b(?:ya no|deje de|he dejado de|dejamos de)\s(?P<a>[\w' -]{2,60}?)(?:[.,;!]|$)"),
    stop_cue=r"\bya no\b|\bdeje de\b|\bhe dejado de\b",
    given_up=r"\b(?:deje|cancele|vendi|renuncie)\b",
    states=r"\b(?:es|son|tiene|cuesta|pesa|dura)\s",
    events=r"\b(?:cita|reunion|llamada|vuelo|capitulo|episodio)\w*\b|\ba las? \d",
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

REVISIONS = RevisionRules(
    harmless=words("con como porque pues desde cerca"),
    unmeant=(
        r"\b(?:(?:es|era|fue|de|en|una) broma|bromeo|bromeando|es mentira|inocentada|no en serio|me lo invente"
        r"|sone que)\b|(?:^|[.!?;] )\W{0,3}en (?:el|la|mi|una?|est[ea]|nuestr[oa]) (?:\w+ )?(?:libro|cuento"
        r"|historia|obra de teatro"
        r"|\w*juego|pelicula|serie|sueno|relato|novela|cancion)\b|^\W{0,3}(?:por )?ejemplo ?[:,]"
    ),
    games=(
        r"(?:^|[.!?:;,\u00a1] ?)\W?(?:imagina(?:te)?|imaginemos|supon(?:gamos|te)?|finge|finjamos|digamos"
        r"|hagamos como|juguemos)\b|\b(?:juego de rol|fictici\w+|hipotetic\w+|mi (?:novela|guion|personaje|cuento))\b"
    ),
    unreal=(
        r"\b(?:si|ojala|quizas?|tal vez|a lo mejor|podria|podriamos|gustaria|me encantaria"
        r"|quiero|queremos|quisiera"
        r"|planeo|pienso|espero|voy a|vamos a|ire|sone|soñe|suen[oa]|imagina|imaginate|supon"
        r"|suponte|antes|de nino|de nina"
        r"|cuando era|hasta (?:19|20)\d\d|en (?:19|20)\d\d|desde (?:19|20)\d\d|hace \w+ (?:anos"
        r"|meses|semanas)|una vez"
        r"|dice|dijo|cree|piensa que|segun|cuenta|personaje|novela|cancion|pelicula|broma"
        r"|traduce|ejemplo|casi|pense)\b"
    ),
    now=(
        r"\b(?:a partir de (?:ahora|hoy)|ahora|ya|actualmente|hoy en dia|ultimamente"
        r"|desde (?:ayer|hoy|el \w+|hace poco)"
        r"|nuev[oa]s?|por fin|al final)\b"
    ),
    openers=(
        r"por cierto|en realidad|bueno|pues|vale|oye|ah|ey|actualizacion|buenas noticias"
        r"|malas noticias|resulta que|que sepas que|mira"
    ),
    denies_that=r"no es (?:cierto|verdad) que\s|es falso que\s",
    called_off=(
        r"\b(?:esta|estan|fue|fueron|ha sido)\s(?:cancelad[oa]s?|anulad[oa]s?"
        r"|suspendid[oa]s?)(?=\W*$|\W*[,.;])|\bse (?:cancelo|suspendio|anulo)(?=\W*$)"
    ),
    nationality=(
        r"(?:espanol|frances|italian|alem|ingles|mexican|argentin|chilen|colombian"
        r"|peruan|portugues|brasilen)\w*"
    ),
    newness=words("nuevo nueva nuevos nuevas"),
    remarks=words(
        """
        estresante aburrido divertido duro dificil facil genial horrible increible malo mala bueno
        buena bien mal lento rapido tranquilo caro cara barato barata roto rota lleno llena vacio
        cansado enfermo feliz triste tarde temprano importante amable simpatico simpatica bajo baja
        alto alta pequeno pequena grande viejo vieja frio caliente ridiculo desastre
        """
    ),
    remark_openers=words("muy demasiado tan bastante siempre todavia como"),
    degrees=words("muy demasiado tan bastante algo siempre un una poco mas"),
    directions=words("de desde a hacia antes despues sin"),
    prepositions=words("de en para con por a sobre desde hasta sin entre como del al"),
    changed=(
        r"\b(?:me mude|nos mudamos|cambie|ha cambiado|cambio|se ha movido|se movio|aplazad[oa]"
        r"|adelantad[oa]|pospuest[oa]"
        r"|subio|bajo|ascendid[oa]|renombrad[oa])\b"
    ),
    besides=r"\b(?:tambien|ademas|otr[oa]s?|segund[oa]|adicional|no solo|ambos)\b",
    linking=words(
        """
        es son soy esta estan cuesta cuestan pesa peso dura empieza termina tiene vivo vive
        trabajo trabaja llama calzo tomo gano pago
        """
    ),
    single=words(
        "vivo vive vivimos trabajo trabaja peso pesa calzo pago gano estudio conduzco prefiero"
    ),
    copulas=words("es son soy"),
    partial=words("mucho muchos siempre todo todos solo normalmente muy tan cada"),
    named_wrong=r"(?:\bno|\ben vez de|\ben lugar de)\s(?P<a>[\w.:' -]{1,40}?)(?:[,.;!]|\ssino\b|$)",
    past=r"\bantes\b",
    turns="pero|sino",
    favourite=words("favorito favorita preferido preferida favoritos favoritas"),
    several=words(
        """
        hermano hermana hijo hija primo prima amigo amiga tio tia vecino vecina companero companera
        sobrino sobrina nieto nieta gato perro mascota alumno cliente
        """
    ),
    qualifiers=(
        words("manana tarde noche mediodia desayuno comida cena"),
        words("lunes martes miercoles jueves viernes sabado domingo sabados domingos finde"),
        words("primavera verano otono invierno"),
        words("casa trabajo oficina escuela viaje vacaciones"),
        words("izquierda derecha arriba abajo primera segunda antigua"),
        words("ida vuelta"),
    ),
    ended=(
        r"\b(?:cancele|he cancelado|vendi|he vendido|vendimos|deje|he dejado|termine con"
        r"|renuncie a|abandone|me di de baja de|anule)\s"
        r"(?:(?:mi|mis|nuestr[oa]|el|la|los|las|de|con|a"
        r"|en)\s)*(?P<a>[\w' -]{2,40}?)(?:\s(?:ayer|hoy|en|y|porque|por|hace)\b|[,.;!]|$)"
    ),
    set_to=(
        r"\b(?:subi(?:o|do|eron)|baj(?:o|ado|aron)|aument(?:o|ado|aron)|cambi(?:o|ado|aron|amos)|pas(?:o|ado|aron)"
        r"|movi(?:o|do|eron)|aplaz(?:o|ado|aron)|adelant(?:o|ado|aron)|reduj\w+|reducido)\b"
        r"|\b(?P<now>ahora (?:es|son|cuesta)|(?:es|son|cuesta) ahora)\b"
    ),
    toward=words("a al para"),
    given_up=(
        r"(?:ya no|en vez de|en lugar de|de baja|antes|(?<!no )(?<!nunca )(?:"
        r"deje|he dejado|dejamos|vendi|he vendido|vendimos|cancele|anule|renuncie|abandone"
        r"|se acabo|terminado|termine|cambie de|cambiamos|reemplac\w+|sustitu\w+|me mude de|divorci\w+"
        r"|murio|vuelto a|volvi a))\b"
    ),
    for_the_day=r"por hoy|por esta (?:tarde|noche)",
    provided=words("con sin para cuando si bajo"),
    begun=(
        r"desde (?:(?:el|la) )?(?!hace)\w+(?: pasad[oa])?"
        r"|(?:desde )?hace \w+ (?:dias?|semanas?|mes(?:es)?|anos?)(?: que)?"
    ),
    doing=r"^(?:de )?\w+(?:ar|er|ir)\b",
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

SLOTS = SlotRules(
    homes=(
        r"(?<!no )(?<!nos )\b(?:vivo|vivimos|resido)\b(?! de\b)"
        r"|\b(?:me mude|nos mudamos|me he mudado|nos hemos mudado)\b"
    ),
    places="en|a",
    joints="y|pero|porque|pues|(?:asi|ya) que|donde",
    further="y",
    beginning=(
        r"\b(?:empece|he empezado|comence)\s(?:a\strabajar\s)?en\s(?P<a>\S)"
        r"|\b(?:primer|segundo)\sdia\sen\s(?P<b>\S)"
        r"|\bme\shan\scontratado\sen\s(?P<c>\S)"
    ),
    working=r"\btrabajo\s(?:\w+\s)?para\s(?P<a>\S)",
    offered=r"\bempiezo\s(?:a\strabajar\s)?en\s(?P<a>\S)",
    leaving=r"\b(?:deje|he\sdejado|me\sfui\sde|renuncie\sa)\s(?P<a>\S)",
    subjects="empece|he|comence|yo|me|trabajo|empiezo|deje|renuncie",
    others=r"\b(?:verano|invierno|fines?\sde\ssemana|vacaciones)\b",
)

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
