"""English: how a person asks to forget something, and how things are named that may be forgotten."""

from cogmem_core.languages.base import ForgettingRules

_POLITE = r"(?:(?:please|pls|hey|ok|okay|so|and|now|just|kindly|also|well|then),? )*"
_ASKS = (
    r"(?:(?P<asks>can you|could you|would you|will you)(?: please)? "
    r"|(?:i want you to|i would like you to|i'd like you to|i need you to|you can|you may|you should) "
    r"(?:please |just |now )*)?"
)
_VERB = (
    r"(?:forget|unremember|stop remembering|no longer remember"
    r"|(?P<mild>delete|erase|remove|wipe|scrub|purge|drop|discard|get rid of))"
)
_STORED = r"memory|memories|notes?|records?|entry|entries|information|info|details?|data"
_KNOWN = r"(?:you (?:know|remember|have|stored|saved)|(?:i|we) (?:said|told you|wrote|mentioned))"
_ALL = (
    rf"(?:what {_KNOWN} (?:about|on|of)"
    rf"|(?:everything|all|anything|whatever)(?: that)?(?: {_KNOWN})? (?:about|on))"
)
_ABOUT = (
    r"(?: (?:(?P<memory>(?:from|in) (?:your |my |the )?(?:memory|notes|records)"
    rf"|{_ALL}|(?:the |your |any |all )?(?:{_STORED}) (?:about|on|of|that))"
    r"|(?P<clause>that|the fact that)|about))*"
)
_TAIL = (
    r"(?P<stored> (?:from|in) (?:your|the|my) (?:memory|memories|notes|records|database|profile))?"
    r"(?:,? (?:please|pls|thanks|thank you|ok|okay|for good|for ever|forever|completely|entirely"
    r"|permanently|right now|now|again|altogether))*"
)

_WORK = (
    r"\bwork(?:ing)? (?:as|at|for|in)\b"
    r"|\b(?:i'm|i am|user is) an? (?:\w+ ){0,2}"
    r"(?:\w+(?:er|or|ist|ian|eer|ant)|nurse|chef|cook|student|pilot|clerk)\b"
)
_DRUGS = r"\btake\b.*(?:\bmg\b|\bunits?\b|\bpills?\b|\btablets?\b|\bdrops?\b|\d ?mg\b)"
_FAITHS = r"\b(?:christian|catholic|protestant|orthodox|muslim|jewish|hindu|buddhist|sikh|atheist|agnostic)\b"
_DIETS = r"\b(?:vegan|vegetarian|pescatarian|kosher|halal|keto|gluten-free)\b"
_AT = r"\blive (?:at|on) |\d+ (?:\w+ ){1,3}(?:street|st|road|rd|avenue|ave|lane|square)\b"
_MAIL = r"(?:\b(?:reach|mail|email|write) me\b.*)?@"
_NUMBER = r"(?:\b(?:call|reach|ring|text) me\b.*)?\+?\d[\d ()-]{6,}\d"
_CHILDREN = r"\b(?:kids?|child|children|sons?|daughters?)\b"
_SPOUSES = r"\b(?:husband|wife|girlfriend|boyfriend|fianc[e\u00e9]e?|spouse)\b"
_SCHOOLS = r"\b(?:study|studied|studying|graduated) (?:at|from|in)\b|\bgo to school\b"
_CUES = {
    **dict.fromkeys(("job", "profession", "occupation", "work", "career"), _WORK),
    **dict.fromkeys(("medication", "medicine", "meds", "pills", "prescription"), _DRUGS),
    **dict.fromkeys(("religion", "faith"), _FAITHS),
    **dict.fromkeys(("diet", "eating habits"), _DIETS),
    **dict.fromkeys(("address", "home address", "street"), _AT),
    **dict.fromkeys(("email", "e-mail", "mail", "email address"), _MAIL),
    **dict.fromkeys(("phone", "phone number", "number", "telephone number"), _NUMBER),
    **dict.fromkeys(("partner", "spouse"), _SPOUSES),
    **dict.fromkeys(("kids", "children"), _CHILDREN),
    **dict.fromkeys(("school", "university", "college", "studies"), _SCHOOLS),
    **dict.fromkeys(("birthplace", "place of birth", "where i was born"), r"\bborn in [^\W\d]"),
    **dict.fromkeys(("birthday", "date of birth"), r"\bborn on\b|\bborn in \d"),
    **dict.fromkeys(("surname", "last name", "family name"), r"\b(?:last|family) name\b|surname"),
    **dict.fromkeys(("name", "nickname"), r"\bcalls? me\b"),
    **dict.fromkeys(("salary", "income", "pay", "earnings"), r"\b(?:earn|make) .*\d"),
    "weight": r"\bweigh\b",
    "height": r"\btall\b|\d ?cm\b",
    "car": r"\bi drive an? ",
    "diagnosis": r"\bdiagnosed\b",
}

FORGETTING = ForgettingRules(
    wish=rf"{_POLITE}{_ASKS}{_POLITE}{_VERB}{_ABOUT} (?P<what>.+?){_TAIL}[\s.!?]*\Z",
    unless=(
        r"\b(?:for (?:a|one|the) (?:\w+ )?(?:second|sec|moment|minute|bit|while|day|week|time being)"
        r"|for (?:now|today|tonight|once)|today|tonight|until|till|unless|if|when i'm|while"
        r"|at (?:home|work|school|the \w+)|on the \w+|in the \w+|from the (?!memory)\w+|sometimes|often"
        r"|again and again|and (?:i|i'll|i'd|we|we'll|you|you'll|let's|then|just|move|start|focus)"
        r"|but|so (?:that|we|i)|or else|or (?:i|you|we)|always|never|every|each|anymore\?)\b"
        r"|\b(?:i|we)(?: just| ever)? (?:asked|said|mentioned|told|spoke|wrote|brought)\b"
    ),
    because=r"\s(?=(?:because|cuz|since|now that|as (?:it|that|this|they|he|she)\b))",
    reason=(
        r".*\b(?:anymore|any more|longer|matters?|relevant|private|personal|confidential|sensitive"
        r"|business|secret|wrong|true|incorrect|outdated|obsolete|joke|mistake|over|closed)\b"
    ),
    request=r"\b(?:please|pls|kindly|want|like|erase|unremember|remembering)\b",
    beside=(
        r"(?!.*\b(?:remember|keep|save|note|ask|tell|instead)\b).*\b(?:it|it's|its|that|that's|this"
        r"|they|they're|them|he|he's|she|she's|him|her|there)\b"
    ),
    topic=(
        rf"(?:{_ALL}|(?:(?:the|your|my|any|all) )*(?:{_STORED}|files?) (?:about|on|of|for)) (?P<what>.+)"
        rf"|(?:the |our )?(?P<thing>.+?)(?:'s)? (?:{_STORED}|files?)"
    ),
    own=r"(?:my|our)(?: own)? (?P<thing>[\w' -]+)",
    told=r"(?:where|who|whom|how|what|when|which|whether|that|if)\b.*\b(?:i|i'm|i've|my|we|our)\b",
    openers=r"(?:that|the fact that|about)\s",
    subjects=frozenset(["i", "i'm", "i've", "i'd", "we", "we're", "we've", "user", "user's"]),
    owners=frozenset(("my", "our")),
    objects=frozenset(("me", "us")),
    foreign=frozenset(["his", "her", "hers", "their", "theirs", "your", "yours", "its", "whose"]),
    cues=_CUES,
    respelt=r"(?<=o)u(?=r)",
    belonging=frozenset(("of",)),
    slots={
        "address": ("address", "residence"),
        "home address": ("address", "residence"),
        "home": ("residence", "address"),
        "city": ("residence",),
        "residence": ("residence", "address"),
        "where i live": ("residence", "address"),
        "where we live": ("residence", "address"),
        "job": ("employer", "occupation", "job"),
        "employer": ("employer",),
        "workplace": ("employer",),
        "company": ("employer",),
        "profession": ("occupation", "job"),
        "occupation": ("occupation", "job"),
        "where i work": ("employer",),
        "who i work for": ("employer",),
        "what i do for a living": ("occupation", "job", "employer"),
        "age": ("age",),
        "how old i am": ("age",),
        "salary": ("salary",),
        "income": ("salary",),
        "pay": ("salary",),
        "how much i earn": ("salary",),
        "how much i make": ("salary",),
        "name": ("name",),
        "what i'm called": ("name",),
        "what my name is": ("name",),
        "email": ("email",),
        "e-mail": ("email",),
        "email address": ("email",),
        "mail address": ("email",),
        "phone": ("number",),
        "phone number": ("number",),
        "telephone number": ("number",),
        "mobile number": ("number",),
        "birthday": ("birthday",),
        "date of birth": ("birthday",),
        "when i was born": ("birthday",),
        "when my birthday is": ("birthday",),
    },
)
