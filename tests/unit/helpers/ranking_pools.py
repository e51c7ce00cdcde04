"""Candidates and pools by hand, for tests of ranking."""

from datetime import datetime, timezone
from typing import Any

import numpy as np

from cogmem_core.config import StrengthConfig
from cogmem_core.retrieval.signals import Pool
from cogmem_core.storage.ledger.candidates import Candidate
from cogmem_core.storage.ledger.codec import encode_time
from cogmem_core.storage.search.candidate_rows import CandidateColumns

__all__ = ["SAID", "pool", "row"]

SAID = datetime(2023, 5, 8, tzinfo=timezone.utc)


def row(name: str, **changes: Any) -> Candidate:
    """An active memory of 200 characters, said by the user in session "s", from a turn of its own."""
    plain: dict[str, Any] = {
        "id": name,
        "state": "active",
        "tier": "episodic",
        "category": "fact",
        "pinned": False,
        "importance": 0.5,
        "utility": 0.5,
        "stability": 5.0,
        "last_reinforced_at": None,
        "created_at": 0,
        "recorded_at": encode_time(SAID),
        "valid_from": None,
        "valid_until": None,
        "referenced_at": None,
        "session_id": "s",
        "speaker": None,
        "entities": (),
        "access_count": 0,
        "last_retrieved_at": None,
        "valence": 0.0,
        "source_confidence": 1.0,
        "trust": 1.0,
        "data_source": "user_message",
        "superseded_by": None,
        "turn": f"turn-{name}",
        "sub_tier": "",
        "characters": 0,
        "asks": False,
        "inquires": False,
    }
    content = changes.pop("content", "x" * 199 + ".")
    plain["last_said_at"] = changes.get("recorded_at", plain["recorded_at"])
    return Candidate(**{**plain, **changes}).saying(content)


def pool(*rows: Candidate, lexical: tuple[float, ...] = (), **changes: Any) -> Pool:
    """A pool of vectors at right angles, without a query vector; `lexical`: BM25 scores, zeros if none are given."""
    plain: dict[str, Any] = {
        "candidates": CandidateColumns.of(rows),
        "vectors": np.eye(len(rows), 8, dtype=np.float32),
        "query": None,
        "lexical": lexical or (0.0,) * len(rows),
        "now": 0,
        "strength": StrengthConfig(),
    }
    return Pool(**{**plain, **changes})
