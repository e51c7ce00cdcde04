"""Settings: presets, by name and in a file."""

from pathlib import Path

import pytest

from cogmem_core.config import Config
from cogmem_core.config.loading import chosen_preset, load_config, origins
from cogmem_core.config.presets import PRESETS, preset
from cogmem_core.errors import ConfigError
from helpers.config_files import written


def test_presets_are_found_by_name() -> None:
    """An unknown one lists the known ones."""
    assert preset("default") == Config()
    with pytest.raises(
        ConfigError, match="there is no preset 'x'; use one of default, agentos, v9, unified-update"
    ):
        preset("x")
    with pytest.raises(ConfigError, match=r"there is no preset \[\]; use one of default"):
        preset([])  # type: ignore[arg-type]
    assert PRESETS == ("default", "agentos", "v9", "unified-update", "cognitive-memory")


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
        assert (config.retrieval.weights.activation, config.retrieval.weights.similarity) == (
            0.2,
            0.4,
        )
        assert config.retrieval.pool == 30

    def test_an_entry_of_a_table_leaves_the_others_of_the_preset(self, tmp_path: Path) -> None:
        """As without a preset; `preset = "default"` changes nothing."""
        table = "[consolidation.forgetting.minimum_days]\nfact = 9.0\n"
        for name in ("default", "v9"):
            config = load_config(written(tmp_path, f'preset = "{name}"\n{table}'), environ={})
            assert config.consolidation.forgetting.minimum_days == {
                "decision": 45,
                "fact": 9,
                "plan": 7,
                "other": 7,
            }
            assert config.strength == preset(name).strength
        assert load_config(written(tmp_path, table), environ={}) == load_config(
            written(tmp_path, f'preset = "default"\n{table}'), environ={}
        )

    def test_the_file_wins_over_the_environment(self, tmp_path: Path) -> None:
        """The same order as for every setting."""
        folder = written(tmp_path, 'preset = "v9"\n')
        environ = {"COGMEM_PRESET": "agentos"}
        assert load_config(folder, environ=environ) == preset("v9")
        assert (chosen_preset(folder, environ=environ), chosen_preset(None, environ=environ)) == (
            "v9",
            "agentos",
        )
        assert (
            chosen_preset(None, environ={})
            == chosen_preset(None, environ={"COGMEM_PRESET": ""})
            == ""
        )

    def test_origins_say_preset(self, tmp_path: Path) -> None:
        """A value that the preset sets; what it leaves as it was is a default, what is given is the file's."""
        folder = written(tmp_path, 'preset = "v9"\n[retrieval]\nmmr_lambda = 0.8\n')
        found = origins(folder, environ={"COGMEM_ENCODING__MODE": "raw"})
        names = ("strength.curve", "retrieval.mmr_lambda", "encoding.mode", "retrieval.max_k")
        assert [found[name] for name in names] == [
            "preset v9",
            f"file {folder / 'cogmem.toml'}",
            "environment COGMEM_ENCODING__MODE",
            "default",
        ]
        assert "preset" not in found

    def test_an_empty_section_is_no_setting(self, tmp_path: Path) -> None:
        """`[retrieval]` alone gives nothing."""
        found = origins(written(tmp_path, "[retrieval]\n"), environ={})
        assert "retrieval" not in found
        assert set(found.values()) == {"default"}

    @pytest.mark.parametrize(
        ("text", "told"), [('"v8"', "'v8'"), ("3", "'3'"), ('["v9"]', r"\"\['v9'\]\"")]
    )
    def test_a_bad_name_lists_the_presets(self, tmp_path: Path, text: str, told: str) -> None:
        """ConfigError, beside whatever else is wrong."""
        folder = written(tmp_path, f"preset = {text}\n[retrieval]\npool = 0\n")
        known = "default, agentos, v9, unified-update, cognitive-memory"
        with pytest.raises(
            ConfigError, match=f"there is no preset {told}; use one of {known}; retrieval.pool is 0"
        ):
            load_config(folder, environ={})

    def test_a_bad_name_in_the_environment(self) -> None:
        """Somebody meant it."""
        with pytest.raises(
            ConfigError, match="there is no preset 'v8'; use one of default, agentos"
        ):
            load_config(None, environ={"COGMEM_PRESET": "v8"})

    def test_a_section_is_not_a_value(self, tmp_path: Path) -> None:
        """A number in place of a section was meant for something; silence would hide the mistake."""
        with pytest.raises(
            ConfigError,
            match="retrieval is 3; it is a section: give a RetrievalConfig, or in a file",
        ):
            load_config(written(tmp_path, "retrieval = 3\n"), environ={})
