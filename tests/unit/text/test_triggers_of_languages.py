"""What reminders wait for, in other languages than English: told when it happens, silent at what only looks like it.

Eight scenes of our own for each language, as in helpers/prospective_dialogues.py; the embedder is
that of English, so that words decide. Of smaller packs, and of languages without one: what happened, and denials.
"""

import json
import re
from datetime import datetime, timezone
from pathlib import Path

import pytest

from cogmem_core.config import EmbeddingConfig
from cogmem_core.embedders import resolve
from cogmem_core.intentions.matching import fulfilled
from cogmem_core.models import Intention
from cogmem_eval import MemoizedEmbedder
from helpers.tables import each_row, each_row_of

DATA = Path(__file__).resolve().parents[2] / "data" / "prospective"
NOW = datetime(2026, 6, 3, 12, tzinfo=timezone.utc)
"""What is waited for; when it happened; when it did not."""
SENTENCE = re.compile(r"\S[^.!?。？؟]*[.!?。？؟]")


@pytest.fixture(scope="module")
def embedder() -> MemoizedEmbedder:
    return MemoizedEmbedder(resolve("minilm", config=EmbeddingConfig()))


@each_row("code", ["tr", "de", "es", "fr"])
def test_reminders_of_a_language_fire_at_what_they_wait_for(
    code: str, embedder: MemoizedEmbedder
) -> None:
    """Nine of ten at least; of the turns of a dialogue, three in ten nearly right, one in a hundred at most."""
    lines = (DATA / f"{code}.jsonl").read_text(encoding="utf-8").splitlines()
    fillers, *scenes = map(json.loads, lines)
    hits: list[bool] = []
    near: list[bool] = []
    idle: list[bool] = []
    for scene in scenes:
        for when in scene["when"]:
            waiting = [Intention("i", "n", scene["text"], NOW, NOW, when=when)]

            def fires(text: str, waiting: list[Intention] = waiting) -> bool:
                return bool(fulfilled(embedder, waiting, text, NOW))

            hits += map(fires, scene["hits"])
            near += map(fires, scene["near"])
            idle += map(fires, fillers["fillers"])
    assert sum(hits) >= 0.9 * len(hits)
    false_alarms = 0.3 * sum(near) / len(near) + 0.7 * sum(idle) / len(idle)
    assert false_alarms <= 0.01


@each_row_of(
    "triggers_of_languages/what_is_denied_is_not_what_was_waited_for", "ar it ja ko nl pl pt ru zh"
)
def test_what_is_denied_is_not_what_was_waited_for(
    when: str, happened: str, denied: str, embedder: MemoizedEmbedder
) -> None:
    """A mere overlap of words is no event, in whichever language; a short text may be taken for another one's."""
    waiting = [Intention("i", "n", "make pudding", NOW, NOW, when=when)]

    def fires(text: str) -> bool:
        return bool(fulfilled(embedder, waiting, text, NOW))

    assert [text for text in SENTENCE.findall(happened) if not fires(text)] == []
    assert [text for text in SENTENCE.findall(denied) if fires(text)] == []
