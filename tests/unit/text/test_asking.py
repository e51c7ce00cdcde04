"""What only asks becomes no memory, with or without its question mark; what tells something on the way does."""

from __future__ import annotations

import cogmem_core
from cogmem_core.testing import MANUAL
from cogmem_core.text.query.questions import asks_about_you, is_fragment, only_asks, polarity
from helpers.tables import each_row

ASKS = (
    "Can you help me with it, can you?",
    "where do I live",
    "what am I allergic to",
    "who is my manager",
    "What's the capital of France",
    "tell me a joke",
    "Summarize this document",
    "Nerede yaşıyorum",
    "Good morning! What's the weather?",
    "Where do I live?",
    "can you book a table",
    "how do i reset my password",
    "show me my notes",
    "Write me a poem about the sea",
    "translate this to French: good morning",
    "Explain quantum computing",
    "ne zaman doğdum",
    "kim benim müdürüm",
    "Benim adım ne",
    "Ankara'da mı yaşıyorum",
    "Do you know my name?",
    "do you know where I live",
    "which book did I read last",
    "what colour is my car",
    "how many times did we meet",
    "Which is better, my old car or the new one?",
    "whats my name",
    "What should I do, I wonder?",
    "Thanks! Where do I live?",
    "How are my plants doing",
    "How are you feeling",
    "do you remember where I live",
    "can you remember my name?",
    "do you know how old I am",
    "what did you say my address is",
    "who is the man I'm meeting tomorrow",
)
TELLS = (
    "Music's amazing, isn't it?",
    "Berlin is cold in winter, is it?",
    "Kim called the doctor",
    "Kim met Ne Zha",
    "Je ne sais pas",
    "Das ist ne schöne Idee",
    "thanks, that was great",
    "ok cool",
    "What I like most is chess",
    "When I was five I moved to Oslo",
    "Which is why I left Berlin",
    "Do not call me after nine",
    "Is allergic to cats",
    "How I met Anna is a long story",
    "Who knows, maybe I will move to Rome",
    "Can't wait to see the new flat in Porto",
    "Whatever I do, I always run at six",
    "Have a meeting with Bob on Friday",
    "Was in Rome last week",
    "Please remember that I am vegan",
    "Remind me to call mum on Friday",
    "I want to know where you live",
    "Will fly to Rome on Monday",
    "Could not sleep since Monday",
    "Book my favourite restaurant for Friday",
    "Did you know that I moved to Berlin?",
    "I moved to Lisbon, what do you think?",
    "Can you recommend a vegan restaurant in Porto, I do not eat meat?",
    "I am vegan, can you book a table?",
    "I prefer tea, do you have any?",
    "Since I am allergic to nuts, which cake can I eat?",
    "You know I hate cilantro, right?",
    "I live in Porto. Where can I buy bread?",
    "What matters most is honesty",
    "How I wish I had more time",
    "mi casa es grande",
    "Ne güzel bir gün",
    "neden geldiğini bilmiyorum",
    "Where there is smoke there is fire.",
    "That is what I do",
    "What a day!",
    "My sister Anna moved to Rome, is it far?",
    "Tell me about cafés, I drink only decaf",
    "Can you remember that my dog is called Rex",
    "Can you remember that my dog is called Rex?",
    "Could you please remember that I prefer tea over coffee",
    "Can you note that I am allergic to peanuts",
    "Would you please save that my birthday is 8 May",
    "What is important to me is that I always use PostgreSQL",
    "What's great is that I quit smoking",
    "How are you I quit my job today",
    "Should you need me I am at home on Mondays",
    "May I introduce my wife Anna",
    "Who is always late is my brother",
    "Nasıl yapacağımı öğrendim",
    "tell me jokes because they help",
)


@each_row("text", ASKS)
def test_it_only_asks(text: str) -> None:
    """What a newcomer is promised: "greetings, questions … become no memory"."""
    assert only_asks(text)


@each_row("text", TELLS)
def test_it_tells_something(text: str) -> None:
    """Taken for a question it would be lost; these look like one, begin like one, or hold one."""
    assert not only_asks(text)


def test_a_question_is_not_found_in_place_of_its_answer() -> None:
    """Asked without a mark, as people do; remembered, it would be the nearest memory to itself."""
    with cogmem_core.open(embedder="hashing", config=MANUAL) as engine:
        bank = engine.bank("ann")
        bank.remember("I am allergic to peanuts.")
        assert bank.remember("what am I allergic to").receipts[0].reason == "question"
        assert [item.content for item in bank.recall("what am I allergic to").results] == [
            "I am allergic to peanuts."
        ]


def test_what_a_question_tells_on_its_way_is_remembered() -> None:
    """Seen: "I am vegan, can you book a table?" was passed over as a question."""
    with cogmem_core.open(embedder="hashing", config=MANUAL) as engine:
        bank = engine.bank("ann")
        bank.remember("I am vegan, can you book a table?")
        assert [memory.content for memory in bank.list()] == ["I am vegan, can you book a table?"]


@each_row(
    "part",
    [
        "what is ",
        "since i ",
        "my dear ",
        ", i ",
        "ne ",
        "is i?",
        "how which ",
        "remember that a ",
        "what is a is ",
        "where a ",
        "how are you ",
    ],
)
def test_hostile_texts_are_read_at_once(part: str) -> None:
    """100,000 characters; every repetition in a pattern is bounded."""
    assert only_asks(part * (100_000 // len(part))) in (True, False)


FRAGMENTS = (
    "Three.",
    "In Lisbon.",
    "Rex",
    "A teacher.",
    "My sister.",
    "Two or three times a week",
    "Works at Acme",
    "Lizbon'da",
    "Üç",
)
SENTENCES = (
    "",
    "I live in Lisbon.",
    "We went there",
    "It was great",
    "She's a teacher",
    "Geçen yıl oraya taşındık",
    "Two or three times a week, if it rains",
    "The second one from the left on that shelf",
)


@each_row("text", FRAGMENTS)
def test_a_piece_of_a_sentence_needs_its_question(text: str) -> None:
    """What such a text says depends on what was asked."""
    assert is_fragment(text)


@each_row("text", SENTENCES)
def test_a_sentence_says_enough(text: str) -> None:
    """Longer texts and those with a verb of their own are the same whatever was asked."""
    assert not is_fragment(text)


ABOUT_YOU = (
    "Are you vegetarian?",
    "Are you allergic to nuts?",
    "Do you smoke?",
    "Do you still live in Oslo?",
    "Do you have kids?",
    "Do you have any allergies?",
    "Have you ever been to Japan?",
    "Is your sister older than you?",
    "Were you born in Ankara?",
    "So you are new here. Do you live nearby?",
    "Vejetaryen misin?",
    "Sigara içiyor musun?",
    "Çocuğun var mı?",
)
OFFERS = (
    "Do you want me to go on?",
    "Do you still want it?",
    "Shall I proceed?",
    "Would you like more?",
    "Are you really sure?",
    "Are you ready?",
    "Are you looking for a hotel?",
    "Do you need help?",
    "Do you have any other questions?",
    "Do you understand?",
    "Have you tried turning it off?",
    "Does that make sense?",
    "Is that right?",
    "Is your question answered?",
    "Where do you live?",
    "What kind of music do you like?",
    "Can you share the log?",
    "Devam edeyim mi?",
    "İster misin?",
    "Hazır mısın?",
    "Başka sorun var mı?",
    "",
)


@each_row("question", ABOUT_YOU)
def test_a_yes_to_it_tells_a_fact(question: str) -> None:
    """What a person is, has and does."""
    assert asks_about_you(question)


@each_row("question", OFFERS)
def test_a_yes_to_it_tells_no_fact(question: str) -> None:
    """Offers, checks, and what is not to be answered by yes or no."""
    assert not asks_about_you(question)


@each_row(
    ("text", "expected"),
    [
        ("Yes.", True),
        ("Yeah, absolutely!", True),
        ("Evet", True),
        ("No", False),
        ("Hayır!", False),
        ("Nope.", False),
        ("Yes and no", None),
        ("Yes please", None),
        ("No, thanks", None),
        ("Hayır, teşekkürler", None),
        ("ok", None),
        ("", None),
    ],
)
def test_yes_and_no(text: str, expected: bool | None) -> None:
    """What answers an offer politely is neither."""
    assert polarity(text) is expected
