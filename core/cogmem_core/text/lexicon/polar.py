"""Words of yes and no, and how a person is asked about himself. Lower case, without the letters only Turkish has."""

from __future__ import annotations

__all__ = ["ABOUT_YOU", "COURTEOUS", "NO", "NO_FACT", "YES"]

YES = frozenset(("yes", "yep", "yeah", "yea", "yup", "absolutely", "certainly", "evet", "elbette", "tabii"))
NO = frozenset(("no", "nope", "nah", "hayir"))
COURTEOUS = frozenset(("please", "thanks", "thank", "lutfen", "tesekkurler", "sagol"))
"""Beside a yes or no they answer an offer."""
_ADVERBS = "still|also|ever|often|usually|currently|always|already|really|just"
_STATES = (
    "sure|certain|ready|done|finished|ok|okay|there|here|available|free|set|happy with|satisfied|interested|looking"
    "|trying|asking|referring|talking|thinking|able|familiar|aware|saying|suggesting|kidding|joking|serious|good"
    "|getting|seeing|using|following|with me|all"
)
_WISHES = (
    "want|need|wish|mind|require|prefer|feel|like me|like to|mean|think|understand|know|remember|recall|see|agree"
    "|believe|hear|heard|get|got|try|tried|check|checked|look|looked|consider|considered|thought|seen|noticed|follow"
    "|suggest|say|said|ask|have|any|a|time"
)
_OWN = (
    "children|kids|pets|dogs|cats|siblings|brothers|sisters|allergies|hobbies|a (?:dog|cat|pet|car|bike|job|sister"
    "|brother|partner|wife|husband|son|daughter|garden|driving licen[cs]e)"
)
_BUSINESS = "question|order|issue|problem|request|query|concern|plan|device|computer|code|file|app|account|browser"
ABOUT_YOU = (
    rf"\b(?:(?:are|were) you (?!(?:(?:{_ADVERBS}) )?(?:{_STATES})\b)\w"
    rf"|(?:do|have|had) you (?:have (?:any )?(?:{_OWN})\b|(?!(?:(?:{_ADVERBS}) )?(?:{_WISHES})\b)\w)"
    rf"|(?:is|are|was|were|does|do|did|has|have) your (?!(?:{_BUSINESS})s?\b)\w"
    r"|m[iu]s[iu]n(?:iz)?\b|\w{2,20}n (?:var|yok) m[iu]\b)"
)
"""What a person is, has and does; not what he would like now, nor whether he is sure, ready or content."""
NO_FACT = (
    r"\b(?:what|which|who|whom|whose|where|when|why|how|ne|nerede|nereye|hangi|kim|neden|nasil|kac"
    r"|iste\w*|hazir|emin|musait|anla\w*|devam|soru\w*|baska)\b"
)
"""Not to be answered by yes or no; Turkish offers."""
