"""What packs are made of that need no rules of grammar of their own, and what stands for a lack.

A pack is made by `pack`: what it is not given, or given as None, it lacks. Nothing is guessed
there: an empty table finds nothing, and a newer statement at most stands before an older one.
"""

# ruff: noqa: ARG001 - rules share one signature

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from cogmem_core.languages.base import (
    NOTHING,
    SPEAKER,
    AimRules,
    AnswerRules,
    Antecedent,
    AttributeParts,
    AttributeReader,
    AttributeRules,
    AttributionRules,
    CompareRules,
    DurationRules,
    EmotionRules,
    EntailmentRules,
    EntailmentTools,
    EntityRules,
    EvidenceRules,
    Frame,
    GroundingRules,
    Language,
    NameRules,
    NoteRules,
    ObserveRules,
    QueryRules,
    RetellingRules,
    RewriteRules,
    SafetyRules,
    SignalRules,
    SmallTalkRules,
    SplitRules,
    StatementRules,
    Strengths,
    TimeRules,
    TriggerRules,
    WordingRules,
    WordRules,
    one_fact,
)

__all__ = ["QuestionForms", "one_fact", "pack", "plain_query"]
from cogmem_core.languages.tables import stems

_NONE: frozenset[str] = frozenset()


class QuestionForms(NamedTuple):
    """How a language asks, as regular expressions on a folded sentence.

    Attributes:
        opens: how a question begins, also without a question mark.
        tells: how a clause begins in which somebody tells of himself.
        orders: how an order to tell something begins.
        joints: what clauses are joined by; a comma, unless said otherwise.
        remember: what asks for remembering what follows.
    """

    opens: str
    tells: str
    orders: str = NOTHING
    joints: str = r"[,;]\s*"
    remember: str = NOTHING


_LONGEST = 240  # characters of a question without a question mark


def only_asks_by(forms: QuestionForms) -> Callable[[str, str], bool | None]:
    """Whether a sentence only asks: it ends or opens as questions do, and no clause tells."""
    opens = re.compile(forms.opens)
    tells = re.compile(forms.tells)
    orders = re.compile(forms.orders)
    joints = re.compile(forms.joints)
    remember = re.compile(forms.remember)

    def only_asks(sentence: str, folded: str) -> bool | None:
        if remember.search(folded):
            return False
        bare = folded.lstrip("\u00bf\u00a1 ")
        clauses = joints.split(bare)
        is_told = any(tells.match(clause) for clause in clauses)
        if bare.endswith(("?", "\uff1f", "\u061f")):
            return not (is_told and len(clauses) > 1)
        if len(bare) > _LONGEST or bare[-1] in ".!\u3002":
            return False
        if opens.match(bare) or orders.match(bare):
            return not is_told
        return None

    return only_asks


_KINDS_OF_ANSWER = stems(
    "definition howto reasoning lookup place time technical preference general"
)
_INTENTS = ("causal", "temporal", "preference", "entity_profile", "factual")


def plain_answers(
    patterns: Mapping[str, str] | None = None,
    *,
    place: str = NOTHING,
    time: str = NOTHING,
    omitted: frozenset[str] = _NONE,
) -> AnswerRules:
    """Hypothetical answers that are the topic itself."""
    given_patterns = patterns or {}
    return AnswerRules(
        templates=dict.fromkeys(_KINDS_OF_ANSWER, ("{topic}",)),
        patterns={
            kind: given_patterns.get(kind, NOTHING)
            for kind in ("howto", "definition", "technical", "lookup")
        },
        place=place,
        time=time,
        omitted=omitted,
        askers=_NONE,
        request=(),
        defining=(),
    )


def plain_query(
    forms: QuestionForms,
    *,
    first_person: str,
    asks_when: tuple[str, ...] = (),
    intents: Mapping[str, Strengths] | None = None,
    answers: AnswerRules | None = None,
    about_you: tuple[str, ...] = (),
    no_fact: tuple[str, ...] = (),
    **words: object,
) -> QueryRules:
    """What questions ask for, without rules for cutting compound ones."""
    given_intents = intents or {}
    return QueryRules(
        asks_when=asks_when,
        intents={intent: given_intents.get(intent, ()) for intent in _INTENTS},
        answers=answers or plain_answers(),
        split=SplitRules(droppable=_NONE),
        first_person=first_person,
        about_you=about_you,
        no_fact=no_fact,
        only_asks=only_asks_by(forms),
        **words,  # type: ignore[arg-type]
    )


_NAME = re.compile(r"[^\W\d_a-z][\w.&'-]*(?:\s[^\W\d_a-z][\w.&'-]*)*")


def plain_reader(things: Mapping[str, str]) -> AttributeReader:
    """Reads frames whose group `v` is the value, and `n` a thing of the speaker's, if any.

    Residences and employers begin with a capital.

    Args:
        things: nouns of one value -> the attribute.
    """

    def read(match: re.Match[str], name: str, original: str, frame: Frame) -> AttributeParts | None:
        groups = match.groupdict()
        subject = SPEAKER
        if groups.get("s"):
            at = match.start("s")
            if not original[at : at + 1].isupper() or groups["s"] in frame.verbs:
                return None
            subject = groups["s"]
        if name == "thing":
            name = things.get(groups["n"], "")
        value = frame.value_of(match["v"])
        if name in ("residence", "employer"):
            spelt = _NAME.match(original, match.start("v"))
            value = match.string[slice(*spelt.span())].rstrip(".") if spelt else ""
        if not name or not value or value.split()[0] in frame.empty_values:
            return None
        return subject, name, value

    return read


def plain_entailment(
    dropped: frozenset[str] = _NONE,
    same: Mapping[str, str] | None = None,
    additions: frozenset[str] = _NONE,
    numerals: Mapping[str, str] | None = None,
) -> EntailmentRules:
    """Sentences say the same up to small words and a table of interchangeable ones.

    Args:
        dropped: words that make no difference.
        same: word -> the word that stands for it.
        additions: words with which a phrase begins that only says more.
        numerals: numbers in words -> digits.
    """
    table = same or {}

    def canonical(text: str, tools: EntailmentTools) -> list[str]:
        words = (tools.fold(word) for word in tools.tokens(text))
        return [
            tools.numerals.get(table.get(word, word), table.get(word, word))
            for word in words
            if word not in dropped
        ]

    def includes(part: tuple[str, ...], whole: tuple[str, ...], tools: EntailmentTools) -> bool:
        further = whole[len(part) :]
        if whole[: len(part)] != part or not further or further[0] not in additions:
            return False
        return not (tools.is_hedged(further) or tools.is_negative(" ".join(further)))

    return EntailmentRules(canonical=canonical, includes=includes, numerals=numerals or {})


def _as_it_is(text: str, folded: str, speaker: str) -> str:
    return text


def _as_it_stands(text: str, antecedents: Sequence[Antecedent], speaker: str) -> str:
    return text


_NO_WORDING = WordingRules(
    negations=_NONE,
    number_words=_NONE,
    leaning=_NONE,
    first_person=_NONE,
    hedging=_NONE,
    narrowing=_NONE,
    signal_words=_NONE,
)
_NO_ATTRIBUTES = AttributeRules(
    frames=(),
    read=plain_reader({}),
    introductions=NOTHING,
    value_endings=NOTHING,
    empty_values=_NONE,
    ages=_NONE,
    dose_units=NOTHING,
)
_NO_STATEMENTS = StatementRules(
    filler=_NONE, meaningful={}, cardinals={}, turns=_NONE, conjunctions=_NONE, dropped=_NONE
)
_NO_SMALL_TALK = SmallTalkRules(_NONE, _NONE, _NONE, _NONE)
_NO_REWRITING = RewriteRules(
    opening_fillers=(),
    bare_opening_fillers=(),
    inner_fillers=(),
    final_fillers=(),
    third_person=_as_it_is,
    resolve_pronouns=_as_it_stands,
)
_NO_QUERY = plain_query(QuestionForms(opens=NOTHING, tells=NOTHING), first_person=NOTHING)


def pack(
    code: str,
    *,
    words: WordRules | None = None,
    time: TimeRules | None = None,
    query: QueryRules = _NO_QUERY,
    small_talk: SmallTalkRules | None = None,
    wording: WordingRules | None = None,
    attributes: AttributeRules | None = None,
    retellings: RetellingRules | None = None,
    entailment: EntailmentRules | None = None,
    statements: StatementRules | None = None,
    attribution: AttributionRules | None = None,
    signals: SignalRules | None = None,
    emotions: EmotionRules | None = None,
    entities: EntityRules | None = None,
    names: NameRules | None = None,
    durations: DurationRules | None = None,
    notes: NoteRules | None = None,
    rewrite: RewriteRules | None = None,
    safety: SafetyRules | None = None,
    triggers: TriggerRules | None = None,
    evidence: EvidenceRules | None = None,
    grounding: GroundingRules | None = None,
    aims: AimRules | None = None,
    shown_by: frozenset[str] = _NONE,
) -> Language:
    """A language of which some areas may be lacking."""
    areas = {
        "small_talk": small_talk,
        "wording": wording,
        "attributes": attributes,
        "entailment": entailment,
        "statements": statements,
        "attribution": attribution,
        "signals": signals,
        "emotions": emotions,
        "entities": entities,
        "names": names,
        "durations": durations,
        "rewrite": rewrite,
        "safety": safety,
    }
    return Language(
        code=code,
        words=words or WordRules(),
        time=time or TimeRules(),
        compare=CompareRules(
            wording=wording or _NO_WORDING,
            attributes=attributes or _NO_ATTRIBUTES,
            retellings=retellings or RetellingRules(),
            entailment=entailment or plain_entailment(),
            statements=statements or _NO_STATEMENTS,
            attribution=attribution or AttributionRules((), ()),
        ),
        observe=ObserveRules(
            signals=signals or SignalRules(),
            small_talk=small_talk or _NO_SMALL_TALK,
            emotions=emotions or EmotionRules(),
            entities=entities or EntityRules(),
            names=names or NameRules(),
            durations=durations or DurationRules(),
            notes=notes or NoteRules(),
        ),
        query=replace(query, aims=aims) if aims else query,
        rewrite=rewrite or _NO_REWRITING,
        safety=safety or SafetyRules(),
        lacks=frozenset(area for area, rules in areas.items() if rules is None),
        shown_by=shown_by,
        evidence=evidence or EvidenceRules(),
        grounding=grounding or GroundingRules(),
        triggers=triggers or TriggerRules(),
    )
