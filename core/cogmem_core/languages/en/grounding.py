"""English: words by which a fact that a model formed is compared with the turn it came from; folded."""

from cogmem_core.languages.base import GroundingRules
from cogmem_core.languages.tables import alike, stems, words

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
)
_TENS = "ten twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
    " fourteenth fifteenth"
)

GROUNDING = GroundingRules(
    numbers={
        **{word: number for number, word in enumerate(stems(_UNITS))},
        **{word: 10 * number for number, word in enumerate(stems(_TENS), start=1)},
        **{word: number for number, word in enumerate(stems(_ORDINALS), start=1)},
        "twentieth": 20,
        "thirtieth": 30,
        "twice": 2,
        "thrice": 3,
        "both": 2,
        "couple": 2,
        "twin": 2,
        "twins": 2,
        "pair": 2,
        "dozen": 12,
        "decade": 10,
        "half": 0.5,
        "quarter": 0.25,
    },
    ordinals=words(f"{_ORDINALS} twentieth thirtieth"),
    factors={"hundred": 100, "thousand": 1_000, "grand": 1_000, "k": 1_000, "million": 1_000_000},
    single=words("a an one once single"),
    loose=words("one once half quarter second both couple pair twin twins first"),
    half_past=r"half (?:past )?(?P<hour>\w+)",
    clocks={"noon": "12:00", "midday": "12:00", "midnight": "0:00"},
    forenoon=words("am morning a.m"),
    afternoon=words("pm afternoon evening night tonight p.m dinner"),
    meridians={"am": "am", "a.m": "am", "pm": "pm", "p.m": "pm"},
    units=alike(
        """
        mg milligram milligrams
        mcg microgram micrograms
        kg kilo kilos kilogram kilograms kgs
        g gram grams gr
        lb lbs pound-weight
        oz ounce ounces
        km kilometer kilometers kilometre kilometres kms
        m meter meters metre metres
        cm centimeter centimeters centimetre centimetres
        mm millimeter millimeters millimetre millimetres
        mi mile miles
        ft foot feet
        inch inches
        yard yards
        l liter liters litre litres
        ml milliliter milliliters millilitre millilitres
        cup cups
        tablespoon tablespoons tbsp
        teaspoon teaspoons tsp
        eur euro euros \u20ac
        usd dollar dollars bucks $
        gbp pound pounds quid \u00a3
        try lira liras \u20ba
        % percent percents
        celsius \u00b0c
        fahrenheit \u00b0f
        gb gigabyte gigabytes
        mb megabyte megabytes
        tb terabyte terabytes
        second seconds sec secs
        minute minutes min mins
        hour hours hr hrs hourly
        day days daily
        week weeks weekly
        fortnight fortnights
        month months monthly
        year years yearly annually annual annum yrs yr decade decades
        """
    ),
    periods=words("second minute hour day week month year"),
    per=words("per a each every"),
    implied={"day": words("morning evening night afternoon today tonight bedtime breakfast")},
    aged=words("old age aged"),
    averse=words("allergic allergy allergies intolerant intolerance"),
    denying=words(
        """
        dislike dislikes disliked hate hates hated detest detests loathe loathes avoid avoids avoided
        avoiding refuse refuses refused stop stops stopped stopping quit quits quitting drop dropped
        dropping unable lack lacks lacking
        former formerly previously non nondrinker nonsmoker except
        """
    ),
    privatives=words("without"),
    privative=r"\bwithout (?:any )?(?P<noun>\w+)|\b(?P<thing>\w+)-free\b",
    denying_phrases=r"\bused to\b(?! (?:it|the|this|that))|\bg[ai]ven? up\b|\bno longer\b",
    former=r"\bused to\b",
    no_denial=(
        r"\b(?:can't|cannot|can not|couldn't|could not|can hardly|can barely) wait\b"
        r"|\bnot (?:only|just)\b|\bno (?:problem|worries|matter|doubt|idea|wonder|big deal)\b"
        r"|\b(?:don't|do not|won't|never) (?:forget|worry|mind|miss)\b|\bwhy not\b"
        r"|\bcan't help\b|\bnothing but\b|\bno one\b(?= else)|\bif not\b|\bor not\b"
        r"|\bstop(?:ped|s)? by\b|\bfeel free\b|\bdrop(?:ped|s)? (?:off|by|in)\b|\bnot to mention\b"
    ),
    openers=words("no nope nah yes yeah yep yup well so and but also"),
    joints=(
        r"\b(?:and|but|because|since(?! \d)|though|although"
        r"|while|whereas|so|however|otherwise|which|who|where)\b(?! then\b)"
    ),
    speakers=words(
        "i me my mine myself we us our ours ourselves i'm i've i'd i'll we're we've we'd we'll im ive"
    ),
    owners=words("my our"),
    other_owners=words("his her their your its"),
    objects=words("me us"),
    third=words("he she they it who he's she's they're he'll she'll they'll he'd she'd it's it'll"),
    user=words("user users i me my we our speaker"),
    naming=words("is called named name named's who"),
    places=words("in at on near through via to for of into onto from"),
    possessive=r"(?:'s|s')$",
    passive=words("by from was were"),
    roles=words(
        "doctor therapist boss manager teacher tutor coach dentist landlord landlady client"
    ),
    persons=alike(
        """
        mother mom mum mommy mummy mama
        father dad daddy papa
        parent parents
        sister sisters
        brother brothers
        sibling siblings
        wife
        husband
        spouse
        partner
        fiance fiancee
        girlfriend
        boyfriend
        son sons
        daughter daughters
        child children kid kids
        grandmother grandma granny nan
        grandfather grandpa granddad
        grandparent grandparents
        grandson
        granddaughter
        uncle
        aunt auntie
        cousin cousins
        nephew
        niece
        friend friends buddy mate
        roommate flatmate roommates flatmates housemate
        colleague colleagues coworker coworkers
        neighbour neighbor neighbours neighbors
        boss
        manager
        landlord landlady
        dog dogs puppy
        cat cats kitten
        doctor physician
        therapist
        teacher
        tutor
        coach
        dentist
        client clients
        """
    ),
    broader={
        "parent": words("mother father"),
        "sibling": words("sister brother"),
        "child": words("son daughter"),
        "son": words("child"),
        "daughter": words("child girl"),
        "spouse": words("wife husband"),
        "partner": words("wife husband girlfriend boyfriend spouse"),
        "grandparent": words("grandmother grandfather"),
        "doctor": words("gp"),
    },
    plain=words(
        """
        user users live lives lived living work works worked working have has had like likes
        liked love loves prefer prefers preferred preference want wants wanted need needs
        needed name named names call called calls current currently new go goes going went
        get gets got take takes took taking taken given giving gives gave done make makes
        made use uses used using plan plans planned planning start started starting starts
        become became own owns owned say says said ask asked asks tell told know knows think
        thinks feel feels felt enjoy enjoys enjoyed person people thing things place time
        times regular regularly usual usually often always typical typically also about
        around approximately located based reside resides resident mention mentioned request
        requested requests expect expected expecting intend intends future member address
        number date due because reason mother father year years month months week weeks day
        days today yesterday tomorrow last next old age aged per each every last recent
        recently ago since very severe severely strongly find finds found consider considers
        considered find include includes including located possess possesses hold holds
        planning travel travels travelling traveling visit visits visiting will been being
        be is are was were does did do doing done keep keeps family wish wishes likes fan
        favourite favorite habit daily set amount total hour hours minute minutes scheduled
        schedule take place happen happened happens occurs originally previously formerly
        longer anymore receive received person's known located able unable via with from own
        profession job occupation home apartment flat house lives person morning evening
        """
    ),
    same=(
        words("apartment flat place home house"),
        words("buy bought buys purchase purchased got get sold sell"),
        words("dog puppy beagle"),
        words("job work profession occupation career position employed employer"),
        words("vet veterinarian"),
        words("dev developer programmer"),
        words("engineer engineering eng"),
        words("nyc york"),
        words("uk britain kingdom"),
        words("us usa america states"),
        words("sf francisco"),
        words("la angeles"),
        words("childhood kid child young"),
        words("remote remotely home"),
        words("wed wedding marry married marries getting"),
        words("born birthday birth"),
        words("prescribe prescribed put"),
        words("dislike hate stand"),
        words("tall height"),
        words("weigh weight weighs"),
        words("smoker smoke smoking smoked"),
        words("photo photograph picture pic"),
        words("bike bicycle cycling cycle"),
        words("car vehicle automobile"),
        words("film movie"),
        words("tv television"),
        words("phone telephone mobile cell"),
        words("email mail e-mail"),
        words("boss manager"),
        words("ill sick unwell"),
        words("fly flying flight flies flew"),
        words("pay paid pays cost costs price rent salary"),
        words("study studied studies learn learned learning learns student"),
        words("teach teaches taught teacher"),
        words("eat eats ate food meal diet"),
        words("drink drinks drank drinking"),
        words("meet meeting met meets appointment"),
        words("die died dead passed death"),
        words("pregnant pregnancy expecting baby"),
        words("holiday vacation trip travel"),
        words("exam examination test"),
        words("maths math mathematics"),
        words("lecturer professor prof"),
        words("dr doctor"),
        words("company firm business"),
    ),
    demonym=r"n|an|ian|ean|ish|ese|i|er|s",
)
