"""French: what one statement means to another."""

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
        stems("deux trois quatre cinq six sept huit neuf dix onze douze"), start=2
    )
}

WORDING = WordingRules(
    negations=words("pas non jamais aucun aucune rien personne sans ni guere nullement"),
    time_adverbs=words(
        """
        maintenant deja actuellement aujourd'hui encore desormais vraiment tres juste recemment
        dernierement
        """
    ),
    number_words=words("un une deux trois quatre cinq six sept huit neuf dix onze douze"),
    countries=words(
        """
        france belgique suisse canada espagne italie portugal allemagne angleterre irlande maroc
        algerie tunisie senegal luxembourg pologne japon chine inde bresil mexique usa
        """
    ),
    leaning=words("il elle ils elles ce cela ca ceci celui celle la-bas son sa ses leur"),
    first_person=words("je j'ai j'habite moi me mon ma mes nous notre nos tu te ton ta tes vous"),
    hedging=words(
        """
        pas jamais sans rien personne dit pense crois croit peut-etre probablement apparemment
        soi-disant si sauf mais bien que presque devrait pourrait serait aurait blague
        """
    ),
    narrowing=words("pas jamais sans seulement tous tout toujours chaque rarement si"),
    auxiliaries=words("suis est sont etait ai a ont je"),
    signal_words=words(
        """
        le la les est je j'ai mon ma de des du un une et pour avec dans suis ai habite j'habite
        travaille nous elle il ne pas au
        """
    ),
)

CONTRADICTIONS = ContradictionRules(
    wishes=(r"\b(?:j'aimerais|je prefererais|si seulement)\b"),
    correction_cues=(
        r"correction|je voulais dire|je me suis trompee?|j'ai fait erreur|c'etait faux|en fait"
        r"|en realite|finalement"
        r"|c'est faux|ce n'est pas vrai|au lieu de|plutot que|plus exactement"
    ),
    correction_openers="non|pardon|attends|desole|desolee|oups",
    contrast=r",\s?(?:et )?(?:non|pas)\s",
    meant=r"je voulais dire|je veux dire",
    cue_words=words("fait correction pardon non attends realite finalement"),
    articles=words("le la les un une du des l'"),
    subject_openers=words("maintenant desormais actuellement finalement"),
    went_over=(
        r"\b(?:(?:on est|nous sommes|je suis)\spasse(?:e?s?)|(?:on a|j'ai|nous avons)\s(?:tout\s)?"
        r"(?:migre|bascule))\s(?:a|chez|sur|vers)\s(?P<a>\S)"
    ),
    own_subjects=r"je|j'ai|j'habite|j'aime|nous|user|moi",
    owners="mon|ma|mes|notre|nos",
    stopped=(
        r"\b(?:je ne|j'ai arrete de|j'ai cesse de)\s(?P<a>[\w' -]{2,60}?)\s?(?:plus)?(?:[.,;!]|$)"
    ),
    stop_cue=r"\b(?:ne|n')\s?\w+(?:\s\w+)?\splus\b|\barrete de\b|\bcesse de\b",
    given_up=r"\b(?:arrete|resilie|vendu|quitte)\b",
    states=r"\b(?:est|sont|a|coute|pese|dure)\s",
    events=r"\b(?:rendez-vous|reunion|appel|vol|chapitre|episode)\w*\b|\ba \d",
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

REVISIONS = RevisionRules(
    harmless=words("avec comme car parce depuis pres"),
    unmeant=(
        r"\b(?:je plaisant\w*|plaisanterie|je blague|(?:une|etait une|c'est une) blague|je rigole|pas vraiment(?=\W*$)"
        r"|poisson d'avril|c'est faux|j'ai menti|j'ai reve que)\b|^\W{0,3}(?:par )?exemple ?[:,]"
        r"|(?:^|[.!?;] )\W{0,3}dans (?:l'|(?:le|la|une?|mon|ma|ce|cette|notre) )(?:\w+ )?(?:livre|histoire"
        r"|piece (?:de theatre|que)|jeu|film|serie|reve|conte|roman|chanson|nouvelle)\b"
    ),
    games=(
        r"(?:^|[.!?:;,] ?)\W?(?:imagin(?:e|ez|ons)|suppos(?:e|ez|ons)|admettons|mettons que|jouons|faisons semblant)\b"
        r"|\b(?:jeu de role\w*|fictif\w*|hypothetique\w*|mon (?:roman|scenario|personnage)|ma nouvelle(?= ?[:,]))\b"
    ),
    unreal=(
        r"\b(?:si|peut-etre|pourrais|pourrait|pourrions|aimerais|aimerait|voudrais|voudrait"
        r"|veux|veut|reve|revais|imagine"
        r"|suppose|espere|vais|allons|projette|prevois|compte|serait|serais|aurais|avant"
        r"|autrefois|jadis|etant (?:petit|enfant)|quand j'etais"
        r"|jusqu'en (?:19|20)\d\d|en (?:19|20)\d\d|depuis (?:19|20)\d\d|il y a \w+ (?:ans|mois"
        r"|semaines)|une fois"
        r"|dit|disait|pense que|croit|d'apres|selon|raconte|personnage|roman|chanson|film"
        r"|blague|traduis|exemple|presque|pensais)\b"
    ),
    now=(
        r"\b(?:maintenant|desormais|actuellement|depuis (?:hier|aujourd'hui|peu|lundi"
        r"|la semaine derniere)|nouv(?:eau|el|elle|eaux|elles)|enfin|finalement|ces temps-ci"
        r"|plus)\b"
    ),
    openers=(
        r"au fait|en fait|bon|bah|ben|ok|ah|oh|he|mise a jour|bonne nouvelle|mauvaise nouvelle"
        r"|d'ailleurs|pour info|figure-toi que|tiens"
    ),
    denies_that=r"(?:ce n'est|c'est) (?:pas vrai|faux) que\s",
    called_off=(
        r"\b(?:est|sont|a ete|ont ete)\s(?:annulee?s?|supprimee?s?|reportee?s?)(?=\W*$"
        r"|\W*[,.;])"
    ),
    nationality=(
        r"(?:francais|belge|suisse|canadien|espagnol|italien|allemand|anglais|portugais"
        r"|marocain|algerien|tunisien)\w*"
    ),
    newness=words("nouveau nouvel nouvelle nouveaux nouvelles"),
    remarks=words(
        """
        stressant stressante ennuyeux drole dur dure difficile facile genial geniale horrible
        incroyable mauvais mauvaise bon bonne bien mal lent lente rapide calme cher chere casse
        cassee plein pleine vide fatigue malade heureux triste tard tot important importante sympa
        gentil gentille haut haute bas basse petit petite grand grande vieux vieille froid chaud
        ridicule catastrophe stricte strict trop
        """
    ),
    remark_openers=words("tres trop si assez toujours encore vraiment comme"),
    degrees=words("tres trop si assez un une peu plus toujours vraiment"),
    directions=words("de depuis vers avant apres sans"),
    prepositions=words("de en a au aux avec pour chez sur dans par sans sous comme du des"),
    changed=(
        r"\b(?:demenage|change|deplacee?|reportee?|avancee?|augmentee?|baissee?|promue?"
        r"|renommee?|decalee?)\b"
    ),
    besides=(
        r"\b(?:aussi|egalement|en plus|un autre|une autre|autre|deuxieme|second|seconde"
        r"|non seulement|les deux)\b"
    ),
    linking=words(
        """
        est sont suis coute pese dure commence finit a habite j'habite travaille s'appelle m'appelle
        chausse prends gagne paie
        """
    ),
    single=words("habite j'habite vis travaille pese chausse paie gagne etudie conduis prefere"),
    copulas=words("est sont suis"),
    partial=words("beaucoup toujours tous toutes souvent seulement vraiment tres trop chaque"),
    named_wrong=(
        r"(?:\bpas|\bnon|\bau lieu de|\bplutot que)\s(?P<a>[\w.:' -]{1,40}?)(?:[,.;!]"
        r"|\smais\b|$)"
    ),
    past=r"\bavant\b",
    turns="mais",
    favourite=words("prefere preferee preferes favori favorite"),
    several=words(
        """
        frere soeur fils fille cousin cousine ami amie oncle tante voisin voisine collegue neveu
        niece enfant chat chien animal petit-fils eleve client
        """
    ),
    qualifiers=(
        words("matin soir midi nuit apres-midi dejeuner diner"),
        words("lundi mardi mercredi jeudi vendredi samedi dimanche week-end semaine"),
        words("printemps ete automne hiver"),
        words("maison travail bureau ecole voyage vacances"),
        words("gauche droite haut bas premier deuxieme ancien"),
        words("aller retour"),
    ),
    ended=(
        r"\b(?:j'ai|on a|nous avons)\s(?:annule|resilie|vendu|arrete|quitte|abandonne|rendu)\s"
        r"(?:(?:(?:mon|ma|mes|notre|le|la|les|de|du|des|chez)\s|[ld]'))*(?P<a>[\w' -]{2,40}?)(?:\s(?:hier"
        r"|aujourd'hui|en|et|parce|car|depuis)\b|[,.;!]|$)"
    ),
    set_to=(
        r"\b(?P<now>(?:est|sont|coute) maintenant)\b"
        r"|\b(?:passe|monte|augmente|baisse|deplace|decale|repousse|reporte|avance|change|reduit)\b"
    ),
    toward=words("a au"),
    given_up=(
        r"(?:ne .{1,30} plus|n'\w+ .{0,30}plus|au lieu de|plutot que|avant|(?<!pas )(?<!jamais )(?:"
        r"vendu|quitte|arrete|annule|resilie|abandonne|rendu|remplace"
        r"|fini|termine|change de|demenage de|parti de|divorce|mort|revenu a))\b"
    ),
    for_the_day=r"pour (?:aujourd'hui|ce soir)",
    provided=words("avec sans sur pour quand si sous"),
    begun=(
        r"depuis (?:(?:le|la|un|une) )?\w+(?: (?:jours?|semaines?|mois|ans?|derni(?:er|ere)))?"
        r"|(?:ca|cela) fait \w+ (?:jours?|semaines?|mois|ans?) que"
    ),
    doing=r"^(?:de )?\w+(?:er|ir|re)\b",
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

SLOTS = SlotRules(
    homes=(
        r"\b(?:j'habite|je vis|on habite|on vit|nous habitons|nous vivons)\b"
        r"|\b(?:j'ai|on a|nous avons)\s(?:\w+\s)?(?:de|em)menage\b"
        r"|\bje\s(?:suis|me suis)\sinstallee?\b|\bnous sommes installe(?:e?s)\b"
    ),
    places="a|en|au",
    joints="et|mais|parce|puisque|car|donc|alors|ou",
    further="et",
    beginning=(
        r"\bj'ai\s(?:commence|debute)\s(?:a\stravailler\s)?chez\s(?P<a>\S)"
        r"|\b(?:premier|deuxieme)\sjour\schez\s(?P<b>\S)"
        r"|\bj'ai\sete\s(?:embauche|recrute)e?\s(?:chez|par)\s(?P<c>\S)"
        r"|\bje\ssuis\spassee?\schez\s(?P<d>\S)|\bnouvel\semployeur\sest\s(?P<e>\S)"
    ),
    working=r"\bje\sbosse\s(?:\w+\s)?chez\s(?P<a>\S)",
    offered=r"\bje\scommence\schez\s(?P<a>\S)|\bj'ai\ssigne\s(?:chez|avec)\s(?P<b>\S)",
    leaving=r"\bj'ai\s(?:demissionne\sde|quitte)\s(?:chez\s)?(?P<a>\S)",
    subjects="j'ai|je|on|nouvel",
    others=r"\b(?:ete|hiver|week-ends?|vacances)\b",
)

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
