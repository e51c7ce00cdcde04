"""French, folded: what people are asked about themselves, and in which words they tell it."""

from cogmem_core.languages.base import Topic

_MY = r"(?:ma|mon|mes|notre|nos)"
_ABOUT = (
    r"\b(?:de|sur|dans|qui (?:est|sont)|comment (?:va|vont|s'appellent)) "
    rf"{_MY} "
)
_SOME = r"\b(?:j'ai|nous avons|on a) (?:adopte )?(?:une?|deux|trois|quatre) (?:\w+ )?"
_KIN = (
    r"(?:mere|pere|maman|papa|parents|soeurs?|freres?|fils|filles?|femme|mari|epouse|epoux|conjointe?"
    r"|compagne|compagnon|fiancee?|tantes?|oncles?|cousine?s?|nieces?|neveux?|grand-mere|grand-pere"
    r"|grands-parents|petites?-filles?|petits?-fils|petits-enfants|belle-mere|beau-pere|belle-soeur"
    r"|beau-frere|mamie|papi|enfants?|bebe|jumeaux|jumelles)"
)
_PET = (
    r"(?:chiens?|chiennes?|chats?|chattes?|chatons?|chiots?|lapins?|cheval|chevaux|hamsters?"
    r"|perroquets?|tortues?)"
)
_AILMENT = (
    r"(?:asthme|diabete|migraines?|epilepsie|hypertension|eczema|anxiete|depression|cancer|allergie"
    r"|\w{3,}(?:ite|ose|algie))"
)
TOPICS = {
    "family": Topic(
        asks=rf"{_ABOUT}(?:famille|proches|parente)\b|\bai[- ]je (?:de la |une )?famille\b",
        tells=(
            rf"\b{_MY} (?:\w+ )?{_KIN}\b",
            rf"{_SOME}{_KIN}\b",
            r"\b(?:je suis|nous sommes) (?:mariee?s?|divorcee?s?|veufs?|veuves?|fiancee?s?)\b",
        ),
    ),
    "pets": Topic(
        asks=(
            rf"{_ABOUT}animaux\b|\bai[- ]je (?:des animaux|un animal)\b"
            r"|\bquels animaux (?:de compagnie )?(?:ai[- ]je|avons[- ]nous|j'ai)\b"
        ),
        tells=(rf"\b{_MY} (?:\w+ )?{_PET}\b", rf"{_SOME}{_PET}\b"),
    ),
    "health": Topic(
        asks=(
            rf"{_ABOUT}(?:sante|maladies)\b"
            r"|\bquel(?:le)?s (?:maladies|problemes de sante) (?:ai[- ]je|j'ai)\b"
        ),
        tells=(
            r"\bje suis (?:\w+ )?(?:allergique|diabetique|asthmatique|intolerante?|epileptique|coeliaque)\b",
            r"\bje (?:prends|m'injecte) (?:\w+ ){0,3}?\d[\d.,]* ?(?:mg|mcg|ml|unites)\b",
            rf"\b(?:j'ai|je souffre) (?:de l'|d'|de |du |des |le )?{_AILMENT}\b",
            rf"\bm(?:a|on) (?:tension|glycemie|cholesterol|groupe sanguin|{_AILMENT})\b",
            r"\bon m'a (?:diagnostique|opere)\w*\b|\bj'ai ete operee?\b",
        ),
    ),
    "occupation": Topic(
        asks=(
            r"\bquel(?:le)? est (?:mon|ma) (?:\w+ )?(?:metier|travail|profession|boulot|job)\b"
            r"|\bqu'est-ce que je fais dans la vie\b|\bque fais[- ]je dans la vie\b"
        ),
        tells=(
            r"\bje travaille (?:maintenant |depuis \w+ )?(?:comme|chez|pour|dans|a|au|en)\b|\bj'enseigne\b",
            r"\bmon (?:metier|travail|boulot) (?:est|c'est)\b|\bde (?:metier|profession)\b",
            r"\bje suis (?:maintenant |devenue? )?(?:une? )?(?:\w*(?:iste|ologue|icien|icienne|ier|iere)"
            r"|medecin|avocate?|architecte|professeure?|prof|ingenieure?|etudiante?|retraitee?|secretaire)\b",
        ),
    ),
}
