"""English: words as such."""

# ruff: noqa: SIM905 - a table is read as a table

from __future__ import annotations

import re
import threading
from itertools import pairwise

from snowballstemmer.english_stemmer import EnglishStemmer

from cogmem_core.languages.base import Clause, WordRules

# Apostrophes are left out, as the tokenizer writes words. Some function words are missing on
# purpose, because they are also names or dates in a person's memories: `may`, `us`, `mine`.
_STOP_WORDS: frozenset[str] = frozenset(
    """
    a about above after again against ain aint all also am an and any are aren arent as at
    be because been before being below between both but by
    cannot cant could couldnt
    did didnt do does doesnt doing don done dont down during
    each either else ever every
    few for from further
    get gets getting give go goes going gonna got gotta
    had hadnt has hasnt have havent having he her here hers herself him himself his how however
    i if im in into is isnt it its itself ive
    just
    let lets like lot
    many me more most much must mustnt my myself
    neednt neither no nor not now
    of off oh ok okay on once only onto or other ought our ours ourselves out over own
    please
    quite
    rather really
    said same say says shall shan shant she should shouldnt since so some still such
    than that thats the their theirs them themselves then there theres these they theyre theyve this
    those though
    through thus to too
    under until unto up upon
    very via
    was wasnt we were werent weve what whatever whats when whenever where wherever whether which
    while who whom whose
    whos why will with within without wont would wouldnt
    yall yeah yes yet you youre your yours yourself yourselves youve
    """.split()
)
BASE_VERBS: frozenset[str] = frozenset(
    """
    accept admire adore agree aim answer appreciate argue arrive ask attend avoid bake be bear begin
    believe belong
    bike book borrow bring build buy call camp care carry catch celebrate change choose clean climb
    close code
    collect come commute complete consider contact cook cost count crave create cycle dance deal
    decide deploy
    deserve design detest develop disagree dislike do draw dream drink drive earn eat enjoy exercise
    expect explain
    fear feel fight find finish fish fix fly follow forget garden get give go grow guess handle hang
    happen hate
    have hear help hike hold hope hurt identify imagine import intend invest jog join keep know lead
    learn leave
    lend let like listen live loathe look lose love make manage marry mean meet mentor miss move
    need open order
    organize organise own paint park pay photograph plan play post practice practise prefer prepare
    promise publish
    put rank read realize realise recall recommend refuse regret relate rely remember rent repair
    reply report
    respect rest review ride run save say see seem sell send serve share ship shop sing sit ski skip
    sleep smell
    smoke snore speak spend sponsor stand start stay stop store struggle study suffer suggest
    support surf suspect
    swim switch take talk taste teach tell tend test thank think train translate travel treat trust
    try turn type
    understand upgrade use value visit volunteer wait wake walk want wash watch wear weigh wish
    wonder work worry
    worship write
    """.split()
)
THIRD_PERSON: dict[str, str] = {
    "have": "has",
    "do": "does",
    "go": "goes",
    "be": "is",
    "am": "is",
    "are": "is",
}
PAST_TOO: frozenset[str] = frozenset(
    "bet burst cost cut fit hit hurt let put quit read set shut split spread".split()
)
"""Base forms that are also past forms; they stay as they are."""
AUXILIARIES: frozenset[str] = frozenset(
    """
    am is are was were be been has have had do does did will would shall should can could may might
    must
    isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't won't wouldn't shouldn't
    can't couldn't cannot
    """.split()
)
ADVERBS: frozenset[str] = frozenset(
    """
    absolutely actually already also always barely currently definitely even eventually finally
    frequently generally
    genuinely hardly honestly just kinda mainly mostly never normally now occasionally often only
    previously primarily
    probably rarely really recently regularly secretly seldom simply sometimes still strongly
    strictly suddenly then
    totally truly typically usually
    """.split()
)
PAST_VERBS: frozenset[str] = frozenset(
    """
    ate became began bought broke brought built came caught chose cost did drank drew drove fell
    felt flew forgot
    found gave got grew had heard held hurt kept knew laid learnt led left lent lost made meant met
    paid ran rang read
    rode said sang sat saw sent set shot slept sold spent spoke spilt stole stood swam taught
    thought threw told took
    understood was wasn't went were weren't woke won wore wrote didn't hadn't couldn't could quit
    put
    """.split()
)
"""Past forms that do not end in -ed."""
NOT_PAST: frozenset[str] = frozenset(
    """
    bed breed exceed feed greed hundred indeed infrared kindred need proceed red sacred seed shed
    speed succeed weed
    """.split()
)
"""Words that end in -ed and are not past forms."""
_GOVERNING = frozenset(
    """
    think thinks thought believe believes believed hope hopes hoped say says said told tell tells
    know knows knew hear
    heard wish wishes if because when whenever whether that unless until although though since while
    after before who
    which where why how suppose guess doubt whose
    """.split()
)
_ABBREVIATIONS = frozenset(
    "dr mr mrs ms prof st vs etc e.g i.e jr sr no inc ltd co approx dept fig".split()
)

# The endings that Snowball may change; calling it costs 20 µs, this pattern a fraction of one.
_STEM_ENDING = re.compile(
    r"(?: s | y | e | ed | ing | ll | al | ful | li | nci | ogi | iti | ion | tor | er | ic | ism "
    r"| ist | ant | ent )$",
    re.VERBOSE,
)
_PLURAL_S = re.compile("[aeiou].*[^su]s$")
_NO_PLURALS = frozenset(("andes", "atlas", "bias", "cosmos", "news"))
_STEMMING = threading.Lock()  # a Snowball stemmer keeps its word in itself
_stemmer = EnglishStemmer()


def stem(word: str) -> str:
    """The stem of a folded word."""
    if word not in _NO_PLURALS and _PLURAL_S.search(word):
        singular = word[:-1]
        if not _STEM_ENDING.search(singular):
            return singular
    if not _STEM_ENDING.search(word):
        return word
    with _STEMMING:
        return str(_stemmer.stemWord(word)) or word


def is_verb(word: str) -> bool:
    """Whether a folded word has a finite form of a common verb."""
    if word in AUXILIARIES or word in PAST_VERBS or word in BASE_VERBS:
        return True
    if word.endswith("ed"):
        return len(word) > 3 and word not in NOT_PAST
    if "'" in word:
        return word.rpartition("'")[2] in ("m", "re", "ve", "ll")
    if word.endswith("ies"):
        return word[:-3] + "y" in BASE_VERBS
    if not word.endswith("s"):
        return False
    return word[:-1] in BASE_VERBS or (word.endswith("es") and word[:-2] in BASE_VERBS)


def third_person_of(verb: str) -> str:
    """The third person singular of a base form.

    As in have, has; go, goes; carry, carries; like, likes.
    """
    if verb in THIRD_PERSON:
        return THIRD_PERSON[verb]
    if verb.endswith(("s", "x", "z", "ch", "sh")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return verb[:-1] + "ies"
    return verb + "s"


_PRONOUNS = frozenset(
    "i we he she they you it this that there i'm i've i'll we're we've he's she's they're it's".split()
)
_POSSESSIVES = frozenset("my our his her their your the".split())
_OPENERS = frozenset(
    "well so oh um uh hey hi yes yeah ok okay honestly actually anyway today yesterday now".split()
)
_VAGUE_SUBJECTS = frozenset("it it's this that there".split())
_DEPENDENT = frozenset("it it's this that there he he's she she's they they're you".split())
"""A clause that begins so is not understood without the one before it."""
_FAR_REACHING = frozenset(
    "will would shall should can could may might must cannot not never do does did".split()
)
_TO_BE = frozenset("is are was were has have had will isn't aren't wasn't".split())
_LONGEST_SUBJECT = 4  # words


def separate_facts(left: Clause, right: Clause) -> str | None:
    """Whether two clauses are facts of their own.

    Returns:
        None if they belong together; else the words to put before the right one, usually none.
    """
    while left and left[0].folded in _OPENERS:
        left = left[1:]
    if not left or not right or any(word.governs for word in left):
        return None
    left_size = _subject_size(left)
    right_size = _subject_size(right)
    if not left_size or left[0].folded in _VAGUE_SUBJECTS or not _has_verb(left, left_size):
        return None
    left_names = _names(left[left_size:])
    right_names = _names(right[right_size:])
    disjoint = bool(left_names and right_names) and not left_names & right_names
    if right_size:
        same_subject = _subject(left[:left_size]) == _subject(right[:right_size])
        separate = right[0].folded not in _DEPENDENT and (disjoint or not same_subject)
        return "" if separate else None
    shares_subject = left_size == 1 and is_verb(right[0].folded) and right[0].text.islower()
    if shares_subject and disjoint and not _governed(left):
        return f"{left[0].text} "
    return None


def _has_verb(clause: Clause, subject_size: int) -> bool:
    """Whether a clause has a verb after its subject, or a contracted one in it."""
    if "'" in clause[0].folded:
        return True
    return any(is_verb(word.folded) for word in clause[max(1, subject_size) :])


def _subject_size(clause: Clause) -> int:
    """How many words of the clause are its subject; 0 unless a verb follows them."""
    size = _candidate_size(clause)
    if not size or size > _LONGEST_SUBJECT:
        return 0
    for word in clause[1:size]:
        if word.governs or word.folded in _PRONOUNS or word.folded == "to":
            return 0
    first = clause[0].folded
    if "'" in first and first in _PRONOUNS:
        return size
    predicate = (word.folded for word in clause[size:] if word.folded not in ADVERBS)
    return size if is_verb(next(predicate, "")) else 0


def _candidate_size(clause: Clause) -> int:
    """How many words at the beginning of a clause may be its subject."""
    first = clause[0]
    if first.folded in _PRONOUNS:
        return 1
    if first.folded in _POSSESSIVES or first.folded.endswith("'s"):
        return next((n for n in range(2, min(5, len(clause))) if is_verb(clause[n].folded)), 0)
    if first.stop_word:
        return 0
    verbal = is_verb(first.folded) or first.folded.endswith("ing")
    if first.text[0].isupper() and not verbal:
        return next((n for n, word in enumerate(clause) if not word.text[0].isupper()), 0)
    return int(len(clause) > 2 and clause[1].folded in _TO_BE)


def _governed(clause: Clause) -> bool:
    """Whether a modal, a negation or an infinitive may reach beyond the clause.

    As in "I want to see Rome and visit Oslo".
    """
    if any(word.folded in _FAR_REACHING or "'" in word.folded for word in clause):
        return True
    return any(
        first.folded == "to" and second.folded in BASE_VERBS for first, second in pairwise(clause)
    )


def _names(clause: Clause) -> set[str]:
    """Capitalised words and numbers."""
    return {
        word.folded
        for word in clause
        if word.text[0].isdigit() or (word.text[0].isupper() and word.text != "I")
    }


def _subject(clause: Clause) -> str:
    return " ".join(word.folded for word in clause).split("'")[0]


WORDS = WordRules(
    stop_words=_STOP_WORDS,
    stem=stem,
    clitics=frozenset("s ll ve re d m".split()),
    abbreviations=_ABBREVIATIONS,
    base_verbs=BASE_VERBS,
    third_person=THIRD_PERSON,
    auxiliaries=AUXILIARIES,
    adverbs=ADVERBS,
    governing=_GOVERNING,
    is_verb=is_verb,
    third_person_of=third_person_of,
    conjunctions=("and", "but", "whereas"),
    conjunction_followers=("also", "then", "so"),
    separate_facts=separate_facts,
)
