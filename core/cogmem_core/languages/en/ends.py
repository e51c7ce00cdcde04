"""English: by which words a statement begins, ends and lasts."""

from cogmem_core.languages.base import EndRules

_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_NEAR = r"(?:(?:about|around|roughly|at least|early|late|mid|the)\s)*"
_STATES = (
    "lived|worked|had|used to|owned|rented|smoked|drove|drank|studied|taught|played|spoke|kept"
    "|wore|belonged|knew|loved|liked|hated|ate|ran|served|dated|stayed|commuted|volunteered|sang"
    "|danced|shared|did|rode|coached|managed|believed|preferred"
)
_FUTURE = (
    r"will|shall|won't|going to|gonna|[a-z]{1,5}'ll|(?:plan|plans|planning|intend|intends|aim) to"
)

ENDS = EndRules(
    closes_before=(
        r"(?<!\bwent\s)(?<!\bgo\s)(?<!\bgoing\s)(?<!\bgot\s)(?<!\bget\s)"
        rf"\b(?:until|till|til|up to|up till|through|thru)\s{_NEAR}$"
    ),
    excludes_before=rf"\b(?:before|prior to)\s{_NEAR}$",
    opens_before=(
        r"\b(?:since|from|starting(?:\s(?:on|from|in|with))?|beginning(?:\s(?:on|in|with))?"
        rf"|as (?:of|from)|effective(?:\sfrom)?)\s{_NEAR}$"
    ),
    pairs=(
        r"\b(?:between\s(?:the\s)?<[^<>]*>\s?(?:and|to|-|\u2013)\s?(?:the\s)?<"
        r"|from\s(?:the\s)?<[^<>]*>\s?(?:to|until|till|til|through|thru|up to|-|\u2013)"
        r"\s?(?:the\s)?<)"
    ),
    still_not=(
        r"\b(?:didn't|did not|wasn't|was not|weren't|were not|hadn't|had not|couldn't|could not"
        r"|don't|do not|doesn't|does not|isn't|is not|aren't|are not|never|nobody|nothing)\b"
    ),
    goes_on=r"\b(?:now|nowadays|currently|these days|since then|then|instead|today|but)\b",
    states=(
        rf"\b(?:{_STATES}|(?:was|were)(?!\s(?:born|founded|built|finished|done|made|sold|bought"
        r"|married|diagnosed|hired|promoted|told)\b))\b"
    ),
    begins=r"\b(?:start|starts|starting|begin|begins|beginning|opens|moves? in|joins?)\b",
    future=rf"\b(?:{_FUTURE})\b",
    duties=rf"\b(?:{_FUTURE}|must|have to|has to|had better|need to|needs to|should)\b",
    yearly=r"\b(?:birthdays?|b-day|bday|anniversary|name ?day)\b",
    monthly=(
        r"\b(?:due|payable|payday|rent|salary|wages?|mortgage|invoices?|bills?|subscription"
        r"|instal?lments?|standing order|direct debit|allowance|pension|(?:get|gets|are|is|be) paid"
        r"|collected|debited|charged|renews|comes? out|goes out|pays)\b"
    ),
    weekly=(
        rf"\b(?:{_WEEKDAY}\s?(?:to|through|thru|until|till|-|\u2013)\s?{_WEEKDAY}"
        rf"|(?:first|second|third|fourth|last|1st|2nd|3rd|4th) {_WEEKDAY} (?:of|in) (?:the|each|every|a) month"
        rf"|(?:every other|alternate) {_WEEKDAY}s?"
        rf"|days? off (?:is|are|on)|(?:day|night) is (?:on )?{_WEEKDAY}"
        rf"|{_WEEKDAY} is (?:(?:my|our|the|a) )?(?:[a-z]+ )?(?:night|day|evening|morning))\b"
    ),
    names_before=(
        r"(?:\b(?:is|was|are|were|been|an? [a-z]+)|'s|'re) (?:called|nicknamed)\s[\"']?$"
        r"|\b(?:named|nicknamed|name(?:'s| is| was)"
        r"|(?:my|our|his|her|their|the) (?:dog|cat|puppy|kitten|parrot|hamster|horse|pony|rabbit"
        r"|tortoise|pet|sister|brother|daughter|son|niece|nephew|cousin|aunt|uncle|wife|husband"
        r"|girlfriend|boyfriend|flatmate|roommate|band|boat|robot))\s[\"']?$"
    ),
    names_after=(
        r"[\"']?\s(?:is|was) (?:my|our|his|her|their) (?:dog|cat|puppy|kitten|parrot|hamster|horse"
        r"|pony|rabbit|tortoise|pet|sister|brother|daughter|son|niece|nephew|cousin|aunt|uncle"
        r"|flatmate|roommate)\b"
    ),
    lasting=(
        r"\b(?:from now on|from here on|for good|for ?ever|for life|for the rest of|permanently"
        r"|no longer|any ?more|always|(?<!as\s)ever again|never|as a rule|usually|normally)\b"
    ),
    general=(
        r"\b(?:if|unless|whenever|when it|when there|anything|everything|anyone|everyone|anybody"
        r"|everybody|whatever|wherever|every|won't|will not)\b"
    ),
    appointments=(
        r"\b(?:appointments?|meetings?|calls?|lessons?|lectures?|seminars?|workshops?|webinars?"
        r"|conference|dinner|lunch|breakfast|brunch|picnic|barbecue|flights?|train|bus|ferry"
        r"|interviews?|party|concert|gig|cinema|theatre|exam|haircut|check-?ups?|rehearsal|trip|inspection"
        r"|presentation|dentist|see (?:the|my|our|an?)"
        r"|visit|visits|visiting|fly|flies|flying|travel|travels|travell?ing|drive|drives"
        r"|meet|meets|seeing|attend|attends|attending|hiking|swimming|go out|going out)\b"
    ),
)
