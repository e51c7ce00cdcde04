"""English: orders to the model, claims in the name of others, and sentences that want to be rules.

Texts are lower-case, without marks and invisible characters, with single blanks. Each pattern
stands beside the words of which a text must hold one before the pattern is tried. Every repetition
is bounded, and none stands inside another one.
"""

from __future__ import annotations

from cogmem_core.languages.base import PatternTable

_NOUN = (
    r"(?:instructions?|prompts?|rules?|guidelines?|directives?|commands?|context|polic(?:y|ies)"
    r"|restrictions?|safeguards?|constraints?|training|orders?)\b"
)
# "for the cake" makes the rules those of a cake.
_OF_SOMETHING = (
    r"(?! (?:for|of|in|at|on|from|about|to) (?!now|here|(?:this|your|the) (?:chat|model|system)))"
)
_ORDERING = r"(?<!\bi )(?<!\bwe )(?<!they )(?<!\bto )"
UNDO = (
    r"(?:ignore|disregard|forget|override|bypass|neglect|discard|drop|abandon|skip"
    r"|do not (?:follow|obey)|stop following)"
    r"(?: instructions\b|(?: (?:\w+ ){0,4}?(?:all|any|every|your|previous|prior|above|earlier|preceding|former"
    rf"|initial|system|safety)(?: \w{{1,12}}){{0,3}} {_NOUN}"
    rf"| (?:the|these|those|any) {_NOUN} (?:above|before|you|given)){_OF_SOMETHING}"
    r"| (?:everything|all|anything|what)(?: \w{1,10}){0,4} (?:above|before|previous|so far"
    r"|you (?:know|learn\w{1,2}|(?:were|have been|are) (?:told|given|taught))))"
)
"""An order to forget rules: of the one who is spoken to, or those before."""
REVEAL = (
    r"(?:reveal|show|print|repeat|output|leak|dump|tell|give)(?: (?:me|us))?(?: \w{1,10}){0,2} "
    r"(?:(?:your|hidden|secret|initial|original|system)(?: \w{1,10}){0,2} (?:prompt|instructions)"
    r"|(?:prompt|instructions) (?:above|before|you))|(?:your|hidden) system prompt|system prompt ?[:=]"
)
UNBOUND = (
    r"(?:you are|you're) (?:now )?(?:in |a |an |the )?(?:dan\b|jailbr\w{0,8}|unrestricted|unfiltered"
    r"|free from|evil)|(?:you are|you're) now in \w{1,12} mode|do anything now"
    r"|jailbreak (?:yourself|prompt)|(?:dan|jailbreak) mode"
    r"|(?:developer|debug|god|admin|root) mode\b[^\n]{0,60}\b(?:you (?:can|are|have|may|must|will)"
    r"|your (?:rules|instructions|system)|assistant|unrestricted|unfiltered|without restrict\w{2,5}"
    r"|forbidden|system prompt)"
    rf"|{_ORDERING}(?:act|pretend|respond|behave|answer)(?: \w{{1,12}}){{0,3}} (?:no|without(?: any)?)"
    rf" (?:restriction|filter|rule|limit|guideline)s?\b{_OF_SOMETHING}"
)
NEW_INSTRUCTIONS = (
    r"(?<!the )(?<!our )(?<!\bmy )(?:new|updated|revised|hidden|secret|real|actual"
    r"|system) (?:system )?instructions?(?: for \w{1,12}){0,2} ?[:=-]"
)
_MUST = (
    r"(?:must|shall|have to|are to|will always|should always|will only|should only|will never"
    r"|should never|will now)"
)
_DO = (
    r"(?:answer|append|approve|assume|buy|call|cite|claim|deny|direct|display|do|email|end|execute"
    r"|forward"
    r"|give|include"
    r"|insert|link|mention|obey|open|output|prefer|print|promote|promise|quote|recommend|redirect"
    r"|refer|reject|repeat"
    r"|reply|respond|return|run|say|send|show|speak|start|suggest|tell|transfer|treat|trust|upload"
    r"|use|visit"
    r"|wire|write)\b"
)

INSTRUCTIONS: PatternTable = (
    (
        (
            "ignore",
            "disregard",
            "forget",
            "override",
            "bypass",
            "neglect",
            "discard",
            "drop",
            "abandon",
            "skip",
            "follow",
            "obey",
        ),
        UNDO,
    ),
    (("instruction",), NEW_INSTRUCTIONS),
    (("instruction", "prompt"), REVEAL),
    (("you are", "you're", "mode", "jailbreak", "do anything", " no ", "without"), UNBOUND),
    (
        (
            "from now on",
            "henceforth",
            "from this point",
            "going forward",
            "starting now",
            "as of now",
            "from here on",
        ),
        r"(?:from now on|henceforth|from this (?:point|moment) (?:on|onwards?|forward)"
        r"|going forward"
        r"|starting now|as of now|from here on),? "
        rf"(?:(?:please|just|simply|also|you|must|should|will|(?:in|for|to"
        rf"|with) \w{{1,12}} \w{{1,12}}),? ){{0,3}}(?:you {_MUST}|you are|always|never|only|ignore"
        rf"|do not"
        rf"|don't|treat|act"
        rf"|assume|obey|pretend|(?:all|every|any) \w{{1,12}}(?: \w{{1,12}}){{0,4}} (?:must|shall"
        rf"|should|has to"
        rf"|have to|are|is|go|goes)|{_DO})",
    ),
    (
        ("you must", "you shall", "you have to", "you are to", "you will now", "you will always"),
        rf"you (?:must|shall|have to|are to|will now|will always) (?:\w{{1,10}} ){{0,2}}{_DO}",
    ),
    (
        (
            "whenever",
            "every time",
            "each time",
            "any time",
            "anytime",
            "if the user",
            "when the user",
            "if asked",
            "when asked",
            "if anyone",
            "if someone",
        ),
        r"(?:whenever|every time|each time|any ?time|when|if) (?:the user|a user|someone|anyone"
        r"|somebody"
        r"|anybody|you are|you|asked|they|it is|he|she)(?: \w{1,14}){0,8},? "
        rf"(?:always|never|you (?:must|should|will|are)|please|do not|don't|instead|{_DO}) ",
    ),
    (
        ("assistant", "the model", "the agent", "the ai", "the bot", "llm"),
        rf"(?:the )?(?:assistant|model|agent|ai|bot|llm)s? (?:must|shall|should|has to|needs to"
        rf"|is to"
        rf"|will)(?: \w{{1,10}}){{0,2}} {_DO}",
    ),
    (
        (
            "do not tell",
            "don't tell",
            "do not mention",
            "don't mention",
            "do not reveal",
            "don't reveal",
            "without telling",
            "do not inform",
            "keep this secret",
            "keep this from",
        ),
        r"(?:do not|don't|never) (?:tell|mention|reveal|inform|show)(?: \w{1,10}){0,3} (?:user"
        r"|human|person"
        r"|customer|owner|anyone|them)"
        r"|without (?:telling|informing|asking) (?:the |a )?(?:user|human|person|customer|owner)"
        r"|keep this (?:secret|from the user)",
    ),
    (
        ("remember", "memor", "note that", "store", "save"),
        r"(?:remember|memori[sz]e|note|store|save|keep in mind|record"
        r"|add to (?:your )?memory)(?: \w{1,10}){0,3} (?:that )?(?:the )?(?:admin\w{0,10}|owner"
        r"|developer"
        r"|operator|system|user|boss|security team|support)(?: \w{1,12}){0,3} (?:said|says|told"
        r"|wants?"
        r"|prefers?|approved|authori[sz]ed|requires?|ordered|confirmed|agreed|has|is|always|never"
        r"|allows?)"
        r"|(?:save|store|write|add|commit) (?:this|the following|it|that)(?: \w{1,10}){0,4} (?:to"
        r"|in"
        r"|into) (?:your |the |long[- ]term )?(?:long[- ]term )?memor",
    ),
    (
        ("important", "attention", "urgent", "override", "priority"),
        r"(?:important|attention|urgent|priority|override)(?: \w{1,10}){0,2} ?[:!] ?(?:ai"
        r"|assistant|model"
        r"|agent|llm|bot|you must|ignore|override)",
    ),
)

_OF_USER = r"(?:the|this|our|my|your) (?:user|customer|client|owner|human|person)"
CLAIMS: PatternTable = (
    (
        ("user", "customer", "client", "owner", "human", "person"),
        rf"{_OF_USER}(?:'s)? (?:\w{{1,12}} ){{0,2}}(?:prefers?|wants?|likes?|loves?|hates?|trusts?"
        rf"|always"
        rf"|never|only|requires?|expects?|insists?|agreed|consents?|consented|approved"
        rf"|authori[sz]ed"
        rf"|asked (?:me|you|us)|has (?:agreed|approved|authori[sz]ed|consented|decided|switched"
        rf"|asked)"
        rf"|preference|favou?rite|default|new (?:address|email|e-mail|number|password|account"
        rf"|bank))"
        r"|user (?:prefers?|wants?|preference|likes|always|never)",
    ),
    (
        (
            "admin",
            "operator",
            "developer",
            "security",
            "support",
            "openai",
            "anthropic",
            "management",
            "the boss",
            "the owner",
            "it department",
            "compliance",
        ),
        r"(?:admin\w{0,12}|operator|developers?|security team|support team|openai|anthropic"
        r"|management"
        r"|the boss|the owner|it department|compliance)(?: \w{1,12}){0,2} (?:said|says|told|wants"
        r"|approved"
        r"|authori[sz]ed|requires|ordered|confirmed|decided|instructed|allows|mandates)",
    ),
)
RULES: PatternTable = (
    (
        ("always", "never"),
        rf"(?:^|[.!?:;,\n] ?|please |must |should |to |and )(?:always"
        rf"|never)(?: \w{{1,10}}){{0,2}} {_DO}",
    ),
    (("make sure", "be sure"), rf"(?:make|be) sure (?:to |that you )(?:always |never )?{_DO}"),
    (
        ("in all", "in every", "in each"),
        rf"in (?:all|every|each)(?: \w{{1,12}}){{0,3}},? (?:\w{{1,10}} ){{0,2}}{_DO}",
    ),
)
