"""English: what only asks, what asks the assistant to do something, what wants not to be kept."""

# ruff: noqa: ARG001 - rules share one signature

from __future__ import annotations

from collections.abc import Sequence

from cogmem_core.languages.en.words import is_verb
from cogmem_core.languages.tables import lazy_pattern

AUXILIARY = (
    r"(?:is|are|was|were|am|do|does|did|has|have|had|will|would|shall|should|can|could|might|may"
    r"|must|isn't|aren't|wasn't"
    r"|weren't|don't|doesn't|didn't|hasn't|haven't|hadn't|won't|wouldn't|shouldn't|can't|couldn't)"
)
_LONGEST = 240  # characters of a question without a question mark
_SUBJECT = r"(?:i|you|we|he|she|they|there)"
_TELLS_WHAT = (
    r"(?:matters|counts|happens|happened|helps|helped|works|worked|bothers|makes|made|hurts"
    r"|remains|follows)"
)
_LEAD = r"(?:(?:and|but|so|hey|hi|hello|ok|okay|also|please|then|well)[, ]+){0,2}"
_QUESTION = lazy_pattern(
    rf"{_LEAD}(?:"
    rf"(?:what|who|whom|when|where|why|how)(?:'s|s| {AUXILIARY}) (?!why\b|how\b|because\b"
    rf"|more\b)\S"
    rf"|(?:what|which|whose|how) (?!{_SUBJECT}\b|{_TELLS_WHAT}\b|it\b)[\w'-]+ "
    rf"(?:(?!{_TELLS_WHAT}\b)[\w'-]+ )?"
    rf"{AUXILIARY} (?:{_SUBJECT}|my|your|his|her|our|their|the)\b"
    rf"|{AUXILIARY} {_SUBJECT} \w"
    r"|(?:is|are|do|does|did|can|will) (?:my|your) \w|how come \w"
    r")"
)
_ORDER = lazy_pattern(
    rf"{_LEAD}(?:tell|show) me\b|{_LEAD}(?:summari[sz]e|translate|rewrite|proofread|rephrase"
    rf"|explain) \w"
    rf"|{_LEAD}(?:write|draft|give) me an? \w"
)
_TELLING = lazy_pattern(r"\b(?:i|i'm|i've|i'd|i'll|we|we're|we've|because|ben|biz)\b")
# A clause in which somebody tells of himself: before a comma, after one, or after "did you know".
_TOLD_CLAUSE = lazy_pattern(
    r"(?:(?P<first>^)|[,;] ?|\b(?:since|because|given|know|knew|known|told you|mentioned)(?: "
    r"that)? )"
    r"(?:(?:i|we)(?:'m|'re|'ve|'d|'ll)? (?!(?:am |was |were |are |just )?(?:wonder|curious|asking"
    r"|ask|wanted to know"
    r"|want to know|need to know|would like to know|guess|suppose|think|hope|mean|say)\w{0,3}\b)\w"
    r"|(?:my|our) \w{2,20}(?: \w{2,20})? (?:is|was|has|had|just|got|can|will|does|\w{1,20}ed)\b)"
)
_GOES_ON = lazy_pattern(r"[,;] ?\S")
# Whoever asks for something to be remembered tells it; "do you remember where I live" tells
# nothing.
_TO_REMEMBER = lazy_pattern(
    r"\b(?:remember|note|save|store|record|keep in mind|bear in mind|write down)(?: down)?(?: "
    r"that\b)?[:,]? "
    r"(?:(?:i|i'm|i've|i'd|we|we're|we've)\b|(?!wh|how\b|if\b)(?:[\w'-]{1,30} ){1,4}(?:is|are|was"
    r"|were|has|have|had"
    r"|likes?|loves?|hates?|prefers?|lives?|works?|wants?|needs?|can't|cannot|must)\b)"
    r"|\bintroduce (?:you to )?(?:my|our)\b"
)
_CLEFT = lazy_pattern(
    r"(?:what|who|where|when)(?:'s| is| was) .{1,80}? (?:is|was) (?:that|my|our|because|when|how"
    r"|the|i|to|an?)\b"
)
# Without a question mark, what follows may be a statement: "should you call I am at home".
_STATEMENT = lazy_pattern(
    r"(?:\b(?P<question>what|which|who|whose|where|when|why|how)\b(?: [\w'-]{1,30}){0,3} )?"
    r"\b(?:i am|i'm|i've|i'll|i'd|i will|we are|we're|we've|we'll|(?:my|our) \w{2,20} (?:is|was"
    r"|has))\b"
)
_TAG = lazy_pattern(rf", {AUXILIARY} (?:{_SUBJECT}|it)\?\Z")  # "music is amazing, isn't it?"
# "My cat is called what again", "my sister works where".
_TAIL_QUESTION = lazy_pattern(
    r".{1,80}\b(?:is|are|was|were|called|named|live|lives|work|works|born|at|on|in|to|for|from|starts?"
    r"|leaves?|ends?|opens?|closes?|costs?)"
    r"(?: [\w']{1,20})? (?:what(?: (?:time|day|size|colou?r|number|street|floor|date))?|who|where|when|which(?: one)?"
    r"|how (?:much|many|old|long))(?P<again>(?: (?:again|now|then|exactly|please))*)\W*\Z"
)
_KNOWING = lazy_pattern(
    r"\b(?:know|knew|knows|forgot|forget|idea|guess|remember|sure|see|tell|told|ask|asked|matter|care)\b"
)
_WONDERS = lazy_pattern(
    rf"{_LEAD}(?:(?:i|we)(?:'m| am| was|'re| are)? )?(?:just )?wonder(?:ing|ed)? "
    r"(?:who|what|when|where|why|how|which|whether|if)\b[^,;]*\Z"
)
# Not to be kept: "no need to remember this", "don't keep a note of that".
_NOT_KEPT = (
    r"(?:(?:you )?(?:do not|don't|dont|needn't|never) (?:need to |have to )?|no need to |never mind |"
    r"(?:i'd|i would) (?:rather|prefer) (?:(?:if )?you (?:didn't|did not) )|not )"
    r"(?:for your memory\b|(?:remember(?:ing)?|memori[sz]e|(?:keep|make|take) (?:a |any )?"
    r"(?:notes?|records?) (?:of|on)|commit|(?:write|note)(?= (?:this|that|it) down\b)|save|store|record"
    r"|log) (?:this|that|it|any of (?:this|that))\b)"
    r"(?: (?:down|to memory|in your memory|anywhere|for later))?"
    r"|(?:keep|leave) (?:this|that|it) (?:out of|off) (?:your |the )?(?:memory|notes|records?)"
    r"|(?:this|that) (?:is|stays|was) off the record|between (?:us|you and me), (?:do not|don't) "
    r"(?:write|note|save|store|remember) (?:this|that|it)"
)
_NOT_SAVED = r"off the record"
_CONTRACTION = lazy_pattern(r"(?:i|you|he|she|it|we|they|that|there|who)'\w")


def only_asks(sentence: str, folded: str) -> bool | None:
    """Whether a sentence in lower case only asks; None if English cannot tell."""
    if _TO_REMEMBER.search(sentence):
        return False
    question = _QUESTION.match(sentence) is not None
    if sentence.endswith("?"):
        return not _tells(sentence) and (question or not _TAG.search(sentence))
    if _asks_at_the_end(sentence):
        return True
    if len(sentence) > _LONGEST or sentence[-1] in ".!":
        return False
    return _asks_without_mark(sentence, question=question)


def _asks_without_mark(sentence: str, *, question: bool) -> bool | None:
    if question:
        return not (_tells(sentence) or _CLEFT.match(sentence) or _states(sentence))
    if _ORDER.match(sentence):
        return _TELLING.search(sentence) is None
    return None


def _asks_at_the_end(sentence: str) -> bool:
    """Whether a question word stands where the answer would: "my cat is called what again"."""
    if _WONDERS.match(sentence.rstrip(".!")):
        return True
    match = _TAIL_QUESTION.match(sentence)
    if match is None or _KNOWING.search(sentence):
        return False
    return bool(match["again"]) or sentence[-1] not in ".!"


def _tells(sentence: str) -> bool:
    """Whether a clause of a question tells something.

    The first clause counts only if there is another one that asks.
    """
    for clause in _TOLD_CLAUSE.finditer(sentence):
        if clause["first"] is None or _GOES_ON.search(sentence, clause.end()):
            return True
    return False


def _states(sentence: str) -> bool:
    return any(match["question"] is None for match in _STATEMENT.finditer(sentence))


def is_clause(text: str, words: Sequence[str]) -> bool:
    """Whether a short text has a contracted verb first, or a verb after its first word."""
    return _CONTRACTION.match(words[0]) is not None or any(map(is_verb, words[1:]))


REQUESTS = (
    r"(?:please |pls |now |ok |then |also |and |just |could you |can you |would you )*(?!order \d)"
    r"(?:(?:remind|tell|show|give|send|write|find|get|make|draft|read|teach) (?:me|us)\b(?! (?:every|always))"
    r"|(?:send|write|draft|compose|prepare|create|generate|design|plan|make|build|find|list|name|suggest"
    r"|recommend|show|summari[sz]e|translate|proofread|rewrite|rephrase|paraphrase|shorten|explain"
    r"|describe|compare|calculate|compute|convert|count|solve|fix|debug|refactor|review|check|analy[sz]e"
    r"|extract|sort|format|search|google|look up|book|order|schedule|set|cancel|play|open|print|add"
    r"|continue|go on with|complete|finish|repeat|turn) "
    r"(?:(?:me|us|out|up|down|on|off) )?(?:an?|the|this|that|these|those|my|our|it|them|some|all|any|another|up"
    r"|more|to|for|\d+|one|two|three|four|five|six|ten|twenty|what|how|why|which|where|who|whether)\b"
    r"|help me|let's (?:see|talk|go|try|start|move|continue|do (?:it|that|this)|keep going|begin))"
)
NO_REQUEST = (
    r"\b(?:always|never|every|each|from now on|whenever|in future|by default|as a rule)\b"
    r"|\bremind (?:me|us) (?:to|that)\b|[,;\u2013\u2014-] (?:that is|that's|this is|which is)\b"
    r"|[,;\u2013\u2014-] (?:mine|i|i'm|i've|my|we|we're|our|she|she's|he|he's|they|it's)\b"
    r"|\b(?:because|since)\b|(?<!me )(?<!us )(?<!again )\b(?:who|whose)\b"
)
OPT_OUTS = (
    r"(?:please |pls |ok |but )*(?:do not|don't|dont|never|no need to) "
    r"(?:remember|store|save|keep|memori[sz]e|record|note(?: down)?|log|write (?:this|that|it) down) "
    r"(?:this|that|it|any of this|what|the following|anything)\b"
    r"(?! (?:in|on|at|near|under|with|for|from|inside|outside) (?!(?:your )?(?:memory|mind|notes)))"
    r"|(?:this is )?off the record\b"
    r"|(?:forget|ignore) (?:what i just said|i said (?:that|anything)|that last)"
    rf"|{_LEAD}{_NOT_KEPT}"
)
OPT_OUTS_BEHIND = (
    rf"(?:but |and |so |please )*(?:{_NOT_KEPT}|{_NOT_SAVED})(?= ?(?:$|[,.;!)]| please\b))"
)
