"""German, folded: what people are asked about themselves, and in which words they tell it."""

from cogmem_core.languages.base import Topic

_MY = r"(?:meine?[rnms]?|unsere?[rnms]?)"
_ABOUT = (
    r"\b(?:uber|von|in|zu|um|wer (?:ist|sind)|wie (?:geht es|heis*en|ist)|beschreibe?|beschreib mir) "
    rf"{_MY} "
)
_SOME = r"\b(?:ich habe|wir haben) (?:eine?n? |zwei |drei |vier )(?:\w+ )?"
_KIN = (
    r"(?:mutter|vater|mama|papa|eltern|schwestern?|bruder|geschwister|sohn|sohne|tochter|frau|mann"
    r"|ehefrau|ehemann|partner(?:in)?|verlobte[rn]?|tanten?|onkel|cousins?|cousinen?|neffen?|nichten?"
    r"|oma|opa|gros+mutter|gros+vater|gros+eltern|enkel(?:in|innen)?|schwieger\w+|schwager(?:in)?|kind"
    r"|kinder|baby|zwillinge?)"
)
_PET = (
    r"(?:hunde?|hundin|katzen?|kater|welpen?|katzchen|kaninchen|pferde?|hamster|papagei(?:en)?"
    r"|wellensittiche?|schildkroten?|meerschweinchen)"
)
_AILMENT = (
    r"(?:asthma|diabetes|migrane|epilepsie|neurodermitis|heuschnupfen|bluthochdruck|depressionen|krebs"
    r"|rheuma|\w{3,}(?:itis|ose|pathie))"
)
TOPICS = {
    "family": Topic(
        asks=(
            rf"{_ABOUT}(?:familie|verwandten|verwandtschaft|angehorigen)\b"
            r"|\bhabe ich (?:eine )?(?:familie|verwandte)\b"
        ),
        tells=(
            rf"\b{_MY} (?:\w+ )?{_KIN}\b",
            rf"{_SOME}{_KIN}\b",
            r"\b(?:ich bin|wir sind) (?:verheiratet|verlobt|geschieden|verwitwet)\b",
        ),
    ),
    "pets": Topic(
        asks=(
            rf"{_ABOUT}(?:haustieren?|tieren?)\b|\bwelche (?:haustiere|tiere) haben? (?:ich|wir)\b"
            r"|\bhaben? (?:ich|wir) (?:ein |irgendwelche )?haustiere?\b"
        ),
        tells=(rf"\b{_MY} (?:\w+ )?{_PET}\b", rf"{_SOME}{_PET}\b"),
    ),
    "health": Topic(
        asks=(
            rf"{_ABOUT}(?:gesundheit|krankheiten|gesundheitszustand)\b"
            r"|\bwelche (?:krankheiten|gesundheitlichen probleme|beschwerden) habe ich\b"
        ),
        tells=(
            r"\bich bin (?:\w+ ){0,3}?(?:allergisch|zuckerkrank|diabetiker|asthmatiker|laktoseintolerant)\b",
            r"\bich (?:nehme|spritze) (?:\w+ ){0,3}?\d[\d.,]* ?(?:mg|mcg|ml|einheiten)\b",
            rf"\bich (?:habe|leide (?:an|unter)) (?:(?!eine?n?\b)\w+ )?{_AILMENT}\b",
            rf"\bmeine? (?:blutdruck|blutzucker|cholesterin|blutgruppe|allergie|{_AILMENT})\b",
            r"\bbei mir wurde \w+ (?:diagnostiziert|festgestellt)\b|\bich wurde (?:\w+ ){0,3}operiert\b",
        ),
    ),
    "occupation": Topic(
        asks=(
            r"\bwas (?:ist|war) mein (?:\w+ )?(?:beruf|job)\b|\bwas (?:mache|arbeite) ich (?:denn )?beruflich\b"
            r"|\bals was arbeite ich\b|\bwelchen beruf habe ich\b|\bwas arbeite ich\b"
        ),
        tells=(
            r"\b(?:ich|wir) (?:jetzt |seit \w+ )?arbeiten? (?:jetzt |gerade |seit \w+ )?(?:als|bei|fur|in|im|beim)\b",
            r"\bich bin (?:jetzt |seit \w+ )?(?:selbstandig|selbststandig|arbeitslos|rentner\w*|pensioniert)\b",
            r"\bich bin (?:\w+ )?(?:\w+ )?von beruf\b|\bmein (?:beruf|job) ist\b|\bich unterrichte\b",
            r"\bich bin (?:jetzt |eine? )?(?:\w*(?:lehrer|arzt|arztin|pfleger|schwester|ingenieur|anwalt|anwaltin"
            r"|verkaufer|entwickler|programmierer|mechaniker|koch|kochin|backer|fahrer|berater|designer|leiter"
            r"|student|techniker|architekt|erzieher|polizist|kellner|friseur|maler|tischler|elektriker)(?:in)?)\b",
        ),
    ),
}
