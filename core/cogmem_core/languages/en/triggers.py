"""English: what a reminder waits for."""

from cogmem_core.languages.base import TriggerRules
from cogmem_core.languages.tables import words

ORDINARY = (
    "Good morning, how are you?",
    "I had soup for lunch.",
    "The meeting was moved to Thursday.",
    "Can you help me with a letter?",
    "My brother plays the guitar.",
    "We painted the kitchen yellow.",
    "What is the capital of Peru?",
    "I run five kilometres every day.",
    "Thank you, that was helpful.",
    "The train was late again.",
    "Please summarise this article.",
    "I was born in Vienna.",
)
"""What has nothing to do with each other: how near its vectors are is no nearness at all."""
PARAPHRASE = ("The car does not start.", "My vehicle is broken.")
"""Two sentences that share no word, and say the same."""

_WHO = r"(?P<who>(?:the |a |an |my |our )?[\w'-]+(?: [\w'-]+)?)"

TRIGGERS = TriggerRules(
    openers=(
        r"(?:remind me )?(?:when(?:ever)?|if|once|as soon as|after|the moment|(?:the )?next time"
        r"|every time|each time)(?: that)? "
    ),
    topics=(
        rf"{_WHO} (?:mentions?|mentioned|discuss(?:es)?|brings? up|raises?)"
        r"(?: the (?:topic|subject) of)? (?P<topic>.+)",
        rf"{_WHO} (?:talks?|speaks?|says? (?:something|anything)|tells? (?:me|us|you)(?: something)?"
        r"|chats?|writes?|complains?|worr(?:y|ies)|asks? for advice) (?:about|of|on) (?P<topic>.+)",
        rf"{_WHO} (?:refers?|comes? back) to (?P<topic>.+)",
        r"(?P<topic>.+?) (?:comes?|came) up(?: again)?",
        r"(?P<topic>.+?) (?:is|are|gets?) (?:mentioned|discussed|brought up|raised|talked about)",
        r"(?P<topic>.+?) (?:is|are) (?:the|our) (?:topic|subject)",
        r"the (?:topic|subject) (?:is|of) (?P<topic>.+)",
    ),
    asks=(
        rf"{_WHO} (?:asks?|enquires?|inquires?|wants to know)(?: me| us| you| for)*(?: about| for)? "
        r"(?P<topic>(?:where|how|what|which|when|whether|if|who|why|for|about)?\b.+)",
        rf"{_WHO} (?:has|have|got) (?:a |any |some )?questions? (?:about|on|regarding) (?P<topic>.+)",
        rf"{_WHO} (?:wants?|needs?|is looking for|looks for|requests?) (?P<topic>(?!to\b).+)",
    ),
    anybody=words(
        """
        i we you he she they the user a an users someone somebody anyone anybody people it customer
        client person my our
        """
    ),
    unreal=(  # "az önce" is Turkish, which is read together with it
        r"\b(?:if|unless|would|could|might|may|will|won't|shall|should|'ll|going to|gonna|hope|hopes|wish|want|wants"
        r"|plans?|planning|supposed|imagine|until|before|when|whenever|wait|waiting|expect|expecting|need|needs"
        r"|have to|has to|must|maybe|perhaps|about to|almost|nearly|let's|forgot|forget|remind|try|tried|trying"
        r"|said|says|dreamt|dreamed|afraid|worried|in case|(?<!az )once|as soon as)\b"
    ),
    undone=(
        r"\b(?:not|n't|never|no|nobody|still|none|yet|without|plenty|enough|wasn't|isn't|aren't|haven't|hasn't|didn't|doesn't"
        r"|don't|can't|cannot|won't|wouldn't|hardly)\b|n't\b"
    ),
    asking=(
        r"\b(?:looking for|want|need|would like|i'd like|please|tell me|wonder|how about|could you"
        r"|can you|can i|may i)\b"
    ),
    light=words(
        """
        get gets got getting just now again finally at last arrive come comes came go goes went going start starts
        started starting begin begins began have has had been be is are was were am do does did done make right
        here there today ago minutes minute new next say
        """
    ),
    same=(
        words("call calls called calling phone phones phoned phoning rang ring rings ringing"),
        words("arrive arrives arrived delivered delivery deliver brought came come comes here"),
        words("fail fails failed failing broken broke break breaks breaking"),
        words("package parcel delivery"),
        words("finish finished finishes done complete completed completes ready over"),
        words("see sees saw seen seeing meet meets met meeting"),
        words("leave leaves left leaving gone went go"),
        words("trip journey travel holiday vacation"),
        words("buy buys bought buying purchase purchased"),
        words("price cost costs priced pricing expensive"),
        words("eat eats restaurant dinner lunch food"),
        words("mum mom mother mama"),
        words("dad father papa"),
        words("doctor physician gp"),
        words("car vehicle auto"),
        words("job position work"),
        words("ill sick unwell"),
        words("money euros dollars cash"),
        words("shop store"),
        words("send sends sent sending mail mailed mails"),
        words("write writes wrote written mail mails message messages"),
        words("cut outage out"),
        words("ask asks asked asking want wants wanted request requests requested beg begs"),
        words("borrow borrows lend lends loan"),
        words("empty out finished"),
        words("sign signs signed signing"),
        words("cook cooks cooking cooked make makes making made bake bakes baking baked"),
        words("drive drives driving drove driven"),
    ),
    opposites=(
        (words("open opens opened opening"), words("close closes closed closing shut shuts")),
        (
            words("break breaks broke broken fail fails failed failing"),
            words("works fine passed passes"),
        ),
        (words("stop stops stopped stopping"), words("continues continued works fine")),
        (
            words("finish finishes finished done complete completed over"),
            words("running begins began starts started"),
        ),
        (
            words("start starts started begin begins began"),
            words("stop stops stopped ended finished over"),
        ),
        (
            words("arrive arrives arrived come comes came"),
            words("leave leaves left leaving ordered shipped"),
        ),
        (
            words("leave leaves left leaving gone"),
            words("arrive arrives arrived coming staying stay stays"),
        ),
        (words("out off"), words("back on")),
        (words("on"), words("off")),
        (words("hurt hurts hurting ill sick"), words("fine better healed healthy")),
        (words("win wins won"), words("lose loses lost")),
        (words("lose loses lost"), words("found finds win wins won")),
        (words("get gets got"), words("lost loses applied")),
        (words("empty"), words("full plenty")),
        (words("up"), words("down")),
        (
            words("accept accepts accepted approve approves approved"),
            words("reject rejects rejected declined"),
        ),
    ),
    paraphrase=PARAPHRASE,
    ordinary=ORDINARY,
)
