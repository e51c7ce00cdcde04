"""German: what a reminder waits for."""

from cogmem_core.languages.base import TriggerRules
from cogmem_core.languages.tables import words

_WHO = r"(?P<who>(?:der |die |das |ein |eine |mein |meine |unser |unsere )?[\w'-]+)"
_ABOUT = r"(?:uber|von|vom)(?: d(?:en|as|ie|er|em))? "

TRIGGERS = TriggerRules(
    openers=(
        r"(?:erinner\w* mich(?: daran)?,? )?(?:wenn|sobald|falls|sowie|nachdem|immer wenn|jedes mal,? wenn"
        r"|das nachste mal,? wenn) "
    ),
    topics=(
        rf"{_WHO} {_ABOUT}(?P<topic>.+?) (?:sprech\w*|spricht|red\w*|erzahl\w*|klag\w*|schreib\w*)",
        rf"{_WHO} (?:sprech\w*|spricht|red\w*|erzahl\w*) {_ABOUT}(?P<topic>.+)",
        rf"{_WHO} (?:den |die |das )?(?P<topic>.+?) (?:erwahn\w*|anspr\w+|zur sprache bring\w+)",
        r"(?P<topic>.+?) (?:zur sprache|zum thema|aufs? tapet) (?:komm\w*|wird|ist)",
        r"(?P<topic>.+?) (?:erwahnt|angesprochen|besprochen) (?:wird|werden)",
        r"es um (?P<topic>.+?) geht",
    ),
    asks=(
        rf"{_WHO} (?:mich |uns )?nach (?:de[mnr] )?(?P<topic>.+?) (?:fragt|fragen|erkundigt)",
        rf"{_WHO} (?:eine? )?fragen? (?:zu|uber|wegen) (?P<topic>.+?) (?:hat|haben|stellt|stellen)",
        rf"{_WHO} wissen (?:will|mochte),? (?P<topic>.+)",
    ),
    anybody=words(
        """
        ich wir du ihr er sie es man jemand irgendjemand einer eine ein mich mir dich dir uns euch ihm ihn ihnen der die
        das den dem mein meine unser unsere kunde kundin leute person
        """
    ),
    unreal=(
        r"\b(?:wenn|falls|ob|wurde|wurden|konnte|konnten|konnt|soll|sollte|sollen|will|wollen|wollte|mochte|muss"
        r"|mussen|vielleicht|wahrscheinlich|wohl|hoffentlich|hoffe|hofft|bald|warte|wartet|warten|erwarte|plant|plane"
        r"|bevor|bis|fast|beinahe|angenommen|kann|darf|sag|sagt|traumte)\b"
    ),
    undone=(
        r"\b(?:nicht|nie|niemals|kein|keine|keinen|keinem|keiner|niemand|noch nicht|ohne|weder|kaum|will|wird|werden"
        r"|konnte|konnten|wurde|wurden|vielleicht|hoffentlich)\b"
    ),
    denials=words("nicht kein keine keinen niemand"),
    asking=(
        r"\b(?:konnten sie|konntest du|konnen sie|kannst du|hatte gern|hatten gern|mochte|brauche|bitte|wusste gern"
        r"|sag mir|sagen sie mir|suche)\b"
    ),
    light=words(
        """
        ist sind war waren hat haben habe hatte sein werden wird gerade eben jetzt endlich wieder heute gestern da hier
        komm kommt kommen kam macht machen tut geht gehen an aus auf schon nun
        """
    ),
    same=(
        words(
            "anruft anrufen angerufen ruft rief telefoniert telefoniere telefon klingelt meldet gemeldet"
        ),
        words(
            "ankommt ankommen angekommen kommt kam eingetroffen eintrifft geliefert zugestellt da"
        ),
        words(
            "kaputtgeht kaputt kaputtgegangen defekt ausfällt ausgefallen ausfallen fiel fällt streikt"
        ),
        words("fertig abgeschlossen beendet erledigt geschafft"),
        words("päckchen paket sendung lieferung"),
        words("bestellt bestellung"),
        words("verlässt verlassen weg gegangen"),
        words("gewinnt gewonnen gewann"),
        words("unterschreibt unterschrieben unterzeichnet"),
        words("kauft gekauft kaufte"),
        words("regnet geregnet regen"),
        words("krank erkältet fieber"),
        words("mutter mama mutti"),
        words("vater papa vati"),
        words("auto wagen"),
        words("arzt ärztin doktor"),
        words("preis preise preisen kosten kostet"),
    ),
    opposites=(
        (
            words("kaputtgeht kaputt ausfällt ausgefallen ausfallen"),
            words("läuft funktioniert geht repariert"),
        ),
        (words("ankommt ankommen angekommen da"), words("abgeschickt verschickt bestellt weg")),
        (words("öffnet offen geöffnet aufmacht"), words("schließt zu geschlossen zumacht")),
        (words("fertig beendet"), words("angefangen begonnen beginnt")),
        (words("an"), words("aus")),
        (words("gewinnt gewonnen"), words("verliert verloren")),
    ),
    paraphrase=("Das Auto springt nicht an.", "Mein Wagen ist kaputt."),
    ordinary=(
        "Guten Morgen, wie geht es dir?",
        "Zum Mittag gab es Suppe.",
        "Die Sitzung wurde auf Donnerstag verlegt.",
        "Kannst du mir bei einem Brief helfen?",
        "Mein Bruder spielt Gitarre.",
        "Wir haben die Küche gelb gestrichen.",
    ),
)
