"""The intent of a question decides how it is answered: v9's six, in two languages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cogmem_core.text.query.intent import INTENTS, Intent, classify_intent, question_language
from helpers.tables import each_row

ENGLISH: dict[Intent, tuple[str, ...]] = {
    "temporal": (
        "When did Caroline go to the LGBTQ support group?",
        "when is my flight to Rome",
        "What date did Ana start at Marea?",
        "Which year did we move to Lisbon?",
        "How long ago was Caroline's 18th birthday?",
        "How long have Mel and her husband been married?",
        "Do you remember when I bought the bike?",
        "When did I tell you why I left my job?",
        "When Jon has lost his job as a banker?",
        "Since when do I have a dog?",
        "What time is my dentist appointment?",
        "How has my opinion of Kubernetes changed?",
        "Where did I use to live, and what happened last summer?",
        "What happened yesterday?",
        "Give me a timeline of the Berlin project",
        "What is my sister's birthday?",
        "When is my favorite band playing?",
        "How many days ago did I see the doctor?",
        "when exactly was the launch",
        "When was the last time I talked to Ana?",
    ),
    "causal": (
        "Why did Jon shut down his bank account?",
        "How come I never finished the course?",
        "What caused the outage on Friday?",
        "What motivated Caroline to pursue counseling?",
        "What made Gina choose the furniture for her store?",
        "What is Melanie's reason for getting into running?",
        "What led to the rewrite of the parser?",
        "Do you know why I prefer tea?",
        "why do I like jazz",
        "And why did we move last year?",
        "How did the flood impact the homes in John's old area?",
        "What were the consequences of the layoffs?",
        "What happens if I eat peanuts?",
    ),
    "entity_profile": (
        "Who is Caroline?",
        "who's Rui Costa",
        "Tell me about Docker",
        "What do you know about my brother?",
        "Tell me everything about the Marea project",
        "Describe Melanie",
        "Who am I?",
        "What is Ana like?",
        "What personality traits might Melanie say Caroline has?",
        "Give me a summary of Ana",
        "What attributes describe John?",
        "What did I tell you about Ana?",
    ),
    "preference": (
        "What is Gina's favorite style of dance?",
        "what's my favourite colour",
        "Do I prefer tea or coffee?",
        "What kind of music do I like?",
        "Which classical musicians does Melanie enjoy listening to?",
        "What does Ana hate most?",
        "Would Melanie likely enjoy the song by Vivaldi?",
        "What are my food preferences?",
        "What does Bob think of remote work?",
        "What are Ana's likes and dislikes?",
        "Is Melanie a fan of opera?",
        "What is Ana into these days?",
        "What do I like about Ana?",
        "What are my hobbies?",
    ),
    "factual": (
        "Where do I live?",
        "How many kids does Ana have?",
        "Who is my boss?",
        "Who gave Maria's family money?",
        "Which database do we use?",
        "What did Caroline research?",
        "What does the house look like?",
        "What did it feel like to win?",
        "What causes has John done events for?",
        "Around which US holiday did Maria get into a car accident?",
        "What do I do when I am sad?",
        "Did Melanie make the black and white bowl?",
        "Who is coming to dinner?",
        "How does Gina stay confident in her business?",
        "What happened to John's car?",
        "What would you like to know?",
        "Who is Ana's husband?",
        "What time zone is Ana in?",
        "What reasonable price did I name?",
        "Where was I last summer?",
    ),
    "general": (
        "Docker deployment",
        "notes on the budget meeting",
        "my trip to Japan with Ana",
        "",
        "?!",
        "the whenever problem",
        "I moved to Rome.",
    ),
}
TURKISH: dict[Intent, tuple[str, ...]] = {
    "temporal": (
        "Caroline ne zaman taşındı?",
        "NE ZAMAN EVLENDİM?",
        "Hangi gün toplantı var?",
        "Kaç yıl önce mezun oldum?",
        "Uçağım saat kaçta?",
        "En son ne zaman spor yaptım?",
        "Ne kadar süredir burada çalışıyorum?",
        "Geçen hafta neler oldu?",
        "Doğum günüm ne zaman?",
        "Eskiden nerede oturuyordum?",
    ),
    "causal": (
        "Neden işten ayrıldım?",
        "Niye Ankara'ya taşındık?",
        "Ayşe niçin kızdı?",
        "Gecikmenin sebebi ne?",
        "Neden kahve sevmiyorum?",
        "Bu karar neye yol açtı?",
        "Kazanın nedeni neydi?",
    ),
    "entity_profile": (
        "Ayşe kim?",
        "Rui Costa kimdir?",
        "Docker hakkında ne biliyorsun?",
        "Ayşe hakkında bilgi ver",
        "Ben kimim?",
        "Melanie nasıl biri?",
        "Bana Ayşe'yi anlat",
    ),
    "preference": (
        "En sevdiğim renk ne?",
        "Hangi müziği severim?",
        "Çay mı kahve mi tercih ederim?",
        "Ayşe neden hoşlanır?",
        "Favori yemeğim nedir?",
        "Nelerden nefret ederim?",
        "Ayşe hangi filmleri beğenir?",
        "Uzaktan çalışma hakkında ne düşünüyorum?",
    ),
    "factual": (
        "Nerede yaşıyorum?",
        "Kaç çocuğum var?",
        "Hangi veritabanını kullanıyoruz?",
        "Köpeğimin adı ne?",
        "O zaman nerede çalışıyordum?",
        "Bunu kim söyledi?",
        "Ayşe evli mi?",
        "Seviye sınavım kaç soru?",
        "Nasıl kayıt olurum?",
        "Ne zaman üzülsem ne yaparım?",
        "Kiminle tatile gittim?",
    ),
    "general": (
        "Docker kurulumu",
        "bütçe toplantısı notları",
        "nedense aklıma geldi",
    ),
}
LABELLED = [
    (query, intent)
    for table in (ENGLISH, TURKISH)
    for intent, queries in table.items()
    for query in queries
]


@each_row(("query", "intent"), LABELLED)
def test_each_question_has_its_intent(query: str, intent: Intent) -> None:
    """Specification, section 4.2: factual, temporal, causal, entity profile, preference, general."""
    assert classify_intent(query)[0] == intent


def test_both_languages_know_every_intent() -> None:
    """The tables above hold at least 60 English and 30 Turkish questions."""
    assert set(ENGLISH) == set(TURKISH) == set(INTENTS)
    assert sum(map(len, ENGLISH.values())) >= 60
    assert sum(map(len, TURKISH.values())) >= 30


def test_a_question_word_in_front_is_surer_than_one_inside() -> None:
    """ "Why" asks for a reason; "what Ana said why" asks for what she said as much."""
    assert classify_intent("Why did I move?") == ("causal", 0.98)
    assert classify_intent("What did Ana say, and why?") == ("causal", 0.57)


def test_a_rival_makes_it_less_sure() -> None:
    """A preference inside of a question for the time."""
    alone, rivalled = (
        classify_intent("When was Ana born?"),
        classify_intent("When did Ana say her favorite colour is red?"),
    )
    assert (alone[0], rivalled[0]) == ("temporal", "temporal")
    assert alone[1] > rivalled[1]


def test_what_matches_nothing_is_general_without_confidence() -> None:
    """Nothing is claimed about a bare topic."""
    assert classify_intent("quarterly budget") == ("general", 0.0)


def test_of_equal_scores_the_fixed_order_decides() -> None:
    """Cause comes before time."""
    assert classify_intent("Why and when did it happen?")[0] == "causal"
    assert INTENTS == ("causal", "temporal", "preference", "entity_profile", "factual", "general")


@each_row(
    ("query", "expected"),
    [
        ("Caroline ne zaman evlendi?", True),
        ("ayse evli mi?", True),
        ("yeni işim", True),
        ("What does Ayşe like?", False),
        ("When did Kim move?", False),
        ("Docker deployment", False),
        ("", False),
    ],
)
def test_the_language_of_a_question_is_that_of_its_words(query: str, expected: bool) -> None:
    """A Turkish name does not make a question Turkish."""
    assert (question_language(query) == "tr") is expected


@given(st.text(max_size=200))
def test_the_confidence_is_a_number_between_zero_and_one(query: str) -> None:
    """Whatever is asked; only `general` has none."""
    intent, confidence = classify_intent(query)
    assert 0 <= confidence < 1
    assert (intent == "general") == (confidence == 0)
