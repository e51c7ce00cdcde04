"""What stands and what happened once (Tulving 1972): the one is spared by forgetting, the other fades."""

from __future__ import annotations

from cogmem_core.text.observe.lasting import is_lasting
from helpers.tables import each_row

STANDING = (
    "My blood group is AB positive.",
    "I live in Porto.",
    "I'm a data analyst.",
    "I've had haemophilia since I was a child.",
    "Carlos Pinheiro is my emergency contact.",
    "Please keep in mind that penicillin could kill me.",
    "Don't forget: the key hangs behind the fuse box.",
    "I take sertraline from today on.",
    "Our dog is called Miso.",
    "I always sleep with the window open.",
    "Benim adım Ayşe.",
    "Aklında tut: fıstık yiyemem.",
)
PASSING = (
    "I had a lentil soup for lunch, not bad.",
    "Lost a game of cards against Paul, again.",
    "It's drizzling outside again.",
    "I think Ingrid is a bit grumpy.",
    "I'm so tired.",
    "Did I tell you about my trip?",
    "Tell me a joke about sourdough.",
    "We walked along the harbour yesterday.",
    "I nearly bought a puzzle but came to my senses.",
    "Haha, good one.",
    "",
)


@each_row("text", STANDING)
def test_how_things_stand(text: str) -> None:
    """True until something else is said."""
    assert is_lasting(text) is True


@each_row("text", PASSING)
def test_what_happened_once(text: str) -> None:
    """Over when it is said; in doubt, nothing stands."""
    assert is_lasting(text) is False
