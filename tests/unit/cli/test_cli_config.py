"""The command `cogm config show`: what it answers, in words and as JSON."""

import pytest

from cogmem_core.config import Config
from cogmem_core.config.presets import preset
from cogmem_core.config.settings import described, flat
from helpers.tables import each_row_of


@pytest.fixture
def written(folder, cog):
    """Writes the bank's `cogmem.toml`."""
    return lambda text: (folder / "cogmem.toml").write_text(text, encoding="utf-8")


class TestShow:
    def test_every_setting(self, ask):
        """Value, origin, what it may be and what it means; none is left out."""
        answer = ask("config", "show")
        assert answer["settings"].keys() == flat(Config()).keys()
        assert answer["settings"]["retrieval.pool"] == {
            "value": 64,
            "origin": "default",
            "allowed": "an integer from 1 to 10000",
            "meaning": "Candidates taken from each ranker; at least 3 k of them.",
        }
        assert answer["preset"] == ""

    def test_every_setting_has_a_meaning(self):
        """One sentence at least."""
        assert [name for name, setting in described(Config()).items() if not setting.meaning] == []

    def test_table(self, cog, folder, written):
        """Name, value, origin, and the first clause of the meaning."""
        written('[retrieval]\npool = 50\n[strength]\ncurve = "exponential"\n')
        shown = cog(
            "config", "show", env={"COGMEM_RETRIEVAL__MMR_LAMBDA": "0.5", "COLUMNS": "300"}
        ).stdout
        lines = {line.split()[0]: " ".join(line.split()[1:]) for line in shown.splitlines()[3:-1]}
        path = folder / "cogmem.toml"
        assert lines["retrieval.pool"] == f"50 file {path} Candidates taken from each ranker"
        assert lines["strength.curve"] == f"exponential file {path} Name of the forgetting curve"
        assert lines["retrieval.mmr_lambda"].startswith(
            "0.5 environment COGMEM_RETRIEVAL__MMR_LAMBDA 1 = relevance only"
        )
        assert lines["retrieval.hyde"].startswith("false default Hypothetical answers")
        assert lines["strength.retention_floors"].startswith("- default Retention below which")
        assert lines["encoding.trust.tool"].startswith("0.6 default Trust in what is said")

    @each_row_of("cli_config/a_section")
    def test_a_section(self, ask, section, count):
        """A section, a section of a section, or one setting."""
        settings = ask("config", "show", section)["settings"]
        assert len(settings) == count
        assert all(name.startswith(section.strip().lower()) for name in settings)

    def test_a_preset(self, ask, folder, written):
        """What the preset sets says so; what the file sets above it is the file's."""
        written('preset = "v9"\n[retrieval]\nmmr_lambda = 0.8\n')
        answer = ask("config", "show")
        settings = answer["settings"]
        assert answer["preset"] == "v9"
        curve, diversity = settings["strength.curve"], settings["retrieval.mmr_lambda"]
        assert (curve["value"], curve["origin"]) == ("power_v9", "preset v9")
        assert (diversity["value"], diversity["origin"]) == (0.8, f"file {folder / 'cogmem.toml'}")

    def test_a_preset_is_what_other_commands_work_with(self, cog, ask, written):
        """The engine's curve is that of the preset: exp(-3t/S) is down to 0.3 in 2 days, FSRS-6 is not."""
        cog("remember", "I moved to Lisbon in May")
        assert ask("forecast", "--days", "10")["events"] == []
        written('preset = "agentos"\n')
        assert [event["what"] for event in ask("forecast", "--days", "10")["events"]][:1] == [
            "endangered"
        ]


class TestEmbedderVariable:
    def test_it_names_the_embedder_of_a_new_bank_only(self, ask, tmp_path):
        """`COGMEM_EMBEDDER`; a bank that is there keeps its own, also when its indexes are built anew."""
        here, one, other = (
            ("--path", tmp_path / "new"),
            {"COGMEM_EMBEDDER": "hashing:64"},
            {"COGMEM_EMBEDDER": "minilm"},
        )
        ask("remember", "I moved to Lisbon in May", *here, env=one)
        ask("reindex", *here, env=other)
        assert ask("init", *here, env=other)["embedder"] == "hashing-v1-64"


class TestChanged:
    """`--changed`: only what differs from the defaults."""

    def test_what_the_bank_sets(self, ask, written):
        """A value that is as by default is left out, whoever says it."""
        written("[retrieval]\npool = 50\nhyde = false\n")
        settings = ask("config", "show", "--changed")["settings"]
        assert {name: setting["value"] for name, setting in settings.items()} == {
            "retrieval.pool": 50
        }

    def test_what_a_preset_sets(self, ask):
        """Every setting in which it differs from the defaults."""
        settings = ask("config", "show", "--changed", env={"COGMEM_PRESET": "v9"})["settings"]
        assert settings["retrieval.weights.similarity"]["value"] == 0.4
        defaults = flat(Config())
        assert settings.keys() == {
            name for name, value in flat(preset("v9")).items() if value != defaults[name]
        }
        assert {setting["origin"] for setting in settings.values()} == {"preset v9"}

    def test_of_a_section(self, ask):
        settings = ask("config", "show", "guard", "--changed", env={"COGMEM_PRESET": "v9"})
        assert list(settings["settings"]) == ["guard.on", "guard.quarantine"]

    def test_nothing(self, cog):
        assert cog("config", "show", "--changed").stdout == "every setting is as by default\n"


class TestPasswords:
    def test_they_are_not_shown(self, cog, ask):
        """In neither form."""
        variables = {"COGMEM_STORAGE__LEDGER_URL": "postgresql+psycopg://me:s3cret@host/db"}
        settings = ask("config", "show", "--changed", env=variables)["settings"]
        shown = settings["storage.ledger_url"]["value"]
        assert shown == "postgresql+psycopg://me:***@host/db"
        assert "s3cret" not in cog("config", "show", "--changed", env=variables).stdout

    @each_row_of("cli_config/nor_are_those_that_were_not_encoded")
    def test_nor_are_those_that_were_not_encoded(self, ask, url, shown):
        """The last @ ends the password; an address that nobody can use may hold one, too."""
        settings = ask(
            "config", "show", "storage.ledger_url", env={"COGMEM_STORAGE__LEDGER_URL": url}
        )["settings"]
        assert settings["storage.ledger_url"]["value"] == shown


class TestSet:
    """`config set` changes one line of the file of settings."""

    def test_all_else_in_the_file_stays(self, cog, folder, written):
        """Comments, order, the mode; the value is told before and after."""
        written("# mine\n[retrieval]\nhyde = false  # slow\n")
        (folder / "cogmem.toml").chmod(0o640)
        done = cog("config", "set", "Retrieval.Pool", "50")
        assert done.stdout == f"retrieval.pool: 64 -> 50 ({folder / 'cogmem.toml'})\n"
        cog("config", "set", "preset", "v9")
        cog("config", "set", "encoding.trust.tool", "0.3")
        cog("config", "set", "llm.calls_per_day", "none")
        assert (folder / "cogmem.toml").read_text(encoding="utf-8") == (
            '# mine\npreset = "v9"\n\n[retrieval]\nhyde = false  # slow\npool = 50\n\n'
            '[encoding.trust]\ntool = 0.3\n\n[llm]\ncalls_per_day = "none"\n'
        )
        assert (folder / "cogmem.toml").stat().st_mode & 0o777 == 0o640
        assert [path for path in folder.iterdir() if path.suffix == ".part"] == []

    def test_the_file_that_is_read_is_the_one_that_is_written(self, ask, tmp_path):
        """It and its folder are made; COGMEM_CONFIG names another one; --default takes a line out."""
        new = ("--path", tmp_path / "new")
        change = ask("config", "set", "retrieval.pool", "50", *new)
        assert change == {
            "path": str(tmp_path / "new" / "cogmem.toml"),
            "setting": "retrieval.pool",
            "before": 64,
            "after": 50,
        }
        other = {"COGMEM_CONFIG": str(tmp_path / "other.toml")}
        assert ask("config", "set", "retrieval.pool", "70", *new, env=other)["before"] == 64
        assert (
            ask("config", "show", "retrieval.pool", *new)["settings"]["retrieval.pool"]["value"]
            == 50
        )
        back = ask("config", "set", "retrieval.pool", "--default", *new)
        assert (back["before"], back["after"]) == (50, 64)
        # A file that no engine opens with is corrected by the same command.
        (tmp_path / "other.toml").write_text("[retrieval]\npool = 0\n", encoding="utf-8")
        ask("config", "set", "retrieval.pool", "50", *new, env=other)
        assert (tmp_path / "other.toml").read_text() == "[retrieval]\npool = 50\n"

    @each_row_of("cli_config/what_is_wrong_changes_nothing")
    def test_what_is_wrong_changes_nothing(self, cog, folder, written, words, problem):
        written("[retrieval]\npool = 50\n")
        done = cog("config", "set", *words)
        assert (done.exit_code, done.stdout) == (2, "")
        assert problem in done.stderr
        assert (folder / "cogmem.toml").read_text() == "[retrieval]\npool = 50\n"


class TestDescribe:
    def test_all_that_is_known_of_a_setting(self, cog, ask, folder, written):
        """Meaning, what it may be, default, value and where that is from, the variable."""
        written("[retrieval]\npool = 50\n")
        assert cog("config", "describe", "retrieval.pool").stdout == (
            "retrieval.pool\n"
            "  Candidates taken from each ranker; at least 3 k of them.\n"
            "  may be    an integer from 1 to 10000\n"
            "  default   64\n"
            f"  value     50 (file {folder / 'cogmem.toml'})\n"
            "  variable  COGMEM_RETRIEVAL__POOL\n"
        )
        assert ask("config", "describe")["settings"].keys() == flat(Config()).keys()
        done = cog("config", "describe", "retreival")
        assert done.exit_code == 2
        assert done.stderr.endswith("; the nearest one is 'retrieval'\n")
