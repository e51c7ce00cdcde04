"""English, folded: what people are asked about themselves, and in which words they tell it."""

from cogmem_core.languages.base import Topic

_ADVERBS = r"(?:\s(?:now|just|finally|currently|still|already|recently|been|both))*"
_I = rf"\b(?:i|we)(?:'m|'re|'ve)?(?:\s(?:am|are|have))?{_ADVERBS}"
_AM = rf"\b(?:i'm|i\sam|we're|we\sare|i've\sbeen|i\shave\sbeen){_ADVERBS}"
_START = rf"(?:\A|[.!?,;:]\s|{_I}\s)"
_PHONE = r"(?:mobile|phone|cell|cellphone|sim)"
_DATA = r"(?:gigabytes?|gb|minutes|roaming|data|sim|mobile|phone)"
_WORK = r"(?:to|into)\s(?:the\s|my\s|our\s)?(?:work|office|school|campus|uni|university|college|lab|job)"
_MODE = (
    r"(?:by|on)\s(?:the\s|my\s)?(?:train|bus|tram|metro|tube|subway|underground|ferry|boat|bike|bicycle"
    r"|e-?bike|scooter|moped|motorbike|motorcycle|car|taxi|foot)\b"
)
_BEDSIDE = r"on\smy\s(?:bedside\stable|bedside|night\s?stand)"
_DRUG = r"[a-z]+(?:ine|in|ol|pril|tan|ide|one|pam|zole|vir|mab|line|mide|ion)\b"
_RACE = (
    r"(?:an?\s|the\s|my\sfirst\s)?(?:[\w-]+\s){0,3}?"
    r"(?:marathon|triathlon|ironman|ultra|race|\d+\s?k|[\w-]*kilomet(?:re|er)s?)\b"
)
_TRADE = (
    r"(?:[a-z]+(?:ologist|iatrist|therapist|grapher|keeper|maker|worker|smith|wright|penter|eer|ician)"
    r"|accountant|actor|actress|analyst|apprentice|architect|assistant|attorney|author|baker|barber"
    r"|barista|barrister|bartender|bricklayer|builder|butcher|carer|chef|cleaner|clerk"
    r"|coach|composer|consultant|contractor|cook|copywriter|courier|curator|dentist|designer|developer"
    r"|director|doctor|driver|editor|farmer|firefighter|florist|freelancer|gardener|gp|hairdresser"
    r"|headteacher|illustrator|instructor|interpreter|joiner|journalist|judge|labourer|lawyer|lecturer|librarian"
    r"|lifeguard|manager|mechanic|midwife|musician|nanny|nurse|optometrist|officer|painter|paralegal"
    r"|paramedic|pharmacist|pilot|plasterer|plumber|porter|postman|producer|professor|programmer"
    r"|radiographer|realtor|receptionist|recruiter|reporter|researcher|roofer|sailor|scientist"
    r"|secretary|soldier|solicitor|student|supervisor|surgeon|surveyor|tailor|teacher|tester|translator"
    r"|tutor|vet|waiter|waitress|welder|writer)"
)
_WORKPLACE = (
    r"(?:agency|bakery|bar|business|cafe|clinic|company|department|farm|firm|hotel|nursery|practice|pub"
    r"|restaurant|salon|school|[a-z]*shop|startup|store|studio|team)"
)
_KIN = (
    r"(?:mother|father|mum|mom|mummy|mommy|dad|daddy|mama|papa|parent|sister|brother|sibling|son|daughter"
    r"|wife|husband|partner|spouse|girlfriend|boyfriend|fianc[e]{1,2}|aunt|auntie|uncle|cousin|niece|nephew"
    r"|grand(?:ma|pa|mother|father|parent|son|daughter|child|children|kid)|gran|granny|nana"
    r"|step(?:mother|father|mum|mom|dad|son|daughter|sister|brother)|in-laws?|twin|kid|child|children|baby)"
)
_PET = (
    r"(?:dog|cat|puppy|puppies|kitten|rabbit|bunny|bunnies|hamster|parrot|horse|pony|ponies|goldfish"
    r"|tortoise|turtle|guinea\spig|budgie|budgies|canary|ferret|gecko|pet|labrador|spaniel|terrier"
    r"|retriever|poodle|beagle|corgi|dachshund|husky|greyhound)"
)
_COUNT = r"(?:an?|one|two|three|four|five|six|\d)"
_ENDS = r"s?(?:-in-law)?(?![\w'-])"
_ALONE = r"(?!')(?!\s(?!so\b|please\b|again\b|and\b|members?\b|called\b|named\b)\w)"
_ABOUT = (
    r"\b(?:about|describe|summari[sz]e|who(?:'s|\sis|\sare)(?:\sall)?(?:\sin)?|how(?:'s|\sis|\sare)"
    r"|what(?:'s|\sis|\sare))\s(?:my|our)\s(?:(?!family)\w+\s)?"
)
_AILMENT = (
    r"(?:asthma|diabetes|epilepsy|migraines?|eczema|psoriasis|anxiety|depression|hypertension|insomnia"
    r"|high\sblood\spressure|coeliac|celiac|adhd|autism|cancer|ibs|hiv|hay\sfever|tinnitus|vertigo"
    r"|sleep\sapnoea|sleep\sapnea|back\spain|a\sbad\s(?:back|knee|hip|shoulder)"
    r"|an?\s(?:heart|thyroid|kidney|liver)\s\w+|[a-z]{3,}(?:itis|osis|algia|emia|opathy))"
)
_CLASSES = {
    "family": Topic(
        asks=(
            rf"{_ABOUT}(?:family|relatives|folks)\b{_ALONE}"
            r"|\b(?:what|which|who|any)\s(?:family|relatives)(?:\smembers)?\s(?:do|have)\s(?:i|we)\b"
            r"|\bdo\s(?:i|we)\shave\s(?:any\s|a\s)?(?:family|relatives)\b"
        ),
        tells=(
            rf"\b(?:my|our)\s(?:[a-z-]+\s){{0,2}}?{_KIN}{_ENDS}",
            rf"\b(?:i|we)(?:'ve|\shave)(?:\sgot)?\s{_COUNT}\s(?:[a-z-]+\s){{0,2}}?{_KIN}{_ENDS}",
            rf"{_AM}\s(?:happily\s)?(?:married|engaged|divorced|widowed|an?\sonly\schild)\b",
        ),
    ),
    "pets": Topic(
        asks=(
            rf"{_ABOUT}(?:pets?|animals)\b{_ALONE}"
            r"|\b(?:what|which|any)\s(?:kind\sof\s)?(?:pets?|animals)\s(?:do|have)\s(?:i|we)\b"
            r"|\bdo\s(?:i|we)\s(?:have|own)\s(?:any\s|a\s)?(?:pets?|animals)\b"
        ),
        tells=(
            rf"\b(?:my|our)\s(?:(?!hot\s)[a-z-]+\s){{0,2}}?{_PET}{_ENDS}"
            r"(?!\s(?:food|flap|litter|collar|lead|leash|bed|toys?|sitter|show|person)\b)",
            rf"\b(?:i|we)(?:'ve|\shave)?\s(?:just\s)?(?:have|got|own|keep|adopted|bought|rescued)"
            rf"\s{_COUNT}\s(?:(?!hot\s)[a-z-]+\s){{0,2}}?{_PET}{_ENDS}",
        ),
    ),
    "health": Topic(
        asks=(
            rf"{_ABOUT}(?:health|medical\shistory|(?:health|medical)\s(?:problems?|conditions?|issues?))\b{_ALONE}"
            r"|\b(?:what|which|any)\s(?:health|medical)\s(?:problems?|conditions?|issues?)\s(?:do|have)\s(?:i|we)\b"
            r"|\bdo\s(?:i|we)\shave\s(?:any\s|a\s)?(?:health|medical)\s(?:problems?|conditions?|issues?)\b"
        ),
        tells=(
            rf"{_AM}\s(?:badly\s|very\s|severely\s)?(?:allergic|lactose|intolerant|diabetic|asthmatic|epileptic|coeliac|celiac)\b",
            r"\b(?:i|we)(?:'ve|\shave)(?:\sgot)?\s(?:an?\s)?(?:[a-z-]+\s){0,2}?(?:allergy|intolerance)\b",
            rf"{_I}\s(?:take|taking|on)\s(?!the\b)(?:\d[\d.,]*\s?\w+\s(?:of\s)?)?{_DRUG}",
            rf"{_I}\s(?:take|taking|on|inject|injecting)\s(?:[a-z-]+\s){{0,3}}?\d[\d.,]*\s?(?:mg|mcg|ml|iu|units)\b",
            rf"\b(?:diagnosed\sme\swith|(?:i\swas|{_I})\s(?:diagnosed\swith|suffer\sfrom|suffering\sfrom))\b",
            rf"\b(?:i|we)(?:'ve|\shave|\shad)(?:\sgot|\shad)?\s(?:(?!an?\s|the\s)[a-z-]+\s){{0,2}}?{_AILMENT}\b",
            rf"\bmy\s(?:[a-z-]+\s){{0,1}}?(?:blood\s(?:pressure|sugar|type|group)|cholesterol|{_AILMENT})\b",
            r"\bi(?:'ve|\shave)?\s(?:broke|broken|sprained|tore|torn|fractured)\smy\s\w",
            r"\bi(?:'ve|\shave)?\s(?:had|need)\s(?:an?\s)?(?:[a-z-]+\s){0,2}?(?:surgery|operation|transplant|pacemaker)\b",
        ),
    ),
}

TOPICS = {
    **_CLASSES,
    "occupation": Topic(
        asks=(
            r"\bwhat(?:'s|\sis)?\s(?:my|our)\s(?:current\s|new\s|present\s)?(?:job|job\stitle|occupation"
            r"|profession|line\sof\swork|trade)\b(?!\s\w)"
            r"|\bwhat\sdo\s(?:i|we)\sdo(?:\sfor\s(?:a\sliving|work)|\sprofessionally)?\s*\?*\Z"
            r"|\bwhat\s(?:kind|sort|type)\sof\s(?:work|job)\sdo\s(?:i|we)\s(?:do|have)\b"
            r"|\bwhat\s(?:do|am)\si\s(?:work|working|employed)\sas\b"
            r"|\bhow\sdo\s(?:i|we)\s(?:earn|make)\s(?:a|my|our)\sliving\b"
        ),
        tells=(
            rf"{_I}\s(?:work|working)\s(?:part-?time\s|full-?time\s|nights\s|shifts\s)?(?:as|for|at|in)\s"
            r"(?!(?:the\s|my\s)?(?:garden|weekend|weekends|night|home|kitchen|morning|evening|bed)\b)",
            rf"{_I}\s(?:work|working)\s(?:nights|shifts|part-?time|full-?time|freelance)\b",
            rf"{_AM}\s(?:an?\s|the\s|employed\sas\san?\s)(?:[\w-]+\s){{0,3}}?{_TRADE}\b",
            rf"{_I}\s(?:self-?employed|freelance|freelancing|unemployed|retired|between\sjobs)\b",
            rf"{_I}\s(?:teach|teaching)\s(?!my|our|myself|him|her|them|you\b)[a-z]",
            rf"{_I}\s(?:drive|driving)\s(?:an?\s)?(?:taxi|cab|bus|lorry|truck|ambulance|tram)\b",
            rf"{_I}\s(?:run|own|manage|running|managing)\s(?:an?|my|our|the)\s(?:[\w-]+\s){{0,3}}?{_WORKPLACE}\b",
            rf"\b(?:started|qualified|retrained|hired|took\sover|promoted|begun|stayed\son)\s"
            rf"(?:me\s)?(?:as|to)\s(?:an?\s|the\s)?(?:[\w-]+\s){{0,3}}?{_TRADE}\b",
            r"\b(?:be|become|becoming|became|am|i'm|made\sme|promoted\sto)\s(?:the\s|a\s)?(?:new\s)?head\sof\b",
            r"\bmy\s(?:[\w-]+\s)?(?:job|job\stitle|occupation|profession|trade)\s(?:is|involves)\b",
            rf"\b(?:by\s(?:trade|profession)|for\sa\sliving)\b|\b{_TRADE}\shere\b",
        ),
    ),
    "phone contract": Topic(
        asks=(
            rf"\b{_PHONE}\s(?:provider|contract|carrier|operator|company|plan|network|tariff)\b"
            r"|\bcarrier\b|\bnetwork\s(?:am|are)\s(?:i|we)\b"
        ),
        tells=(
            rf"{_I}\s(?:with|on)\s<name>[\w&.-]*(?:\s\w+)?\s(?:for|with)\s(?:my\s|the\s)?{_PHONE}\b",
            rf"\b{_PHONE}\s(?:contract|plan|number|tariff|provider)\s(?:is|runs)(?:\snow)?\s"
            r"(?:with\s|from\s|at\s|by\s|on\s)?<name>",
            r"\bsim(?:\scard)?\s(?:is\s)?(?:from|by)\s<name>",
            rf"{_START}(?:ported|moved|switched|transferred|took|taken)\s(?:my|our)\s"
            rf"(?:{_PHONE}\s)?(?:{_PHONE}|number|contract)\s(?:over\s)?to\s<name>",
            rf"<name>[\w&.-]*\s(?:gives|charges|offers)\s(?:me|us)\b[^.!?]{{1,60}}\b{_DATA}\b",
            rf"\b(?:took|taken|accepted)\s(?:the|an?)\s<name>[\w&.-]*\s(?:offer|plan|contract|tariff)\b"
            rf"[^.!?]{{1,60}}\b{_DATA}\b",
        ),
    ),
    "gym": Topic(
        asks=(
            r"\b(?:gym|fitness\s(?:club|studio|centre|center))\b"
            r"|\bwhere\s(?:do|am|are)\s(?:i|we)\s(?:train|training|work\sout|working\sout|exercise)\b"
        ),
        tells=(
            rf"{_I}\s(?:train|training|work\sout|working\sout|exercise|lift)\s(?:at|in)\s(?:the\s)?\w",
            r"\b(?:my|our)\s(?:gym\s)?membership\s(?:is|runs)(?:\snow)?\s(?:at|with)\s<name>",
            r"\b(?:my|our)\s(?:new\s)?gym\s(?:is|is\snow|is\scalled)\s<name>",
            r"\b(?:first|second|third|fourth|fifth)\s(?:session|class|workout|training)\s(?:at|in)\s<name>",
            rf"{_START}(?:joined|signed\sup\s(?:at|with|for))\s(?:the\s)?<name>[^.!?]{{0,40}}\bgym\b",
            rf"{_START}(?:joined|signed\sup\s(?:at|with|for))\sthe\s(?:new\s)?gym\s(?:at\s|called\s)?<name>",
        ),
    ),
    "commute": Topic(
        asks=(
            r"\b(?:my|our|i|we)\scommute\b"
            rf"|\bhow\s(?:do|am|are)\s(?:i|we)\s(?:get|getting|go|going|travel|come)\s{_WORK}\b"
        ),
        tells=(
            rf"\b(?:my|our)\scommute\s(?:is|has\sbecome)(?:\snow)?\s{_MODE}",
            rf"{_START}(?:stopped\s)?(?:get|go|come|travel|getting|going|coming|travelling)\s{_WORK}\s"
            rf"(?:\w+\s){{0,2}}{_MODE}",
            rf"{_START}(?:started\s|begun\s)?(?:walk|cycle|drive|bike|ride|run)\s{_WORK}\b",
            rf"{_START}(?:started\s|begun\s)?(?:walking|cycling|driving|biking|riding|running)\s{_WORK}\b",
            rf"{_START}(?:started\s)?(?:take|taking|ride|riding|catch|catching)\s(?:the|my|a)\s(?:\w+\s){{1,2}}"
            rf"{_WORK}\b",
        ),
    ),
    "book": Topic(
        asks=(
            r"\b(?:what|which\s(?:book|novel))\s(?:am|are)\s(?:i|we)\s(?:\w+\s)?reading\b"
            rf"|\b{_BEDSIDE}\b|\bmy\scurrent\s(?:book|read|novel)\b"
        ),
        tells=(
            rf"{_I}\s(?:re)?reading\s<name>",
            rf"{_I}\s(?:halfway|\w+\spages|\w+\schapters)\s(?:through|into)\s<name>",
            rf"\b{_BEDSIDE}\s(?:there's|there\sis|lies|is|sits)\s<name>",
            rf"{_START}(?:just\s)?(?:started|began|begun|opened)\s<name>[^.!?]{{1,60}}"
            r"\b(?:pages?|chapters?|novel|book|in\sbed|last\snight|before\s(?:bed|i\ssleep))\b",
            r"\b(?:pages|chapters?)\sof\s<name>",
            r"\bmy\s(?:current|new)\s(?:book|read|novel)\sis\s<name>",
        ),
    ),
    "series": Topic(
        asks=(
            r"\b(?:series|show)\s(?:am|are|do)\s(?:i|we)\b"
            r"|\bwhat\s(?:am|are|do)\s(?:i|we)\s(?:\w+\s)?watch(?:ing)?\b"
        ),
        tells=(
            rf"{_I}\s(?:watch|watching|hooked\son|bingeing|binging)\s<name>",
            rf"{_I}\s\w+\sepisodes?\sinto\s<name>",
            r"\b(?:first|second|third|fourth|next|new)\sepisodes?\sof\s<name>",
            rf"{_START}(?:just\s)?(?:started|began|begun)\s<name>[^.!?]{{1,40}}\b(?:seasons?|episodes?)\b",
        ),
    ),
    "medication": Topic(
        asks=r"\b(?:medication|medicine|meds|pills?|tablets?)\s(?:do|am|are)\s(?:i|we)\b",
        tells=(
            r"\b(?:put|moved|switched|changed|started|has|have)\sme\s(?:over\s)?(?:on|onto|to)\s[a-z]{4,}",
            r"\b(?:changed|switched)\smy\s(?:prescription|medication|medicine|pills|tablets)\sto\s[a-z]",
            r"\b(?:my|the|those)\s(?:\w+\s){0,2}(?:pills|tablets|medicine|medication)\s(?:are|is)"
            r"(?:\snow|\scalled)*\s[a-z]{5,}",
            rf"{_I}\s(?:take|taking|on)\s{_DRUG}",
        ),
    ),
    "race": Topic(
        asks=(
            r"\bmy\s(?:running|race|fitness|training)\sgoal\b"
            r"|\b(?:what|(?:which|what)\srace)\s(?:am|are)\s(?:i|we)\s(?:training|preparing)\sfor\b"
        ),
        tells=(
            rf"{_I}\s(?:training|preparing|train)\sfor\s{_RACE}",
            rf"\bmy\s(?:\w+\s)?goal(?:\s\w+){{0,2}}\sis\s(?:to\s(?:run|finish)\s)?{_RACE}",
            rf"{_START}(?:i'll\s)?(?:want\sto\s(?:run|finish)|go\sfor|going\sfor|signed\sup\sfor|entered)\s{_RACE}",
            rf"\bthinks\s{_RACE}\ssuits\sme\b",
            rf"\bwants\sme\sto\s(?:run|do|try)\s{_RACE}",
        ),
        wished=True,
    ),
    "language": Topic(
        asks=r"\b(?:which|what)\slanguage\s(?:am|are|do)\s(?:i|we)\s(?:\w+\s)?(?:learn|study)",
        tells=(
            rf"{_I}\s(?:learn|learning|study|studying)\s<name>",
            rf"{_I}\s(?:take|taking|have)\s(?:lessons|a\scourse|classes)\sin\s<name>",
            r"\b(?:my|our|first|second)\s(?:first\s|second\s|evening\s)?<name>[a-z]+\s(?:lesson|class|course)",
        ),
    ),
}
