"""English, folded: how a later statement gives another value of the same thing."""

from cogmem_core.languages.base import RevisionRules
from cogmem_core.languages.tables import stems, words

REVISIONS = RevisionRules(
    harmless=words("with near as because so since"),
    unmeant=(
        r"\b(?:(?:just|only|totally|i'm|i was|was) (?:kidding|joking|messing|teasing)|(?<!no )(?<!not )kidding|jk|psych"
        r"|(?:just|only|it's|it was|that's|that was) an? (?:joke|prank|test|dream|lie|example)(?! \w)"
        r"|(?:made (?:that|it|this) up|not really)(?=\W*$)|april fools?'?|what if|(?:i|we) dream(?:t|ed) (?!of )"
        r"|for the sake of argument)\b|\bas an? (?:\w+ )?(?:example|placeholder|test(?: \w+)?) ?[:,]|(?<!\S)/s\b"
        r"|(?:^|[.!?;] )\W{0,3}(?:in|for) (?:the|an?|my|our|this|that) (?:\w+ ){0,2}(?:book(?! club)|thriller|story"
        r"|tale|play|game|film|movie|series|dream|comic|simulation|sketch|song)\b"
    ),
    games=(
        r"(?:^|[.!?:;,] |(?:let's|let us|please|now|just) )(?:do a |have a )?(?:pretend|imagine|suppose|assume"
        r"|role-?play"
        r"|hypothetical\w*)\b"
        r"|\b(?:role-?play(?: \w+)?[:,.]|in character|fictional\w*|let's (?:say|act|play (?:a|an|that|pretend))"
        r"|(?:my|the|this|our) (?:novel|screenplay|short story|lyrics|fanfic\w*|character))\b"
    ),
    unreal=(
        # "May" is a month behind these.
        r"\b(?:(?<!in )(?<!since )(?<!until )(?<!last )(?<!next )(?<!of )(?<!\d )may(?! \d)"
        r"|(?:i'd|we'd) (?:rather|prefer|like|love)"
        r"|if|unless|would|could|might|maybe|perhaps|dream(?:t|ed|s|ing)?|imagin\w+"
        r"|pretend\w*|wish|hope|hoping|(?:want|plan|hoping|would like) to"
        r"|going to (?!the |my |our |work\b|school\b|bed\b)"
        r"|thinking (?:of|about)"
        r"|consider(?:ing)?|will|we'll|i'll|he'll|she'll|it'll|they'll|used to|back then|back when|when i was"
        r"|(?:in|until|till|before|since) (?:19|20)\d\d|(?:years|months|weeks) ago"
        r"|(?:i|we) (?:read|heard|hear|saw) (?:that|about)"
        r"|once(?! (?:an?|every|per|daily|weekly|or twice)\b)|says?|said|told"
        r"|wrote|reads|according|character|novel|song|lyrics|film|movie|joke|kidding|translate"
        r"|proofread|example|hypothetically|suppose|let's say|as a child|as a kid|growing up"
        r"|almost|nearly|thought)\b"
    ),
    now=r"\b(?:now|these days|nowadays|currently|by now|as of|from now on|new|finally)\b",
    openers=(
        r"(?:it )?turns out|apparently|actually|so|well|ok|okay|honestly|by the way|btw|fyi|update|news"
        r"|good news|bad news|oh|ugh|hey|right|anyway|quick update|heads up"
    ),
    denies_that=(
        r"(?:it is|it's|that's) (?:not|no longer) (?:true|the case|right) that\s"
        r"|(?:it is|it's) (?:wrong|false) that\s"
    ),
    naming=words("name named called spelled spelt spell spells"),
    state=(
        r"(?:(?:\bis|\bare|\bam|'m|'re|'s|\bgot|\bget|\bbeen|\bbecame|\bgone)\s"
        r"(?:(?:now|finally|happily|already|officially)\s)*"
        r"|\b(?=works? as\b|retired (?:on|last|this|from|yesterday|today)\b))"
        r"(?P<s>works?(?= as\b)|married|engaged(?!\s(?:in|by|on|with)\b)|divorced|single(?!\s\w+s?\b)|widowed|separated"
        r"|vegan|vegetarian|pescatarian|retired|unemployed|employed)\b"
    ),
    states={
        **{
            state: ("marital status", state)
            for state in stems("married engaged divorced single widowed separated")
        },
        **{state: ("diet", state) for state in stems("vegan vegetarian pescatarian")},
        **{state: ("work status", state) for state in stems("retired unemployed employed")},
        "work": ("work status", "employed"),
    },
    dwellings=words("home house flat apartment place room"),
    called_off=(
        r"\b(?:is|are|was|were|been|got)\s(?:cancelled|canceled|called off|over|scrapped|off)(?=\W*$|\W*[,.;])"
    ),
    nationality=(
        r"\w+(?:ish|ese|ian|can|ean|eek|wiss|elsh|zech|dic|nic|ani|aqi|ench|utch)"
        r"|german|thai|turk|arab"
    ),
    destination=r"\bto\s(?:the\s)?(?P<to>\S+)",
    doing=r"^\w+ing\b",
    foreign=(
        r"(?:\A|(?<=[.!?\n] ))(?:(?:here(?:'s| is| are)|this is|below is|attached is|i got|i received)"
        r"[^.!?:\n]{0,30}\b(?:e-?mail|letter|message|text|cv|resume|review|article|transcript|draft|essay"
        r"|story|post|chat|conversation|ticket|poem|cover letter|report|reply|wrote|writes|said|says)s?\b"
        r"|(?:please )?(?:proofread|translate|summari[sz]e|rewrite|rephrase|paraphrase|correct|edit|improve"
        r"|polish|shorten|check|review|analy[sz]e|reply to|answer|write a reply)\b(?! (?:my|your|the|our)"
        r" (?:profile|records?|notes?|memory|file)))[^.!?:\n]{0,80}(?::|\?|,|\n)\s"
    ),
    newness=words("new"),
    remarks=words(
        """
        stressful boring fun hard easy tough tight late early great terrible amazing awful bad good
        fine ok okay busy slow quiet loud important annoying exhausting rewarding disaster mess
        nightmare paid unpaid due overdue broken lost gone open closed full empty ready done
        finished delayed cancelled postponed hot cold warm big small huge tiny long short high low
        expensive cheap free beautiful ugly nice lovely old new young sick ill tired happy sad angry
        dirty clean heavy light strong weak popular famous serious strange weird difficult
        complicated simple crazy insane ridiculous painful pain horrible fantastic excellent perfect
        wonderful brilliant dreadful hilarious interesting challenging demanding flexible remote
        supportive strict friendly kind mean
        """
    ),
    remark_openers=words(
        "still getting going doing being never after like from under over killing driving making"
        " giving acting"
    ),
    degrees=words(
        "a an the very so too really quite rather pretty extremely always often a bit such just more"
    ),
    directions=words("from to before after without"),
    prepositions=words("of for in at with on from to near by about before after without under as"),
    changed=(
        r"\b(?:rebooked|reassigned|moved|switched|changed|migrated|slips|slipped|postponed|rescheduled|upgraded"
        r"|promoted"
        r"|renamed|raised|lowered|pushed|brought forward|extended|shifted)\b"
    ),
    besides=r"\b(?:also|too|as well|another|second|additionally|besides|not only|not just|plus|both)\b",
    linking=words("is are am 's 're 'm be costs cost runs run weighs weigh has takes needs leaves"),
    single=words(
        """
        live work prefer weigh pay owe drive commute study report belong born supply bank
        """
    ),
    copulas=words("is are am be"),
    partial=words("much many always every often usually only just enough really very too"),
    named_wrong=(
        r"(?:\bnot|\bisn't|\baren't|\binstead of|\brather than)\s"
        r"(?P<a>[\w.:' -]{1,40}?)(?:[,.;!]|\sbut\b|$)"
    ),
    past=r"\bused to\b",
    turns="but",
    favourite=words("favourite favorite preferred usual main current default"),
    several=words(
        """
        brother sister son daughter cousin friend uncle aunt neighbour neighbor colleague coworker
        nephew niece kid child cat dog pet friend grandson granddaughter student client teammate
        """
    ),
    qualifiers=(
        words("morning evening night afternoon noon breakfast lunch dinner bedtime midday"),
        words("monday tuesday wednesday thursday friday saturday sunday weekday weekend week"),
        words("spring summer autumn fall winter"),
        words("home work office school gym travel holiday vacation"),
        words("out back outbound return there"),
        words("left right front back upper lower first second third old new other"),
        words("winter summer cold hot weather"),
    ),
    ended=(
        r"\b(?:no more(?= [\w' -]{2,40} for (?:me|us)\b)|traded(?= [\w' -]{2,40} in\b)"
        r"|cancel?led|sold|quit|resigned from|gave up|given up|scrapped|broke up with|divorced"
        r"|moved out of|got rid of|gave away|unsubscribed from|terminated|called off"
        r"|dropped(?: out of| the (?:plan|idea)(?: to| of)?)"
        r"|used to (?:be|work|live|drive|use|have|go|play|drink|eat|take)(?: at| in| for| with| on| to| as| an?)*"
        r")\s(?:(?:my|our|the|all|its|that|using|going to|taking|doing|with|of|plan to|plans to)\s)*"
        r"(?P<a>[\w' -]{2,40}?)(?:\s(?:yesterday|today|last|this|in|on|and|because|after|for|a)\b|[,.;!]|$)"
    ),
    set_to=(
        r"\b(?:moved|shifted|changed|switched|pushed|put|postponed|rescheduled|slipped|extended|set"
        r"|brought|raised|lowered|cut|increased|reduced|doubled|tripled|halved|upped|bumped"
        r"|went (?:up|down)|gone (?:up|down)|came down|dropped|rose|risen|fell|upgraded|updated"
        r"|migrated|downgraded)\b"
        r"|(?:\b(?:is|are)|'s) (?:now )?(?=(?:down|up) to\b)"
        r"|(?P<now>(?:\b(?:is|are|costs?|pays?|comes?|starts?)|'s) now\b)"
    ),
    toward=words("to back forward up down ahead"),
    given_up=(
        r"(?:no longer|any ?more|instead of|rather than|not .{1,40} but|used to|never again"
        r"|(?<!n't )(?<!not )(?<!never )(?:"
        r"sold|quit|left (?!side|hand|knee|foot|leg|arm|eye|ear|shoulder|lane|turn)(?=\w)|leaving|stopped"
        r"|replaced|swapped|switch(?:ed|(?:ing)? from)"
        r"|mov(?:ed|ing) (?:(?:back|from|out|off|away|on)\b|(?:\w+ ){1,3}?(?:off|out of|away from)\b)"
        r"|(?:migrated|weaned) off"
        r"|(?:taken|took) (?:me|us|him|her|them) off|(?:i|i've|i'm|we|we've|we're) (?:came|come|coming) off"
        r"|(?:is|are|'s) off(?=\W*$|[,.;!])|(?:got|was|been|is) (?:totall?ed|wrecked|stolen|written off)"
        r"|gave up|given up|giving up|done with|over with"
        r"|(?:is|are|was|were|been|'s) (?:over|done|dead|gone|history|finished|out)\b"
        r"|(?:went|switched|gone|changed|moved|am|'m) back (?:to|on)|got rid of|gave away|broke up|split up"
        r"|divorced|dropped|ditched|traded|resigned|cancel?led|unsubscribed|went from|changed from|called off"
        r"|out of business|passed away|died))\b"
    ),
    for_the_day=(
        r"for (?:today|tonight|the (?:day|night|evening|weekend)|an? (?:bit|moment|minute|hour))"
    ),
    provided=words("with without on by for when if after under during in at near"),
    begun=(
        r"(?:as of|since|starting) (?:(?:last|next|this) )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|week|month"
        r"|year|today|yesterday|spring|summer|autumn|winter|january|february|march|april|may|june|july|august"
        r"|september|october|november|december)(?: on)?"
    ),
)
