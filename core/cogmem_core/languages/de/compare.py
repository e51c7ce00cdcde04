"""German: what one statement means to another."""

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
        stems("zwei drei vier funf sechs sieben acht neun zehn elf zwolf"), start=2
    )
}

WORDING = WordingRules(
    negations=words(
        """
        nicht nein nie niemals kein keine keinen keinem keiner keines nichts niemand ohne kaum weder
        """
    ),
    time_adverbs=words(
        """
        jetzt nun derzeit momentan aktuell heute noch mehr schon inzwischen mittlerweile neuerdings
        gerade eigentlich wirklich sehr nur einfach
        """
    ),
    number_words=words("ein eine zwei drei vier funf sechs sieben acht neun zehn elf zwolf"),
    countries=words(
        """
        deutschland osterreich schweiz frankreich spanien italien portugal polen niederlande belgien
        england schottland irland danemark schweden norwegen finnland griechenland turkei usa kanada
        japan china indien brasilien mexiko
        """
    ),
    leaning=words("er sie es das dies dieser diese dieses dort da sein seine ihr ihre"),
    first_person=words(
        """
        ich mich mir mein meine meinen meinem meiner meines wir uns unser unsere unseren du dich dir
        dein deine
        """
    ),
    hedging=words(
        """
        nicht nie kein keine ohne sagt sagte meint meinte glaube glaubt denke denkt vielleicht
        wahrscheinlich vermutlich angeblich wohl wenn falls aber obwohl statt als ob fast kaum
        konnte
        wurde sollte hatte ware
        """
    ),
    narrowing=words("nicht nie kein keine ohne nur alle immer jeder kaum selten wenn falls"),
    auxiliaries=words("bin ist sind war habe hat haben ich"),
    signal_words=words(
        """
        der die das und ist bin ich mein meine nicht kein keine mit bei von zu im am auf hat habe
        wir sie er es ein eine einen sind war wird
        """
    ),
)

_LINKING = words(
    """
    ist sind bin heist heise kostet kosten wiegt wiege dauert beginnt startet endet lautet betragt
    liegt hat braucht wohnt wohne arbeite arbeitet lebe lebt fahre nehme trage
    """
)

CONTRADICTIONS = ContradictionRules(
    wishes=(r"\b(?:am liebsten|wunschte|hoffe|hoffentlich)\b"),
    correction_cues=(
        r"korrektur|ich meinte|ich meine|ich habe mich (?:geirrt|vertan)|hab mich (?:geirrt|vertan)"
        r"|das war falsch|das stimmt nicht|stimmt nicht mehr|in wirklichkeit|doch nicht|nicht mehr"
        r"|muss(?:te)? (?:eigentlich )?heis?sen|statt|anstatt|vielmehr|eigentlich|mein fehler"
    ),
    correction_openers="nein|sorry|quatsch|moment|halt|stopp|entschuldigung|ach nein",
    contrast=r",\s?(?:und )?nicht\s",
    meant=r"ich mein(?:t)?e",
    cue_words=words("eigentlich korrektur sorry nein moment meinte ubrigens"),
    articles=words("der die das den dem des ein eine einen einem einer"),
    subject_openers=words("eigentlich jetzt ubrigens inzwischen mittlerweile"),
    went_over=(
        r"\b(?:sind|bin|haben)\s(?:\w+\s){0,3}?(?:zu|auf)\s(?P<a>\S+)\s(?:gewechselt|umgestiegen)"
        r"|\b(?:wechselten|wechselte)\s(?:zu|auf)\s(?P<b>\S)"
    ),
    own_subjects="ich|wir|user|habe|hab|haben",
    inverted="ich|wir",
    owners=r"mein|meine|meinen|meinem|meiner|unser|unsere|unseren|unserem",
    stopped=(
        r"\b(?:rauche|trinke|esse|nehme|nutze|benutze|mache|spiele|fahre|arbeite|wohne|gehe)\s"
        r"(?P<a>[\w' -]{0,40}?)\s?(?:nicht|kein\w*)\s(?:[\w' -]{0,30}\s)?mehr\b"
    ),
    stop_cue=r"\bnicht mehr\b|\bkeine? (?:[\w-]+ )?mehr\b|\baufgehort\b|\baufgegeben\b",
    given_up=r"\b(?:aufgehort|aufgegeben|gekundigt|verkauft|abgemeldet)\b",
    states=r"\b(?:ist|sind|hat|kostet|wiegt|braucht|dauert)\s",
    events=r"\b(?:termin|treffen|anruf|meeting|flug|folge|kapitel)\w*\b|\bum \d",
)

RETELLINGS = RetellingRules(
    persons=any_of(
        words(
            """
        mutter vater mama papa eltern schwester bruder geschwister sohn tochter frau mann
        ehefrau ehemann partner partnerin freundin freund verlobte verlobter tante onkel cousin cousine
        neffe nichte oma opa grosmutter grosvater groseltern enkel enkelin schwiegermutter
        schwiegervater schwager schwagerin mitbewohner mitbewohnerin nachbar nachbarin kollege kollegin
        chef chefin vermieter vermieterin mieter arzt arztin zahnarzt zahnarztin lehrer lehrerin trainer
        trainerin kunde kundin schuler schulerin kind baby zwilling hund katze kater welpe kaninchen
        pferd hamster papagei
        """
        )
    )
    + r"(?:e?s|e?n|er)?",
)

REVISIONS = RevisionRules(
    harmless=words("mit nahe als weil da denn deshalb"),
    unmeant=(
        r"\b(?:(?:nur|war|doch|kleiner|ein) (?:ein )?(?:scherz|spa(?:ss|s)|witz|test|traum)|scherzhaft|scherz(?=\W*$)"
        r"|spa(?:ss|s) beiseite|im spa(?:ss|s)|(?:nicht wirklich|gelogen|erfunden)(?=\W*$)|reingelegt|veralber\w*"
        r"|verarscht|april,? april|aprilscherz|getraumt,? dass)\b|^\W{0,3}(?:zum|als|nur ein) beispiel ?[:,]"
        r"|(?:^|[.!?;] )\W{0,3}(?:im|in (?:d\w+|[ms]?ein\w*|unser\w*)) (?:\w+ ){0,2}(?:buch|\w*roman|krimi"
        r"|\w*geschichte|\w*stuck|\w*spiel|film|serie|traum|marchen|comic|lied)\b"
    ),
    games=(
        r"(?:^|[.!?:;,] |\bmal )\W?(?:stell dir vor|angenommen|gesetzt den fall|tu(?:n wir)? so,? als|hypothetisch)\b"
        r"|\b(?:rollenspiel(?=[:,.]| machen| spielen)|so tun,? als|fiktiv\w*|mein\w* (?:roman|krimi|drehbuch|figur)"
        r"|lasst? uns (?:\w+ )*(?:so tun|rollen\w*|spiel spielen|spielen,? (?:dass|du|ich|wir)))\b"
    ),
    unreal=(
        r"\b(?:wenn|falls|ware|waren|wurde|wurden|hatte gern|konnte|konnten|vielleicht|eventuell"
        r"|wahrscheinlich|vermutlich|angeblich|traum\w*|getraumt|stell dir vor|wunschte|hoffe"
        r"|hoffentlich"
        r"|uberlege|plane|vorhabe|mochte|will|wollte|werde|wird|werden|fruher|damals|als kind"
        r"|bis (?:19|20)\d\d"
        r"|in (?:19|20)\d\d|seit (?:19|20)\d\d|vor \w+ (?:jahren|monaten|wochen)|einmal|sagt"
        r"|sagte|meint|meinte"
        r"|erzahlt|erzahlte|behauptet|schreibt|laut|figur|roman|lied|film|scherz|witz|ubersetze"
        r"|beispiel"
        r"|angenommen|fast|beinahe|dachte|soll)\b"
    ),
    now=(
        r"\b(?:ab jetzt|jetzt|nun|inzwischen|mittlerweile|neuerdings|aktuell|derzeit|ab sofort"
        r"|seit (?:gestern"
        r"|heute|kurzem|neuestem|letzter woche|montag)|neue?[nrs]?|endlich|nicht mehr)\b"
    ),
    openers=(
        r"ubrigens|eigentlich|also|na ja|naja|ok|okay|ach|oh|hey|update|kurzes update|neuigkeiten"
        r"|gute nachrichten|schlechte nachrichten|apropos|nebenbei|zur info|nur zur info"
        r"|stell dir vor"
    ),
    denies_that=r"(?:es|das) (?:stimmt nicht|ist nicht wahr|ist falsch),? dass\s",
    called_off=(
        r"\b(?:ist|sind|wurde|wurden)\s(?:abgesagt|storniert|gestrichen|ausgefallen"
        r"|vorbei)(?=\W*$|\W*[,.;])|\bfallt aus(?=\W*$)"
    ),
    nationality=(
        r"(?:deutsche?r?|osterreicher(?:in)?|schweizer(?:in)?|franzosisch|italienisch"
        r"|spanisch|\w+isch|\w+er(?:in))"
    ),
    newness=words("neu neue neuen neuer neues"),
    remarks=words(
        """
        stressig langweilig lustig schwer schwierig leicht toll super schlecht gut gro artig
        furchtbar
        schon hasslich laut leise teuer billig kaputt leer voll mude krank gesund glucklich traurig
        fertig spat fruh anstrengend nervig wichtig streng nett freundlich chaotisch katastrophe
        perfekt klein gros alt neu kalt warm heis egal offen geschlossen weg da
        """
    ),
    remark_openers=words("noch immer wieder total vollig echt ganz ziemlich so wie"),
    degrees=words("sehr zu so ganz ziemlich echt total recht immer oft ein eine etwas"),
    directions=words("von aus nach vor ohne zu"),
    prepositions=words(
        "von fur in bei mit auf an zu um uber vor nach ohne unter als aus am im beim zum zur ins seit"
    ),
    changed=(
        r"\b(?:(?:um)?gezogen|gewechselt|geandert|verschoben|verlegt|vorgezogen|erhoht|gesenkt"
        r"|umgestellt"
        r"|umgestiegen|befordert|verlangert|umbenannt|geworden)\b"
    ),
    besides=(
        r"\b(?:auch|ausserdem|auserdem|zusatzlich|noch ein\w*|ebenfalls|nebenbei"
        r"|zweite[nrs]?|sowohl|nicht nur|und)\b"
    ),
    linking=_LINKING,
    single=words(
        """
        wohne wohnt wohnen lebe lebt arbeite arbeitet wiege wiegt zahle fahre studiere lerne heise
        heist nehme bevorzuge
        """
    ),
    copulas=words("ist sind bin heist heise lautet"),
    partial=words("viel viele immer jeden jede oft meistens nur genug wirklich sehr so zu"),
    named_wrong=r"(?:\bnicht|\bstatt|\banstatt)\s(?P<a>[\w.:' -]{1,40}?)(?:[,.;!]|\ssondern\b|$)",
    past=r"\bfruher\b",
    turns="aber|sondern",
    favourite=words(
        """
        lieblingsfarbe lieblingsessen lieblingsgetrank lieblingsfilm lieblingsbuch lieblingsband
        lieblingsserie lieblingsmusik lieblingssport lieblingstier liebster liebste liebstes
        """
    ),
    several=words(
        """
        bruder schwester sohn tochter cousin cousine freund freundin onkel tante nachbar nachbarin
        kollege kollegin neffe nichte kind katze hund haustier enkel enkelin schuler kunde
        """
    ),
    qualifiers=(
        words("morgens abends mittags nachts nachmittags vormittags morgen abend mittag nacht"),
        words("montag dienstag mittwoch donnerstag freitag samstag sonntag werktags wochenende"),
        words("fruhling sommer herbst winter"),
        words("zuhause hause arbeit buro schule reise urlaub"),
        words("links rechts vorne hinten oben unten erste zweite alte"),
        words("hin zuruck hinflug ruckflug"),
    ),
    ended=(
        r"\b(?:(?:habe|haben)\s(?:(?:mein\w*|unser\w*|den|die|das|dem|bei|mit|mich|von|aus)\s){0,3}"
        r"(?P<a>[\w' -]{2,40}?)\s(?:gekundigt|verkauft|abgesagt|aufgegeben|beendet|storniert"
        r"|aufgehort"
        r"|abgemeldet|verschenkt|gestrichen|abgebrochen|getrennt))"
    ),
    set_to=r"\b(?P<now>(?:ist|sind|kostet|kosten|betragt) (?:jetzt|nun))\b",
    set_behind=(
        r"\b(?:verlegt|verschoben|vorgezogen|geandert|erhoht|gesenkt|gestiegen|gesunken|gekurzt|angehoben)\b"
    ),
    given_up=(
        r"(?:nicht mehr|kein\w* mehr|ins wasser|statt|anstatt|anstelle|vorbei|kaputt|zuruck zu|fruher"
        r"|(?<!nicht )(?<!nie )(?:"
        r"verkauft|gekundigt|abgesagt|aufgegeben|beendet|storniert|aufgehort|abgemeldet|verschenkt|gestrichen"
        r"|abgebrochen|getrennt|ersetzt|verlassen|weggezogen|ausgezogen|umgezogen von|gewechselt|umgestiegen"
        r"|gestorben|geschieden))\b"
    ),
    for_the_day=r"fur (?:heute|diese nacht|diesen abend)|furs wochenende",
    provided=words("mit ohne auf bei fur wenn nach unter"),
    begun=(
        r"seit (?:(?:dem|der|letzte[rmn]?|diese[rm]|vorige[rmn]?) )?\w+(?: (?:tag|woche|monat|jahr)(?:en?)?)?"
    ),
    doing=r"^(?:rauch|trink|ess|spiel|arbeit|lauf|jogg|koch|les|lern|reit|schwimm|tanz|sing|mal)en\b",
)

_THINGS = {
    "name": "name",
    "spitzname": "nickname",
    "geburtstag": "birthday",
    "adresse": "address",
    "anschrift": "address",
    "telefonnummer": "phone",
    "handynummer": "phone",
    "nummer": "phone",
    "mailadresse": "email",
    "e-mail": "email",
    "mail": "email",
    "emailadresse": "email",
    "schuhgrose": "size",
    "kleidergrose": "dress size",
    "grose": "height",
    "gewicht": "weight",
    "gehalt": "salary",
    "miete": "rent",
    "blutgruppe": "blood group",
    "beruf": "job",
    "lieblingsfarbe": "favourite colour",
    "lieblingsessen": "favourite food",
    "lieblingsfilm": "favourite film",
    "lieblingsbuch": "favourite book",
    "lieblingsband": "favourite band",
    "lieblingsgetrank": "favourite drink",
    "chef": "boss",
    "chefin": "boss",
    "hausarzt": "doctor",
    "hausarztin": "doctor",
    "zahnarzt": "dentist",
    "vermieter": "landlord",
    "vermieterin": "landlord",
    "budget": "budget",
    "passwort": "password",
}
_NOW = r"(?:(?:jetzt|inzwischen|mittlerweile|nun|derzeit|momentan|aktuell|seit \w+(?: \w+)?) )?"
_WORK = r"(?:(?:ich )?arbeite|arbeite ich)"

SLOTS = SlotRules(
    homes=(
        r"\b(?:wohne[nr]?|lebe[n]?)\s(?:ich|wir)\b|\b(?:ich|wir)\s(?:wohnen?|leben?)\b"
        r"|\b(?:ich|wir)\s(?:bin|sind)\b(?=(?:\s\S+){0,4}?\snach\s\S+\s(?:um)?gezogen\b)"
    ),
    places="in|nach",
    joints="und|aber|weil|denn|da|also|deshalb|wo",
    further="und",
    beginning=(
        r"\b(?:ich\s)?(?:habe|hab)\s(?:\w+\s)?bei\s(?:der\s|dem\s)?(?P<a>\S+)\s(?:angefangen|begonnen)\b"
        r"|\b(?:erste[rn]?|zweite[rn]?)\s(?:tag|woche|arbeitstag)\sbei\s(?P<b>\S)"
        r"|\bbin\s(?:\w+\s){0,2}?zu\s(?P<c>\S+)\sgewechselt\b|\bneuer?\sarbeitgeber\sist\s(?P<d>\S)"
    ),
    offered=(
        r"\b(?:habe|hab)\s(?:den|die|eine?n?)\s(?:job|stelle|zusage)\sbei\s(?P<a>\S)"
        r"|\bfang(?:e|en)\s(?:\S+\s){0,4}?bei\s(?:der\s|dem\s)?(?P<b>\S)"
    ),
    leaving=r"\bbei\s(?:der\s|dem\s)?(?P<a>\S+)\s(?:gekundigt|aufgehort)\b",
    subjects="ich|habe|hab|bin|fange|neuer?",
    others=r"\b(?:er|sie|die|der|sein|ihr|sommer\w*|winter\w*|wochenende\w*|ferien)\s",
)

ATTRIBUTES = AttributeRules(
    frames=(
        (
            rf"(?:(?:ich )?(?:wohne|lebe)|wir (?:wohnen|leben)|(?:wohne|lebe) ich|(?:wohnen|leben) wir) "
            rf"{_NOW}in (?P<v>.+)",
            "residence",
        ),
        (rf"(?P<s>[a-z]+) (?:wohnt|lebt) {_NOW}in (?P<v>.+)", "residence"),
        (
            rf"(?:ich bin|bin ich|wir sind|sind wir) {_NOW}(?:nach|in) (?P<v>.+?) (?:um)?gezogen",
            "residence",
        ),
        (rf"{_WORK} {_NOW}(?:bei|fur) (?:der |dem )?(?P<v>.+)", "employer"),
        (rf"(?P<s>[a-z]+) arbeitet {_NOW}(?:bei|fur) (?:der |dem )?(?P<v>.+)", "employer"),
        (rf"{_WORK} {_NOW}als (?P<v>.+)", "job"),
        (rf"(?:ich heise|ich bin der|ich bin die) {_NOW}(?P<v>.+)", "name"),
        (rf"ich bin {_NOW}(?P<v><age>)(?: jahre alt| jahre)?[.!]?$", "age"),
        (rf"(?P<s>[a-z]+) ist {_NOW}(?P<v><age>)(?: jahre alt| jahre)[.!]?$", "age"),
        (
            rf"ich bin {_NOW}(?P<v>verheiratet|ledig|geschieden|single|verlobt|verwitwet)\b",
            "marital status",
        ),
        (rf"ich bin {_NOW}(?P<v>vegan|veganer(?:in)?|vegetarier(?:in)?)\b", "diet"),
        (rf"(?:(?:ich )?nehme|nehme ich) {_NOW}(?P<v><dose>)", "dose"),
        (
            rf"(?:mein|meine|meiner|unser|unsere) (?:neue[rs]? )?(?P<n>{any_of(_THINGS)}) "
            rf"(?:ist|lautet|heist|betragt) {_NOW}(?P<v>.+)",
            "thing",
        ),
    ),
    read=plain_reader(_THINGS),
    introductions=(
        r"eigentlich|also|na ja|ok|okay|oh|ach|nein|sorry|jetzt|und|aber|korrektur|update|ubrigens"
        r"|inzwischen|mittlerweile|heute|ich meine|ich meinte|moment"
        r"|seit (?:(?:dem|der|letzte[rmn]?|diese[rm]|vorige[rmn]?) )?\w+"
    ),
    value_endings=(
        r"jetzt|seit|weil|und|aber|momentan|derzeit|zurzeit|heute|wieder|obwohl|nicht|statt"
        r"|inzwischen"
    ),
    value_openers="der|die|das|ein|eine|einen|am|bei|um|ca|etwa|nur",
    empty_values=words(
        "nicht nie kein keine in sehr so schon gut schlecht wichtig super toll noch da"
    ),
    ages=words("zwei drei vier funf sechs sieben acht neun zehn elf zwolf"),
    dose_units="mg|mcg|g|ml|ie|tabletten?|tropfen|kapseln?|hub",
    titles=("dr", "hr", "fr", "prof"),
)

ENTAILMENT = plain_entailment(
    dropped=words(
        """
        der die das den dem ein eine einen einem jetzt nun derzeit momentan gerade noch schon
        wirklich sehr eigentlich ja , ganz echt
        """
    ),
    same={
        "wagen": "auto",
        "handy": "telefon",
        "smartphone": "telefon",
        "lebe": "wohne",
        "lebt": "wohnt",
        "samstag": "sonnabend",
        "mama": "mutter",
        "papa": "vater",
        "gern": "gerne",
        "liebe": "mag",
        "buro": "arbeit",
        "kids": "kinder",
        "job": "arbeit",
        "fahrrad": "rad",
        "chef": "vorgesetzter",
        "doktor": "arzt",
        "mails": "e-mails",
    },
    additions=words("mit in bei seit am im um fur nahe neben wegen"),
    numerals=_NUMERALS,
)

STATEMENTS = StatementRules(
    filler=words(
        """
        gerne gern hilfe helfen frage fragen klar super toll danke bitte gut schon perfekt
        verstanden
        tut mir leid naturlich sicher okay hallo hoffe info details notiert gemerkt wusste wissen
        """
    ),
    meaningful={word: word for word in words("vor nach gegen uber unter ohne aus mehr weg")},
    cardinals=_NUMERALS,
    turns=words("aber obwohl wahrend sondern weil"),
    conjunctions=words("und"),
    dropped=words("jetzt noch schon eigentlich wirklich derzeit gerade"),
    subjects=words("ich du er sie wir es mein meine"),
    sources=words("aus von"),
)

ATTRIBUTION = AttributionRules(
    reporting=(
        r"(?:wie )?(?:du|sie) (?:mir )?(?:gesagt|erzahlt|erwahnt) (?:hast|haben)",
        r"du (?:sagtest|erwahntest|meintest)(?:,? dass)?",
        r"soweit ich (?:weis|mich erinnere)",
    ),
    courtesies=(r"kein problem", r"keine sorge", r"nichts zu danken"),
)
