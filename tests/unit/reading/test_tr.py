"""Turkish, taken apart: the verb comes last, cases stand for prepositions, endings for subjects."""

from __future__ import annotations

from itertools import product

from cogmem_core.reading.compare import compare
from cogmem_core.reading.pack import pack_of
from cogmem_core.reading.read import read
from helpers.tables import each_row

PACK = pack_of("tr")
OPENERS = (
    "Yazdığım romanda ",
    "Rüyamda ",
    "Oyunda ",
    "Diyelim ki ",
    "Mesela ",
    "Belki ",
    "Galiba ",
    "Hafta sonları ",
    "Yaz bittikten sonra ",
    "Belgelere göre ",
    "Kağıt üzerinde ",
    "Bir süreliğine ",
    "Çocukken ",
)
CLOSERS = (
    ". Şaka şaka!",
    ". Şaka yapıyorum.",
    ", galiba.",
    ", öyle diyorlar.",
    ", rüyamda.",
    ". 1 Nisan!",
    " diye yalan söyledim.",
    " sanıyordum.",
)
CLAIMS = (
    ("Bursa'da oturuyorum", "Rize'de oturuyorum"),
    ("kiram 900 lira", "kiram 1200 lira"),
    ("kızımın adı Mia", "kızımın adı Ece"),
    ("toplantı cuma günü", "toplantı salı günü"),
    ("yöneticim Figen Hanım", "yöneticim Haluk Bey"),
)


def graded(new: str, old: str) -> str:
    """The highest grade that a new statement gives a clause of an old one."""
    grades = ["none", "doubt", "ends", "replaces"]
    verdicts = compare(read(new, "tr", PACK), read(old, "tr", PACK), PACK)
    return max((verdict.grade for verdict in verdicts), key=grades.index, default="none")


@each_row(
    ("text", "subject", "slot", "value", "mood"),
    [
        ("Porto'ya taşındım.", "i", "home", "Porto", "asserted"),
        ("Ankara'da yaşıyoruz.", "we", "home", "Ankara", "asserted"),
        ("kiram 900 lira", "my kir", "be", "900 lira", "asserted"),
        ("Randevu cuma günü.", "randev", "be", "cuma günü", "asserted"),
        ("Annem öğretmen.", "my an", "be", "öğretmen", "asserted"),
        ("Kirayı 900'e çıkardık.", "kir", "be", "900", "asserted"),
        ("Balığa alerjim var.", "i", "var", "Balığa alerj", "asserted"),
        ("Bekârım.", "i", "marital", "Bekâr", "asserted"),
        ("Annem İzmir'e taşınmış.", "my an", "home", "İzmir", "reported"),
        ("Porto'ya taşınacağım.", "i", "home", "Porto", "planned"),
        ("Porto'ya taşınsam.", "i", "home", "Porto", "hypothetical"),
        ("Porto'ya taşınmak istiyorum.", "i", "iste", "taşınmak", "wished"),
    ],
)
def test_endings_tell_subject_slot_and_mood(
    text: str, subject: str, slot: str, value: str, mood: str
) -> None:
    """The person of the verb is the subject, its case names the slot, its tense the mood."""
    clause = read(text, "tr", PACK).clauses[0]
    assert (clause.subject, clause.slot, clause.value, clause.mood) == (subject, slot, value, mood)


@each_row(
    ("text", "kinds"),
    [
        ("Uçuşum iptal oldu, yeniden rezervasyon yapar mısın?", ["statement", "request"]),
        ("Köpeğim 12 yaşında olduğu için hangi mamayı önerirsin?", ["statement", "question"]),
        ("diyabetim var hangi meyveyi yiyebilirim", ["statement", "question"]),
        ("Raporu özetle, yarın yönetime sunuyorum.", ["request", "statement"]),
        ("Eski adresimi unut.", ["wish_to_forget"]),
        ("Şunu aklında tut: kapı kodu 4471.", ["wish_to_keep"]),
        ("Anahtarımı evde unuttum.", ["statement"]),
        ("Bunu İngilizceye çevirir misin?", ["request"]),
        ("Yarın hava yağmurlu mu?", ["question"]),
        ("Bana kısa cevap ver, vejetaryenim.", ["instruction", "statement"]),
        ("tamamdır eyvallah", ["filler"]),
        ("Şu maili özetle: Merhaba, pazartesi taşınıyorum.", ["request", "pasted"]),
    ],
)
def test_what_is_told_stands_beside_what_is_asked(text: str, kinds: list[str]) -> None:
    """A statement beside a question, a request or a wish is a clause of its own."""
    assert [clause.kind for clause in read(text, "tr", PACK).clauses] == kinds


@each_row(
    ("old", "new", "grade"),
    [
        ("Ankara'da yaşıyorum.", "Porto'ya taşındım.", "replaces"),
        ("Kiram 900 lira.", "Kirayı 1200'e çıkardılar.", "replaces"),
        ("Toplantı cuma günü.", "Toplantı salıya alındı.", "replaces"),
        ("Kızımın adı Mia.", "Kızımın adı Mia değil Maya.", "replaces"),
        ("Garanti'de çalışıyorum.", "Akbank'ta işe başladım.", "replaces"),
        ("Çevirileri Levon yapıyor.", "Çevirileri artık İpek yapıyor.", "replaces"),
        ("Vegan'ım.", "Artık vegan değilim.", "ends"),
        ("Sigara içiyorum.", "Sigarayı bıraktım.", "ends"),
        ("Gazete aboneliğim var.", "Gazete aboneliğini iptal ettik.", "ends"),
        ("Annem Manisa'da yaşıyor.", "Babam Aydın'da yaşıyor.", "none"),
        ("Şifre 4471.", "Eski şifre 9920 idi.", "none"),
        ("Kiram 900 lira.", "Eşimin kirası 1200 lira.", "none"),
        ("Vardiyam gece.", "Bu hafta vardiyam sabah.", "none"),
    ],
)
def test_changes_are_found_between_plain_clauses(old: str, new: str, grade: str) -> None:
    """What a verb, "artık" or "değil" says of the same thing decides; another's thing stands."""
    assert graded(new, old) == grade


def test_nothing_is_retired_by_what_is_framed_or_limited() -> None:
    """A story, a joke, hearsay, a season or a doubt round a claim leaves the old one standing."""
    wrong = [
        text
        for (old, new), opener in product(CLAIMS, OPENERS)
        if graded(text := f"{opener}{new}.", old) in ("ends", "replaces")
    ]
    wrong += [
        text
        for (old, new), closer in product(CLAIMS, CLOSERS)
        if graded(text := f"{new[:1].upper()}{new[1:]}{closer}", old) in ("ends", "replaces")
    ]
    assert wrong == []
    assert [graded(new, old) for old, new in CLAIMS] == ["replaces"] * len(CLAIMS)


def test_chat_spelling_is_read_like_any_other() -> None:
    """Letters without their dots, and names without capitals, tell the same."""
    assert graded("izmire tasindim", "Ankara'da yaşıyorum.") == "doubt"
    assert graded("artik et yemiyorum", "Et yiyorum.") == "ends"
