"""A settings file as people write it today loads; what is no setting is named, with what to do."""

from pathlib import Path

import pytest

from cogmem_core import Config, ConfigError, load_config
from cogmem_core.config import (
    ConsolidationConfig,
    EmbeddingConfig,
    EncodingConfig,
    FeedbackConfig,
    LLMConfig,
    RetrievalConfig,
    SignalWeights,
    StorageConfig,
)
from helpers.tables import each_case_of

COMMON = """
[storage]
index_above = 5_000
[embedding]
timeout_seconds = 10.0
[llm]
calls_per_day = 200
[retrieval]
pool = 50
context_tokens = 800
[retrieval.weights]
proven = 0.4
[encoding]
secrets = "reject"
timezone = "Europe/Istanbul"
[feedback]
utility_rate = 0.2
[consolidation]
hours = 6.0
"""


def written(folder: Path, text: str) -> Path:
    (folder / "cogmem.toml").write_text(text, encoding="utf-8")
    return folder


def test_ten_common_settings_load(tmp_path: Path) -> None:
    """Each is what the file says; everything else is as by default."""
    assert load_config(written(tmp_path, COMMON), environ={}) == Config(
        storage=StorageConfig(index_above=5_000),
        embedding=EmbeddingConfig(timeout_seconds=10.0),
        llm=LLMConfig(calls_per_day=200),
        retrieval=RetrievalConfig(pool=50, context_tokens=800, weights=SignalWeights(proven=0.4)),
        encoding=EncodingConfig(secrets="reject", timezone="Europe/Istanbul"),
        feedback=FeedbackConfig(utility_rate=0.2),
        consolidation=ConsolidationConfig(hours=6.0),
    )


@each_case_of("settings_file/what_is_no_setting_is_named_with_what_to_do")
def test_what_is_no_setting_is_named_with_what_to_do(tmp_path: Path, text: str, words: str) -> None:
    """Beside common settings, which are right."""
    with pytest.raises(ConfigError) as caught:
        load_config(written(tmp_path, f"{text}[storage]\nindex_above = 5_000\n"), environ={})
    assert str(caught.value).startswith(words)
