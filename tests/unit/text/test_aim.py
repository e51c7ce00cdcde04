"""What a question wants of what is relevant, and which of its words are searched for."""

from __future__ import annotations

from datetime import datetime, timezone

from cogmem_core.text.query.aim import calls_itself_first, read_aim, searched, with_verb_forms
from cogmem_core.text.time.find import find_times
from helpers.tables import each_row

NOW = datetime(2026, 11, 20, 12, tzinfo=timezone.utc)


@each_row(
    ("question", "order"),
    [
        ("What was my latest run?", "newest"),
        ("When did I last go swimming?", "newest"),
        ("Which was the most recent invoice?", "newest"),
        ("What is the newest entry in the log?", "newest"),
        ("How much was it the last time?", "newest"),
        ("En son ne zaman yüzdüm?", "newest"),
        ("Son faturam ne kadardı?", "newest"),
        ("What was my first job?", "oldest"),
        ("When did we first meet?", "oldest"),
        ("What is the earliest reading?", "oldest"),
        ("İlk maaşım ne kadardı?", "oldest"),
        ("What did I do last week?", "relevance"),
        ("Where does my son live?", "relevance"),
        ("What does Tom's eldest son do?", "relevance"),
        ("Who came over the last three days?", "relevance"),
        ("Geçen hafta ne yaptım? Son 3 günde ne oldu?", "relevance"),
        ("What is Maria's last name?", "relevance"),
        ("What is her first name?", "relevance"),
        ("Where is the first aid kit?", "relevance"),
        ("How long did the battery last?", "relevance"),
        ('Who sang "The Last Waltz"?', "relevance"),
        ("Where do I live?", "relevance"),
    ],
)
def test_the_order_that_is_asked_for(question: str, order: str) -> None:
    """The newest or the oldest first; a period, a name or a title is no order."""
    assert read_aim(question, find_times(question, NOW)).order == order


@each_row(
    ("question", "lists"),
    [
        ("List all the novels I have finished.", True),
        ("Show me all my trips", True),
        ("Name every city that I visited.", True),
        ("How many novels have I finished?", True),
        ("How often did I go to the gym?", True),
        ("Which cities have I visited?", True),
        ("What books did Ana recommend?", True),
        ("Everything I bought at the market", True),
        ("Okuduğum bütün kitapları listele.", True),
        ("Kaç kitap bitirdim?", True),
        ("Hangi şehirleri gezdim?", True),
        ("How many kilometres did I run?", False),
        ("How many children do I have?", False),
        ("Kaç yaşındayım?", False),
        ("Which class did I take?", False),
        ("What time does it start?", False),
        ("Tell me everything about Rex", False),
        ("Where do I live?", False),
    ],
)
def test_a_list_is_asked_for(question: str, lists: bool) -> None:
    """All there is of a kind; an amount, or one thing of several, is no list."""
    assert read_aim(question, find_times(question, NOW)).lists is lists


@each_row(
    ("question", "overview"),
    [
        ("What do you know about me?", True),
        ("So, what do you remember about me so far?", True),
        ("Tell me about myself", True),
        ("Please summarise everything I told you.", True),
        ("Who am I?", True),
        ("Hakkımda ne biliyorsun?", True),
        ("Was weißt du über mich?", True),
        ("¿Qué sabes de mí?", True),
        ("Que sais-tu de moi ?", True),
        ("What do you know about my car?", False),
        ("Who am I meeting tomorrow?", False),
        ("What have I told you about coriander?", False),
        ("Was weißt du über Lena?", False),
        ("What do you know about Python?", False),
    ],
)
def test_all_that_matters_is_asked_for(question: str, overview: bool) -> None:
    assert read_aim(question, ()).overview is overview


@each_row(
    ("question", "formerly"),
    [
        ("Where did I live before?", True),
        ("Where did I use to live?", True),
        ("Who was my previous employer?", True),
        ("What was my former phone number?", True),
        ("What was my old car?", True),
        ("Which seats did I prefer in the past?", True),
        ("Where did I work before I came here?", True),
        ("Eskiden nerede oturuyordum?", True),
        ("Önceden nerede çalışıyordum?", True),
        ("Daha önce hangi arabam vardı?", True),
        ("Porto'dan önce nerede yaşıyordum?", True),
        ("What did I do before breakfast?", False),
        ("How old is my car?", False),
        ("3 gün önce ne yaptım?", False),
        ("Where do I live?", False),
    ],
)
def test_what_held_before_is_asked_for(question: str, formerly: bool) -> None:
    """What no longer holds; a time of day or so many days ago is something else."""
    assert read_aim(question, find_times(question, NOW)).formerly is formerly


@each_row(
    ("question", "happened"),
    [
        ("When did I last go to the dentist?", True),
        ("What is the latest plan?", False),
        ("En son ne zaman yüzdüm?", True),
        ("Where did I live?", False),
    ],
)
def test_what_has_happened_is_asked_for(question: str, happened: bool) -> None:
    """A plan for Friday is not the last visit; it may be the latest plan."""
    assert read_aim(question, find_times(question, NOW)).happened is happened


@each_row(
    ("question", "text"),
    [
        ("What did I do 3 days ago?", "What did I do ?"),
        ("On bir gün önce ne yaptım?", "ne yaptım?"),
        ("In 2 sentences, what did I do yesterday at 5 pm?", ", what did I do ?"),
        ("What was my latest run?", "What was my run?"),
        ("List all novels I read, in order.", "novels I read, ."),
        ("How many novels did I read?", "How many novels did I read?"),
        ("What did I do on 13/03/2026?", "What did I do on 2026-03-13?"),
        ("What did I do on 13-03-2026?", "What did I do on 2026-03-13?"),
        ("13.03.2026'da ne yaptım?", "13.03.2026'da ne yaptım?"),
        ("What did I do on 8 May 2023?", "What did I do on 8 May 2023?"),
        ('Who sang "The Last Waltz" yesterday?', 'Who sang "The Last Waltz" ?'),
        ("Yesterday?", "Yesterday?"),
        ("Where do I live?", "Where do I live?"),
    ],
)
def test_what_is_searched_for(question: str, text: str) -> None:
    """Resolved times, orders and the form of the answer stand in no memory; figures become ISO dates."""
    assert searched(question, find_times(question, NOW)) == text


def test_a_memory_may_call_itself_the_first() -> None:
    """ "My first job was at Nokia" is the oldest, whenever it was said."""
    assert calls_itself_first("My first job was at Nokia.")
    assert not calls_itself_first("I work at Bosch.")


def test_irregular_forms_are_searched_for_too() -> None:
    """A log says "ran" where the question says "run"."""
    assert with_verb_forms(["run", "park"]) == ["run", "park", "ran"]
