"""What the simulated user of `lifecycle` says besides lasting facts: small talk, plans, moments.

Data, no code.
"""

from __future__ import annotations

from collections.abc import Mapping

from cogmem_core.evaluation.topics import Topic

__all__ = ["AGAIN", "ASIDES", "CHATTER", "ECHOES", "FILLERS", "MOMENTS", "PLANS", "REPLIES"]

FILLERS: Mapping[str, tuple[str, ...]] = {
    "weather": (
        *(
            "drizzling",
            "pouring",
            "foggy",
            "boiling hot",
            "windy",
            "freezing",
            "humid",
            "sunny",
            "grey",
            "snowing",
        ),
        *("hailing", "mild", "stormy", "icy"),
    ),
    "meal": (
        *(
            "a lentil soup",
            "leftover curry",
            "a cheese sandwich",
            "sushi",
            "a falafel wrap",
            "tomato pasta",
            "a salad",
        ),
        *(
            "pancakes",
            "an omelette",
            "ramen",
            "baked potatoes",
            "a burrito",
            "gnocchi",
            "couscous",
            "dumplings",
        ),
    ),
    "person": (
        *(
            "Paul",
            "Elif",
            "Bea",
            "Marcus",
            "Ingrid",
            "Tunde",
            "Rosa",
            "Kenji",
            "Louise",
            "Viktor",
            "Salma",
            "Owen",
        ),
        *("the neighbour", "my cousin", "a colleague", "the intern", "mum", "dad"),
    ),
    "place": (
        *(
            "the market",
            "the library",
            "the park",
            "the station",
            "the harbour",
            "the bakery",
            "the museum",
            "the lake",
        ),
        *("the post office", "the hardware store", "the roof terrace", "the playground"),
    ),
    "thing": (
        *(
            "an umbrella",
            "a toaster",
            "a wool scarf",
            "a desk lamp",
            "a cactus",
            "a puzzle",
            "a backpack",
            "a kettle",
        ),
        *("a jigsaw", "new headphones", "a bread knife", "a poster", "a teapot", "rain boots"),
    ),
    "broken": (
        *(
            "the printer",
            "the lift",
            "the coffee machine",
            "the dishwasher",
            "my left earbud",
            "the heating",
            "the zip",
        ),
        *("the doorbell", "the projector", "the shower head", "the blinds"),
    ),
    "topic": (
        *(
            "the elections",
            "space telescopes",
            "electric scooters",
            "sourdough",
            "medieval castles",
            "chess openings",
        ),
        *(
            "volcanoes",
            "the tax reform",
            "podcasts",
            "old maps",
            "street art",
            "whales",
            "bridges",
            "typography",
        ),
    ),
    "mood": (
        *(
            "tired",
            "cheerful",
            "a bit lost",
            "restless",
            "calm",
            "grumpy",
            "lazy",
            "hopeful",
            "wide awake",
            "sleepy",
        ),
        *("silly", "optimistic"),
    ),
    "number": (
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eleven",
        "twenty",
        "thirty",
        "forty",
        "fifty",
    ),
}

CHATTER: tuple[str, ...] = (
    "It's {weather} outside again.",
    "Looks like it's going to be {weather} all afternoon.",
    "They said it would be {weather}, and for once they were right.",
    "I had {meal} for lunch, not bad.",
    "Thinking about {meal} for tonight, what do you say?",
    "Burnt {meal} because I was on the phone with {person}.",
    "{person} brought {meal} to the office, everyone was delighted.",
    "Ran into {person} at {place}, we talked for {number} minutes.",
    "{person} says hi, by the way.",
    "{person} told me a long story about {topic}, I nearly fell asleep.",
    "I can't stop reading about {topic} this week.",
    "There was a documentary about {topic} on the telly.",
    "Do you know anything fun about {topic}?",
    "Some guy on the bus had strong opinions on {topic}.",
    "Went to {place} and forgot why I went there.",
    "The queue at {place} was endless, {number} people before me.",
    "{place} was closed, what a waste of time.",
    "A pigeon stole part of {meal} from me near {place}.",
    "Bought {thing}, it was on sale.",
    "I nearly bought {thing} but came to my senses.",
    "Someone left {thing} in the hallway, very odd.",
    "{person} gave me {thing} for no reason at all.",
    "{broken} is broken again, of course.",
    "They repaired {broken} at last.",
    "It took {number} people to fix {broken}.",
    "I feel {mood} today, no idea why.",
    "Mondays make me {mood}.",
    "After that meeting I was just {mood}.",
    "The meeting lasted {number} hours and nothing came out of it.",
    "I answered {number} mails before breakfast.",
    "My inbox has {number} unread messages, I give up.",
    "Slept {number} hours, could be worse.",
    "Thanks, that was helpful!",
    "Haha, good one.",
    "Ok, sounds good.",
    "Good morning!",
    "Never mind, I found it.",
    "Can you suggest a playlist for when it's {weather}?",
    "What would go well with {meal}?",
    "How do I get a coffee stain out of {thing}?",
    "Tell me a joke about {topic}.",
    "Write me a two-line poem about {place}.",
    "How long does it take to cook {meal} for {number} people?",
    "Is it normal that {broken} makes that noise?",
    "I walked all the way to {place}, {number} blocks.",
    "The kids upstairs were loud until {number} in the morning.",
    "{person} cancelled on me at the last minute.",
    "{person} and {person} had an argument about {topic}, awkward.",
    "Lost a game of cards against {person}, again.",
    "There's a new graffiti near {place}, quite pretty.",
    "My phone died while I was at {place}.",
    "The tram was {number} minutes late.",
    "A tourist asked me the way to {place} and I sent them the wrong direction.",
    "I saw {person} carrying {thing} across {place}.",
    "Tried to draw {place}, ended up with something like {thing}.",
    "I think {person} is a bit {mood} lately.",
    "Somebody spilled {meal} in the lift.",
    "The power went out for {number} minutes while it was {weather}.",
    "I spent {number} euros on nothing in particular.",
    "Had to wait for {person} at {place}, and it was {weather}.",
    "Quiet day, nothing to report.",
    "Watched people at {place} for a while, it made me {mood}.",
    "My horoscope talks about {topic}, make of that what you will.",
    "{person} sent me {number} photos of {thing}.",
    "They're building something behind {place}, the noise is unbearable.",
    "The radio played the same song {number} times.",
    "I dreamt about {topic}, {person} was there too.",
    "Finally threw out {thing} that nobody used.",
    "{person} swears that {meal} helps against a cold.",
    "There was a {weather} moment at {place}, everybody ran.",
)
"""Templates of small talk and requests; each name in braces is filled from `FILLERS`."""

AGAIN: tuple[str, ...] = (
    "{t}",
    "{t} As I said.",
    "Did I tell you? {t}",
    "{t} Just so you know.",
    "Again: {t}",
    "By the way: {t}",
)
"""How people say nearly the same thing again."""

ASIDES: tuple[str, ...] = (
    "I still think of {old} sometimes.",
    "Funny, {person} mentioned {old} today.",
    "{old} was not so bad after all.",
)
"""How a former value comes up without being stated."""

REPLIES: tuple[str, ...] = (
    "Oh, that sounds like a full day.",
    "I'm glad to hear that!",
    "Thanks for letting me know.",
    "Noted.",
    "That's a pity. I hope it gets better soon.",
    "Good idea, tell me how it goes.",
    "Ha, I can picture that!",
    "Sure, happy to help with that whenever you like.",
)

ECHOES: tuple[str, ...] = ("Got it: {v}.", "{v}, I'll remember that.", "Understood, so it's {v}.")
"""How an assistant confirms a fact."""

PLANS: tuple[Topic, ...] = (
    Topic(
        "dentist",
        (),
        ("I have a dentist appointment on {v}.", "The dentist wants to see me on {v}."),
        ("When is my dentist appointment?", "On which day do I see the dentist?"),
    ),
    Topic(
        "trip",
        (),
        ("We're flying to Vienna on {v}.", "Our flight to Vienna leaves on {v}."),
        ("When do we fly to Vienna?", "On which day is the Vienna flight?"),
    ),
    Topic(
        "presentation",
        (),
        ("I have to present to the board on {v}.", "My board presentation is on {v}."),
        ("When do I present to the board?", "What day is the board presentation?"),
    ),
    Topic(
        "concert",
        (),
        ("We have tickets for the concert hall on {v}.", "The concert is on {v}, can't wait."),
        ("When is the concert?", "For which day do we have concert tickets?"),
    ),
    Topic(
        "visit",
        (),
        ("My parents will visit on {v}.", "Mum and dad are going to arrive on {v}."),
        ("When do my parents visit?", "On which day do mum and dad arrive?"),
    ),
    Topic(
        "vet",
        (),
        ("The vet will vaccinate the pets on {v}.", "Pets are due at the vet on {v}."),
        ("When is the vet appointment?", "On which day do the pets see the vet?"),
    ),
    Topic(
        "inspection",
        (),
        ("The boiler inspection is on {v}.", "Someone will come to look at the boiler on {v}."),
        ("When is the boiler inspection?", "On which day does somebody check the boiler?"),
    ),
    Topic(
        "race",
        (),
        ("I'm going to run the charity race on {v}.", "The charity race takes place on {v}."),
        ("When is the charity race?", "On which date do I run for charity?"),
    ),
)
"""What comes up now and then; the value is the day, such as "12 March"."""

MOMENTS: tuple[Topic, ...] = (
    Topic(
        "niece",
        ("Noor", "Clementine", "Aiko"),
        ("SHE HAD THE BABY!!! My niece is here and her name is {v}!!! I'm crying!",),
        ("What is my niece called?",),
    ),
    Topic(
        "prize",
        ("the Larkspur Prize", "the Golden Compass award"),
        ("I WON {v}!!! I CAN'T BELIEVE IT, this is the best day of my life!!!",),
        ("Which prize did I win?",),
    ),
    Topic(
        "theft",
        ("my grandmother's ring", "my late father's watch"),
        ("SOMEONE BROKE IN!!! They stole {v}, I'm shaking and so angry!!!",),
        ("What was stolen from me?",),
    ),
    Topic(
        "accident",
        ("Bridge Street", "Mill Lane"),
        ("I WAS HIT BY A VAN on {v}!!! I'm in hospital, terrified, my leg is broken!!!",),
        ("Where did I have my accident?",),
    ),
    Topic(
        "proposal",
        ("the lighthouse", "the botanical garden"),
        (
            "WE'RE ENGAGED, my brother and his girlfriend that is!!! He proposed at {v}!!! So "
            "happy!!!",
        ),
        ("Where did my brother propose?",),
    ),
    Topic(
        "loss",
        ("grandpa Anselm", "aunt Philippa"),
        ("This is AWFUL, {v} died last night!!! I'm heartbroken and can't stop crying!!!",),
        ("Who in my family died?",),
    ),
)
"""What moves the user so much that it is shouted, once."""
