"""A conversation of two friends over six evenings, a topic each."""

from datetime import datetime, timedelta, timezone

from cogmem_core import Turn

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)  # a Monday
VIOLIN = """\
Ana: I started violin lessons with Marta in April. She is strict, but I learn a lot from her.
Rui: The violin is such a hard instrument! Do you practise your violin every day?
Ana: I practise the violin 2 hours a day. My neighbours are patient people, luckily for me.
Rui: What does Marta let you play on the violin? Something simple, I would guess, to begin with.
Ana: Marta gave me a Vivaldi concerto for violin. The slow part is easier than it sounds, really.
Rui: I heard Vivaldi in Venice once, with an orchestra that played on old violins. It was wonderful.
Ana: Marta plays in the harvest concert in October. She wants me to play the violin there as well.
Rui: Then I will come to the harvest concert! Please tell me early enough, so that I can book a train.
Ana: I bought a better violin bow from a shop in Porto, because the old one had lost its hair.
Rui: A good bow changes how a violin sounds, or so they say. Was the shop in Porto expensive?
"""
MIGRATION = """\
Ana: At work we decided to move the billing database from MySQL to PostgreSQL this summer.
Rui: A migration of the billing database is no small thing. Who is responsible for the migration?
Ana: The deadline of the migration is 30 June 2026, and my manager Ines will not move it by a day.
Rui: Then you should rehearse the migration of the database early, with a copy of the real data.
Ana: We rehearsed the migration on a copy, and it crashed with error 1406 after 3 hours of copying.
Rui: Error 1406 means that some text is too long for its column in the database, if I remember it well.
Ana: Actually, the error was 1366 and not 1406. I had read the wrong line of the migration log.
Rui: Then it is an encoding problem. Convert the billing database to utf8mb4 before the migration.
Ana: Ines wants a report about the billing migration every Friday, with the open problems in a table.
Rui: I prefer short reports myself. A migration report of one page is enough for everybody, I find.
"""
DOG = """\
Ana: We adopted a greyhound called Juno from the shelter in Braga. She sleeps nearly all day long.
Rui: Greyhounds are gentle dogs. Does Juno get along with the cat that you have had for years?
Ana: Juno and the cat ignore each other, which is the best that one can hope for in the beginning.
Rui: How often do you walk Juno? My parents had a dog, and it wanted to go out all of the time.
Ana: I walk Juno 3 times a day, and on weekends we take her to the beach near Esposende.
Rui: The beach near Esposende is lovely for a dog. There is hardly anybody in the morning hours.
Ana: Juno is allergic to chicken, the vet told us. So we cook rice and fish for the dog every evening.
Rui: Poor Juno! A dog that is allergic to chicken must read a lot of labels before every dinner.
Ana: The vet wants to see Juno again on 15 July 2026 for her vaccination. It costs 60 euros.
Rui: The vet of my parents' dog took 45 euros, but that was in 2019, and in a village besides.
"""
KITCHEN = """\
Ana: We are renovating the kitchen. The old kitchen cupboards were from 1985 and fell off the wall.
Rui: Which colour will the new kitchen have? I chose white for mine, and I regret it every day.
Ana: I prefer green for the kitchen cupboards, and Tom prefers blue. We have talked for weeks now.
Rui: Green is a calm colour for a kitchen. Blue looks cold under most of the lamps, in my opinion.
Ana: We decided on green cupboards and a wooden worktop for the kitchen, from a carpenter in Barcelos.
Rui: Wooden worktops in a kitchen need oil twice a year. A carpenter taught me that the hard way.
Ana: The carpenter delivers the kitchen cupboards in August. Until then we cook on a camping stove.
Rui: You could come to my kitchen and cook with me now and then. I have room for at least four people.
Ana: That is kind! The kitchen costs us 8,000 euros, so we do not eat out very much this year.
Rui: For 8,000 euros the kitchen had better last longer than the cupboards that fell off your wall.
"""
TRIP = """\
Ana: Tom and I are going to walk the Camino from Porto to Santiago in September. It takes 2 weeks.
Rui: I walked the Camino in 2018. Take light shoes, and leave half of what you packed at home.
Ana: We book the hostels of the Camino a day ahead, because September is a busy month, people say.
Rui: The hostel in Ponte de Lima was my favourite on the Camino. The owner cooks for everybody.
Ana: Tom is worried about his knee, so we walk at most 18 km a day on the Camino and rest on Sundays.
Rui: Walking poles helped my knee on the Camino. I can lend you mine, they are of carbon and light.
Ana: I would love to borrow the poles for the Camino! We leave Porto on 5 September, early, at 7:00.
Rui: I will bring the poles to Porto on 4 September then, and see you off the next day with coffee.
Ana: My mother stays with Juno while we are on the Camino. The two of them are very fond of each other.
Rui: Your mother and a greyhound on one sofa: I hope that there will be a picture of that someday.
"""
CAREER = """\
Ana: I applied for the job of team lead at Farfetch. The interview is on 12 June 2026 at 10:00.
Rui: Team lead at Farfetch would suit you. What do they ask in such an interview for a job?
Ana: They ask how I lead a team through a crisis at work. I will tell them about the broken release.
Rui: Tell the interview panel at Farfetch about the people in the team too, not just the numbers.
Ana: The salary of the job is 65,000 euros a year, and I could work from home 3 days of the week.
Rui: Working from home was what I liked best about my last job. The team met on Tuesdays only.
Ana: What if I started a company of my own instead of the Farfetch job? I had an idea for violin teachers.
Rui: An app for violin teachers is a novel idea! Who would pay for such an app, the pupils or the teachers?
Ana: I feel nervous about the interview for the job, I am honestly scared that they will laugh at me.
Rui: Nobody will laugh at you in the interview. You are the best team lead that I ever worked with.
"""
TOPICS = (VIOLIN, MIGRATION, DOG, KITCHEN, TRIP, CAREER)


def conversation() -> list[Turn]:
    """60 turns of two friends over six evenings, and four turns that say nothing."""
    turns = []
    for evening, topic in enumerate(TOPICS):
        for number, line in enumerate(topic.splitlines()):
            speaker, text = line.split(": ", 1)
            at = NOON + timedelta(days=evening - 10, minutes=number)
            turns.append(
                Turn(
                    text,
                    speaker=speaker,
                    at=at,
                    session_id=f"s{evening}",
                    ref=f"{evening}:{number}",
                )
            )
    return [*turns, Turn("ok"), Turn("thanks!"), Turn("bye"), Turn("Be brief.", role="system")]
