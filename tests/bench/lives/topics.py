"""What the simulated user of `generate` has to say about a life. Data, no code.

The wordings were written without looking at how the engine reads them. Changes are told the way
people tell them: some say that the old value is over, most only tell the new one.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["TOGETHER", "TOPICS", "Topic"]


@dataclass(frozen=True, slots=True)
class Topic:
    """Something with one true value at a time.

    Attributes:
        values: what it can be; each occurs in a text that states it, and nowhere else.
        says: how it is told, also again later; `{v}` is the value.
        asks: how it is asked for.
        news: how a change is told; `{old}` is the former value. Empty if it never changes.
        changes: least and most changes within half a year.
        critical: a person may come to harm if it is forgotten; it is told once or twice and seldom
            asked for.
    """

    name: str
    values: tuple[str, ...]
    says: tuple[str, ...]
    asks: tuple[str, ...]
    news: tuple[str, ...] = ()
    changes: tuple[int, int] = (0, 0)
    critical: bool = False


_CRITICAL = (
    Topic(
        "allergy",
        ("penicillin", "peanuts", "shellfish", "sesame", "hazelnuts"),
        (
            "I'm allergic to {v}, badly.",
            "Please keep in mind that {v} could kill me.",
            "My allergy is {v}, sadly.",
        ),
        ("What am I allergic to?", "Is there anything that I must never be given?"),
        critical=True,
    ),
    Topic(
        "medication",
        ("levothyroxine", "metformin", "ramipril", "sertraline"),
        (
            "I take {v} every morning.",
            "My doctor has me on {v}.",
            "The little white pills are {v}.",
        ),
        ("Which medication do I take?", "What did the doctor prescribe me?"),
        ("The doctor moved me over to {v}.", "No more {old} for me, it's {v} from today."),
        (0, 1),
        critical=True,
    ),
    Topic(
        "emergency contact",
        ("Marta Kowalczyk", "Joseph Adeyemi", "Lena Brandt", "Carlos Pinheiro"),
        (
            "If anything ever happens to me, call {v} first.",
            "{v} is my emergency contact.",
            "I put {v} down as the person to ring in an emergency.",
        ),
        ("Who is my emergency contact?", "Whom should one call if I have an accident?"),
        critical=True,
    ),
    Topic(
        "blood group",
        ("O negative", "AB positive", "A negative", "B positive"),
        ("My blood group is {v}.", "The donor card says {v}, that's my blood type."),
        ("What is my blood group?", "Which blood type do I have?"),
        critical=True,
    ),
    Topic(
        "spare key",
        ("Mr Oduya downstairs", "the florist next door", "Mrs Lindqvist on the third floor"),
        ("The spare key is with {v}.", "I left a second set of keys with {v}."),
        ("Who has my spare key?", "Where can I get in if I lose my keys?"),
        critical=True,
    ),
    Topic(
        "insurance",
        ("Helvana", "Nordkasse", "Mutua Clara"),
        ("My health insurance is {v}.", "I'm insured with {v}, the card is in my wallet."),
        ("What is my health insurance?", "Who am I insured with?"),
        critical=True,
    ),
    Topic(
        "condition",
        ("asthma", "epilepsy", "coeliac disease", "haemophilia"),
        ("I've had {v} since I was a child.", "You should know that I have {v}."),
        ("Which illness do I have?", "Do I have a medical condition?"),
        critical=True,
    ),
    Topic(
        "passport",
        ("November 2027", "March 2028", "August 2029"),
        ("My passport is valid until {v}.", "I checked, the passport runs out in {v}."),
        ("When does my passport run out?", "Until when is my passport valid?"),
        critical=True,
    ),
)

_LASTING = (
    Topic(
        "partner",
        ("Annika", "Rafael", "Mireille", "Tomasz"),
        (
            "{v} and I have been together for six years.",
            "My partner is called {v}.",
            "{v}, my other half, cooks better.",
        ),
        ("What is my partner's name?", "Who do I live with as a couple?"),
    ),
    Topic(
        "dog",
        ("Biscuit", "Pretzel", "Waffles", "Nacho"),
        (
            "Our dog {v} is a beagle.",
            "We named the dog {v}.",
            "{v} is a very good dog, if you ask me.",
        ),
        ("What is my dog's name?", "How is our dog called?"),
    ),
    Topic(
        "cat",
        ("Captain Fluff", "Zorro", "Mittens", "Duchess"),
        (
            "The cat is called {v}.",
            "{v}, our cat, sleeps on the fridge.",
            "We also have a cat, {v}.",
        ),
        ("What is the name of my cat?", "How do we call the cat?"),
    ),
    Topic(
        "sister",
        ("Camille", "Ngozi", "Freja", "Isadora"),
        (
            "My sister {v} is two years older than me.",
            "I only have one sister, {v}.",
            "{v} is my big sister.",
        ),
        ("What is my sister called?", "Who is my sister?"),
    ),
    Topic(
        "birthday",
        ("the 14th of April", "the 2nd of October", "the 29th of July", "the 8th of December"),
        (
            "My birthday is on {v}.",
            "I was born on {v}, a rainy day according to mum.",
            "I turn a year older on {v}.",
        ),
        ("When is my birthday?", "On which day was I born?"),
    ),
    Topic(
        "home town",
        ("Braga", "Lublin", "Trondheim", "Izmir"),
        ("I grew up in {v}.", "I'm originally from {v}.", "{v} is where I spent my childhood."),
        ("Where did I grow up?", "What is my home town?"),
    ),
    Topic(
        "university",
        ("Uppsala", "Coimbra", "Heidelberg", "Leuven"),
        (
            "I studied in {v}.",
            "My degree is from {v}.",
            "I went to university in {v}, lovely years.",
        ),
        ("Where did I study?", "Which university did I go to?"),
    ),
    Topic(
        "instrument",
        ("cello", "clarinet", "accordion", "banjo"),
        (
            "I play the {v}.",
            "I've been playing the {v} since school.",
            "My {v} lessons were every Tuesday as a kid.",
        ),
        ("Which instrument do I play?", "What do I make music on?"),
    ),
    Topic(
        "diet",
        ("vegetarian", "vegan", "pescatarian"),
        ("I'm {v}.", "I've been {v} for years now.", "No thanks, I'm {v}."),
        ("What kind of diet do I follow?", "Do I eat meat?"),
    ),
    Topic(
        "dish",
        ("mushroom risotto", "pad thai", "aubergine parmigiana", "bibimbap"),
        (
            "My favourite dish is {v}.",
            "Nothing beats {v}.",
            "If I could eat one thing forever it would be {v}.",
        ),
        ("What is my favourite dish?", "What do I like to eat most?"),
    ),
    Topic(
        "book",
        ("Middlemarch", "The Dispossessed", "Solaris", "Invisible Cities"),
        (
            "{v} is the best book I ever read.",
            "My favourite novel is {v}.",
            "I could read {v} once a year.",
        ),
        ("Which novel do I love most?", "What is my favourite book?"),
    ),
    Topic(
        "film",
        ("Paris, Texas", "Spirited Away", "Amelie", "The Third Man"),
        (
            "My favourite film is {v}.",
            "I've seen {v} at least ten times.",
            "No film comes close to {v}.",
        ),
        ("What is my favourite film?", "Which movie have I seen most often?"),
    ),
    Topic(
        "coffee",
        ("a flat white with oat milk", "a double espresso", "a cortado", "black filter coffee"),
        ("I always order {v}.", "My usual is {v}.", "For me it's {v}, every time."),
        ("How do I take my coffee?", "What do I order at a coffee place?"),
    ),
    Topic(
        "team",
        ("Benfica", "Union Berlin", "Feyenoord", "Celtic"),
        (
            "I support {v}.",
            "I've been a {v} fan since I was six.",
            "{v} is my club, for better or worse.",
        ),
        ("Which football club do I support?", "What is my favourite team?"),
    ),
    Topic(
        "shoe size",
        ("size 38", "size 41", "size 43", "size 46"),
        (
            "My shoes are {v}.",
            "I need {v} in shoes.",
            "I wear {v}, in case you ever order shoes for me.",
        ),
        ("What is my shoe size?", "Which size of shoes do I need?"),
    ),
    Topic(
        "best friend",
        ("Yusuf", "Greta", "Oluwaseun", "Matteo"),
        (
            "{v} has been my best friend since school.",
            "My best friend is {v}.",
            "I tell {v} everything, best friends.",
        ),
        ("Who is my best friend?", "What is my closest friend called?"),
    ),
    Topic(
        "language",
        ("Hungarian", "Catalan", "Finnish", "Farsi"),
        ("At home we spoke {v}.", "{v} is my mother tongue.", "I still count in {v}."),
        ("What is my mother tongue?", "Which language did I grow up with?"),
    ),
    Topic(
        "hobby",
        ("bouldering", "pottery", "beekeeping", "birdwatching"),
        ("In my free time I do {v}.", "My hobby is {v}.", "I'm at my happiest when I do {v}."),
        ("What is my hobby?", "What do I do in my free time?"),
    ),
    Topic(
        "seat",
        ("an aisle seat", "a window seat"),
        (
            "On planes I always want {v}.",
            "I prefer {v} when I fly.",
            "When you book me a flight, {v} please.",
        ),
        ("Which seat do I like on a plane?", "What seat should I book for the flight?"),
    ),
    Topic(
        "wedding",
        ("Sintra", "Bruges", "Siena", "Galway"),
        (
            "We got married in {v}.",
            "Our wedding was in {v}.",
            "{v} is where we said yes to each other.",
        ),
        ("Where did I get married?", "In which town was our wedding?"),
    ),
)

_CHANGING = (
    Topic(
        "city",
        ("Lisbon", "Porto", "Ghent", "Leipzig", "Utrecht", "Graz"),
        ("I live in {v}.", "My flat is in {v}, not far from the river.", "Life in {v} is good."),
        ("Where do I live?", "In which city is my home?"),
        (
            "We finally settled into the flat in {v}.",
            "I moved to {v}.",
            "I no longer live in {old}, we're in {v} now.",
            "First night in the new home in {v}, boxes everywhere.",
        ),
        (1, 3),
    ),
    Topic(
        "employer",
        ("Brightwater", "Kestrel Labs", "Nordlicht", "Halden Institute", "Ostara Foods"),
        ("I work for {v}.", "My employer is {v}.", "At {v} we have a four-day week."),
        ("Who do I work for?", "What is the name of my employer?"),
        (
            "Signed with {v}, I start there on Monday.",
            "I left {old} and joined {v}.",
            "Had my first day at {v}, nice people.",
            "My new badge says {v}.",
        ),
        (1, 2),
    ),
    Topic(
        "job title",
        ("data analyst", "product owner", "team lead", "solutions architect"),
        ("I'm a {v}.", "My job title is {v}.", "As a {v} I spend my day in meetings."),
        ("What is my job title?", "What do I do for a living?"),
        (
            "They made me {v}.",
            "I'm now {v} instead of {old}.",
            "My business card says {v} as of this week.",
        ),
        (1, 2),
    ),
    Topic(
        "phone plan",
        ("Vodalink", "Yellowcell", "Simplito", "Telenova"),
        (
            "My phone contract is with {v}.",
            "I'm with {v} for mobile.",
            "{v} charges me twelve euros a month.",
        ),
        ("Which mobile provider do I have?", "Who is my phone contract with?"),
        (
            "I switched from {old} to {v}, same number.",
            "My new SIM from {v} came in the mail.",
            "Took the {v} offer in the end, ten gigabytes more.",
        ),
        (1, 3),
    ),
    Topic(
        "project",
        (
            "the Falcon migration",
            "the Orchid dashboard",
            "the Basalt audit",
            "the Juniper app",
            "the Cobalt pilot",
        ),
        ("At work I'm on {v}.", "I spend most of my week on {v}.", "{v} is my project."),
        ("Which project am I working on?", "What am I busy with at work?"),
        (
            "They put me on {v}.",
            "{old} is done, next up is {v}.",
            "From this sprint on it's {v} for me.",
            "My manager asked me to take over {v}.",
        ),
        (2, 4),
    ),
    Topic(
        "editor",
        ("Neovim", "Emacs", "Helix", "Kakoune", "Sublime Text"),
        ("My editor is {v}.", "I write all my code in {v}.", "I prefer {v} for programming."),
        ("Which editor do I use?", "What do I write code in?"),
        (
            "I switched back to {v}.",
            "I gave up on {old}, {v} it is.",
            "Moved all my key bindings over to {v} this weekend.",
        ),
        (1, 3),
    ),
    Topic(
        "boss",
        ("Priya", "Henrik", "Solange", "Dimitri", "Wanda"),
        ("My boss is {v}.", "I report to {v}.", "{v}, my manager, likes short mails."),
        ("Who is my boss?", "Who do I report to?"),
        (
            "{v} took over our department, so that's who I report to.",
            "{old} is not my boss anymore, {v} is.",
        ),
        (1, 2),
    ),
    Topic(
        "car",
        ("a blue Skoda", "a grey Fiat", "a red Toyota", "an old Saab"),
        ("I drive {v}.", "Our car is {v}.", "We have {v}, it does the job."),
        ("What car do I drive?", "Which car do we have?"),
        ("Picked up the new car, {v}.", "We sold {old} and bought {v}."),
        (0, 1),
    ),
    Topic(
        "current book",
        ("Piranesi", "Stoner", "The Overstory", "Austerlitz", "Gilead", "Hyperion"),
        (
            "I'm reading {v}.",
            "On my bedside table there's {v}.",
            "A few more pages of {v} before I sleep.",
        ),
        ("Which book am I reading?", "What is on my bedside table?"),
        (
            "Started {v} last night.",
            "Finished {old}, now I'm reading {v}.",
            "Just opened {v}, the first chapter is great.",
        ),
        (2, 4),
    ),
    Topic(
        "series",
        ("Borgen", "Severance", "Dark", "The Bureau", "Slow Horses", "Fargo"),
        (
            "In the evenings we watch {v}.",
            "We're hooked on {v}.",
            "The series we're watching is {v}.",
        ),
        ("Which series are we watching?", "What do we watch in the evenings?"),
        ("We've begun {v}, two episodes in.", "We're through with {old} and on to {v}."),
        (2, 4),
    ),
    Topic(
        "commute",
        ("by tram", "by bike", "by ferry", "on foot", "by train"),
        ("I go to work {v}.", "I get to the office {v}.", "My commute is {v}."),
        ("How do I get to work?", "What is my commute?"),
        (
            "I stopped going to the office {old}, now I go {v}.",
            "Getting to the office {v} these days, so much better.",
        ),
        (1, 3),
    ),
    Topic(
        "gym",
        ("Ironworks", "FitBarn", "Studio Nove", "the municipal pool"),
        ("I train at {v}.", "Twice a week I go to {v}.", "My membership is at {v}."),
        ("Where do I train?", "Which gym am I a member of?"),
        ("Cancelled {old} and signed up at {v}.", "First session at {v}, my legs are gone."),
        (1, 2),
    ),
    Topic(
        "course",
        ("Italian", "Japanese", "Danish", "Swahili", "Greek"),
        ("I'm learning {v}.", "On Wednesdays I have my {v} class.", "My {v} is getting better."),
        ("Which language am I learning?", "What class do I take on Wednesdays?"),
        ("Dropped {old}, I'm taking {v} lessons instead.", "Signed up for a {v} course."),
        (1, 2),
    ),
    Topic(
        "rent",
        ("980 euros", "1,150 euros", "1,240 euros", "1,390 euros"),
        (
            "We pay {v} in rent.",
            "The rent is {v} a month.",
            "Our rent is {v}, heating not included.",
        ),
        ("How much rent do we pay?", "What is our rent?"),
        ("The landlord raised the rent to {v}.", "We now pay {v} for the flat each month."),
        (1, 2),
    ),
    Topic(
        "marathon goal",
        ("a sub-four marathon", "a half marathon", "a ten-kilometre race", "an ultra trail"),
        (
            "I'm training for {v}.",
            "My goal this year is {v}.",
            "I want to finish {v} without walking.",
        ),
        ("What am I training for?", "What is my running goal?"),
        (
            "Changed my mind, I'll go for {v}.",
            "Instead of {old} I'm training for {v}.",
            "The coach thinks {v} suits me.",
        ),
        (1, 3),
    ),
)

TOPICS: tuple[Topic, ...] = (*_CRITICAL, *_LASTING, *_CHANGING)
"""What the user tells about, in the order in which the script draws from them."""

TOGETHER: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("What should a doctor know about me?", ("allergy", "medication", "blood group", "condition")),
    ("Which pets do I have?", ("dog", "cat")),
    ("Who is in my family?", ("partner", "sister")),
    ("What am I reading and watching these days?", ("current book", "series")),
    ("Where do I live and who do I work for?", ("city", "employer")),
)
"""Questions that several topics answer together."""
