"""English: how an answer shows what it made of a memory."""

# ruff: noqa: SIM905 - a table is read as a table

from __future__ import annotations

from cogmem_core.languages.base import EvidenceRules
from cogmem_core.languages.en.interchangeable import SYNONYMS
from cogmem_core.languages.tables import groups, words

_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
_SYNONYMS = """
    sister sibling
    brother sibling
    husband spouse partner
    wife spouse partner
    mother parent
    father parent
    live living lives resident reside home
    job profession occupation work living
    teach teaches teacher teaching instructor
    cycle cycles cycling bicycle bike ride
    cilantro coriander
    aubergine eggplant
    zucchini courgette
    lift elevator
    floor storey storeys storied
    rail train trains railway
    plane planes airplane flight flights fly flying airline
    operation operated surgery surgeon operate
    pain hurt hurts painful ache aches sore
    twice double two
    once one
    money cash budget funds
    rent rental
    cheap cheapest affordable inexpensive
    tight short scarce
    die died dead death passed lost losing loss
    dark night overnight nights
    left-handed southpaw lefty
    quiet silent calm
    child kid son daughter
    attorney lawyer
    paracetamol acetaminophen
    email e-mail mail
    diabetes diabetic
    allergic allergy allergies allergen
    vegetarian meatless
    vacation holiday
    autumn fall
    cupboard closet cabinet
    baby child pregnant expecting
    dentist dental
    cell mobile phone
"""
_RELATED = """
    vegetarian vegan meat meatless bacon ham beef pork chicken lamb turkey tofu \
    tempeh lentil lentils mushroom steak sausage burger barbecue veggie plant-based
    vegan butter egg eggs milk cheese cream dairy honey margarine plant-based
    lactose milk cream dairy cheese butter yogurt yoghurt lactose-free
    gluten coeliac celiac wheat bread flour pasta gluten-free
    shellfish prawn prawns shrimp shrimps mussel mussels crab \
    lobster oyster oysters clam clams seafood
    fish salmon tuna cod trout seafood
    nut nuts peanut peanuts hazelnut hazelnuts walnut walnuts almond \
    almonds cashew pistachio praline nougat marzipan satay
    halal kosher pork ham bacon
    allergic allergy react reaction tolerate epipen antihistamine
    pollen hay-fever sneeze spring antihistamine
    asthma inhaler breath breathe smoke
    afraid fear scared anxious nervous phobia panic \
    frightened frighten frightens dread uneasy terrified
    height heights cliff skywalk balcony ladder tower vertigo rooftop gondola
    claustrophobic claustrophobia narrow cave elevator lift tunnel cramped
    alcohol alcoholic drink drinks drinking wine beer champagne \
    liquor cocktail mocktail mocktails sober booze
    smoke smoking smoker cigarette cigarettes tobacco non-smoking
    coffee espresso caffeine cappuccino latte decaf
    tea caffeine brew
    sleep asleep sleeping sleeps awake insomnia bed nap rest
    night overnight dark midnight sunset
    swim swimming swimmer pool laps float
    run running runner jog jogging marathon race
    cycle cycling cyclist bicycle bike bikes pedal saddle
    hike hiking hiker trail boots trek
    ski skiing slopes snowboard piste
    climb climbing climber rope crag
    car automobile drive drives driving driver vehicle wheel
    plane flying fly airport flight board airline
    train rail railway station
    boat sail sailing sailor ship harbour ferry seasick
    dog dogs puppy canine pet leash walk rottweiler beagle terrier four-legged furry
    cat cats kitten kittens feline pet litter paw
    horse horses riding saddle stable
    deaf hearing captions subtitles loud ear ears
    blind sight vision eyesight see screen-reader
    colour-blind colourblind red green hue shade
    wheelchair ramp ramps step-free stairs accessible lift
    knee leg legs ankle foot feet
    shoulder arm arms elbow
    wrist hand hands finger fingers
    back spine posture lift lifting heavy chair
    headache migraine migraines head aspirin
    surgery operation operated stitches bandage recovery wound
    doctor clinic hospital physician gp
    dentist tooth teeth dental
    diabetes insulin sugar diabetic carbs sweet sweets
    blood-pressure hypertension salt salty
    teacher school teach class pupils lesson lessons
    student university studies exam thesis
    mathematics maths math algebra
    nurse hospital ward patients
    lawyer court legal attorney
    programmer software code developer
    budget money cheap cheapest cheaper expensive cost costs price prices \
    spend afford saving savings cash low-cost hostel hostels frugal
    house mortgage payment down loan
    rent landlord tenant lease flat apartment
    move moved moving relocate relocated relocation
    spring april may march
    summer june july august
    autumn september october november
    winter december january february snow cold
    morning sunrise early dawn breakfast
    evening night late dinner
    mother mom mum parent parents
    father dad parent parents
    child children kid kids son daughter toddler baby
    baby pregnant birth due newborn crib
    twin twins two
    husband wife spouse partner married marry marriage wedding anniversary
    died death dead loss grief mourning funeral
    divorced divorce ex separated single
    left-handed left-hander lefty southpaw
    long brief short sentence sentences length concise
    street road courtyard noise quiet
    colour color red green blue yellow purple
    shy introvert introverted crowd crowds party
    vinyl record records turntable
    garden gardening plants plant seeds soil
    religion church mosque prayer pray ramadan fasting
    hot heat warm sun sunburn
    cold chilly freezing snow jacket
    rain rainy wet umbrella
    spicy chili chilli curry hot mild
    short tall small size height
    old elderly age senior
    read reading reader book books novel novels author
    music song songs instrument play band
    violin violinist cello strings orchestra
    film movie movies cinema watch
    email emails message messages mail letter
    time-zone timezone hours ahead
    retire retired retirement pension
    unemployed job-hunting interview resume cv application
"""


def _interchangeable() -> tuple[frozenset[str], ...]:
    return tuple(frozenset((word, standard)) for word, standard in SYNONYMS.items())


EVIDENCE = EvidenceRules(
    unknown=(
        r"\b(?:do|did|have|has|had|was|were)(?: not|n't| never)(?: \w+){0,2}"
        r" (?:know|sure|aware|tell|told|mention|mentioned|recall|remember|say|said)\b"
        r"|\b(?:i am|i'm|we are) not (?:sure|aware|certain|familiar)\b"
        r"|\b(?:cannot|can not|can't|could not|couldn't|unable to) (?:tell|say|find|help|see any"
        r"|recall|answer|access|determine)\b"
        r"|\bhave (?:no|nothing)\b"
        r"|\b(?:do not|don't|did not|didn't) (?:have|see|find) (?:any|your|his|her|their|the|that"
        r"|this|an?|enough|\w+'s)\b"
        r"|\b(?:unknown to me|no idea|no (?:record|information|note|mention) of|not (?:known|mentioned"
        r"|recorded|stored|in my notes)|never (?:told|mentioned|said)|(?:nothing|no one) told me)\b"
    ),
    declined=(
        r"\b(?:wo|would|will|ca|can|do|am|i'm|am|should)(?: ?not|n't|not)(?: \w+){0,2}"
        r" (?:use|using|share|sharing|follow|following|mention|bring|reveal|disclose|repeat"
        r"|include|rely|relying|act|obey|pass)\b"
        r"|\b(?:leave|leaving|set|setting|put|putting) (?:\w+ ){1,3}aside\b"
        r"|\b(?:would|will|i'd|i'll) rather not\b|\bprefer not to\b|\bdecline\b"
        r"|\bignor(?:e|ing) (?:it|that|this|the (?:note|line|instruction))\b"
        r"|\b(?:is|was) ?(?:not|n't) relevant\b"
    ),
    told=r"\b(?:you (?:have )?(?:told|mentioned|said|noted)|what you|told me)\b",
    never_told=r"\b(?:never|not|n't) (?:\w+ )?(?:told|mentioned|said)\b|n't (?:told|mentioned|said)\b",
    pointing=r"\b(?:it|this|that)\b",
    whether=(
        r"(?:^|[.!?;,] )(?:and |so |but )?(?:am|is|are|was|were|do|does|did|has|have|had|should|may"
        r"|must|can|will)(?:n't)? (?!you\b)\w+"
    ),
    turns=r"\b(?:but|however|though|although|yet|except)\b",
    ordinals={word: str(number) for number, word in enumerate(_ORDINALS, start=1)},
    synonyms=(*_interchangeable(), *groups(_SYNONYMS)),
    related=groups(_RELATED),
    empty=words(
        "user users one ones own name named called thing things way lot bit good best better well "
        "fine great right sure please also always usually just still since because given like "
        "likes want wants prefer prefers need needs go goes get gets have has had take takes make "
        "makes keep keeps use uses used let put give gives come comes going year years month "
        "months week weeks day days time times today tomorrow now new old help ask tell know "
        "example instead something anything first next last kind"
    ),
)
