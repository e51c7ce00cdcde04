"""What the observer looks for, English and Turkish, as `fold_letters` writes it: lower-case, Turkish letters as ASCII.

Tables of regular expressions hold alternatives that begin at a word and end at a word. No
quantifier stands inside another one, and every repetition is bounded, so that each takes linear
time on any text.
"""

# ruff: noqa: SIM905 - a table is read as a table

from __future__ import annotations

from cogmem_core.text.lexicon.calendar import MONTHS, WEEKDAYS, any_of

__all__ = [
    "ACKNOWLEDGEMENTS",
    "CONFIRMATIONS",
    "CORRECTION",
    "DECISION",
    "FACT",
    "FILE_ROOTS",
    "GREETINGS",
    "INJECTION",
    "PREFERENCE",
    "STATEMENT",
    "SYSTEM",
    "TAG_QUESTION",
    "TEMPORAL",
]


def _phrases(table: str) -> frozenset[str]:
    """Phrases separated by commas or line ends."""
    return frozenset(
        phrase.strip()
        for line in table.splitlines()
        for phrase in line.split(",")
        if phrase.strip()
    )


GREETINGS: frozenset[str] = _phrases(
    """
    hi, hii, hello, hey, hiya, howdy, yo, sup, greetings, hi there, hey there, hello there, hello again, hi again
    good morning, good afternoon, good evening, good night, good day, morning, evening, gm, gn, goodnight
    whats up, wassup, how are you, how are you doing, how are you today, how are things, how is it going, hows it going
    how do you do, nice to meet you, nice to see you, good to see you, long time no see, welcome, welcome back
    bye, bye bye, goodbye, see you, see ya, see you later, see you soon, see you tomorrow, talk to you later, ttyl, cya
    take care, have a nice day, have a good day, have a great day, have a good one
    merhaba, merhabalar, selam, selamlar, selamun aleykum, aleykum selam, selamunaleykum, sa, as, slm, mrb
    gunaydin, tunaydin, iyi gunler, iyi aksamlar, iyi geceler, iyi sabahlar, hayirli sabahlar, hayirli gunler
    naber, nbr, ne haber, nasilsin, nasilsiniz, nasil gidiyor, ne var ne yok, hos geldin, hos geldiniz, hosgeldin
    hosgeldiniz, hos bulduk, hosca kal, hoscakal, hosca kalin, hoscakalin, gorusuruz, gorusmek uzere, kolay gelsin
    bay bay, kendine iyi bak, iyi calismalar, iyi hafta sonlari
    """
)
CONFIRMATIONS: frozenset[str] = _phrases(
    """
    ok, okay, okey, okie, k, kk, okey dokey, sure, sure thing, for sure, yes, yep, yeah, yea, yup, ya, aye, no, nope
    nah
    right, correct, exactly, of course, definitely, absolutely, certainly, agreed, fine, alright, all right, true
    indeed
    sounds good, sounds great, sounds good to me, looks good, looks good to me, lgtm, that works, works for me
    got it, understood, i see, makes sense, that makes sense, i understand, i agree, go ahead, please do, do it, go on
    continue, proceed, please continue, keep going, will do, no problem, yes please, no thanks, no thank you, not yet
    thats right, thats correct, thats fine, thats it, im good, all good, deal, roger, copy that, noted, done, maybe
    please, why not, i think so, i guess, i guess so, let me think, let me see
    let me think about it, let me think about that, let me think about this, i will think about it
    tamam, tamamdir, tmm, tm, olur, oldu, evet, hayir, yok, yoo, peki, pekala, elbette, tabii, tabi, tabii ki, tabi ki
    kesinlikle, aynen, aynen oyle, dogru, cok dogru, anladim, anlasildi, olmaz, olabilir, belki, hakli, haklisin
    haklisiniz, devam, devam et, devam edelim, he, hi hi, uygun, uygundur, kabul, bence de, bana uyar, sorun yok
    sikinti yok, lutfen, bir dakika, bi dakika, dusuneyim
    """
)
ACKNOWLEDGEMENTS: frozenset[str] = _phrases(
    """
    thanks, thank you, thx, ty, tysm, thanks a lot, thanks so much, thank you so much, thank you very much, many thanks
    thanks a bunch, thanks again, thank you again, much appreciated, appreciated, i appreciate it, cheers, great, cool
    nice, awesome, wow, whoa, lol, lmao, haha, hahaha, hehe, heh, hm, hmm, mm, mhm, uh huh, uhuh, oh, ooh, ah, aha, aw
    aww, interesting, good, perfect, wonderful, amazing, excellent, brilliant, fantastic, lovely, super, sweet, neat
    very good, very nice, so cool, so nice, thats great, thats awesome, thats cool, thats nice, good job, well done
    that was great, that was good, that was helpful, that was perfect, that was useful, that helps, that helped
    very helpful, thats helpful, thats perfect, thats good, thats useful, that is great, that is helpful, that is good
    great job, good idea, great idea, good to know, good point, fair enough, np, no worries, youre welcome, my pleasure
    anytime, sorry, my bad, never mind, nevermind, whatever, really, seriously, bravo, congrats, congratulations
    tesekkurler, tesekkur ederim, tesekkur ederiz, cok tesekkurler, cok tesekkur ederim, tsk, tskler, tesekkur
    sag ol, sagol, sag olun, sagolun, cok sag ol, eyvallah, eyv, rica ederim, ne demek, bir sey degil, estagfurullah
    vay, vay be, vay canina, guzel, cok guzel, super, harika, mukemmel, iyi, cok iyi, sahane, muhtesem, enteresan
    ilginc, bosver, bos ver, pardon, kusura bakma, ozur dilerim, onemli degil, tebrikler, aferin, helal, eline saglik
    ellerine saglik, ya, ha, haa, hadi ya, oyle mi, gercekten mi
    """
)
FILE_ROOTS: frozenset[str] = frozenset(
    "bin boot dev etc home lib media mnt opt proc root run sbin srv sys tmp usr users var volumes".split()
)
"""First words of absolute paths, which are no slash commands: `/tmp is full`."""

SYSTEM = (
    r"</?(?:system[-_ ]?(?:reminder|prompt|message)?|instructions|developer|environment[-_](?:context|details)"
    r"|tool[-_](?:call|use|result|response)s?|function[-_](?:call|result)s?|command[-_](?:name|message|args)|thinking"
    r"|local-command-stdout|heartbeat)(?:\s[^<>]{0,200})?/?>",
    r"heartbeat_(?:ok|check|ping)",
    r"system-reminder",
    r"\[(?:system|heartbeat)(?: message| notification| event)?\]",
    r"^[ \t]{0,8}heartbeat\b[ \t]{0,8}(?:$|[:.,!-])",
    r"read heartbeat\.md",
)
"""Written by the machinery around the agent, not by anybody in the conversation."""

INJECTION = (
    r"(?:ignore|disregard|forget|override|bypass|neglect|skip)(?: (?:all|any|every|the|your|my|of|these|those|previous"
    r"|prior|above|earlier|preceding|former|initial|original|system|safety|and|other)){0,6}"
    r" (?:instruction|prompt|rule|guideline|directive|command|context|polic|restriction|safeguard|training)",
    r"(?:ignore|disregard|forget) (?:everything|all)(?: that)?(?: (?:was|is|you were|you have been|i))?"
    r" (?:above|before|told|said|previous)",
    r"system prompt",
    r"(?:reveal|show|print|repeat|output|leak|tell me|give me)(?: me)? (?:your|the) "
    r"(?:hidden |secret |initial |original |full |exact ){0,2}(?:prompt|instructions)",
    r"(?:you are|you're) now (?:in )?(?:dan|jailbr\w{0,8}|unrestricted|unfiltered|developer mode|free from|an? evil)",
    r"(?:jailbreak|do anything now)",
    r"(?:enable|enter|activate) (?:developer|debug|god|admin|dan|jailbreak) mode",
    r"(?:act|pretend|respond|behave)(?: \w{1,12}){0,3} (?:no|without(?: any)?) (?:restriction|filter|rule"
    r"|limit|guideline)",
    r"new (?:system )?instructions?:",
    r"do not (?:follow|obey) (?:your|the|any|previous)",
    r"<\|(?:im_start|im_end|system|endoftext|begin_of_text)\|?>",
    r"\[/?inst\]|<</?sys>>|#{2,4} ?(?:system|instruction)s?:?",
    r"(?:onceki|yukaridaki|tum|butun|mevcut|sistem|eski|verilen)(?: (?:tum|butun|onceki|sistem)){0,2} "
    r"(?:talimat|komut|kural|yonerge|istem|direktif)\w{0,12}(?: \w{1,12}){0,2} "
    r"(?:yok say|unut|gormezden gel|goz ardi et|dikkate alma|gecersiz|bos ?ver|uyma|iptal et)",
    r"(?:talimat|kural|yonerge)\w{0,12} (?:yok say|unut|gormezden gel|goz ardi et|dikkate alma)",
    r"sistem (?:istemi|komutu|mesaji|talimat\w{0,8}|promptu)\w{0,6} (?:goster|yaz|soyle|acikla|paylas|ver)",
    r"sistem (?:istemi|promptu)",
    r"artik (?:bir )?(?:dan|kisitlamasiz|sinirsiz|filtresiz)",
    r"(?:gelistirici|yonetici) modu\w{0,4} (?:gec|ac|etkinlestir)",
    r"(?:kisitlama|sinirlama|kural|filtre)\w{0,6} olmadan (?:cevap|yanit|davran|konus)",
)
"""Text that gives orders to the model.

A signal that keeps junk out, never the defence against injected memories.
"""

CORRECTION = (
    r"actually",
    r"should(?:n't| not)? (?:be|have been)"
    r"(?! (?:fine|ok|okay|good|great|able|fun|careful|nice|here|there|back|home|ready|proud|happy|easy|soon)\b)",
    r"(?:was|were|is|are|am|i'm|it's|that's|you're|he's|she's|they're|got (?:it|that|this|them)) (?:wrong|mistaken)",
    r"(?:not|isn't|wasn't|aren't) (?:quite )?(?:right|correct|true|accurate)",
    r"incorrect(?:ly)?",
    r"correction",
    r"(?:let me|to|must|need to|want to) correct",
    r"stand corrected",
    r"my (?:mistake|bad)",
    r"i (?:meant|misspoke|mistyped|misremembered)",
    r"scratch that",
    r"typo",
    r"no longer",
    r"not any ?more",
    r"no, (?:it|it's|that|that's|i|i'm|my|the|not|we|she|he|they|his|her)",
    r"sorry, (?:it|it's|that's|i|not|my|the)",
    r"aslinda",
    r"olmali(?:ydi|ymis|dir|yken)?",
    r"yanlis(?!lik)\w{0,12}",
    r"hatali\w{0,8}",
    r"duzelt(?:me|iyor|ir|ey|mem|tim)\w{0,8}",
    r"demek iste(?:dim|dik|mistim|digim)",
    r"kast(?:etti|ettig|etmi)\w{1,8}",
    r"(?:oyle|dogru|boyle) degil",
    r"degil[,;] ?\w",
    r"hayir, ",
    r"artik \w{1,20} degil|artik degil|artik yok",
)

_ADVERB = r"(?: (?:\w{2,10}ly|do|also|just|still|always|never|don't|doesn't|didn't|do not|does not|so|both|all|kinda))"
_WHO = r"(?:i|we|he|she|they|user|everyone)"
PREFERENCE = (
    r"prefer(?:s|red|ence|ences|ring)?",
    r"favou?rites?",
    _WHO
    + _ADVERB
    + r"{0,2} (?:like|love|loved|enjoy|enjoyed|adore|adored|hate|hated|dislike|disliked|detest|loathe|liked)",
    r"(?:likes|loves|enjoys|adores|hates|dislikes|detests)",
    r"(?:can't|cannot|can not|couldn't) stand",
    r"(?:i'd|would|'d) rather",
    r"(?:a |big |huge |massive )?fan of",
    r"(?:fond|sick) of",
    r"keen on",
    r"(?:always|never) (?:use|reply|respond|answer|call|send|write|speak|add|include|start|end)",
    r"(?:don't|do not) (?:use|call me|send me|write)",
    r"please (?:always|never|use|don't|do not|call)",
    r"my go-to",
    r"tercih (?:ede|edi|etm)\w{1,10}",
    r"tercih(?:im|imiz|leri|lerim)",
    r"seviyo\w{1,8}|severi[mz]|sevme[mz]|sevmiyo\w{1,8}|sevdigi\w{1,6}",
    r"hoslan\w{2,14}",
    r"nefret (?:ed|et)\w{1,10}",
    r"bayil(?:ir|iyo)\w{1,6}",
    r"favori\w{0,8}",
    r"begen(?:iri|iyo|mem|miyo)\w{0,8}",
    r"tiksin\w{1,10}",
    r"(?:her zaman|asla|hep) \w{2,16} (?:kullan|yaz|konus)\w{0,6}",
)

_PERSON = r"(?:me|my|him|his|her|them|their|us|our|you|your|a friend|friends|the kids|family)\b"
DECISION = (
    r"decid(?:ed|es|ing)",
    r"(?:my|our|the|a|final|big) decision",
    rf"(?:going|go|went) with (?!{_PERSON})",
    r"chose|chosen",
    r"settled on",
    r"opt(?:ed|ing) for",
    r"made up (?:my|our|his|her|their) minds?",
    r"(?:we|i)(?:'ll| will| are going to| am going to|'re going to|'m going to) (?:use|adopt|choose|pick|go for)",
    r"let's (?:use|choose|pick|adopt)",
    r"picked (?!up|me|him|her|them|us)\w",
    r"switch(?:ed|ing) (?:to|from|back|over)",
    r"agreed (?:to|on|that|with)",
    r"concluded",
    r"karar (?:ver|al|kil)\w{1,12}",
    r"karari(?:m|miz|ni|mi)",
    r"sect(?:im|ik|iler)|secildi|sececegi[mz]",
    r"tercih ett\w{1,4}",
    r"kullanaca(?:gim|giz|k)",
    r"(?:ile|onunla|bununla) (?:devam ed|ilerl)\w{1,12}",
    r"anlastik|gecmeye|gecis yap\w{1,8}",
)

_HAPPENED = (
    "live lives lived work works worked study studies studied moved bought sold own owns owned "
    "started finished "
    "joined left quit went visited met adopted graduated teach teaches taught built wrote made "
    "signed took grew lost "
    "won found attended applied painted played hiked travelled traveled learned learnt use uses "
    "used run "
    "runs ran speak "
    "speaks drive drives drove cooked ordered booked paid passed failed broke fixed installed "
    "deployed launched "
    "created organized organised volunteered married divorced retired became saw watched read "
    "tried planted raised "
    "planned need needs want wants wanted know knows knew told called baked gave brought received "
    "turned spent "
    "came led held feel felt play plays drew draw thought offer offers host hosts sing sang dance "
    "dances "
    "drawn enrolled "
    "sat rode ride rides swam swim hid shared roast roasted care cares ate drank slept fell caught "
    "sent "
    "won't practice practise practised practiced"
).split()
_DENIED = (
    "eat drink smoke own live work drive swim speak take play watch cook wear tolerate digest "
    "sleep fly ride run "
    "exercise study teach buy eats drinks smokes owns lives works drives swims speaks takes plays "
    "wears"
).split()
FACT = (
    r"my (?:full |first |last |middle |real |user ?|maiden )?name",
    r"name(?:'s| is| was)",
    r"(?:version|api|endpoint|url|port|host|database|server|key|e-?mail|address|phone(?: number)?|birthday|anniversary"
    r"|deadline|budget|model|team|language|time ?zone|goal|job|salary|rent|blood type|allergy|diagnosis|dose|weight"
    r"|height|age|size|plan|password|user ?name|repo|repository|branch|meeting|appointment|flight)s?"
    r"(?:'s| is| are| was| were| will be|:) ?\S",
    r"(?:i'm|i am|he's|he is|she's|she is|we're|we are) (?:a|an|the|from|based|living|working|allergic|married|single"
    r"|divorced|engaged|pregnant|vegan|vegetarian|diabetic|learning|studying|training|planning|taking|\d)",
    rf"{_WHO}(?:'ve|'d| have| has| had)?(?: (?:just|recently|also|already|finally|once|still|both|usually|currently"
    rf"|even|never|always|really|actually|\w{{2,10}}ly))? (?:{any_of(_HAPPENED)}|\w{{2,14}}ed)(?!\w)",
    r"(?:i'm|i am|he's|he is|she's|she is|we're|we are|they're|they are|(?:i|we|they)(?:'ve| have) been)"
    r"(?: (?:just|also|still|now|currently|really|\w{2,10}ly))? "
    r"(?!(?:think|wonder|hop|ask|kidd|jok|talk|say|be)ing\b)\w{2,14}ing",
    rf"{_WHO} (?:can't|cannot|can not|don't|do not|doesn't|does not|won't|never|no longer) (?:even |really |ever )?"
    rf"(?:{any_of(_DENIED)})(?!\w)",
    rf"{_WHO} (?:don't|do not|doesn't|does not|never|no longer) (?:have|use|uses|need|needs)"
    r" (?:a|an|any|my|the|his|her) (?!(?:clue|idea|chance|problem|time|doubt|reason)\b)",
    r"(?:i'm|i am|he's|he is|she's|she is|we're|we are|user is) (?:not|no longer) (?:a|an|from|allergic|married|single"
    r"|divorced|engaged|pregnant|vegan|vegetarian|diabetic|employed|insured)",
    rf"{_WHO}(?:'ve| have| has| had|'s)? (?:got|have|has|had)(?: (?:a|an|the|my|two|three|four|some"
    rf"|\d{{1,4}}|his|her))",
    r"my (?:wife|husband|partner|girlfriend|boyfriend|fiancee?|sons?|daughters?|kids?|child|children|mother|father|mom"
    r"|mum|dad|parents|brothers?|sisters?|grand\w{2,7}|aunt|uncle|cousins?|nephew|niece|dogs?|cats?|pets?|boss|manager"
    r"|doctor|friends?|team|company|startup|job|car|bike|phone|laptop|house|apartment|flat|landlord|roommate)"
    r"(?:'s|,)? \w",
    r"\w{2,20} (?:lives|works|studies|moved|lived|worked|grew up) (?:in|at|for|as|with|to|on|near)",
    r"(?:born|based|located|married|hosted|deployed|written) (?:in|on|at|to|by)",
    r"(?:adim|ismim|soyadim|adimiz|lakabim)",
    r"\w{2,20}(?:iyo|uyo)r(?:um|uz|du|dum|duk|lar|sun)?",
    r"\w{2,20}m(?:iz|uz)? var(?:di)?",
    r"\w{2,18}(?:dim|dum|tim|tum|dik|duk|mistim|mistik)(?=\s{0,3}(?:[.,!;:)]|$)|\s(?:ve|ama|cunku|fakat)\b)",
    r"\d{1,3} yas\w{1,10}",
    r"dogumlu\w{0,5}|evliyim|bekarim|alerji\w{1,6}|emekli\w{1,6}|ogrenciyim|\w{3,14}(?:ciyim|miyim|yasindayim)",
    r"(?:surum|versiyon|port|adres|telefon|sifre|butce|toplanti|randevu|dogum gun)\w{0,8}:? \S",
)

_EMPTY = (
    "(?:think|guess|mean|hope|agree|see|know|understand|suppose|wish|bet|sounds?|looks?|seems?|great|good|nice|cool|"
    "awesome|amazing|fine|okay|such|really|very|the|not|sure|sorry|glad|happy|appreciate|please|that|have|are|was|will|"
    "can|could|would|should|about|too|all|you|say|said|let|help|tell|want to know|need to "
    "know|today|tomorrow|tonight|later|soon|there|curious|wondering|up)"
)
STATEMENT = (
    r"\w{2,20} (?:is|are|was|were|isn't|aren't|wasn't) (?:a|an|the|in|on|at|from|\d|not|now|called|named"
    r"|about|for|due)",
    r"\w{2,20} (?:needs|requires|costs|starts|ends|begins|contains|supports|returns|fails|failed|uses|means|happened"
    r"|arrives|arrived|opens|closes|crashed|broke|increased|decreased|changed|wants|has|takes|took|makes|made|became)",
    r"there (?:is|are|was|were)",
    r"(?:i|we|he|she|they|it|this|you)(?:'m|'re|'s|'ve|'d|'ll| am| is| are| was| were| will| had| has| have| can| could"
    rf"| did| do| does)? (?!{_EMPTY}\b)\w{{3,20}}",
    r"(?:my|our|his|her|their) (?!(?:bad|god|gosh|goodness|pleasure|apologies|best|own)\b)\w{2,20}",
    r"(?:gonna|been|started|got|getting|finally|just|researching|planning|trying|working on) "
    rf"(?!{_EMPTY}\b)\w{{2,20}}",
    r"(?:because|since|due to) \w",
    r"\w{3,20}(?:dir|dur|tir|tur|mis|mus)(?=\s{0,3}(?:[.,!;:)]|$))",
    r"\w{2,20} (?:oldu|olacak|gerek|lazim|basladi|bitti|degisti|yapildi|bulunuyor)",
)
"""With `FACT` what counts as a fact in the density, though it decides no category."""

_DAY = any_of(WEEKDAYS)
_MONTH = any_of(
    [name for name in MONTHS if name not in ("may", "march", "mar", "sun", "ocak", "ekim", "mart")]
)
TEMPORAL = (
    r"(?:today|yesterday|tomorrow|tonight|nowadays|recently|currently|lately|deadline)",
    r"(?:last|next|this|past|coming|every) (?:\w{1,10} )?(?:week|month|year|night|morning|evening|weekend|summer|winter"
    rf"|spring|autumn|fall|quarter|decade|time|{_DAY})s?",
    r"\w{1,12} (?:minute|hour|day|week|month|year|decade)s? (?:ago|later|earlier|before|after|old|from now)",
    r"(?:in|for|over|within|after) (?:\w{1,12} )?(?:\w{1,10} )(?:minute|hour|day|week|month|year|decade)s?",
    rf"{_DAY}s?",
    _MONTH,
    r"(?:in|on|by|until|since|late|early|of|mid|this|last|next) (?:may|march)",
    r"(?:19|20)\d\d(?:-\d\d?-\d\d?)?",
    r"\d{1,2}[:.]\d\d(?: ?[ap]m)?|\d{1,2} ?[ap]m",
    r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}",
    r"(?:bugun|yarin|dun|bu aksam|bu sabah|bu gece|simdi|gecenlerde|su an|haftaya|seneye|oburgun|evvelsi gun)\w{0,4}",
    r"(?:gecen|gelecek|onumuzdeki|bu|her|evvelki) (?:\w{1,8} )?(?:hafta|ay|yil|sene|gun|yaz|kis|bahar"
    r"|cuma|sali)\w{0,4}",
    r"\w{1,10} (?:dakika|saat|gun|hafta|ay|yil|sene) (?:once|sonra|evvel|icinde|boyunca)\w{0,3}",
    rf"{_DAY}(?:yi|ye|ya|de|da|si|den|dan|leri|lari)?",
    # What is planned is bounded in time (seed 001, foresight).
    r"(?:plan|plans|planning|planned|intend|intends|intending|going) to (?!(?:the|a|an|my|your|his|her|our|their)\b)"
    r"\w{2,20}",
    r"(?:i|we|he|she|they)(?:'ll| will) (?!(?:be|see|let|think|try|do|have|look|get|say|tell|know)\b)\w{2,20}",
)

TAG_QUESTION = r"(?:, (?:right|ok|okay|correct|yeah|no|huh|isn't it|don't you think)|degil mi)\s?\?"
"""A statement with a question mark."""
