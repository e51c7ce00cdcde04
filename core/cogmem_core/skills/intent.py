"""What kind of question a query is, by a language model or by key words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from cogmem_core.skills.run import Message, Skill, StrictModel, ask
from cogmem_core.text.query.intent import Intent, classify_intent

_READ = 2_000
_TASK = (
    "Somebody asks something of a long-term memory. Say what kind of question it is:\n"
    "factual: a fact (what, who, where, how many). temporal: when something was, or how it "
    "changed over time. causal: why, or what something led to. entity_profile: all about a "
    "person, thing or project. preference: what somebody likes, wants or avoids. general: none of "
    "these."
)


class IntentAnswer(StrictModel):
    """The model's answer."""

    intent: Intent


def _prompt(query: str) -> Sequence[Message]:
    return ask(_TASK, {"question": query[:_READ], "kinds": get_args(Intent)})


INTENT: Skill[str, IntentAnswer, Intent] = Skill(
    "intent",
    _prompt,
    IntentAnswer,
    lambda answer, _query: answer.intent,
    lambda query: classify_intent(query)[0],
)
