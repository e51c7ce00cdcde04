"""French: what a sentence is about, and what is to be kept out."""

from cogmem_core.languages.base import (
    DurationRules,
    EmotionRules,
    EntityRules,
    NameRules,
    SafetyRules,
    SignalRules,
    SmallTalkRules,
)
from cogmem_core.languages.foreign_injection import UNDO_FR
from cogmem_core.languages.tables import phrases, stems, words

_PEOPLE = (
    r"(?:femme|mari|compagn(?:on|e)|copain|copine|fils|fille|enfants?|mere|pere|maman|papa"
    r"|parents|frere|soeur|grand-mere|grand-pere"
    r"|oncle|tante|chien|chat|chef|patron(?:ne)?|medecin|voisin(?:e)?|collegue|entreprise"
    r"|equipe|voiture|appartement|maison)"
)

SIGNALS = SignalRules(
    corrections=(
        r"correction",
        r"je me suis trompee?",
        r"je voulais dire",
        r"c'est faux",
        r"ce n'est pas (?:vrai|ca|correct)",
        r"en fait",
        r"en realite",
        r"n'est plus",
        r"j'ai fait erreur",
        r"non, (?:c'est|c'etait|pas)",
        r"pas [\w' ]{1,30}, mais",
    ),
    preferences=(
        r"j'(?:aime|adore)",
        r"je (?:deteste|prefere|kiffe|hais)",
        r"je n'aime pas",
        r"prefere[es]?",
        r"favori\w*",
        r"(?:me plait|me plaisent)",
        r"je ne supporte pas",
        r"je suis (?:tres |un |une )?(?:fan|grand fan|amateur)",
    ),
    decisions=(
        r"(?:j'ai|nous avons|on a) decide",
        r"(?:j'ai|nous avons|on a) (?:choisi|opte)",
        r"(?:a partir de|des) (?:maintenant|aujourd'hui|demain),? (?:j'utilise|je|on)",
        r"la decision est",
        r"on (?:garde|part sur|prend) ",
        r"c'est decide",
        r"desormais,? (?:j'utilise|je vais)",
    ),
    facts=(
        r"(?:j'habite|je travaille|je suis|j'ai|je m'appelle|je vis|j'etudie|je conduis"
        r"|je parle|je joue|je prends|je pese|je chausse|j'enseigne)",
        r"(?:nous avons|nous habitons|on habite|nous sommes|on a|nous nous marions)\b",
        rf"(?:mon|ma|mes|notre|nos) {_PEOPLE}\b",
        r"(?:mon|ma|mes|notre|nos) \w+ (?:\w+ )?(?:est|sont|s'appelle|s'appellent|a|habite"
        r"|travaille|coute)",
        r"[a-z]+ (?:habite|travaille|etudie|s'appelle|vit) (?:a|en|chez|comme)?",
        r"(?:allergique|vegan|vegetarien(?:ne)?|mariee?|divorcee?|enceinte|retraitee?"
        r"|diabetique)\b",
        r"je ne (?:peux|mange|bois) (?:pas|plus|jamais)",
    ),
    statements=(
        r"\w{2,20} (?:est|sont|etait|a|coute|dure|commence|faut)",
        r"il y a",
        r"(?:parce que|depuis|car) \w",
        r"(?:mon|ma|notre) \w{2,20}",
    ),
    temporal=(
        r"aujourd'hui|hier|demain|avant-hier|apres-demain|recemment",
        r"\w+ (?:prochaine?|derniere?|passee?)|(?:chaque|cette|ce) \w+",
        r"<day>",
        r"<month>",
        r"(?:19|20)\d\d",
        r"\d{1,2} ?h(?:\d\d)?|\d{1,2} heures|\d{1,2}:\d\d",
        r"\d{1,2}[/.]\d{1,2}[/.]\d{2,4}",
        r"(?:il y a|dans|depuis) \w{1,12} (?:jour|semaine|mois|an|annee|heure|minute)s?",
        r"(?:je vais|nous allons|on va) \w+",
    ),
    ambiguous_months=words("mars"),
    tag_questions=(r", (?:non|n'est-ce pas|hein|pas vrai)",),
    injections=(
        UNDO_FR,
        r"(?:montre|donne|revele)(?:-moi)? (?:ton prompt|le prompt systeme)",
        r"tu es (?:maintenant|desormais) (?:dan|une ia sans)",
    ),
)

SMALL_TALK = SmallTalkRules(
    greetings=phrases(
        """
        bonjour, bonsoir, salut, coucou, hello, hey, yo, bonne nuit, bonne journee, bonne soiree
        bonne apres-midi, bonne apres midi, bon week end, bon weekend, bon dimanche, ca va,
        comment ca va
        comment vas tu, comment allez vous, tu vas bien, quoi de neuf, au revoir, a demain, a
        bientot
        a plus, a plus tard, a tout a lheure, a tout de suite, a la prochaine, ciao, bye, adieu
        enchante, enchantee, bienvenue, bises, bisous, prends soin de toi, ravi de te revoir
        bonne annee, bon courage, bonne chance
        """
    ),
    confirmations=phrases(
        """
        oui, ouais, ouaip, si, bien sur, oui bien sur, evidemment, exactement, exact, daccord, ok
        okay, okey, dac, ca marche, ca roule, tres bien, bien, parfait alors, non, nan, non merci
        oui merci, oui sil te plait, oui stp, sil te plait, sil vous plait, stp, svp, pas du tout
        compris, je comprends, je vois, jai compris, cest bon, cest ca, cest vrai, tout a fait
        absolument, entendu, vas y, continue, continuez, allez, allez y, peut etre, je ne sais pas
        aucune idee, pourquoi pas, ca me va, ca me parait bien, ca a lair bien, bonne question
        fais le, pas encore, pas maintenant, comme tu veux, note, marche conclu, carrement
        """
    ),
    acknowledgements=phrases(
        """
        merci, merci beaucoup, merci bien, mille mercis, un grand merci, merci a toi, merci a vous
        merci pour ton aide, merci pour tout, merci pour laide, je te remercie, super, genial,
        parfait
        excellent, formidable, top, nickel, cool, chouette, magnifique, wow, waouh, ah, oh, ah bon
        haha, hihi, mdr, lol, ptdr, hum, hmm, mmh, interessant, tres interessant, bonne idee,
        bien joue
        bravo, tres utile, cest utile, ca maide, ca aide, de rien, pas de quoi, il ny a pas de quoi
        je ten prie, avec plaisir, pas de probleme, pas de souci, pas de soucis, ce nest pas grave
        cest pas grave, tant pis, dommage, desole, desolee, pardon, excuse moi, excusez moi
        felicitations, toutes mes felicitations, vraiment, serieux, zut, mince
        """
    ),
    fillers=words(
        """
        et a toi vous tous tout le monde mon ami amie cher chere alors bien encore tres beaucoup
        claude chatgpt gpt assistant aussi donc oui la les amis monsieur madame
        """
    ),
)

EMOTIONS = EmotionRules(
    stems={
        "joy": stems(
            "heureu content joie ravi fier fiere merveill genial fantast enthousias adore"
        ),
        "anger": stems("colere furieu furax enerv fache rage agac marre deteste indign"),
        "fear": stems(
            "peur m'angoiss effray terrif angoiss anxieu inquiet panique stress nerveu crain"
        ),
        "sadness": stems(
            "triste trist pleur deprim seul_ solitude decu desesper manque malheureu deuil"
        ),
        "surprise": stems("surpris etonn stupef incroyabl"),
        "disgust": stems("degout ecoeur repugn beurk"),
    },
    strong_stems=frozenset(stems("furieu panique terrif desesper fantast rage")),
    positive_stems=stems(
        "bien bon heureu content joie ravi fier genial merveill fantast adore super parfait"
    ),
    negative_stems=stems(
        """
        mal pire horribl terribl triste colere furieu peur angoiss deteste pleur inquiet decu
        enerv marre panique
        """
    ),
    denials_before=words("pas jamais sans aucun aucune rien ni n"),
    denials_behind=("pas_",),
    endings=("ment", "tion"),
    urgent=words("urgent urgence secours vite immediatement"),
    profanity=words("merde putain connard bordel chier con"),
    grave=(
        r"m(?:on|a) \w+ est (?:mort|morte|decede|decedee)",
        r"cancer",
        r"accident",
        r"fausse couche",
        r"est nee?",
        r"infarctus",
        r"divorce",
    ),
)

ENTITIES = EntityRules(
    title_cues=r"lis|lu|livre|roman|film|serie|chanson|album|podcast|jeu|intitulee?|regarde",
    ordinals=stems("er"),
    year_before=stems("en depuis jusqu'en de annee"),
    units={"euros": "eur", "euro": "eur", "dollars": "usd", "kilos": "kg", "degres": "degrees"},
    plain_units=stems("heures heure minutes jours semaines mois ans metres kilometres"),
    relative_marks=("plus tard", "plus tot"),
)

NAMES = NameRules(
    tech_talk=r"code|programm\w*|logiciel|serveur|base de donnees|appli|framework|version|script",
    org_talk=r"entreprise|societe|travail\w*|emploi|chef|patron|startup|entretien|bureau|sarl",
    place_words=words("place parc gare aeroport avenue pont lac plage musee rue boulevard"),
    place_beginnings=words("saint sainte mont la le les"),
    org_words=words("banque universite ecole assurance editions club lycee"),
    honorifics=words("monsieur madame mademoiselle m mme dr docteur oncle tante"),
    given_names=words(
        """
        marie camille lea julie claire sophie chloe emma alice pierre paul jean luc thomas nicolas
        julien antoine hugo louis lucas
        """
    ),
    not_names=words(
        """
        je tu il elle nous mon ma mes le la les un une aujourd'hui demain hier maison voiture chien
        chat femme mari fils fille travail entreprise chef heure semaine mois jour an anniversaire
        frere soeur mere pere ami amie telephone adresse j'habite j'ai j'aime rendez-vous ce cela
        """
    ),
    suffixes=frozenset(),
    place_before=r"\b(?:a|en|de|depuis|vers) $",
    org_before=r"\btravaille (?:chez|pour) $",
)

DURATIONS = DurationRules(
    now=(
        r"en ce moment|la maintenant|aujourd'hui|ce (?:matin|soir)|cet apres-midi"
        r"|juste maintenant|pour l'instant|a l'instant"
    ),
    passing_states=(
        r"(?:je suis|on est|nous sommes|j'ai) (?:(?:tres|un peu|trop|vraiment|en ce moment"
        r"|encore|super) ){0,2}"
        r"(?:dans|en train|en route|en retard|en reunion|au|a la|chez le|fatiguee?|malade"
        r"|occupee?|faim|soif|sommeil|froid|chaud|mal|de la fievre"
        r"|epuisee?|stressee?|dehors|coincee?|creve)"
    ),
    lasting=(
        r"depuis|chaque|toujours|jamais|ans?|mois|mariee?|enceinte|allergique|fiancee?"
        r"|diagnostiqu\w+"
    ),
    requests_to_remember=(
        r"rappelle-toi|souviens-toi|n'oublie pas|note que|retiens|garde en tete|sache que"
        r"|il faut que tu saches|desormais|a partir de maintenant|dorenavant|pour info"
        r"|en cas d'urgence"
    ),
    days=(
        r"(?<!depuis )aujourd'hui|hier|demain|en ce moment|cette semaine|la semaine derniere"
        r"|ce week-end|ce soir|ce matin|dehors|l'autre jour"
    ),
    own=r"je|j'\w+|moi|mon|ma|mes|me|nous|notre|nos|on",
    musings=(
        r"(?:je (?:pense|crois|trouve|suppose|me demande|devrais|pourrais|voudrais|vais)"
        r"|j'(?:espere|aimerais|imagine))"
        r"|je suis (?:si |tellement |tres |vraiment )?(?:fatiguee?|heureu\w+|contente?|desolee?"
        r"|sure?)"
    ),
    habit_words=words("depuis toujours jamais chaque normalement tous toutes"),
)

SAFETY = SafetyRules(
    instructions=(),
    claims=(),
    rules=(),
    passcode_labels=r"mot de passe|mdp|code (?:pin|d'accès|secret)|pin",
    key_kinds="clé|cle|jeton",
    key_nouns="api|secrète|privée|d'accès",
    key_labels="jeton secret",
    copulas=r"(?:est|c'est|était)(?:[ \t]{1,4}maintenant)?",
    label_objects="de|du|pour|sur|des",
    check_number_labels="cryptogramme|code de sécurité",
    number_labels="commande|facture|colis|suivi|référence|dossier|compte",
    phone_labels=r"tél(?:éphone)?|tel|portable|mobile|numéro|appelle\w*|joignable|whats ?app",
    version_labels="version",
)
