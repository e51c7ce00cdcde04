"""What reads texts that strangers write, and the pieces of which texts are made that could make it read for long."""

from collections.abc import Callable
from datetime import datetime, timezone

from cogmem_core.models import Memory
from cogmem_core.reading import of
from cogmem_core.reading.between import change
from cogmem_core.reading.facts import denies, is_critical
from cogmem_core.reading.lasting import is_lasting
from cogmem_core.reading.pieces import is_fragment
from cogmem_core.results import Recalled
from cogmem_core.retrieval.plan import Request
from cogmem_core.retrieval.recall import Recall, RecallOrigin
from cogmem_core.retrieval.understand import understand
from cogmem_core.storage.ledger.candidates import candidate_of
from cogmem_core.text.compare import (
    entailment,
    without_context_blocks,
    without_echoes,
)
from cogmem_core.text.observe.emotion import emotion
from cogmem_core.text.observe.entities import entities
from cogmem_core.text.observe.ephemeral import is_ephemeral
from cogmem_core.text.observe.observer import observe
from cogmem_core.text.observe.phrases import tells_how_to, tells_rule
from cogmem_core.text.observe.small_talk import is_trivial
from cogmem_core.text.query.decompose import decompose
from cogmem_core.text.query.hyde import hypothetical
from cogmem_core.text.query.intent import classify_intent
from cogmem_core.text.query.questions import asks_about_you, only_asks, polarity
from cogmem_core.text.rewrite.third_person import third_person
from cogmem_core.text.safety.pii import find_pii
from cogmem_core.text.safety.prompt_injection import normalized, signs
from cogmem_core.text.safety.secrets import find_secrets
from cogmem_core.text.sentences import split_facts

__all__ = ["PIECES", "READERS", "echoed", "shown"]

_NOON = datetime(2026, 5, 17, 12, tzinfo=timezone.utc)
_KNOWN = [f"I moved to Lisbon in May 2026 {number} " * 4 for number in range(8)]


def general(text: str) -> Memory:
    """A memory that tells how things are in general."""
    return Memory(
        "a", "ns", text, "a", recorded_at=_NOON, created_at=_NOON, updated_at=_NOON, tier="semantic"
    )


def shown(*texts: str) -> str:
    """Memories with these texts, as a prompt shows them."""
    found = (
        Recalled(
            general(text), 0.75, 0.86, {"retention": 0.97}, {"retention": 0.75}, {}, "", "full"
        )
        for text in texts
    )
    return Recall(
        "r", "q", tuple(found), origin=RecallOrigin("", Request("ns", "q"), _NOON, None, 1_500)
    ).context()


def echoed(text: str) -> str:
    """What a turn says beyond eight texts that it was shown."""
    return without_echoes(without_context_blocks(text), _KNOWN, exact=False)


READERS: dict[str, Callable[[str], object]] = {
    "answers": lambda text: (
        is_fragment(text),
        polarity(text),
        asks_about_you(text),
        only_asks(text),
    ),
    "change": lambda text: change(of(text), of("I live in Rome")),
    "decomposition": decompose,
    "echo": echoed,
    "emotion": emotion,
    "entities": entities,
    "fence": without_context_blocks,
    "hypothetical documents": hypothetical,
    "intent": classify_intent,
    "letters": normalized,
    "likeness": lambda text: entailment(text, "I live in Rome", same_speaker=True),
    "notes": lambda text: (tells_rule(text), tells_how_to(text), denies(text), is_critical(text)),
    "observer": observe,
    "orders": signs,
    "passing": is_ephemeral,
    "personal data": find_pii,
    "prompt": shown,
    "question": lambda text: understand(
        text, speakers=("Caroline", "Ayşe", "Ana Silva", "Ana Costa")
    ),
    "rewriting": lambda text: third_person(text, "Ann"),
    "secrets": find_secrets,
    "split": split_facts,
    "standing": is_lasting,
    "sub-tier": lambda text: candidate_of(general(text)).sub_tier,
    "triviality": is_trivial,
}

_WORDS = """
a A Aa aB' ' " "A <a </a> <system <m <memories> < > - ** ``` ~~~ ( { | \\ [system 1 1. 1, 1.1 +1 12/
2023- $5 / /a & _ # . + ab@ x@ i. İ ı ş é 中 文 漢字 😀 👨‍👩‍👧 🇹🇷 1️⃣
\u0301 \u0301\u0316 \u0f73 \u0301\uff9e \u200b \u2039\u200b <\u200b \u05b0\u0591 a. `a`. a' acak Ab my i
i'm am so remember today beri user act no not should be last in may 5 may ignore never and hem ve ne or
kac hangi nasil how why when does have what which all her kural yapa good but HELP fuck! tum öldü
onceki docker google cloud C++ Go Paris Ankara Caroline Ayşe'nin seviyorum yapıyorum heartbeat
system-reminder don't really name is I live was been he you are now disregard all previous 5 never so
"""
PIECES = (
    *(word + joint for word in _WORDS.split() for joint in ("", " ")),
    " ",
    "\n",
    "\t",
    "  ",
    " a ",
    "- ",
    "- a\n",
    "**a** ",
    "```\n",
    "> ",
    "(a and ",
    "a; ",
    "A, B, ",
    "? ",
    "i am ",
    "i am so very so very ",
    "i'm so ",
    "i really ",
    "i was ",
    "i have been ",
    "he really ",
    "i remember ",
    "you told me that ",
    "my name is ",
    "I live in ",
    "disregard all previous ",
    "you are now ",
    "at least so ",
    "what a ",
    "what is a ",
    "what do a ",
    "how did a ",
    "how to ",
    "what does a ",
    "does have ",
    "which a a a ",
    "all my a ",
    "what is a and ",
    "Ana and ",
    "What do Ana, Bob and ",
    "hangi a ",
    "nasil a ",
    "nasıl yap",
    "her zaman",
    "hem a ",
    "ve ne a ",
    "artik a ",
    "gecen a ",
    "in a b ",
    "\u05b0\u0591" * 15 + "\u200b",
)
