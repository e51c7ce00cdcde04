"""Settings: code, file and environment have an order."""

from __future__ import annotations

import dataclasses
import inspect
from pathlib import Path
from typing import Any

import pytest
from config_files import written

import cogmem_core
from cogmem_core.config import (
    Config,
    ObservationConfig,
    RetrievalConfig,
    SignalWeights,
    StrengthConfig,
)
from cogmem_core.config.loading import load_config, origins
from cogmem_core.config.settings import allowed, differences, flat
from cogmem_core.errors import ConfigError, InvalidInput


def test_the_file_wins_over_the_environment(tmp_path: Path) -> None:
    """Precedence: code, file, environment, default."""
    (tmp_path / "cogmem.toml").write_text("[retrieval]\npool = 40\n", encoding="utf-8")
    environ = {"COGMEM_RETRIEVAL__POOL": "30", "COGMEM_RETRIEVAL__WEIGHTS__RETENTION": "0.05"}
    config = load_config(tmp_path, environ=environ)
    assert (config.retrieval.pool, config.retrieval.weights.retention, config.retrieval.max_k) == (
        40,
        0.05,
        1000,
    )


def test_each_value_tells_where_it_came_from(tmp_path: Path) -> None:
    """`cogm config show` prints it."""
    (tmp_path / "cogmem.toml").write_text("[retrieval]\npool = 40\n", encoding="utf-8")
    found = origins(tmp_path, environ={"COGMEM_ENCODING__MODE": "raw"})
    assert {
        name: found[name] for name in ("retrieval.pool", "encoding.mode", "retrieval.max_k")
    } == {
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
        (
            '[strength]\ncurve = "linear"\n',
            "strength.curve is 'linear'; use one of fsrs6, exponential, power_v9",
        ),
        (
            "[strength.initial_days]\nfact = -1\n",
            "strength.initial_days.fact is -1; use a number above 0",
        ),
        ("[retrieval]\nmax_k = " + "9" * 400, "the range is 1 to 100000"),
        ("pool =", "cannot read the configuration file"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, text: str, words: str) -> None:
    """Typos, unknown names, wrong values and broken TOML say what is wrong and what would be right."""
    (tmp_path / "cogmem.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path, environ={})
    assert words in str(caught.value)


def test_the_folder_is_a_path_of_any_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text, one that begins with the home folder, or a `Path`; anything else is refused."""
    written(tmp_path, "[retrieval]\npool = 40\n")
    monkeypatch.setenv("HOME", str(tmp_path.parent))
    pools = [
        load_config(f, environ={}).retrieval.pool
        for f in (tmp_path, str(tmp_path), f"~/{tmp_path.name}")
    ]
    assert pools == [40, 40, 40]
    with pytest.raises(
        ConfigError, match=r"folder is 5 \(int\); give the path of the bank's folder"
    ):
        load_config(5, environ={})  # type: ignore[arg-type]
    for environ in (5, {5: "x"}):
        with pytest.raises(
            ConfigError, match="environ is no mapping of names to texts; give one such as os"
        ):
            load_config(None, environ=environ)  # type: ignore[arg-type]
    with pytest.raises(
        ConfigError, match=r"folder is '~nosuchuser/x': .*; write the home folder out"
    ):
        load_config("~nosuchuser/x", environ={})


@pytest.mark.parametrize("order", [1, -1])
def test_a_variable_and_a_part_of_it_are_not_both_set(order: int) -> None:
    """Whichever comes first in the environment; told beside whatever else is wrong."""
    variables = [
        ("COGMEM_RETRIEVAL__POOL", "50"),
        ("COGMEM_RETRIEVAL__POOL__X", "1"),
        ("COGMEM_RETRIEVAL__MAX_K", "0"),
    ]
    with pytest.raises(ConfigError) as caught:
        load_config(None, environ=dict(variables[::order]))
    assert str(caught.value) == (
        "COGMEM_RETRIEVAL__POOL and COGMEM_RETRIEVAL__POOL__X are both set: the one gives all that the other gives a "
        "part of; unset one of them; retrieval.max_k is 0; the range is 1 to 100000"
    )


def test_a_missing_named_file_is_an_error(tmp_path: Path) -> None:
    """Somebody meant it; silence would hide the mistake."""
    with pytest.raises(ConfigError, match="cannot read the configuration file"):
        load_config(None, environ={"COGMEM_CONFIG": str(tmp_path / "none.toml")})


class TestMisspeltVariables:
    """A name that is nearly one that cogmem reads was meant for it."""

    @pytest.mark.parametrize(
        ("name", "nearest"),
        [
            ("COGMEM_RETRIEVAL_POOL", "COGMEM_RETRIEVAL__POOL"),
            ("COGMEM_STORAGE_LEDGER_URL", "COGMEM_STORAGE__LEDGER_URL"),
            ("COGMEM_PRSET", "COGMEM_PRESET"),
            ("COGMEM_CONFG", "COGMEM_CONFIG"),
            ("COGMEM_MODEL", "COGMEM_MODELS"),
        ],
    )
    def test_it_is_refused(self, name: str, nearest: str) -> None:
        """With the nearest name, beside whatever else is wrong, and without the value, which may be a secret."""
        with pytest.raises(ConfigError) as caught:
            load_config(None, environ={name: "s3cret", "COGMEM_RETRIEVAL__POOL": "0"})
        assert str(caught.value) == (
            f"{name} is no variable of cogmem; the nearest one is {nearest}: rename it, or unset it; "
            "retrieval.pool is 0; the range is 1 to 10000"
        )

    def test_others_are_left_alone(self) -> None:
        """Those that cogmem reads elsewhere, those of its tests and tools, and those of other programs."""
        own = ("PATH", "NAMESPACE", "LLM", "EMBEDDER", "MODELS", "OFFLINE")
        tools = ("EXAMPLES", "REQUIRE_SERVERS", "FAULT_PLACE", "SHADOW", "LOCOMO", "BENCH_TABLE")
        others = ("TEST_PG_URL", "TEST_CHROMA_URL", "API_KEY", "PORT")
        environ = {f"COGMEM_{name}": "1" for name in (*own, *tools, *others)}
        assert load_config(None, environ=environ) == Config()


class TestConfigInCode:
    """`cogmem_core.open(config=...)`."""

    @pytest.mark.parametrize("config", [{}, {"retrieval": {}}, "v9", 0, False, RetrievalConfig()])
    def test_anything_but_a_config_is_refused(self, tmp_path: Path, config: Any) -> None:
        """Nothing is made, and the message tells what to give."""
        with pytest.raises(
            InvalidInput,
            match=f"config is of the type {type(config).__name__}; give a cogmem_core.Config",
        ):
            cogmem_core.open(tmp_path / "brain", config=config)
        assert not (tmp_path / "brain").exists()

    def test_it_replaces_file_and_variables(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Single settings are changed on what `load_config` read."""
        monkeypatch.setenv("COGMEM_RETRIEVAL__POOL", "30")
        written(tmp_path, "[retrieval]\nmax_k = 40\n")
        mine = Config(observation=ObservationConfig(max_notes=7))
        both = dataclasses.replace(load_config(tmp_path), observation=mine.observation)
        found = []
        for config in (mine, both, None):
            with cogmem_core.open(tmp_path, config=config, embedder="hashing") as engine:
                said = engine.services.config
                found.append(
                    (said.retrieval.pool, said.retrieval.max_k, said.observation.max_notes)
                )
        assert found == [(64, 1000, 7), (30, 40, 7), (30, 40, 50)]


def test_each_ranking_weight_tells_what_it_weighs() -> None:
    """The reference and `help()` are made of it; one sentence for all of them says nothing of any."""
    lines = inspect.cleandoc(SignalWeights.__doc__ or "").partition("Attributes:")[2].splitlines()
    entries = [line.strip() for line in lines if line.strip() and not line.startswith(" " * 8)]
    assert [entry.partition(": ")[0] for entry in entries] == [
        one.name for one in dataclasses.fields(SignalWeights)
    ]


class TestSettings:
    """Settings by dotted name."""

    def test_flat(self) -> None:
        """Sections within sections, and the entries of a table, have names of their own."""
        found = flat(Config(strength=StrengthConfig(initial_days={"fact": 9.0})))
        assert {name: found[name] for name in found if name.startswith("strength.initial")} == {
            "strength.initial_days.fact": 9.0
        }
        assert (found["retrieval.weights.retention"], found["strength.permanent"]) == (
            0.02,
            ("preference", "entity", "correction"),
        )
        assert found["strength.retention_floors"] == {}

    def test_flat_of_nested_tables(self) -> None:
        """What a file holds, before it is a configuration."""
        assert flat({"a": {"b": 1, "c": {"d": "x"}}, "e": [1]}) == {
            "a.b": 1,
            "a.c.d": "x",
            "e": [1],
        }

    def test_differences(self) -> None:
        """Sorted by name; None where one side has no such entry."""
        one = Config(strength=StrengthConfig(curve="exponential", initial_days={"fact": 9.0}))
        other = Config(
            strength=StrengthConfig(
                initial_days={"fact": 9.0, "plan": 3.0}, retention_floors={"fact": 0.2}
            )
        )
        assert differences(one, other) == (
            ("strength.curve", "exponential", "fsrs6"),
            ("strength.initial_days.plan", None, 3.0),
            ("strength.retention_floors.fact", None, 0.2),
        )
        assert differences(one, one) == ()

    def test_what_a_setting_may_be(self) -> None:
        """A range, a choice, a list, a switch, a table of numbers, a text; each setting has one."""
        found = allowed(Config())
        wanted = {
            "retrieval.pool": "1 to 10000",
            "retrieval.tip.below": "0.0 to 1.0 or none",
            "strength.curve": "fsrs6, exponential, power_v9",
            "consolidation.promotion.rules": "a list of old, access, utility, entity",
            "retrieval.hyde": "true, false",
            "encoding.llm_roles": "a list of user, assistant, system, tool",
            "encoding.trust.tool": "above 0, at most 1",
            "strength.initial_days.fact": "above 0, at most 36500",
            "observation.personality": "above 0, at most 1, for any of honesty, emotionality, extraversion, "
            "agreeableness, conscientiousness, openness",
            "storage.ledger_url": "a text or none",
        }
        assert {name: found[name] for name in wanted} == wanted
        assert found.keys() == flat(Config()).keys()
