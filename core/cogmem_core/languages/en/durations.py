"""English: phrases that tell whether a statement holds for hours or for good; folded."""

from cogmem_core.languages.base import DurationRules
from cogmem_core.languages.tables import words

DURATIONS = DurationRules(
    now=(
        r"right now|at the moment|just now|currently|for now|this (?:morning|afternoon|evening)"
        r"|tonight|today"
    ),
    passing_states=(
        r"(?:i am|i'm|we are|we're|user is)\s"
        r"(?:(?:still|just|so|very|really|a bit|feeling|quite|all)\s){0,2}"
        r"(?:at|in|on|stuck|waiting|tired|hungry|sick|busy|cold|late|sleepy|exhausted|bored|grumpy"
        r"|home|out|driving|walking|cooking|shopping|packing|watching|eating|having|heading"
        r"|running late|in bed|feeling)"
        r"|i have (?:a|an) (?:headache|cold|hangover|meeting|call)"
    ),
    lasting=(
        r"since|every|always|never|usually|anymore|years?|months?|engaged|married|pregnant|hired"
        r"|fired|diagnosed|allergic"
    ),
    requests_to_remember=(
        r"keep in mind|bear in mind|remember (?:that|this|my|i)|do(?:n't| not) forget|never forget"
        r"|make a note|note that|for the record|you should know|you must know|important to know"
        r"|from now on|must never|in case of emergency"
    ),
    days=(
        r"(?<!as of )(?<!from )today|tonight|yesterday|tomorrow|right now|at the moment|just now"
        r"|this (?:morning|afternoon|evening|week|weekend)|last (?:night|week|weekend)|lately"
        r"|(?<!since )(?:this|last) (?:mon|tues|wednes|thurs|fri|satur|sun)day|outside"
    ),
    own=r"i|i'm|i've|i'd|my|mine|we|we're|we've|our|user",
    musings=(
        r"i (?:think|guess|wonder|hope|wish|suppose|feel|swear|bet|can't believe|should|could|might"
        r"|would|will)"
        r"|i'll|i'd"
        r"|i'm (?:so |a bit |really |just |pretty |very |still )?"
        r"(?:tired|cheerful|glad|happy|sorry|sure|afraid|bored|hungry)|let me"
    ),
    habit_words=words("since always never every usually still ever"),
    past_ending="ed",
)
