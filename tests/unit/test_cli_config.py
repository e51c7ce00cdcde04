"""The commands `cogm config show` and `cogm config diff`: what they answer, in words and as JSON."""

import pytest

from cogmem_core.config import Config
from cogmem_core.config.presets import preset
from cogmem_core.config.settings import flat


@pytest.fixture
def written(folder, cog):
    """Writes the bank's `cogmem.toml`."""
    return lambda text: (folder / "cogmem.toml").write_text(text, encoding="utf-8")


def rows(shown):
    """The lines of a table, by their first word."""
    return {line.split()[0]: line.split()[1:] for line in shown.splitlines() if "." in line}


class TestShow:
    def test_every_setting(self, ask):
        """Value, origin, and what it may be; none is left out."""
        answer = ask("config", "show")
        assert answer["settings"].keys() == answer["allowed"].keys() == flat(Config()).keys()
        assert answer["settings"]["retrieval.pool"] == {"value": 64, "origin": "default"}
        assert answer["allowed"]["retrieval.pool"] == "1 to 10000"
        assert answer["preset"] == ""

    def test_table(self, cog, written):
        """Name, value, origin, range or choices."""
        written('[retrieval]\npool = 50\n[strength]\ncurve = "exponential"\n')
        shown = rows(
            cog("config", "show", env={"COGMEM_LEXICAL__B": "0.5", "COLUMNS": "200"}).stdout
        )
        assert shown["retrieval.pool"] == ["50", "file", "1", "to", "10000"]
        assert shown["strength.curve"] == [
            "exponential",
            "file",
            "fsrs6,",
            "exponential,",
            "power_v9",
        ]
        assert shown["lexical.b"][:2] == ["0.5", "environment"]
        assert shown["retrieval.hyde"] == ["false", "default", "true,", "false"]
        assert shown["strength.retention_floors"][:2] == ["-", "default"]
        assert shown["encoding.trust.tool"] == ["0.6", "default", "above", "0,", "at", "most", "1"]
        assert shown["retrieval.injection.hot_share"] == ["0.3333", "default", "0.0", "to", "0.5"]

    @pytest.mark.parametrize(
        ("section", "count"),
        [("retrieval.tip", 6), ("RETRIEVAL.TIP ", 6), ("retrieval.tip.cues", 1), ("working", 4)],
    )
    def test_a_section(self, ask, section, count):
        """A section, a section of a section, or one setting."""
        settings = ask("config", "show", section)["settings"]
        assert len(settings) == count
        assert all(name.startswith(section.strip().lower()) for name in settings)

    @pytest.mark.parametrize("section", ["retrieva", "tip", "", "retrieval.nope"])
    def test_no_such_section(self, cog, section):
        """Exit 2, and the sections that there are."""
        done = cog("config", "show", section)
        assert (done.exit_code, done.stdout) == (2, "")
        assert f"there is no section {section!r}; the sections are consolidation, " in done.stderr

    def test_a_preset(self, ask, written):
        """What the preset sets says so; what the file sets above it is the file's."""
        written('preset = "v9"\n[retrieval]\nmmr_lambda = 0.8\n')
        answer = ask("config", "show")
        settings = answer["settings"]
        assert answer["preset"] == "v9"
        assert settings["strength.curve"] == {"value": "power_v9", "origin": "preset"}
        assert settings["retrieval.mmr_lambda"] == {"value": 0.8, "origin": "file"}

    def test_a_bad_preset(self, cog):
        """The set-up is wrong, not the command: exit 1 and the presets that there are."""
        done = cog("config", "show", env={"COGMEM_PRESET": "v8"})
        assert (done.exit_code, done.stdout) == (1, "")
        assert "there is no preset 'v8'; use one of default, agentos, v9, " in done.stderr

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


class TestDiff:
    def test_a_preset_and_the_bank(self, ask, written):
        """The default preset unless one is named: what this bank sets."""
        written("[retrieval]\npool = 50\n")
        assert ask("config", "diff") == {
            "left": "default",
            "right": "this bank",
            "differences": [{"setting": "retrieval.pool", "left": 64, "right": 50}],
        }

    def test_two_presets(self, ask):
        """Every setting in which they differ, sorted by name."""
        answer = ask("config", "diff", "default", "v9")
        found = {row["setting"]: (row["left"], row["right"]) for row in answer["differences"]}
        left, right = flat(preset("default")), flat(preset("v9"))
        assert found["strength.curve"] == ("fsrs6", "power_v9")
        assert found["retrieval.weights.similarity"] == (0.5, 0.4)
        assert "storage.index_above" not in found
        assert list(found) == sorted(found)
        assert found.keys() == {
            name for name in left.keys() | right.keys() if left.get(name) != right.get(name)
        }
        assert (answer["left"], answer["right"]) == ("default", "v9")

    def test_table(self, cog, written):
        """The two as columns."""
        written("[retrieval]\npool = 50\nhyde = true\n")
        shown = cog("config", "diff").stdout
        assert shown.split()[:4] == ["setting", "default", "this", "bank"]
        assert rows(shown) == {"retrieval.hyde": ["false", "true"], "retrieval.pool": ["64", "50"]}

    def test_the_same(self, cog):
        assert cog("config", "diff").stdout == "default and this bank are the same\n"
        assert cog("config", "diff", "v9", "v9").stdout == "v9 and v9 are the same\n"

    def test_no_such_preset(self, cog):
        """Exit 2, and the presets that there are."""
        for arguments in (("v8",), ("v9", "v8")):
            done = cog("config", "diff", *arguments)
            assert (done.exit_code, done.stdout) == (2, "")
            assert "there is no preset 'v8'; use one of default, agentos, v9, " in done.stderr

    def test_passwords_are_not_shown(self, cog, ask):
        """In neither form."""
        variables = {"COGMEM_STORAGE__LEDGER_URL": "postgresql+psycopg://me:s3cret@host/db"}
        (row,) = ask("config", "diff", env=variables)["differences"]
        assert row == {
            "setting": "storage.ledger_url",
            "left": None,
            "right": "postgresql+psycopg://me:***@host/db",
        }
        assert "s3cret" not in cog("config", "diff", env=variables).stdout

    @pytest.mark.parametrize(
        ("url", "shown"),
        [
            ("postgresql+psycopg://me:p@s3cret@host:1/db", "postgresql+psycopg://me:***@host:1/db"),
            ("postgresql+psycopg://me:s3/cr?et@s3@host/db", "postgresql+psycopg://me:***@host/db"),
            ("me:s3cret@host/db", "me:***@host/db"),
            (
                "postgresql+psycopg://host/db?user=me&password=s3cret",
                "postgresql+psycopg://host/db?user=me&password=***",
            ),
            ("sqlite:////tmp/a@b.db", "sqlite:////tmp/a@b.db"),
            (
                "postgresql://me:pw@host/db?password=x@tail",
                "postgresql://me:***@host/db?password=***",
            ),
            ("postgresql://me:pw?password=x@host", "postgresql://me:***@host"),
        ],
    )
    def test_nor_are_those_that_were_not_encoded(self, ask, url, shown):
        """The last @ ends the password; an address that nobody can use may hold one, too."""
        settings = ask(
            "config", "show", "storage.ledger_url", env={"COGMEM_STORAGE__LEDGER_URL": url}
        )["settings"]
        assert settings["storage.ledger_url"]["value"] == shown
