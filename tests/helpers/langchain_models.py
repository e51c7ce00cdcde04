"""Language models whose answers depend on what they were asked, and which remember it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.tools import tool
from pydantic import Field

from cogmem_core import MemoryBank
from langchain_cogmem.convert import text_of

HIKING = "Ann likes hiking on Mount Rainier"
COFFEE = "Ann drinks coffee from Guatemala"
ABOUT_HIKING = "You like hiking on Mount Rainier!"


class Answering(BaseChatModel):
    """Answers what `answer` makes of the prompt's text; streams word by word; `prompts` keeps what it was asked."""

    answer: Callable[[str], str | AIMessage] = lambda _prompt: ABOUT_HIKING
    prompts: list[str] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "answering"

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._said(messages))])

    def _stream(
        self, messages: list[BaseMessage], *_: Any, **__: Any
    ) -> Iterator[ChatGenerationChunk]:
        said = self._said(messages)
        words = text_of(said).split(" ")
        for number, word in enumerate(words):
            piece = AIMessageChunk(content=word if number == 0 else f" {word}", tool_calls=[])
            if number == len(words) - 1:
                piece = AIMessageChunk(content=piece.content, tool_calls=said.tool_calls)
            yield ChatGenerationChunk(message=piece)

    def bind_tools(self, _tools: Sequence[Any], **_: Any) -> Any:
        """Tools change nothing for it: `answer` decides when to call one."""
        return self

    def _said(self, messages: list[BaseMessage]) -> AIMessage:
        prompt = text_of(messages)
        self.prompts.append(prompt)
        answer = self.answer(prompt)
        return answer if isinstance(answer, AIMessage) else AIMessage(answer)


def failing(_prompt: str) -> str:
    """A provider that is down."""
    raise ConnectionError("no model today")


def learnt(bank: MemoryBank) -> dict[str, tuple[int, int]]:
    """(how often used, how often ignored in a row) by text, after all feedback is in."""
    bank.engine.flush()
    return {
        memory.content: (memory.used_count, memory.ignored_streak)
        for memory in bank.list(limit=500)
    }


def signals(bank: MemoryBank) -> int:
    """How many judgements there are in all."""
    bank.engine.flush()
    with bank.engine.services.ledger.whole() as reader:
        return len(reader.at(bank.namespace).feedback.all(since=None))


@tool
def look(place: str) -> str:
    """Look something up."""
    return f"Nothing in {place}"


class Seeing(Answering):
    """Also keeps the messages themselves."""

    seen: list[Any] = []  # noqa: RUF012 - pydantic copies it

    def _said(self, messages: list[Any]) -> AIMessage:
        self.seen.append(list(messages))
        return super()._said(messages)


@tool
def weather(place: str) -> str:
    """Tell the weather of a place."""
    return f"It rains in {place}"


def joined(documents: list[Document]) -> str:
    return "\n".join(document.page_content for document in documents)


def by_config(config: Any) -> str:
    return str(config["configurable"]["user_id"])
