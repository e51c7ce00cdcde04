"""What a bank must hold after its process was killed, by what the process had noted."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_IN_USE = "the write-ahead log is in use by another process"


@dataclass
class Entity:
    """What may be true of a memory with a tag: more than one thing only as long as an operation was under way."""

    contents: set[str]
    pinned: set[bool] = field(default_factory=lambda: {False})
    states: set[str] = field(default_factory=lambda: {"active"})
    there: set[bool] = field(default_factory=lambda: {True})
    batch: str = ""
    copies: set[int] = field(default_factory=lambda: {1})
    vectors: list[str] = field(default_factory=list)
    id: str = ""


class Model:
    """What a bank must hold: fed with the notes of its processes, narrowed to what was found after each kill.

    `strained`: the disk was made to fail, so that steps of a cycle may fail and an erasure may have more to do.
    An erasure that found the write-ahead log in use goes on until it is emptied.
    """

    def __init__(self, *, strained: bool = False) -> None:
        self.strained = strained
        self.entities: dict[str, Entity] = {}
        self.items: dict[str, set[str | None]] = {}
        self.talk: list[tuple[list[str], bool]] = []
        self.feedback: dict[str, tuple[set[str], set[str], bool]] = {}
        self.runs: dict[str, set[str]] = {}
        self.records: dict[str, set[str | None]] = {}
        self.gone: dict[str, list[str]] = {}
        self.acknowledged = 0
        self.refused: Counter[str] = Counter()

    def hear(self, notes: Iterable[dict[str, Any]]) -> list[str]:
        """Take in what a process noted; returns what is wrong with the notes themselves."""
        troubles, last = [], None
        for note in notes:
            if note["kind"] == "begin":
                last = note
                self._take(note, done=False)
            elif note["kind"] == "done" and last is not None:
                self.acknowledged += 1
                self._take({**last, **note, "op": last["op"]}, done=True)
                remaining = note.get("remaining", ())
                if remaining and not self.strained and not any(_IN_USE in one for one in remaining):
                    troubles.append(f"an erasure left something: {remaining}")
                if note.get("failed") and not self.strained:
                    troubles.append(f"a step of a dream cycle failed: {note['failed']}")
                last = None
            elif note["kind"] == "refused":
                self.refused[note["error"]] += 1
                if note["error"] == "InvalidInput":
                    troubles.append(f"what is valid was refused: {note['reason']}")
        return troubles

    def _take(self, note: dict[str, Any], *, done: bool) -> None:
        getattr(self, f"_{note['op']}", lambda *_: None)(note, done)

    def _remember(self, note: dict[str, Any], done: bool) -> None:
        batch = ",".join(note["texts"])
        for tag, text in note["texts"].items():
            self.entities[tag] = Entity(
                {text}, there={True} if done else {True, False}, batch=batch
            )

    def _add(self, note: dict[str, Any], done: bool) -> None:
        for tag, text in note["texts"].items():
            self.entities[tag] = Entity(
                {text}, {note["pinned"]}, there={True} if done else {True, False}
            )

    def _twin(self, note: dict[str, Any], done: bool) -> None:
        number = note["number"]
        copies = {number} if done else {number - 1, number}
        self.entities[note["tag"]] = Entity(
            {note["text"]}, copies=copies, there={True, False} if 0 in copies else {True}
        )
        self.entities[note["tag"]].states = {"active", "superseded", "dormant"}

    def _edit(self, note: dict[str, Any], done: bool) -> None:
        entity = self.entities[note["tag"]]
        entity.contents = {note["text"]} if done else entity.contents | {note["text"]}

    def _pin(self, note: dict[str, Any], done: bool) -> None:
        entity = self.entities[note["tag"]]
        entity.pinned = {note["pinned"]} if done else entity.pinned | {note["pinned"]}

    def _state(self, note: dict[str, Any], done: bool) -> None:
        entity = self.entities[note["tag"]]
        entity.states = {note["state"]} if done else entity.states | {note["state"]}

    def _erase(self, note: dict[str, Any], done: bool) -> None:
        entity = self.entities[note["tag"]]
        entity.there = {False} if done else {True, False}
        entity.vectors, entity.id = [note["vector"]], note["id"]
        if done:
            self.gone[note["tag"]] = entity.vectors

    def _feedback(self, note: dict[str, Any], done: bool) -> None:
        self.feedback[note["recall"]] = (set(note["shown"]), set(note["always"]), done)

    def _item(self, note: dict[str, Any], done: bool) -> None:
        known = self.items.get(note["key"], {None})
        self.items[note["key"]] = {note["text"]} if done else known | {note["text"]}

    def _record(self, note: dict[str, Any], done: bool) -> None:
        known = self.records.get(note["tag"], {None})
        self.records[note["tag"]] = {note["state"]} if done else known | {note["state"]}

    def _keep(self, note: dict[str, Any], done: bool) -> None:
        if done:
            self.talk.pop()
        self.talk.append((note["said"], done))

    def _dream(self, note: dict[str, Any], done: bool) -> None:
        if done and note["run"]:
            self.runs[note["run"]] = {"done"}

    def _undo(self, note: dict[str, Any], done: bool) -> None:
        self.runs[note["run"]] = {"undone"} if done else {"done", "undone"}

    def compare(self, found: dict[str, Any]) -> Iterator[str]:
        """What differs; and narrow down what was left open."""
        by_tag: dict[str, list[dict[str, Any]]] = {}
        for memory in found["memories"]:
            by_tag.setdefault(memory["content"].split()[0], []).append(memory)
        yield from self._memories(by_tag, found)
        yield from self._batches(by_tag)
        yield from self._beside(by_tag, found)
        strays = {
            tag for tag in by_tag if tag.startswith(("zq", "tw")) and tag not in self.entities
        }
        if strays:
            yield f"memories that nobody wrote: {sorted(strays)[:3]}"

    def _memories(
        self, by_tag: dict[str, list[dict[str, Any]]], found: dict[str, Any]
    ) -> Iterator[str]:
        turns, sources = found["turns"], Counter[str]()
        for turn, count in found["sources"].items():
            sources[found["turn_ids"].get(turn, "")] += count
        for tag, entity in list(self.entities.items()):
            held = by_tag.get(tag, [])
            if bool(held) not in entity.there:
                yield f"{tag} is {'there' if held else 'missing'}, acknowledged otherwise"
                continue
            if not held:
                if entity.vectors:
                    self.gone[tag] = entity.vectors
                if turns.get(tag):
                    yield f"the turn of {tag} is there, its memory is not"
                del self.entities[tag]
                continue
            if len(held) not in entity.copies:
                yield f"{tag} is there {len(held)} times, expected {sorted(entity.copies)}"
            if entity.batch and (turns.get(tag), sources[tag]) != (1, 1):
                yield f"{tag}: {turns.get(tag)} turns, {sources[tag]} memories of it"
            yield from self._fits(tag, entity, held)

    def _fits(self, tag: str, entity: Entity, held: list[dict[str, Any]]) -> Iterator[str]:
        if tag.startswith("tw"):
            if not any(memory["state"] == "active" for memory in held):
                yield f"of the twins {tag} none is active"
            return
        (memory,) = held[:1]
        told = (memory["content"], bool(memory["pinned"]), memory["state"])
        allowed = (entity.contents, entity.pinned, entity.states)
        for value, values in zip(told, allowed, strict=True):
            if value not in values:
                yield f"{tag} has {value!r}, acknowledged was {sorted(map(str, values))}"
        # What was under way is decided now.
        self.entities[tag] = Entity({told[0]}, {told[1]}, {told[2]}, batch=entity.batch)

    def _batches(self, by_tag: dict[str, Any]) -> Iterator[str]:
        """A call of `remember` is there as a whole or not at all."""
        for batch in {entity.batch for entity in self.entities.values() if entity.batch}:
            there = [
                tag in by_tag
                for tag in batch.split(",")
                if tag in self.entities or tag not in self.gone
            ]
            if any(there) and not all(there):
                yield f"half a call of remember: {batch}"

    def _beside(self, by_tag: dict[str, Any], found: dict[str, Any]) -> Iterator[str]:
        ids = {memory["id"]: memory for memory in found["memories"]}
        judged: dict[str, set[str]] = {}
        used: Counter[str] = Counter()
        for recall, memory_id, signal in found["feedback"]:
            judged.setdefault(recall, set()).add(memory_id)
            used[memory_id] += signal == "used"
        for recall, (shown, always, done) in list(self.feedback.items()):
            here = judged.pop(recall, set())
            wanted = {one for one in shown if one in ids}
            if (here - always != wanted - always or not here >= wanted) and (done or here):
                yield f"feedback on {len(here)} of {len(wanted)} memories of a recall"
            self.feedback[recall] = (wanted & here, always, True)
        if judged:
            yield "feedback that nobody gave"
        for memory_id, memory in ids.items():
            if memory["content"].startswith("zq") and memory["used_count"] != used[memory_id]:
                yield f"used {memory['used_count']} times, with feedback of {used[memory_id]}"
        yield from self._documents(ids, found)
        yield from self._standing(found["records"])
        for run, states in list(self.runs.items()):
            state = found["runs"].get(run)
            if state not in states:
                yield f"the cycle {run} is {state}, expected {sorted(states)}"
            self.runs[run] = {state or ""}

    def _standing(self, records: dict[str, str]) -> Iterator[str]:
        """Intentions, runs of tasks and reviews."""
        for tag, allowed in self.records.items():
            standing = records.get(tag)
            if standing not in allowed:
                yield f"the record {tag} is {standing}, expected {sorted(map(str, allowed))}"
            self.records[tag] = {standing}

    def _documents(self, ids: dict[str, Any], found: dict[str, Any]) -> Iterator[str]:
        for key, allowed in list(self.items.items()):
            value = found["items"].get(key)
            text = None if value is None else json.loads(value)["text"]
            if text not in allowed:
                yield f"document {key} says {text!r}, expected {sorted(map(str, allowed))}"
            texts = [
                ids[i]["content"]
                for i in json.loads(found["item_texts"].get(key, "[]"))
                if i in ids
            ]
            if texts != ([] if text is None else [text]):
                yield f"document {key} says {text!r}, its memories {texts}"
            self.items[key] = {text}
        yield from self._transcript(found["talk"])

    def _transcript(self, found: list[str]) -> Iterator[str]:
        """Block by block, in order; what was not acknowledged may be missing."""
        known, at = [], 0
        for said, done in self.talk:
            if found[at : at + len(said)] == said:
                known.append((said, True))
                at += len(said)
            elif done:
                yield f"the transcript lacks {said}"
        if at < len(found):
            yield f"the transcript has {len(found) - at} turns too many"
        self.talk = known


def traces(folder: Path, gone: dict[str, list[str]]) -> list[str]:
    """Files that still hold an erased tag or vector."""
    wanted = [tag.encode() for tag in gone] + [
        bytes.fromhex(vector) for vectors in gone.values() for vector in vectors
    ]
    found = []
    for path in folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            found += [f"{path.name} holds what was erased" for trace in wanted if trace in content]
    return sorted(set(found))


def read_notes(path: Path) -> Iterator[dict[str, Any]]:
    """The notes; the last line may have been cut off by the kill."""
    if path.exists():
        for line in path.read_text().splitlines(keepends=True):
            if line.endswith("\n"):
                yield json.loads(line)
