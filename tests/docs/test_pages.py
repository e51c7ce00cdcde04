"""README and guide: every snippet runs, every path exists, and no page is too long to be read."""

import doctest
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import cogmem_core
import cogmem_core.adapters.openai_clients
import cogmem_core.engine.engine
import cogmem_core.engine.items
import cogmem_core.testing
from cogmem_core import models
from helpers.loopback_llm import LoopbackServer, Reply
from helpers.script_runner import Scripts
from helpers.tables import each_row

ROOT = Path(__file__).resolve().parents[2]
GUIDE = sorted((ROOT / "cookbook" / "guide").glob("*.md"))
LLMS = ROOT / "cookbook" / "llms.txt"
GLOSSARY = (ROOT / "cookbook" / "guide" / "glossary.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "cookbook" / "README.md", *GUIDE, LLMS]
GENERATED = [*(ROOT / "cookbook" / "reference").glob("*.md"), ROOT / "cookbook" / "measurements.md"]
DOCUMENTS = [
    *PAGES,
    *GENERATED,
    ROOT / "core" / "ARCHITECTURE.md",
    *(ROOT / ".github").glob("*.md"),
]
TEXTS = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in PAGES}
PRESETS = "cookbook/guide/presets.md"
LANGUAGES = {"python", "console", "toml", "json", "sql", "text"}
COMMANDS = """
import contextlib, io, json, sys
from cogmem_cli.main import run

def cogm(*arguments):
    sys.argv = ["cogm", *arguments]
    with contextlib.redirect_stdout(io.StringIO()) as out:
        try:
            run()
        except SystemExit as ended:
            if ended.code:
                sys.exit(f"{{arguments}} ended with {{ended.code}}")
    return out.getvalue()

for arguments in {commands!r}:
    if "ID" in arguments:
        first = json.loads(cogm("list", "--json"))["memories"][0]["id"]
        arguments = [first if word == "ID" else word for word in arguments]
    cogm(*arguments)
"""


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of one language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def with_blocks(language: str) -> list[str]:
    return [name for name, text in TEXTS.items() if blocks(text, language)]


@pytest.fixture(scope="module")
def with_model() -> Iterator[dict[str, str]]:
    """An environment in which every OpenAI-compatible client finds a model."""
    with LoopbackServer(default=Reply.text("You moved to Porto.")) as server:
        yield {**os.environ, "OPENAI_BASE_URL": server.address, "OPENAI_API_KEY": "none"}


@pytest.mark.parametrize("page", with_blocks("python"))
def test_the_python_of_a_page_runs_and_prints_what_it_says(
    page: str, scripts: Scripts, tmp_path: Path, with_model: dict[str, str]
) -> None:
    """The blocks of a page run one after the other in one process; "# prints:" tells lines of the output, in order."""
    source = "\n".join(blocks(TEXTS[page], "python"))
    done = scripts.run(source, tmp_path, with_model)
    assert (done.code, done.err) == (0, "")
    printed = iter(done.out.splitlines())
    expected = re.findall(r"# prints: (.*)", source)
    assert [line for line in expected if line not in printed] == []


@pytest.mark.parametrize("page", with_blocks("console"))
def test_the_commands_of_a_page_run(page: str, scripts: Scripts, tmp_path: Path) -> None:
    """Each succeeds, one after the other, on one bank in one process; ID stands for the id of its first memory."""
    environment = {**os.environ, "COGMEM_PATH": str(tmp_path / "bank"), "COLUMNS": "120"}
    commands = []
    for line in "".join(blocks(TEXTS[page], "console")).splitlines():
        prompt, program, *arguments = shlex.split(line)
        assert prompt == "$"
        assert program in ("cogm", "pip")
        if program == "cogm":
            commands.append(arguments)
    done = scripts.run(COMMANDS.format(commands=commands), tmp_path, environment)
    told = [line for line in done.err.splitlines() if not line.startswith("times are those of ")]
    assert (done.code, told) == (0, [])


def test_the_first_minute_finds_what_it_is_asked_for(scripts: Scripts, tmp_path: Path) -> None:
    """The first line that a newcomer sees is the right memory with the caller's own id of the turn."""
    done = scripts.run(blocks(TEXTS["README.md"], "python")[0], tmp_path)
    assert done.out.splitlines()[0] == "I moved to Lisbon in May ('turn-1',)"


@pytest.mark.parametrize("page", with_blocks("toml"))
def test_a_settings_file_of_a_page_is_read(page: str, tmp_path: Path) -> None:
    """Its sections and settings exist."""
    for block in blocks(TEXTS[page], "toml"):
        (tmp_path / "cogmem.toml").write_text(block, encoding="utf-8")
        assert cogmem_core.load_config(tmp_path) != cogmem_core.Config()


def test_no_other_kind_of_block_escapes_the_tests() -> None:
    """Others run SQL (tests/fault/test_erasure_on_servers.py) and JSON (tests/unit/eval/test_lives.py)."""
    marked = {
        language
        for text in TEXTS.values()
        for language in re.findall(r"^```(\w*)\n.*?^```", text, re.DOTALL | re.MULTILINE)
    }
    assert marked <= LANGUAGES


def test_the_readme_is_short_and_safe_for_a_package_index() -> None:
    """An index shows it without the repository, so it holds no relative link."""
    readme = TEXTS["README.md"]
    assert len(readme.splitlines()) <= 150
    assert len(readme.encode()) <= 8_000
    assert re.findall(r"\]\((?!https?://)", readme) == []


def test_the_figures_of_the_readme_are_measured() -> None:
    """Each number of what cogmem does stands in cookbook/measurements.md; there are five at most."""
    table = TEXTS["README.md"].split("| you want |")[1].split("\n\n")[0]
    figures = re.findall(r"(?<![@\d])\d+[.,]\d+|(?<![@\d])\d{2,}", table)
    measured = (ROOT / "cookbook" / "measurements.md").read_text(encoding="utf-8")
    assert 0 < len(figures) <= 5
    assert [figure for figure in figures if figure not in measured] == []


def test_no_page_of_the_guide_is_long() -> None:
    """A page is read in one go."""
    assert [page.name for page in GUIDE if page.read_text("utf-8").count("\n") > 300] == []


@each_row("document", DOCUMENTS)
def test_every_file_that_a_document_names_is_there(document: Path) -> None:
    """Links lead somewhere, and so do paths in plain text."""
    text = document.read_text(encoding="utf-8")
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", text)]
    linked = [link for link in links if "://" not in link and not (document.parent / link).exists()]
    plain = re.findall(r"(?<![\w/.\]])((?:cookbook|tests|core|\.github)/[\w./-]*\w)", text)
    named = [path for path in plain if not (ROOT / path).exists()]
    assert linked + named == []


def test_each_phase_that_a_design_plans_has_its_page_and_its_tests() -> None:
    """Five to eleven; what is left out is named there."""
    (table,) = re.findall(
        r"^## What v9's document only plans\n(.*?)^## ", TEXTS[PRESETS], re.S | re.M
    )
    rows = [line.split(" | ") for line in table.splitlines() if line.startswith("| ")][1:]
    assert [int(row[0].strip("| ").partition(":")[0]) for row in rows] == list(range(5, 12))
    for _, met, page, tests in rows:
        assert met
        assert re.search(r"\]\([\w-]+\.md\)", page)
        names = re.findall(r"tests/[\w/]+\.py", tests)
        assert names
        assert [name for name in names if not (ROOT / name).exists()] == []


def test_no_page_needs_a_word_that_the_glossary_lacks() -> None:
    """What pages introduce in bold, states and kinds, and words of the house that a page of the guide uses."""
    defined = re.findall(r"^\| ([^|]+?) \|", GLOSSARY, re.MULTILINE)[1:]
    assert defined == sorted(defined, key=str.lower)
    pages = {name: text for name, text in TEXTS.items() if not name.endswith("glossary.md")}
    everything = "\n".join(pages.values())
    concepts = pages["cookbook/guide/concepts.md"]
    introduced = {word.lower().rstrip("s") for word in re.findall(r"\*\*([\w ]+)\*\*", concepts)}
    kinds = [models.State, models.Tier, models.FeedbackSignal]
    named = {word for kind in kinds for word in get_args(kind)}
    house = (ROOT / "core" / "ARCHITECTURE.md").read_text(encoding="utf-8").split("## Glossary")[1]
    words = re.findall(r"^\| ([a-z ]+?) \|", house, re.MULTILINE)[1:]
    used = {
        word.replace("neighbor", "neighbour").replace("context block", "block")
        for word in words
        if re.search(rf"\b{word}s?\b", everything, re.IGNORECASE)
    }
    assert (introduced | named | used) - {*defined, "change"} == set()
    stems = {word: word.rstrip("e") for word in defined}
    unused = [word for word in defined if stems[word].lower() not in everything.lower()]
    assert unused == []


def test_llms_txt_leads_to_every_page_of_the_guide() -> None:
    """And to nothing else; its example runs with the pages' own."""
    text = (ROOT / "cookbook" / "llms.txt").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert [link for link in links if not (ROOT / "cookbook" / link).exists()] == []
    assert {f"guide/{page.name}" for page in GUIDE} <= {*links}


@pytest.mark.parametrize(
    "module",
    [
        cogmem_core,
        cogmem_core.adapters.openai_clients,
        cogmem_core.engine.engine,
        cogmem_core.engine.items,
        cogmem_core.testing,
    ],
    ids=lambda module: module.__name__,
)
def test_docstring_examples_run(module: object) -> None:
    """What a docstring shows is what happens."""
    failed, tried = doctest.testmod(module)  # type: ignore[arg-type]
    assert tried > 0
    assert failed == 0
