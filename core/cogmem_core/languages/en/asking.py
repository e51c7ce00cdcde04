"""English: what only asks, what asks the assistant to do something, what wants not to be kept."""

# ruff: noqa: ARG001 - rules share one signature

from __future__ import annotations

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
