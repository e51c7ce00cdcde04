"""What a model read with earlier questions stays where it stood, so that a provider's cache of the prompt holds.

Such a cache holds as far as a prompt is the same to the byte. So nothing that was shown moves or
vanishes while its question stands in the prompt: what changes rarely stands once, first, and anew only
when it has changed; what was recalled stands before the question that it was recalled for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from cogmem_core.engine import MemoryBank
from cogmem_core.retrieval.recall import Recall

_MOST = 64  # questions
_FENCE = 2  # lines that open a block
_GONE = ("forgotten", "quarantined")


def gone(bank: MemoryBank, memory_ids: Collection[str]) -> set[str]:
    """Those of the memories that stand in no prompt any more: forgotten since they were shown, or set aside."""
    if not memory_ids:
        return set()
    with bank.engine.services.ledger.reading(bank.namespace) as tables:
        found = tables.memories.by_ids(sorted(memory_ids))
    return {*memory_ids} - {key for key, memory in found.items() if memory.state not in _GONE}


def surplus(sizes: Sequence[int], most: int) -> int:
    """How many of the oldest are given up: none while all fit; else half of the room is made free.

    So that the rest can stay where it stands for long.
    """
    total, number = sum(sizes), 0
    if total > most:
        while number < len(sizes) and total > most // 2:
            total -= sizes[number]
            number += 1
    return number


def holds(former: str, lasting: str) -> bool:
    """Whether every line of what changes rarely, as a model read it once, stands in it as it is now."""
    return _lines(former) <= _lines(lasting)


def news(lasting: str, standing: Iterable[str]) -> str:
    """The lines of what changes rarely that stand nowhere above, within their fence; empty if all do."""
    seen = _lines("\n".join(standing))
    lines = lasting.split("\n")
    new = [line for line in lines[_FENCE:-1] if line and line not in seen]
    return "\n".join([*lines[:_FENCE], *new, lines[-1]]) if new else ""


def joined(*texts: str) -> str:
    """Texts, one after the other; what is empty leaves no trace."""
    return "\n\n".join(filter(None, texts))


def _lines(text: str) -> set[str]:
    return {*text.split("\n")} - {""}


@dataclass(frozen=True, slots=True)
class ShownContext:
    """What a model reads of a recall.

    Attributes:
        text: what was recalled; everything, where what changes rarely is not asked for by itself.
        recall: as if it had found nothing but what is shown.
        first: it was not shown for this question before.
        lasting: what changes rarely.
        later: the text without what is for this answer alone: what is due, and what is asked.
    """

    text: str
    recall: Recall
    first: bool
    lasting: str
    later: str

    @property
    def whole(self) -> str:
        """All of it."""
        return "\n".join(filter(None, (self.lasting, self.text)))


@dataclass(frozen=True, slots=True)
class KeptBlock:
    """What stands before a question.

    Attributes:
        question: its text.
        text: what was recalled; empty if nothing was known.
        later: what of it stands in later prompts.
        lasting: what changes rarely; empty if that stands further above.
        recall_id: what it comes from.
        memory_ids: the memories in it.
        apart: a message of its own, because its question was not among the messages yet.
    """

    question: str
    text: str = ""
    later: str = ""
    lasting: str = ""
    recall_id: str = ""
    memory_ids: frozenset[str] = frozenset()
    apart: bool = False

    @property
    def whole(self) -> str:
        """All that is read."""
        return "\n".join(filter(None, (self.lasting, self.text)))


@dataclass(frozen=True, slots=True)
class Placed:
    """Where the blocks of a prompt stand.

    Attributes:
        system: what follows the system prompt.
        before: for each question what stands before it, if anything does.
        end: what stands behind all messages, if the open question is not among them.
    """

    system: str
    before: list[KeptBlock | None]
    end: str = ""


@dataclass
class KeptBlocks:
    """What a model was shown in one conversation, oldest first; bounded."""

    head: KeptBlock = KeptBlock("")
    blocks: list[KeptBlock] = field(default_factory=list)
    _sizes: dict[str, int] = field(default_factory=dict)

    def place(
        self,
        questions: Sequence[str],
        question: str,
        shown: ShownContext | None,
        *,
        among: bool,
        system: bool,
    ) -> Placed:
        """Where everything stands that is to be read now.

        Args:
            questions: what people said, as it stands among the messages, oldest first.
            question: the open one; empty if all are answered.
            shown: what is read for it; None = nothing.
            among: it is the last of the questions; False = it comes behind all messages.
            system: what follows the system prompt is sure to be read.
        """
        if question:
            self._note(question, shown)
        newest = len(self.blocks) - 1
        places = self._aligned(questions, newest if question and not among else newest + 1)
        before = [None if place is None else self.blocks[place] for place in places]
        end = ""
        if question:
            above = [self.head] if system else []
            above += [block for block in before if block and block is not self.blocks[newest]]
            current = self._with_lasting(self.blocks[newest], shown, above, system=system)
            if newest in places:
                before[places.index(newest)] = current
            else:
                current = replace(current, apart=True)
                end = current.whole
            self.blocks[newest] = current
        return Placed(self.head.lasting if system else "", before, end)

    def fit(self, room: int, question: str, count: Callable[[str], int]) -> int:
        """The size of what stands before other questions than the open one.

        It is at most a quarter of the room, see `surplus`.

        Args:
            room: of the prompt.
            question: the open one.
            count: the size of a text.
        """
        texts = [block.whole for block in (self.head, *self.blocks)]
        self._sizes = {text: self._sizes.get(text) or count(text) for text in texts if text}
        sizes = [
            self._sizes.get(block.whole, 0)
            for block in self.blocks
            if block is not self.blocks[-1] or block.question != question
        ]
        head = self._sizes.get(self.head.whole, 0)
        number = surplus(sizes, room // 4 - head)
        del self.blocks[:number]
        return head + sum(sizes[number:])

    @property
    def memory_ids(self) -> frozenset[str]:
        """All memories that stand somewhere."""
        return self.head.memory_ids.union(*(block.memory_ids for block in self.blocks))

    def drop(self, memory_ids: Collection[str]) -> None:
        """Empty every block in which one of these memories stands."""
        if not self.head.memory_ids.isdisjoint(memory_ids):
            self.head = KeptBlock("")
        self.blocks = [
            block if block.memory_ids.isdisjoint(memory_ids) else KeptBlock(block.question)
            for block in self.blocks
        ]

    def renew(self, lasting: str) -> None:
        """What changes rarely is told anew if a line of what was told holds no more.

        Args:
            lasting: all of it, as it is now.
        """
        if not all(holds(block.lasting, lasting) for block in (self.head, *self.blocks)):
            self.head = KeptBlock("")
            self.blocks = [replace(block, lasting="") for block in self.blocks]

    def _note(self, question: str, shown: ShownContext | None) -> None:
        """The newest block is that of the open question from now on."""
        new = KeptBlock(question)
        if shown is not None:
            recall = shown.recall
            ids = frozenset(recall.memory_ids)
            new = KeptBlock(question, shown.text, shown.later, recall_id=recall.id, memory_ids=ids)
        newest = self.blocks[-1:]
        if newest and (newest[0].question, newest[0].recall_id) == (question, new.recall_id):
            self.blocks[-1] = new
        else:
            earlier = self.blocks[1 - _MOST :]
            self.blocks = [*(replace(block, text=block.later) for block in earlier), new]

    def _with_lasting(
        self,
        current: KeptBlock,
        shown: ShownContext | None,
        above: Sequence[KeptBlock],
        *,
        system: bool,
    ) -> KeptBlock:
        """The block of the open question, with what changes rarely as far as it stands nowhere above."""
        new = "" if shown is None else news(shown.lasting, [block.lasting for block in above])
        if new and system and len(self.blocks) == 1 and not self.head.lasting:
            self.head = replace(current, text="", lasting=new)
            return current
        return replace(current, lasting=new)

    def _aligned(self, questions: Sequence[str], end: int) -> list[int | None]:
        """For each question its block, of the first `end`; the newest of equal ones has the newest."""
        places: list[int | None] = []
        for question in reversed(questions):
            matching = (at for at in reversed(range(end)) if self.blocks[at].question == question)
            place = next(matching, None)
            places.append(place)
            end = end if place is None else place
        return places[::-1]
