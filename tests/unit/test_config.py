"""Settings: bounds are checked all at once, and code, file and environment have an order."""

from __future__ import annotations

from pathlib import Path

import pytest

from cogmem.config import Config, RetrievalConfig, SignalWeights, StorageConfig, StrengthConfig
from cogmem.errors import ConfigError
from cogmem.loading import chosen_preset, load_config, origins
from cogmem.presets import PRESETS, preset
from cogmem.settings import allowed, differences, flat


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


def written(folder: Path, text: str) -> Path:
    (folder / "cogmem.toml").write_text(text, encoding="utf-8")
    return folder


class TestPresetInAFile:
    """`preset = "v9"` at the top of the file, or `COGMEM_PRESET=v9`, starts from there instead of the defaults."""

    @pytest.mark.parametrize("name", PRESETS)
    def test_it_is_the_preset(self, tmp_path: Path, name: str) -> None:
        """Each by its name, from the file and from the environment."""
        assert load_config(written(tmp_path, f'preset = "{name}"\n'), environ={}) == preset(name)
        assert load_config(None, environ={"COGMEM_PRESET": name}) == preset(name)

    def test_a_section_overrides_single_values(self, tmp_path: Path) -> None:
        """What is given wins; the rest of the section stays the preset's."""
        text = 'preset = "v9"\n[strength]\nmaximum_days = 100.0\n[retrieval.weights]\nactivation = 0.2\n'
        config = load_config(written(tmp_path, text), environ={"COGMEM_RETRIEVAL__POOL": "30"})
        assert (config.strength.curve, config.strength.maximum_days) == ("power_v9", 100.0)
        assert (config.retrieval.weights.activation, config.retrieval.weights.similarity) == (0.2, 0.4)
        assert config.retrieval.pool == 30

    def test_a_table_of_numbers_is_replaced_as_without_a_preset(self, tmp_path: Path) -> None:
        """`preset = "default"` changes nothing."""
        table = "[strength.initial_days]\nfact = 9.0\n"
        plain = load_config(written(tmp_path, table), environ={})
        named = load_config(written(tmp_path, f'preset = "default"\n{table}'), environ={})
        assert plain == named == Config(strength=StrengthConfig(initial_days={"fact": 9.0}))

    def test_the_file_wins_over_the_environment(self, tmp_path: Path) -> None:
        """The same order as for every setting."""
        folder = written(tmp_path, 'preset = "v9"\n')
        environ = {"COGMEM_PRESET": "agentos"}
        assert load_config(folder, environ=environ) == preset("v9")
        assert (chosen_preset(folder, environ=environ), chosen_preset(None, environ=environ)) == ("v9", "agentos")
        assert chosen_preset(None, environ={}) == chosen_preset(None, environ={"COGMEM_PRESET": ""}) == ""

    def test_origins_say_preset(self, tmp_path: Path) -> None:
        """A value that the preset sets; what it leaves as it was is a default, what is given is the file's."""
        folder = written(tmp_path, 'preset = "v9"\n[retrieval]\nmmr_lambda = 0.8\n')
        found = origins(folder, environ={"COGMEM_ENCODING__MODE": "raw"})
        names = ("strength.curve", "retrieval.mmr_lambda", "encoding.mode", "retrieval.max_k")
        assert [found[name] for name in names] == ["preset", "file", "environment", "default"]
        assert "preset" not in found

    def test_an_empty_section_is_no_setting(self, tmp_path: Path) -> None:
        """`[retrieval]` alone gives nothing."""
        found = origins(written(tmp_path, "[retrieval]\n"), environ={})
        assert "retrieval" not in found
        assert set(found.values()) == {"default"}

    @pytest.mark.parametrize(("text", "told"), [('"v8"', "'v8'"), ("3", "'3'"), ('["v9"]', r"\"\['v9'\]\"")])
    def test_a_bad_name_lists_the_presets(self, tmp_path: Path, text: str, told: str) -> None:
        """ConfigError, beside whatever else is wrong."""
        folder = written(tmp_path, f"preset = {text}\n[retrieval]\npool = 0\n")
        known = "default, agentos, v9, unified-update, cognitive-memory"
        with pytest.raises(ConfigError, match=f"there is no preset {told}; use one of {known}; retrieval.pool is 0"):
            load_config(folder, environ={})

    def test_a_bad_name_in_the_environment(self) -> None:
        """Somebody meant it."""
        with pytest.raises(ConfigError, match="there is no preset 'v8'; use one of default, agentos"):
            load_config(None, environ={"COGMEM_PRESET": "v8"})

    def test_a_section_is_not_a_value(self, tmp_path: Path) -> None:
        """A number in place of a section was meant for something; silence would hide the mistake."""
        with pytest.raises(ConfigError, match="retrieval is 3; it is a section: give its settings"):
            load_config(written(tmp_path, "retrieval = 3\n"), environ={})


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
        assert flat({"a": {"b": 1, "c": {"d": "x"}}, "e": [1]}) == {"a.b": 1, "a.c.d": "x", "e": [1]}

    def test_differences(self) -> None:
        """Sorted by name; None where one side has no such entry."""
        one = Config(strength=StrengthConfig(curve="exponential", initial_days={"fact": 9.0}))
        other = Config(strength=StrengthConfig(initial_days={"fact": 9.0, "plan": 3.0}, retention_floors={"fact": 0.2}))
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
            "strength.initial_days.fact": "above 0",
            "strength.retention_floors": "above 0",
            "storage.ledger_url": "a text or none",
        }
        assert {name: found[name] for name in wanted} == wanted
        assert found.keys() == flat(Config()).keys()
