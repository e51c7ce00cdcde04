"""German: how a person asks to forget something, and how things are named that may be forgotten."""

from __future__ import annotations

from cogmem_core.languages.base import ForgettingRules
from cogmem_core.languages.tables import words

__all__ = ["FORGETTING"]

_POLITE = r"(?:(?:bitte|hey|hallo|hi|ok|okay|gut|also|so|und|nun|jetzt|na|ach|du|ubrigens),? )*"
_VERB = (
    r"(?P<verb>(?:vergis+|verges+t|verges+en sie|(?:losch|entfern|streich|tilg)(?:e|t|en sie)?)\b)"
)
_ASKS = (
    r"(?P<asks>(?:kannst|konntest|wurdest|magst) du|(?:konnen|konnten|wurden) sie|konnt(?:et)? ihr)"
)
_WANT = r"ich (?:mochte|will|wunsche mir|hatte gern\w*),? dass (?:du|sie|ihr)"
_LAST = r" (?:zu )?(?:vergessen|vergis+t|verges+t|(?:losch|entfern|streich|tilg)(?:en|st|t))(?: (?:wurdest|wurden))?"
_SOFT = (
    r"(?:,? (?:bitte|doch|mal|einfach|jetzt|nun|wieder|sofort|ganz|komplett|endgultig|danke)\b)*"
)
_STORED = (
    r"(?:eintrage?|akten?|notiz(?:en)?|daten|datensatz|infos?|information(?:en)?|angaben|details)"
)
_KNOWN = r"(?:(?:du|sie|ihr)(?: dir| sich)?|ich(?: dir| ihnen| euch)?)(?: noch| alles)?"
_KNOWS = (
    r"(?:,? (?:weis+t|wissen"
    r"|(?:gespeichert|notiert|gemerkt|gesagt|erzahlt|geschrieben) (?:hast|haben|habe)))?"
)
_OF = r"(?:uber|zu[mr]?|vo[nm])"
_ABOUT = (
    rf"(?:(?P<memory>(?:alles,? )?was {_KNOWN} {_OF}|alles {_OF}"
    rf"|(?:(?:die|den|das|alle|jeden|deine|ihre) )?{_STORED} (?:{_OF}|des|der))"
    r"|(?P<clause>dass|die tatsache,? dass))"
)
_OWN = r"(?:mein|unser)(?:e[nmrs]?)?"
_WORK = r"\bich (?:arbeite|bin (?:von beruf|\w+(?:er|erin|ist|istin|arzt|arztin))\b)"

FORGETTING = ForgettingRules(
    wish=(
        rf"(?:(?=.*\bbitte\b)(?P<please>)|){_POLITE}(?:(?=.*\b(?P<mild>losch|entfern|streich|tilg))|)"
        rf"(?:(?:{_VERB}|(?:{_ASKS}|{_WANT})(?P<early>{_SOFT}{_LAST}(?=,))?){_SOFT},? |(?(please)|(?!)))"
        rf"(?:{_ABOUT} )?(?P<what>.+?){_KNOWS}{_SOFT}"
        r"(?P<stored> aus (?:dein\w*|ihr\w*|dem|den) (?:gedachtnis|speicher|notizen|unterlagen|profil|daten\w*))?"
        rf"{_SOFT}(?(verb)|(?(early)|{_LAST})){_SOFT}[\s.!?]*\Z"
    ),
    unless=(
        r"\A(?:(?:ja|blos|bitte|mir|auf) )*(?:keinen fall|nicht|nie|niemals)\b|\bnie(?:mals)?[\s.!?]*\Z"
        r"|(?<!stimmt )(?<!gilt )(?<!\bich )(?<!\bwir )(?<!\bes )(?<!\bdas )(?<!\ber )(?<!\bsie )"
        r"\bnicht(?: (?:mehr|wieder|noch ?mal))?[\s.!?]*\Z"
        r"|\b(?:nicht|nie|niemals) (?:zu )?(?:vergess|losch|entfern|streich)"
        r"|\b(?:fur|auf|eine?n?) (?:eine?n?|den|die)?\s?(?:\w+ )?"
        r"(?:moment|augenblick|weile|minuten?|sekunden?|tag|woche)\b"
        r"|\b(?:kurz|vorerst|vorlaufig|erst ?mal|zunachst|heute|morgen|diesmal|bis|solange|falls|wenn|aber"
        r"|sondern|oder|sonst|dann|immer|oft|manchmal|standig|jede[nrsm]?|zuhause|zu hause|und (?:ich|wir|du|sie"
        r"|lass\w*|dann|konzentrier\w*|geh\w*|mach\w*))\b"
        r"|\A(?!(?:ich|wir|mir|mich|wo|wie|was|wer|wann)\b).*\b(?:(?:auf|in|aus|von|bei|an) de[rmn]|im|vom|am|beim)"
        r"\b(?! (?:gedachtnis|speicher|notizen|unterlagen|profil|daten))"
        r"|\bich (?:\w+ ){0,3}(?:gefragt|gesagt|erwahnt|erzahlt|geschrieben)\b"
    ),
    because=r"\s(?=(?:weil|denn|zumal|da (?:es|das|ich|sie|er))\b)",
    reason=(
        r".*\b(?:(?:nicht|kein\w*) (?:\w+ ){0,2}mehr|wichtig|egal|relevant|aktuell|privat\w*|personlich\w*"
        r"|vertraulich\w*|geheim\w*|sensibel|falsch|stimmt|gilt|veraltet|uberholt|hinfallig|erledigt|vorbei|scherz|witz|irrtum|fehler"
        r"|versehen|geht (?:dich|sie|euch|niemand\w*|keinen))\b"
    ),
    request=r"\b(?:bitte|danke|kannst|konntest|konnen|konnten|wurdest|wurden|mochte|will)\b",
    beside=(
        r"(?!.*\b(?:merk\w*|behalt\w*|notier\w*|speicher\w*|frag\w*|sag\w*|stattdessen|neu\w*)\b).*"
        r"\b(?:es|das|dies\w*|er|sie|ihn|ihm|dort|davon)\b"
    ),
    topic=(
        rf"(?:(?:alles,? )?was (?:du|sie) {_OF}|alles {_OF}|(?:(?:die|den|das|alle) )?{_STORED} {_OF}) "
        r"(?P<what>.+?)(?:,? (?:weis+t|wissen))?"
        rf"|(?:(?:die|den|das) )?{_STORED} (?P<thing>.+)"
    ),
    own=rf"(?:{_OWN} |(?:den|die|das) (?=[\w -]*\b{_OWN}\b))(?P<thing>[\w' -]+)",
    told=r"(?:wo|woher|wer|wen|wie|was|wann|welche\w*|ob|dass)\b.*\b(?:ich|mein\w*|wir|unser\w*|mir)\b",
    openers=r"(?:dass|die tatsache,? dass|uber|von)\s",
    subjects=words("ich wir mir mich"),
    owners=words(
        "mein meine meinen meinem meiner meines unser unsere unseren unserem unserer unseres"
    ),
    objects=words("mich uns mir"),
    foreign=words(
        """
        sein seine seinen seinem seiner seines ihr ihre ihren ihrem ihrer ihres dein deine deinen
        deinem deiner deines eure deren dessen
        """
    ),
    belonging=words("von der des meiner meines unserer unseres deiner seiner seines ihrer ihres"),
    cues={
        **dict.fromkeys(("beruf", "job", "arbeit"), _WORK),
        **dict.fromkeys(("gewicht", "wie viel ich wiege"), r"\bich wiege\b"),
        **dict.fromkeys(("grose", "korpergrose"), r"\bich bin \d[\d.,]* ?(?:cm|m|meter)\b"),
        **dict.fromkeys(("kinder", "kind"), r"\bich habe .*\b(?:kind|kinder|sohn|tochter)\b"),
        **dict.fromkeys(("geburtsort", "wo ich geboren bin"), r"\bgeboren\b"),
        **dict.fromkeys(("telefonnummer", "nummer"), r"\bmich\b.*\+?\d[\d ()-]{5,}\d"),
    },
    slots={
        **dict.fromkeys(("adresse", "anschrift", "wohnort"), ("address", "residence")),
        **dict.fromkeys(("wo ich wohne", "wo ich lebe", "wo wir wohnen"), ("residence", "address")),
        **dict.fromkeys(("arbeitgeber", "firma", "wo ich arbeite"), ("employer",)),
        **dict.fromkeys(("job", "arbeit"), ("employer", "occupation", "job")),
        **dict.fromkeys(("beruf", "was ich beruflich mache"), ("occupation", "job")),
        **dict.fromkeys(("alter", "wie alt ich bin"), ("age",)),
        **dict.fromkeys(
            ("gehalt", "einkommen", "lohn", "wie viel ich verdiene", "was ich verdiene"),
            ("salary",),
        ),
        **dict.fromkeys(("namen", "name", "wie ich heise", "wie ich heisse"), ("name",)),
        **dict.fromkeys(("email", "e-mail", "e-mail-adresse", "mailadresse"), ("email",)),
        **dict.fromkeys(("nummer", "telefonnummer", "handynummer", "telefon"), ("phone", "number")),
        **dict.fromkeys(("geburtstag", "geburtsdatum", "wann ich geboren bin"), ("birthday",)),
    },
)
