"""The part of a bank that keeps conversations as they were: turns in, the same turns out, in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, get_args

from cogmem_core import checks
from cogmem_core.async_twin import async_twin
from cogmem_core.encoding.commit import keep_entries
from cogmem_core.encoding.sanitize import screen_label, take_entries
from cogmem_core.errors import InvalidInput
from cogmem_core.models import Episode, Role, Turn
from cogmem_core.services import Services

if TYPE_CHECKING:
    from cogmem_core.engine import Engine

__all__ = ["Transcripts"]

_ROLES = get_args(Role)


class Transcripts:
    """Mixed into `MemoryBank`."""

    namespace: str
    _engine: Engine

    def keep(
        self, turns: Sequence[str | Turn], *, session_id: str, remembered: Iterable[str] = ("user", "assistant")
    ) -> tuple[Episode, ...]:
        """Put turns behind the transcript of a conversation; they are on disk before this returns, all or none.

        What is said in them also becomes memories, in the background, as if by `remember(..., wait=False)`.

        Args:
            turns: texts and `Turn`s, in order. Here the text may be empty, and the metadata, which `transcript` gives
                back, may hold as much as a text (`limits.content_bytes`): a message in the caller's own form, say. They
                stay with the turn: memories do not take them over.
            session_id: the conversation.
            remembered: only of what these roles say are there memories; the rest is kept for the transcript alone.

        Returns:
            The turns as they are kept, with their positions. Secrets are dealt with in texts and in metadata alike, as
            `encoding.secrets` says, so with `redact` that is what `transcript` gives back.

        Raises:
            InvalidInput: an argument is unusable; nothing was kept.
            StoreError: the disk failed.
        """
        services, session = self._conversing(session_id)
        given = [remembered] if isinstance(remembered, str) else checks.listed("remembered", remembered)
        roles = frozenset(checks.choice("remembered", role, _ROLES) for role in given)
        entries = take_entries(turns, session, services.config)
        if not entries:
            return ()
        with services.log_operation("keep", namespace=self.namespace, turns=len(entries)) as note:
            mode = services.config.encoding.mode
            kept = keep_entries(services, self.namespace, entries, remembered=roles, mode=mode)
            note["queued"] = sum(episode.status == "queued" for episode in kept)
        if note["queued"]:
            self._engine.changed()
        return tuple(kept)

    def transcript(self, session_id: str) -> tuple[Episode, ...]:
        """The turns of a conversation that `keep` took in, oldest first, without those that were erased since.

        Raises:
            InvalidInput: `session_id` is unusable.
        """
        services, session = self._conversing(session_id)
        with services.ledger.reading() as reader:
            return tuple(reader.transcript(self.namespace, session))

    def clear_transcript(self, session_id: str) -> int:
        """Empty the transcript of a conversation for good; returns how many turns it had.

        What was remembered of the conversation stays, and so does what was said, as the source of it, but without its
        metadata; what was there for the transcript alone is deleted. To take away memories too: `forget`.

        Raises:
            InvalidInput: `session_id` is unusable.
            StoreError: the disk failed; the transcript is as it was.
        """
        services, session = self._conversing(session_id)
        with (
            services.log_operation("clear_transcript", namespace=self.namespace),
            services.ledger.writing(self.namespace) as writer,
        ):
            return writer.clear_transcript(self.namespace, session)

    akeep = async_twin(keep)
    atranscript = async_twin(transcript)
    aclear_transcript = async_twin(clear_transcript)

    def _conversing(self, session_id: object) -> tuple[Services, str]:
        self._engine.check_open()
        services = self._engine.services
        session = checks.label("session_id", session_id, services.config.limits)
        if session is None:
            raise InvalidInput("session_id is None; give a string that names the conversation")
        return services, screen_label("session_id", session, services.config.encoding)
