"""What a message changes in passing, in no sentence of its own, and in another language: a doubt each time."""

from __future__ import annotations

from cogmem_core.text.compare import asked_slot, gives_up, revision, unclear_doses
from cogmem_core.text.query.questions import corrects_what_was_said
from cogmem_core.text.query.topics import answers_topic, asked_topic
from helpers.tables import each_row


def grade(old: str, new: str) -> str:
    found = revision(new, old, same_speaker=True)
    return found.grade if found else "none"


HOMES = [
    (
        "I live in a studio on Baker Street, 900 a month.",
        "Chaos. We live on Elm Road now, it rains.",
    ),
    ("I'm renting a room on Rua das Flores.", "Boxes gone, we live on Avenida Brasil since June."),
    (
        "I live in a shared flat in Leeds with two nurses.",
        "Big news, we live in a tiny house in York.",
    ),
    (
        "We are based in an old mill in Ghent.",
        "Still unpacking. We're settled in a loft in Antwerp.",
    ),
    ("I've been living at number 12 on Mill Lane.", "New keys: I'm living on Harbour Street."),
    ("I live with two others in Ghent.", "Right, update. I live in Bruges now, alone at last."),
    ("I live in Leeds.", "Living in Bruges these days."),
    ("I live in Leeds.", "Now living in York, near the wall."),
    ("Ich wohne in Leipzig.", "Der Umzug ist geschafft, seit Samstag wohne ich in Erfurt."),
    ("Ich wohne in Leipzig.", "Wir sind letzte Woche nach Bonn umgezogen."),
    ("J'habite \u00e0 Nantes.", "On a emm\u00e9nag\u00e9 \u00e0 Lyon la semaine derni\u00e8re."),
]
JOBS = [
    (
        "I'm a test engineer at Siemens, four years now.",
        "I'm leaving Siemens, my last day is 12 June.",
    ),
    ("I'm a nurse at Lincoln General.", "They offered me the job!!! Riverside, senior nurse."),
    ("Last day at Nokia today, there was cake.", "Second week at Ericsson is over."),
    ("They offered me the role! Bosch, lead tester.", "First day at Bosch done, my feet hurt."),
    ("I'm a cook at Nando's, five years.", "Leon hired me! I start in March."),
    ("I've been a welder at Thyssen since school.", "I was laid off by Thyssen."),
    ("I'm a cook at Nando's, five years.", "New job at Leon!"),
    ("I work at Siemens.", "Just started working at Bosch."),
    ("I'm a nurse at Lincoln General.", "Began a new job at Riverside in March."),
    ("Ich arbeite bei Bosch.", "Ich bin zu Siemens gewechselt."),
    (
        "Je bosse chez Carrefour à la caisse.",
        "J'ai démissionné de Carrefour, je commence chez Ikea lundi.",
    ),
    ("Trabajo para Zara.", "Me han contratado en Inditex."),
    ("Arçelik'te mühendis olarak çalışıyorum.", "Vestel'de ilk haftam bitti."),
]
HABITS = [
    (
        "I take it with oat milk, cow's milk upset me.",
        "Coffee: I switched back to cow's milk, oat is thin.",
    ),
    (
        "I went with plastic pots, clay pots cracked.",
        "Went back to clay pots. Plastic pots look awful.",
    ),
    (
        "I type on a split keyboard, the flat keyboard hurt.",
        "I'm back on the flat keyboard, not the split.",
    ),
    (
        "I do notes in Obsidian, paper piles up.",
        "Notes again: I changed back to paper. Obsidian is a maze.",
    ),
    (
        "I drive with winter tyres, summer tyres cost.",
        "I switched back to summer tyres. Winter tyres hum.",
    ),
]
GONE = [
    (
        "Bought new hiking boots, size 42, the brown ones.",
        "The brown boots went to my cousin. I got 42.5.",
    ),
    ("I drive an old Skoda estate, silver.", "The Skoda was sold on Sunday, we take the tram."),
    ("We bought a blue sofa.", "The blue sofa went to the neighbours."),
    ("I have a Fender guitar, from 1994.", "The Fender is gone, my brother has it."),
    ("My bike is a green Peugeot.", "The green Peugeot was stolen last night."),
]
DOSES = [
    (
        "She takes 2.5 mg of thiamazole once a day.",
        "Misty now takes 2.5 mg of thiamazole twice a day.",
    ),
    (
        "Rex stays on 10 mg twice a day.",
        "Rex: now it's 10 mg in the morning and 5 mg in the evening.",
    ),
    ("The doctor put me on 20 mg of omeprazole.", "I'm on 40 mg of omeprazole since Monday."),
    ("Bella gets 50 mg of gabapentin.", "The vet raised it, Bella gets 100 mg from now on."),
    ("He takes 500 mg of metformin, once a day.", "Dad takes 500 mg of metformin twice a day now."),
    ("I take levothyroxine 50 mcg.", "My GP bumped me up to 75 mcg."),
    ("I take methotrexate 15 mg every Sunday.", "They lowered me to 10 mg."),
    ("I inject 12 units of insulin at night.", "The nurse moved me up to 16 units."),
    ("I've been on 30 mg of prednisolone.", "The rheumatologist has reduced me to 20 mg."),
]
LANGUAGES = [
    (
        "Portuguese class is on Tuesdays at 19:00.",
        "Portekizce kursu artık perşembe akşamları 18:30'da.",
    ),
    ("My rent is 900 euros.", "Kira 950 euro oldu."),
    ("Toplantı salı günü saat 10'da.", "The meeting has moved to Thursday at 11."),
    ("My daughter's piano lesson is on Fridays.", "Kızımın piyano dersi artık cumartesi günleri."),
    ("Yüzme kursu pazartesi 18:00'de.", "Swimming class is on Wednesdays at 19:00 now."),
    ("My rent is 900 euros.", "Meine Miete beträgt 950 Euro."),
    ("My piano lesson is on Mondays at 5.", "Klavierunterricht ist dienstags um 17:00 Uhr."),
]
FIGURES = [
    ("The team meeting is on Mondays at 10.", "From now on the team meeting is on Wednesdays."),
    ("Choir practice is on Tuesdays.", "Choir practice is on Thursdays now."),
    ("Our office hours are on Mondays.", "Starting next week our office hours are on Thursdays."),
    ("Das Teammeeting ist montags.", "Ab jetzt ist das Teammeeting mittwochs."),
    ("La clase de yoga es los lunes.", "A partir de ahora la clase de yoga es los jueves."),
    ("Le cours de yoga est le lundi.", "Désormais le cours de yoga est le jeudi."),
    ("Our huddle is at 9:30 Berlin time.", "Huddle moved to 15:00 so that Ines can sleep."),
    ("Client Mrs. Petrova wants a garden, budget 420k.", "Petrova's budget is now 450k."),
    (
        "Friday is pizza night at our place.",
        "We moved pizza night to Saturday because of my shifts.",
    ),
    ("The cleaner comes on Tuesdays.", "They've changed the cleaner to Mondays and Thursdays."),
    ("I take vitamin D 1000 IU.", "Doc doubled my vitamin D to 2000 IU."),
    ("Shearing's on the 6th of June.", "Shearing's put back a week, to the 13th."),
    ("Mum's operation is on 4 May.", "They've brought Mum's operation forward to 28 April."),
    ("I pay 40 euros for the phone contract.", "The phone contract went up to 45 euros."),
    ("CI takes about 14 minutes, it's painful.", "CI is down to 6 minutes after the cache."),
    ("The team has nine people.", "The team's up to 12 people."),
    ("Düğünümüz 12 Temmuz'da.", "Düğünü 9 Ağustos'a aldık."),
    ("Tansiyon için Beloc 25 mg kullanıyorum.", "Doktor Beloc'u 50 mg'a çıkardı."),
    ("Yüzme kursum salı ve perşembe akşamları.", "Kurs artık pazartesi ve çarşamba oldu."),
    ("Die Probe ist dienstags.", "Wir haben die Probe auf donnerstags verlegt."),
    ("Le loyer est de 700 euros.", "Le loyer est passé à 730 euros."),
    ("El entrenamiento es los lunes.", "Han cambiado el entrenamiento a los martes."),
]
SYSTEMS = [
    ("Our CI runs on Jenkins.", "Our CI runs on Buildkite."),
    ("Our docs live in Confluence.", "Our docs live in Notion."),
    ("Our builds run on Travis.", "Our builds run on Drone."),
    ("My editor is Vim.", "My editor is Zed now."),
    ("Our default branch is main.", "Our default branch is trunk now."),
]


@each_row(("old", "new"), [*HOMES, *JOBS, *HABITS, *GONE, *DOSES, *LANGUAGES, *FIGURES])
def test_what_is_told_in_passing_leads_a_chain(old: str, new: str) -> None:
    assert grade(old, new) in ("soft", "hard")


STANDS = [
    ("The team meeting is on Mondays.", "From now on the design meeting is on Wednesdays."),
    ("The team meeting is on Mondays.", "The team meeting is also on Wednesdays now."),
    ("The yoga class is on Tuesdays.", "The new yoga class is on Thursdays."),
    ("The museum is free on Mondays.", "The museum is 12 euros now."),
    ("Tom's yoga is on Tuesdays.", "From now on my yoga is on Thursdays."),
    ("My mother takes levothyroxine 50 mcg.", "My GP bumped me up to 75 mcg."),
    ("I take levothyroxine 50 mcg.", "My GP bumped my dad up to 75 mcg."),
    ("I take levothyroxine 50 mcg.", "She asked if I wanted to go up to 75 mcg."),
    ("I take levothyroxine 50 mcg.", "It's 75 mcg of vitamin K in a tablet."),
    ("I take ramipril 5 mg.", "I take amlodipine 10 mg."),
    ("CI takes about 14 minutes.", "The deploy is down to 6 minutes."),
    ("The lift takes 8 people.", "The lift is up to 300 kg."),
    ("I live in a flat on Baker Street.", "My sister lives on Elm Road now."),
    ("I live in a studio on Baker Street.", "In summer we live on Lake Road."),
    ("I live in a studio on Baker Street.", "I'd love to live on Elm Road."),
    ("I live in Leeds.", "I stay in London on Tuesdays for work."),
    ("I live in Leeds.", "I live in a quiet part of Leeds on Otley Road."),
    ("I live in Porto.", "We live in Portugal now, can you believe it."),
    ("I live on Oak Lane.", "Where do we live on Station Road?"),
    ("I'm a driver at DHL.", "Rui's first day at Bosch went well."),
    ("I'm a driver at DHL.", "My first week at Gold's Gym done."),
    ("I'm a driver at DHL.", "I'm leaving Lisbon tomorrow."),
    ("I'm a driver at DHL.", "Tom got a job at UPS."),
    ("I'm a driver at DHL.", "If they offered me the job at UPS, I'd think."),
    ("I'm a driver at DHL.", "I also work at Tesco on Saturdays."),
    ("I'm a driver at DHL.", "New job at UPS for Tom."),
    ("I'm a driver at DHL.", "New job at UPS? Not for me."),
    ("I'm a driver at DHL.", "Started at Lisbon, ended in Porto."),
    ("I live in Leeds.", "Living in Paris was dear."),
    ("I live in Leeds.", "My brother called. Living in Ghent now."),
    ("They offered me the job at Bosch!", "They offered me a role at Siemens, too."),
    ("Before I forget, something important.", "Very important: I have switched back to milk."),
    ("My mother takes her tea with oat milk.", "Coffee: I switched back to cow's milk."),
    ("Bought new hiking boots, the brown ones.", "The brown dog went to my cousin."),
    ("I drive an old Skoda estate.", "My brother's Skoda was sold."),
    ("I have a dog called Rex.", "The dog went to my sister's for the weekend."),
    ("I bought two tickets.", "The tickets are sold out."),
    ("I take 5 mg of ramipril in the morning.", "I take 10 mg of ramipril in the evening."),
    ("I take 5 mg of ramipril.", "I take 20 mg of atorvastatin."),
    ("Mum takes 5 mg of ramipril.", "Dad takes 10 mg of ramipril."),
    ("She takes 2.5 mg of thiamazole.", "He takes 5 mg of thiamazole."),
    ("Portuguese class is on Tuesdays at 19:00.", "Almanca dersi perşembe saat 18:30'da."),
    ("My daughter's lesson is on Fridays.", "Oğlumun dersi cumartesi günleri."),
    ("The meeting with Ana is on Monday at 10.", "Can ile toplantı salı saat 11'de."),
    ("The concert is on Saturday at 20:00.", "Cuma günü konser vardı, çok güzeldi."),
    ("My rent is 900 euros.", "Maaşım 3400 euro."),
    ("My flight is at 9:30.", "Dana's flight was moved to 11:00."),
    ("Tom's shift starts at 7.", "My shift was moved to 9."),
    ("The kids go to school at 8.", "I brought the kids to school at 9 today."),
    ("The plants get watered on Mondays.", "Moved the plants on Saturday."),
    ("I have a meeting on Monday.", "The meeting with the bank was moved to Friday."),
    ("I take 5 mg of ramipril in the morning.", "My evening atorvastatin was raised to 10 mg."),
    ("My phone bill is 30 euros.", "If they raise my phone bill to 40 euros I'll leave."),
    ("Kızımın dersi salı günü.", "Oğlumun dersini perşembeye aldılar."),
    ("Kitabım 200 sayfa.", "Kitabı 50 liraya aldım."),
    ("I take 20 mg of citalopram.", "Mum's citalopram was raised to 40 mg."),
    ("The standup is at 9:30 in summer.", "The standup was moved to 15:00 in winter."),
    ("I live in Spain.", "I live in Seville, near the cathedral."),
    ("I study in Canada.", "I study in Montreal, at McGill."),
    ("I pay Ana 20 euros an hour.", "I pay Beto 25 euros an hour."),
    ("Table 5: guest is Lopez.", "Table 6: guest is Meyer."),
]


@each_row(("old", "new"), STANDS)
def test_what_only_sounds_like_it_is_left_alone(old: str, new: str) -> None:
    """Others' homes and jobs, visits, wishes, seasons, other drugs, patients and courses."""
    assert grade(old, new) == "none"


@each_row(
    ("old", "new"),
    [
        ("I moved in with Sam", "I moved out with Sam"),
        ("I shower before breakfast", "I shower after breakfast"),
        ("I bought a camera", "I bought a camera bag"),
        ("Kim called the doctor", "The doctor called Kim"),
        ("I need to call the bank", "I called the bank"),
        ("Eski eşim İzmir'de yaşıyor", "Eşim İzmir'de yaşıyor"),
        ("Ön kapının anahtarı paspasın altında", "Arka kapının anahtarı paspasın altında"),
    ],
)
def test_short_sentences_that_differ_in_a_word_are_two(old: str, new: str) -> None:
    assert grade(old, new) == "none"


@each_row(
    ("old", "new", "named"),
    [
        ("I work at Shell.", "I no longer work at Shell.", True),
        ("I take warfarin at night.", "The surgery has taken me off warfarin.", True),
        ("My son is vegetarian.", "My son isn't vegetarian anymore.", True),
        ("We host it on Heroku.", "We've moved everything off Heroku.", True),
        ("My dad uses a walking stick.", "Dad had to switch from the stick to a walker.", True),
        ("Unit 1: the tenant is Gomez.", "Gomez moved out of unit 1.", True),
        ("I work at Shell.", "Bob no longer works at Shell.", False),
        ("I'm vegetarian.", "My son isn't vegetarian anymore.", False),
        ("My phone is a Pixel.", "Sam's Pixel is dead.", False),
        ("My wife works at Bosch.", "I no longer work at Bosch.", False),
        ("Ich rauche.", "Mein Vater raucht nicht mehr.", False),
        ("Unit 1: the tenant is Gomez.", "Fischer moved out of unit 2.", False),
        ("I have a Golf.", "I haven't sold the Golf.", False),
        ("I live in Metz.", "I haven't moved out of Metz.", False),
    ],
)
def test_what_is_given_up_is_what_the_old_statement_tells(old: str, new: str, named: bool) -> None:
    """By the same person, of the same thing, and not denied."""
    assert gives_up(new, old, asked=()) == named


@each_row(("old", "new"), SYSTEMS)
def test_another_value_of_one_frame_is_a_change(old: str, new: str) -> None:
    assert grade(old, new) in ("soft", "hard")


def test_a_dose_of_one_of_two_medicines_is_left_alone() -> None:
    """Nobody can say which is meant."""
    thyroid, vitamin = "I take levothyroxine 50 mcg.", "I take vitamin K 75 mcg."
    raised = "My GP bumped me up to 100 mcg."
    assert unclear_doses(raised, [thyroid, vitamin]) == {thyroid, vitamin}
    assert unclear_doses(raised, [thyroid, "I'm on 60 mcg of levothyroxine."]) == frozenset()
    assert unclear_doses("I take vitamin K 90 mcg now.", [thyroid, vitamin]) == frozenset()


@each_row(
    ("question", "slot"),
    [
        ("Where do I live?", "residence"),
        ("Which street does Elif live on?", "residence"),
        ("Nerede oturuyorum?", "residence"),
        ("Where does Elif work?", "employer"),
        ("Which company do I work for?", "employer"),
        ("Hangi şirkette çalışıyorum?", "employer"),
        ("Where does my sister live?", None),
        ("Who is my boss?", None),
        ("How does the lift work?", None),
    ],
)
def test_which_slot_a_question_asks_for(question: str, slot: str | None) -> None:
    assert asked_slot(question) == slot


@each_row(
    ("text", "corrects"),
    [
        ("Black now, actually! Since two weeks, no milk.", True),
        ("Thursday now, actually.", True),
        ("No, oat milk.", True),
        ("Bristol these days.", True),
        ("Artık perşembe.", True),
        ("Red, not blue.", True),
        ("Actually I moved to Leeds.", False),
        ("ok", False),
        ("No, thanks.", False),
        ("Is it Friday now?", False),
    ],
)
def test_what_corrects_what_was_just_said(text: str, corrects: bool) -> None:
    assert corrects_what_was_said(text) is corrects


@each_row(
    ("question", "topic", "answers", "other"),
    [
        (
            "Who is my phone contract with?",
            "phone contract",
            ("My new SIM from Vodafone arrived today.", "I ported my number to Vodafone."),
            "My sister's SIM is from Vodafone.",
        ),
        (
            "Where do I work out?",
            "gym",
            ("First class at Urban Moves, I can hardly walk.", "I joined the Iron House gym."),
            "If I had money I would join the Iron House gym.",
        ),
        (
            "How do I get to work?",
            "commute",
            ("Getting to the office on foot, so much better.", "I've started cycling to work."),
            "I went to the museum on foot.",
        ),
        (
            "What is on my nightstand?",
            "book",
            ("I'm halfway through Kindred.", "Just opened Beloved, chapter one is brutal."),
            "My daughter has started Kindred, first chapter done.",
        ),
        (
            "Which series are we watching?",
            "series",
            ("First episode of Fargo last night.", "We're two episodes into Atlanta."),
            "My parents are watching Fargo.",
        ),
        (
            "Which medication do I take?",
            "medication",
            ("My doctor has put me on bupropion.", "I take metformin every morning."),
            "The vet put the dog on prednisone.",
        ),
        (
            "What am I training for?",
            "race",
            ("The coach thinks a half marathon suits me.", "I want to finish a triathlon."),
            "Tom is training for a triathlon.",
        ),
        (
            "Which language am I learning?",
            "language",
            ("First Finnish lesson tonight.", "I take lessons in Greek."),
            "I used to take lessons in Finnish.",
        ),
        (
            "What's my job?",
            "occupation",
            ("I teach chemistry in Leeds.", "I got promoted to senior manager!", "I'm a GP again."),
            "My sister is a nurse.",
        ),
        (
            "What do I do for a living?",
            "occupation",
            ("I drive a taxi.", "We run a little bookshop.", "Stayed on as a midwife."),
            "I have a good dentist.",
        ),
        (
            "Ne iş yapıyorum?",
            "occupation",
            ("Bir bankada çalışıyorum.", "Hemşire olarak işe başladım."),
            "Öğretmen aradı.",
        ),
        (
            "What's my address?",
            "residence",
            ("Got the keys: we moved into our flat on Elm Road.",),
            "We bought a house in York to let.",
        ),
        ("What do I do if the boiler breaks?", None, (), ""),
        ("In which city is my flat?", "residence", ("My flat is in Turin.",), "Turin is nice."),
        (
            "İşe nasıl gidiyorum?",
            "commute",
            ("Artık ofise metroyla gidip geliyorum.", "İşe arabayla gidiyorum."),
            "Eşim işe metroyla gidiyor.",
        ),
        (
            "Hangi spor salonuna üyeyim?",
            "gym",
            ("MacFit'te ilk antrenmanım.", "Üyeliğim GymPark'ta."),
            "Kardeşim MacFit'te antrenman yapıyor.",
        ),
        (
            "Şu an ne okuyorum?",
            "book",
            ("Tutunamayanlar'a başladım, ilk bölüm çok güzel.", "Yeni kitabım Huzur."),
            "Kütüphane kapandı.",
        ),
        ("How does Ana get to work?", None, (), ""),
        (
            "Tell me about my family",
            "family",
            ("My brother Leo lives in Oslo.", "We have two kids.", "I'm married to Clara."),
            "Tom's sister sells flats.",
        ),
        (
            "Who is in our family?",
            "family",
            ("My mother-in-law sings.",),
            "My sister's boss is mean.",
        ),
        ("What pets do I have?", "pets", ("Our dog is called Rex.",), "My neighbour's dog barks."),
        ("Do we have any pets?", "pets", ("We adopted a kitten.",), "We have two hot dogs left."),
        (
            "What do you know about my health?",
            "health",
            (
                "I take ramipril 5 mg every morning.",
                "I'm allergic to penicillin.",
                "I have asthma.",
            ),
            "My son has asthma.",
        ),
        ("How is my health?", "health", ("My blood pressure is fine.",), "I take the train."),
        ("Who is my family doctor?", None, (), ""),
        ("Tell me about Tom's family", None, (), ""),
        ("Where is my health insurance card?", None, (), ""),
        (
            "Wer gehört zu meiner Familie?",
            "family",
            ("Mein Bruder heißt Leo.",),
            "Mein Chef kocht.",
        ),
        ("Welche Haustiere habe ich?", "pets", ("Unser Hund heißt Rex.",), "Der Hund bellt."),
        ("Wie ist meine Gesundheit?", "health", ("Ich habe Asthma.",), "Mein Sohn hat Asthma."),
        ("Háblame de mi familia", "family", ("Mi hermana es médica.",), "La hermana de Tom canta."),
        ("¿Qué mascotas tengo?", "pets", ("Tenemos un gato.",), "El perro del vecino ladra."),
        ("¿Cómo está mi salud?", "health", ("Tomo ramipril 5 mg.",), "Mi hijo tiene asma."),
        (
            "Parle-moi de ma famille",
            "family",
            ("J'ai deux enfants.",),
            "Le chef de Tom habite Lyon.",
        ),
        ("Quels animaux ai-je ?", "pets", ("Notre chien s'appelle Rex.",), "Le chien aboie."),
        ("Comment va ma santé ?", "health", ("Je prends du ramipril 5 mg.",), "Il est malade."),
        ("Ailemden bahset", "family", ("Ablam hemşire.", "İki çocuğum var."), "Patronum aradı."),
        ("Evcil hayvanım var mı?", "pets", ("Köpeğimin adı Rex.",), "Komşunun köpeği havlıyor."),
        ("Sağlığım nasıl?", "health", ("Penisiline alerjim var.",), "Oğlumun alerjisi var."),
    ],
)
def test_what_a_question_asks_for_in_whatever_words(
    question: str, topic: str | None, answers: tuple[str, ...], other: str
) -> None:
    """A gym, a way to work, the family: told in words that the question does not have."""
    assert asked_topic(question) == topic
    assert all(answers_topic(text, topic or "") for text in answers)
    assert not answers_topic(other, topic or "")
