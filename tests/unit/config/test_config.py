"""Settings: code, file and environment have an order."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest

import cogmem_core
from cogmem_core.config import (
    Config,
    ObservationConfig,
    RetrievalConfig,
    SignalWeights,
    StrengthConfig,
)
from cogmem_core.config.loading import load_config, origins
from cogmem_core.config.settings import described, flat, meanings
from cogmem_core.errors import ConfigError, InvalidInput
from helpers.config_files import written
from helpers.tables import each_row, each_row_of, rows_of


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
        "retrieval.pool": f"file {tmp_path / 'cogmem.toml'}",
        "encoding.mode": "environment COGMEM_ENCODING__MODE",
        "retrieval.max_k": "default",
    }


def test_a_named_file_is_read_from_anywhere(tmp_path: Path) -> None:
    """`COGMEM_CONFIG` replaces the file in the bank's folder."""
    (tmp_path / "mine.toml").write_text('[strength]\ncurve = "exponential"\n', encoding="utf-8")
    config = load_config(None, environ={"COGMEM_CONFIG": str(tmp_path / "mine.toml")})
    assert config.strength.curve == "exponential"


@each_row(
    ("text", "words"),
    [
        *rows_of("config/a_wrong_file_is_refused"),
        ("[retrieval]\nmax_k = " + "9" * 400, "use an integer from 1 to 100000"),
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
        "part of; unset one of them; retrieval.max_k is 0; use an integer from 1 to 100000"
    )


def test_a_missing_named_file_is_an_error(tmp_path: Path) -> None:
    """Somebody meant it; silence would hide the mistake."""
    with pytest.raises(ConfigError, match="cannot read the configuration file"):
        load_config(None, environ={"COGMEM_CONFIG": str(tmp_path / "none.toml")})


class TestNearestNames:
    """A name that is no setting is refused with the nearest one, wherever it stands."""

    def test_in_nested_tables_and_variables(self, tmp_path: Path) -> None:
        """Each with its whole name."""
        folder = written(
            tmp_path, "[retrieval.weights]\nsimilarty = 0.5\n[encoding.trust]\nasistant = 0.5\n"
        )
        with pytest.raises(ConfigError) as caught:
            load_config(folder, environ={"COGMEM_STORAGE__INDEX_ABOV": "5"})
        assert str(caught.value).split("; ") == [
            "storage.index_abov is not a setting",
            "the nearest is storage.index_above",
            "retrieval.weights.similarty is not a setting",
            "the nearest is retrieval.weights.similarity",
            "encoding.trust.asistant is not a setting",
            "the nearest is encoding.trust.assistant",
        ]

    def test_keyword_arguments(self) -> None:
        """Of a section, and of `dataclasses.replace`."""
        arguments: dict[str, Any] = {"pol": 3}
        with pytest.raises(
            ConfigError, match=r"^retrieval\.pol is .*; the nearest is retrieval\.pool$"
        ):
            RetrievalConfig(**arguments)
        with pytest.raises(ConfigError, match=r"^retreival is not .*; the nearest is retrieval$"):
            dataclasses.replace(Config(), retreival=RetrievalConfig())  # type: ignore[call-arg]


class TestMisspeltVariables:
    """A name that is nearly one that cogmem reads was meant for it."""

    @each_row_of("config/it_is_refused")
    def test_it_is_refused(self, name: str, nearest: str) -> None:
        """With the nearest name, beside whatever else is wrong, and without the value, which may be a secret."""
        with pytest.raises(ConfigError) as caught:
            load_config(None, environ={name: "s3cret", "COGMEM_RETRIEVAL__POOL": "0"})
        assert str(caught.value) == (
            f"{name} is no variable of cogmem; the nearest one is {nearest}: rename it, or unset it; "
            "retrieval.pool is 0; use an integer from 1 to 10000"
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

    @each_row("config", [{}, {"retrieval": {}}, "v9", 0, False, RetrievalConfig()])
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
    """The reference is made of it; one sentence for all of them says nothing of any."""
    texts = list(meanings(SignalWeights).values())
    assert len(set(texts)) == len(dataclasses.fields(SignalWeights))


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

    def test_what_a_setting_may_be(self) -> None:
        """A range, a choice, a list, a switch, a table of numbers, a text; each setting has one."""
        found = {name: setting.allowed for name, setting in described(Config()).items()}
        wanted = {
            "retrieval.pool": "an integer from 1 to 10000",
            "consolidation.fading.below": "a number from 0.0 to 1.0, or none",
            "strength.curve": "one of fsrs6, exponential, power_v9",
            "consolidation.promotion.rules": "a list of some of old, access, utility, entity",
            "retrieval.hyde": "true or false",
            "encoding.llm_roles": "a list of some of user, assistant, system, tool",
            "encoding.trust.tool": "a number above 0 and at most 1",
            "strength.initial_days.fact": "a number above 0 and at most 36500",
            "observation.personality": "a table with a number above 0 and at most 1 for some of "
            "honesty, emotionality, extraversion, agreeableness, conscientiousness, openness",
            "storage.ledger_url": "a text, or none",
        }
        assert {name: found[name] for name in wanted} == wanted
        assert found.keys() == flat(Config()).keys()
