"""Seeded dialogues in which something is to come up later, each with negatives that look like it.

A scene has an intention, ways to say what it waits for, turns that fulfil it, and turns that are
near: the same people and things, but denied, planned, asked, long ago, or about something else.
The matcher was fitted without the scenes `HELD_BACK`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["FILLERS", "HELD_BACK", "SCENES", "Dialogue", "Scene", "dialogues"]


@dataclass(frozen=True)
class Scene:
    """What is to come up, when, what fulfils that, and what only looks like it."""

    text: str
    when: tuple[str, ...]
    hits: tuple[str, ...]
    near: tuple[str, ...]


SCENES: tuple[Scene, ...] = (
    Scene(
        "give Anna the keys back",
        ("Anna calls", "when Anna phones me"),
        (
            "Anna just called me.",
            "I've got Anna on the phone right now.",
            "Guess who phoned? Anna!",
        ),
        (
            "Anna hasn't called yet.",
            "Ben called this morning.",
            "Anna is coming to dinner with her kids.",
            "Did Anna call?",
            "Anna might call tomorrow.",
        ),
    ),
    Scene(
        "check the screen for scratches",
        ("the laptop arrives", "when my new laptop is delivered"),
        (
            "The laptop arrived ten minutes ago.",
            "My new laptop was just delivered.",
            "The courier finally brought the laptop.",
        ),
        (
            "The laptop has not arrived yet.",
            "I ordered a laptop last week.",
            "My laptop battery is getting old.",
            "When will the laptop arrive?",
            "The laptop should arrive on Friday.",
        ),
    ),
    Scene(
        "mention that the deposit was never returned",
        ("we talk about my landlord", "I mention the landlord"),
        (
            "My landlord wrote to me again today.",
            "I had a fight with the landlord about the heating.",
            "What do you think my landlord would say to a cat?",
        ),
        (
            "I bought some land near the lake.",
            "The apartment has a nice balcony.",
            "My neighbour is renovating his kitchen.",
            "The lord of the rings is on tonight.",
            "I like to cook in the evening.",
        ),
    ),
    Scene(
        "propose the train instead of the plane",
        ("the trip to Lisbon comes up", "someone mentions the Lisbon trip"),
        (
            "Let's plan the trip to Lisbon.",
            "I'm so looking forward to our Lisbon trip.",
            "How much will the Lisbon trip cost us?",
        ),
        (
            "The trip to Berlin was fun.",
            "My colleague in the Lisbon office is ill.",
            "I tripped over the cable.",
            "We should travel more often.",
            "Portuguese is hard to learn.",
        ),
    ),
    Scene(
        "water the plants",
        ("I get home", "when I arrive at home"),
        (
            "I just got home.",
            "Finally home again, what a day.",
            "I'm back home now.",
        ),
        (
            "I'm still at the office.",
            "My home insurance was renewed.",
            "I won't be home before nine.",
            "The home page of the site is broken.",
            "She left her phone at home.",
        ),
    ),
    Scene(
        "tell Marta about the pull request",
        ("the build fails", "when the build is broken"),
        (
            "The build just failed again.",
            "Ugh, the build is broken on main.",
            "The nightly build failed with an import error.",
        ),
        (
            "The build passed.",
            "They build houses in my street.",
            "The build didn't fail this time.",
            "What happens if the build fails?",
            "The deployment went through without trouble.",
        ),
    ),
    Scene(
        "ask for the receipt",
        ("I'm at the supermarket", "when I am in the supermarket"),
        (
            "I'm at the supermarket now, what do we need?",
            "Just walked into the supermarket.",
            "Standing in the supermarket, the queue is endless.",
        ),
        (
            "The supermarket closes at eight.",
            "I will go to the supermarket tomorrow.",
            "I was at the market in spring.",
            "Our supermarket has no parking.",
            "I'm at the dentist now.",
        ),
    ),
    Scene(
        "remind him of the forty euros",
        ("Tom asks for money", "Tom wants to borrow money"),
        (
            "Tom asked me for money again.",
            "Tom wants to borrow some money from me.",
            "Now Tom is asking whether I can lend him money.",
        ),
        (
            "Tom gave me the money.",
            "Tina asked me for money.",
            "Tom asked me for advice.",
            "Tom would never ask for money.",
            "Money is tight this month.",
        ),
    ),
    Scene(
        "suggest the vegan restaurant in Mill Street",
        ("the user asks where to eat", "someone is looking for a restaurant"),
        (
            "Do you know a good restaurant around here?",
            "Where could we eat tonight?",
            "We are looking for a restaurant for four people.",
        ),
        (
            "We ate at home yesterday.",
            "The restaurant was too loud.",
            "Where did I park the car?",
            "What is the capital of Peru?",
            "I'm looking for my glasses.",
        ),
    ),
    Scene(
        "book the follow-up appointment",
        ("the dentist appointment is over", "I've been to the dentist"),
        (
            "I was at the dentist this morning.",
            "The dentist appointment is over, no cavities!",
            "Just came back from the dentist.",
        ),
        (
            "I have a dentist appointment next week.",
            "My sister is a dentist.",
            "I need to call the dentist.",
            "I was at the doctor this morning.",
            "I haven't been to the dentist in years.",
        ),
    ),
    Scene(
        "bring up the budget cut",
        ("Maria mentions the budget", "when Maria talks about the budget"),
        (
            "Maria wants to discuss the budget with us.",
            "Maria just mentioned the budget in the meeting.",
            "According to Maria the budget is too small.",
        ),
        (
            "Maria is on holiday.",
            "Peter mentioned the budget.",
            "We flew with a budget airline.",
            "Maria mentioned the weather.",
            "The budget was approved by the board.",
        ),
    ),
    Scene(
        "hand in the expenses",
        ("I finish the report", "the report is finished"),
        (
            "I finished the report!",
            "The report is finally done.",
            "Just completed the report and sent it off.",
        ),
        (
            "I have to finish the report by Friday.",
            "I haven't finished the report.",
            "The weather report says rain.",
            "He reported the theft to the police.",
            "The report is due next week.",
        ),
    ),
    Scene(
        "take the umbrella",
        ("it starts to rain", "when it rains"),
        (
            "It just started to rain here.",
            "It's raining cats and dogs.",
            "Look, it is raining outside.",
        ),
        (
            "It isn't raining at all.",
            "The sun is shining today.",
            "I missed the train.",
            "It might rain on the weekend.",
            "It rained a lot last year.",
        ),
    ),
    Scene(
        "congratulate her on the new job",
        ("I see Lena", "when I meet Lena"),
        (
            "I just met Lena at the station.",
            "Lena is here with me.",
            "I'm having coffee with Lena.",
        ),
        (
            "I haven't seen Lena for months.",
            "I met Karl at the station.",
            "Lena's brother sent me a mail.",
            "I will meet Lena on Sunday.",
            "Let me see the list.",
        ),
    ),
    Scene(
        "offer the student discount",
        ("the user asks about the price", "someone asks what it costs"),
        (
            "How much does it cost?",
            "What's the price of the yearly plan?",
            "Could you tell me the price?",
        ),
        (
            "I won a prize at school.",
            "How long does it take?",
            "The plan sounds good.",
            "Which colours are there?",
            "I paid yesterday.",
        ),
    ),
    Scene(
        "refill the prescription",
        ("I'm out of pills", "the pills run out"),
        (
            "I took my last pill this morning, the box is empty.",
            "I'm out of pills.",
            "My pills have run out.",
        ),
        (
            "I take my pills in the morning.",
            "I've got plenty of pills left.",
            "We ran out of milk.",
            "The pills taste bitter.",
            "Did I take my pills?",
        ),
    ),
    Scene(
        "order new filters",
        ("the coffee machine breaks", "the coffee machine stops working"),
        (
            "The coffee machine broke this morning.",
            "Our coffee machine has stopped working.",
            "The coffee machine is broken again.",
        ),
        (
            "The coffee machine works fine.",
            "I bought a coffee machine.",
            "The washing machine broke.",
            "I need a coffee.",
            "Our coffee machine never breaks.",
        ),
    ),
    Scene(
        "send the invoice",
        ("the client signs the contract", "when the contract is signed"),
        (
            "The client has signed the contract.",
            "Good news: the contract is signed!",
            "They signed the contract an hour ago.",
        ),
        (
            "The client hasn't signed the contract.",
            "The client wants to see the contract first.",
            "The contract ends in June.",
            "I signed the birthday card.",
            "Has the client signed the contract?",
        ),
    ),
    Scene(
        "say that she prefers tulips",
        ("we talk about flowers for mum", "flowers for mum come up"),
        (
            "Which flowers should we get for mum?",
            "I want to buy mum some flowers.",
            "Mum loves flowers, let's get some.",
        ),
        (
            "Mum is visiting on Sunday.",
            "The flowers in the park are in bloom.",
            "I bought flour for the cake.",
            "Dad likes chocolate.",
            "Mum has a new car.",
        ),
    ),
    Scene(
        "warn about the closed bridge",
        ("I start driving to work", "when I drive to work"),
        (
            "I'm driving to work now.",
            "Just started driving to work.",
            "Getting in the car and driving to work.",
        ),
        (
            "I work from home today.",
            "I drove to the lake.",
            "The hard drive does not work.",
            "I'm not driving to work today.",
            "Do you drive to work?",
        ),
    ),
    Scene(
        "return the drill",
        ("Paul moves in next door", "when Paul has moved in"),
        (
            "Paul moved in next door today.",
            "Paul has finally moved in.",
            "Paul is moving in right now, boxes everywhere.",
        ),
        (
            "Paul will move in next month.",
            "Paul moved the table.",
            "Pia moved in next door.",
            "Paul has not moved in yet.",
            "The people next door are loud.",
        ),
    ),
    Scene(
        "suggest to try the blue pan",
        ("we cook pancakes", "I make pancakes"),
        (
            "I'm making pancakes for breakfast.",
            "We are cooking pancakes.",
            "Pancakes are in the pan, smells great.",
        ),
        (
            "I don't like pancakes.",
            "We cooked soup.",
            "I made a cake for Oskar.",
            "The pan is dirty.",
            "Maybe we make pancakes on Sunday.",
        ),
    ),
    Scene(
        "point to the refund policy",
        ("a customer wants a refund", "the user asks for a refund"),
        (
            "I want a refund.",
            "Can I get a refund for my order?",
            "Please refund my money, the shoes don't fit.",
        ),
        (
            "The shoes fit very well.",
            "I want a receipt.",
            "When will my order arrive?",
            "I found the fund manager's number.",
            "Can I change my address?",
        ),
    ),
    Scene(
        "put the car back in the garage",
        ("the guests leave", "when the guests have left"),
        (
            "The guests left a minute ago.",
            "The guests have just gone.",
            "All guests are gone now, time to tidy up.",
        ),
        (
            "The guests are still here.",
            "The guests arrive at six.",
            "Turn left at the church.",
            "The guests don't want to leave.",
            "The guest room is ready.",
        ),
    ),
    Scene(
        "ask for a later deadline",
        ("Mr Novak writes to me", "I get a mail from Mr Novak"),
        (
            "Mr Novak just wrote me an e-mail.",
            "I've got mail from Mr Novak.",
            "There is a message from Mr Novak in my inbox.",
        ),
        (
            "Mr Novak's office is on the third floor.",
            "I wrote to the bank.",
            "Mr Novak has not answered so far.",
            "I should write to Mr Novak.",
            "Mrs Novak drives a blue car.",
        ),
    ),
    Scene(
        "buy a new battery",
        ("the car doesn't start", "my car won't start"),
        (
            "The car doesn't start again.",
            "My car won't start this morning.",
            "I tried three times, the car does not start.",
        ),
        (
            "The car started right away.",
            "I washed the car.",
            "The course starts in May.",
            "My car is red.",
            "Will the car start in winter?",
        ),
    ),
    Scene(
        "check the passport",
        ("I book a flight", "when the flight is booked"),
        (
            "I just booked a flight to Oslo.",
            "The flight is booked!",
            "Booked our flights this afternoon.",
        ),
        (
            "The flight was bumpy.",
            "I want to book a flight.",
            "I read a book about flying.",
            "I haven't booked a flight yet.",
            "We booked a table for two.",
        ),
    ),
    Scene(
        "offer the blue folder",
        ("the user asks about tax", "someone has a question about taxes"),
        (
            "How do I fill in my tax return?",
            "Do I have to pay tax on this?",
            "Which taxes apply to freelancers?",
        ),
        (
            "We took a taxi to the station.",
            "How do I fill in this form?",
            "My tasks are done.",
            "How old are you?",
            "We paid the rent.",
        ),
    ),
    Scene(
        "tell her the secret recipe",
        ("grandma visits", "when grandma comes to visit"),
        (
            "Grandma is visiting us today.",
            "Grandma came to visit this afternoon.",
            "Grandma is here for a visit.",
        ),
        (
            "Grandma was born in Prague.",
            "We will visit grandma at Easter.",
            "Grandma can't visit us this year.",
            "We visited the museum.",
            "Grandma bakes the best bread.",
        ),
    ),
    Scene(
        "recommend the physiotherapist",
        ("my back hurts", "I complain about my back"),
        (
            "My back hurts so much today.",
            "My back is killing me.",
            "I woke up with pain in my back.",
        ),
        (
            "My back feels fine again.",
            "I'll be back in an hour.",
            "My feet hurt.",
            "I went back to bed.",
            "He paid me back.",
        ),
    ),
    Scene(
        "mention the discount code",
        ("we discuss the hotel in Vienna", "the hotel in Vienna is mentioned"),
        (
            "Is the hotel in Vienna close to the station?",
            "I found the hotel in Vienna again.",
            "What was the name of the hotel in Vienna?",
        ),
        (
            "Vienna has many museums.",
            "The hotel in Rome was loud.",
            "My aunt lives in Vienna.",
            "We slept in a hostel.",
            "A Viennese waltz is hard to dance.",
        ),
    ),
    Scene(
        "send the thank-you note",
        ("Jonas gets the job", "when Jonas has got the job"),
        (
            "Jonas got the job!",
            "Great news, Jonas got the job at the library.",
            "They gave Jonas the job.",
        ),
        (
            "Jonas applied for the job.",
            "Jonas didn't get the job.",
            "Jonas lost his keys.",
            "Julia got the job.",
            "Jonas hopes to get the job.",
        ),
    ),
    Scene(
        "switch the heating off",
        ("I open the window", "when the window is open"),
        (
            "I opened the window.",
            "The window is open now.",
            "I've just opened the window to let some air in.",
        ),
        (
            "The window is closed.",
            "I cleaned the window.",
            "The shop opens at nine.",
            "Don't open the window.",
            "I opened a letter.",
        ),
    ),
    Scene(
        "ask how the interview went",
        ("I talk about my interview", "the interview comes up"),
        (
            "The interview was exhausting.",
            "I'm nervous about the interview.",
            "My interview is tomorrow at ten.",
        ),
        (
            "The view from here is great.",
            "I met an old friend.",
            "The internet is slow today.",
            "I have a meeting tomorrow at ten.",
            "My CV is two pages long.",
        ),
    ),
    Scene(
        "delete the old backup",
        ("the upload is finished", "when the upload has finished"),
        (
            "The upload has finished.",
            "The upload is complete.",
            "Upload's done.",
        ),
        (
            "The upload is still running.",
            "The upload failed.",
            "I started the upload.",
            "I finished my homework.",
            "The upload will be finished tonight.",
        ),
    ),
    Scene(
        "charge the spare phone",
        ("the power goes out", "there is a power cut"),
        (
            "The power just went out.",
            "We have a power cut here.",
            "The power is out in the whole street.",
        ),
        (
            "The power is back.",
            "Knowledge is power.",
            "I cut my finger.",
            "We went out for dinner.",
            "Is there a power cut?",
        ),
    ),
)

HELD_BACK = tuple(range(1, 24, 2))
"""Numbers of the scenes that nobody looked at while the matcher was fitted."""

FILLERS: tuple[str, ...] = (
    "Good morning!",
    "What's the weather like in Oslo?",
    "I slept badly last night.",
    "Can you help me with a letter?",
    "My favourite colour is green.",
    "The meeting was moved to Thursday.",
    "How do I boil an egg?",
    "Thanks, that was helpful.",
    "I need a synonym for 'happy'.",
    "My brother plays the guitar.",
    "Translate 'good evening' into Spanish.",
    "We watched a film about whales.",
    "I run five kilometres every day.",
    "Which book should I read next?",
    "The bus was late again.",
    "I'm thinking about a new bike.",
    "My password manager is slow.",
    "Write me a short poem about autumn.",
    "I had soup for lunch.",
    "What is 17 times 23?",
    "My team won the match!",
    "The cat is sleeping on the sofa.",
    "I'm learning to play chess.",
    "Please summarise this article.",
    "We painted the kitchen yellow.",
    "I forgot where I put my scarf.",
    "Is Pluto a planet?",
    "My phone is almost empty.",
    "Let's talk about something else.",
    "I like jazz more than rock.",
    "The printer is jammed.",
    "My aunt lives in Graz.",
    "What does 'serendipity' mean?",
    "I signed up for a yoga class.",
    "The soup needs more salt.",
    "Can you recommend a podcast?",
    "I was born in 1988.",
    "My shoes are wet.",
    "How far is the moon?",
    "I'd like to learn Italian.",
)


@dataclass(frozen=True)
class Dialogue:
    """What is intended, what it waits for, and the turns; `hit`: the place of the turn that fulfils it."""

    number: int
    text: str
    when: str
    turns: tuple[str, ...]
    hit: int | None


def dialogues(count: int, *, seed: int = 7, turns: int = 10) -> Iterator[Dialogue]:
    """So many dialogues; every second one has only turns that are near, and must stay silent."""
    random_ = random.Random(seed)
    for number in range(count):
        scene = SCENES[number % len(SCENES)]
        said = random_.sample(FILLERS, turns)
        for place, near in zip(
            random_.sample(range(turns), 3), random_.sample(scene.near, 3), strict=True
        ):
            said[place] = near
        hit = None
        if number // len(SCENES) % 2 == 0:
            hit = random_.randrange(2, turns)
            said[hit] = random_.choice(scene.hits)
        yield Dialogue(number, scene.text, random_.choice(scene.when), tuple(said), hit)
