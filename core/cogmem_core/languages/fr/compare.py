"""French: what one statement means to another."""

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
        stems("deux trois quatre cinq six sept huit neuf dix onze douze"), start=2
    )
}

WORDING = WordingRules(
    negations=words("pas non jamais aucun aucune rien personne sans ni guere nullement"),
    number_words=words("un une deux trois quatre cinq six sept huit neuf dix onze douze"),
    leaning=words("il elle ils elles ce cela ca ceci celui celle la-bas son sa ses leur"),
    first_person=words("je j'ai j'habite moi me mon ma mes nous notre nos tu te ton ta tes vous"),
    hedging=words(
        """
        pas jamais sans rien personne dit pense crois croit peut-etre probablement apparemment
        soi-disant si sauf mais bien que presque devrait pourrait serait aurait blague
        """
    ),
    narrowing=words("pas jamais sans seulement tous tout toujours chaque rarement si"),
    signal_words=words(
        """
        le la les est je j'ai mon ma de des du un une et pour avec dans suis ai habite j'habite
        travaille nous elle il ne pas au
        """
    ),
)


RETELLINGS = RetellingRules(
    persons=any_of(
        words(
            """
        mere pere maman papa parents soeur frere fils fille femme mari epouse epoux conjoint
        conjointe compagne compagnon copine copain fiancee fiance tante oncle cousine cousin niece neveu
        grand-mere grand-pere grands-parents petite-fille petit-fils belle-mere beau-pere belle-soeur
        beau-frere mamie papi amie ami colocataire voisine voisin collegue patronne patron cheffe chef
        proprietaire locataire medecin dentiste professeur professeure entraineuse entraineur cliente
        client eleve enfant bebe jumelle jumeau chienne chien chatte chat chiot lapin cheval hamster
        perroquet
        """
        )
    )
    + r"s?",
)


_THINGS = {
    "nom": "name",
    "prenom": "first name",
    "surnom": "nickname",
    "anniversaire": "birthday",
    "adresse": "address",
    "telephone": "phone",
    "numero": "phone",
    "portable": "phone",
    "mail": "email",
    "adresse mail": "email",
    "e-mail": "email",
    "pointure": "size",
    "taille": "height",
    "poids": "weight",
    "salaire": "salary",
    "loyer": "rent",
    "groupe sanguin": "blood group",
    "metier": "job",
    "couleur preferee": "favourite colour",
    "plat prefere": "favourite food",
    "film prefere": "favourite film",
    "livre prefere": "favourite book",
    "chef": "boss",
    "patron": "boss",
    "patronne": "boss",
    "medecin": "doctor",
    "dentiste": "dentist",
    "proprietaire": "landlord",
    "mot de passe": "password",
    "budget": "budget",
}
_NOW = r"(?:(?:maintenant|desormais|actuellement|depuis \w+) )?"


ATTRIBUTES = AttributeRules(
    frames=(
        (
            rf"(?:j'habite|je vis|nous habitons|nous vivons|on habite) {_NOW}(?:a|en|au) (?P<v>.+)",
            "residence",
        ),
        (rf"(?P<s>[a-z]+) (?:habite|vit) {_NOW}(?:a|en|au) (?P<v>.+)", "residence"),
        (rf"(?:j'ai|nous avons|on a) {_NOW}demenage {_NOW}(?:a|en|au) (?P<v>.+)", "residence"),
        (rf"je travaille {_NOW}(?:chez|pour) (?P<v>.+)", "employer"),
        (rf"(?P<s>[a-z]+) travaille {_NOW}(?:chez|pour) (?P<v>.+)", "employer"),
        (rf"je travaille {_NOW}comme (?P<v>.+)", "job"),
        (rf"je m'appelle {_NOW}(?P<v>.+)", "name"),
        (rf"j'ai {_NOW}(?P<v><age>) ans", "age"),
        (rf"(?P<s>[a-z]+) a {_NOW}(?P<v><age>) ans", "age"),
        (
            rf"je suis {_NOW}(?P<v>mariee?|celibataire|divorcee?|veuf|veuve|pacsee?)\b",
            "marital status",
        ),
        (rf"je suis {_NOW}(?P<v>vegan|vegane|vegetarien|vegetarienne)\b", "diet"),
        (rf"je prends {_NOW}(?P<v><dose>)", "dose"),
        (
            rf"(?:mon|ma|notre) (?:nouv(?:eau|el|elle) )?(?P<n>{any_of(_THINGS)}) (?:est"
            rf"|s'appelle) {_NOW}(?P<v>.+)",
            "thing",
        ),
    ),
    read=plain_reader(_THINGS),
    introductions=(
        r"en fait|bon|bah|ben|ok|ah|non|pardon|maintenant|et|mais|correction|au fait"
        r"|actuellement|aujourd'hui|desormais|finalement|attends"
        r"|depuis (?:(?:le|la) )?\w+(?: derni(?:er|ere))?"
    ),
    value_endings=(
        r"maintenant|depuis|parce que|car|et|mais|actuellement|aujourd'hui|a nouveau"
        r"|bien que|pas|au lieu"
    ),
    value_openers="le|la|les|un|une|du|des|environ|seulement",
    empty_values=words("pas jamais tres trop bien mal important bon bonne encore si de en"),
    ages=words("deux trois quatre cinq six sept huit neuf dix onze douze"),
    dose_units="mg|mcg|g|ml|ui|comprimes?|gouttes?|gelules?",
    titles=("dr", "m", "mme"),
)

ENTAILMENT = plain_entailment(
    dropped=words(
        "le la les un une des maintenant actuellement encore vraiment tres deja , desormais"
    ),
    same={
        "auto": "voiture",
        "portable": "telephone",
        "maman": "mere",
        "papa": "pere",
        "appart": "appartement",
        "ordi": "ordinateur",
        "velo": "bicyclette",
        "boulot": "travail",
        "vis": "habite",
        "docteur": "medecin",
        "toubib": "medecin",
        "epouse": "femme",
        "mon": "ma",
        "mes": "ma",
        "epoux": "mari",
        "gamins": "enfants",
        "j'adore": "j'aime",
        "bouquin": "livre",
        "fac": "universite",
    },
    additions=words("avec en depuis pour pres dans chez"),
    numerals=_NUMERALS,
)

STATEMENTS = StatementRules(
    filler=words(
        """
        merci aide aider question super parfait compris desole accord bonjour espere bien bon
        details note savoir sur plaisir
        """
    ),
    meaningful={word: word for word in words("avant apres contre sous sur sans plus dehors")},
    cardinals=_NUMERALS,
    turns=words("mais alors cependant parce car"),
    conjunctions=words("et"),
    dropped=words("maintenant deja encore vraiment actuellement"),
    subjects=words("je tu il elle nous mon ma"),
    sources=words("de depuis"),
)

ATTRIBUTION = AttributionRules(
    reporting=(
        r"comme tu (?:me )?l'as (?:dit|mentionne|raconte)",
        r"tu (?:m')?as (?:dit|mentionne|raconte) que",
        r"si je me souviens bien",
    ),
    courtesies=(r"pas de probleme", r"ne t'inquiete pas", r"de rien"),
)
