"""From turns to facts: what the language model or the rules take from a turn, or the turn itself.

Modes: `raw` stores turns as they were said, `semantic` makes facts, `hybrid` both, `auto` facts
with a language model and turns without one. In every mode a turn is stored as it was said if nothing
else would remain of it. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from cogmem_core.config import Config, EncodingConfig
from cogmem_core.encoding.facts import Fact, ObservedTurn, answers_to
from cogmem_core.encoding.observe_turn import said_at
from cogmem_core.languages.base import Antecedent
from cogmem_core.reading import of
from cogmem_core.reading.between import filled
from cogmem_core.reading.ends import LASTS, Ending, day_of, ending_of
from cogmem_core.skills.form import Formed, FormInput, FormTurn
from cogmem_core.text.folding import MAX_INPUT
from cogmem_core.text.keys import ASKED, index_key
from cogmem_core.text.observe.classify import classify, read_signals
from cogmem_core.text.observe.entities import entities
from cogmem_core.text.observe.ephemeral import is_ephemeral
from cogmem_core.text.observe.small_talk import is_trivial
from cogmem_core.text.rewrite.third_person import rewrite
from cogmem_core.text.sentences import Piece, split_facts
from cogmem_core.text.time.days import kept_end, utc
from cogmem_core.text.time.find import normalise
from cogmem_core.values.models import Category

FACTS_PER_TURN = 20
"""Most facts that rules take from one turn; of a turn with more the turn itself is kept too."""
DOCUMENT_CHARACTERS = 300
"""A weak turn that is longer is a document, which changes no memory."""
WHOLE_TURN_CHARACTERS = 600
"""The key of a fact covers a longer turn only where the fact comes from."""

_MIN_WORDS = 3
_MAX_ENTITIES = 8
_NOBODY = ("user", "assistant")  # how a rewritten fact calls a speaker without a name
_FORM = ("markdown_heavy", "code_heavy", "emoji_heavy")


class _Context(NamedTuple):
    names: Sequence[Antecedent]
    limit: int
    foresight_days: int


def formed_by_rules(form_input: FormInput) -> tuple[Formed, ...]:
    """The heuristic twin of formation: split, resolve pronouns, third person, dates, foresight.

    At most `FACTS_PER_TURN` facts per turn.
    """
    names: list[Antecedent] = []
    for earlier in form_input.earlier:
        names += _names_in(earlier.text)
    formed: list[Formed] = []
    for index, turn in enumerate(form_input.turns):
        context = _Context(names, form_input.max_characters, form_input.foresight_days)
        count = 0
        for piece in split_facts(turn.text[:MAX_INPUT], limit=form_input.max_characters):
            if count < FACTS_PER_TURN:
                fact = _form_piece(index, turn, piece, context)
                if fact is not None:
                    formed.append(fact)
                    count += 1
            names += _names_in(piece.text)
    return tuple(formed)


def _form_piece(index: int, turn: FormTurn, piece: Piece, context: _Context) -> Formed | None:
    """A fact of one piece; None for chit-chat, interjections and questions."""
    if piece.text.endswith("?") or len(piece.text.split()) < _MIN_WORDS or is_trivial(piece.text):
        return None
    speaker = turn.speaker
    if speaker is None and turn.role == "assistant":
        speaker = "Assistant"
    text = rewrite(piece.text, speaker=speaker, antecedents=context.names, limit=context.limit)
    text = normalise(text, turn.at)
    category, names, dense = _describe(piece.text)
    ending = ending_of(of(piece.text), turn.at, default_days=context.foresight_days)
    if not (dense or ending.planned) and category == "other" and not filled(of(piece.text)):
        return None
    names += [row.name for row in context.names if row.name in text and row.name not in piece.text]
    return Formed(
        turn=index,
        text=text[: context.limit],
        start=piece.start,
        end=piece.end,
        category=_category_of(category, is_plan=ending.planned),
        entities=tuple(dict.fromkeys(names)),
        referenced_at=day_of(piece.text, turn.at),
        valid_from=ending.begin and utc(ending.begin),
        valid_until=ending.end and kept_end(ending.end),
        passing=ending.end is None and is_ephemeral(piece.text),
    )


def _category_of(category: Category, *, is_plan: bool) -> Category:
    """A plan is a plan whoever it names; a statement of no special kind is a fact."""
    if is_plan and category in ("other", "entity", "fact"):
        return "plan"
    return "fact" if category == "other" else category


def _describe(text: str) -> tuple[Category, list[str], bool]:
    """Category, names as they are written, and whether the text says anything."""
    matches = entities(text)
    names: list[str] = []
    undated = 0
    countable = 0
    for entity in matches:
        names.append(text[entity.start : entity.end])
        undated += entity.kind != "date"
        countable += entity.kind not in ("date", "number")
    signals = read_signals(text)
    category, _ = classify(signals, countable)
    return category, names, signals.density(undated) > 0


def _names_in(text: str) -> list[Antecedent]:
    return [
        Antecedent(text[entity.start : entity.end], entity.kind)
        for entity in entities(text)
        if entity.kind not in ("date", "number")
    ]


class FactBuilder(NamedTuple):
    """Makes facts of observed turns."""

    config: Config
    new_id: Callable[[], str]

    def whole_turn(self, turn: ObservedTurn, *, exact: bool) -> Fact:
        """The turn itself."""
        length = len(turn.text)
        is_document = bool(turn.weak) and length > DOCUMENT_CHARACTERS
        # As long as the last of its statements; it lasts if any of them does.
        ending = LASTS if is_document else self._ending_of(turn, turn.text)
        span = (0, 0)
        if length < len(turn.episode.content):
            span = turn.span(0, length)
        return Fact(
            turn=turn,
            content=turn.text,
            key=self._key(turn, turn.text, turn.question),
            new_id=self.new_id(),
            category=_category_of(turn.category, is_plan=True) if ending.planned else turn.category,
            entities=turn.entities,
            start=span[0],
            end=span[1],
            referenced_at=turn.referenced_at,
            valid_from=ending.begin and utc(ending.begin),
            valid_until=ending.end and kept_end(ending.end),
            exact=exact or is_document or turn.weak in _FORM,
            answers=answers_to(turn.text, turn.question),
        )

    def _ending_of(self, turn: ObservedTurn, text: str) -> Ending:
        days = self.config.encoding.foresight_days
        return ending_of(of(text), said_at(turn.episode), default_days=days)

    def formed_fact(self, turn: ObservedTurn, formed: Formed) -> Fact:
        """What the language model or the rules took from the turn."""
        start, end = turn.span(formed.start, formed.end)
        quote = turn.text[formed.start : formed.end] or turn.text
        source = turn.text if len(turn.text) <= WHOLE_TURN_CHARACTERS else quote
        key = self._key(turn, formed.text, "")
        if source not in key:
            key = f"{key}\n{source}"
        answers = answers_to(formed.text, turn.question)
        ending = self._ending_of(turn, quote) if formed.end else LASTS
        if answers:
            key = f"{key}{ASKED}{turn.question}"
        return Fact(
            turn=turn,
            content=formed.text,
            key=key,
            new_id=self.new_id(),
            category=formed.category,
            entities=_uris(formed),
            start=start,
            end=end,
            referenced_at=formed.referenced_at or day_of(quote, said_at(turn.episode)),
            valid_from=formed.valid_from or (ending.begin and utc(ending.begin)),
            valid_until=formed.valid_until,
            ephemeral=formed.passing,
            verbatim=False,
            answers=answers,
        )

    def _key(self, turn: ObservedTurn, text: str, question: str) -> str:
        episode = turn.episode
        config = self.config.encoding
        return dated_key(text, episode.speaker, episode.at, config, question=question)


def dated_key(
    text: str, speaker: str | None, at: datetime, config: EncodingConfig, *, question: str = ""
) -> str:
    """The index key of a text, with its date unless the settings say otherwise."""
    dated = at if config.date_prefix else None
    return index_key(text, speaker=speaker, at=dated, question=question)


def _uris(formed: Formed) -> tuple[str, ...]:
    """What the fact names, as URIs: what the rules see, and the names that only the model saw."""
    uris = {entity.uri.rsplit("/", 1)[1]: entity.uri for entity in entities(formed.text)}
    for name in formed.entities:
        matches = entities(name)
        if matches:
            uris.setdefault(matches[0].slug, matches[0].uri)
        else:
            slug = "-".join(name.casefold().split())[:64]
            uris.setdefault(slug, f"entity://person/{slug}")
    names = [uri for slug, uri in uris.items() if slug not in _NOBODY]
    return tuple(names[:_MAX_ENTITIES])
