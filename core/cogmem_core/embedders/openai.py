"""Embeddings from OpenAI or any server that speaks its API.

Environment variables:
    OPENAI_API_KEY: the key, unless one is passed.
    OPENAI_BASE_URL: the server, unless one is passed; default https://api.openai.com/v1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cogmem_core.base.error_texts import reason
from cogmem_core.embedders.checks import as_matrix
from cogmem_core.embedders.prefixes import NO_PREFIXES, Prefixes
from cogmem_core.errors import ConfigError, EmbedderUnavailable
from cogmem_core.llm.openai_client import Connection, public_address, retrying
from cogmem_core.ports import FloatArray

if TYPE_CHECKING:
    import openai


DIMENSIONS: dict[str, int] = {
    "text-embedding-3-large": 3072,
    "text-embedding-3-small": 1536,
    "text-embedding-ada-002": 1536,
}
"""Native dimensions; other models are asked once."""


class OpenAIEmbedder:
    """Embeds over the network; thread-safe. Building one neither imports `openai` nor connects.

    Time-outs, lost connections and the statuses 408, 409, 429 and 5xx are tried again after an
    exponential back-off.

    Args:
        model: the server's name of the model.
        base_url: the server, up to and including `/v1`.
        api_key: the key; a server given by address may need none.
        timeout: seconds for one try, > 0.
        attempts: tries in total, >= 1.
        dimension: length of a vector; None = known by name, or learnt from one probe.
            `text-embedding-3-*` shorten their vectors to it.
        prefixes: what stands before each text, see `prefixes_of`; OpenAI's own models want none.
        provider: whose models they are; the first part of the fingerprint.

    Attributes:
        backoff_seconds: wait before the second try; doubles with each further one, at most 20
            seconds.

    Raises:
        ConfigError: an argument is out of range.
    """

    backoff_seconds = 0.5

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 30.0,
        attempts: int = 3,
        dimension: int | None = None,
        prefixes: Prefixes = NO_PREFIXES,
        provider: str = "openai",
    ) -> None:
        problems = []
        if not model:
            problems.append("model is empty; name one, such as text-embedding-3-small")
        if not timeout > 0:
            problems.append(f"timeout is {timeout!r}; use seconds above 0")
        if not attempts >= 1:
            problems.append(f"attempts is {attempts!r}; use 1 or more")
        if dimension is not None and not dimension >= 1:
            problems.append(f"dimension is {dimension!r}; use 1 or more")
        if problems:
            raise ConfigError("; ".join(problems))
        self._model = model
        self._prefixes = prefixes
        self._provider = provider
        self._attempts = attempts
        self._connection = Connection(base_url, api_key, timeout)
        self._shorten = dimension if model.startswith("text-embedding-3-") else None
        self._dimension = dimension or DIMENSIONS.get(model)

    def __repr__(self) -> str:
        return f"OpenAIEmbedder({self._model!r})"

    @property
    def fingerprint(self) -> str:
        """`<provider>:<model>:<dimension>`; asks the server once if the dimension is not known."""
        return f"{self._provider}:{self._model}:{self.dimension}"

    @property
    def dimension(self) -> int:
        """Length of a vector; asks the server once if it is not known.

        Raises:
            EmbedderUnavailable: as `embed_documents`.
        """
        if self._dimension is None:
            return int(self._request(["dimension"]).shape[1])
        return self._dimension

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """Float32 of shape (len(texts), dimension), as the server sent them; one request.

        Raises:
            EmbedderUnavailable: `openai` is not installed, no key, the server refuses or does not
                answer, or it answers with another number of vectors, another dimension or values
                that are not finite.
        """
        if not texts:
            return as_matrix([], count=0, dimension=self.dimension, who=repr(self))
        return self._request(self._prefixes.passages(texts))

    def embed_query(self, text: str) -> FloatArray:
        """Float32 of shape (dimension,). Raises as `embed_documents` does."""
        vector: FloatArray = self.embed_queries([text])[0]
        return vector

    def embed_queries(self, texts: Sequence[str]) -> FloatArray:
        """Float32 of shape (len(texts), dimension), in one request. Raises as `embed_documents` does."""
        return self._request(self._prefixes.queries(texts))

    def close(self) -> None:
        """Close the connections; a later call opens new ones."""
        self._connection.close()

    def _request(self, texts: Sequence[str]) -> FloatArray:
        client = self._connection.client(repr(self), EmbedderUnavailable)
        import openai

        retry = retrying(self._attempts, self.backoff_seconds)
        try:
            answer = retry(lambda: self._rows(client, texts))
        except openai.OpenAIError as error:
            raise EmbedderUnavailable(
                f"{self!r} failed ({reason(error)}); check the model's name, the key, the address "
                f"{public_address(client)} and the network"
            ) from error
        except (AttributeError, TypeError, ValueError) as error:
            raise EmbedderUnavailable(
                f"{self!r} answered with something else than embeddings ({type(error).__name__})"
            ) from error
        matrix = as_matrix(answer, count=len(texts), dimension=self._dimension, who=repr(self))
        self._dimension = int(matrix.shape[1])
        return matrix

    def _rows(self, client: openai.OpenAI, texts: Sequence[str]) -> list[Any]:
        # The API refuses empty strings; a blank is the nearest text that it takes.
        inputs = [text or " " for text in texts]
        options: dict[str, Any] = {"dimensions": self._shorten} if self._shorten else {}
        answer = client.embeddings.create(model=self._model, input=inputs, **options)
        return [item.embedding for item in sorted(answer.data, key=lambda item: item.index)]
