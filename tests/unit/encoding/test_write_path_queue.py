"""The queue of the write path: turns are durable first, and each is finished exactly once."""

from collections.abc import Iterator
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Engine
from cogmem_core.encoding.commit import finish_queued
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock
from helpers.bank_contents import contents


class TestQueue:
    """Turns are durable first; whatever fails, they wait."""

    @pytest.fixture
    def engine(self, clock: FrozenClock) -> Iterator[Engine]:
        self.embedder = CountingEmbedder()
        with cogmem_core.open(embedder=self.embedder, clock=clock, config=MANUAL) as made:
            made.pause()
            yield made

    def test_an_embedder_that_fails_while_texts_are_compared_leaves_all_queued(
        self, engine: Engine
    ) -> None:
        """The keys had their vectors, the bare texts get none: still nothing is half done."""
        bank = engine.bank("alice")
        bank.remember("I live in Lisbon")
        inner, calls = self.embedder.embed_documents, list[int]()

        def second_call_fails(texts: Any) -> Any:
            calls.append(len(texts))
            if len(calls) == 2:
                raise RuntimeError("down")
            return inner(texts)

        self.embedder.embed_documents = second_call_fails  # type: ignore[method-assign]
        report = bank.remember("I moved to Porto")
        assert (report.receipts[0].status, contents(bank)) == ("queued", ["I live in Lisbon"])
        engine.flush()
        assert contents(bank) == ["I moved to Porto"]

    def test_turns_that_another_thread_is_encoding_are_left_to_it(self, engine: Engine) -> None:
        """There is nothing to do then, and that is no error."""
        bank = engine.bank("alice")
        receipt = bank.remember("I live in Lisbon", wait=False).receipts[0]
        with engine.services.claims.taking([receipt.episode_id]):
            assert finish_queued(engine.services) == (0, "")
        assert finish_queued(engine.services) == (1, "")
        assert contents(bank) == ["I live in Lisbon"]
