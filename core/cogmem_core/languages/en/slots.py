"""English, folded: phrases anywhere in a message by which it gives a value of something."""

from cogmem_core.languages.base import SlotRules
from cogmem_core.languages.tables import words

_ADVERBS = r"(?:\s(?:now|just|finally|currently|both|all|still|already|recently|been))*"
_I = rf"\b(?:i|we|user)(?:'m|'ve|'re)?(?:\s(?:am|are|have))?{_ADVERBS}"
_AT = r"(?:at|with|for)"
# A message that begins without a subject is about its speaker; not "Living in Rome was dear", nor
# "New job at Globex for Tom".
_FIRST = (
    r"\A(?![^.!?]*\b(?:was|were|is|has|had|would|could|means|for)\b)"
    r"(?:(?:now|just|finally|currently|still)\s)?"
)
_WORK = r"(?:\s(?:work|working|a\snew\sjob|my\snew\sjob|as\san?\s[a-z ]{2,30}?))?"
_HOME = r"(?:my|our|the)\s(?:[\w-]+\s){0,2}?(?:place|flat|house|home|apartment|studio|cottage)\b"
_NO_POST = (
    r"(?!(?:[a-z]+\s){0,2}(?:regular|member|fan|patient|student|customer|client|guest|visitor)\b)"
)

_DRUG = (
    r"(?!(?:once|twice|every|daily|since|until|instead|again|three|after|before|about|around|roughly"
    r"|exactly|nearly|almost|another|maybe|morning|evening|night|lunch|dinner|breakfast)\b)[a-z]{5,}"
)

SLOTS = SlotRules(
    homes=(
        rf"{_I}\s(?:live|living|reside|residing|settled|based|stay|staying|rent|renting)\b"
        r"|\b(?:my|our)\s(?:home|flat|house|apartment)\s(?:is|stands)\b"
        rf"|{_FIRST}(?:living|residing)\b(?=(?:\snow)?\s(?:in|at|near)\s)"
        rf"|{_I}\s(?:got|have|picked\sup|collected)\sthe\skeys\s(?:to|for|of)\s{_HOME}"
        rf"|{_I}\s(?:moved|settled|settling|unpacking)\s(?:in\s?to|in)\s{_HOME}"
    ),
    places="in|on|at|near",
    streets=words("on at street road avenue lane drive st rd ave rua avenida calle rue via"),
    joints="and|but|because|since|as|where|which|so",
    further="and",
    working=(
        rf"\b(?:i'm|i\sam|i've\sbeen|i\swork\sas)\s(?:an?|the)\s{_NO_POST}"
        rf"[a-z][a-z /-]{{2,40}}?\s{_AT}\s(?P<a>\S)"
    ),
    beginning=(
        rf"\b(?:first|second|third|fourth|fifth)\s(?:day|week|month|shift)\s{_AT}\s(?P<a>\S)"
        rf"|\bi(?:'ve)?\s(?:just\s)?(?:started|began|begun){_WORK}\s{_AT}\s(?P<b>\S)"
        rf"|{_FIRST}(?:(?:started|began)\s(?:work|working|a\snew\sjob)|new\sjob)\sat\s(?P<c>\S)"
    ),
    offered=(
        r"\b(?:(?:(?:they|he|she|who)\s)?offered\s(?:me|us)|(?<!had )got|landed|accepted|took)\s"
        r"(?:the|an?|that|my)\s(?:[a-z]+\s){0,3}?"
        r"(?:job|position|role|offer|post)\b(?:\s(?:at|with|from|by|for)\s|[!.,:]+\s)(?P<a>\S)"
        r"|\bi(?:'ve|'ve\sjust|\sjust)?\ssigned\s(?:a\scontract\s)?with\s(?P<b>\S)"
        r"|\bi\swas\s(?:hired|taken\son)\s(?:by|at)\s(?P<c>\S)"
        r"|\b(?P<d>[\w&.-]{1,40})\s(?:has\s|have\s|just\s)?(?:hired|recruited)\s(?:me|us)\b"
    ),
    leaving=(
        r"\b(?:i'm|i\sam|i|i've)\s(?:just\s)?(?:leaving|left|quit|quitting|resign(?:ed|ing)\sfrom)\s(?P<a>\S)"
        rf"|\b(?:last|final)\s(?:day|week|shift|month)\s{_AT}\s(?P<b>\S)"
        r"|\bhanded\s(?:in\s)?my\snotice\s(?:in\s)?(?:at|to)\s(?P<c>\S)"
        r"|\bi\swas\s(?:laid\soff|let\sgo|fired)\s(?:by|from)\s(?P<d>\S)"
    ),
    no_employers=words(
        "gym fitness school university college uni academy kindergarten nursery course club church"
        " class park zoo museum beach festival conference camp airport disneyland"
    ),
    subjects="i|i'm|i've|we|they|he|she|who",
    leads=words("i i've i'm my just finally and so the a had today yesterday survived"),
    others=(
        r"(?:'s|\b(?:his|her|their|your|brother|sister|friend|he|she|they|who))\s\Z"
        r"|\b(?:summers?|winters?|weekends?|weekdays?|holidays?)\b"
    ),
    doses=(
        r"\b(?:takes?|taking|injects?|injecting|gets?|gives?|giving|it's"
        r"|(?:(?:put|bumped|moved|raised|upped|increased|lowered|reduced|dropped|cut|stepped|brought|took|got)\s\w+"
        r"(?:\s(?:up|down|back)\sto)?|stays?|stayed|started|been|am|is|are|'m|'s|'re|me)\s(?:on|(?:up|down|back)\sto)"
        r"|(?:raised|upped|increased|lowered|reduced|dropped|cut)\sme\sto)\s"
        rf"(?:(?P<d0>{_DRUG}(?:\s[a-z]\d{{0,2}})?)\s)?(?P<v><dose>)"
        rf"(?:\s(?:of\s)?(?P<d>{_DRUG}))?"
    ),
    takers=words("she he it they"),
    selves=words("i me"),
    gone=(
        r"\b(?:the|my|our|that)\s(?P<thing>[a-z][\w'-]*(?:\s[a-z][\w'-]*){0,2}?)\s"
        r"(?:(?:went|has\sgone|have\sgone)\sto\s"
        r"(?:my|our|(?:a|the)\s(?:friend|colleague|neighbou?rs?|charity|museum)|[a-z]+'s)\b"
        r"|(?:was|were|is|are|has\sbeen|have\sbeen|got)\s(?:(?:finally|just|now)\s)?"
        r"(?:sold(?!\sout)|returned(?!\sto\s(?:me|us)\b)|given\saway|donated|thrown\s(?:out|away)|stolen|scrapped|gone)\b)"
    ),
    having=(
        r"\b(?:bought|got|have|has|own|owns|use|drive|drives|ride|wear|wears|play|ordered)\b"
        r"|\b(?:my|our)\s(?:\w+\s){1,3}(?:is|are)\b"
    ),
)
