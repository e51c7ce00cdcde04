"""German: what one statement means to another."""

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
        stems("zwei drei vier funf sechs sieben acht neun zehn elf zwolf"), start=2
    )
}

WORDING = WordingRules(
    negations=words(
        """
        nicht nein nie niemals kein keine keinen keinem keiner keines nichts niemand ohne kaum weder
        """
    ),
    number_words=words("ein eine zwei drei vier funf sechs sieben acht neun zehn elf zwolf"),
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
    signal_words=words(
        """
        der die das und ist bin ich mein meine nicht kein keine mit bei von zu im am auf hat habe
        wir sie er es ein eine einen sind war wird
        """
    ),
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
