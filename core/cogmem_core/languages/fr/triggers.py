"""French: what a reminder waits for."""

from cogmem_core.languages.base import TriggerRules
from cogmem_core.languages.tables import words

_WHO = r"(?P<who>(?:le |la |les |un |une |mon |ma |notre )?[\w'-]+)"
_ABOUT = r"(?:du|de|des|d'|sur)(?: la| l'| les| le)? ?"

TRIGGERS = TriggerRules(
    openers=(
        r"(?:rappelle-moi(?: cela)? )?(?:quand|lorsqu(?:e |')|des qu(?:e |')|si|s'|aussitot qu(?:e |')|apres qu(?:e |')"
        r"|une fois qu(?:e |')|chaque fois qu(?:e |')|la prochaine fois qu(?:e |')) ?"
    ),
    topics=(
        rf"{_WHO} (?:me |m'|nous |te )?(?:parl\w+|discut\w+|racont\w+|se plain\w+|ecri\w+) {_ABOUT}(?P<topic>.+)",
        rf"{_WHO} (?:mentionn\w+|evoqu\w+|abord\w+) (?:le |la |les |l')?(?P<topic>.+)",
        r"il (?:est|soit) question (?:du|de la|des|de) (?P<topic>.+)",
        r"(?P<topic>.+?) (?:est|sont) (?:mentionne|evoque|aborde)e?s?",
    ),
    asks=(
        rf"{_WHO} (?:me |nous )?demand\w+ (?:le |la |les |l'|des |du |au sujet (?:du|des|de la) )?(?P<topic>.+)",
        rf"{_WHO} (?:a|ait|ont) (?:une |des )?questions? sur (?:le |la |les )?(?P<topic>.+)",
        rf"{_WHO} (?:veut|veulent|voudrait) savoir (?P<topic>.+)",
    ),
    anybody=words(
        """
        je j tu il elle on nous vous ils elles quelqu quelqu'un quelquun un une le la les me m te t se s lui leur mon ma
        notre client cliente gens personne jai
        """
    ),
    unreal=(
        r"\b(?:si|quand|peut-etre|pourrait|pourraient|peut|devrait|doit|veut|veux|voudrait|va|vont|vais|pourvu|espere"
        r"|esperons|j'attends|attends|attend|attendons|avant|jusqu'a|presque|probablement|sans doute|sera|seront|aura"
        r"|faut|prevoit|pense|dit qu)\b"
    ),
    undone=(
        r"\b(?:pas|jamais|personne|rien|aucun|aucune|sans|ni|guere|pas encore|pourvu|sera|seront|aura|pourrait"
        r"|peut-etre)\b"
    ),
    denials=words("jamais"),
    asking=(
        r"\b(?:pourriez-vous|pourrais-tu|pouvez-vous|peux-tu|je voudrais|j'aimerais|il me faut|j'ai besoin"
        r"|s'il vous plait|dites-moi|dis-moi|je cherche)\b"
    ),
    light=words(
        """
        est sont a ont ai été etait était être avoir vient viens de maintenant enfin encore aujourdhui hier ici là
        moment va vais fait faire ça y déjà juste ce en tombe tombée tombé nuit
        """
    ),
    same=(
        words(
            "appelle mappelle appelé appeler dappeler lappelle téléphone téléphoné téléphoner appel coup"
        ),
        words("arrive arrivé arrivée arriver darriver livré livrée reçu"),
        words("panne cassé cassée casse hs"),
        words("terminé terminée termine fini finie finis achevé prêt prête"),
        words("colis paquet livraison"),
        words("sarrête arrêté arrêtée sarrêter arrête arrêter coupé coupée"),
        words("signe signé signée"),
        words("achète acheté"),
        words("gagne gagné"),
        words("pleut plu pluie"),
        words("malade fièvre"),
        words("mère maman"),
        words("père papa"),
        words("voiture auto"),
        words("médecin docteur"),
        words("prix coûte coûtent tarif tarifs"),
    ),
    opposites=(
        (words("panne cassé cassée"), words("marche remarche fonctionne réparé réparée")),
        (words("arrive arrivé arrivée"), words("envoyé envoyée parti partie")),
        (words("ouvre ouvert ouverte"), words("ferme fermé fermée")),
        (words("sarrête arrêté arrête"), words("marche fonctionne redémarre repart")),
        (words("gagne gagné"), words("perd perdu")),
        (words("terminé fini"), words("commencé commence")),
    ),
    paraphrase=("La voiture ne démarre pas.", "Mon véhicule est en panne."),
    ordinary=(
        "Bonjour, comment vas-tu ?",
        "J'ai mangé de la soupe à midi.",
        "La réunion a été déplacée à jeudi.",
        "Peux-tu m'aider avec une lettre ?",
        "Mon frère joue de la guitare.",
        "Nous avons peint la cuisine en jaune.",
    ),
)
