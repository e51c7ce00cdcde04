"""English: which memories a question wants, and in what order."""

from cogmem_core.languages.base import AimRules

_COUNT = "one|two|three|four|five|six|seven|eight|nine|ten|a few|several|a couple of|[0-9]{1,2}"  # of what
_AMOUNTS = (
    "seconds?|minutes?|mins?|hours?|days?|weeks?|months?|years?|centuries|kilomet(?:er|re)s?|kms?|miles?"
    "|met(?:er|re)s?|feet|inches|grams?|kilos?|kilograms?|kg|pounds?|lit(?:er|re)s?|euros?|dollars?|cents?"
    "|percent|degrees|calories|points|steps|pages|square|more|people|children|kids|siblings|brothers"
    "|sisters|pets|cats|dogs|rooms|bedrooms|floors|others"
)
_NOT_LAST = (
    r"name\b|names\b|resort|minute|word|straw|but not|of all|in line|long|for\b|until|till"
    r"|(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|night|evening|weekend|week|month|year"
    r"|quarter|decade|century|spring|summer|autumn|fall|winter|christmas|easter)\b"
)
_NOT_FIRST = (
    r"name\b|names\b|aid\b|class\b|floor\b|lady\b|language\b|of all\b|person\b|world\b|grade\b|half\b"
    r"|chapters?\b|hand\b|responder|thing in\b|cousin|degree\b|and\b|or\b|step\b|line\b|impression"
)

_FORMS = """
    become:became begin:began+begun break:broke+broken bring:brought build:built buy:bought
    catch:caught choose:chose+chosen come:came draw:drew+drawn drink:drank+drunk
    drive:drove+driven eat:ate+eaten fall:fell+fallen fight:fought fly:flew+flown
    forget:forgot+forgotten give:gave+given go:went+gone grow:grew+grown hide:hid+hidden
    hold:held keep:kept know:knew+known lend:lent lose:lost make:made meet:met pay:paid
    ride:rode+ridden ring:rang run:ran sell:sold send:sent sing:sang+sung sleep:slept
    speak:spoke+spoken spend:spent steal:stole+stolen swim:swam+swum take:took+taken
    teach:taught tell:told think:thought throw:threw+thrown understand:understood
    wake:woke+woken wear:wore+worn win:won write:wrote+written
"""

_LEAD = r"(?:so|hey|hi|hello|ok|okay|well|and|please|now|just|can you|could you|would you)"

AIMS = AimRules(
    verb_forms={
        base: tuple(forms.split("+"))
        for base, forms in (entry.split(":") for entry in _FORMS.split())
    },
    newest=(
        r"\b(?:latest|newest|most recent(?:ly)?|the most current|last time)\b(?! name\b)"
        r"|\b(?<!how long did )(?<!did it )(?<!will it )(?<!does it )(?<!at )(?<!to )(?<!it )(?<!battery )"
        rf"last\b(?! (?:{_NOT_LAST}))(?!'s\b)"
    ),
    oldest=(
        r"\b(?:first(?: ever)? time|earliest|very first|first ever|for the first time)\b"
        rf"|\b(?<!at )(?<!'s the )first\b(?! (?:{_NOT_FIRST}))(?!-)"
        r"|\boldest(?= (?:entry|entries|note|notes|record|message|memory)\b)"
    ),
    everything=(
        r"\b(?:please )?(?:list|enumerate|show|give|name|count|recall)(?: me| up)?"
        r" (?:all|every|each|everything|the whole|the full list of|a list of)\b"
        r"|\b(?:list|enumerate)(?= (?:the|my|our|his|her|their)\b)"
        r"|\b(?:all|every single one|each one)(?: of)?(?= (?:the|my|our|his|her|their) )"
        r"|\beverything(?= (?:that )?(?:i|we) )"
    ),
    several=(
        rf"\bhow many(?: times)?\b(?! (?:more |of the |of my )?(?:{_AMOUNTS})\b)(?! \w+ (?:old|ago)\b)"
        r"|\bhow often\b"
        r"|\b(?:which|what)(?= (?:(?!time|day|kind|sort|type|was|is|address|class|bus|business)[\w'-]+ ){0,2}"
        r"(?!(?:was|is|does|has|this|us|bus|class|glass|business|address|news|status|gas)\b)"
        r"[\w'-]+(?:s(?<!ss)|people|men|women|children) (?:have|has|did|do|does|had|were|are) [\w]+\b)"
    ),
    formerly=(
        r"\b(?:use(?:d)? to|previous(?:ly)?|former(?:ly)?|in the past|back then|in those days|at that time"
        r"|earlier(?! than)|prior to|once upon a time|in earlier (?:times|years|days)|originally|at one time"
        r"|ex-\w+)\b"
        r"|\bbefore\b(?=(?: (?:that|this|then|now|moving|i|we|he|she|they|my|our|his|her|the move|[\w'-]+))?\W*$"
        r"|,| (?:i|we|he|she|they) )"
        r"(?! (?:breakfast|lunch|dinner|bed|noon|midnight|work|school|bedtime|christmas|easter)\b)"
        r"|(?:(?<=\bmy )|(?<=\bour )|(?<=\bhis )|(?<=\bher )|(?<=\btheir )|(?<='s ))old(?= \w)"
    ),
    overview=(
        rf"(?:{_LEAD}[, ]+){{0,4}}(?:"
        r"what (?:all |else )?(?:do|can) you (?:know|remember|recall|tell me)(?: (?:about|of) (?:me|us|myself))?"
        r"|what (?:have|did) (?:i|we) (?:told|tell|taught|said|say|shared?|mention(?:ed)?)(?: (?:to |with )?you)?"
        r"(?: about (?:me|us|myself))?"
        r"|what do you have on me|do you (?:know|remember) (?:me|who i am|anything about me)"
        r"|(?:tell|remind) me (?:(?:all|everything|something|what) )?(?:you (?:know|remember) )?about (?:me|us|myself)"
        r"|(?:tell|show|give) me (?:all|everything|what) (?:that )?you (?:know|remember|have)(?: (?:about|on) me)?"
        r"|(?:summari[sz]e|sum up|recap|list) (?:all |everything )?(?:that )?(?:what )?"
        r"(?:you (?:know|remember)|(?:i|we)(?:'ve| have)? (?:told|said to) you)(?: about (?:me|us))?"
        r"|who am i|describe me)(?: (?:so far|please|again|already|by now))*"
    ),
    answer_form=(
        rf"\b(?:in|with|using) (?:at most |no more than |about |only |just )?(?:{_COUNT})"
        r" (?:short |brief |concise |bullet )?"
        r"(?:sentences?|words?|lines?|bullets?|points?|paragraphs?|items)\b"
        r"|\b(?:briefly|in short|in brief|in detail|in order|in chronological order|chronologically|please)\b"
    ),
)
