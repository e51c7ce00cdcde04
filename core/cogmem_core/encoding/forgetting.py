"""Which memories somebody means who wants something forgotten, and what goes with them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import nlargest
from itertools import chain
from math import log
from typing import Any, NamedTuple, get_args

import numpy as np

from cogmem_core.base.runtime import Runtime
from cogmem_core.changes import Change, Put, Retire
from cogmem_core.edge.clauses import blanked, in_sentences, reading_of, said, telling
from cogmem_core.encoding.facts import voice_of
from cogmem_core.encoding.whole_wish import wish_of
from cogmem_core.errors import EmbedderUnavailable
from cogmem_core.languages.reading import in_its_language
from cogmem_core.maths.products import normalised
from cogmem_core.ports import Stored
from cogmem_core.process.services import Services
from cogmem_core.reading import of
from cogmem_core.reading.claims import claims
from cogmem_core.reading.cut import voice
from cogmem_core.reading.forgetting import Meant, chosen, topic_of
from cogmem_core.reading.model import Clause, Reading
from cogmem_core.reading.pack import Pack, pack_of
from cogmem_core.reading.said import leaves, lists_of, stem_set
from cogmem_core.reading.topic_words import is_of
from cogmem_core.reading.topics import SPEAKER
from cogmem_core.storage.ledger.memories import Filter, pages_of
from cogmem_core.storage.ledger.schema import OUTDATED
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.keys import index_key
from cogmem_core.text.query.exact import Naming
from cogmem_core.text.sentences import split_facts
from cogmem_core.text.tokens import SHORTEST_FORM, held_stems, tokens
from cogmem_core.values.models import Episode, Memory
from cogmem_core.values.results import ForgetCandidate, NamedBy

NOT_FORGOTTEN = Filter(states=("active", "dormant", "superseded", "quarantined"))
"""Where a query looks for what it means."""

_OWN = "cogmem_"  # begins the keys of metadata that are ours
_AROUND = ("active", "dormant", "superseded")
_ENDS = ".!?\u2026"
_WORD = re.compile(r"[^\W\d_]+")
_MOST = 0.55
"""Of a memory's words, weighed: so much of it has to be said."""
_LEAD = 0.2
"""So much more of it than of any other."""
_NEAR = 0.7
"""Cosine of MiniLM from which on a query may mean a memory."""
_NEARER = 0.1
"""So much nearer than any other."""
_ASKED_NEAR = (0.5, 0.2)
"""Cosine, and lead before any other memory, from which on it is asked whether the nearest one is meant."""
_OWNING = ("own", "determiners")
_POINTING = ("pointing", "theirs", "demonstratives")
_CLOSEST: tuple[NamedBy, ...] = get_args(NamedBy)
_TURNS_BEFORE = 2
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


class Near(NamedTuple):
    """The memory that a query is near by vectors, if no other is nearly as near.

    Attributes:
        id: of the memory; "" = of none.
        sure: so near that the query may mean it in other words; else it can only be asked.
    """

    id: str = ""
    sure: bool = False


class Named(NamedTuple):
    """A memory that a query names, or nearly names.

    Attributes:
        memory: the memory.
        way: how the query names it.
    """

    memory: Memory
    way: NamedBy


@in_its_language
def memories_named(
    query: str,
    ns: Namespace,
    *,
    among: Callable[[Memory], bool] | None = None,
    hard: bool = False,
    near: Near | None = None,
) -> tuple[list[Named], str]:
    """The memories that a query names, the closest named first; those that are only near last.

    And the words that it is read as: of a whole wish ("Please forget my salary") those of what it
    names, if nothing holds it as it stands.

    Args:
        query: an id, or words.
        ns: the tables of the namespace.
        among: only memories that it is true of.
        hard: they are erased for good: less is read into a query.
        near: what `nearest_to` found; the query may then say what it means in other words. None = it may not.
    """
    text = query.strip()
    if _ID.fullmatch(text):
        by_id = list(ns.memories.by_ids([text]).values())
        if by_id:
            return [Named(memory, "id") for memory in by_id], ""
    matches: list[Named] = []
    words = text
    former = _former(text)
    rule = pack_of(of(text).language).says("rules", text)

    def may_be_meant(memory: Memory) -> bool:
        asked = (among is None or among(memory)) and not _is_newer(memory, former)
        return asked and (not rule or _orders(memory))

    for words in _readings(text, hard=hard):
        found = _search(ns, words, may_be_meant)
        if near is not None:  # of a message: more may stand in it than what is meant
            told = set(tokens(words))
            found = [one for one in found if one.way != "statement" or _is_most(told, one.memory)]
            doubted = [_doubted(one, words) for one in found]
            # Of several that are named in words none is meant because the others are doubted.
            if not any(one.way == "words" for one in doubted):
                found = doubted
        matches = found or matches
        if meant_of(matches):
            return matches, words
    if near is None or Naming(words).identifiers:
        return matches, words
    best = _most_told(ns, words, near.id if near.sure else "", may_be_meant)
    if best is None and not matches:
        nearest = filter(may_be_meant, ns.memories.by_ids([near.id]).values())
        return [Named(memory, "near") for memory in nearest], words
    others = [one for one in matches if best is None or one.memory.id != best.memory.id]
    return ([best, *others] if best else others), words


def _former(query: str) -> list[str]:
    """What a query asks for as the former one, each with the beginning of its noun: "old phone"."""
    pack = pack_of(of(query).language)
    words = ["", *re.findall(r"\w+", pack.fold(query))]
    return [
        f"{word} {noun[:SHORTEST_FORM]}"
        for owner, word, noun in zip(words, words[1:], words[2:], strict=False)
        if pack.has("former", word) and (not owner or pack.in_any(_OWNING, owner))
    ]


def _orders(memory: Memory) -> bool:
    """Whether a memory tells what is, or is never, to be done, or calls itself a rule."""
    found = reading_of(memory)
    orders = any(one.kind == "instruction" or one.guards == "never" for one in found.clauses)
    return orders or pack_of(found.language).says("rules", memory.content)


def told_before(ns: Namespace, episode: Episode) -> list[Named]:
    """What the same voice had just told in its session, if a turn points back and names nothing: "Forget that"."""
    found = of(episode.content)
    if found.tells or any(wish.target for wish in found.of_kind("wish_to_forget")):
        return []
    before = ns.turns.before(episode.session_id or "", episode.id, _TURNS_BEFORE)
    said = {turn.id for turn in before if voice_of(turn) == voice_of(episode)}
    memories = chain.from_iterable(pages_of(ns.memories, NOT_FORGOTTEN))
    told = (each for each in memories if not said.isdisjoint(s.episode_id for s in each.sources))
    return [Named(memory, "near") for memory in told]


def _is_newer(memory: Memory, former: Sequence[str]) -> bool:
    """Whether the former one of a thing is asked for, and a memory is none: "my old number"."""
    if memory.state == "superseded" or not former:
        return False
    content = pack_of(reading_of(memory).language).fold(memory.content)
    return not any(words in content for words in former)


def _readings(text: str, *, hard: bool) -> Iterator[str]:
    """What a query may say, the least first that is read into it."""
    yield text
    wish = wish_of(text)
    wishes = [text] if wish is None else [text, wish.query]
    yield from wishes[1:]
    yield from filter(None, (topic_of(query, hard=hard) for query in wishes))


def _search(ns: Namespace, query: str, among: Callable[[Memory], bool]) -> list[Named]:
    meant = Meant(query)
    matches: list[Named] = []
    for memory in chain.from_iterable(pages_of(ns.memories, NOT_FORGOTTEN)):
        way = meant.named_by(memory.content, memory.speaker) if among(memory) else None
        if way is not None:
            matches.append(Named(memory, way))
    matches.sort(key=lambda item: _CLOSEST.index(item.way))
    return matches


def _most_told(
    ns: Namespace, query: str, near: str, among: Callable[[Memory], bool]
) -> Named | None:
    """The memory of which a query says most, and no nearly as much of others, or else the near one.

    It says most of what the query says, of the same one. A word counts by how few memories
    have it (Sparck Jones 1972).
    """
    told = set(tokens(query))
    pages = chain.from_iterable(pages_of(ns.memories, NOT_FORGOTTEN))
    asked = list(filter(among, pages))
    stems = [set(tokens(memory.content)) for memory in asked]
    counts = Counter(chain.from_iterable(stems))
    weights = {stem: log(1 + len(stems) / count) for stem, count in counts.items()}
    shares = [
        (_share(held_stems(own, told), own, weights), place)
        for place, own in enumerate(stems)
        if own
    ]
    (best, place), (second, _) = (*nlargest(2, shares), (0.0, 0), (0.0, 0))[:2]
    if best < _MOST or best - second < _LEAD:
        place = next((k for k, memory in enumerate(asked) if memory.id == near), -1)
    if place < 0 or not _is_most(told, asked[place]):
        return None
    wanted, own = _subjects(of(query)), _subjects(reading_of(asked[place]))
    is_of_same = wanted <= stems[place] and own <= told
    return _doubted(Named(asked[place], "words"), query) if is_of_same else None


def _doubted(named: Named, query: str) -> Named:
    """A memory as a query names it: only nearly, if it tells the like of others or of another time.

    "Forget that I lent Tom my drill" does not mean that Tom lent his.
    """
    asked = of(query)
    if asked.of_kind("question"):
        asked = of(query.partition(" ")[2])  # "what I owe Tom"
    wanted = _framed(asked)
    held = _framed(reading_of(named.memory))
    pairs = [(one, other) for one in wanted for other in held]
    text = named.memory.content
    pack = pack_of(asked.language)
    if named.way != "words" or not pairs or any(_is_alike(*pair, text, pack) for pair in pairs):
        return named
    return Named(named.memory, "near")


def _framed(reading: Reading) -> list[Clause]:
    return [clause for clause in reading.clauses if clause.framed]


def _is_alike(wanted: Clause, held: Clause, text: str, pack: Pack) -> bool:
    """Whether a clause that a query says may be one of a memory: of the same subject, persons, figures and time."""
    last = [clause.subject.split()[-1] for clause in (wanted, held)]
    subjects = [pack.subjects.get(word, word) for word in last]
    subjects = ["i" if subject in SPEAKER else subject for subject in subjects]
    over = held.tense == "past" and not held.changes
    named = [
        word
        for word in f"{wanted.value} {wanted.scope}".split()
        if (word[0].isupper() and not pack.nouns_capital)
        or not word[0].isalpha()
        or is_of([fold_letters(word)], "family", pack)
    ]
    told = set(tokens(" ".join(named)))
    known = held_stems(told, set(tokens(text))) == told
    return known and subjects[0] == subjects[1] and not (wanted.tense == "present" and over)


def _subjects(reading: Reading) -> set[str]:
    """The words for whom or what a text tells something of; none of the speaker."""
    return set(chain.from_iterable(tokens(clause.subject) for clause in reading.clauses))


def _is_most(told: set[str], memory: Memory) -> bool:
    """Whether a memory holds more than half of some words, or one of two."""
    held = held_stems(told, set(tokens(memory.content)))
    return 2 * len(held) > len(told) - (len(told) == 2)


def nearest_to(services: Services, namespace: str, query: str) -> Near:
    """The memory that a query is near by vectors."""
    scale = services.embedder.fitted
    if scale is None:
        return Near()
    try:
        vector = normalised(services.embedder.embed_queries([query]))[0]
    except EmbedderUnavailable:
        return Near()
    with services.ledger.whole() as reader:
        view = services.searcher.view(reader, namespace)
        hits = services.searcher.nearest(reader, view, vector, 2).hits if len(view) else ()
    best, second = (*scale.of(np.array([hit.score for hit in hits])), -1.0, -1.0)[:2]
    sure = best >= _NEAR and best - second >= _NEARER
    from_, lead = _ASKED_NEAR
    return Near(hits[0].id, sure) if sure or (best >= from_ and best - second >= lead) else Near()


def _share(part: set[str], whole: set[str], weights: Mapping[str, float]) -> float:
    return sum(weights[stem] for stem in part) / sum(weights[stem] for stem in whole)


def meant_of(matches: Sequence[Named]) -> list[Named]:
    """Those that are meant: of several ways to name memories the closest ones count."""
    ways = chosen(item.way for item in matches)
    return [item for item in matches if item.way in ways]


def owner_of(memory: Memory) -> str:
    """Who says "I" in a memory, folded: the name before a colon in it, or its speaker."""
    pack = pack_of(reading_of(memory).language)
    return fold_letters(voice(memory.content, pack) or memory.speaker or "")


@in_its_language
def is_of_several(text: str, query: str, named: Sequence[Named]) -> bool:
    """Whether a query, as a text asks it, names something of the speaker's, and several told theirs."""
    memories = [item.memory for item in named]
    owners = {owner_of(memory) for memory in memories if memory.data_source == "user_message"}
    return bool(text) and len(owners - {""}) > 1 and Meant(query).is_own


@in_its_language
def names_part(query: str, named: Named, *, hard: bool = False) -> bool:
    """Whether a clause of a memory tells other things beside what a query names: they are not to go with it.

    `hard`: who deletes cuts clauses more finely.
    """
    reading = reading_of(named.memory)
    pack = pack_of(reading.language)
    asked = stem_set(query, pack)
    memory = named.memory
    if hard:
        memory = in_sentences(memory, lambda words: not asked.isdisjoint(stem_set(words, pack)))
    states = named.way in ("statement", "slot") or any(
        clause.framed or clause.guards for clause in of(query).clauses
    )
    return named.way != "id" and any(
        leaves(lists_of(reading.text, clause, pack), asked)
        for clause in telling(memory).values()
        if clause.guards or states
    )


def part_meant(memory: Memory, query: str) -> Collection[int]:
    """The clauses of a memory that a query means; none if all of it goes.

    In doubt more goes: what follows a clause that goes stays only if it tells something of the
    speaker and points back to nothing.
    """
    meant = Meant(query)
    told = telling(memory)
    pack = pack_of(reading_of(memory).language)
    named: set[int] = set()
    touched: set[int] = set()
    asked = set(tokens(query))
    for number, clause in told.items():
        words = said(memory, clause)
        if clause.subject not in fold_letters(words):
            words = f"{clause.subject} {words}"
        if meant.named_by(words, memory.speaker) not in (None, "near"):
            named.add(number)
        if held_stems(asked, set(tokens(words))):
            touched.add(number)
    gone = named or touched  # "Ann and the rent" may be told in two clauses
    for number, clause in enumerate(reading_of(memory).clauses):
        stays = number in told and _stands_alone(memory, clause, pack)
        if number - 1 in gone and not stays:
            gone.add(number)
    if memory.state != "active" or not gone or gone.issuperset(told):
        return ()
    rest = blanked(memory, gone).content
    return gone if meant.named_by(rest, memory.speaker) in (None, "near") else ()


def rest_of(stored: Stored, gone: Collection[int], runtime: Runtime) -> Change:
    """What a memory says besides clauses that are forgotten, as a memory of its own.

    Its vector is that of before, until `upkeep.reindex` makes another.
    """
    now = runtime.now()
    memory = replace(
        blanked(stored.memory, gone), id=runtime.new_id(), created_at=now, updated_at=now
    )
    key = index_key(memory.content, speaker=memory.speaker, at=memory.recorded_at)
    new = replace(stored, memory=memory, key=key, fingerprint=OUTDATED)
    return Put(new, "the rest of its text was forgotten, as was asked for")


def _stands_alone(memory: Memory, clause: Clause, pack: Pack) -> bool:
    """Whether a clause is of the speaker, and points to nothing that was said before it."""
    owner, *_ = (*clause.subject.split(), "")
    words = _WORD.findall(fold_letters(said(memory, clause)))
    points = any(pack.has(group, word) for word in words for group in _POINTING)
    told = tokens(f"{clause.value} {clause.scope}")
    return (owner == "i" or pack.has("own", owner)) and not points and bool(told)


def candidates_of(matches: Sequence[Named], meant: Sequence[Memory]) -> tuple[ForgetCandidate, ...]:
    """What a receipt says of memories that a query may mean."""
    meant_ids = {memory.id for memory in meant}
    return tuple(
        ForgetCandidate(
            item.memory.id, item.memory.content, item.way, meant=item.memory.id in meant_ids
        )
        for item in matches
    )


def put_away(ns: Namespace, memories: Sequence[Memory], reason: str) -> list[Change]:
    """Changes that forget memories, and derived ones that rest on nothing else; `restore` undoes each.

    What they claim is rejected: it comes back only if a person says it again.
    """
    todo = [memory for memory in memories if memory.state != "forgotten"]
    changes: list[Change] = [
        Retire(memory.id, "forgotten", reason, rejects=True) for memory in todo
    ]
    retired_ids = {memory.id for memory in memories}
    resting = _resting_only_on(ns, retired_ids)
    reason = "rested only on what was forgotten"
    return [*changes, *(Retire(memory.id, "forgotten", reason) for memory in resting)]


def _resting_only_on(ns: Namespace, retired_ids: set[str]) -> list[Memory]:
    """Derived memories whose whole support is gone, or rests on what is."""
    derived = [memory for memory in ns.overview.derived() if memory.state in _AROUND]
    lost = set(retired_ids)
    resting: list[Memory] = []
    while True:
        fresh = [
            memory
            for memory in derived
            if memory.id not in lost and memory.support and lost.issuperset(memory.support)
        ]
        if not fresh:
            return [memory for memory in resting if not memory.protected]
        resting += fresh
        lost.update(memory.id for memory in fresh)


def retold(memory: Memory, turns: Sequence[Episode]) -> dict[str, Any]:
    """What a memory has of its tellings if only these turns told it."""
    ids = {turn.id for turn in turns}
    sources = tuple(source for source in memory.sources if source.episode_id in ids)
    if sources[:1] == memory.sources[:1]:
        return {"sources": sources}
    first = turns[0]
    metadata = {k: v for k, v in memory.metadata.items() if k.startswith(_OWN)}
    if first.position is None:
        metadata |= {k: v for k, v in first.metadata.items() if not k.startswith(_OWN)}
    return {
        "sources": sources,
        "speaker": first.speaker,
        "session_id": first.session_id,
        "recorded_at": first.at,
        "metadata": metadata,
    }


def drop_notes(ns: Namespace, memories: Sequence[Memory]) -> None:
    """What waits to be reflected on loses the statements of memories that are forgotten."""
    claimed = frozenset[str]().union(
        *(claim for memory in memories for claim in claims(memory.content, memory.speaker))
    )
    for level in ("note", "trace"):
        for note in ns.notes.of_level(level):
            pieces = split_facts(note.content)
            remaining = [
                piece.text
                for piece in pieces
                if all(claimed.isdisjoint(claim) for claim in claims(piece.text, note.speaker))
            ]
            if len(remaining) < len(pieces):
                ns.notes.drop([note.id])
                if remaining:
                    text = " ".join(part if part[-1] in _ENDS else f"{part}." for part in remaining)
                    ns.notes.add([replace(note, content=text, characters=len(text))])


def forget_recent(services: Services, namespace: str, memories: Sequence[Memory]) -> None:
    """A person who says it again means it: it is no echo of what was shown a moment ago."""
    services.recent.drop_injected(namespace, [memory.content for memory in memories])
