"""English: phrases by which a statement ends, denies or corrects an older one; folded."""

from cogmem_core.languages.base import ContradictionRules, Switch
from cogmem_core.languages.tables import words

_FROM_TO = (
    r"\b(?:switched|switching|moved|migrated|changed|converted"
    r"|went)(?:\s(?:everything|all|it|them|over))?(?:\s(?:my|our|the)\s\w+)?(?:\sback)?"
    r"(?:\sto\s(?P<to>[\w' -]{1,40}?))?\sfrom\s"
    r"(?P<a>[\w' -]{1,40}?)(?:\s(?:back\s)?to\s|[.,;!]|$)"
)
_INSTEAD = (
    r"\b(?:instead\sof|rather\sthan|replaced)\s(?P<a>[\w' -]{1,40}?)"
    r"(?:\s(?:with|by|for|now)\b|[.,;!]|$)"
)

CONTRADICTIONS = ContradictionRules(
    wishes=(
        r"\b(?:i'd|we'd|i would|we would) (?:rather|prefer|like|love)\b|\b(?:i|we) (?:wish|hope)\b"
    ),
    correction_cues=(
        r"actually|correction|i meant|i mean|to correct|should be|should have been|was wrong"
        r"|were wrong|is wrong|that's wrong|that's not right|misspoke|my mistake|not anymore"
        r"|no longer|in fact|turns out"
        r"|scratch (?:that|what i)|scrap (?:that|what i)|forget what i said|told you wrong"
        r"|got (?:that|it|this) wrong|mixed (?:\w+ )?(?:that|it|them|up)|typo earlier|instead of|rather than"
    ),
    correction_openers="no|sorry|(?:no,? )?wait",
    contrast=r",\s?not\s",
    meant=r"i meant?(?: to say)?(?: that)?",
    cue_words=words("actually correction sorry no wait meant mean"),
    articles=words("a an the it's that's"),
    subject_openers=words("actually now"),
    own_subjects="i|i'm|i've|user|we",
    owners="my|our|user's",
    switches=(Switch(_FROM_TO, needs_use=True), Switch(_INSTEAD, needs_use=True)),
    stopped=(
        r"\b(?:stopped|quit|gave\sup|given\sup|done\swith|no\slonger|don't|doesn't"
        r"|not)\s(?P<a>[\w' -]{2,60}?)(?:\s(?:any\s?more)\b|[.,;!]|$)"
    ),
    stop_cue=(
        r"(?<!n't\s)(?<!\bnot\s)(?<!\bnever\s)"
        r"\b(?:stopped|quit|gave\sup|given\sup|done\swith|no\slonger|any\s?more)\b"
    ),
    back=(
        r"\b(?:switched|went|gone|changed|moved|am|i'm)\sback\s(?:to|on)\s"
        r"(?P<b>[\w' -]{1,40}?)(?:[.,;!]|\sagain|$)"
    ),
    switched_to=r"\b(?:switched|changed|moved|use|uses|using|prefers?|drinks?|went|on)\b",
    went_over=(
        r"\b(?:we|i|we've|i've|and|so|then)\s(?:(?:have|just|finally|now|since|recently|all)\s){0,2}"
        r"(?:(?:moved|switched|changed|migrated)\s(?:(?:over|everything|all|it|across)\s){0,3}"
        r"|(?:went|gone|came)\sover\s)to\s(?P<a>\S)"
        r"|\b(?:we|i)\s(?:(?:all|just)\s)?now\s(?:use|buy|order|get|go|work|bank|host|run)\s"
        r"(?:(?:from|to|with|at|on|it)\s){0,2}(?P<b>\S)"
        r"|\b(?:everything|it all)\s(?:runs|lives|is|sits)\s(?:on|in|at|with)\s(?P<c>\S)"
    ),
    target=r"\b(?:to|use|uses|using|prefers?|drinks?|on)\s([\w' -]{1,40}?)(?:\sfrom\b|[.,;!]|$)",
    use_before=(
        r"\b(?:use|uses|using|prefers?|drinks?|likes?|loves?|eats?|takes?|drives?|have|has|is|are"
        r"|am"
        r"|to|on|in|at|with)\s(?:(?:the|an?|my|our)\s)?"
    ),
    use_behind=(r"(?=\W{0,9}$|[.,;!]|\s(?:for|as|at|in|on|with|since|every|to|and|from)\b)"),
    states=r"\b(?:is|are|has|costs?|weighs?|runs\son|needs|contains|holds|lasts|seats)\s",
    events=(
        r"\b(?:meetings?|calls?|appointments?|episodes?|chapters?|rooms?|flights?)\b|\bat\s\d"
        r"|\bon\s\d"
    ),
)
