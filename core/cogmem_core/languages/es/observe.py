"""Spanish: what a sentence is about, and what is to be kept out."""

from cogmem_core.languages.base import (
    DurationRules,
    EmotionRules,
    EntityRules,
    NameRules,
    SafetyRules,
    SignalRules,
    SmallTalkRules,
)
from cogmem_core.languages.foreign_injection import UNDO_ES
from cogmem_core.languages.tables import phrases, stems, words

SIGNALS = SignalRules(
    corrections=(
        r"correccion",
        r"me (?:he equivocado|equivoque)",
        r"quise decir",
        r"queria decir",
        r"no es (?:cierto|correcto|verdad)",
        r"eso no es",
        r"en realidad",
        r"mejor dicho",
        r"ya no es",
        r"estaba equivocad[oa]",
        r"no [\w' ]{1,30}, sino",
    ),
    preferences=(
        r"(?:no )?me (?:gusta|gustan|encanta|encantan|chifla|molesta|disgusta)",
        r"(?:prefiero|odio|adoro|detesto|amo)",
        r"favorit[oa]s?",
        r"preferid[oa]s?",
        r"no (?:soporto|aguanto)",
        r"soy (?:muy |un |una )?(?:fan|aficionad[oa]|amante)",
    ),
    decisions=(
        r"(?:he|hemos) decidido",
        r"decid(?:i|imos)",
        r"hemos (?:elegido|optado)",
        r"vamos a usar",
        r"a partir de (?:ahora|hoy|manana) (?:uso|voy|usamos|como|bebo|voy a)",
        r"la decision es",
        r"nos quedamos con",
        r"elegi(?:mos)?",
        r"lo haremos asi",
        r"quedamos en que",
    ),
    facts=(
        r"(?:vivo|trabajo|soy|tengo|estudio|me llamo|conduzco|hablo|toco|tomo|mido|peso|calzo"
        r"|naci|colecciono|enseño|enseno)\b",
        r"(?:vivimos|tenemos|somos|trabajamos|nos casamos)\b",
        r"(?:mi|mis|nuestr[oa]s?) (?:mujer|marido|esposa|esposo|pareja|novi[oa]|hij[oa]s?|madre"
        r"|padre|padres|herman[oa]s?|abuel[oa]|ti[oa]|perr[oa]|gat[oa]|jef[ea]|medic[oa]"
        r"|vecin[oa]|empresa|equipo|coche|casa|piso)\b",
        r"(?:mi|mis|nuestr[oa]s?) \w+ (?:\w+ )?(?:es|son|se llama|se llaman|tiene|esta|vive"
        r"|cuesta)",
        r"[a-z]+ (?:vive|trabaja|estudia|se llama|nacio) (?:en|como|de)?",
        r"(?:alergic[oa]|vegan[oa]|vegetarian[oa]|casad[oa]|divorciad[oa]|embarazada"
        r"|jubilad[oa]|diabetic[oa])",
        r"no puedo (?:comer|beber|tomar)",
        r"estoy (?:casad[oa]|embarazada|jubilad[oa]|divorciad[oa])",
    ),
    statements=(
        r"\w{2,20} (?:es|son|era|fue|esta|tiene|cuesta|dura|empieza|necesita)",
        r"hay \w",
        r"(?:porque|desde) \w",
        r"(?:mi|mis|nuestr[oa]s?) \w{2,20}",
    ),
    temporal=(
        r"hoy|ayer|manana|anteayer|anoche|ultimamente",
        r"(?:proxim|pasad|ultim|est)[oae] \w+|\w+ (?:pasad[oa]|que viene)|cada \w+",
        r"<day>",
        r"<month>",
        r"(?:19|20)\d\d",
        r"\d{1,2}:\d\d|a las? \d{1,2}",
        r"\d{1,2}[/.]\d{1,2}[/.]\d{2,4}",
        r"(?:hace|en|desde hace|dentro de) \w{1,12} (?:dia|semana|mes|ano|hora|minuto)\w{0,2}",
        r"(?:voy|vamos) a \w+",
    ),
    ambiguous_months=frozenset(),
    tag_questions=(r", (?:verdad|no|cierto|vale)",),
    injections=(
        UNDO_ES,
        r"(?:muestra|dime|revela|dame)(?:me)? (?:tu prompt|el prompt del sistema)",
        r"ahora eres (?:un |una )?(?:dan|ia sin)",
    ),
)

SMALL_TALK = SmallTalkRules(
    greetings=phrases(
        """
        hola, holi, buenas, buenos dias, buen dia, buenas tardes, buenas noches, hey, ey, que tal
        como estas, como esta, como va, como va todo, que hay, que pasa, todo bien, adios, chao,
        chau
        hasta luego, hasta manana, hasta pronto, hasta ahora, hasta la vista, nos vemos, nos
        vemos luego
        nos vemos manana, cuidate, buen fin de semana, que tengas un buen dia, que descanses
        bienvenido, bienvenida, mucho gusto, encantado, encantada, un saludo, saludos, un
        abrazo, besos
        cuanto tiempo, feliz ano
        """
    ),
    confirmations=phrases(
        """
        si, sip, claro, claro que si, por supuesto, vale, ok, okay, okey, de acuerdo, exacto,
        correcto
        eso es, asi es, perfecto entonces, no, nop, para nada, no gracias, si por favor, por favor
        esta bien, muy bien, bien, bueno, entendido, ya veo, lo entiendo, entiendo, suena bien
        me parece bien, hecho, listo, adelante, sigue, continua, dale, va, venga, cierto, es verdad
        tal vez, quizas, puede ser, no se, ni idea, tiene sentido, sin problema, seguro, trato hecho
        como quieras, me vale, ahora no, todavia no
        """
    ),
    acknowledgements=phrases(
        """
        gracias, muchas gracias, mil gracias, muchisimas gracias, gracias por todo, gracias por
        la ayuda
        gracias por tu ayuda, te lo agradezco, genial, estupendo, perfecto, excelente, fantastico
        maravilloso, increible, guay, que guay, que bien, que bueno, que pena, que lastima,
        vaya, wow
        jaja, jajaja, jeje, lol, mmm, hmm, ah, oh, aja, interesante, buena idea, buen trabajo
        muy util, muy amable, de nada, no hay de que, no hay problema, no pasa nada, no te preocupes
        perdon, perdona, lo siento, disculpa, felicidades, enhorabuena, bravo, ole, da igual, que va
        en serio, de verdad, me ayuda mucho, eso ayuda
        """
    ),
    fillers=words(
        """
        y a ti tu usted amigo amiga chicos todos pues muy mucho claude chatgpt gpt asistente
        otra vez entonces ya tio querido don
        """
    ),
)

EMOTIONS = EmotionRules(
    stems={
        "joy": stems(
            "feliz felices alegr content encant orgull ilusion maravill fantast genial emocionad"
        ),
        "anger": stems("enfad enoj furios rabia cabread molest indign harto harta odio"),
        "fear": stems("miedo susto asust terror preocup nervios panico ansied temor angusti"),
        "sadness": stems(
            """
            triste trist llor deprim solo_ sola_ soledad decepcion desesper extran destroz murio
            fallec
            """
        ),
        "surprise": stems("sorprend sorpres asombr increibl impresion"),
        "disgust": stems("asco asquer repugn repuls"),
    },
    strong_stems=frozenset(stems("furios panico terror desesper fantast destroz")),
    positive_stems=stems(
        "bien buen feliz alegr content genial encant maravill fantast orgull ilusion perfect"
    ),
    negative_stems=stems(
        """
        mal peor horrible terrible triste enfad enoj furios miedo odio asco llor preocup nervios
        decepcion harto harta ansied
        """
    ),
    denials_before=words("no nunca sin ningun ninguna tampoco nada"),
    denials_behind=("jamas",),
    endings=("cion", "mente"),
    urgent=words("urgente urgencia emergencia socorro ayuda rapido"),
    profanity=words("mierda joder cono puta gilipollas cabron"),
    grave=(
        r"(?:murio|ha muerto|fallecio) mi \w+",
        r"mi \w+ (?:murio|ha muerto|fallecio)",
        r"cancer",
        r"accidente",
        r"aborto",
        r"(?:nacio|ha nacido)",
        r"infarto",
        r"divorcio",
    ),
)

ENTITIES = EntityRules(
    title_cues=(
        r"leo|leido|leyendo|libro|novela|pelicula|serie|cancion|album|podcast|juego"
        r"|titulad[oa]"
    ),
    day_link="de",
    year_before=stems("en desde hasta de del ano"),
    units={
        "euros": "eur",
        "euro": "eur",
        "dolares": "usd",
        "pesos": "pesos",
        "kilos": "kg",
        "grados": "degrees",
    },
    plain_units=stems("horas hora minutos dias semanas meses anos metros kilometros"),
    relative_marks=("despues", "antes"),
)

NAMES = NameRules(
    tech_talk=r"codigo|program\w*|software|servidor|base de datos|app|framework|version|script",
    org_talk=r"empresa|compania|trabaj\w*|empleo|jefe|jefa|startup|entrevista|oficina|sl|sa",
    place_words=words("plaza parque estacion aeropuerto avenida puente lago playa museo calle"),
    place_beginnings=words("san santa puerto villa los las el la"),
    org_words=words("banco universidad instituto colegio seguros editorial club"),
    honorifics=words("senor senora don dona dr dra tio tia abuelo abuela"),
    given_names=words(
        """
        maria carmen ana lucia marta laura sofia elena pablo juan jose luis carlos javier miguel
        diego alejandro david manuel pedro antonio
        """
    ),
    not_names=words(
        """
        yo tu el ella nosotros mi mis me la los las un una hoy manana ayer casa coche perro gato
        mujer marido hijo hija trabajo empresa jefe cita hora semana mes dia ano cumpleanos hermano
        hermana madre padre amigo amiga telefono direccion vivo trabajo tengo soy estoy prefiero
        odio
        """
    ),
    place_before=r"\b(?:en|a|de|desde|hacia) $",
    org_before=r"\btrabaj[oa] (?:en|para) $",
)

DURATIONS = DurationRules(
    now=(
        r"ahora mismo|en este momento|hoy|esta (?:manana|tarde|noche)|justo ahora|ahorita"
        r"|de momento"
    ),
    passing_states=(
        r"(?:estoy|estamos|tengo|me duele|voy) (?:(?:muy|un poco|bastante|hoy|ahora|super"
        r"|ahora mismo) ){0,2}"
        r"(?:en|cansad[oa]|enferm[oa]|ocupad[oa]|hambre|sed|sueno|frio|calor|aburrid[oa]"
        r"|esperando|comiendo|cocinando|conduciendo"
        r"|fuera|tarde|la cabeza|dolor|fiebre|prisa|agotad[oa]|de camino|camino)"
    ),
    lasting=(
        r"desde|cada|siempre|nunca|anos?|meses|casad[oa]|embarazada|alergic[oa]"
        r"|diagnostic\w+|comprometid[oa]"
    ),
    requests_to_remember=(
        r"recuerda que|no olvides|ten en cuenta|apunta|anota|acuerdate|que sepas que"
        r"|es importante que sepas|de ahora en adelante|a partir de ahora|para que lo sepas"
        r"|en caso de emergencia"
    ),
    days=(
        r"(?<!desde )hoy|ayer|(?<!la )(?<!las )manana(?! es)|ahora mismo|en este momento"
        r"|esta semana|la semana pasada|este fin de semana|anoche|esta noche|ultimamente"
    ),
    own=(
        r"yo|mi|mis|me|nuestr\w+|nos|soy|tengo|vivo|trabajo|hablo|toco|uso|bebo|prefiero|somos"
        r"|tenemos|vivimos|estudio|conduzco|juego"
    ),
    musings=(
        r"(?:creo|pienso|espero|supongo|me pregunto|ojala|deberia|podria|me gustaria|quiza)"
        r"|estoy (?:muy |tan |super )?(?:cansad[oa]|feliz|content[oa]|enfadad[oa]|segur[oa])"
    ),
    habit_words=words("desde siempre nunca cada normalmente todos todas"),
)

SAFETY = SafetyRules(
    instructions=(),
    claims=(),
    rules=(),
    passcode_labels=r"contraseña|contrasena|clave|pin|código de acceso",
    key_kinds="clave|llave|token",
    key_nouns="api|secreta|privada|de api|de acceso",
    key_labels="token secreto",
    copulas=r"(?:es|era|fue)(?:[ \t]{1,4}ahora)?",
    label_objects="de|del|para|en|al",
    check_number_labels="código de seguridad|codigo de seguridad",
    number_labels="pedido|factura|envío|envio|seguimiento|referencia|expediente|cuenta",
    phone_labels=r"tel(?:éfono|efono)?|móvil|movil|celular|número|numero|ll[aá]m[ae]\w*|whats ?app",
    version_labels="versión|version",
)
