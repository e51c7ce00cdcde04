"""What statements of one kind do to one another: pairs from reports, each with siblings in English and Turkish."""

from __future__ import annotations

from cogmem_core.text.compare import revision

OVER = [
    ("I work at Siemens as an engineer", "I no longer work at Siemens"),
    ("I live in Oslo with my wife", "I no longer live in Oslo"),
    ("I play handball every Tuesday", "I no longer play handball"),
    ("We use Jira for tickets", "We no longer use Jira"),
    ("I'm allergic to walnuts", "Turns out I'm not allergic to walnuts"),
    ("I'm diabetic", "Turns out I'm not diabetic"),
    ("I have asthma", "Turns out I don't have asthma"),
    ("I live in Berlin", "It is not true that I live in Berlin"),
    ("My brother smokes", "It's not true that my brother smokes"),
    ("The release is on Wednesday", "That's wrong, the release is on Thursday"),
    ("The exam is in room 4", "That's wrong, the exam is in room 7"),
    ("I smoke", "I gave up smoking"),
    ("My email is rosa@acme.com", "My new email is rosa@delta.io"),
    ("My phone number is 555 0101", "My new phone number is 555 7777"),
    ("I drive a Skoda Octavia", "I sold the Skoda"),
    ("I own a sailing boat", "I sold the boat"),
    ("The meeting is on Tuesday at 9", "The meeting is cancelled"),
    ("My standup is at 9", "My standup moved to 10"),
    ("Our CI runs on Jenkins", "Our CI runs on Buildkite"),
    ("My phone number is 555 0101", "Remember this: my phone number is 555 0202"),
    ("I work at Siemens", "FYI, I work at Bosch now"),
    ("Lives in Porto", "Lives in Lisbon now"),
    ("Lives in Porto", "Lives in Lisbon"),
    ("Works at Siemens", "Works at Bosch now"),
    ("Is vegetarian", "Is no longer vegetarian"),
    ("Drives a Golf", "Drives a Tesla now"),
    ("Has a cat named Mochi", "No longer has a cat"),
    ("My blood type is A positive", "My blood type is O positive"),
    ("My blood type is B negative", "actually my blood type is AB negative"),
    ("My blood type is A", "My blood type is B"),
    ("Siemens'te çalışıyorum", "Artık Siemens'te çalışmıyorum"),
    ("Ankara'da yaşıyorum", "Artık İzmir'de yaşıyorum"),
    ("Sigara içiyorum", "Sigarayı bıraktım"),
    ("Telefonum 555 0101", "Yeni telefonum 555 0202"),
    ("Toplantı salı günü saat 9'da", "Toplantı iptal oldu"),
    ("Kedim var", "Artık kedim yok"),
]

OVER_OR_PERHAPS = [
    ("I switched to a standing desk", "I switched back to sitting"),
    ("I drink oat milk in my coffee", "I switched back to cow's milk from oat milk"),
    ("I live in Oslo", "For your notes: I live in Munich now"),
    ("I live in Oslo", "Please update my profile: I live in Munich now."),
    ("My email is rosa@acme.com", "I changed my email to rosa@delta.io"),
    ("Toplantı salı günü", "Toplantı perşembeye alındı"),
    ("The meeting is on Tuesday at 9", "The meeting was moved to Thursday"),
    ("My phone number is 555 0101", "new number: 555 0199"),
    ("Anna and I are engaged.", "Anna and I got married in June!"),
    ("We're engaged.", "We are married now."),
    ("My sister is engaged to Luca.", "My sister got married to Luca last week."),
    ("My brother is married.", "My brother is divorced now."),
    ("Dad is unemployed.", "Dad is retired now."),
    ("I'm vegetarian.", "I've been vegan since May."),
    ("Murat'la nişanlıyız.", "Murat'la evlendik!"),
    ("Ablam evli.", "Ablam boşanmış."),
    ("Our puppy chews every shoe.", "The puppy finally leaves our shoes alone."),
    ("The baby wakes up at four.", "The baby now wakes up at six."),
    ("My knee hurts on stairs.", "My knee finally stopped hurting on stairs."),
    ("Our office dog sleeps in reception.", "The office dog now sleeps in the kitchen."),
    ("The heating fails every night.", "The heating finally works at night."),
    ("My son refuses vegetables.", "My son now eats vegetables."),
    ("My boss's name is spelled Hannah.", "Correction: my boss's name is spelled Hanna."),
    ("My street is called Elm Road.", "Actually my street is called Elmer Road."),
    ("My dog's name is Balto.", "I misspoke, my dog's name is Bolto."),
    ("Our cat is called Mimi.", "Sorry, our cat is called Mini."),
    ("Porto'da oturuyorum.", "Porto'daki evden taşındık, artık Lizbon'da yaşıyoruz."),
    ("İzmir'de kiracıyım.", "İzmir'deki evden çıktım, Bursa'da oturuyorum."),
    ("I live in Porto.", "We moved out of the Porto flat, we're in Braga now."),
    ("I work at a bank.", "I quit the bank and opened a cafe."),
    ("Bir okulda öğretmenim.", "Okuldan ayrıldım, kendi işimi kurdum."),
    ("Bir lokantada aşçıyım.", "Lokantayı bıraktım, artık taksiciyim."),
    ("Lives in Porto", "Lives in Lisbon now"),
    ("Works at Siemens", "Works at Bosch"),
    ("Drives a Golf", "Drives a Tesla"),
    ("Is allergic to nuts", "Is not allergic to nuts"),
    ("Weighs 80 kilos", "Weighs 76 kilos"),
    ("Ankara'da yaşıyor", "İzmir'de yaşıyor"),
    ("I smoke about half a pack a day", "I quit smoking in March"),
    ("I drink two beers a day", "I quit drinking in May"),
]

STANDS = [
    ("My salary is 3,000 euros", "My salary is paid late"),
    ("My salary is 3,000 euros", "My salary is barely enough"),
    ("My rent is 840 euros", "My rent is due tomorrow"),
    ("My rent is 840 euros", "My rent is way too high"),
    ("My job is teaching", "My job is stressful"),
    ("My job is teaching", "My job is killing me"),
    ("The deadline is 5 May", "The deadline is tight"),
    ("The deadline is 5 May", "The deadline is a joke"),
    ("My birthday is 14 March", "My birthday is always a disaster"),
    ("My birthday is 14 March", "My birthday is coming up"),
    ("My car is a Golf", "My car is at the garage"),
    ("My car is a Golf", "My car is filthy"),
    ("My flat is in Leeds", "My flat is freezing"),
    ("My phone is a Pixel 7", "My phone is broken"),
    ("My phone is a Pixel 7", "My phone is on silent"),
    ("My dose is 5 mg", "My dose is at 9"),
    ("My dose is 5 mg", "My dose is due in the evening"),
    ("My dose is 5 mg", "My dose is working well"),
    ("My shift is at 6", "My shift is exhausting"),
    ("My appointment is on Friday", "My appointment is with Dr. Weber"),
    ("My name is Ana", "My name is hard to spell"),
    ("My address is Mill Road 5", "My address is hard to find"),
    ("We live in Berlin", "We moved to Team Alpha"),
    ("I work at Siemens", "I joined Greenpeace"),
    ("I work at Siemens", "I joined a gym"),
    ("I work at Siemens", "I joined the choir in March"),
    ("I live in Oslo", "I moved to the back row"),
    ("I live in Oslo", "I moved to a new desk"),
    ("My cat is called Mochi", "My cat is named after a dessert"),
    ("My son is called Leo", "My son is named after my grandfather"),
    ("The gym opens at 7 on weekdays", "The gym opens at 9 on weekends"),
    ("I take 5 mg in the morning", "I take 10 mg in the evening"),
    ("I live in Oslo in winter", "I live in Malaga in summer"),
    ("I drink tea at work", "I drink coffee at home"),
    ("The shop closes at 6 on Mondays", "The shop closes at 8 on Fridays"),
    ("Dinner is at 7 during the week", "Dinner is at 8 on Sundays"),
    ("My boss is Klaus", "My boss is German"),
    ("My dentist is Dr. Okafor", "My dentist is Nigerian"),
    ("My neighbour is Ivo", "My neighbour is Croatian"),
    ("My wife is Carla", "My wife is Chilean"),
    ("Siemens'te çalışıyorum", "Ofiste çalışıyorum"),
    ("Siemens'te çalışıyorum", "Evde çalışıyorum"),
    ("Siemens'te çalışıyorum", "Gece çalışıyorum"),
    ("Ankara'da oturuyorum", "Kirada oturuyorum"),
    ("Ankara'da oturuyorum", "Köşede oturuyorum"),
    ("Ankara'da oturuyorum", "Üçüncü katta oturuyorum"),
    ("Ankara'da yaşıyorum", "Rüyamda İzmir'de yaşıyorum"),
    ("Ankara'da yaşıyorum", "Keşke İzmir'de yaşasam"),
    ("Ankara'da yaşıyorum", "Yazın İzmir'de yaşıyorum"),
    ("I live in Berlin", "I moved from Bristol to Leeds in 2021"),
    (
        "My phone number is 555 0101",
        "Here is an email I got, write a reply:\n\nHello Maria,\nI live in Porto now. "
        "My phone number is 555 9999.",
    ),
    (
        "I live in Oslo",
        "Proofread this: I moved to Porto last year. I live in Porto now. I work at Acme.",
    ),
    ("I work at Siemens", "Translate into German: I work at Bosch. My boss is called Uwe."),
    (
        "My name is Ana",
        "Here is my friend's CV, is it good?\nMy name is Ben. I live in Rome. I work at Fiat.",
    ),
    ("I live in Oslo", "Summarise this review: We live in Bergen. The hotel was awful."),
    (
        "I take 5 mg of ramipril",
        "This is what the patient wrote: I take 10 mg of ramipril. I live in Hull.",
    ),
    ("I live in Oslo", "Şu metni düzelt: Porto'da yaşıyorum. Telefonum 555 9999."),
    ("My blood type is A positive", "My blood type is rare"),
    ("I like working with vendor A", "I don't like working with vendor B"),
    ("I like swimming in the lake", "I don't like swimming in the pool"),
    ("My brother is Tom", "My brother is in Rome"),
    ("I am allergic to nuts", "I am allergic to penicillin"),
    ("My sister works at Bosch", "I work at Siemens"),
    ("We use Jenkins for builds", "We use Slack for chat"),
    ("I have a dog", "I have a cat"),
    ("I speak French", "I speak Spanish"),
    ("I like tea", "I like coffee"),
    ("My favourite book is Emma", "My favourite film is Alien"),
    ("The printer is on the second floor", "The printer is out of toner"),
    ("My password manager is Bitwarden", "My password manager is great"),
    ("Maaşım 40 bin lira", "Maaşım geç yatıyor"),
    ("Maaşım 40 bin lira", "Maaşım çok az"),
    ("Doğum günüm 5 Mayıs", "Doğum günüm çok güzel geçti"),
    ("Arabam Megane", "Arabam tamirde"),
    ("Arabam Megane", "Arabam kırmızı"),
    ("Müdürüm Selin Hanım", "Müdürüm çok sert"),
    ("İlacım 5 mg", "İlacım saat 9'da"),
    ("Toplantı salı günü", "Toplantı çok uzun sürdü"),
    ("I'm engaged in local politics.", "I'm married to a teacher."),
    ("My sister is married.", "My brother is divorced."),
    ("My friend Ann is single.", "My friend Eve is married."),
    ("I'm married.", "My parents got divorced in 1999."),
    ("The engaged tone of our phone is annoying.", "We are married."),
    ("The dog sleeps on the sofa.", "The dog now has a chip."),
    ("My car needs oil.", "My car is now insured with Axa."),
    ("My daughter plays the oboe.", "My daughter now has braces."),
    ("The garden has a shed.", "The garden now has a pond."),
    ("Our shop sells bread.", "Our shop is now on Instagram."),
    ("My laptop has 16 GB.", "My laptop finally arrived."),
    ("My name is Ana.", "My cat's name is Ana too."),
    ("Our street is called Elm Road.", "Actually the pub is called Elm Tree."),
    ("My flat is in Porto.", "My office is in Braga."),
    ("I work at a bank.", "I sat on a bench by the bank."),
    ("I live in Porto.", "I rented a flat in Rome for a week."),
    ("I have two sisters.", "My sisters visited us on Sunday."),
    ("I like my job.", "I liked my last job better."),
    ("We have a dishwasher.", "The dishwasher broke twice this year."),
    ("I run every morning.", "I ran ten kilometres this morning."),
    ("I drink tea in the evening.", "I drank wine yesterday evening."),
    ("My mother calls me daily.", "My mother called the doctor."),
    ("The rent is 900 euros.", "The deposit is 1,800 euros."),
    ("We meet on Mondays.", "We met on Monday at the pub."),
    ("I take vitamin D.", "I take vitamin B12."),
    ("I studied in Ghent.", "I lived in Ghent for a year."),
    ("I speak French with my wife.", "I speak German with my kids."),
    ("My father was a baker.", "My father loves bread."),
    ("Our team has eight people.", "Our team lunch is on Friday."),
    ("The server runs on port 80.", "The proxy runs on port 81."),
    ("I have a meeting with Ana at 9.", "I have a meeting with Ben at 11."),
    ("I pay 12 euros for Netflix.", "I pay 9 euros for Spotify."),
    ("Tom is my brother.", "Tom lives in Cork."),
    ("My exam is on 5 May.", "My oral exam is on 9 May."),
    ("Ablam evli.", "Abim bekar."),
    ("Kedim siyah.", "Kedim hamile."),
    ("Oğlum dokuz yaşında.", "Oğlum artık gözlük takıyor."),
    ("Evimiz Bornova'da.", "Yazlığımız Çeşme'de."),
    ("Ankara'da yaşıyorum.", "Ankara'da hava soğuk."),
    ("Siemens'te çalışıyorum.", "Siemens'te grev var."),
    ("Kahve severim.", "Çay da severim."),
    ("Köpeğim var.", "Köpeğim hastalandı."),
    ("Toplantı salı günü.", "Toplantı uzun sürdü."),
    ("Maaşım 40 bin lira.", "Kiram 15 bin lira."),
    ("Annem öğretmen.", "Babam öğretmen."),
    ("Okula yürüyerek gidiyorum.", "Okul saat üçte bitiyor."),
    ("Lives in Porto", "Loves Lisbon"),
    ("Works at Siemens", "Works on Mondays"),
    ("Has a dog", "Has a cat"),
    ("Likes tea", "Likes coffee"),
]


def grade(old: str, new: str) -> str:
    """What the new statement does to the old one."""
    found = revision(new, old, same_speaker=True)
    return found.grade if found else "none"


def test_what_is_over() -> None:
    """Ends, denials, corrections, other values, also of statements without a subject."""
    assert [pair for pair in OVER if grade(*pair) != "hard"] == []


def test_what_is_over_or_perhaps_over() -> None:
    """States of life, "now" and "finally", other spellings, dwellings, jobs that were left."""
    assert [pair for pair in OVER_OR_PERHAPS if grade(*pair) == "none"] == []


def test_what_stands() -> None:
    """Remarks, circumstances, groups, dreams, letters of others, aspects, events, other things."""
    assert [(pair, grade(*pair)) for pair in STANDS if grade(*pair) != "none"] == []


NEVER_RETOLD = [
    ("Ana lent Ben her bike.", "Ben lent Ana his bike."),
    ("I eat meat every day.", "I don't eat much meat."),
    ("Siyah kedim evde uyur.", "The black cat sleeps in Siyah."),
    ("The garden needs rain and sun.", "My cousin paints houses."),
    ("word " * 41, "word " * 42),
]


def test_no_vector_makes_these_one() -> None:
    """Who does what to whom, a denial of a part, two languages, nothing in common, long texts."""
    pairs = [(new, old) for old, new in NEVER_RETOLD]
    found = [revision(*pair, same_speaker=True, nearness=0.99) for pair in pairs]
    assert found == [None] * len(pairs)
    told = revision(
        "Selin Hanım benim müdürüm, yeni değil.",
        "Müdürüm Selin Hanım.",
        same_speaker=True,
        nearness=0.99,
    )
    assert told is not None


def test_a_part_of_a_long_text_ends_only_that_part() -> None:
    """All else in it still holds, so it may not be retired whole."""
    long_text = (
        "I live in Oslo near the harbour, my sister works as a nurse in Bergen, my brother paints"
        " boats and our mother still bakes bread every Friday. My phone is a Pixel 7."
    )
    found = revision("My phone is a Fairphone 5.", long_text, same_speaker=True)
    assert found is not None
    assert (found.grade, found.part) == ("hard", True)
    flat = "I live in a flat on Mill Road, fourth floor, no lift."
    assert revision("I want a balcony, a lift, and light.", flat, same_speaker=True) is None


def test_who_went_back_to_something_does_otherwise_now() -> None:
    """The older habit stays behind it."""
    found = revision(
        "I have switched back to regular milk, oat milk curdles in coffee.",
        "I take my coffee with oat milk.",
        same_speaker=True,
    )
    assert found is not None
