"""Settings of the write path: observer, gate, importance and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import get_args

from cogmem_core.config.bounds import choice, members, number, table
from cogmem_core.models import Priority, Role

__all__ = [
    "EchoConfig",
    "EncodingConfig",
    "GateConfig",
    "ImportanceConfig",
    "ObservationConfig",
    "ObserverConfig",
    "PersonalConfig",
    "RelationsConfig",
    "ShortTermConfig",
    "TaggingConfig",
]

_ROLES: tuple[str, ...] = get_args(Role)
_PRIORITIES: tuple[str, ...] = get_args(Priority)
_TRAITS = (
    "honesty",
    "emotionality",
    "extraversion",
    "agreeableness",
    "conscientiousness",
    "openness",
)
_TRUST: Mapping[str, float] = {
    "user": 1.0,
    "assistant": 0.8,
    "system": 0.6,
    "tool": 0.6,
    "document": 0.6,
    "federation": 0.5,
}


@dataclass(frozen=True, slots=True)
class PersonalConfig:
    """What happens to personal data in what is remembered: `allow`, `redact` (taken out), or `block` (refused).

    Attributes:
        email, phone, iban, card, ip, national_id: see `text.pii`. Card numbers and IBANs are
            secrets, too: with `encoding.secrets = "redact"` they are taken out in any case.
    """

    email: str = choice("allow", "allow", "redact", "block")
    phone: str = choice("allow", "allow", "redact", "block")
    iban: str = choice("allow", "allow", "redact", "block")
    card: str = choice("allow", "allow", "redact", "block")
    ip: str = choice("allow", "allow", "redact", "block")
    national_id: str = choice("allow", "allow", "redact", "block")

    def having(self, *policies: str) -> tuple[str, ...]:
        """The kinds of personal data, as `text.pii` names them, that have one of these policies."""
        kind_names = {"card": "card number", "ip": "ip address", "national_id": "national id"}
        return tuple(
            kind_names.get(name, name) for name in self.__slots__ if getattr(self, name) in policies
        )


@dataclass(frozen=True, slots=True)
class EncodingConfig:
    """The write path.

    Attributes:
        mode: what `remember` makes of a turn when the call does not say.
        date_prefix: put the date of a turn in front of what is embedded and tokenised (measured on
            LoCoMo: +3 points).
        reinforce_factor: stability factor when the same thing is said again (seed 001: 2 %).
        batch_turns: turns that are embedded and committed together.
        secrets: what happens to API keys, tokens, passwords and card numbers in what is remembered,
            and beside it.
        pii: what happens to personal data; by default it is kept.
        sources_kept: source turns a memory remembers: the first and the newest ones.
        llm_turns: turns that one call forms facts from, and one call decides on.
        llm_roles: whose turns the model forms facts of; those of others, and weak ones, are kept by
            the rules.
        earlier_turns: turns before them that a pronoun may point to.
        foresight_days: how long a plan without a date holds (seed 001: 7).
        fact_characters: longest fact (seed 001: 500).
        timezone: of the people who speak and ask: "Europe/Istanbul"; "" = UTC. Where a turn's own
            time does not tell, its days are those of this zone; and so are "yesterday" in a query
            and the dates of a context block.
        facts_per_turn: most facts that rules take from one turn; of a turn with more the turn
            itself is kept too.
        document_characters: a weak turn that is longer is a document, which changes no memory.
        whole_turn_characters: the key of a fact covers a longer turn only where the fact comes
            from.
        key_characters: longest key of a memory that was updated.
        answer_characters: a turn of at most so many is also found by the question that somebody
            else asked just before in its session, and is shown with it: "Rex." tells little; 0 =
            never.
        weak_confidence, base_confidence: source confidence of a weak turn, and of a solid one
            without any pattern; what the observer is sure of fills the rest up to 1.
        trust: in what is said, by the role that says it, in a `document`, and in what a file brings
            from somewhere else (`federation`); above 0 and at most 1. A role that is not named has
            its default.
        takeover_seconds: a turn that another process took in and did not finish for so long is
            finished by ours.
    """

    mode: str = choice("auto", "auto", "semantic", "raw", "hybrid")
    date_prefix: bool = True
    secrets: str = choice("redact", "redact", "reject", "keep")
    pii: PersonalConfig = field(default_factory=PersonalConfig)
    reinforce_factor: float = number(1.02, 1.0, 2.0)
    batch_turns: int = number(500, 1, 10_000)
    sources_kept: int = number(64, 1, 10_000)
    llm_turns: int = number(10, 1, 200)
    llm_roles: tuple[str, ...] = members(("user",), *_ROLES)
    earlier_turns: int = number(6, 0, 100)
    foresight_days: int = number(7, 1, 3_650)
    fact_characters: int = number(500, 50, 10_000)
    timezone: str = field(default="", metadata={"zone": True})
    facts_per_turn: int = number(20, 1, 1_000)
    document_characters: int = number(300, 0, 1_000_000)
    whole_turn_characters: int = number(600, 0, 1_000_000)
    key_characters: int = number(2_000, 100, 100_000)
    answer_characters: int = number(60, 0, 1_000)
    takeover_seconds: float = number(60.0, 0.0, 86_400.0)
    weak_confidence: float = number(0.3, 0.0, 1.0)
    base_confidence: float = number(0.5, 0.0, 1.0)
    trust: Mapping[str, float] = table(_TRUST, *_TRUST, maximum=1.0)

    def trusted(self, role: str) -> float:
        """How far what a role says is trusted, above 0 and at most 1.

        What `trust` leaves out has its default there; a role that nobody knows is trusted least.
        """
        return self.trust.get(role, _TRUST.get(role, min(_TRUST.values())))


@dataclass(frozen=True, slots=True)
class EchoConfig:
    """What counts as memory that comes back: it creates and reinforces nothing.

    Attributes:
        minutes: how long something recalled counts as injected.
        pasted_words: a person's text counts as pasted from so many words on; who says a short thing
            again means it.
        candidates: memories that an assistant's turn is compared with; earlier_turns: and so many
            turns before it.
        told_words, told_share: a turn repeats a text that was not injected here if it holds so many
            of its words, or such a share of them; small talk has a word or two in common with
            anything.
    """

    minutes: float = number(60.0, 0.0, 100_000.0)
    pasted_words: int = number(8, 1, 1_000)
    candidates: int = number(8, 0, 1_000)
    earlier_turns: int = number(6, 0, 100)
    told_words: int = number(4, 1, 1_000)
    told_share: float = number(0.6, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class ObserverConfig:
    """Limits of the observer.

    Attributes:
        minimum_characters, maximum_characters: a message must be longer than one and shorter than
            the other, white space at its ends not counted (seed 001: 10 < length < 5000).
        markdown_lines: so many lines of bullets or bold are a document, not a message (seed 001:
            5+).
        code_share: a larger share of the characters in fences is code (seed 001: > 50 %).
        maximum_emoji: more are decoration (seed 001: > 3).
        minimum_density: messages below it are skipped unless a classification pattern matches (seed
            001: 2).
        correction_base, preference_base, decision_base, entity_base, fact_base: confidence of one
        hit (seed 001).
        entity_rich: named entities that make a message entity-rich (seed 001: 2);
        dates and numbers are no names.
        step: confidence that each further hit adds;
        maximum_confidence: where that ends.
        maximum_entities: entities per message (seed 001: 8).
        maximum_words: what follows is not read; 5,000 characters of prose have 900 (the bound of 20
        ms, measured).
        keep_weak: keep a message that is only dull, short, long or oddly formatted
        as a weak memory, because every
            twelfth such turn answers a later question (measured on LoCoMo); False = seed 001 to the
            letter.
    """

    minimum_characters: int = number(10, 0, 5_000)
    maximum_characters: int = number(5_000, 1, 5_001)
    markdown_lines: int = number(5, 1, 10_000)
    code_share: float = number(0.5, 0.0, 1.0)
    maximum_emoji: int = number(3, 0, 10_000)
    minimum_density: int = number(2, 0, 1_000)
    correction_base: float = number(0.4, 0.0, 1.0)
    preference_base: float = number(0.3, 0.0, 1.0)
    decision_base: float = number(0.35, 0.0, 1.0)
    entity_base: float = number(0.3, 0.0, 1.0)
    fact_base: float = number(0.25, 0.0, 1.0)
    entity_rich: int = number(2, 1, 100)
    step: float = number(0.1, 0.0, 1.0)
    maximum_confidence: float = number(0.9, 0.0, 1.0)
    maximum_entities: int = number(8, 1, 100)
    maximum_words: int = number(1_500, 1, 5_000)
    keep_weak: bool = True


@dataclass(frozen=True, slots=True)
class GateConfig:
    """The prediction-error gate; all bands are similarities (seed 001, its column "PE" is mislabelled).

    Attributes:
        candidates: how many similar memories are looked at; `floor`: the least similar that counts.
        contradiction_from: a contradicted memory of at least this similarity is superseded.
        reinforce_from: nearly identical.
        update_from: overlaps, but adds detail.
        gap_from: below `update_from`, kept only if at least `gap_importance`.
        entity_jaccard: from which on entities agree.
        word_candidates: memories found by rare words; word_postings: how many index entries are
            read for that.
        batch_candidates, batch_window: facts of the same batch that are looked at, among so many
            before.
        near_by_key: least similarity of index keys from which on two texts are looked at. Keys
            share date and speaker.
        uncompared: the most that keys alone can say about texts: below every band.
        overlap, other_words: rules look at two texts if such a share of the shorter one's words
            stand in the other, and no more than so many do not.
    """

    candidates: int = number(8, 1, 1_000)
    floor: float = number(0.30, -1.0, 1.0)
    contradiction_from: float = number(0.70, -1.0, 1.0)
    reinforce_from: float = number(0.92, -1.0, 1.0)
    update_from: float = number(0.75, -1.0, 1.0)
    gap_from: float = number(0.70, -1.0, 1.0)
    gap_importance: float = number(0.6, 0.0, 1.0)
    entity_jaccard: float = number(0.5, 0.0, 1.0)
    word_candidates: int = number(4, 0, 1_000)
    word_postings: int = number(500, 0, 1_000_000)
    batch_candidates: int = number(4, 0, 1_000)
    batch_window: int = number(1_000, 1, 100_000)
    near_by_key: float = number(0.55, -1.0, 1.0)
    uncompared: float = number(0.69, -1.0, 1.0)
    overlap: float = number(0.5, 0.0, 1.0)
    other_words: int = number(2, 0, 1_000)


@dataclass(frozen=True, slots=True)
class ImportanceConfig:
    """Four channels of importance (seed 001).

    Attributes:
        novelty, arousal, reward, attention: their weights.
        boost_low, boost_high: range of the encoding boost.
        flashbulb_arousal: from which on a memory becomes a flashbulb: pinned, with at least
            `flashbulb_importance`, and its stability multiplied by `flashbulb_stability`.
        evidence: for the boost, of a turn that no pattern matched; the observer's confidence is
            added.
        similar_from: memories at least so similar tell the reward.
        neutral: reward and attention where nothing tells.
        context_turns: turns that the session's attention is made of.
    """

    novelty: float = number(0.25, 0.0, 1.0)
    arousal: float = number(0.30, 0.0, 1.0)
    reward: float = number(0.25, 0.0, 1.0)
    attention: float = number(0.20, 0.0, 1.0)
    boost_low: float = number(0.7, 0.0, 10.0)
    boost_high: float = number(1.3, 0.0, 10.0)
    flashbulb_arousal: float = number(0.8, 0.0, 1.0)
    flashbulb_importance: float = number(0.9, 0.0, 1.0)
    flashbulb_stability: float = number(1.5, 1.0, 10.0)
    evidence: float = number(0.25, 0.0, 1.0)
    similar_from: float = number(0.5, -1.0, 1.0)
    neutral: float = number(0.5, 0.0, 1.0)
    context_turns: int = number(5, 1, 20)


@dataclass(frozen=True, slots=True)
class RelationsConfig:
    """Links that are found without a language model (seed 001), and how many a namespace keeps.

    Attributes:
        shared_entities: so many make two memories `same_entity`.
        elaborates_overlap: a larger share of common words, and a common entity, is `elaborates`.
        related_overlap: a larger share of common words in one category is `related_to`.
        same_entity, elaborates, related: confidence of each kind (seed 001); by_model: of what a
            model finds.
        per_memory: links that a new memory starts with, at most.
        maximum, trimmed_to: above one the weakest that may go are removed down to the other.
        faded: co-activations whose weight has decayed below it are removed by the dream cycle.
    """

    shared_entities: int = number(2, 1, 100)
    elaborates_overlap: float = number(0.30, 0.0, 1.0)
    related_overlap: float = number(0.15, 0.0, 1.0)
    same_entity: float = number(0.7, 0.0, 1.0)
    elaborates: float = number(0.5, 0.0, 1.0)
    related: float = number(0.4, 0.0, 1.0)
    by_model: float = number(0.8, 0.0, 1.0)
    per_memory: int = number(3, 0, 100)
    maximum: int = number(1_000, 1, 10_000_000)
    trimmed_to: int = number(900, 0, 10_000_000)
    faded: float = number(0.01, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class TaggingConfig:
    """Synaptic tagging and capture (Frey & Morris 1997; seed 001).

    Attributes:
        weak_below: a memory less important is tagged; hours: for so long.
        strong_from: a memory at least so important captures the tags of its session.
        capture_factor: stability factor of what is captured, once.
    """

    weak_below: float = number(0.5, 0.0, 1.0)
    hours: float = number(4.0, 0.01, 8_760.0)
    strong_from: float = number(0.7, 0.0, 1.0)
    capture_factor: float = number(1.3, 1.0, 10.0)


@dataclass(frozen=True, slots=True)
class ShortTermConfig:
    """Facts that matter for hours (seed 002): kept on probation, promoted or let go by the dream cycle.

    Attributes:
        hours: how long, if the fact does not say it.
    """

    hours: float = number(48.0, 0.01, 8_760.0)


@dataclass(frozen=True, slots=True)
class ObservationConfig:
    """Notes, their compression and reflection (seed 000).

    Attributes:
        max_notes, max_tokens: notes that wait before they are compressed, and their tokens;
            whichever comes first.
        note_characters: of a turn; a longer one is a document, and its head tells what it is about.
        importance: of a reflection, by its priority; 0.5 for those that are not named.
        group_overlap: share of common entities or words from which on notes are about the same
            thing.
        personality: HEXACO traits (honesty, emotionality, extraversion, agreeableness,
            conscientiousness, openness), each above 0 and at most 1; those above `trait_from` steer
            emphasis and the resolution of conflicts.
        trait_from: a trait above it is high (seed 000: 0.6).
        confidence_gap: without a deciding trait the more confident side wins if the difference is
            larger.
    """

    max_notes: int = number(50, 1, 10_000)
    max_tokens: int = number(4_000, 10, 1_000_000)
    note_characters: int = number(2_000, 1, 100_000)
    importance: Mapping[str, float] = table(
        {"critical": 0.9, "important": 0.7, "informational": 0.5}, *_PRIORITIES, maximum=1.0
    )
    group_overlap: float = number(0.2, 0.0, 1.0)
    personality: Mapping[str, float] = table({}, *_TRAITS, maximum=1.0)
    trait_from: float = number(0.6, 0.0, 1.0)
    confidence_gap: float = number(0.2, 0.0, 1.0)
