"""French: what a question asks for."""

from cogmem_core.languages.fr.forgetting import FORGETTING
from cogmem_core.languages.plain import QuestionForms, plain_answers, plain_query
from cogmem_core.languages.tables import words

_LEAD = (
    r"(?:(?:et|mais|dis|bonjour|salut|bon|alors|ok|euh|au fait|stp|s'il te plait|svp)[, ]+){0,2}"
)
_WORD = (
    r"(?:qui|que|qu'est-ce que|qu'est-ce qui|ou|quand|comment|pourquoi|combien|quel(?:le)?s?"
    r"|lequel|laquelle"
    r"|(?:avec|a|de|depuis|pour|jusqu'a|d') ?(?:qui|quoi|quand|ou|combien|quel(?:le)?s?))"
)

QUERY = plain_query(
    QuestionForms(
        opens=(
            rf"{_LEAD}(?:est-ce qu|qu'est-ce qu)"
            rf"|{_LEAD}{_WORD} (?:est|sont|etait|ai-je|as-tu|a|habite|habites|habitent"
            rf"|travaille|travailles|dois|peut|peux|vais-je"
            rf"|vas-tu|suis-je|es-tu|s'appelle|m'appelle|fait|faut|coute|commence|part|arrive"
            rf"|ans|enfants|pointure|heure|jour|age|couleur"
            rf"|je|j'|tu|d'enfants|de \w+|\w+ (?:est|a|fais|fait))\b"
            rf"|{_LEAD}(?:sais-tu|connais-tu|te souviens-tu|peux-tu|pourrais-tu|tu sais"
            rf"|tu te souviens|tu te rappelles|as-tu|es-tu)\b"
        ),
        tells=(
            r"(?:et |mais |comme |parce que |puisque |car )?(?:j'habite|je suis|j'ai"
            r"|je travaille|je vis|je m'appelle|j'aime|je deteste|je ne mange"
            r"|je ne bois|je mange|je bois|je viens de|je prefere|nous avons|on habite"
            r"|nous habitons"
            r"|m(?:on|a|es) \w+ (?:\w+ )?(?:est|a|s'appelle|habite|travaille)\b)"
        ),
        orders=rf"{_LEAD}(?:dis-moi|raconte-moi|explique-moi|rappelle-moi|montre-moi)\b",
        remember=(
            r"\b(?:rappelle-toi que|souviens-toi que|note que|retiens que|n'oublie pas que"
            r"|sache que|note bien|notez que|retiens ou)"
        ),
    ),
    first_person=r"\b(?:j'|m'|(?:je|moi|me|mon|ma|mes|nous|notre|nos)\b)",
    asks_number=r"combien|quel(?:le)? (?:age|prix|taille|numero)",
    asks_name=r"qui|comment s'appelle\w*|noms?|prenoms?|ou",
    asks_when=(
        r"quand",
        r"depuis quand",
        r"jusqu'a quand",
        r"a quelle heure",
        r"quel jour",
        r"en quelle annee",
        r"a quelle date",
        r"combien de temps",
        r"depuis combien",
    ),
    intents={
        "temporal": (
            (0.9, r"(?:depuis |jusqu'a )?quand\b"),
            (
                0.85,
                r"a quelle heure|quel jour|en quelle annee|a quelle date|combien de temps"
                r"|depuis combien",
            ),
            (0.3, r"hier|aujourd'hui|demain|prochaine?|derniere?"),
        ),
        "causal": ((0.95, r"pourquoi|pour quelle raison"), (0.85, r"raison|motif|cause")),
        "preference": (
            (0.9, r"prefere\w*|favori\w*"),
            (0.85, r"(?:aime|aimes|aiment|deteste|adore|plait|plaisent)(?:-t-il|-t-elle|-tu)?\b"),
        ),
        "entity_profile": (
            (0.9, r"qui (?:est|etait)\b|c'est qui\b"),
            (
                0.9,
                r"(?:que sais-tu|qu'est-ce que tu sais|parle-moi|dis-moi(?: en plus)?"
                r"|raconte-moi(?: quelque chose)?) ?(?:de|sur|d'|a propos)",
            ),
        ),
        "factual": (
            (0.6, r"ou|qui|quel(?:le)?s?|combien"),
            (0.5, r"que|qu'est-ce|comment"),
        ),
    },
    answers=plain_answers(
        {
            "howto": r"comment (?:puis-je|faire|je|on|dois-je)|etapes pour|recette",
            "definition": r"qu'est-ce qu'une?|que (?:signifie|veut dire)|definition de",
            "technical": r"erreur|serveur|base de donnees|python|docker|api|code",
            "lookup": r"ou|quand|qui|quel(?:le)?s?|combien",
        },
        place="ou",
        time="quand",
        omitted=words(
            "quand ou qui que quel quelle comment pourquoi est sont ai as a etait stp svp"
        ),
    ),
    about_you=(
        r"(?:es-tu|as-tu|habites-tu|travailles-tu|manges-tu|bois-tu|fumes-tu|parles-tu|tu es"
        r"|tu as)\b",
    ),
    no_fact=(r"sur|pret|prete|temps|envie|question|probleme|besoin",),
    yes=words("oui ouais si exact exactement bien"),
    no=words("non nan jamais pas"),
    courteous=words("merci plait"),
    courtesy=r"(?:bonjour|salut|bonsoir|coucou|pardon|excuse-moi|excusez-moi)[,!. ]+",
    forgetting=FORGETTING,
)
