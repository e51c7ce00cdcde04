"""French: how a person asks to forget something, and how things are named that may be forgotten."""

from __future__ import annotations

from cogmem_core.languages.base import ForgettingRules
from cogmem_core.languages.tables import words

__all__ = ["FORGETTING"]

_PLEASE = r"(?:s'il (?:te|vous) plait|stp|svp)"
_POLITE = rf"(?:(?:{_PLEASE}|alors|bon|ok|okay|dis|et|he|hey|eh|donc|bonjour|salut|maintenant),? )*"
_STEM = r"(?:oubli|effac|supprim|enlev|retir)"
_ASKS = (
    r"(?P<asks>(?:peux|pourrais)-tu|(?:pouvez|pourriez)-vous"
    r"|(?:est-ce que )?(?:tu (?:peux|pourrais)|vous (?:pouvez|pourriez))(?=.*\?))"
)
_VERB = (
    rf"(?:(?:{_ASKS}(?: {_PLEASE})? |veuillez |(?:merci|priere) (?:de |d')){_STEM}er"
    r"|(?:je (?:veux|voudrais|souhaite|souhaiterais)|j'aimerais) (?:que tu|que vous) "
    rf"{_STEM}(?:es|iez)|{_STEM}(?:e|ez))\b"
)
_SOFT = (
    rf"(?:,? (?:{_PLEASE}|merci|donc|vite|definitivement|completement|maintenant|pour de bon"
    r"|tout de suite)\b)*"
)
_OF = r"(?:(?:de|du|des|sur|concernant|a propos (?:de|du|des)) |(?:d|a propos d)')"
_KNOWN = (
    r"ce (?:que (?:tu sais|vous savez|tu as (?:note|retenu|appris)|vous avez (?:note|retenu|appris)"
    r"|je (?:t'|vous )ai (?:dit|raconte|ecrit))|qui concerne)"
)
_STORED = r"(?:fiches?|notes?|entrees?|donnees|informations?|infos?|details)"
_ABOUT = (
    rf"(?:(?P<memory>(?:tout )?{_KNOWN} {_OF}?|tout (?:sur |a propos (?:de |du |d')|ce qui concerne )"
    rf"|(?:(?:la|les|l|cette|ta|tes|votre|vos|toutes les)[ '])?{_STORED} {_OF}|le dossier (?:sur|concernant) )"
    r"|(?P<clause>que |qu'|le fait que ))"
)
_OWN = r"(?:mon|ma|mes|notre|nos)"
_IN = r"(?:du|de la|des|dans|sur|au|aux)"

FORGETTING = ForgettingRules(
    wish=(
        rf"{_POLITE}(?:(?=.*\b(?P<mild>effac|supprim|enlev|retir))|){_VERB}{_SOFT},? {_ABOUT}?(?P<what>.+?)"
        r"(?P<stored> de (?:ta|votre|la) (?:memoire|base)| de (?:tes|vos) (?:notes|fichiers|donnees|souvenirs))?"
        rf"{_SOFT}[\s.!?]*\Z"
    ),
    unless=(
        r"\A(?:surtout )?(?:pas|jamais)\b"
        r"|\b(?:pour (?:l'instant|le moment|une fois|cette fois)|(?:un|deux|cinq|dix|quelques) (?:instant|moment|minute"
        r"|seconde)s?|une (?:minute|seconde)|aujourd'hui|ce soir|ce matin|demain|jusqu'\w+|si|sinon|mais|toujours"
        r"|souvent|parfois|tout le temps|chaque|quand|chez moi|ou (?:je|tu|alors)|et (?:je|j'\w+|tu|on|passe\w*|parl\w*"
        r"|fais|concentr\w*|n'\w+))\b"
        rf"|\A{_OWN} .*\b{_IN}\b(?! memoire)"
        r"|\bj'ai (?:dit|demande|mentionne|parle|ecrit)\b|\bje viens de\b"
    ),
    because=r"\s(?=(?:parce qu|car|puisqu|vu qu|comme (?:ca|c'est|ce)\b))",
    reason=(
        r".*\b(?:n(?:e |')\w+ plus|(?:compte|sert|importe|existe|est|concerne|interesse) plus|importance"
        r"|important\w*|prive\w*|personnel\w*|confidentiel\w*|secret\w*|sensible|faux|fausse|errone\w*|vrai|perime\w*"
        r"|obsolete|depasse\w*|blague|plaisanterie|erreur|fini|regarde (?:pas|personne|que))\b"
    ),
    request=rf"\b(?:{_PLEASE}|merci|veuillez|priere|voudrais|veux|aimerais|souhaite|peux|pourrais|pouvez|pourriez)\b",
    beside=(
        r"(?!.*\b(?:souvien\w*|garde\w*|note\w*|retien\w*|demande\w*|dis|nouve\w*|plutot)\b).*"
        r"\b(?:c'est|c'etait|ca|cela|il|elle|ils|elles|y|lui)\b"
    ),
    topic=(
        rf"(?:(?:tout )?{_KNOWN} {_OF}?|tout sur |(?:(?:la|les|l)[ '])?{_STORED} (?:sur|concernant) )(?P<what>.+)"
        rf"|(?:(?:la|les|l|le)[ '])?(?:{_STORED}|dossier) (?:(?:de|du|des) |d')?(?P<thing>.+)"
    ),
    own=rf"(?:{_OWN} |(?:l'|(?:le|la|les) )(?=[\w' -]*\b{_OWN}\b))(?P<thing>[\w' -]+)",
    told=r"(?:ou|qui|comment|ce que|combien|quand|quel\w*|si|que)\b.*\b(?:je|j'\w+|mon|ma|mes|nous|notre|nos)\b",
    openers=r"(?:que |qu'|le fait que |a propos de |sur )",
    subjects=words("je j nous on me m"),
    owners=words("mon ma mes notre nos"),
    objects=words("moi me nous m"),
    foreign=words("son sa ses leur leurs ton ta tes votre vos"),
    belonging=words("de d du des"),
    cues={
        **dict.fromkeys(("metier", "profession", "travail"), r"\bje (?:travaille|suis \w+)\b"),
        "poids": r"\bje pese\b",
        "taille": r"\bje (?:mesure|fais) \d",
        "enfants": r"\bj'ai .*\b(?:enfants?|fils|filles?)\b",
        "lieu de naissance": r"\bnee? a\b",
        **dict.fromkeys(
            ("numero", "numero de telephone"), r"\bm'(?:appeler|joindre)\b.*\d[\d .-]{5,}"
        ),
    },
    slots={
        **dict.fromkeys(("adresse", "adresse postale"), ("address", "residence")),
        **dict.fromkeys(
            ("domicile", "ville", "ou j'habite", "ou je vis", "ou nous habitons"),
            ("residence", "address"),
        ),
        **dict.fromkeys(("employeur", "entreprise", "ou je travaille"), ("employer",)),
        **dict.fromkeys(("travail", "boulot", "emploi"), ("employer", "occupation", "job")),
        **dict.fromkeys(("metier", "profession"), ("occupation", "job")),
        **dict.fromkeys(("age", "quel age j'ai"), ("age",)),
        **dict.fromkeys(("salaire", "revenu", "combien je gagne", "ce que je gagne"), ("salary",)),
        **dict.fromkeys(("nom", "prenom", "comment je m'appelle"), ("name",)),
        **dict.fromkeys(("email", "e-mail", "mail", "adresse mail", "adresse e-mail"), ("email",)),
        **dict.fromkeys(
            ("numero", "telephone", "numero de telephone", "portable"), ("phone", "number")
        ),
        **dict.fromkeys(
            ("anniversaire", "date de naissance", "quand je suis ne", "quand je suis nee"),
            ("birthday",),
        ),
    },
)
