"""From turns to facts: by the language model where there is one, else by rules; or the turns themselves.

Modes: `raw` keeps turns as they were said, `semantic` makes facts, `hybrid` both, `auto` facts with a language model
and turns without one (split only where they plainly say several things). A turn of which nothing else would be left
is kept as it was said in every mode.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cogmem_core.config import Config, ObserverConfig
from cogmem_core.encoding.facts import Fact, Heard, answers_to
from cogmem_core.encoding.observe_turn import said_at
from cogmem_core.encoding.partial_supersede import says_something
from cogmem_core.models import Category, Episode
from cogmem_core.skills.form import Formed, FormInput, FormTurn
from cogmem_core.text.compare import attribute_of
from cogmem_core.text.folding import MAX_INPUT
from cogmem_core.text.keys import ASKED, index_key
from cogmem_core.text.observe.classify import classify, read_signals
from cogmem_core.text.observe.entities import entities
from cogmem_core.text.observe.ephemeral import is_ephemeral
from cogmem_core.text.observe.small_talk import is_trivial
from cogmem_core.text.rewrite.coreference import Antecedent
from cogmem_core.text.rewrite.foresight import Foresight, foresee
from cogmem_core.text.rewrite.third_person import rewrite
from cogmem_core.text.sentences import Piece, sentence_spans, split_facts
from cogmem_core.text.time.days import kept_end
from cogmem_core.text.time.find import first_time, normalise

__all__ = ["Former", "formed_by_rules", "said_of"]

_MIN_WORDS = 3
_JOINT = re.compile(r"[;,]|\b(?:and|but|ve|ama)\b", re.IGNORECASE)
_NOBODY = ("user", "assistant")  # how a rewritten fact calls a speaker without a name
_FORM = ("markdown_heavy", "code_heavy", "emoji_heavy")
NewId = Callable[[], str]


def said_of(heard: Heard) -> FormTurn:
    """A turn as the language model sees it."""
    turn = heard.episode
    return FormTurn(heard.text, said_at(turn), turn.role, turn.speaker, heard.asked)


def formed_by_rules(given: FormInput, *, config: Config) -> tuple[Formed, ...]:
    """The heuristic twin of formation: split, resolve pronouns, third person, absolute dates, foresight.

    At most `facts_per_turn` per turn.
    """
    known = [one for said in given.earlier for one in _known(said.text)]
    formed: list[Formed] = []
    for index, said in enumerate(given.turns):
        ahead = foresee(said.text, said.at, default_days=given.foresight_days)
        context = _Context(ahead, known, given.max_characters, config.observer)
        facts: list[Formed] = []
        for piece in split_facts(said.text[:MAX_INPUT], limit=given.max_characters):
            fact = _formed(index, said, piece, context) if len(facts) < config.encoding.facts_per_turn else None
            facts += [fact] if fact else []
            known += _known(piece.text)
        formed += facts
    return tuple(formed)


class _Context(NamedTuple):
    ahead: Sequence[Foresight]
    known: Sequence[Antecedent]
    limit: int
    observer: ObserverConfig


def _formed(index: int, said: FormTurn, piece: Piece, context: _Context) -> Formed | None:
    """A fact of one piece; None for chit-chat and questions."""
    if piece.text.endswith("?") or len(piece.text.split()) < _MIN_WORDS or is_trivial(piece.text):
        return None
    speaker = said.speaker or ("Assistant" if said.role == "assistant" else None)
    text = normalise(rewrite(piece.text, speaker=speaker, antecedents=context.known, limit=context.limit), said.at)
    category, named, dense = _about(piece.text, context.observer)
    if not dense and category == "other" and attribute_of(piece.text) is None:
        return None
    plan = next((one for one in context.ahead if one.start < piece.end and piece.start < one.end), None)
    meant = (one.name for one in context.known if one.name in text and one.name not in piece.text)
    return Formed(
        turn=index,
        text=text[: context.limit],
        start=piece.start,
        end=piece.end,
        category=_kind(category, planned=plan is not None),
        entities=tuple(dict.fromkeys((*named, *meant))),
        referenced_at=first_time(piece.text, said.at),
        valid_until=kept_end(plan.valid_until) if plan else None,
        foresight=plan is not None,
        passing=plan is None and is_ephemeral(piece.text),
    )


def _kind(category: Category, *, planned: bool) -> Category:
    """A plan is a plan whoever it names; what states something of no special kind is a fact."""
    if planned and category in ("other", "entity", "fact"):
        return "plan"
    return "fact" if category == "other" else category


def _about(text: str, observer: ObserverConfig) -> tuple[Category, tuple[str, ...], bool]:
    """Category, names as they are written, and whether the text says anything."""
    found, signals = entities(text), read_signals(text)
    undated = [one for one in found if one.kind != "date"]
    category, _ = classify(signals, sum(one.kind != "number" for one in undated), observer)
    return category, tuple(text[one.start : one.end] for one in found), signals.density(len(undated)) > 0


def _known(text: str) -> list[Antecedent]:
    found = entities(text)
    return [Antecedent(text[one.start : one.end], one.kind) for one in found if one.kind not in ("date", "number")]


@dataclass(frozen=True, slots=True)
class Former:
    """Makes facts of what was heard."""

    config: Config
    new_id: NewId

    def turn(self, heard: Heard, *, exact: bool) -> Fact:
        """The turn itself."""
        span = heard.span(0, len(heard.text)) if len(heard.text) < len(heard.episode.content) else (0, 0)
        document = bool(heard.weak) and len(heard.text) > self.config.encoding.document_characters
        return self._verbatim(heard, heard.text, span, exact=exact or document or heard.weak in _FORM)

    def turn_or_parts(self, heard: Heard) -> list[Fact]:
        """The turn itself, or its sentences where each of them states something of its own."""
        pieces = split_facts(heard.text) if not heard.weak and _states_first(heard.text) else ()
        solid = [piece for piece in pieces if says_something(piece)]
        if not 2 <= len(solid) <= self.config.encoding.facts_per_turn or not all(
            attribute_of(piece.text) for piece in solid
        ):
            return [self.turn(heard, exact=False)]
        return [self._verbatim(heard, p.text, heard.span(p.start, p.end), exact=False) for p in solid]

    def facts(self, heard: Heard, formed: Sequence[Formed]) -> list[Fact]:
        """What the language model or the rules took from the turn."""
        return [self._fact(heard, one) for one in formed]

    def _verbatim(self, heard: Heard, text: str, span: tuple[int, int], *, exact: bool) -> Fact:
        part = text != heard.text
        category, named = heard.category, heard.entities
        if part:
            found = entities(text)
            named = tuple(entity.uri for entity in found)
            category = _about(text, self.config.observer)[0]
        asked = "" if part else heard.asked
        return Fact(
            heard=heard,
            content=text,
            key=self._key(heard.episode, text, asked=asked),
            new_id=self.new_id(),
            category=category,
            entities=named,
            start=span[0],
            end=span[1],
            referenced_at=first_time(text, said_at(heard.episode)) if part else heard.referenced_at,
            exact=exact,
            answers=answers_to(text, asked),
        )

    def _fact(self, heard: Heard, one: Formed) -> Fact:
        start, end = heard.span(one.start, one.end)
        quoted = heard.text[one.start : one.end] or heard.text
        source = heard.text if len(heard.text) <= self.config.encoding.whole_turn_characters else quoted
        answers = answers_to(one.text, heard.asked)
        key = self._key(heard.episode, one.text)
        key = key if source in key else f"{key}\n{source}"
        return Fact(
            heard=heard,
            content=one.text,
            key=f"{key}{ASKED}{heard.asked}" if answers else key,
            new_id=self.new_id(),
            category=one.category,
            entities=_uris(one),
            start=start,
            end=end,
            referenced_at=one.referenced_at or first_time(quoted, said_at(heard.episode)),
            valid_until=one.valid_until,
            passing=one.passing,
            verbatim=False,
            answers=answers,
        )

    def _key(self, turn: Episode, text: str, *, asked: str = "") -> str:
        at = turn.at if self.config.encoding.date_prefix else None
        return index_key(text, speaker=turn.speaker, at=at, question=asked)


def _states_first(text: str) -> bool:
    """Cheap: whether there may be several statements, and the first words state something."""
    spans = sentence_spans(text)
    if len(spans) == 1:
        return _JOINT.search(text) is not None and attribute_of(text) is not None
    return any(attribute_of(text[start:end]) is not None for start, end in spans[:2])


def _uris(one: Formed) -> tuple[str, ...]:
    """What the fact names, as URIs: what the rules see, and the names that only the model saw."""
    found = {entity.uri.rsplit("/", 1)[1]: entity.uri for entity in entities(one.text)}
    for name in one.entities:
        seen = entities(name)
        slug = seen[0].slug if seen else "-".join(name.casefold().split())[:64]
        found.setdefault(slug, seen[0].uri if seen else f"entity://person/{slug}")
    return tuple(uri for slug, uri in found.items() if slug not in _NOBODY)[:8]
