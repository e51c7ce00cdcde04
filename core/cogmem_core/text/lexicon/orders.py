"""What gives orders to a model, passes for somebody else, or wants to become a rule; as `text.orders` writes it.

Lower-case, Latin letters without marks, invisible characters gone, white space single. Each pattern
stands beside words one of which a text must hold before the pattern is tried. Every repetition is
bounded, none stands inside another.
"""

# ruff: noqa: RUF001 - other scripts

from __future__ import annotations

__all__ = ["CLAIMS", "INSTRUCTIONS", "MARKUP", "RULES", "Table"]

Table = tuple[tuple[tuple[str, ...], str], ...]
"""(words, pattern): the pattern is tried on texts that hold one of the words."""

_UNDO = (
    r"(?:ignor\w{0,8}|disregard\w{0,4}|forget|overrid\w{1,4}|bypass|neglect|discard|drop|abandon|do not follow"
    r"|stop following)"
)
_WHAT = (
    r"(?:instruction|prompt|rule|guideline|directive|command|context|polic|restriction|safeguard|constraint"
    r"|training|order)"
)
_BEFORE = r"(?: \w{1,12}){0,6} "
_MUST = r"(?:must|shall|have to|are to|will always|should always|will only|should only|will never|should never|will now)"
_DO = (
    r"(?:answer|append|approve|assume|buy|call|cite|claim|deny|direct|display|do|email|end|execute|forward"
    r"|give|include"
    r"|insert|link|mention|obey|open|output|prefer|print|promote|promise|quote|recommend|redirect|refer|reject|repeat"
    r"|reply|respond|return|run|say|send|show|speak|start|suggest|tell|transfer|treat|trust|upload|use|visit"
    r"|wire|write)\b"
)

INSTRUCTIONS: Table = (
    (
        (
            "ignor",
            "disregard",
            "forget",
            "overrid",
            "bypass",
            "neglect",
            "discard",
            "drop",
            "abandon",
            "follow",
        ),
        rf"{_UNDO}{_BEFORE}{_WHAT}|{_UNDO} (?:everything|all|anything|what)(?: \w{{1,10}}){{0,4}} (?:above"
        rf"|before|told|said|earlier|so far|learned|learnt|know)",
    ),
    (
        ("instruction",),
        r"(?:new|updated|revised|hidden|secret|real|actual|following"
        r"|system) (?:system )?instructions?(?: for \w{1,12}){0,2} ?[:=-]",
    ),
    (
        ("instruction", "prompt"),
        r"(?:reveal|show|print|repeat|output|leak|dump)(?: \w{1,10}){0,3} (?:system |hidden "
        r"|initial )?(?:prompt|instructions)",
    ),
    (("system prompt",), r"system prompt"),
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
        r"(?:from now on|henceforth|from this (?:point|moment) (?:on|onwards?|forward)|going forward"
        r"|starting now|as of now|from here on),? "
        rf"(?:(?:please|just|simply|also|you|must|should|will|(?:in|for|to"
        rf"|with) \w{{1,12}} \w{{1,12}}),? ){{0,3}}(?:you {_MUST}|you are|always|never|only|ignore|do not"
        rf"|don't|treat|act"
        rf"|assume|obey|pretend|(?:all|every|any) \w{{1,12}}(?: \w{{1,12}}){{0,4}} (?:must|shall|should|has to"
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
        r"(?:whenever|every time|each time|any ?time|when|if) (?:the user|a user|someone|anyone|somebody"
        r"|anybody|you are|you|asked|they|it is|he|she)(?: \w{1,14}){0,8},? "
        rf"(?:always|never|you (?:must|should|will|are)|please|do not|don't|instead|{_DO}) ",
    ),
    (
        ("assistant", "the model", "the agent", "the ai", "the bot", "llm"),
        rf"(?:the )?(?:assistant|model|agent|ai|bot|llm)s? (?:must|shall|should|has to|needs to|is to"
        rf"|will)(?: \w{{1,10}}){{0,2}} {_DO}",
    ),
    (
        ("you are now", "you're now", "act as", "pretend", "roleplay", "role-play"),
        r"(?:you are|you're) now (?:in |a |an |the )?(?:dan|jailbr\w{0,8}|unrestricted|unfiltered|developer"
        r"|admin|root|free from|evil|different)"
        r"|(?:act|pretend|respond|behave)(?: \w{1,12}){0,3} (?:no|without(?: any)?) (?:restriction|filter"
        r"|rule|limit|guideline)",
    ),
    (
        ("jailbreak", "do anything now", "developer mode", "god mode", "debug mode", "admin mode"),
        r"jailbreak|do anything now|(?:enable|enter|activate|switch to|in) (?:developer|debug|god|admin|dan) mode",
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
        r"(?:do not|don't|never) (?:tell|mention|reveal|inform|show)(?: \w{1,10}){0,3} (?:user|human|person"
        r"|customer|owner|anyone|them)"
        r"|without (?:telling|informing|asking) (?:the |a )?(?:user|human|person|customer|owner)"
        r"|keep this (?:secret|from the user)",
    ),
    (
        ("remember", "memor", "note that", "store", "save"),
        r"(?:remember|memori[sz]e|note|store|save|keep in mind|record"
        r"|add to (?:your )?memory)(?: \w{1,10}){0,3} (?:that )?(?:the )?(?:admin\w{0,10}|owner|developer"
        r"|operator|system|user|boss|security team|support)(?: \w{1,12}){0,3} (?:said|says|told|wants?"
        r"|prefers?|approved|authori[sz]ed|requires?|ordered|confirmed|agreed|has|is|always|never|allows?)"
        r"|(?:save|store|write|add|commit) (?:this|the following|it|that)(?: \w{1,10}){0,4} (?:to|in"
        r"|into) (?:your |the |long[- ]term )?(?:long[- ]term )?memor",
    ),
    (
        ("important", "attention", "urgent", "override", "priority"),
        r"(?:important|attention|urgent|priority|override)(?: \w{1,10}){0,2} ?[:!] ?(?:ai|assistant|model"
        r"|agent|llm|bot|you must|ignore|override)",
    ),
    # Turkish
    (
        ("talimat", "komut", "kural", "yonerge", "istem"),
        r"(?:talimat|komut|kural|yonerge|istem)\w{0,12}(?: \w{1,12}){0,3} (?:yok say|unut|gormezden gel"
        r"|goz ardi et|dikkate alma|gecersiz|bos ?ver|uyma|iptal et)",
    ),
    (
        ("bundan sonra", "artik", "bundan boyle", "simdiden sonra"),
        r"(?:bundan sonra|bundan boyle|simdiden sonra|artik),? (?:[\w']{1,14} ){0,3}(?:her zaman|daima|hep|asla"
        r"|sadece|yalnizca|her soruda)",
    ),
    (
        ("admin", "yonetici", "sistem"),
        r"(?:admin|yonetici|sistem)\w{0,6} (?:dedi|soyledi|emretti|istedi|onayladi)(?: ki)?|(?:hatirla|unutma"
        r"|kaydet)(?: \w{1,12}){0,2} (?:admin|yonetici|sistem)",
    ),
    # German, French, Spanish, Portuguese, Italian, Dutch, Polish
    (
        ("ignorier", "vergiss", "missacht", "ab jetzt", "ab sofort", "von nun an"),
        r"(?:ignorier\w{0,4}|vergiss|missacht\w{0,4})(?: \w{1,12}){0,5} (?:anweisung|regel|vorgabe|befehl"
        r"|anordnung|instruktion)|(?:ab jetzt|ab sofort|von nun an),? (?:[\w']{1,14} ){0,3}(?:immer|nie|niemals"
        r"|nur|musst|sollst)",
    ),
    (
        ("ignore", "oublie", "desormais", "a partir de maintenant", "dorenavant"),
        r"(?:ignore[zr]?|oublie[zr]?)(?: \w{1,12}){0,5} (?:instruction|consigne|regle|directive|ordre)"
        r"|(?:desormais|dorenavant|a partir de maintenant),? (?:[\w']{1,14} ){0,3}(?:toujours|jamais|uniquement"
        r"|seulement|dois|devez)",
    ),
    (
        ("ignora", "olvida", "a partir de ahora", "de ahora en adelante"),
        r"(?:ignor[ae]\w{0,3}|olvid[ae]\w{0,3})(?: \w{1,12}){0,5} (?:instruccion|regla|orden|indicacion"
        r"|directriz)|(?:a partir de ahora|de ahora en adelante),? (?:[\w']{1,14} ){0,3}(?:siempre|nunca|solo"
        r"|solamente|debes)",
    ),
    (
        ("ignore", "esqueca", "a partir de agora", "de agora em diante"),
        r"(?:ignor[ae]\w{0,3}|esquec[ae]\w{0,3})(?: \w{1,12}){0,5} (?:instruc|regra|orden|comando|diretriz)"
        r"|(?:a partir de agora|de agora em diante),? (?:[\w']{1,14} ){0,3}(?:sempre|nunca|apenas|somente|deve)",
    ),
    (
        ("ignora", "dimentica", "d'ora in poi", "da ora in poi", "da adesso"),
        r"(?:ignor[ai]\w{0,3}|dimentic[ah]\w{0,3})(?: \w{1,12}){0,5} (?:istruzion|regol|comand|direttiv"
        r"|ordin)|(?:d'ora in poi|da ora in poi|da adesso(?: in poi)?),? (?:[\w']{1,14} ){0,3}(?:sempre|mai|solo"
        r"|soltanto|devi)",
    ),
    (
        ("negeer", "vergeet", "vanaf nu"),
        r"(?:negeer|vergeet)(?: \w{1,12}){0,5} (?:instructie|regel|opdracht)"
        r"|vanaf nu,? (?:[\w']{1,14} ){0,3}(?:altijd|nooit|alleen|moet)",
    ),
    (
        ("zignoruj", "ignoruj", "zapomnij", "od teraz"),
        r"(?:z?ignoruj|zapomnij)(?: \w{1,12}){0,5} (?:instrukcj|polece|zasad|regul)"
        r"|od teraz,? (?:[\w']{1,14} ){0,3}(?:zawsze|nigdy|tylko|musisz)",
    ),
    # Russian, Arabic, Hindi, Chinese, Japanese, Korean
    (
        ("игнорир", "забудь", "отныне", "с этого момента", "теперь"),
        r"(?:игнориру\w{1,3}|забудь\w{0,2})(?: \w{1,14}){0,5} (?:инструкци|правил|указани|команд)|(?:отныне"
        r"|с этого момента|теперь),? (?:[\w']{1,14} ){0,3}(?:всегда|никогда|только|должен)",
    ),
    (
        ("تجاهل", "انس", "من الان", "من الآن"),
        r"(?:تجاهل|انس)(?: \w{1,14}){0,5} (?:التعليمات|الاوامر|الأوامر|القواعد)|من (?:الان"
        r"|الآن) ?(?:فصاعدا)?\w{0,2},? (?:[\w']{1,14} ){0,3}(?:دائما|ابدا|فقط)",
    ),
    (
        ("निर्देश", "अब से"),
        r"निर्देशों?(?: \S{1,14}){0,4} (?:अनदेखा|भूल|नज़रअंदाज)|अब से(?: \S{1,14}){0,3} (?:हमेशा|कभी)",
    ),
    (
        ("忽略", "无视", "無視", "忘记", "忘掉", "从现在", "從現在", "今后", "以后"),
        r"(?:忽略|无视|無視|忘记|忘掉|不要理会)\S{0,12}(?:指令|指示|规则|規則|提示|命令|要求)|(?:从现在|從現在|今后|以后)\S{0,6}(?:总是|總是|始终|永远|必须"
        r"|必須|只能|都要|不要)",
    ),
    (
        ("無視", "忘れ", "今後", "これから", "今から"),
        r"(?:指示|命令|ルール|規則|プロンプト)\S{0,8}(?:無視|忘れ)|(?:今後|これから|今から)\S{0,8}(?:必ず|常に|いつも|絶対|だけ)",
    ),
    (
        ("무시", "잊어", "지금부터", "앞으로"),
        r"(?:지시|명령|규칙|지침|프롬프트)\S{0,4} ?(?:\S{1,6} ){0,2}(?:무시|잊어)"
        r"|(?:지금부터|앞으로),? (?:\S{1,10} ){0,3}(?:항상|절대|반드시|오직)",
    ),
)
"""Orders to the model, in many languages."""

MARKUP: Table = (
    (
        ("<|", "|>"),
        r"<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|begin_of_text|end_of_text|eot_id"
        r"|start_header_id|end_header_id)\|?>",
    ),
    (("inst]", "<<sys", "<</sys"), r"\[/?inst\]|<</?sys>>"),
    (
        ("system", "assistant", "developer", "human", "instruction"),
        r"(?:^|[\n.!?>\"'\])}] ?)(?:\[|<|#{1,4} ?|\*\*)?(?:system|developer)(?: (?:message|prompt|note"
        r"|override|notice|instruction|update))?(?:\]|>|\*\*)? ?[:>]"
        r"|[\n>] ?(?:human|assistant|user) ?: |#{2,4} ?(?:system|instruction|assistant|human|response)s? ?:?",
    ),
    (
        (
            "<system",
            "</system",
            "<instruction",
            "</instruction",
            "<assistant",
            "</assistant",
            "<user",
            "</user",
            "<memor",
            "</memor",
            "<tool",
            "</tool",
            "<prompt",
            "</prompt",
            "<function",
            "</function",
        ),
        r"</?(?:system|instructions?|assistant|user|human|memor(?:y|ies)|tool[_-]?(?:call|use|result"
        r"|response)s?|prompt|function[_-]?(?:call|result)s?)(?:[ _-][\w=\"' -]{0,60})?/?>",
    ),
    (('"role"', "'role'"), r"[\"']role[\"'] ?: ?[\"'](?:system|developer|assistant|tool)[\"']"),
    (
        ("begin", "end"),
        r"-{3,8} ?(?:begin|end)(?: of)? (?:system|instructions?|prompt|memor(?:y|ies)|context) ?-{3,8}",
    ),
)
"""Chat markup that no speaker says."""

_OF_USER = r"(?:the|this|our|my|your) (?:user|customer|client|owner|human|person)"
CLAIMS: Table = (
    (
        ("user", "customer", "client", "owner", "human", "person"),
        rf"{_OF_USER}(?:'s)? (?:\w{{1,12}} ){{0,2}}(?:prefers?|wants?|likes?|loves?|hates?|trusts?|always"
        rf"|never|only|requires?|expects?|insists?|agreed|consents?|consented|approved|authori[sz]ed"
        rf"|asked (?:me|you|us)|has (?:agreed|approved|authori[sz]ed|consented|decided|switched|asked)"
        rf"|preference|favou?rite|default|new (?:address|email|e-mail|number|password|account|bank))"
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
        r"(?:admin\w{0,12}|operator|developers?|security team|support team|openai|anthropic|management"
        r"|the boss|the owner|it department|compliance)(?: \w{1,12}){0,2} (?:said|says|told|wants|approved"
        r"|authori[sz]ed|requires|ordered|confirmed|decided|instructed|allows|mandates)",
    ),
    (
        ("kullanici", "musteri"),
        r"(?:kullanici|musteri)\w{0,4} (?:[\w']{1,14} ){0,4}(?:tercih ed|istiyor|istedi|seviyor|sever|onayladi"
        r"|her zaman|asla)\w{0,6}",
    ),
    (
        ("nutzer", "benutzer", "kunde"),
        r"(?:be)?nutzer\w{0,3} (?:\w{1,12} ){0,3}(?:bevorzugt|will|mochte|mag|immer|nie)",
    ),
    (
        ("l'utilisateur", "utilisateur"),
        r"utilisateur (?:\w{1,12} ){0,3}(?:prefere|veut|souhaite|aime|toujours|jamais)",
    ),
    (
        ("usuario", "utente"),
        r"(?:usuario|utente) (?:\w{1,12} ){0,3}(?:prefier|quier|desea|siempre|nunca|prefer|vuole|sempre|mai)\w{0,3}",
    ),
    (
        ("пользователь",),
        r"пользователь (?:[\w']{1,14} ){0,3}(?:предпочита|хочет|любит|всегда|никогда)\w{0,4}",
    ),
    (
        ("用户", "用戶"),
        r"(?:用户|用戶)\S{0,6}(?:喜欢|喜歡|偏好|总是|總是|希望|想要|同意|授权|授權)",
    ),
    (("ユーザー",), r"ユーザー\S{0,8}(?:好む|好み|好き|希望|常に|いつも)"),
)
"""What somebody else is said to want or to have said."""

RULES: Table = (
    (
        ("always", "never"),
        rf"(?:^|[.!?:;,\n] ?|please |must |should |to |and )(?:always|never)(?: \w{{1,10}}){{0,2}} {_DO}",
    ),
    (("make sure", "be sure"), rf"(?:make|be) sure (?:to |that you )(?:always |never )?{_DO}"),
    (
        ("in all", "in every", "in each"),
        rf"in (?:all|every|each)(?: \w{{1,12}}){{0,3}},? (?:\w{{1,10}} ){{0,2}}{_DO}",
    ),
    (
        ("her zaman", "asla", "daima"),
        r"(?:her zaman|asla|daima)(?: \w{1,14}){0,3} (?:oner|tavsiye|kullan|soyle|yaz|gonder|yonlendir)\w{0,4}",
    ),
)
"""What wants to hold for every answer."""
