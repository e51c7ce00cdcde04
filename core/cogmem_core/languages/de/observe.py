"""German: what a sentence is about, and what is to be kept out."""

from cogmem_core.languages.base import (
    DurationRules,
    EmotionRules,
    EntityRules,
    NameRules,
    SafetyRules,
    SignalRules,
    SmallTalkRules,
)
from cogmem_core.languages.foreign_injection import UNDO_DE
from cogmem_core.languages.tables import phrases, stems, words

_PEOPLE = (
    r"(?:frau|mann|partner(?:in)?|freund(?:in)?|sohn|sohne|tochter|kind(?:er)?|mutter|vater"
    r"|mama|papa"
    r"|eltern|bruder|schwester|oma|opa|onkel|tante|hund|katze|chef(?:in)?|arzt|arztin"
    r"|nachbar(?:in)?"
    r"|kolleg(?:e|in)|firma|team|auto|wohnung|haus|vermieter(?:in)?)"
)

SIGNALS = SignalRules(
    corrections=(
        r"korrektur",
        r"ich (?:habe|hab) mich (?:geirrt|vertan|versprochen)",
        r"ich meinte",
        r"das (?:war|ist) falsch",
        r"das stimmt (?:so )?nicht",
        r"stimmt nicht mehr",
        r"nein, ",
        r"nicht [\w' ]{1,30}, sondern",
        r"eigentlich (?:ist|heist|wohne|arbeite|bin|sind)",
        r"in wirklichkeit",
        r"muss(?:te)? (?:eigentlich )?heis?sen",
        r"ich muss (?:mich )?korrigieren",
    ),
    preferences=(
        r"ich (?:mag|liebe|hasse|bevorzuge|verabscheue|geniese)",
        r"(?:mag|liebe|hasse) ich",
        r"am liebsten",
        r"liebling\w*",
        r"lieber (?:als|\w+ als)",
        r"(?:esse|trinke|hore|lese|schaue|spiele|fahre|gehe|reise|koche"
        r"|arbeite) (?:ich )?(?:am liebsten|lieber|gerne?|sehr gerne?|nicht gerne?)",
        r"(?:schmeckt|gefallt|gefallen|schmecken) mir",
        r"kann \w+(?: \w+)? nicht (?:leiden|ausstehen|ertragen)",
        r"stehe (?:total )?auf",
        r"bin (?:ein )?(?:grosser |groser )?fan von",
        r"ziehe \w+(?: \w+)? \w+(?: \w+)? vor",
    ),
    decisions=(
        r"(?:ich|wir) (?:habe|haben) (?:uns|mich|beschlossen|entschieden)",
        r"(?:habe|haben) (?:uns |mich )?(?:dafur |dagegen |fur [\w ]{1,30} "
        r"|gegen [\w ]{1,30} )?(?:entschieden|beschlossen|festgelegt)",
        r"wir nehmen (?:jetzt |doch )?(?:die|den|das)\b",
        r"es wird (?:die|der|das)\b",
        r"wir machen (?:das|es) so",
        r"(?:ich|wir) werde[n]? (?:ab|kunftig|in zukunft)",
        r"ab (?:sofort|jetzt) (?:nutze|nehme|mache|verwende|gehe|esse|trinke)\w*",
        r"beschlossen ist",
        r"die entscheidung ist",
    ),
    facts=(
        r"ich (?:wohne|lebe|arbeite|heise|studiere|komme aus|fahre|habe|bin|nehme|trage|wiege"
        r"|lerne|spreche|besitze|unterrichte)",
        r"(?:wohne|lebe|arbeite|studiere|habe|bin) (?:ich|wir)",
        r"wir (?:haben|wohnen|leben|sind|arbeiten|heiraten|erwarten|ziehen)",
        rf"(?:mein|meine|meinem|meiner|meinen|unser|unsere) {_PEOPLE}\b",
        r"(?:mein|meine|unser|unsere) [\w-]+ (?:ist|sind|heist|heis?sen|hat|haben|wohnt"
        r"|arbeitet|lautet|betragt|kostet)",
        r"[a-z]+ (?:wohnt|arbeitet|lebt|studiert|heist) (?:in|bei|als|fur)?",
        r"(?:geboren|verheiratet|geschieden|verlobt|schwanger|allergisch|vegan|vegetarisch"
        r"|rentner|zuckerkrank)\w*",
        r"ich kann (?:kein|nicht|keine|keinen)",
    ),
    statements=(
        r"\w{2,20} (?:ist|sind|war|waren|hat|haben|kostet|dauert|beginnt|braucht|wird|steht|liegt)",
        r"es gibt",
        r"(?:weil|seit|wegen) \w",
        r"(?:ich|wir) \w{3,20}",
        r"(?:mein|meine|unser|unsere) \w{2,20}",
    ),
    temporal=(
        r"heute|gestern|morgen|ubermorgen|vorgestern|nachste[nrms]? \w+|letzte[nrms]? \w+"
        r"|jede[nrms]? \w+",
        r"<day>s?",
        r"<month>",
        r"(?:19|20)\d\d",
        r"\d{1,2}[:.]\d\d(?: uhr)?|\d{1,2} uhr",
        r"\d{1,2}\.\d{1,2}\.(?:\d{2,4})?",
        r"(?:vor|in|seit) \w{1,12} (?:tag|woche|monat|jahr|stunde|minute)\w{0,2}",
        r"(?:ich|wir) (?:plane|planen|habe vor|werde|werden|will|wollen) ",
    ),
    ambiguous_months=words("mai jan"),
    tag_questions=(r", (?:oder|nicht wahr|gell|stimmt'?s|ne|nicht|richtig)",),
    injections=(
        UNDO_DE,
        r"(?:zeig|gib|nenn|verrat)\w*(?: mir)? (?:deinen (?:system)?prompt|den systemprompt)",
        r"du bist (?:jetzt|ab jetzt|nun) (?:ein |eine |eine ki )?(?:dan\b|uneingeschrankt|unzensiert"
        r"|ohne regeln)",
        r"antworte\w?(?: \w{1,12}){0,2} ohne (?:\w{1,12} )?(?:regeln|filter|grenzen|einschrankungen)",
    ),
)

SMALL_TALK = SmallTalkRules(
    greetings=phrases(
        """
        hallo, hi, hey, moin, moin moin, servus, gruß gott, grus gott, gruss gott, gruezi, guten tag
        guten morgen, guten abend, gute nacht, guten rutsch, tag, morgen, na, hallo zusammen
        wie geht es dir, wie gehts, wie gehts dir, wie geht es ihnen, wie lauft es, wie laufts
        alles klar bei dir, was geht, tschuss, tschus, tschau, ciao, bis dann, bis spater, bis bald
        bis morgen, bis gleich, bis nachher, auf wiedersehen, auf wiederhoren, mach es gut,
        machs gut
        schonen tag, schonen tag noch, schonen abend, schonen abend noch, schones wochenende
        schonen feierabend, willkommen, willkommen zuruck, lange nicht gesehen, freut mich
        liebe gruse, viele gruse, mahlzeit, gute besserung
        """
    ),
    confirmations=phrases(
        """
        ja, jo, jep, jup, jawohl, klar, na klar, sicher, genau, richtig, stimmt, okay, ok, oki, nein
        nee, no, ne, nope, passt, passt so, alles klar, in ordnung, geht klar, gut, sehr gut so
        verstanden, verstehe, ich verstehe, ach so, aha, einverstanden, naturlich,
        selbstverstandlich
        auf jeden fall, auf keinen fall, bitte, ja bitte, nein danke, gerne, gern, ja gerne,
        mach das
        mach weiter, weiter, weiter so, bitte weiter, mach ruhig, los, los gehts, jein, vielleicht
        mal sehen, keine ahnung, weis nicht, weis ich nicht, macht sinn, das macht sinn,
        leuchtet ein
        klingt gut, hort sich gut an, von mir aus, meinetwegen, so machen wir das, abgemacht, fertig
        """
    ),
    acknowledgements=phrases(
        """
        danke, danke schon, dankeschon, danke dir, danke ihnen, danke sehr, vielen dank, tausend
        dank
        besten dank, herzlichen dank, danke fur die hilfe, danke fur deine hilfe, vielen lieben dank
        super, toll, prima, klasse, spitze, perfekt, wunderbar, ausgezeichnet, genial, cool, geil
        krass, wow, schon, sehr schon, interessant, echt, wirklich, haha, hihi, lol, hm, hmm, oh, ah
        oha, na toll, gut gemacht, gute idee, tolle idee, sehr hilfreich, das war hilfreich, das
        hilft
        das hat geholfen, das ist super, das ist toll, kein problem, kein ding, keine ursache
        nichts zu danken, bitte schon, bitteschon, bitte sehr, gern geschehen, sorry, entschuldigung
        tut mir leid, verzeihung, schade, egal, macht nichts, nicht schlimm, gluckwunsch
        herzlichen gluckwunsch, na gut, mist
        """
    ),
    fillers=words(
        """
        und dir ihnen du alle alter assistent claude chatgpt gpt leute zusammen dann so ganz mal
        doch
        lieber liebe mein freund nochmal auch sehr wieder noch herr frau
        """
    ),
)

EMOTIONS = EmotionRules(
    stems={
        "joy": stems(
            "gluckl freu froh begeist liebe gluck stolz wunderbar toll super genial herrlich fantast"
            " zufried lach"
        ),
        "anger": stems("wutend wut argerl arger sauer zornig genervt nerv hass aufgereg emport"),
        "fear": stems("angst furcht panik besorgt sorge sorgen nervos erschreck bang verangst"),
        "sadness": stems(
            "traurig trauer wein heul deprim einsam unglucklich verzweif enttausch vermiss schlimm"
            " gestorben niedergeschlag"
        ),
        "surprise": stems("uberrasch staun verbluff unglaublich fassungslos"),
        "disgust": stems("ekel eklig angeekelt widerlich abscheu"),
    },
    strong_stems=frozenset(stems("wutend panik begeist verzweif hass fantast")),
    positive_stems=stems(
        "gut schon lieb gluck freu froh toll super klasse wunderbar genial begeist stolz zufried"
    ),
    negative_stems=stems(
        "schlecht schlimm furchtbar schreckl traurig wutend arger sauer angst panik sorge hass einsam"
        " nerv enttausch verzweif ekel eklig weinen unglucklich"
    ),
    denials_before=words("nicht kein keine nie niemals ohne kaum"),
    denials_behind=("nicht",),
    endings=("ung", "lich", "isch"),
    urgent=words("dringend sofort notfall hilfe schnell"),
    profanity=words("scheise scheisse verdammt arschloch mist kacke"),
    grave=(
        r"(?:vater|mutter|bruder|schwester|mann|frau|oma|opa|sohn|tochter) ist gestorben",
        r"krebs",
        r"unfall",
        r"fehlgeburt",
        r"(?:ist|wurde) geboren",
        r"herzinfarkt",
        r"scheidung",
    ),
)

ENTITIES = EntityRules(
    title_cues=r"gelesen|lese|buch|roman|film|serie|lied|album|podcast|spiel|gesehen|schaue|namens",
    ordinals=(r"\.",),
    year_before=stems("in seit bis ab von nach vor jahr"),
    units={"prozent": "%", "euro": "eur", "kilo": "kg", "grad": "degrees"},
    plain_units=stems("stunden stunde minuten tage wochen monate jahre meter kilometer"),
    relative_marks=("spater", "fruher"),
)

NAMES = NameRules(
    tech_talk=(
        r"code|programmier\w*|software|server|datenbank|app|framework|version|skript"
        r"|entwickl\w*"
    ),
    org_talk=r"firma|unternehmen|arbeit\w*|job|chef\w*|gmbh|ag|konzern|startup|bewerb\w*|gekundigt",
    place_words=words("platz park bahnhof flughafen allee brucke see berg museum schloss"),
    org_words=words("gmbh ag verein verlag bank versicherung universitat hochschule schule"),
    honorifics=words("herr frau dr prof onkel tante oma opa"),
    given_names=words(
        """
        anna lena julia laura lisa sarah katharina sabine petra jonas lukas leon felix paul max
        thomas michael stefan andreas markus jan tim tom
        """
    ),
    not_names=words(
        """
        ich du er sie es wir ihr mein meine der die das ein eine heute morgen gestern haus auto
        wohnung
        hund katze frau mann kind kinder arbeit firma chef termin uhr woche monat jahr tag
        geburtstag
        bruder schwester mutter vater sohn tochter freund freundin urlaub kaffee tee buch film
        telefonnummer adresse schuhgrose nummer essen trinken euro arzt zahnarzt
        sie ihnen irrtum scherz witz fehler versehen geheimnis privatsache sache information
        """
    ),
    place_before=r"\b(?:in|nach|aus|bei) $",
    org_before=r"\b(?:arbeite|arbeitet|angefangen|job|firma) (?:bei|fur) (?:der |dem )?$",
)

DURATIONS = DurationRules(
    now=(
        r"gerade|im moment|momentan|jetzt gerade|heute|heute (?:morgen|abend|nachmittag)"
        r"|zurzeit|eben"
    ),
    passing_states=(
        r"(?:ich bin|wir sind|bin|ich habe|hab) (?:(?:gerade|noch|so|sehr|total|echt|heute) ){0,2}"
        r"(?:im|am|in der|auf dem|auf|beim|unterwegs|mude|hungrig|krank|beschaftigt|spat dran"
        r"|erkaltet"
        r"|zu hause|zuhause|kopfschmerzen|hunger|durst|gestresst|erschopft|schlecht gelaunt)"
    ),
    lasting=(
        r"seit|jede[nrms]?|immer|nie|niemals|meistens|jahre?n?|monate?n?|verlobt"
        r"|verheiratet|schwanger|allergisch|diagnostiziert"
    ),
    requests_to_remember=(
        r"merk(?:e)? dir|denk (?:dran|daran)|vergiss nicht|nicht vergessen|bitte merken"
        r"|notier(?:e)?"
        r"|du solltest wissen|wichtig zu wissen|zur info|fur die zukunft|ab (?:jetzt|sofort)"
        r"|im notfall"
    ),
    days=(
        r"(?<!seit )heute|gestern|(?<!jeden )morgen|gerade|im moment|momentan|diese woche"
        r"|letzte woche"
        r"|am wochenende|drausen|neulich|heute (?:abend|fruh)"
    ),
    own=r"ich|mein\w*|mir|mich|wir|unser\w*|uns",
    musings=(
        r"ich (?:glaube|denke|hoffe|frage mich|wunschte|vermute|finde|wurde|konnte|sollte|werde"
        r"|will)"
        r"|ich bin (?:so |echt |total |wirklich )?(?:mude|froh|glucklich|sauer|gespannt|sicher)"
        r"|lass mich"
    ),
    habit_words=words("seit immer nie niemals jeden jede meistens normalerweise ublicherweise"),
)

SAFETY = SafetyRules(
    instructions=(),
    claims=(),
    rules=(),
    passcode_labels=r"passwort|kennwort|passwörter|pin-?nummer|zugangscode|kennung",
    key_kinds="api|zugriffs|geheim",
    key_nouns=r"schlüssel|schluessel",
    key_labels="zugangstoken|geheimnis",
    copulas=r"(?:ist|lautet|war|heißt)(?:[ \t]{1,4}jetzt)?",
    label_objects="von|für|zum|vom|am|im|der|des",
    check_number_labels="prüfziffer|kartenprüfnummer|sicherheitscode",
    number_labels=(
        "bestellung|bestellnummer|rechnung|sendung|auftrag|vorgang|kundennummer|aktenzeichen"
    ),
    phone_labels=(
        r"tel(?:efon)?\w{0,8}|handy\w{0,8}|mobil\w{0,8}|nummer|ruf(?: mich)? an"
        r"|erreichbar"
    ),
    version_labels="ausgabe|stand",
)
