"""English: phrases that show what kind of thing a message says, and orders to the model.

Every pattern begins at a word. No quantifier stands inside another one, and every repetition is
bounded, so that each takes linear time on any text.
"""

from __future__ import annotations

from cogmem_core.languages.base import SignalRules
from cogmem_core.languages.en.injection import NEW_INSTRUCTIONS, REVEAL, UNBOUND, UNDO
from cogmem_core.languages.tables import any_of, words

_CORRECTIONS: tuple[str, ...] = (
    r"actually",
    r"should(?:n't| not)? (?:be|have been)"
    r"(?! (?:fine|ok|okay|good|great|able|fun|careful|nice|here|there|back|home|ready|proud|happy"
    r"|easy|soon)\b)",
    r"(?:was|were|is|are|am|i'm|it's|that's|you're|he's|she's|they're|got (?:it|that|this"
    r"|them)) (?:wrong|mistaken)",
    r"(?:not|isn't|wasn't|aren't) (?:quite )?(?:right|correct|true|accurate)",
    r"incorrect(?:ly)?",
    r"correction",
    r"(?:let me|to|must|need to|want to) correct",
    r"stand corrected",
    r"my (?:mistake|bad)",
    r"i (?:meant|misspoke|mistyped|misremembered)",
    r"scratch that",
    r"typo",
    r"no longer",
    r"not any ?more",
    r"no, (?:it|it's|that|that's|i|i'm|my|the|not|we|she|he|they|his|her)",
    r"sorry, (?:it|it's|that's|i|not|my|the)",
)

_ADVERB = (
    r"(?: (?:\w{2,10}ly|do|also|just|still|always|never|don't|doesn't|didn't|do not|does not|so"
    r"|both|all|kinda))"
)
_WHO = r"(?:i|we|he|she|they|user|everyone)"
_PREFERENCES: tuple[str, ...] = (
    r"prefer(?:s|red|ence|ences|ring)?",
    r"favou?rites?",
    _WHO
    + _ADVERB
    + r"{0,2} (?:like|love|loved|enjoy|enjoyed|adore|adored|hate|hated|dislike|disliked|detest"
    r"|loathe|liked)",
    r"(?:likes|loves|enjoys|adores|hates|dislikes|detests)",
    r"(?:can't|cannot|can not|couldn't) stand",
    r"(?:i'd|would|'d) rather",
    r"(?:a |big |huge |massive )?fan of",
    r"(?:fond|sick) of",
    r"keen on",
    r"(?:always|never) (?:use|reply|respond|answer|call|send|write|speak|add|include|start|end)",
    r"(?:don't|do not) (?:use|call me|send me|write)",
    r"please (?:always|never|use|don't|do not|call)",
    r"my go-to",
)

_PERSON = r"(?:me|my|him|his|her|them|their|us|our|you|your|a friend|friends|the kids|family)\b"
_DECISIONS: tuple[str, ...] = (
    r"decid(?:ed|es|ing)",
    r"(?:my|our|the|a|final|big) decision",
    rf"(?:going|go|went) with (?!{_PERSON})",
    r"chose|chosen",
    r"settled on",
    r"opt(?:ed|ing) for",
    r"made up (?:my|our|his|her|their) minds?",
    r"(?:we|i)(?:'ll| will| are going to| am going to|'re going to|'m going to) (?:use|adopt"
    r"|choose|pick|go for)",
    r"let's (?:use|choose|pick|adopt)",
    r"picked (?!up|me|him|her|them|us)\w",
    r"switch(?:ed|ing) (?:to|from|back|over)",
    r"agreed (?:to|on|that|with)",
    r"concluded",
)

_HAPPENED = words(
    """
    live lives lived work works worked study studies studied moved bought sold own owns owned
    started finished joined left quit went visited met adopted graduated teach teaches taught built
    wrote made signed took grew lost won found attended applied painted played hiked travelled
    traveled learned learnt use uses used run runs ran speak speaks drive drives drove cooked
    ordered booked paid passed failed broke fixed installed deployed launched created organized
    organised volunteered married divorced retired became saw watched read tried planted raised
    planned need needs want wants wanted know knows knew told called baked gave brought received
    turned spent came led held feel felt play plays drew draw thought offer offers host hosts sing
    sang dance dances drawn enrolled sat rode ride rides swam swim hid shared roast roasted care
    cares ate drank slept fell caught sent won't practice practise practised practiced
    """
)
_DENIED = words(
    """
    eat drink smoke own live work drive swim speak take play watch cook wear tolerate digest sleep
    fly ride run exercise study teach buy eats drinks smokes owns lives works drives swims speaks
    takes plays wears
    """
)
_FACTS: tuple[str, ...] = (
    r"my (?:full |first |last |middle |real |user ?|maiden )?name",
    r"name(?:'s| is| was)",
    r"(?:version|api|endpoint|url|port|host|database|server|key|e-?mail|address|phone(?: number)?"
    r"|birthday|anniversary"
    r"|deadline|budget|model|team|language|time ?zone|goal|job|salary|rent|blood type|allergy"
    r"|diagnosis|dose|weight"
    r"|height|age|size|plan|password|user ?name|repo|repository|branch|meeting|appointment"
    r"|flight)s?"
    r"(?:'s| is| are| was| were| will be|:) ?\S",
    r"(?:i'm|i am|he's|he is|she's|she is|we're|we are) (?:a|an|the|from|based|living|working"
    r"|allergic|married|single"
    r"|divorced|engaged|pregnant|vegan|vegetarian|diabetic|learning|studying|training|planning"
    r"|taking|\d)",
    rf"{_WHO}(?:'ve|'d| have| has| had)?(?: (?:just|recently|also|already|finally|once|still|both"
    rf"|usually|currently"
    rf"|even|never|always|really|actually|\w{{2,10}}ly))? (?:{any_of(_HAPPENED)}"
    rf"|\w{{2,14}}ed)(?!\w)",
    r"(?:i'm|i am|he's|he is|she's|she is|we're|we are|they're|they are|(?:i|we|they)(?:'ve"
    r"| have) been)"
    r"(?: (?:just|also|still|now|currently|really|\w{2,10}ly))? "
    r"(?!(?:think|wonder|hop|ask|kidd|jok|talk|say|be)ing\b)\w{2,14}ing",
    rf"{_WHO} (?:can't|cannot|can not|don't|do not|doesn't|does not|won't|never"
    rf"|no longer) (?:even |really |ever )?"
    rf"(?:{any_of(_DENIED)})(?!\w)",
    rf"{_WHO} (?:don't|do not|doesn't|does not|never|no longer) (?:have|use|uses|need|needs)"
    r" (?:a|an|any|my|the|his|her) (?!(?:clue|idea|chance|problem|time|doubt|reason)\b)",
    r"(?:i'm|i am|he's|he is|she's|she is|we're|we are|user is) (?:not|no longer) (?:a|an|from"
    r"|allergic|married|single"
    r"|divorced|engaged|pregnant|vegan|vegetarian|diabetic|employed|insured)",
    rf"{_WHO}(?:'ve| have| has| had|'s)? (?:got|have|has|had)(?: (?:a|an|the|my|two|three|four|some"
    rf"|\d{{1,4}}|his|her))",
    r"my (?:wife|husband|partner|girlfriend|boyfriend|fiancee?|sons?|daughters?|kids?|child"
    r"|children|mother|father|mom"
    r"|mum|dad|parents|brothers?|sisters?|grand\w{2,7}|aunt|uncle|cousins?|nephew|niece|dogs?"
    r"|cats?|pets?|boss|manager"
    r"|doctor|friends?|team|company|startup|job|car|bike|phone|laptop|house|apartment|flat"
    r"|landlord|roommate)"
    r"(?:'s|,)? \w",
    r"\w{2,20} (?:lives|works|studies|moved|lived|worked|grew up) (?:in|at|for|as|with|to|on|near)",
    r"(?:born|based|located|married|hosted|deployed|written) (?:in|on|at|to|by)",
)

_EMPTY = (
    "(?:think|guess|mean|hope|agree|see|know|understand|suppose|wish|bet|sounds?|looks?|seems?"
    "|great|good|nice|cool|awesome|amazing|fine|okay|such|really|very|the|not|sure|sorry|glad|happy"
    "|appreciate|please|that|have|are|was|will|can|could|would|should|about|too|all|you|say|said"
    "|let|help|tell|want to know|need to know|today|tomorrow|tonight|later|soon|there|curious"
    "|wondering|up)"
)
_STATEMENTS: tuple[str, ...] = (
    r"\w{2,20} (?:is|are|was|were|isn't|aren't|wasn't) (?:a|an|the|in|on|at|from|\d|not|now|called"
    r"|named"
    r"|about|for|due)",
    r"\w{2,20} (?:needs|requires|costs|starts|ends|begins|contains|supports|returns|fails|failed"
    r"|uses|means|happened"
    r"|arrives|arrived|opens|closes|crashed|broke|increased|decreased|changed|wants|has|takes|took"
    r"|makes|made|became)",
    r"there (?:is|are|was|were)",
    r"(?:i|we|he|she|they|it|this|you)(?:'m|'re|'s|'ve|'d|'ll| am| is| are| was| were| will| had"
    r"| has| have| can| could"
    rf"| did| do| does)? (?!{_EMPTY}\b)\w{{3,20}}",
    r"(?:my|our|his|her|their) (?!(?:bad|god|gosh|goodness|pleasure|apologies|best|own)\b)\w{2,20}",
    r"(?:gonna|been|started|got|getting|finally|just|researching|planning|trying|working on) "
    rf"(?!{_EMPTY}\b)\w{{2,20}}",
    r"(?:because|since|due to) \w",
)
_TEMPORAL: tuple[str, ...] = (
    r"(?:today|yesterday|tomorrow|tonight|nowadays|recently|currently|lately|deadline)",
    r"(?:last|next|this|past|coming|every) (?:\w{1,10} )?(?:week|month|year|night|morning|evening"
    r"|weekend|summer|winter"
    r"|spring|autumn|fall|quarter|decade|time|<day>)s?",
    r"\w{1,12} (?:minute|hour|day|week|month|year|decade)s? (?:ago|later|earlier|before|after|old"
    r"|from now)",
    r"(?:in|for|over|within|after) (?:\w{1,12} )?(?:\w{1,10} )(?:minute|hour|day|week|month|year"
    r"|decade)s?",
    r"<day>s?",
    "<month>",
    r"(?:in|on|by|until|since|late|early|of|mid|this|last|next) (?:may|march)",
    r"(?:19|20)\d\d(?:-\d\d?-\d\d?)?",
    r"\d{1,2}[:.]\d\d(?: ?[ap]m)?|\d{1,2} ?[ap]m",
    r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}",
    r"(?:plan|plans|planning|planned|intend|intends|intending|going) to (?!(?:the|a|an|my|your|his"
    r"|her|our|their)\b)"
    r"\w{2,20}",
    r"(?:i|we|he|she|they)(?:'ll| will) (?!(?:be|see|let|think|try|do|have|look|get|say|tell"
    r"|know)\b)\w{2,20}",
)
_AUTHORITY = r"admin\w{0,12}|root|security|developers?|system|supervisor|operator"
_OF_MEMORY = r"\b(?:the users?|users?'s?|memor(?:y|ies)|user profile)\b"
_INJECTIONS: tuple[str, ...] = (
    UNDO,
    REVEAL,
    UNBOUND,
    NEW_INSTRUCTIONS,
    # Somebody with authority speaks about "the user" and the memory, as no user does.
    rf"(?:{_AUTHORITY})(?: \w{{1,10}}){{0,1}} (?:override|command|message|notice|note|directive"
    rf"|update)s?\b[^.!?:]{{0,20}} ?[:\u2013-] ?[^\n]{{0,120}}{_OF_MEMORY}",
    rf"(?:override authori[sz]\w{{2,6}}|override code|access granted)\b[^\n]{{0,80}}{_OF_MEMORY}",
    r"memory (?:update|write|command|override|instruction)s? ?[:=]",
    r"(?:update|write|save|store|add)(?: (?:this|it))? (?:(?:to|in|into) )?(?:your |the )?"
    r"(?:long[- ]term )?memory ?[:,]? ?(?:that )?(?:the )?user\b",
    r"(?:notes?|messages?|instructions?|notice|memo|hint) (?:to|for) (?:the |any |all |every )?"
    r"(?:ai(?: (?:agent|assistant|model)s?)?|llms?|language models?)(?:[:,]| reading| processing)",
    r"attention,? (?:all |any )?(?:ais?|llms?|language models?|ai (?:agents?|assistants?))\b",
    r"base ?64\b[^\n]{0,120}\b(?:follow|obey|execute|do what|carry (?:it )?out|act on)",
    r"(?:decode|decrypt)\b[^\n]{0,80}\b(?:follow|obey|execute) (?:it|them|its|the (?:decoded|result))",
)

SIGNALS = SignalRules(
    corrections=_CORRECTIONS,
    preferences=_PREFERENCES,
    decisions=_DECISIONS,
    facts=_FACTS,
    statements=_STATEMENTS,
    temporal=_TEMPORAL,
    ambiguous_months=words("may march mar sun"),
    tag_questions=(r", (?:right|ok|okay|correct|yeah|no|huh|isn't it|don't you think)",),
    injections=_INJECTIONS,
)
