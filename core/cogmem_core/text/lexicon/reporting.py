"""Words with which somebody repeats what is remembered, as `fold_letters` writes them. English and Turkish.

Expressions hold bounded repetitions only, and no quantifier stands inside another one.
"""

# ruff: noqa: SIM905 - a table is read as a table

from __future__ import annotations

from itertools import pairwise

__all__ = [
    "BASE_FORMS",
    "CARDINALS",
    "COURTESIES",
    "FILLER",
    "LIGHT_VERBS",
    "MEANINGFUL",
    "REPORTING",
]

_ADVERB = (
    r"(?: (?:once|already|just|also|still|previously|earlier|before|do|can|currently|correctly))?"
)
_YOU_TOLD = (
    r"(?:told me|mentioned|said|shared|noted|stated|pointed out|informed me|let me know|asked me to remember|saying"
    r"|telling me|mentioning)"
)
_AFTER = r"(?: (?:to me|with me|earlier|before|previously|last time|once)){0,2}(?: that)?"
_PAST_TALKS = r"(?:(?:previous|earlier|past|last|other) )?(?:conversations?|chats?|messages?|sessions?|discussions?)"
_NOTES = rf"(?:notes?|memory|memories|records?|{_PAST_TALKS})"
_SAY = r"(?: (?:says?|shows?|tells?|indicates?|suggests?)(?: me)?)?(?: that)?"
_TURKISH_TOLD = r"(?:soyle|belirt|bahset|anlat|de|ilet)"
_TURKISH_YOU = r"m[iu]s[dt][iu]n(?:[iu]z)?"

REPORTING: tuple[str, ...] = (
    rf"(?:as |like |since |because |and )?you(?:'ve| have|'d| had)?{_ADVERB} {_YOU_TOLD}{_AFTER}",
    rf"i(?:'ve| have| had)?{_ADVERB} (?:remember|recall|know|see|noted|note|remembered)"
    rf"(?: (?:from|in) (?:our|my) {_NOTES})?"
    rf"(?: (?:you|that you|when you)(?:'ve| have|'d| had)? {_YOU_TOLD})?(?: that)?",
    rf"(?:according to|based on|from|per|in|as per) (?:what (?:you|i) (?:told me|said|know|remember|have)"
    rf"|(?:my|our|the|your) {_NOTES}){_SAY}",
    r"(?:according to|based on) (?:this|that|these|the above|(?:this|that|the) (?:context|information)(?: above)?)",
    rf"(?:my|our) {_NOTES} (?:say|says|show|shows|tell|tells|indicate|indicates|suggest|suggests)(?: me)?(?: that)?",
    r"(?:if i (?:remember|recall|am not mistaken|am not wrong)|if i'm not (?:mistaken|wrong)"
    r"|as far as i (?:know|remember|recall)|from what i (?:know|remember|recall))(?: correctly)?",
    r"it (?:seems|looks like|sounds like|appears)(?: that)?",
    rf"{_TURKISH_TOLD}dig[iu]n(?:[iu]z)?(?: (?:gibi|uzere|kadariyla|icin))?",
    rf"(?:(?:daha once|onceden|gecen sefer|bana|daha once bana) )?{_TURKISH_TOLD}(?:{_TURKISH_YOU}|d[iu]n(?:[iu]z)?)",
    r"(?:soylediginize|soyledigine|hatirladigima|bildigime|notlarima|notlarimiza|hafizama|kayitlarima"
    r"|aldigim notlara|onceki konusmalarimiza) gore",
    r"(?:hatirladigim|bildigim) kadariyla|(?:ben )?hatirliyorum(?: ki)?|yanlis hatirlamiyorsam|notlarimda"
    r"|onceki konusmalarimiz(?:da|dan)|biliyorum(?: ki)?|gordugum kadariyla",
)
"""Phrases that say where a statement comes from: "as you mentioned", `söylediğin gibi`."""

COURTESIES: tuple[str, ...] = (
    r"no (?:problem|worries|need|trouble)|not at all|(?:do not|don't) (?:hesitate|worry|mention it)"
    r"|you(?:'re| are) welcome|no idea",
    r"(?:isn't|aren't|don't|doesn't|didn't|haven't|hasn't|weren't|wasn't)"
    r" (?:it|that|you|he|she|they)(?: right)?(?= ?\?)",
    r"degil mi(?= ?\?)",
    r"sorun (?:yok|degil)|onemli degil|bir sey degil|rica ederim|ne demek|cekinme|cekinmeyin|hic sorun degil",
)
"""Polite phrases; some hold a negation that denies nothing."""

FILLER: frozenset[str] = frozenset(
    """
    know knowing need needs help helps helpful assist assistance support feel free ask asking question questions detail
    details anything something else happy glad pleased sure great good nice cool perfect wonderful awesome lovely
    excellent fantastic amazing thank thanks thx welcome course hope hear hearing sound sounds think absolutely
    certainly definitely understand understood understandable sorry got gotcha noted note further information info look
    looks right correct correctly true indeed alright yep yup yeah hello hi hey mention mentioned tell told recall
    remember reminder remind summary summarize short following list listed answer add want would cheers interesting
    hesitate worry fine exactly wow haha ah aha hmm well talk chat today anytime
    yardimci yardim olabilirim edebilirim ister istersen isterseniz bilgi sor sorabilirsin sorabilirsiniz soru sorun
    sorular sorularin baska memnun memnuniyetle tabii tabi lutfen haber ver verin bildir bildirin elbette rica ederim
    harika guzel super tesekkur tesekkurler sagol eyvallah merhaba selam anladim anlasildi dogru tamamdir peki evet
    hatirliyorum hatirladim biliyorum not aldim ozet ozetle ozetlersek konu konuda sey cekinme cekinmeyin
    duydum sevindim sevindirici bunu duyduguma hakkinda ekle eklemek istedigin istediginiz varsa
    """.split()
)
"""Words of sentences that say nothing: "Let me know if you need anything else"."""

MEANINGFUL: dict[str, str] = {
    **{
        word: word
        for word in "before after against until under over off few more most only up down out".split()
    },
    **{word: word for word in "without through sonra kadar sadece artik".split()},
    **dict.fromkeys("like likes liked liking".split(), "like"),
    **dict.fromkeys("go goes going went gone".split(), "go"),
    **dict.fromkeys("give gives giving gave given".split(), "give"),
}
"""Stop-words of the index that tell two statements apart, and their stems."""

LIGHT_VERBS: frozenset[str] = frozenset("ol et yap de bulun".split())
"""Roots of Turkish verbs that carry no meaning of their own."""

_CARDINALS = (
    "two three four five six seven eight nine ten eleven twelve".split(),
    "iki uc dort bes alti yedi sekiz dokuz".split(),
)
CARDINALS: dict[str, str] = {
    word: str(number) for words in _CARDINALS for number, word in enumerate(words, start=2)
}
"""Number words and their digits; `one`, `bir` and the Turkish `on` are other words too often."""

_FORMS = """
    ate eat eaten eat became become began begin begun begin bought buy broke break broken break brought bring built
    build came come caught catch chose choose chosen choose drank drink drunk drink drew draw drawn draw drove drive
    driven drive fell fall fallen fall felt feel flew fly flown fly forgot forget forgotten forget found find grew grow
    grown grow heard hear held hold kept keep knew know known know laid lay learnt learn led lead left leave lent lend
    lost lose made make meant mean met meet paid pay ran run rang ring rode ride ridden ride sang sing sung sing sat
    sit saw see seen see sent send shot shoot slept sleep sold sell spent spend spoke speak spoken speak stole steal
    stolen steal stood stand swam swim swum swim taught teach thought think threw throw thrown throw told tell took
    take taken take understood understand won win woke wake woken wake wore wear worn wear wrote write written write
""".split()
BASE_FORMS: dict[str, str] = dict(list(pairwise(_FORMS))[::2])
"""Irregular English past forms and participles with their base form."""
