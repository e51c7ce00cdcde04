"""English: what a question asks for."""

# ruff: noqa: SIM905 - rules share one signature; a table is read as a table

from __future__ import annotations

import re

from cogmem_core.languages.base import (
    AnswerRules,
    Completion,
    QueryRules,
    SplitRules,
    Strengths,
)
from cogmem_core.languages.en.asking import (
    AUXILIARY,
    only_asks,
)
from cogmem_core.languages.en.forgetting import FORGETTING
from cogmem_core.languages.loading import areas_of
from cogmem_core.languages.tables import any_of, lazy_pattern

_OPENS = r"(?:^|[.?!,;:]\s{0,3})(?:(?:and|but|so|also|hey|ok|okay|please|exactly) )?"
_ASKER = (
    r"(?:remember|recall|know|tell me|remind me|say|sure|wonder|forgot|forgotten|find out)(?: "
    r"exactly| just)?"
)
_ASKED_UNIT = r"(?:day|date|time|hour|week|weekend|month|season|year|decade|century)"
_UNIT = r"(?:minute|hour|day|week|month|year)s?"
_FULL_MONTHS = any_of(
    [name for name in areas_of("en")["time"].months if len(name) > 3 or name == "may"]
)
_YEAR = r"(?:19|20)\d\d"

# Strength is around 0.9 for the question word that opens a question, and 0.5 or less for what
# merely goes with it.
_WHEN_OPENING = (
    rf"{_OPENS}(?:since |until |till |from |by |around )?when(?:'s|'d)?\s{{0,3}}(?:\?|$"
    rf"|{AUXILIARY}\b)",
    rf"{_OPENS}(?:since |until |till |from |by |around )?when exactly\b",
    rf"{_OPENS}when [^,?]{{2,100}}\?",
)
_WHEN_INSIDE = (
    r"when (?:did|was|were|will|does)\b",
    rf"{_ASKER} when\b",
    rf"(?:what|which) (?:exact |calendar )?{_ASKED_UNIT}s?(?![\w-])"
    rf"(?! (?:zone|off|care|job|trip|table|travel|machine|series)\b)",
    rf"how (?:many|much) {_UNIT} (?:ago|back|earlier|later)\b",
    r"how long (?:ago|before|until|till|since|back)\b",
    r"how (?:recently|soon)\b",
    r"what(?:'s| is| was) the (?:exact )?(?:date|day|year|month)\b",
    r"(?:what|when)(?:'s| is| are| was) (?:[\w']+ ){1,3}(?:birthday|anniversary|deadline|due "
    r"date)\b",
)
_TEMPORAL: Strengths = (
    *((0.9, pattern) for pattern in _WHEN_OPENING),
    *((0.85, pattern) for pattern in _WHEN_INSIDE),
    (0.8, r"how long\b(?! (?:is|was|are|were) the\b)"),
    (0.8, r"for how (?:long|many (?:days|weeks|months|years))\b"),
    (
        0.75,
        r"how (?:has|have|did) (?:[\w']+ ){1,4}?(?:change|changed|evolve|evolved|develop|progress"
        r"|progressed)\b",
    ),
    (0.7, r"(?:timeline|chronolog\w{1,6}|history|sequence|order) of\b"),
    (
        0.7,
        r"(?:timeline|chronology|chronological\w{0,2}|over time|over the years|in what order"
        r"|which came first)\b",
    ),
    (0.7, r"(?:before|after) or (?:before|after)\b"),
    (
        0.65,
        r"(?:used to|formerly|previously|no longer|anymore|in the past|back then|at that time)\b",
    ),
    (0.6, r"(?:first|last|latest|most recent|next|previous) time\b"),
    (0.6, r"what (?:happened(?! to\b)|changed|was going on)\b"),
    (
        0.3,
        rf"(?:in|during|since|until|before|after|by|of) (?:early |late |mid[ -])?(?:{_FULL_MONTHS}"
        rf"|{_YEAR})\b",
    ),
    (
        0.3,
        r"(?:last|this|next|past) (?:night|week|weekend|month|year|spring|summer|autumn|fall"
        r"|winter|\w{3,6}day)\b",
    ),
    (0.3, rf"(?:yesterday|today|tomorrow|tonight|recently|lately|{_UNIT} ago)\b"),
)
_CAUSAL: Strengths = (
    (0.95, rf"{_OPENS}(?:why|how come)\b"),
    (0.9, rf"{_ASKER} (?:why|how come)\b"),
    (0.75, r"(?:why|how come)\b"),
    (
        0.9,
        r"what (?:might |may |could |had |has |have )?(?:have )?"
        r"(?:caused?|causes(?! (?:do|does|did|has|have|is|are|was|were)\b)|led|motivat(?:e|ed|es)"
        r"|inspir(?:e|ed|es)|trigger(?:ed|s)?|prompt(?:ed|s)?|spark(?:ed|s)?)\b",
    ),
    (
        0.8,
        r"what (?:made|makes|drove|drives|pushed|convinced|persuaded) (?:[\w']+ ){1,5}?(?:to |so "
        r")?\w{2,20}\b",
    ),
    (0.85, r"(?:reasons?|motivations?|causes?|rationale) (?:for|of|behind|why|that|to)\b"),
    (
        0.8,
        r"(?:for what|what(?:'s| is| was| were| are) (?:[\w']+ )?(?:[\w']+ )?)(?:reasons?"
        r"|motivations?|causes?)\b",
    ),
    (
        0.8,
        r"(?:consequences?|effects?|impacts?|results?|outcomes?) (?:of|on)\b|(?:lead|led|leads) "
        r"to\b|as a result\b",
    ),
    (
        0.8,
        r"what happens (?:if|when)\b"
        r"|how (?:does|did|do|has|have) (?:[\w']+ ){1,8}?(?:affect|impact|influence)\w{0,2}\b",
    ),
    (0.6, r"because of\b|due to\b"),
)
_LIKE = (
    r"(?<!look )(?<!looks )(?<!looked )(?<!sound )(?<!sounds )(?<!feel )(?<!feels )(?<!taste "
    r")(?<!smell )(?<!seem )"
    r"(?<!be )(?<!something )(?<!was )(?<!is )"
    r"(?:like|love|enjoy|hate|dislike|prefer|favou?r|fancy|appreciate|detest)\b"
    r"(?! to (?:know|ask|see (?:what|when|why|how|if)|find out|hear|learn|check)\b)"
)
_PREFERENCE: Strengths = (
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
    (
        0.75,
        r"would (?:[\w'-]+ )?rather\b|(?:opinions?|taste|views?) (?:in|on|of|about)\b"
        r"|allerg\w{2,6} to\b",
    ),
    (0.7, r"think (?:of|about)\b|(?:fond of|keen on|fan of|interested in)\b"),
    (0.7, r"into(?: these days| lately| right now)?\s{0,3}(?:\?|$)"),
    (0.6, r"(?:hobby|hobbies|interests|pastimes?|pet peeves?)\b"),
)
_NOT_OWNED = (
    r"(?!(?:the|a|an|my|your|his|her|our|their|this|that|it|there|going|not|in|on|at)\b|\w+'s "
    r"|\w+ing\b)"
)
_ENTITY_PROFILE: Strengths = (
    (
        0.9,
        rf"{_OPENS}who(?:'s| is| are| was| were) {_NOT_OWNED}[\w'-]+(?: [\w'-]+)?\s{{0,3}}(?:\?|$)",
    ),
    (
        0.9,
        r"(?:tell me|what (?:do|did|can|have) (?:you|we|i) (?:know|tell me|learned?|remember|say"
        r"|said|got)"
        r"|know anything"
        r"|remind me|talk to me|everything|anything|all|info|information"
        r"|facts|details|summar\w{2,6}|notes|more) about\b",
    ),
    (0.9, r"(?:describe|summari[sz]e|introduce) (?!how\b|why\b|what\b|when\b)\w{1,40}"),
    (
        0.85,
        r"(?:profile|biography|bio|background|overview|summary|personality|identity|character"
        r"|description) of\b",
    ),
    (0.85, r"(?:profile|biography|personality|personality traits|identity|character traits)\b"),
    (
        0.85,
        r"what (?:is|was|are) (?:[\w'-]+ ){1,3}like(?:\?| as\b|$)"
        r"|what (?:attributes|traits|kind of (?:person|guy|man|woman))\b",
    ),
    (0.85, r"(?:tell|told) (?:you|me|us|them|him|her) about\b"),
    (0.8, r"who am i\b|what (?:do|have) you (?:know|got) (?:of|on) me\b"),
)
_FACTUAL: Strengths = (
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
)

_ANSWERS = AnswerRules(
    templates={
        "definition": ("{topic} is a kind of", "{topic} means that", "{topic} is used for"),
        "howto": (
            "To {topic}, first",
            "The steps to {topic} are",
            "It was explained how to {topic}",
        ),
        "reasoning": ("{topic} because", "The reason is that {topic}", "{topic} was caused by"),
        "lookup": ("{topic}", "{topic} is called", "It was mentioned that {topic}"),
        "place": ("{topic} in", "{topic} at", "{topic}, a place"),
        "time": ("{topic} yesterday", "{topic} last week", "{topic} on that day"),
        "technical": (
            "{topic} is configured with",
            "The error with {topic} was fixed by",
            "The code for {topic} uses",
        ),
        "preference": ("{topic} a lot", "{topic}, a favorite", "{topic} is preferred to"),
        "general": ("{topic}", "It was mentioned that {topic}"),
    },
    patterns={
        "howto": (
            r"how (?:do|can|should|could|would|might|must) (?:i|we|you|one|people|user)\b|how "
            r"(?:to|can)\b"
            r"|(?:the )?steps (?:to|for)\b"
            r"|(?:best|right|easiest) way to\b|(?:guide|tutorial|instructions|recipe) (?:to|for"
            r"|on)\b"
        ),
        "definition": (
            r"what(?:'s| is| are| was) (?:an? |the (?:meaning|definition|concept) of )?"
            r"(?!(?:my|your|his|her|our|their|the|that|this|it|you|we|they|i)\b)(?![^?]{1,60} "
            r"like\b)"
            r"[\w-]+(?: [\w-]+){0,2}\s{0,2}(?:\?|$)|what does (?:[\w-]+ ){1,4}(?:mean|stand for)\b"
            r"|(?:define|definition of|meaning of|explain what)\b"
        ),
        "technical": (
            r"debug\w{0,4}|stack ?traces?|exceptions?|error (?:message|code|log)s?|errors?|bugs?"
            r"|crash\w{0,3}|config\w{0,10}"
            r"|settings?|install\w{0,6}|deploy\w{0,6}|compil\w{1,5}|build|endpoints?|api|apis|sdk"
            r"|cli|schema|migrations?|query"
            r"|quer(?:y|ies) (?:plan|time)|env(?:ironment)? var\w{0,6}|functions?|class(?:es)?"
            r"|method|parameters?|flags?|ports?"
            r"|server|database|repo(?:sitory)?|branch|commit|docker\w{0,7}|kubernetes|python"
            r"|javascript|typescript|sql|regex"
            r"|timeout|code"
        ),
        "lookup": (
            r"where|when|who|whom|whose|which|how (?:many|much|old|long|often|far|tall|big)"
            r"|what(?:'s| is| was) (?:my|your|his|her|our|their|the|[\w-]+'s)"
            r"|what (?:time|date|day|year|month|name|number|address)|find"
        ),
    },
    place=r"where",
    time=r"when|what (?:date|day|year|time)",
    omitted=frozenset(
        """
        what what's whats when when's where where's wheres who who's whos whom whose which why how
        how's
        is are was were am be been being do does did done has have had having will would shall
        should can could might
        must isn't aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't won't wouldn't
        shouldn't can't couldn't
        please exactly many much
        """.split()
    ),
    askers=frozenset("i we you one people to".split()),
    request=(
        r"^\s*(?:hey |hi |ok |so |and |please )?(?:(?:can|could|would|do|will) (?:you|we) "
        r"(?:please |still )?)?"
        r"(?:tell (?:me|us)|remind me|explain|remember|know|recall)\b(?: (?:to me|again))?(?: "
        r"about)?",
    ),
    defining=(r"means?|stands? for|(?:the )?(?:meaning|definition|concept) of|define",),
    supports={
        "do": False,
        "done": False,
        "don't": False,
        "did": False,
        "didn't": False,
        "does": True,
        "doesn't": True,
    },
)

_QUESTION_WORD = r"(?:what|when|where|why|how|who|whom|which)"
_SUBJECTS = r"(?:i|you|he|she|it|we|they|that|this|there)"
# A question with its verb in place, or a request: "when did", "what kind of books does", "does
# Ana", "tell me".
_QUESTION_START = lazy_pattern(
    rf"(?:(?:to|with|for|from|in|at|on|by|about|since|until) )?(?:(?:when|where|why)(?:'s\b| "
    rf"{AUXILIARY}\b)|how come\b"
    rf"|(?:what|which|whose|how)(?:'s\b|(?: (?!{_SUBJECTS}\b)[a-z][\w'-]*){{0,3}}? {AUXILIARY}\b)"
    r"|who\b|whom\b|what (?:happened|caused|made|led|motivated|inspired)\b)"
    r"|(?:please )?(?:tell|show|give|remind|list|name|describe|summari[sz]e|find)\b"
    rf"|{AUXILIARY} (?:{_SUBJECTS}|I|the|my|your|his|her|our|their|[A-Z][\w'-]*)\b"
)
_ADVERBIAL = lazy_pattern(r"[^,?]{1,40}, ")
_RELATIVE = lazy_pattern(r"(?:who|whom|whose|which)\b")
_BARE_QUESTION_WORD = lazy_pattern(r"(?:when|where|why|how)")
_WORD_BEFOREAUXILIARY = lazy_pattern(rf"{_QUESTION_WORD}(?= {AUXILIARY}\b)")
_OPENS_WITH_QUESTION_WORD = lazy_pattern(rf"{_QUESTION_WORD}\b")
_REQUEST = lazy_pattern(
    r"(?P<lead>(?:please )?(?:(?:do|can|could|would) you (?:please )?)?(?:tell me|remind me"
    r"|remember|know|recall"
    rf"|show me|find out|explain)) (?={_QUESTION_WORD}\b)"
)
_SHARED_OPENING = lazy_pattern(
    r"(?P<lead>(?:what|who|where|how|when)(?:'s| is| are| was| were)"
    r"|what (?:do|did) (?:you|i|we) (?:know|say|tell you) about|(?:please )?(?:tell me|remind me) "
    r"about) ",
    re.IGNORECASE,
)
_THING = lazy_pattern(r"(?:my|your|his|her|our|their|the|[a-z]+'s)(?: [\w'-]+){1,4}", re.IGNORECASE)
_PERSON = lazy_pattern(
    r"\b(?:(?P<plain>he|she|him)|his|her(?=\s(?!to\b|in\b|at\b|for\b|and\b|with\b)\w))\b",
    re.IGNORECASE,
)
# A question with such a word is not understood without the one before it.
_DEPENDENT = lazy_pattern(
    r"\b(?:it|its|they|them|their|theirs|those|these|he|him|she|his|hers?|one)\b|^(?:this|that)\b"
)


def complete(question: str, person: str | None) -> str | None:
    """A question with a person in the place of its pronouns; None if a pronoun remains."""
    if person:
        question = _PERSON.sub(lambda match: person if match["plain"] else f"{person}'s", question)
    return None if _DEPENDENT.search(_opened(question).lower()) else question


def carry_over(left: str, right: str, joint: re.Match[str], completion: Completion) -> str | None:
    """The right side of a joint as a question of its own; None if it is not one."""
    asks = _asks(right)
    if not _asks(left) or (joint["comma"] and (_RELATIVE.match(right) or not asks)):
        return None
    if asks:
        return completion(left, right)
    if _BARE_QUESTION_WORD.fullmatch(right.lower()):
        return _with_rest_of(left, right)
    request = _REQUEST.match(_opened(left))
    if request and _OPENS_WITH_QUESTION_WORD.match(right.lower()):
        return completion(left, f"{request['lead']} {right}")
    shared = _SHARED_OPENING.match(left)
    if joint["also"] and shared and _THING.fullmatch(right):
        return completion(left, f"{shared['lead']} {right}")
    return None


def _with_rest_of(question: str, question_word: str) -> str | None:
    """A question with another question word: "when did Ana move", "why" is "why did Ana move"."""
    opening = _opened(question)
    word = _WORD_BEFOREAUXILIARY.match(opening)
    if word is None or word.group() == question_word.lower():
        return None
    return question_word + opening[word.end() :]


def _asks(side: str) -> bool:
    opened = _opened(side)
    if _QUESTION_START.match(opened):
        return True
    adverbial = _ADVERBIAL.match(opened)
    return adverbial is not None and _QUESTION_START.match(opened, adverbial.end()) is not None


def _opened(side: str) -> str:
    return side[:1].lower() + side[1:]


_SPLIT = SplitRules(
    droppable=frozenset("and also plus both additionally".split()),
    semicolon_words=("and also", "and", "also"),
    also=("and also", "and additionally", "plus also"),
    conjunction="and",
    conjunction_followers=("then",),
    alternatives=("or", "but", "nor"),
    not_names=(_QUESTION_WORD, AUXILIARY, "tell", "describe", "about", "both"),
    together=(
        r"together|each other|one another|common|same|shared?|shares|between|meet|met|marry"
        r"|married|differ\w{0,6}"
        r"|compared?|collaborat\w{1,4}|related|get along|talk|discuss|older|younger|better|who of"
        r"|which of|friends|siblings"
        r"|a couple|their|they|themselves",
    ),
    fixed_names=tuple(
        "johnson and johnson|barnes and noble|marks and spencer|procter and gamble|romeo and "
        "juliet|ben and jerry"
        "|tom and jerry|trinidad and tobago|bosnia and herzegovina|crime and punishment|war and "
        "peace|pride and prejudice"
        "|antigua and barbuda|dungeons and dragons|simon and garfunkel|rick and morty|black and decker".split(
            "|"
        )
    ),
    genitive="'s",
    together_words=("both",),
    singular={
        "do": "does",
        "are": "is",
        "were": "was",
        "have": "has",
        "don't": "doesn't",
        "aren't": "isn't",
        "weren't": "wasn't",
        "haven't": "hasn't",
    },
    auxiliary=AUXILIARY,
    question_pair=rf"(?P<one>{_QUESTION_WORD}),? and (?P<two>{_QUESTION_WORD})(?P<rest> .+)",
    about=r"\b(?:about|describe) $",
    complete=complete,
    carry_over=carry_over,
)

_ADVERBS = "still|also|ever|often|usually|currently|always|already|really|just"
_STATES = (
    "sure|certain|ready|done|finished|ok|okay|there|here|available|free|set|happy "
    "with|satisfied|interested|looking"
    "|trying|asking|referring|talking|thinking|able|familiar|aware|saying|suggesting|kidding"
    "|joking|serious|good"
    "|getting|seeing|using|following|with me|all"
)
_WISHES = (
    "want|need|wish|mind|require|prefer|feel|like me|like "
    "to|mean|think|understand|know|remember|recall|see|agree"
    "|believe|hear|heard|get|got|try|tried|check|checked|look|looked|consider|considered|thought"
    "|seen|noticed|follow"
    "|suggest|say|said|ask|have|any|a|time"
)
_POSSESSIONS = (
    "children|kids|pets|dogs|cats|siblings|brothers|sisters|allergies|hobbies|a "
    "(?:dog|cat|pet|car|bike|job|sister"
    "|brother|partner|wife|husband|son|daughter|garden|driving licen[cs]e)"
)
_BUSINESS = "question|order|issue|problem|request|query|concern|plan|device|computer|code|file|app|account|browser"

QUERY = QueryRules(
    asks_when=(*_WHEN_OPENING, *_WHEN_INSIDE),
    asks_number=(
        r"how (?:many|much|old|long|far|fast|large|big|high|tall|deep|heavy|wide|often|expensive)"
        r"|(?:what|which) (?:size|dose|dosage|number|percentage|price|age|temperature)"
        r"|what (?:does|do|did) (?:\w+ ){1,4}(?:cost|weigh)"
        r"|what(?:'s| is| are| was) (?:[\w']+ ){1,4}(?:size|dose|dosage|price|age|weight|height|salary|rent)"
    ),
    asks_name=r"who|whom|whose|(?:the )?names?|called|where",
    intents={
        "causal": _CAUSAL,
        "temporal": _TEMPORAL,
        "preference": _PREFERENCE,
        "entity_profile": _ENTITY_PROFILE,
        "factual": _FACTUAL,
    },
    answers=_ANSWERS,
    split=_SPLIT,
    function_words=(
        r"\b(?:what|when|where|who|whom|whose|why|how|which|does|did|are|was|were|the|my|you|tell"
        r"|about|have|has|would|should"
        r"|do|in|of|for|with|and)\b"
    ),
    first_person=(
        r"(?<![\w'])(?:i|i'm|i've|i'd|i'll|me|my|mine|myself|we|we're|we've|we'd|we'll|our|ours"
        r"|ourselves)(?![\w'])"
    ),
    yes=frozenset("yes yep yeah yea yup absolutely certainly".split()),
    no=frozenset("no nope nah".split()),
    courteous=frozenset("please thanks thank".split()),
    # What a person is, has and does; not what he would like now, nor whether he is sure, ready or
    # content.
    about_you=(
        rf"(?:are|were) you (?!(?:(?:{_ADVERBS}) )?(?:{_STATES})\b)\w",
        rf"(?:do|have|had) you (?:have (?:any )?(?:{_POSSESSIONS})\b|(?!(?:(?:{_ADVERBS}) "
        rf")?(?:{_WISHES})\b)\w)",
        rf"(?:is|are|was|were|does|do|did|has|have) your (?!(?:{_BUSINESS})s?\b)\w",
    ),
    no_fact=(r"what|which|who|whom|whose|where|when|why|how",),
    courtesy=r"(?:how are you|how's it going|what's up)(?: doing| today)?[ ,!]{1,3}(?=(?:i|i'm|i've|my|we|we're)\b)",
    only_asks=only_asks,
    forgetting=FORGETTING,
)
