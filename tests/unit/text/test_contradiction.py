"""Contradictions told without a language model: 128 labelled pairs, half of them look-alikes, English and Turkish."""

from __future__ import annotations

from cogmem_core.text.compare import (
    Attribute,
    announces_correction,
    attribute_of,
    contradicts,
    is_negative,
)
from cogmem_core.text.compare.wording import language_of
from helpers.tables import each_row

CONTRADICTIONS = [  # new, old
    ("I live in Porto", "I live in Lisbon"),
    ("I moved to Porto last month.", "I live in Lisbon with my cat"),
    ("User lives in Porto", "User lives in Lisbon"),
    ("Ana lives in Berlin now", "Ana lives in Hamburg"),
    ("My sister lives in Faro now", "My sister lives in Braga"),
    ("I work at Nordlys", "I work at Marea"),
    ("I just joined Nordlys as a designer", "I work for Marea"),
    ("My running shoe size is 41", "My running shoe size is 40"),
    ("Pamuk takes 5 mg twice a day", "Pamuk takes 2.5 mg twice a day"),
    ("I take 10 mg of lisinopril", "I take 20 mg of lisinopril"),
    ("I'm divorced", "I am married"),
    ("I am vegan now", "I'm vegetarian"),
    ("I am 41", "I am 40 years old"),
    ("My favourite colour is green", "My favorite colour is blue"),
    ("My boss is Rui", "My boss is Ana"),
    ("My dog is called Bella", "My dog is called Rex"),
    ("I have three cats", "I have two cats"),
    ("I hate mushrooms", "I love mushrooms"),
    ("I can't stand cilantro", "I like cilantro"),
    ("I no longer like jazz", "I like jazz"),
    ("I prefer coffee over tea", "I prefer tea over coffee"),
    ("I prefer light mode", "I prefer dark mode"),
    ("I switched back to Emacs", "I switched from Emacs to Vim"),
    ("We migrated from MySQL to Postgres", "We use MySQL"),
    ("I no longer smoke", "I smoke"),
    ("I stopped eating meat", "I eat meat"),
    ("I don't eat meat", "I eat meat"),
    ("The meeting with Ana is at 4", "The meeting with Ana is at 3"),
    ("Actually, the meeting is on Thursday", "The meeting is on Tuesday"),
    ("Actually the party is in June", "The party is in May"),
    ("The API version is 2.2", "The API version is 2.1"),
    ("The server has 32 GB of memory", "The server has 16 GB of memory"),
    ("Porto'ya taşındım", "Lizbon'da yaşıyorum"),
    ("Artık Nordlys'te çalışıyorum", "Marea'da çalışıyorum"),
    ("Ayşe İzmir'de oturuyor", "Ayşe Ankara'da oturuyor"),
    ("Ayakkabı numaram 41", "Ayakkabı numaram 40"),
    ("Kahveyi artık sevmiyorum", "Kahveyi seviyorum"),
    ("Et yemiyorum", "Et yiyorum"),
    ("Pamuk günde iki kez 5 mg alıyor", "Pamuk günde iki kez 2,5 mg alıyor"),
    ("En sevdiğim renk yeşil", "En sevdiğim renk mavi"),
    ("My dentist is Dr. Castell", "My dentist is Dr. Moreau"),
    ("My blood type is AB", "My blood type is B"),
    ("Our flight to Athens is on Saturday", "Our flight to Athens is on Friday"),
    ("My appointment with Dr. Osei is on Monday", "My appointment with Dr. Osei is on Friday"),
    ("I misspoke, my cousin lives in Lund", "My cousin lives in Malmo"),
    ("Sorry, I meant the party is in June", "The party is in May"),
    ("I can't swim", "I can swim"),
    ("Mesleğim öğretmen", "Mesleğim avukat"),
    ("Son teslim tarihi 30 Haziran", "Son teslim tarihi 15 Haziran"),
    ("Vardiyam saat 7'de başlıyor", "Vardiyam saat 6'da başlıyor"),
    ("Doktor randevum çarşamba", "Doktor randevum pazartesi"),
    ("Sigarayı bıraktım", "Sigara içiyorum"),
    ("Hayır, otel Graz'da", "Otel Viyana'da"),
    ("Pardon, sınav çarşamba", "Sınav pazartesi"),
    ("Yanlış söyledim, kızım altı yaşında", "Kızım beş yaşında"),
    ("My daughter is seven", "My daughter is six"),
    ("Our standup is at 10:00", "Our standup is at 9:30"),
    ("Artık tenis oynamıyorum", "Tenis oynuyorum"),
    ("Adresim Lale Sokak 9", "Adresim Gül Sokak 5"),
    ("Pardon, toplantı haziranda", "Toplantı mayısta"),
]

LOOK_ALIKES = [
    ("My locker 35 holds 245 coins", "My locker 5 holds 35 coins"),  # new, old
    ("My sister lives in Porto", "I live in Lisbon"),
    ("Meeting with Rui at 4", "Meeting with Ana at 3"),
    ("Ana lives in Porto", "Rui lives in Lisbon"),
    ("I work at Marea on Fridays", "I work at Marea"),
    ("My brother works at Nordlys", "I work at Marea"),
    ("I live in Lisbon", "I live in Portugal"),
    ("I live in Lisbon, near the river", "I live in Lisbon"),
    ("I lived in Rome in 2010", "I live in Lisbon"),
    ("I used to live in Rome", "I live in Lisbon"),
    ("I want to move to Berlin", "I live in Lisbon"),
    ("I might work at Nordlys one day", "I work at Marea"),
    ("I moved to Neovim", "I live in Lisbon"),
    ("My trail shoe size is 41", "My running shoe size is 40"),
    ("Tekir takes 5 mg twice a day", "Pamuk takes 2.5 mg twice a day"),
    ("I take 5 mg of bisoprolol", "I take 20 mg of lisinopril"),
    ("I have two dogs", "I have three cats"),
    ("I have two meetings on Friday", "I have three meetings tomorrow"),
    ("I like coffee", "I like tea"),
    ("I don't like tea", "I like coffee"),
    ("I hate running in the rain", "I love running"),
    ("My favourite film is Alien", "My favourite colour is blue"),
    ("My boss is nice", "My boss is Ana"),
    ("My cat is called Tom", "My dog is called Rex"),
    ("My sister is called Eva", "My brother is called Max"),
    ("I prefer window seats", "I prefer dark mode"),
    ("I use Postgres at work", "I use MySQL at home"),
    ("Ana doesn't drive", "Rui drives"),
    ("I ran 10 km on Sunday", "I ran 5 km on Sunday"),
    ("Room 14 has a projector", "Room 12 has a projector"),
    ("I have a meeting at 4", "I have a meeting at 3"),
    ("The meeting is at 4 on Tuesday", "The meeting is at 3 on Monday"),
    ("Python 3.11 is supported", "Python 3.10 is supported"),
    ("I went to Rome in May", "I went to Oslo in June"),
    ("Do I live in Porto?", "I live in Lisbon"),
    ("Sounds like a plan", "Sounds like a lot"),
    ("Her name is Shadow", "Her name is Luna"),
    ("Rui is 41", "Ana is 40"),
    ("Kız kardeşim Porto'da yaşıyor", "Lizbon'da yaşıyorum"),
    ("Mehmet İzmir'de oturuyor", "Ayşe Ankara'da oturuyor"),
    ("Çay seviyorum", "Kahve seviyorum"),
    ("Tekir günde iki kez 5 mg alıyor", "Pamuk günde iki kez 2,5 mg alıyor"),
    ("Üç köpeğim var", "İki kedim var"),
    ("Çay sevmiyorum", "Kahve seviyorum"),
    ("Ali ile toplantı saat 4'te", "Ayşe ile toplantı saat 3'te"),
    ("I have 2 daughters", "I have two daughters"),
    ("Evliyim", "I'm married"),
    ("Doğum günüm 4 Mayıs", "My birthday is on 4 May"),
    ("The meeting with Ana is at 4 on 2026-03-09", "The meeting with Ana is at 3 on 2026-03-02"),
    ("Our flight to Oslo is on Saturday", "Our flight to Athens is on Friday"),
    ("My appointment with Dr. Lee is on Monday", "My appointment with Dr. Osei is on Wednesday"),
    ("I switched from tea to coffee", "I use tea tree oil"),
    ("I switched from tea to coffee", "I spilled tea on my laptop"),
    ("Actually, Ana likes tea", "Tom likes tea"),
    ("Actually, the second exam is on Wednesday", "The exam is on Monday"),
    ("My blood type is AB", "My son's blood type is A"),
    ("I can't swim", "I can cook"),
    ("Ofis kirası 9000", "Ev kirası 15000"),
    ("Tez teslim tarihi 30 Haziran", "Proje teslim tarihi 15 Haziran"),
    ("Diş randevum çarşamba", "Doktor randevum pazartesi"),
    ("Sigarayı bıraktım", "Annem sigara içiyor"),
    ("Şekeri bıraktım", "Sigara içiyorum"),
    ("Pardon, Ali geldi", "Veli geldi"),
    ("Hayır, otel Graz'da", "Ev Viyana'da"),
    ("Patronum izinde", "Patronum Kemal Bey"),
    ("Doktorum bana ilaç yazdı", "Doktorum Selin Hanım"),
    ("Mesleğim zor", "Mesleğim öğretmen"),
    ("Kilom çok fazla", "Kilom 80"),
    ("Üniversiteyi bıraktım", "Üniversiteyi bitirdim"),
    ("Unit 2: the tenant is Fischer", "Unit 1: the tenant is Gomez"),
    ("Tom: lives in Kiel", "Petra: lives in Bonn"),
    ("The pool opens at 10 in winter", "The pool opens at 7"),
    ("My shift starts at 6 on Fridays", "My shift starts at 8"),
    ("My dog is called a mutt by my aunt", "My dog is called Rex"),
    ("My son is called to the office a lot", "My son is called Leo"),
    ("My landlord is Mr. Cole's son", "My landlord is Mr. Cole"),
    ("Mein Chef ist im Urlaub", "Mein Chef ist Herr Braun"),
    ("Mi jefe es de Sevilla", "Mi jefe es Pablo"),
    ("I'd rather not work nights any more", "I work nights"),
    ("I wish I no longer worked at Lidl", "I work at Lidl"),
]


@each_row(("new", "old"), CONTRADICTIONS)
def test_a_changed_value_or_a_denial_is_a_contradiction(new: str, old: str) -> None:
    """Another value of one attribute, something that ended, a denial, or a correction."""
    assert contradicts(new, old, same_speaker=True) is not None


@each_row(("new", "old"), LOOK_ALIKES)
def test_look_alikes_about_different_things_are_left_alone(new: str, old: str) -> None:
    """Other people, other things, other times, plans, the past and questions contradict nothing."""
    assert contradicts(new, old, same_speaker=True) is None


@each_row("text", sorted({text for pair in CONTRADICTIONS + LOOK_ALIKES for text in pair}))
def test_nothing_contradicts_itself(text: str) -> None:
    """A statement repeated is no contradiction."""
    assert contradicts(text, text, same_speaker=True) is None


@each_row(
    ("text", "attribute"),
    [
        ("I live in Lisbon", ("speaker", "residence", "lisbon")),
        ("My running shoe size is 40", ("speaker's running shoe", "size", "40")),
        ("I work at Marea", ("speaker", "employer", "marea")),
        ("Pamuk takes 2.5 mg twice a day", ("pamuk", "dose", "2.5 mg")),
        ("My sister lives in Porto", ("speaker's sister", "residence", "porto")),
        ("Actually, I live in New York now.", ("speaker", "residence", "new york")),
        ("I can't stand mushrooms", ("speaker", "likes mushrooms", "no")),
        ("Pamuk günde iki kez 2,5 mg alıyor", ("pamuk", "dose", "2,5 mg")),
        ("Ayakkabı numaram 40", ("speaker's ayakkabi", "number", "40")),
        ("Evliyim", ("speaker", "marital status", "evli")),
    ],
)
def test_a_plain_statement_is_read_as_subject_attribute_and_value(
    text: str, attribute: tuple[str, str, str]
) -> None:
    """Whose it is, what it is, and its value, folded."""
    assert attribute_of(text) == Attribute(*attribute)


@each_row(
    "text",
    [
        "I used to live in Lisbon",
        "I want to live in Rome",
        "Do I live in Rome?",
        "Ana said I live in Rome",
        "",
        "My boss is nice",
    ],
)
def test_what_is_not_plain_has_no_attribute(text: str) -> None:
    """The past, wishes, questions, hearsay and judgements are not read."""
    assert attribute_of(text) is None


def test_two_speakers_do_not_contradict_each_other() -> None:
    """ "I" is another person when another person says it; names stay the same."""
    assert contradicts("I live in Porto", "I live in Lisbon", same_speaker=False) is None
    assert contradicts("Ana lives in Porto", "Ana lives in Lisbon", same_speaker=False) is not None
    assert (
        contradicts("Pardon, kızım altı yaşında", "Kızım beş yaşında", same_speaker=False) is None
    )


def test_a_contradiction_says_why() -> None:
    """The log needs the attribute, the subject and both values."""
    found = contradicts("I live in Porto", "I live in Lisbon", same_speaker=True)
    assert found is not None
    assert (found.kind, found.reason) == ("value", "residence of speaker: lisbon, now porto")


@each_row(
    ("new", "old", "expected"),
    [
        ("I live in Porto", "I live in Lisbon", True),
        ("I don't eat meat", "I eat meat", True),
        ("I stopped eating meat", "I eat meat", True),
        ("I stopped eating meat", "I eat red meat", False),
        ("Actually, the party is in June", "The party is in May", True),
        ("I switched back to Emacs", "I switched from Emacs to Vim", False),
    ],
)
def test_a_contradiction_says_whether_both_are_about_one_attribute(
    new: str, old: str, expected: bool
) -> None:
    """ "or of equal subject and attribute": then no similarity of vectors is needed."""
    found = contradicts(new, old, same_speaker=True)
    assert found is not None
    assert found.same_attribute is expected


@each_row(
    ("text", "expected"),
    [
        ("I live in Rome", "en"),
        ("Ayşe lives in Rome", "en"),
        ("Roma'da yaşıyorum", "tr"),
        ("Evliyim", "tr"),
        ("Kopegim var", "tr"),
        ("Kemal Bey", ""),
        ("", ""),
    ],
)
def test_language(text: str, expected: str) -> None:
    """Function words, letters and verbs tell; a name alone does not."""
    assert language_of(text) == expected


def test_switching_back_needs_the_old_value_or_similarity() -> None:
    """Without the old value in the text, only very similar statements are taken for the same choice."""
    pair = ("I switched back to Emacs", "I use Vim as my editor")
    assert contradicts(*pair, same_speaker=True) is None
    assert contradicts(*pair, same_speaker=True, similarity=0.8) is not None


@each_row(
    ("text", "expected"),
    [
        ("Actually, it's Thursday", True),
        ("Sorry, I meant Rui", True),
        ("It's Rui, not Rua", True),
        ("No, I live in Porto", True),
        ("Aslında perşembe", True),
        ("Hayır, İzmir", True),
        ("I live in Porto", False),
        ("Not bad at all", False),
        ("Porto'da yaşıyorum", False),
    ],
)
def test_correction_cues(text: str, expected: bool) -> None:
    """Words that announce a correction, English and Turkish."""
    assert announces_correction(text) is expected


@each_row(
    ("text", "expected"),
    [
        ("I don't eat meat", True),
        ("I no longer smoke", True),
        ("I can\u2019t swim", True),
        ("Kahve sevmiyorum", True),
        ("Evli değilim", True),
        ("Ankara'ya gitmedim", True),
        ("I eat meat", False),
        ("I don't dislike it, not at all", False),
        ("Kahve seviyorum", False),
        ("Lamı sevdim", False),
    ],
)
def test_negation(text: str, expected: bool) -> None:
    """Words and Turkish verb endings that deny; two of them cancel out."""
    assert is_negative(text) is expected
