"""Whether two statements say the same: labelled pairs, English and Turkish, most of them look-alikes."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from cogmem_core.text.compare import entailment
from helpers.tables import each_row

SAME = [  # new, old
    ("I really enjoy hiking", "I love hiking"),
    ("I purchased a new laptop", "I bought a new laptop"),
    ("My mom lives in Leeds", "My mother lives in Leeds"),
    ("I still live in Lyon", "I live in Lyon"),
    ("I'm working at Brightwave", "I work at Brightwave now"),
    ("I've got a cat", "I have a cat"),
    ("I began learning Portuguese", "I started learning Portuguese"),
    ("I like to fish", "I like fishing"),
    ("I'm based in Oslo", "I live in Oslo"),
    ("In June I went to Krakow", "I went to Krakow in June"),
    ("On Mondays I work from home", "I work from home on Mondays"),
    ("I'm working with Ana on the parser", "I'm working on the parser with Ana"),
    ("I have 2 daughters", "I have two daughters"),
    ("My salary is 52000", "My salary is 52,000"),
    ("I take 5mg", "I take 5 mg"),
    ("Ana isn't sick", "Ana is not ill"),
    ("User likes their dog", "I like my dog"),
    ("My mother is called Ana", "My mom's name is Ana"),
    ("I hate mushrooms", "I can't stand mushrooms"),
    ("I love Ana so much", "I love Ana"),
    ("She is ill", "She is sick"),
    ("Kahveyi çok severim", "Kahveyi seviyorum"),
    ("Bursa'da oturuyorum", "Bursa'da yaşıyorum"),
    ("Yeni bir araba satın aldım", "Yeni araba aldım"),
    ("Benim babam emekli", "Babam emekli"),
    ("3 kardeşim var", "Üç kardeşim var"),
    ("Ben şu an tezimi yazıyorum", "Tezimi yazıyorum"),
]

REFINES = [  # new, old
    ("I live in Ghent, near the old harbour", "I live in Ghent"),
    ("I work at Solvane as a product designer", "I work at Solvane"),
    ("I have worked at Solvane since 2019", "I have worked at Solvane"),
    ("I take vitamin D every morning with breakfast", "I take vitamin D"),
    ("I sold my motorbike because of my back", "I sold my motorbike"),
    ("Yesterday I sold my motorbike", "I sold my motorbike"),
    ("I flew from Rome to Paris", "I flew to Paris"),
    ("I have a dog. He is brown.", "I have a dog"),
    ("I collect records. I mostly buy jazz.", "I collect records"),
    ("I live in Rome because my wife was born there", "I live in Rome"),
    ("2018'den beri İzmir'de yaşıyorum", "İzmir'de yaşıyorum"),
    ("Bir şirkette tasarımcı olarak çalışıyorum", "Bir şirkette çalışıyorum"),
    ("Belim için yüzmeye başladım", "Yüzmeye başladım"),
    ("Geçen hafta arabamı sattım", "Arabamı sattım"),
    ("Ayşe ile Kapadokya'ya gittik", "Kapadokya'ya gittik"),
    ("Dün akşam arabam bozuldu", "Arabam bozuldu"),
]

DIFFERENT = [  # one, other
    ("My sister lives in Rome", "My brother lives in Rome"),
    ("My dog is sick", "My neighbour's dog is sick"),
    ("Anna likes tea", "My sister said Anna likes tea"),
    ("Anna likes tea", "Anna likes tea, my sister said"),
    ("Anna likes tea", "Anna likes tea, I think"),
    ("I flew from Rome to Paris", "I flew from Paris to Rome"),
    ("Tom gave Ana the keys", "Ana gave Tom the keys"),
    (
        "I drove with Ana to Rome and with Ben to Paris",
        "I drove with Ben to Rome and with Ana to Paris",
    ),
    ("The man in Rome called the woman in Paris", "The man in Paris called the woman in Rome"),
    ("The man with a dog is sick", "The man in Rome with a dog is sick"),
    ("The train leaves at 9", "The train to Rome leaves at 9"),
    ("Ana is taller than Rui", "Rui is taller than Ana"),
    ("I eat before I run", "I run before I eat"),
    ("I shower before breakfast", "I shower after breakfast"),
    ("I work at Marea", "I worked at Marea"),
    ("I work at Marea", "I will work at Marea"),
    ("I work at Marea", "I want to work at Marea"),
    ("I adopt a dog", "I might adopt a dog"),
    ("I call Ana", "I did not call Ana"),
    ("Ana is sick", "Is Ana sick?"),
    ("Ana is sick", "Ana is not sick"),
    ("I don't eat meat", "I don't eat meat on Fridays"),
    ("I never drink", "I never drink and drive"),
    ("I only eat fish", "I only eat fish on Fridays"),
    ("I drink tea", "I only drink tea"),
    ("I run in the park", "I run in the park when it rains"),
    ("I live in York", "I live in New York"),
    ("I like green", "I like green tea"),
    ("I bought a laptop", "I bought a laptop stand"),
    ("I like fish", "I like fishing"),
    ("I like Ana", "I like Ana's brother"),
    ("I want Ana", "I want Ana to leave"),
    ("I moved", "I moved in with Ana"),
    ("I live in Rome", "I live in Rome. My sister has a dog."),
    ("He is sick", "I have a dog. He is sick."),
    ("I wake up at 6 am", "I wake up at 6 pm"),
    ("I wake up at 6", "I wake up at 6:30"),
    ("It costs $50", "It costs €50"),
    ("5 degrees outside", "-5 degrees outside"),
    ("I use C++", "I use C#"),
    ("I use C", "I use C++"),
    ("I live in Ankara", "Ankara'da yaşıyorum"),
    ("Köpeğim hasta", "Komşumun köpeği hasta"),
    ("Arkadaşım hasta", "Oda arkadaşım hasta"),
    ("Yemeğim soğuk", "Akşam yemeğim soğuk"),
    ("Köpek hasta", "Bu köpek hasta"),
    ("Kedi besliyorum", "3 kedi besliyorum"),
    ("Köpeğim öldü", "Köpeğim oldu"),
    ("Roma'dan Paris'e uçtum", "Paris'ten Roma'ya uçtum"),
    ("Marea'da çalışıyorum", "Marea'da çalışacağım"),
    ("Et yiyorum", "Et yemiyorum"),
    ("Et yemiyorum", "Dün et yemiyorum"),
    ("Çay içiyorum", "Yalnızca çay içiyorum"),
    ("Yaşayan kardeşim hasta", "Paris'te yaşayan kardeşim hasta"),
]

PARTS = [
    "I",
    "my",
    "we",
    "he",
    "Ana",
    "Rome",
    "likes",
    "loves",
    "has",
    "is",
    "not",
    "don't",
    "never",
    "only",
    "in",
    "at",
    "with",
    "before",
    "every",
    "and",
    "who",
    "because",
    "5",
    "two",
    ",",
    ".",
    "?",
    "dog",
    "dog's",
    "work",
    "working",
    "to",
    "said",
    "ben",
    "köpeğim",
    "Roma'da",
    "seviyorum",
    "sevmiyorum",
    "için",
    "ile",
    "dün",
    "geçen",
    "hafta",
    "bir",
    "var",
    "yok",
    "user",
]
TEXTS = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(PARTS), max_size=12).map(" ".join))


@each_row(("new", "old"), SAME)
def test_soft_words_and_interchangeable_words_make_no_difference(new: str, old: str) -> None:
    """ "never weld different things together": this much may differ."""
    assert (entailment(new, old), entailment(old, new)) == ("same", "same")


@each_row(("new", "old"), REFINES)
def test_a_phrase_or_a_sentence_more_refines(new: str, old: str) -> None:
    """Unified-update, problem 1: containment of what is said, not of the characters; the other side covers."""
    assert (entailment(new, old), entailment(old, new)) == ("refines", "covered")


@each_row(("one", "other"), DIFFERENT)
def test_look_alikes_are_different_from_both_sides(one: str, other: str) -> None:
    """Other people, directions, times, tenses, modes and owners, however alike the sentences."""
    assert (entailment(one, other), entailment(other, one)) == ("different", "different")


@each_row(
    ("text", "expected"),
    [
        ("I live in Lisbon", "different"),
        ("My mother is a pharmacist", "different"),
        ("She is a pharmacist", "different"),
        ("Kızım piyano çalıyor", "different"),
        ("Ankara'da yaşıyorum", "different"),
        ("Anna likes tea", "same"),
        ("Ali Ankara'da oturuyor", "same"),
    ],
)
def test_two_speakers_mean_the_same_only_if_no_word_depends_on_who_speaks(
    text: str, expected: str
) -> None:
    """ "I", "my" and "she" are other people when another person says them."""
    assert entailment(text, text, same_speaker=False) == expected


def test_a_text_of_more_than_2000_characters_is_the_same_only_as_itself() -> None:
    """It is no fact; and a difference behind what is read must not be overlooked."""
    long = "I live in Rome. " * 320
    assert entailment(long + "My cat is ill.", long + "My dog is ill.") == "different"
    assert entailment(long, long) == "same"
    assert entailment(long[:1_900], long[:1_900].replace("live", "still live", 1)) == "same"
    assert entailment(long[:2_100], long[:2_100].replace("live", "still live", 1)) == "different"


@given(TEXTS)
def test_every_text_says_the_same_as_itself(text: str) -> None:
    """Reflexive, whatever the text."""
    assert entailment(text, text) == "same"


@settings(max_examples=300)
@given(TEXTS, TEXTS)
def test_refines_and_covered_are_mirror_images(one: str, other: str) -> None:
    """Which text is the new one only turns the answer around."""
    mirror = {"same": "same", "different": "different", "refines": "covered", "covered": "refines"}
    assert entailment(other, one) == mirror[entailment(one, other)]


@given(st.lists(st.sampled_from(PARTS[:12]), min_size=3, max_size=8), st.booleans())
def test_a_denied_statement_is_never_the_same_as_the_statement(
    words: list[str], turkish: bool
) -> None:
    """A negation anywhere in one of two texts keeps them apart."""
    plain = [word for word in words if word not in ("not", "don't", "never")]
    text = " ".join(plain)
    denied = f"{text} değil" if turkish else f"it is not true that {text}"
    assert entailment(denied, text) == "different"


@each_row(
    "piece",
    [
        "a",
        "aA ",
        "! ",
        "?",
        ",",
        "n't ",
        "'s ",
        "to ",
        "on a ",
        "1,000,",
        "-1 ",
        "seviyorum ",
        "am",
        "\n",
        "my ",
        "I - ",
    ],
)
@each_row("length", [1_990, 4_990])
def test_long_texts_of_one_piece_are_answered(piece: str, length: int) -> None:
    """Against itself with another end; the patterns take linear time."""
    text = (piece * 5_000)[:length]
    assert entailment(text + " rome", text + " oslo") == "different"
