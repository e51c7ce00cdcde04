"""The recipes of the cookbook are run; what they print is what they say."""

import ast
import importlib
import importlib.util
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from helpers.loopback_llm import LoopbackServer, Reply
from helpers.script_runner import Scripts
from helpers.tables import each_case_of, each_row

COOKBOOK = Path(__file__).resolve().parents[2] / "cookbook"
RECIPES = sorted(
    path.stem
    for path in COOKBOOK.glob("*.py")
    if re.search("^# %%", path.read_text(encoding="utf-8"), re.MULTILINE)
)
INDEX = (COOKBOOK / "README.md").read_text(encoding="utf-8")


Printed = Callable[..., list[str]]


@pytest.fixture
def printed(scripts: Scripts) -> Printed:
    """What a recipe prints, run with the stand-in for a model unless the environment says otherwise."""

    def run(recipe: str, folder: Path, **environment: str) -> list[str]:
        inherited = {
            name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")
        }
        done = scripts.run(COOKBOOK / recipe, folder, {**inherited, **environment})
        assert (done.code, done.err) == (0, "")
        return done.out.splitlines()

    return run


def test_dream_cycle_is_forecast_rehearsed_run_and_undone(printed: Printed, tmp_path: Path) -> None:
    """Looking first, taking back: the dry run tells the cycle, undo brings back, the next cycle respects."""
    lines = printed("dream_cycle.py", tmp_path)
    cycle = [
        "  expiry: I fly to Rome on Friday (its time is over)",
        "  forgetting: We had dinner with Elif at the harbour (faded: retention 0.49)",
    ]
    assert lines[:13] == [
        "2026-06-05 expires: I fly to Rome on Friday (its time is over)",
        "2026-06-16 endangered: We had dinner with Elif at the harbour (its retention falls below 0.7)",
        "2026-10-30 dormant: We had dinner with Elif at the harbour (its retention falls below 0.5)",
        "a dry run: 2 changes",
        *cycle,
        "the cycle: 2 changes",
        *cycle,
        "recalled: ['I am allergic to penicillin', 'I like my coffee black']",
        "brought back: ['I fly to Rome on Friday', 'We had dinner with Elif at the harbour']",
        "the next cycle: 0 changes",
        "on record: ['done', 'undone']",
    ]
    assert list(tmp_path.iterdir()) == []


def test_agents_share_what_their_grants_show(printed: Printed, tmp_path: Path) -> None:
    """Refused, derived, witnessed, held, withdrawn."""
    refused = (
        "\"ben's agent\" has no right to read in 'ann/health'; ask who administers it for a grant"
    )
    assert printed("sharing.py", tmp_path) == [
        "Ann's agent reads: ['Ann has an operation on 12 May']",
        f"Ben's agent: {refused}",
        "ann finds in the team's memory: ['Ann is in hospital from 12 May on', 'The review moves to 2 June']",
        "ben finds in the team's memory: ['The review moves to 2 June']",
        "Ben's agent answers: You told me: The review moves to 2 June",
        "- (2026-06-01, just now, about 2026-06-02, one agent's word) The review moves to 2 June",
        "held",
        "on record: revoke ann/*: allow read",
        "on record: withdraw team ann/health: 1 memory: what it rests on was taken back",
        "Left in the team's memory: ['The review moves to 2 June', 'The review is on 2 June, says the calendar']",
    ]
    assert list(tmp_path.iterdir()) == []


def test_a_chain_knows_on_friday_what_was_said_on_monday(printed: Printed, tmp_path: Path) -> None:
    """Two sessions of a classic chain; what was used in an answer lasts longer than what was not."""
    assert printed("langchain_chain_memory.py", tmp_path) == [
        "The prompt held, best first:",
        " - My sister Lena lives in Oslo with her two cats.",
        " - I am allergic to hazelnuts, so no praline for me.",
        "The answer: You told me: My sister Lena lives in Oslo with her two cats.",
        "The answer: You told me: I am allergic to hazelnuts, so no praline for me.",
        "used 1, ignored in a row 0, lasts 1.6 times as long: My sister Lena lives in Oslo with her two cats.",
        "used 1, ignored in a row 0, lasts 1.6 times as long: I am allergic to hazelnuts, so no praline for me.",
        "used 0, ignored in a row 0, lasts 1.0 times as long: I work night shifts at the children's hospital.",
    ]
    assert list(tmp_path.iterdir()) == []


def test_retrieval_learns_what_answers_were_made_of(printed: Printed, tmp_path: Path) -> None:
    """A streamed answer is judged memory by memory, and after a week what was used stands higher."""
    lines = printed("langchain_rag_feedback.py", tmp_path)
    assert lines[0] == (
        "With which flag do database migrations run? "
        "You told me: Database migrations run before the deploy, with the flag --lock-timeout. (streamed)"
    )
    assert (
        lines[1]
        == "  used    100%  Database migrations run before the deploy, with the flag --lock-timeout."
    )
    assert [line[:10] for line in lines if line.startswith("  ")] == [
        "  used    ",
        *(["  unjudged"] * 3),
    ]
    assert lines[12].split(maxsplit=5)[:5] == ["3", "->", "1", "4", "0"]
    assert lines[-1] == "mean rank of what was used: 4.0 -> 2.5"
    assert list(tmp_path.iterdir()) == []


def test_an_agent_remembers_across_threads_and_learns_after_a_person_approved(
    printed: Printed, tmp_path: Path
) -> None:
    """Two users, an interrupted run that is resumed, and a thread without a trace of the memories."""
    favourite = "I am a vegetarian, and Casa Verde is my favourite restaurant."
    assert printed("langchain_agent.py", tmp_path) == [
        f"ann asks: Which restaurant is my favourite? You told me: {favourite}",
        "bob asks: Which restaurant is my favourite? I do not know that.",
        "The agent wants to call book_table with {'restaurant': 'Casa Verde', 'guests': 2}.",
        "Approved. Done: a table for 2 at Casa Verde is booked.",
        f"(1, 0) -> (2, 0) (used, ignored): {favourite}",
        "(0, 0) -> (0, 0) (used, ignored): I always sleep badly in rooms above the street.",
        "The thread: human, ai, tool, ai",
    ]
    assert list(tmp_path.iterdir()) == []


def test_feedback_improves_recall_of_what_is_asked_for_and_harms_nothing_else(
    printed: Printed, tmp_path: Path
) -> None:
    """Quality over days with and without feedback, printed and plotted."""
    assert printed("watch_it_improve.py", tmp_path) == [
        "no feedback: other words 0.58 -> 0.58, other notes 0.94 -> 0.94",
        "feedback, all words alike: other words 0.58 -> 0.67, other notes 0.94 -> 0.94",
        "feedback: other words 0.58 -> 0.74, other notes 0.94 -> 0.94",
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["watch_it_improve.png"]
    assert (tmp_path / "watch_it_improve.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="langmem cannot be imported on Python 3.10")
def test_a_store_serves_an_agent_and_langmem_and_outlives_the_process(
    printed: Printed, tmp_path: Path
) -> None:
    """Put, search and delete by whoever has the store; the bank recalls what is in it."""
    diary = ["The hedgehog under the shed woke up in March.", "The well ran dry in August."]
    assert printed("langgraph_store.py", tmp_path) == [
        "The agent: Done: fig tree is on the list.",
        "In the store: {'text': 'The fig tree stands by the south wall.', 'place': 'by the south wall'}",
        f"langmem kept, best first: {diary}",
        "Namespaces after a restart: [('garden', 'diary'), ('garden', 'plants')]",
        "Where does the fig tree stand? The fig tree stands by the south wall.",
        "What happened to the well? The well ran dry in August.",
        f"After the fig tree was deleted: {diary}",
    ]
    assert list(tmp_path.iterdir()) == []


def test_a_chat_history_keeps_its_messages_and_the_bank_what_matters(
    printed: Printed, tmp_path: Path
) -> None:
    """Two conversations, a streamed answer, a conversation that is cleared."""
    boat = "Our boat is called Swallow and lies in the harbour of Sines."
    assert printed("langchain_chat_history.py", tmp_path) == [
        f"On Monday: You told me: {boat}",
        f"On Friday: You told me: {boat}",
        "monday: 4 messages, human, ai, human, ai",
        "friday: 2 messages, human, ai",
        f"Streamed, and kept as one message of type ai: You told me: {boat}",
        "Messages of Monday: 0",
        f"Memories: ['{boat}']",
    ]
    assert list(tmp_path.iterdir()) == []


def test_other_memories_move_in_with_their_dates(printed: Printed, tmp_path: Path) -> None:
    """LangChain's own memories, and an export of mem0 (its time zones as UTC)."""
    assert printed("langchain_migrate.py", tmp_path) == [
        "ConversationBufferMemory: 6 messages, 2 of them worth remembering",
        "VectorStoreRetrieverMemory: My daughter Mia plays the cello.",
        "mem0: bob, 02 May 2024, m-1: Lives in Lisbon",
        "mem0: bob, 16 January 2025, m-2: Is allergic to cats",
        "mem0: eve, 30 June 2025, m-3: Learns Finnish",
        "Where does Ann live? Today: I live in Porto now.",
        "And in June 2025: I live in Berlin, in the Torstrasse.",
    ]
    assert list(tmp_path.iterdir()) == []


def test_users_of_a_web_service_are_isolated_and_the_last_words_survive_the_shutdown(
    printed: Printed, tmp_path: Path
) -> None:
    """Thirty concurrent requests of ten users to a server on the loopback, streamed; one reader hangs up."""
    assert printed("langchain_web_handler.py", tmp_path) == [
        "Streamed: ['You ', 'told ', 'me: ', 'I ', 'live ', 'in ', 'the ', 'city ', 'of ', 'Athens.']",
        "30 requests of 10 users: 30 right answers, 0 that know another user",
        "user-a, used 3 times: I live in the city of Athens.",
        "user-a, used 0 times: My daughter Ida goes to school in Piraeus.",
        "user-b, used 3 times: I live in the city of Bergen.",
    ]
    assert list(tmp_path.iterdir()) == []


@each_case_of("cookbook/the_recipes_of_llamaindex_do_what_they_say")
def test_the_recipes_of_llamaindex_do_what_they_say(
    recipe: str, line: str, printed: Printed, tmp_path: Path
) -> None:
    """Each checks itself; one telling line of each."""
    assert line in printed(f"{recipe}.py", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_with_a_key_a_real_model_is_asked(printed: Printed, tmp_path: Path) -> None:
    """OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL, here with a server on the loopback."""
    pytest.importorskip("langchain_openai")
    city, allergy = (
        "Your sister Lena lives in Oslo with two cats.",
        "Yes, to hazelnuts, so no praline for you.",
    )
    with LoopbackServer(
        default=lambda request: Reply.text(city if "city" in str(request) else allergy)
    ) as server:
        given = {"OPENAI_API_KEY": "x", "OPENAI_BASE_URL": server.address, "OPENAI_MODEL": "mine"}
        lines = printed("langchain_chain_memory.py", tmp_path, **given)
    assert lines[3:5] == [f"The answer: {city}", f"The answer: {allergy}"]
    assert [request["model"] for request in server.requests] == ["mine"] * 5


@pytest.fixture(scope="module")
def notebooks() -> ModuleType:
    """The generator of the notebooks."""
    specification = importlib.util.spec_from_file_location(
        "cookbook_notebooks", COOKBOOK / "notebooks.py"
    )
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_a_recipe_becomes_a_notebook_cell_by_cell(notebooks: ModuleType, tmp_path: Path) -> None:
    """Its docstring is the title; a recipe that uses `models` finds it from where the notebooks are."""
    recipe = tmp_path / "recipe.py"
    head = '"""What it shows.\n\nHow.\n"""\n\n'
    body = "# %%\nfrom models import run\n\n\n# %% [markdown]\n# ## Part\n#\n# Text.\n\n# %%\nprint(1)\n"
    recipe.write_text(head + body)
    assert [(cell.cell_type, cell.source) for cell in notebooks.notebook(recipe).cells] == [
        ("markdown", "# What it shows\n\nHow."),
        ("code", 'import sys\n\nsys.path.insert(0, "..")  # models.py, which the recipes share'),
        ("code", "from models import run"),
        ("markdown", "## Part\n\nText."),
        ("code", "print(1)"),
    ]


@each_row("recipe", RECIPES)
def test_the_notebook_of_a_recipe_is_up_to_date_and_tells_nothing_of_a_machine(
    notebooks: ModuleType, recipe: str
) -> None:
    """Its cells are the recipe's, each was run, and what it printed is there (`make notebooks`)."""
    text = (COOKBOOK / "notebooks" / f"{recipe}.ipynb").read_text(encoding="utf-8")
    book = json.loads(text)
    made = notebooks.notebook(COOKBOOK / f"{recipe}.py")

    assert [(cell["cell_type"], "".join(cell["source"])) for cell in book["cells"]] == [
        (cell.cell_type, cell.source) for cell in made.cells
    ]
    code = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert any(output["output_type"] == "stream" for cell in code for output in cell["outputs"])
    assert re.findall(r"/(?:tmp|home|root|Users|var)/|[A-Z]:\\\\Users", text) == []


def test_every_notebook_has_its_recipe(notebooks: ModuleType) -> None:
    """None is left behind; what the generator takes for a recipe is what is tested here."""
    assert sorted(path.stem for path in (COOKBOOK / "notebooks").iterdir()) == RECIPES
    assert [path.stem for path in notebooks.recipes()] == RECIPES


@each_row("recipe", RECIPES)
def test_the_index_lists_every_recipe_and_its_notebook(recipe: str) -> None:
    """One line per recipe."""
    assert INDEX.count(f"]({recipe}.py)") == 1
    assert INDEX.count(f"](notebooks/{recipe}.ipynb)") == 1


@each_row("recipe", RECIPES)
def test_the_index_shows_a_line_that_the_recipe_prints(recipe: str) -> None:
    """One line and one output per recipe; the notebook holds what was printed."""
    (row,) = (line for line in INDEX.splitlines() if line.startswith(f"| [{recipe}.py]"))
    shown = row.rsplit("`", 2)[1]
    notebook = json.loads((COOKBOOK / "notebooks" / f"{recipe}.ipynb").read_text(encoding="utf-8"))
    outputs = [
        output
        for cell in notebook["cells"]
        for output in cell.get("outputs", ())
        if "text" in output
    ]
    assert shown in "".join(text for output in outputs for text in output["text"]).splitlines()


def test_the_links_of_the_index_lead_somewhere() -> None:
    """No recipe is announced that is not there."""
    links = re.findall(r"\]\(([^)]+)\)", INDEX)
    assert [link for link in links if not (COOKBOOK / link).exists()] == []


@each_row("recipe", RECIPES)
def test_a_recipe_uses_public_names_only(recipe: str) -> None:
    """What a reader copies keeps working: everything comes from a package's `__all__`."""
    tree = ast.parse((COOKBOOK / f"{recipe}.py").read_text(encoding="utf-8"))
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and "_cogmem" in (node.module or "")
    ]
    private = [
        f"{node.module}.{one.name}"
        for node in found
        for one in node.names
        if "." in str(node.module)
        or one.name not in importlib.import_module(str(node.module)).__all__
    ]
    assert private == []


def test_what_the_models_of_both_frameworks_share_stands_once() -> None:
    """`common.py` needs neither framework; each has a `chat_model` of its own."""
    defined = [
        {
            one.name
            for one in ast.parse((COOKBOOK / name).read_text(encoding="utf-8")).body
            if hasattr(one, "name")
        }
        for name in ("models.py", "llamaindex_models.py")
    ]
    assert set.intersection(*defined) == {"Quoting", "chat_model"}


@each_row("recipe", RECIPES)
def test_a_recipe_is_short_and_asserts_what_it_claims(recipe: str) -> None:
    """A recipe fits on three screens; the tests run it, and it checks itself."""
    source = (COOKBOOK / f"{recipe}.py").read_text(encoding="utf-8")
    assert source.count("\n") <= 150
    assert any(isinstance(node, ast.Assert) for node in ast.walk(ast.parse(source)))
