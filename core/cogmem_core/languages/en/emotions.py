"""English: words of feeling, of urgency and of profanity, and grave events."""

from cogmem_core.languages.base import EmotionRules
from cogmem_core.languages.tables import words

EMOTIONS = EmotionRules(
    words={
        "joy": words(
            """
            happy happier happiest glad joy joyful joyous delighted cheerful excited exciting
            thrilled ecstatic overjoyed elated blissful euphoric love loved loving wonderful amazing
            awesome fantastic proud grateful thankful blessed celebrate celebrated celebrating fun
            yay hooray woohoo pleased content
            """
        ),
        "anger": words(
            """
            angry anger mad furious rage raging enraged outraged outrageous livid irate annoyed
            annoying irritated irritating frustrated frustrating pissed resent resentful hate hates
            hated fuming infuriated infuriating hostile betrayed insulted unfair seething
            """
        ),
        "fear": words(
            """
            afraid fear fearful fears scared scary scares terrified terrifying terror frightened
            frightening panic panicked panicking anxious anxiety worried worry worrying nervous
            horrified dread dreading petrified alarmed threatened threat nightmare
            """
        ),
        "sadness": words(
            """
            sad sadly sadness unhappy depressed depressing depression miserable heartbroken
            devastated devastating grief grieving mourning mourn lonely loneliness cry crying cried
            tears hopeless disappointed disappointing hurt hurts upset sorrow gloomy regret lost
            despair shattered tragic
            """
        ),
        "surprise": words(
            """
            surprised surprise surprising surprisingly shocked shocking shock astonished astonishing
            amazed stunned stunning unexpected unexpectedly unbelievable speechless omg wow whoa
            startled astounded incredible flabbergasted
            """
        ),
        "disgust": words(
            """
            disgust disgusted disgusting gross grossed nasty revolting repulsive repulsed sickening
            nauseating nauseated vile yuck yucky ew eww eww repelled appalled appalling loathe
            loathing filthy foul
            """
        ),
    },
    strong_words=words(
        """
        ecstatic overjoyed euphoric elated furious enraged outraged livid raging infuriated seething
        fuming rage terrified terrifying terror petrified horrified panic panicked panicking
        devastated devastating heartbroken hopeless despair shattered miserable grief grieving
        shocked stunned speechless flabbergasted astounded disgusted revolting repulsed sickening
        appalled loathe
        """
    ),
    denials_before=words(
        """
        not no never none nor neither without hardly barely cannot cant dont didnt doesnt isnt wasnt
        arent aint
        """
    ),
    denial_ending="n't",
    superlative_denials=words("never"),
    superlative_words=words("so this"),
    function_words=words("i'm it's"),
    urgent=words(
        """
        urgent urgently asap emergency immediately critical hurry deadline outage breach breached
        hacked leaked sos 911 mayday
        """
    ),
    profanity=words(
        """
        fuck fucking fucked fucker motherfucker shit shitty bullshit bitch bastard asshole dick damn
        damned goddamn hell crap wtf cunt piss pissed ffs stfu
        """
    ),
    grave=(
        r"(?:car|bike|road|traffic|plane|work) (?:accident|crash)|(?:an?|the) accident"
        r"|crashed (?:my|the|our|his|her) (?:car|bike)",
        r"(?:died|dies|dying|dead|death|suicide|murder(?:ed)?|funeral|passed away|killed)",
        r"(?:cancer|tumou?r|heart attack|stroke|miscarriage|overdose|diagnosed|emergency room"
        r"|intensive care|the er|icu)",
        r"(?:ambulance|surgery|hospitali[sz]ed|in (?:the )?hospital)",
        r"(?:earthquake|tsunami|explosion|wildfire|house fire|burned down|on fire|flooded)",
        r"(?:robbed|mugged|raped|assaulted|attacked|stabbed|shot at|kidnapped|burglar(?:y|ed)"
        r"|broke into)",
        r"(?:i|we|he|she|got|was|been|were|am|just) (?:fired|evicted|arrested|laid off)",
        r"(?:divorced?|left me|cheated on me|broke up with me|dumped me)",
        r"(?:she said yes|i'm pregnant|we're pregnant|gave birth|baby (?:was|is) born|(?:we"
        r"|i) got (?:married|engaged))",
        r"won the (?:lottery|championship|gold|world)|production (?:is|went) down|data loss"
        r"|lost (?:all|everything)",
    ),
    cries=(
        r"help(?: me| us)?(?=\s*[!,.:\u2026-])|(?:please|someone|somebody|anybody|pls) help|help (?:me|us)"
        r"|help(?= (?:my|our|i|i'm|we|there|there's|someone|somebody|he|she|they)\b)",
        r"emergency|urgent|sos|mayday|911|999|112",
        r"(?:call|calling|need|send) (?:an ambulance|the ambulance|a doctor|the doctor|paramedics"
        r"|the fire (?:brigade|department)|the police|poison control)",
    ),
    dangers=(
        r"(?:swallow(?:ed|s|ing)?|ate|drank|inhaled|breathed in)(?! (?:his|her|their|my|your|our) (?:pride|words"
        r"|lunch|dinner|breakfast|food|milk|water|soup|medicine))(?: \w+){0,3} (?:batter(?:y|ies)|coin|magnet"
        r"|pills?|tablets|bleach|poison|detergent|antifreeze|mushrooms?|chemicals?|cleaner|glass|toy|pin"
        r"|needle|medication|gasoline|petrol|paint|smoke|gas|berries|bead|lego|screw|marble)s?",
        r"(?:collapsed|passed out|fainted|unconscious|unresponsive|not responding|won't wake up"
        r"|can't wake (?:him|her|them)|not moving|isn't moving)",
        r"(?:not|isn't|stopped|can't|cannot|barely|trouble|struggling to) breath(?:e|ing)",
        r"chok(?:ing|ed)|drown(?:ing|ed)|seizures?|convuls\w+|overdos\w+|heart attack|(?:having a|a) stroke"
        r"|anaphyla\w+|suffocat\w+|electrocuted",
        r"bleeding(?: \w+){0,2}|blood everywhere|cut (?:his|her|my|their) (?:wrist|finger off|artery)",
        r"(?:fell|fallen|falling) (?:down|off|from|out of|through|into) (?:the|a|an|our|my) (?:stairs|steps|roof"
        r"|ladder|window|balcony|tree|pool|well|lake|river|ice)",
        r"(?:fire|flames|smoke|gas leak|gas) (?:in|at|from|coming from|inside) (?:the|our|my) (?:\w+ )?"
        r"(?:house|home|kitchen|flat|apartment|building|bedroom|basement|garage|room|stairwell)"
        r"|(?:house|kitchen|flat|apartment|building|car) is on fire",
        r"(?:been|got|was|were|is being|being) (?:shot|stabbed|hit by a car|run over|attacked|bitten by a snake)"
        r"|breaking into|(?:has|with) a (?:gun|knife)|kill (?:myself|himself|herself)",
        r"(?:took|taken|swallowed) (?:too many|the whole|a whole|all (?:my|his|her|the))|intruder|burglar in"
        r"|(?:someone|somebody|a man|a stranger|people) (?:is |are )?(?:in|inside|breaking into)"
        r" (?:my|our|the) (?:house|home|flat|apartment)",
        r"(?:is|are|we're|i'm|it's) (?:sinking|trapped|buried"
        r"|stuck in (?:the|a) (?:fire|lift|elevator|snow|mud|river|wreck))"
        r"|capsized|avalanche|electric shock|(?:burn(?:ed|t)|scalded) (?:his|her|my|their|himself|herself|myself)",
        r"chest pain|allergic reaction|went into labou?r|water broke|is missing|has been missing|has disappeared",
    ),
    acronyms=words(
        """
        ascii cors crud gdpr gpus hipaa html http https iban icloud imap jpeg json kvkk latam lgbt
        lgbtq lgbtqia mbps mssql mysql nasa nato nosql npcs owasp pdfs posix raid rest saas smtp
        soap sqlite ssds tcpip tubitak todo toml unicef unesco urls usda utf8 uuid uuids wifi wasm
        xhtml yaml ymca zoom aids covid fifa uefa nasdaq nyse rsvp
        """
    ),
)
