"""Spanish: what a reminder waits for."""

from cogmem_core.languages.base import TriggerRules
from cogmem_core.languages.tables import words

_WHO = r"(?P<who>(?:el |la |los |las |un |una |mi |nuestro |nuestra )?[\w'-]+)"
_ABOUT = r"(?:del|de|sobre|acerca de)(?: la| los| las| el)? "

TRIGGERS = TriggerRules(
    openers=(
        r"(?:recuerdame(?:lo)? )?(?:cuando|si|en cuanto|tan pronto como|una vez que|despues de que|cada vez que"
        r"|la proxima vez que) "
    ),
    topics=(
        rf"(?:{_WHO} )?(?:me |nos |se )?(?:habl\w+|cuent\w+|charl\w+|quej\w+|escrib\w+) {_ABOUT}(?P<topic>.+)",
        rf"(?:{_WHO} )?(?:me |nos )?(?:mencion\w+|saqu\w+|comen\w+) (?:el |la |los |las )?(?P<topic>.+)",
        r"(?:salga|sale|surja) (?:el tema de(?:l)? )?(?:la |los |las |el )?(?P<topic>.+)",
    ),
    asks=(
        rf"{_WHO} (?:me |nos )?pregunt\w+ (?:por|sobre|acerca de)(?: el| la| los| las)? (?P<topic>.+)",
        rf"{_WHO} (?:tenga|tiene) (?:una |alguna )?(?:pregunta|duda)s? (?:sobre|de) (?P<topic>.+)",
        rf"{_WHO} quier\w+ saber (?P<topic>.+)",
    ),
    anybody=words(
        """
        yo tú nosotros usted ustedes él ella ellos ellas alguien cualquiera me te nos se lo la le un una el los las mi
        nuestro cliente clienta gente persona
        """
    ),
    unreal=(
        r"\b(?:si|cuando|quizas?|tal vez|acaso|podria|podrian|puede|deberia|quiere|quiero|quieren|va a|van a|voy a"
        r"|ojala|espero|espera|esperando|esperamos|antes|hasta|casi|seguramente|probablemente|piensa|planea|tiene que"
        r"|tengo que|estara|estaran|sera|dice que)\b"
    ),
    undone=(
        r"\b(?:no|nunca|jamas|nadie|ningun|ninguna|todavia no|aun no|sin|tampoco|apenas|ojala|estara|sera|podria"
        r"|quizas?|tal vez)\b"
    ),
    denials=words("nunca jamas"),
    asking=(
        r"\b(?:podria|podrias|puede decirme|puedes decirme|quisiera|querria|me gustaria|necesito|busco|por favor|digame"
        r"|dime)\b"
    ),
    light=words(
        """
        es está están esté estén sea sean ha han he era fue ser estar haber acaba
        de ahora ya por fin hoy ayer aquí allí otra vez hace momento
        va viene hacer hago hizo
        """
    ),
    same=(
        words("llame llama llamó llamado llamar llamando telefonea teléfono"),
        words("llegue llega llegó llegado llegar entregado entregaron recibido recibí"),
        words(
            "rompa rompe rompió roto rota romper estropea estropee estropeó estropeado estropeada avería averiado"
        ),
        words("terminado terminada termine termina terminó terminé acabado acabé listo lista"),
        words("paquete envío pedido"),
        words("apague apaga apagó apagado apagada"),
        words("firme firma firmó firmado"),
        words("compre compra compró comprado"),
        words("gane gana ganó ganado"),
        words("llueva llueve llovió lluvia"),
        words("enfermo enferma malo mala fiebre"),
        words("madre mamá"),
        words("padre papá"),
        words("coche carro auto"),
        words("médico médica doctor doctora"),
        words("precio precios cuesta cuestan costo coste"),
    ),
    opposites=(
        (
            words("rompa rompe rompió roto rota estropea estropee estropeó"),
            words("funciona arreglado arreglada anda"),
        ),
        (words("llegue llega llegó llegado"), words("enviado envié salido mandado")),
        (words("abra abre abrió abierto"), words("cierra cierre cerró cerrado")),
        (words("apague apaga apagó apagado"), words("enciende encendió encendido funciona")),
        (words("gane gana ganó ganado"), words("pierde perdió perdido")),
        (words("terminado termine terminó"), words("empezado empieza empezó")),
    ),
    paraphrase=("El coche no arranca.", "Se me ha averiado el vehículo."),
    ordinary=(
        "Buenos días, ¿cómo estás?",
        "Comí sopa al mediodía.",
        "La reunión se ha pasado al jueves.",
        "¿Me ayudas con una carta?",
        "Mi hermano toca la guitarra.",
        "Pintamos la cocina de amarillo.",
    ),
)
