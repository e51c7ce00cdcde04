"""Settings: bounds are checked all at once, and code, file and environment have an order."""

from __future__ import annotations

from pathlib import Path

import pytest

from cogmem.config import Config, RetrievalConfig, SignalWeights, StorageConfig
from cogmem.errors import ConfigError
from cogmem.loading import load_config, origins
from cogmem.presets import PRESETS, preset


def test_all_violations_are_reported_at_once() -> None:
    """One message lists every setting that is out of bounds, with the range."""
    with pytest.raises(ConfigError) as caught:
        Config(retrieval=RetrievalConfig(pool=0, mmr_lambda=3.0, weights=SignalWeights(retention=0.5)))
    assert str(caught.value) == (
        "retrieval.pool is 0; the range is 1 to 10000; "
        "retrieval.weights.retention is 0.5; the range is 0.0 to 0.1; "
        "retrieval.mmr_lambda is 3.0; the range is 0.0 to 1.0"
    )


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ({"storage": StorageConfig(exact_below=True)}, "storage.exact_below is True; use an integer"),
        ({"storage": StorageConfig(exact_below=1.5)}, "storage.exact_below is 1.5; use an integer"),  # type: ignore[arg-type]
        ({"storage": StorageConfig(close_drain_seconds=float("nan"))}, "storage.close_drain_seconds is nan; use a num"),
    ],
)
def test_wrong_kinds_are_named(section: dict[str, StorageConfig], words: str) -> None:
    """True is no integer, and NaN is no number."""
    with pytest.raises(ConfigError, match=words):
        Config(**section)  # type: ignore[arg-type]


def test_the_file_wins_over_the_environment(tmp_path: Path) -> None:
    """Precedence: code, file, environment, default."""
    (tmp_path / "cogmem.toml").write_text("[retrieval]\npool = 40\n", encoding="utf-8")
    environ = {"COGMEM_RETRIEVAL__POOL": "30", "COGMEM_RETRIEVAL__WEIGHTS__RETENTION": "0.05"}
    config = load_config(tmp_path, environ=environ)
    assert (config.retrieval.pool, config.retrieval.weights.retention, config.retrieval.max_k) == (40, 0.05, 1000)


def test_each_value_tells_where_it_came_from(tmp_path: Path) -> None:
    """`cogmem config show` prints it."""
    (tmp_path / "cogmem.toml").write_text("[retrieval]\npool = 40\n", encoding="utf-8")
    found = origins(tmp_path, environ={"COGMEM_ENCODING__MODE": "raw"})
    assert {name: found[name] for name in ("retrieval.pool", "encoding.mode", "retrieval.max_k")} == {
        "retrieval.pool": "file",
        "encoding.mode": "environment",
        "retrieval.max_k": "default",
    }


def test_a_named_file_is_read_from_anywhere(tmp_path: Path) -> None:
    """`COGMEM_CONFIG` replaces the file in the bank's folder."""
    (tmp_path / "mine.toml").write_text('[strength]\ncurve = "exponential"\n', encoding="utf-8")
    config = load_config(None, environ={"COGMEM_CONFIG": str(tmp_path / "mine.toml")})
    assert config.strength.curve == "exponential"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "[retrieval]\npol = 3\n",
            "retrieval.pol is not a setting; the settings here are activation, activation_decay",
        ),
        ("[retrieval]\ndeep_factor = 0.5\n", "retrieval.deep_factor is not a setting"),
        ("[retrieval.boosts]\ncold = 1.5\n", "retrieval.boosts.cold is 1.5"),
        ("[retreival]\npool = 3\n", "retreival is not a setting"),
        ('[strength]\ncurve = "linear"\n', "strength.curve is 'linear'; use one of fsrs6, exponential, power_v9"),
        ("[strength.initial_days]\nfact = -1\n", "strength.initial_days.fact is -1; use a number above 0"),
        ("pool =", "cannot read the configuration file"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, text: str, words: str) -> None:
    """Typos, unknown names, wrong values and broken TOML say what is wrong and what would be right."""
    (tmp_path / "cogmem.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path, environ={})
    assert words in str(caught.value)


def test_a_missing_named_file_is_an_error(tmp_path: Path) -> None:
    """Somebody meant it; silence would hide the mistake."""
    with pytest.raises(ConfigError, match="cannot read the configuration file"):
        load_config(None, environ={"COGMEM_CONFIG": str(tmp_path / "none.toml")})


def test_presets_are_found_by_name() -> None:
    """An unknown one lists the known ones."""
    assert preset("default") == Config()
    with pytest.raises(ConfigError, match="there is no preset 'x'; use one of default, agentos, v9, unified-update"):
        preset("x")
    assert list(PRESETS) == ["default", "agentos", "v9", "unified-update", "cognitive-memory"]
