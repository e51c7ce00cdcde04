"""From episodes to observed turns: echoes out, observer, quarantine, and what a short turn answers.

"Rex." tells little; behind "What is your dog called?" it is found, and understood.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain
from typing import Any, NamedTuple

from cogmem_core.config import Config, EncodingConfig, ObserverConfig
from cogmem_core.edge.trust import is_untrusted_source, screened
from cogmem_core.encoding.answers import PutQuestions
from cogmem_core.encoding.facts import UNDATED, ObservedTurn, data_source_of, voice_of
from cogmem_core.encoding.neighbors import WORD_POSTINGS, stems
from cogmem_core.encoding.sanitize import redact
from cogmem_core.encoding.seals import NOT_KEPT
from cogmem_core.process.services import Services
from cogmem_core.reading import of, of_turn, refuses
from cogmem_core.reading.cut import LONGEST, dialogue
from cogmem_core.reading.ends import day_of
from cogmem_core.reading.model import KEPT, Clause, Reading
from cogmem_core.reading.pieces import corrects_what_was_said
from cogmem_core.text.compare import (
    is_negative,
    without_context_blocks,
    without_echoes,
)
from cogmem_core.text.keys import plain
from cogmem_core.text.observe.emotion import emotion
from cogmem_core.text.observe.filters import refusal
from cogmem_core.text.observe.observer import TRIVIAL, Observation, SkipReason, observe
from cogmem_core.text.observe.small_talk import is_trivial
from cogmem_core.text.query.questions import (
    ANSWER_CHARACTERS,
    asks_about_you,
    is_courtesy,
    last_question,
    polarity,
)
from cogmem_core.text.safety.prompt_injection import signs
from cogmem_core.text.thoughts import without_thoughts
from cogmem_core.text.time.days import in_zone, utc
from cogmem_core.text.time.zones import zone_or_utc
from cogmem_core.text.tokens import tokens
from cogmem_core.values.models import STATED_END, Episode, Role, Turn

ECHO_MINUTES = 60.0
"""How long something recalled counts as injected."""
PASTED_WORDS = 8
"""A person's text counts as pasted from so many words on; who says a short thing again, or nothing else, means it."""
ECHO_CANDIDATES = 8
"""Memories that an assistant's turn is compared with."""
ECHO_EARLIER_TURNS = 6
"""Earlier turns that an assistant's turn is compared with."""
MOOD_TURNS = 8
"""Earlier turns of a session in which a game or a story may have been announced."""
TOLD_WORDS = 4
"""A turn repeats a text that was not injected here if it holds so many of its words; small talk has
a word or two in common with anything."""
TOLD_SHARE = 0.6
"""A turn repeats a text that was not injected here if it holds such a share of its words."""

RECALLED = "recalled"
"""Why a turn is skipped that only repeats what memory had put into the prompt."""
THOUGHTS = "thoughts"
"""Why an assistant's turn is skipped that holds nothing but thoughts."""

ANSWERING = "cogmem_answers"
"""In the metadata of a turn: the question that it answers, if the caller knows it."""

IMPORTED = "cogmem_imported"
"""In the metadata of a turn: it comes from a file, and nobody says it now."""

TAGS = "cogmem_tags"
"""In the metadata of a turn: the tags of what is remembered of it."""

OF_THE_TURN = (ANSWERING, IMPORTED, TAGS, STATED_END, UNDATED)
"""What stands in the metadata of a turn for cogmem's own use; memories do not take it over."""

_NEVER_WEAK = ("role", "system_content", "prompt_injection", "xml_block")
_OF_FORM = ("markdown_heavy", "code_heavy", "emoji_heavy")
_LONGEST = 5_000
_ASKING_ROLES = ("user", "assistant")  # a tool and a document ask nobody
_INJECTION = "prompt_injection"


def mode_of(episode: Episode, config: Config) -> str:
    """The encoding mode of a turn: its own, else the configured one."""
    return episode.mode or config.encoding.mode


def said_at(episode: Episode) -> datetime:
    """When a turn was said, in the speaker's zone; UTC if this machine does not know that zone."""
    return in_zone(episode.at, zone_or_utc(episode.zone))


def stated_metadata(turn: Turn, config: EncodingConfig) -> dict[str, Any]:
    """What the caller says of a turn, as stored in its metadata: of its memories, and the question that it answers."""
    stated: dict[str, Any] = {}
    if turn.asked and len(turn.content.strip()) <= ANSWER_CHARACTERS:
        heard = last_question(without_context_blocks(without_thoughts(turn.asked)))
        question = redact(heard, config)
        if question not in ("", NOT_KEPT):
            stated[ANSWERING] = question
    if turn.tags:
        stated[TAGS] = list(turn.tags)
    if turn.valid_until is not None:
        stated[STATED_END] = turn.valid_until.isoformat()
    return stated


def stated_tags(episode: Episode) -> tuple[str, ...]:
    """The tags that the caller gives to what is remembered of a turn."""
    tags = episode.metadata.get(TAGS)
    return tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else ()


def stated_end(episode: Episode) -> datetime | None:
    """Until when what is remembered of a turn is true, if the caller says so."""
    text = episode.metadata.get(STATED_END)
    if not isinstance(text, str):
        return None
    try:
        return utc(datetime.fromisoformat(text))
    except ValueError:
        return None


def observe_turns(
    services: Services, namespace: str, episodes: Sequence[Episode]
) -> list[ObservedTurn]:
    """Observe the turns of one batch, in order."""
    config = services.config
    injected = services.recent.injected(namespace, seconds=60 * ECHO_MINUTES)
    related = _related_memories(services, namespace, episodes)
    turns: list[ObservedTurn] = []
    for position, episode in enumerate(episodes):
        if mode_of(episode, config) == "raw":
            turns.append(_check_turn(observe_verbatim(episode), config))
            continue
        repeatable: list[str] = []
        if episode.role == "assistant":
            # What was not injected by this process may have been injected by another one.
            earlier_texts = list(related.get(episode.id, ()))
            earlier = episodes[max(0, position - ECHO_EARLIER_TURNS) : position]
            earlier_texts += [turn.content for turn in earlier if turn.role == "user"]
            repeatable = _repeated_texts(episode, earlier_texts)
        pasted = [text for text in injected if _may_be_pasted(text, episode)]
        turn = observe_turn(episode, Echoes(pasted, repeatable), config.observer)
        turns.append(_check_turn(turn, config))
    before = _earlier(services, namespace, episodes)
    return _with_moods(_with_questions(services, namespace, turns, before), before)


def _related_memories(
    services: Services, namespace: str, episodes: Sequence[Episode]
) -> dict[str, list[str]]:
    """Per assistant turn: the texts of memories that share rare words with it."""
    speaking = [episode for episode in episodes if episode.role == "assistant"]
    if not speaking:
        return {}
    ids: dict[str, list[str]] = {}
    with services.ledger.whole() as reader:
        view = services.searcher.view(reader, namespace)
        for episode in speaking:
            words = sorted(stems(spoken_text(episode)))
            ids[episode.id] = view.sharing(words, ECHO_CANDIDATES, postings=WORD_POSTINGS)
        rows = reader.at(namespace).memories.by_ids(list(chain.from_iterable(ids.values())))
    texts: dict[str, list[str]] = {}
    for episode_id, memory_ids in ids.items():
        texts[episode_id] = [rows[name].content for name in memory_ids if name in rows]
    return texts


def _repeated_texts(episode: Episode, texts: Iterable[str]) -> list[str]:
    """The texts of which a turn repeats much: several words of a long one, most of a short one."""
    spoken = stems(spoken_text(episode))

    def is_repeated(text: str) -> bool:
        words = stems(text)
        return len(spoken & words) >= min(TOLD_WORDS, max(2, TOLD_SHARE * len(words)))

    return list(filter(is_repeated, texts))


def _may_be_pasted(memory: str, episode: Episode) -> bool:
    """Whether a memory that went into a prompt may come back in a turn.

    A person who repeats a short thing means it, and who says nothing else: what held before may hold
    again. Only a long text, word for word, beside something else, counts as pasted.
    """
    words = memory.split(None, PASTED_WORDS)
    meant = len(words) < PASTED_WORDS or plain(memory) == plain(episode.content)
    if meant and episode.role != "assistant":
        return False
    return bool(words) and words[0].strip("\"'.,!?").casefold() in episode.content.casefold()


def observe_verbatim(episode: Episode) -> ObservedTurn:
    """Raw mode: no observer, verbatim; only a turn that holds nothing but our fence is skipped."""
    text = spoken_text(episode)
    if not without_context_blocks(text).strip():
        return ObservedTurn(episode, "", skipped=RECALLED if text.strip() else THOUGHTS)
    return ObservedTurn(episode, text, episode.content.find(text))


def spoken_text(episode: Episode) -> str:
    """What was said in a turn: that of an assistant without its thoughts."""
    return without_thoughts(episode.content) if episode.role == "assistant" else episode.content


class Echoes(NamedTuple):
    """What may come back in a turn.

    Attributes:
        injected: memories that went into a prompt lately; what repeats them is cut out.
        repeatable: memories and turns that an assistant may repeat; a turn that says nothing else
            is skipped.
    """

    injected: Sequence[str] = ()
    repeatable: Sequence[str] = ()


def observe_turn(episode: Episode, echoes: Echoes, config: ObserverConfig) -> ObservedTurn:
    """Observe one turn.

    Args:
        episode: the turn.
        echoes: what may come back in it.
        config: the observer's limits.
    """
    spoken = spoken_text(episode)
    told = without_context_blocks(spoken)
    text = _new_text(told, episode, echoes)
    if not text.strip():
        return ObservedTurn(episode, "", skipped=RECALLED if spoken.strip() else THOUGHTS)
    reading = of_turn(text, episode.role) if episode.role in _ASKING_ROLES else None
    if reading is not None and len(text) > _LONGEST:  # what is nobody's paste stays whole
        pasted = reading.of_kind("pasted")
        reading = reading if any(clause.start < LONGEST for clause in pasted) else None
    if reading is not None:
        kind = _untold(reading, episode.role)
        if kind:
            return _skipped(episode, text, kind)
        if any(clause.guards or clause.ends for clause in reading.clauses):
            config = replace(config, keep_weak=True)  # never too dull: it may guard somebody
        if config.keep_weak or refusal(text.strip(), form=True) not in _OF_FORM:
            text = reading.told()
    observation, weak = _observe_text(text, episode, config)
    skipped = "" if weak else observation.skipped or ""
    turn = _observed(episode, text, observation, skipped)
    felt = turn.emotion if text is spoken else emotion(told)
    first = None if skipped else day_of(text, said_at(episode))
    return replace(turn, weak=weak, emotion=felt, referenced_at=first)


def _observed(episode: Episode, text: str, observation: Observation, skipped: str) -> ObservedTurn:
    """A turn with what was observed of its text."""
    return ObservedTurn(
        episode=episode,
        text=text,
        start=episode.content.find(text),
        skipped=skipped,
        category=observation.category,
        confidence=observation.confidence,
        entities=tuple(entity.uri for entity in observation.entities),
        emotion=observation.emotion,
    )


def _new_text(text: str, episode: Episode, echoes: Echoes) -> str:
    """What is new in a text.

    An assistant also repeats in other words, and weaves several memories into one sentence.
    """
    if len(text) > _LONGEST:  # a document: stays whole, and weak
        return text
    exact = episode.role != "assistant"
    sources = (*echoes.injected, *echoes.repeatable)
    if not sources:
        return text
    remaining = without_echoes(text, sources, exact=exact)
    if not remaining.strip():
        return ""
    if not exact and _is_woven(remaining, echoes.injected):
        return ""
    return without_echoes(text, echoes.injected, exact=exact)


def _is_woven(text: str, injected: Sequence[str]) -> bool:
    """Whether all words come from the prompt, and nothing is denied that was affirmed there."""
    words = set(tokens(text))
    prompt_words = chain.from_iterable(map(tokens, injected))
    if not words or not words.issubset(prompt_words):
        return False
    return not is_negative(text) or any(map(is_negative, injected))


def _untold(reading: Reading, role: Role) -> SkipReason | None:
    """Why nothing of a turn is worth keeping; None if something is."""
    wishes = reading.of_kind("wish_to_forget")
    if any(not wish.target for wish in wishes):
        return "asked_not_to"
    if role == "assistant":
        # What it asks for is advice: "Take a raincoat to Seattle".
        advice = reading.of_kind(*KEPT, "request")
        kept = tuple(clause for clause in advice if not refuses(reading, clause))
    else:
        kept = reading.of_kind(*KEPT)
    if any(not is_courtesy(reading.words(clause)) for clause in kept):
        return None
    if dialogue(reading.text) and not reading.of_kind("request", "pasted"):
        return None
    reasons: tuple[tuple[SkipReason, Sequence[Clause]], ...] = (
        ("forget_request", wishes),
        ("question", reading.of_kind("question")),
        ("request", reading.of_kind("request", "pasted", "quoted")),
    )
    return next((reason for reason, shown in reasons if shown), "small_talk")


def _skipped(episode: Episode, text: str, kind: SkipReason) -> ObservedTurn:
    """A turn of which nothing is kept, and why."""
    observation = observe(text, episode.role)
    reason: SkipReason = kind
    trivial = is_trivial(text) if kind in ("small_talk", "request") else None
    if observation.skipped in _NEVER_WEAK:
        reason = observation.skipped
    elif trivial:
        reason = TRIVIAL.get(trivial, kind)
    return _observed(episode, text, observation, reason)


def _observe_text(text: str, episode: Episode, config: ObserverConfig) -> tuple[Observation, str]:
    """The observation, and why the turn is weak.

    What is merely dull may still answer a question later.
    """
    observation = observe(text, episode.role)
    reason = observation.skipped
    if reason is None:
        return observation, ""
    if reason in _NEVER_WEAK or reason.startswith("trivial") or not config.keep_weak:
        return observation, ""
    if reason != "low_density":
        observation = observe(text.strip()[: _LONGEST - 1], episode.role, form=False)
        if observation.skipped:
            return observation, ""
    return observation, reason


def _check_turn(turn: ObservedTurn, config: Config) -> ObservedTurn:
    """The turn as it may go on: what orders the model about becomes a quarantined memory.

    A person's order that the observer skips becomes no memory at all.
    """
    source = data_source_of(turn.episode.role)
    trust = config.encoding.trusted(turn.episode.role)
    skipped = turn.skipped == _INJECTION
    screening = screened(turn.text, source, trust, config.guard, skipped=skipped)
    is_person = not is_untrusted_source(source, trust, config.guard)
    if not screening.reason or (is_person and turn.skipped):
        return replace(turn, flags=screening.flags) if screening.flags else turn
    return ObservedTurn(
        turn.episode, turn.text, turn.start, quarantine=screening.reason, flags=screening.flags
    )


def _earlier(
    services: Services, namespace: str, episodes: Sequence[Episode]
) -> dict[str, list[Episode]]:
    """What was said last in each session of the turns, before the first of them."""
    firsts = {turn.session_id: turn.id for turn in reversed(episodes) if turn.session_id}
    if not firsts:
        return {}
    with services.ledger.reading(namespace) as ns:
        return {
            session: ns.turns.before(session, name, MOOD_TURNS, listed=True)
            for session, name in firsts.items()
        }


def _with_questions(
    services: Services,
    namespace: str,
    turns: Sequence[ObservedTurn],
    before: Mapping[str, Sequence[Episode]],
) -> list[ObservedTurn]:
    """Each short turn with what another voice asked or said just before in its session."""
    keep_weak = services.config.observer.keep_weak
    put = PutQuestions(services, namespace)
    said_in = {session: list(said) for session, said in before.items()}
    results: list[ObservedTurn] = []
    for turn in turns:
        session = turn.episode.session_id
        said = said_in.setdefault(session, []) if session is not None else []
        is_person = turn.episode.role == "user" and not turn.quarantine
        # Whether a person says no more than yes or no.
        agrees = keep_weak and is_person and turn.skipped == TRIVIAL["confirmation"]
        agrees = agrees and polarity(turn.text) is not None
        heard = _question_of(turn.episode, said, agrees=agrees)
        text = turn.text.strip()
        is_solid = not (turn.skipped or turn.quarantine)
        if agrees or (is_solid and len(text) <= ANSWER_CHARACTERS and not text.endswith("?")):
            # Nobody's orders are taken in as part of what somebody else says.
            usable = heard and not signs(heard)
            if usable and (not agrees or asks_about_you(heard)):
                turn = replace(turn, question=heard)  # noqa: PLW2901 - the same turn
                if turn.skipped:
                    # A mere "Yes." is a fact, too, if a person was asked about himself.
                    turn = replace(turn, skipped="", category="fact")  # noqa: PLW2901
        if is_person:
            corrected = _corrected(turn, said[-1]) if is_solid and said else ""
            turn = replace(turn, corrected=corrected) if corrected else turn  # noqa: PLW2901
            turn = _settling(turn, put, heard)  # noqa: PLW2901
        results.append(turn)
        said.append(turn.episode)
    return results


def _corrected(turn: ObservedTurn, previous: Episode) -> str:
    """What the assistant had just said, if a turn corrects it; else empty."""
    if previous.role != "assistant" or signs(previous.content):
        return ""
    return spoken_text(previous) if corrects_what_was_said(turn.text) else ""


def _settling(turn: ObservedTurn, put: PutQuestions, question: str) -> ObservedTurn:
    """A turn with what it settles; then it is neither skipped nor weak."""
    settled = put.settled(turn.episode, turn.text, question)
    if settled is None or turn.unmeant or IMPORTED in turn.episode.metadata:
        return turn
    category = "fact" if turn.skipped else turn.category
    return replace(turn, question=question, settled=settled, skipped="", weak="", category=category)


def _with_moods(
    turns: Sequence[ObservedTurn], before: Mapping[str, Sequence[Episode]]
) -> list[ObservedTurn]:
    """Each turn with whether a person said shortly before, in its session, that nothing is meant.

    A joke takes back what stands beside it; a game and a story go on.
    """
    games: dict[str, bool] = {}
    results: list[ObservedTurn] = []
    for turn in turns:
        session = turn.episode.session_id or ""
        if session not in games:
            said = [row.content for row in before.get(session, ()) if row.role == "user"]
            games[session] = any(of(text).tells_a_story for text in said)
        by_user = turn.episode.role == "user"
        reading = of(turn.episode.content)
        unmeant = games[session] or (by_user and not reading.meant)
        games[session] |= bool(session) and by_user and reading.tells_a_story
        results.append(replace(turn, unmeant=True) if unmeant else turn)
    return results


def _question_of(episode: Episode, said: Sequence[Episode], *, agrees: bool) -> str:
    """The question that a turn may answer: the caller's, else the last one of its session.

    Between a question and a mere yes or no (`agrees`) others may have answered it in the same way.
    """
    stored = episode.metadata.get(ANSWERING, "")
    if isinstance(stored, str) and stored:
        return stored
    for previous in reversed(said):
        if previous.role not in _ASKING_ROLES or voice_of(previous) == voice_of(episode):
            return ""
        question = last_question(without_context_blocks(spoken_text(previous)))
        if question or not agrees or polarity(previous.content) is None:
            return question
    return ""
