"""What gives a question's intent away, English and Turkish, as `fold_letters` writes: (strength, pattern) per intent.

Strength is 0..1: how surely a question with this phrase has the intent, by itself. It is around 0.9 for the question
word that opens a question, and 0.5 or less for what merely goes with it. Patterns begin and end at word boundaries.
"""

from __future__ import annotations

from cogmem_core.text.lexicon.calendar import ENGLISH_MONTHS, TURKISH_MONTHS, any_of

__all__ = [
    "ASKS_WHEN",
    "AUXILIARY",
    "CAUSAL",
    "ENTITY_PROFILE",
    "FACTUAL",
    "PREFERENCE",
    "TEMPORAL",
    "TURKISH_QUESTION",
]

Table = tuple[tuple[float, str], ...]

AUXILIARY = (
    r"(?:is|are|was|were|am|do|does|did|has|have|had|will|would|shall|should|can|could|might|may|must|isn't|aren't|wasn't"
    r"|weren't|don't|doesn't|didn't|hasn't|haven't|hadn't|won't|wouldn't|shouldn't|can't|couldn't)"
)
"""An English auxiliary, with which questions are formed, as a regular expression without word boundaries."""
_OPENS = r"(?:^|[.?!,;:]\s{0,3})(?:(?:and|but|so|also|hey|ok|okay|please|exactly) )?"
_ASKED = r"(?:remember|recall|know|tell me|remind me|say|sure|wonder|forgot|forgotten|find out)(?: exactly| just)?"
_UNITS = r"(?:day|date|time|hour|week|weekend|month|season|year|decade|century)"
_AGO = r"(?:minute|hour|day|week|month|year)s?"
_TURKISH_UNITS = r"(?:gun|tarih|saat|hafta|ay|mevsim|yil|sene|donem)"
_NOT_WHENEVER = r"(?! \w{2,16}s[ae][mk]\b)"  # `ne zaman üzülsem`: whenever
_FULL_MONTHS = any_of([name for name in ENGLISH_MONTHS if len(name) > 3 or name == "may"])
_TURKISH_MONTHS = any_of(TURKISH_MONTHS)
_YEAR = r"(?:19|20)\d\d"

ASKS_WHEN: tuple[str, ...] = (
    rf"{_OPENS}(?:since |until |till |from |by |around )?when(?:'s|'d)?\s{{0,3}}(?:\?|$|{AUXILIARY}\b)",
    rf"{_OPENS}(?:since |until |till |from |by |around )?when exactly\b",
    rf"{_OPENS}when [^,?]{{2,100}}\?",
    r"when (?:did|was|were|will|does)\b",
    rf"{_ASKED} when\b",
    rf"(?:what|which) (?:exact |calendar )?{_UNITS}s?(?![\w-])"
    rf"(?! (?:zone|off|care|job|trip|table|travel|machine|series)\b)",
    rf"how (?:many|much) {_AGO} (?:ago|back|earlier|later)\b",
    r"how long (?:ago|before|until|till|since|back)\b",
    r"how (?:recently|soon)\b",
    r"what(?:'s| is| was) the (?:exact )?(?:date|day|year|month)\b",
    r"(?:what|when)(?:'s| is| are| was) (?:[\w']+ ){1,3}(?:birthday|anniversary|deadline|due date)\b",
    rf"ne zaman\w{{0,6}}\b{_NOT_WHENEVER}",
    r"ne vakit\b",
    rf"hangi {_TURKISH_UNITS}(?:larda|lerde|lar|ler|de|da|te|ta|inda|inde|unda|ini|i|u)?\b",
    rf"kac {_TURKISH_UNITS} (?:once|evvel|sonra)\b",
    r"ne kadar (?:zaman )?(?:once|evvel|sonra)\b",
    r"saat kac(?:ta|a|tan)\b",
    r"kac(?:inda|inci gun\w{0,4})\b",
    r"(?:tarih|dogum gun|yil donum|yildonum)(?:um|un|i|u|unuz|leri|umuz)\w{0,3} (?:ne(?:dir|ydi)?|kac)\b",
)
"""The answer is a date."""

TEMPORAL: Table = (
    *((0.9 if opens else 0.85, pattern) for opens, pattern in ((p.startswith(_OPENS), p) for p in ASKS_WHEN)),
    (0.8, r"how long\b(?! (?:is|was|are|were) the\b)"),
    (0.8, r"for how (?:long|many (?:days|weeks|months|years))\b"),
    (0.75, r"how (?:has|have|did) (?:[\w']+ ){1,4}?(?:change|changed|evolve|evolved|develop|progress|progressed)\b"),
    (0.7, r"(?:timeline|chronolog\w{1,6}|history|sequence|order) of\b"),
    (0.7, r"(?:timeline|chronology|chronological\w{0,2}|over time|over the years|in what order|which came first)\b"),
    (0.7, r"(?:before|after) or (?:before|after)\b"),
    (0.65, r"(?:used to|formerly|previously|no longer|anymore|in the past|back then|at that time)\b"),
    (0.6, r"(?:first|last|latest|most recent|next|previous) time\b"),
    (0.6, r"what (?:happened(?! to\b)|changed|was going on)\b"),
    (0.3, rf"(?:in|during|since|until|before|after|by|of) (?:early |late |mid[ -])?(?:{_FULL_MONTHS}|{_YEAR})\b"),
    (0.3, r"(?:last|this|next|past) (?:night|week|weekend|month|year|spring|summer|autumn|fall|winter|\w{3,6}day)\b"),
    (0.3, rf"(?:yesterday|today|tomorrow|tonight|recently|lately|{_AGO} ago)\b"),
    (0.8, r"ne kadar (?:sure|zaman)\w{0,5}\b"),
    (0.8, rf"kac {_TURKISH_UNITS}(?:dir|den beri|dan beri| boyunca| surdu)\b"),
    (0.75, r"(?:zaman|yillar) icinde (?:nasil )?\w{0,20}\b"),
    (0.7, r"(?:zaman cizelge|kronoloji|gecmis|tarihce)\w{0,6}\b"),
    (0.65, r"(?:eskiden|artik|o zamanlar|daha once|onceden)\b"),
    (0.6, r"(?:en son|ilk|son) (?:kez|defa|sefer)\b|en son\b"),
    (0.6, r"(?:neler|ne) (?:oldu|degisti)\b"),
    (0.3, rf"(?:{_TURKISH_MONTHS} ayinda|{_TURKISH_MONTHS}'?[dt][ae]|{_YEAR}'?[dt][ae]|{_YEAR} yilinda)\b"),
    (0.3, r"(?:gecen|bu|gelecek|onumuzdeki) (?:hafta|ay|yil|sene|yaz|kis|bahar|gun)\w{0,5}\b"),
    (0.3, r"(?:dun|bugun|yarin|gecenlerde|son zamanlarda)\b"),
)
CAUSAL: Table = (
    (0.95, rf"{_OPENS}(?:why|how come)\b"),
    (0.9, rf"{_ASKED} (?:why|how come)\b"),
    (0.75, r"(?:why|how come)\b"),
    (
        0.9,
        r"what (?:might |may |could |had |has |have )?(?:have )?"
        r"(?:caused?|causes(?! (?:do|does|did|has|have|is|are|was|were)\b)|led|motivat(?:e|ed|es)"
        r"|inspir(?:e|ed|es)|trigger(?:ed|s)?|prompt(?:ed|s)?|spark(?:ed|s)?)\b",
    ),
    (0.8, r"what (?:made|makes|drove|drives|pushed|convinced|persuaded) (?:[\w']+ ){1,5}?(?:to |so )?\w{2,20}\b"),
    (0.85, r"(?:reasons?|motivations?|causes?|rationale) (?:for|of|behind|why|that|to)\b"),
    (0.8, r"(?:for what|what(?:'s| is| was| were| are) (?:[\w']+ )?(?:[\w']+ )?)(?:reasons?|motivations?|causes?)\b"),
    (0.8, r"(?:consequences?|effects?|impacts?|results?|outcomes?) (?:of|on)\b|(?:lead|led|leads) to\b|as a result\b"),
    (
        0.8,
        r"what happens (?:if|when)\b"
        r"|how (?:does|did|do|has|have) (?:[\w']+ ){1,8}?(?:affect|impact|influence)\w{0,2}\b",
    ),
    (0.6, r"because of\b|due to\b"),
    (0.9, r"(?:niye|nicin|ne diye|ne sebeple|hangi nedenle|hangi sebeple)\b"),
    (0.9, r"neden\b(?! (?:ol|hoslan|bahset|soz et)\w{0,12}\b)"),
    (
        0.9,
        r"(?:neden|sebeb|gerekce)i(?:ni|nin)?"
        r"(?: (?:ne\w{0,4}|nedir|neydi|bil\w{0,12}|soyle\w{0,10}))?\b|nedenleri\w{0,3}\b",
    ),
    (0.85, r"(?:neye|nelere) (?:yol ac|neden ol|sebep ol)\w{1,8}\b|(?:sebep|neden) (?:ne(?:dir|ydi)?|oldu|olan)\b"),
    (0.8, r"(?:sonuc|etki)(?:u|i|lari|leri)\w{0,3} (?:ne\w{0,6})\b|nasil etkile\w{1,8}\b|ne(?:ler)? etkile\w{1,8}\b"),
    (0.6, r"(?:yuzunden|sayesinde|sonucunda)\b"),
)
_LIKE = (
    r"(?<!look )(?<!looks )(?<!looked )(?<!sound )(?<!sounds )(?<!feel )(?<!feels )(?<!taste )(?<!smell )(?<!seem )"
    r"(?<!be )(?<!something )(?<!was )(?<!is )"
    r"(?:like|love|enjoy|hate|dislike|prefer|favou?r|fancy|appreciate|detest)\b"
    r"(?! to (?:know|ask|see (?:what|when|why|how|if)|find out|hear|learn|check)\b)"
)
PREFERENCE: Table = (
    (0.9, r"favou?rites?\b"),
    (0.85, r"prefer(?:s|red|ences?|ring)?\b"),
    (
        0.85,
        rf"(?:do|does|did|don't|doesn't|didn't|would|will|might|may|can't) (?:[\w'-]+ ){{1,4}}?"
        rf"(?:[a-z]{{2,10}}ly |most |also |still |both |rather |not )?{_LIKE}",
    ),
    (
        0.8,
        r"(?:likes?|loves?|enjoys?|hates?|dislikes?) (?:and|or|the most|most|best"
        r"|doing|eating|drinking|reading|watching|listening)\b",
    ),
    (0.8, r"(?:dis)?likes (?:and|or) (?:dis)?likes\b|(?:likes|dislikes)\s{0,3}\?"),
    (0.75, r"would (?:[\w'-]+ )?rather\b|(?:opinions?|taste|views?) (?:in|on|of|about)\b|allerg\w{2,6} to\b"),
    (0.7, r"think (?:of|about)\b|(?:fond of|keen on|fan of|interested in)\b"),
    (0.7, r"into(?: these days| lately| right now)?\s{0,3}(?:\?|$)"),
    (0.6, r"(?:hobby|hobbies|interests|pastimes?|pet peeves?)\b"),
    (0.9, r"(?:en sev\w{2,14}|favori\w{0,8}|gozde\w{0,3})\b"),
    (0.85, r"tercih\w{0,14}\b"),
    (
        0.85,
        r"sev(?:er|erim|ersin|eriz|erler|mez|mem|mezsin|mezler|iyor\w{0,5}|miyor\w{0,5}|di|dim|dik|dig\w{1,8}|medig\w{1,8})\b",
    ),
    (0.85, r"(?:hoslan|begen|bayil)(?:i|ir|di|m|d|iyo)\w{0,12}\b|hosuma\b|hosuna\b|nefret (?:ed|et)\w{1,12}\b"),
    (0.7, r"hakkinda ne dusun\w{2,10}\b|\w{2,20} hakkindaki (?:fikr|gorus)\w{1,8}\b"),
    (0.6, r"(?:hobi|ilgi alan)\w{1,8}\b"),
)
_NOT_OWNED = r"(?!(?:the|a|an|my|your|his|her|our|their|this|that|it|there|going|not|in|on|at)\b|\w+'s |\w+ing\b)"
ENTITY_PROFILE: Table = (
    (0.9, rf"{_OPENS}who(?:'s| is| are| was| were) {_NOT_OWNED}[\w'-]+(?: [\w'-]+)?\s{{0,3}}(?:\?|$)"),
    (
        0.9,
        r"(?:tell me|what (?:do|did|can|have) (?:you|we|i) (?:know|tell me|learned?|remember|say|said|got)"
        r"|know anything"
        r"|remind me|talk to me|everything|anything|all|info|information"
        r"|facts|details|summar\w{2,6}|notes|more) about\b",
    ),
    (0.9, r"(?:describe|summari[sz]e|introduce) (?!how\b|why\b|what\b|when\b)\w{1,40}"),
    (0.85, r"(?:profile|biography|bio|background|overview|summary|personality|identity|character|description) of\b"),
    (0.85, r"(?:profile|biography|personality|personality traits|identity|character traits)\b"),
    (
        0.85,
        r"what (?:is|was|are) (?:[\w'-]+ ){1,3}like(?:\?| as\b|$)"
        r"|what (?:attributes|traits|kind of (?:person|guy|man|woman))\b",
    ),
    (0.85, r"(?:tell|told) (?:you|me|us|them|him|her) about\b"),
    (0.8, r"who am i\b|what (?:do|have) you (?:know|got) (?:of|on) me\b"),
    (0.9, r"(?:kim(?:dir|di|im)|nasil bir(?:i|isi|idir|iydi)|nasil bir (?:insan|kisi|adam|kadin)\w{0,4})\b"),
    (0.85, r"\w{2,30} kim\s{0,3}(?:\?|$)"),
    (
        0.9,
        r"(?:hakkinda|ile ilgili|dair|uzerine) (?:bana )?(?:ne(?:ler)? (?:bil|hatirl|ogren|soyle)\w{1,14}"
        r"|bil(?:gi|dig)\w{0,10}|her sey\w{0,3}"
        r"|anlat\w{0,6}|neler var|ne var|ozet\w{0,6})\b",
    ),
    (
        0.85,
        r"(?:profil|ozgecmis|kisilik|kimlig|kisilig)\w{0,6}\b"
        r"|(?:tanit|tarif et|ozetle)(?:r misin|ir misin)?\b|\w{3,20}'[yn]?[iu] anlat\w{0,9}\b",
    ),
)
FACTUAL: Table = (
    (
        0.6,
        rf"{_OPENS}(?:to |with |for |from |in |at |on |by |about )?"
        rf"(?:who|whom|whose|where|which|how (?:many|much|old|tall|far|big|often))\b",
    ),
    (0.5, r"(?:who|whom|whose|where|which|how (?:many|much|old|tall|far|big|often))\b"),
    (0.5, rf"{_OPENS}(?:to |with |for |from |in |at |on |by |about |according to )?(?:what|how)\b"),
    (0.45, rf"(?:what|how)(?:'s| {AUXILIARY})\b"),
    (0.4, rf"{_OPENS}{AUXILIARY} \w{{1,40}}"),
    (0.4, r"(?:name|list|find|show me|give me) (?:all|the|my|me|every|his|her)\b"),
    (
        0.6,
        r"(?:nere(?:de|ye|den|si|li|yi)\w{0,4}|hangi(?:si|leri)?|kac(?:a|i|ta|ar|inci)?"
        r"|kiminle|kimin|kime|kimden|kimi|kimler\w{0,4})\b",
    ),
    (0.5, r"(?:ne(?:dir|ydi|ler|yi|ye|yle|leri)?|nasil|kim)\b(?! (?:yazik|guzel|kadar guzel|mutlu)\b)"),
    (0.4, r"m[iu](?:y[ds]?[iu]?m?|yim|yiz|sin|siniz|ydi|dir)?\s{0,3}(?:\?|$)"),
)

_TURKISH_ASKING = (
    r"ne|nedir|neydi|neler|neyi|neye|neyle|ne zaman|nasil|neden|niye|nicin"
    r"|nere(?:de|ye|den|si|li|yi)\w{0,5}|hangi(?:si|leri)?"
    r"|kim(?:dir|di|in|e|i|den|le|ler|inle)?|kac(?:a|i|ta|inci)?"
)
TURKISH_QUESTION = rf"(?:{_TURKISH_ASKING}|m[iu](?:yim|yiz|sin|siniz|ydi|ydim|dir|yor\w{{0,4}})?)"
"""A Turkish question word, as a regular expression without word boundaries."""
