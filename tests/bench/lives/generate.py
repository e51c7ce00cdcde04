"""Writes lives for `cogm eval lives`: python tests/bench/lives/generate.py FOLDER [SEEDS [DAYS]]

Somebody's life as turns and as questions with known answers, the same for the same seed: five lives of half a year if
no numbers are given. The files in tests/data/lives have the seeds 0 and 1 and 20 days.
 Every day has one or two conversations. Some of what is said
are facts: they are told, retold in other words, and some of them change, announced or in passing.
Plans have a day and are over after it. Most of it is small talk. Every few days the user asks about
what was told; the answer is what was true at that moment, and what it was before is known.
"""

import json
import math
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from random import Random
from typing import Any

from chatter import AGAIN, CHATTER, ECHOES, FILLERS, MOMENTS, PLANS, REPLIES
from topics import TOGETHER, TOPICS, Topic

from cogmem_core import Turn

__all__ = ["Script", "life", "life_text", "write"]

START = datetime(2025, 1, 6, tzinfo=timezone.utc)
TURNS_A_DAY = (8, 15)
QUESTIONS = (4, 8)
QUESTION_DAYS = (3, 7)
CRITICAL_DAYS = (30, 60)
REPEATED = 0.35
REPLIED = 0.25
CHATTED_AGAIN = 0.06
TOGETHER_SHARE = 0.1
_FRESH_DAYS = 14.0
_LEAST_WEIGHT = 0.15
_LATE_DAYS = 60
_SLOT = re.compile(r"\{([a-z]{1,20})\}")


@dataclass(frozen=True, slots=True)
class Truth:
    """A value, and the refs of the turns that said it."""

    text: str
    refs: frozenset[str]


@dataclass(frozen=True, slots=True)
class ScriptQuestion:
    """A question at one moment.

    Attributes:
        current: what answers it, one per topic that it asks for.
        outdated: what answered it before.
    """

    text: str
    topic: str
    current: tuple[Truth, ...]
    outdated: tuple[Truth, ...] = ()
    critical: bool = False


@dataclass(frozen=True, slots=True)
class Sitting:
    """One conversation; `at` is its end."""

    at: datetime
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Asking:
    """Questions asked one after the other."""

    at: datetime
    questions: tuple[ScriptQuestion, ...]


@dataclass(frozen=True, slots=True)
class Day:
    """What happens in a day: first the conversations, then the questions.

    `night` is when dreams are dreamt.
    """

    number: int
    sittings: tuple[Sitting, ...]
    asking: Asking
    night: datetime


@dataclass(frozen=True, slots=True)
class Script:
    """A life.

    `last`: one question per topic that has an answer on the last evening, in a fixed order.
    """

    seed: int
    days: tuple[Day, ...]
    last: tuple[ScriptQuestion, ...]


@dataclass(frozen=True, slots=True)
class _Mention:
    """Something to be said on a day; `value` is what it states about `topic`, empty if nothing."""

    text: str
    topic: str = ""
    value: str = ""


@dataclass(slots=True)
class _KnownTopic:
    """The values of a topic that were told so far, with the refs of their turns, oldest first."""

    topic: Topic
    values: list[tuple[str, list[str]]] = field(default_factory=list)
    last_day: int = 0
    ends: int | None = None

    def say(self, value: str, ref: str, day: int) -> None:
        """One more turn stated a value."""
        if not self.values or self.values[-1][0] != value:
            self.values.append((value, []))
        self.values[-1][1].append(ref)
        self.last_day = day

    def truths(self) -> tuple[Truth, ...]:
        """Every value so far; the last one is true."""
        return tuple(Truth(text, frozenset(refs)) for text, refs in self.values)


def write(seed: int, days: int = 180) -> Script:
    """The script of that seed, `days` long (1 or more)."""
    return _Writer(Random(seed), days).script(seed)


class _Writer:
    def __init__(self, rng: Random, days: int) -> None:
        self._rng = rng
        self._days = days
        self._planned: defaultdict[int, list[_Mention]] = defaultdict(list)
        self._ends: dict[tuple[str, str], int] = {}
        self._known: dict[str, _KnownTopic] = {}
        self._chatted: list[str] = []
        for topic in TOPICS:
            self._plan_topic(topic)
        for plan in PLANS:
            self._plan_dates(plan)
        for moment in MOMENTS:
            self._mention(rng.randrange(days), moment, moment.says[0], rng.choice(moment.values))
        self._critical = {
            topic.name: rng.randint(*CRITICAL_DAYS) // 2 for topic in TOPICS if topic.critical
        }

    def script(self, seed: int) -> Script:
        """Day by day."""
        days = []
        next_questions = self._rng.randint(*QUESTION_DAYS)
        for number in range(self._days):
            midnight = START + timedelta(days=number)
            sittings = tuple(self._sittings(number, midnight))
            questions = self._due_critical(number)
            if number >= next_questions:
                next_questions = number + self._rng.randint(*QUESTION_DAYS)
                questions += self._questions(number)
            asking = Asking(midnight + timedelta(hours=21, minutes=30), tuple(questions))
            days.append(Day(number, sittings, asking, midnight + timedelta(hours=23)))
        open_topics = self._open(self._days - 1)
        return Script(
            seed, tuple(days), tuple(self._ask(entry.topic.name) for entry in open_topics)
        )

    def _plan_topic(self, topic: Topic) -> None:
        """When a topic is told, retold and changed."""
        rng = self._rng
        days = self._days
        latest_share = 0.35 if topic.critical else 0.6
        if topic.news:
            latest_share = 0.2
        first = int(rng.random() * days * latest_share)
        span = days - first
        count = min(rng.randint(*topic.changes), len(topic.values) - 1, max(0, span // 10))
        starts = [first, *sorted(rng.sample(range(first + 1, days), count))] if count else [first]
        values = rng.sample(topic.values, len(starts))
        for index, (start, value) in enumerate(zip(starts, values, strict=True)):
            end = starts[index + 1] if index + 1 < len(starts) else days
            old = values[index - 1] if index else ""
            self._mention(start, topic, rng.choice(topic.news if index else topic.says), value, old)
            for _ in range(rng.randint(0, 2) if topic.critical else rng.randint(0, 3)):
                if end - start > 1:
                    self._mention(
                        rng.randrange(start + 1, end), topic, rng.choice(topic.says), value
                    )
            self._repeat(topic.name, value, end)

    def _plan_dates(self, plan: Topic) -> None:
        """Again and again a day is set, told, perhaps told once more, and passes."""
        rng = self._rng
        day = self._rng.randint(0, 45)
        while day < self._days:
            due = day + rng.randint(5, 30)
            date = START + timedelta(days=due)
            value = f"{date.day} {date:%B}"
            self._ends[plan.name, value] = due
            self._mention(day, plan, rng.choice(plan.says), value)
            if rng.random() < 0.4:
                self._mention(rng.randrange(day + 1, due), plan, rng.choice(plan.says), value)
            day = due + rng.randint(10, 60)

    def _mention(self, day: int, topic: Topic, template: str, value: str, old: str = "") -> None:
        if day < self._days:
            text = template.replace("{v}", value).replace("{old}", old)
            self._planned[day].append(_Mention(text[0].upper() + text[1:], topic.name, value))

    def _repeat(self, topic: str, value: str, end: int) -> None:
        """Say some mentions of a value once more, in nearly the same words, some days later."""
        key = (topic, value)
        repeatable: list[tuple[int, _Mention]] = []
        for day, mentions in self._planned.items():
            matches = [mention for mention in mentions if (mention.topic, mention.value) == key]
            repeatable.extend((day, mention) for mention in matches)
        for day, mention in repeatable:
            later = day + self._rng.randint(1, 10)
            if later < end and self._rng.random() < REPEATED:
                text = self._rng.choice(AGAIN).replace("{t}", mention.text)
                self._planned[later].append(_Mention(text, topic, value))

    def _sittings(self, number: int, midnight: datetime) -> Iterator[Sitting]:
        rng = self._rng
        mentions = list(self._planned[number])
        spoken = round(rng.randint(*TURNS_A_DAY) / (1 + REPLIED))
        mentions += map(_Mention, self._small_talk(spoken - len(mentions)))
        rng.shuffle(mentions)
        cut = rng.randint(0, len(mentions)) if rng.random() < 0.7 else len(mentions)
        index = 0
        for hour, part in ((8, mentions[:cut]), (19, mentions[cut:])):
            turns: list[Turn] = []
            session = f"day-{number}-{hour}"
            for mention in part:
                for role, text in self._exchange(mention):
                    ref = f"d{number}.{index}"
                    index += 1
                    at = midnight + timedelta(
                        hours=hour, minutes=rng.randint(0, 20) + 2 * len(turns)
                    )
                    if turns and turns[-1].at:
                        at = max(at, turns[-1].at + timedelta(seconds=20))
                    turns.append(Turn(text, role=role, at=at, session_id=session, ref=ref))
                    self._note(mention, text, ref, number)
            if turns and turns[-1].at:
                yield Sitting(turns[-1].at, tuple(turns))

    def _exchange(self, mention: _Mention) -> Iterator[tuple[str, str]]:
        yield "user", mention.text
        if self._rng.random() < REPLIED:
            echo = mention.value and self._rng.random() < 0.3
            yield (
                "assistant",
                self._rng.choice(ECHOES if echo else REPLIES).replace("{v}", mention.value),
            )

    def _note(self, mention: _Mention, text: str, ref: str, day: int) -> None:
        if mention.value and mention.value.casefold() in text.casefold():
            topic = self._known.setdefault(mention.topic, _KnownTopic(_topic_of(mention.topic)))
            topic.say(mention.value, ref, day)
            topic.ends = self._ends.get((mention.topic, mention.value))

    def _small_talk(self, count: int) -> list[str]:
        """Some of it was said before, in the last few days."""
        rng = self._rng
        earlier = self._chatted[-80:]
        texts: list[str] = []
        for _ in range(count):
            if earlier and rng.random() < CHATTED_AGAIN:
                texts.append(rng.choice(AGAIN).replace("{t}", rng.choice(earlier)))
                continue
            texts.append(self._filled(rng.choice(CHATTER)))
            self._chatted.append(texts[-1])
        return texts

    def _filled(self, template: str) -> str:
        text = _SLOT.sub(lambda slot: self._rng.choice(FILLERS[slot[1]]), template)
        return text[0].upper() + text[1:]

    def _open(self, day: int) -> list[_KnownTopic]:
        """Topics that were told and, if they have a day, are still to come."""
        order = [topic.name for topic in (*TOPICS, *PLANS, *MOMENTS)]
        topics = [self._known[name] for name in order if name in self._known]
        return [topic for topic in topics if topic.ends is None or topic.ends > day]

    def _due_critical(self, day: int) -> list[ScriptQuestion]:
        due: list[str] = []
        for name, due_day in self._critical.items():
            if due_day <= day and name in self._known:
                due.append(name)
        for name in due:
            self._critical[name] = day + self._rng.randint(*CRITICAL_DAYS)
        return list(map(self._ask, due))

    def _questions(self, day: int) -> list[ScriptQuestion]:
        """Mostly about what was told lately."""
        rng = self._rng
        weights: dict[str, float] = {}
        for entry in self._open(day):
            if not entry.topic.critical:
                age_weight = math.exp((entry.last_day - day) / _FRESH_DAYS)
                weights[entry.topic.name] = age_weight + _LEAST_WEIGHT
        questions: list[ScriptQuestion] = []
        for _ in range(min(rng.randint(*QUESTIONS), len(weights))):
            if rng.random() < TOGETHER_SHARE:
                question = self._together()
                if question:
                    questions.append(question)
                    continue
            name = rng.choices(list(weights), list(weights.values()))[0]
            del weights[name]
            questions.append(self._ask(name))
        return questions

    def _ask(self, name: str) -> ScriptQuestion:
        entry = self._known[name]
        *former, current = entry.truths()
        text = self._rng.choice(entry.topic.asks)
        return ScriptQuestion(text, name, (current,), tuple(former), entry.topic.critical)

    def _together(self) -> ScriptQuestion | None:
        text, names = self._rng.choice(TOGETHER)
        truths = [self._known[name].truths() for name in names if name in self._known]
        if len(truths) < 2:
            return None
        outdated = tuple(old for values in truths for old in values[:-1])
        return ScriptQuestion(
            text, " + ".join(names), tuple(values[-1] for values in truths), outdated
        )


def _topic_of(name: str) -> Topic:
    every: Sequence[Topic] = (*TOPICS, *PLANS, *MOMENTS)
    return next(topic for topic in every if topic.name == name)


def life(seed: int, days: int) -> dict[str, Any]:
    """A script as `cogm eval lives` reads it.

    What is asked in the last 60 days is probed a minute before it is asked and answered; every topic is probed on the
    last evening. Critical facts are vital.
    """
    script = write(seed, days)
    texts = {
        turn.ref: turn.content
        for day in script.days
        for sitting in day.sittings
        for turn in sitting.turns
    }
    questions, probes = [], []
    for day in script.days:
        for place, question in enumerate(day.asking.questions):
            at = day.asking.at + timedelta(minutes=2 * place)
            questions.append(_asked(question, at, texts))
            if day.number >= days - _LATE_DAYS:
                probes.append(_probe(question, at - timedelta(minutes=1)))
    evening = script.days[-1].night
    probes += [_probe(question, evening) for question in script.last]
    needed = {ref for question in questions for ref in question["needs"]}
    return {
        "name": f"life-{seed}",
        "language": "en",
        "turns": [
            _said(turn, needed)
            for day in script.days
            for sitting in day.sittings
            for turn in sitting.turns
        ],
        "questions": questions,
        "probes": probes,
        "vital": [question.current[0].text for question in script.last if question.critical],
    }


def _said(turn: Turn, needed: set[str]) -> dict[str, str]:
    row = {"at": turn.at.isoformat(), "session": turn.session_id, "text": turn.content}
    if turn.role != "user":
        row["role"] = turn.role
    if turn.ref in needed:
        row["ref"] = turn.ref
    return row


def _asked(question: ScriptQuestion, at: datetime, texts: dict[str, str]) -> dict[str, Any]:
    """The answer repeats what was said last of each value."""
    refs = [sorted(value.refs, key=_order) for value in question.current]
    answer = " And: ".join(texts[group[-1]] for group in refs)
    return {
        "at": at.isoformat(),
        "text": question.text,
        "answer": f"From what you told me: {answer}",
        "needs": [ref for group in refs for ref in group],
    }


def _order(ref: str) -> tuple[int, int]:
    day, index = ref[1:].split(".")
    return int(day), int(index)


def _probe(question: ScriptQuestion, at: datetime) -> dict[str, Any]:
    current = [value.text for value in question.current]
    former = dict.fromkeys(value.text for value in question.outdated if value.text not in current)
    probe = {"at": at.isoformat(), "question": question.text, "expected": current}
    return {**probe, "former": list(former)} if former else probe


def life_text(data: dict[str, Any]) -> str:
    """The JSON of a life, an item a line."""
    parts = []
    for key, value in data.items():
        text = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list) and value:
            rows = ",\n  ".join(json.dumps(item, ensure_ascii=False) for item in value)
            text = f"[\n  {rows}\n ]"
        parts.append(f" {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main(folder: str, seeds: str = "5", days: str = "180") -> None:
    """Write one file per seed."""
    for seed in range(int(seeds)):
        data = life(seed, int(days))
        Path(folder, f"{data['name']}.json").write_text(life_text(data), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
