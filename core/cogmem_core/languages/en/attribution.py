"""English: phrases that say where a statement comes from, and courtesies; folded.

Expressions hold bounded repetitions only, and no quantifier stands inside another one.
"""

from __future__ import annotations

from cogmem_core.languages.base import AttributionRules

_ADVERB = (
    r"(?: (?:once|already|just|also|still|previously|earlier|before|do|can|currently|correctly))?"
)
_YOU_TOLD = (
    r"(?:told me|mentioned|said|shared|noted|stated|pointed out|informed me|let me know"
    r"|asked me to remember|saying"
    r"|telling me|mentioning)"
)
_AFTER = r"(?: (?:to me|with me|earlier|before|previously|last time|once)){0,2}(?: that)?"
_PAST_TALKS = (
    r"(?:(?:previous|earlier|past|last|other) )?"
    r"(?:conversations?|chats?|messages?|sessions?|discussions?)"
)
_NOTES = rf"(?:notes?|memory|memories|records?|{_PAST_TALKS})"
_SAY = r"(?: (?:says?|shows?|tells?|indicates?|suggests?)(?: me)?)?(?: that)?"
_REPORTING: tuple[str, ...] = (
    rf"(?:as |like |since |because |and )?you(?:'ve| have|'d| had)?{_ADVERB} {_YOU_TOLD}{_AFTER}",
    rf"i(?:'ve| have| had)?{_ADVERB} (?:remember|recall|know|see|noted|note|remembered)"
    rf"(?: (?:from|in) (?:our|my) {_NOTES})?"
    rf"(?: (?:you|that you|when you)(?:'ve| have|'d| had)? {_YOU_TOLD})?(?: that)?",
    rf"(?:according to|based on|from|per|in|as per) (?:what (?:you|i) (?:told me|said|know"
    rf"|remember|have)"
    rf"|(?:my|our|the|your) {_NOTES}){_SAY}",
    r"(?:according to|based on) (?:this|that|these|the above|(?:this|that|the) (?:context"
    r"|information)(?: above)?)",
    rf"(?:my|our) {_NOTES} (?:say|says|show|shows|tell|tells|indicate|indicates|suggest"
    rf"|suggests)(?: me)?(?: that)?",
    r"(?:if i (?:remember|recall|am not mistaken|am not wrong)|if i'm not (?:mistaken|wrong)"
    r"|as far as i (?:know|remember|recall)|from what i (?:know|remember|recall))(?: correctly)?",
    r"it (?:seems|looks like|sounds like|appears)(?: that)?",
)
_COURTESIES: tuple[str, ...] = (
    r"no (?:problem|worries|need|trouble)|not at all|(?:do not|don't) (?:hesitate|worry|mention it)"
    r"|you(?:'re| are) welcome|no idea",
    r"(?:isn't|aren't|don't|doesn't|didn't|haven't|hasn't|weren't|wasn't)"
    r" (?:it|that|you|he|she|they)(?: right)?(?= ?\?)",
)

ATTRIBUTION = AttributionRules(reporting=_REPORTING, courtesies=_COURTESIES)
