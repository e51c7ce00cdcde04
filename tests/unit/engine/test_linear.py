"""Read from the source: every regular expression takes linear time, and SQL never holds a value.

No test can time a pattern reliably, so their trees are checked: no repetition without a bound stands in another one,
and nested bounds multiply to little. Some take quadratic time all the same; what uses them cuts its input.
"""

import ast
import functools
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import cogmem_core
from unit.helpers.text_readers import PIECES, READERS

try:
    from re import _compiler as compiler
    from re import _constants as sre
    from re import _parser as parser
except ImportError:  # Python 3.10
    import sre_compile as compiler
    import sre_constants as sre
    import sre_parse as parser

ROOT = Path(__file__).resolve().parents[3]
SOURCES = [
    *(ROOT / "core").rglob("*.py"),
    *(ROOT / "langchain_cogmem").rglob("*.py"),
    *(ROOT / "llamaindex_cogmem").rglob("*.py"),
]
REPEATS = tuple(
    getattr(sre, name)
    for name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
    if hasattr(sre, name)
)
SAMPLE = [chr(code) for code in range(0x250)] + list("аяع漢한あ\u200b\u2028\u3000")
MOST = 20_000


def patterns():
    """Every compiled pattern that a module of the package holds, by where it is."""
    found = {}
    for info in pkgutil.walk_packages(cogmem_core.__path__, "cogmem_core."):
        if info.name.endswith("__main__"):
            continue
        module = importlib.import_module(info.name)
        for name, value in vars(module).items():
            for pattern in held(value):
                found.setdefault((pattern.pattern, pattern.flags), f"{info.name}.{name}")
    return found


def held(value, depth=0):
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict) and depth < 4:
        for one in value.values():
            yield from held(one, depth + 1)
    elif isinstance(value, (tuple, list, frozenset)) and depth < 4:
        for one in value:
            yield from held(one, depth + 1)


EVERY = sorted(
    (name, pattern, flags)
    for (pattern, flags), name in patterns().items()
    if isinstance(pattern, str)
)


def children(op, value):
    """The sequences inside one node."""
    inside = {
        **{repeat: lambda: [value[2]] for repeat in REPEATS},
        sre.SUBPATTERN: lambda: [value[-1]],
        sre.BRANCH: lambda: list(value[1]),
        sre.ASSERT: lambda: [value[1]],
        sre.ASSERT_NOT: lambda: [value[1]],
        sre.GROUPREF_EXISTS: lambda: [one for one in value[1:] if one is not None],
        getattr(sre, "ATOMIC_GROUP", None): lambda: [value],
    }
    return inside.get(op, list)()


def depths(sequence, open_ended=0, product=1):
    """(most unbounded repetitions inside one another, largest product of nested bounds)."""
    worst = (open_ended, product)
    for op, value in sequence:
        inner_open, inner_product = open_ended, product
        if op in REPEATS and value[1] > 1:
            endless = value[1] is sre.MAXREPEAT and not separated(value[2])
            inner_open += endless
            inner_product *= 1 if value[1] is sre.MAXREPEAT else value[1]
        for child in children(op, value):
            found = depths(child, inner_open, inner_product)
            worst = (max(worst[0], found[0]), max(worst[1], found[1]))
    return worst


def separated(body):
    """Whether each round begins with a sign that no repetition inside can take, so that there is one way to read it."""
    items = list(body)
    while len(items) == 1 and items[0][0] is sre.SUBPATTERN:
        items = list(items[0][1][-1])
    if not items or not any(repeats(items)):
        return False
    first, taken = letters(body, items[0]), [letters(body, one) for one in repeats(items)]
    return first is not None and all(one is not None and first.isdisjoint(one) for one in taken)


def repeats(sequence):
    """What is repeated without a bound, one sign at a time, at any depth."""
    for op, value in sequence:
        if op in REPEATS and value[1] is sre.MAXREPEAT:
            yield value[2][0] if len(value[2]) == 1 else (None, None)
        for child in children(op, value):
            yield from repeats(child)


def letters(body, node):
    """The signs of a sample that a node takes; None if it is not a set of signs."""
    if node[0] in REPEATS and node[1][0] > 0 and len(node[1][2]) == 1:
        node = node[1][2][0]
    if node[0] not in (sre.LITERAL, sre.NOT_LITERAL, sre.IN, sre.ANY):
        return None
    one = compiler.compile(parser.SubPattern(parser.State(), [node]))
    return {letter for letter in SAMPLE if one.fullmatch(letter)}


def test_patterns_are_found():
    """The checks below look at something."""
    assert len(EVERY) > 150


def test_no_repetition_without_a_bound_stands_in_another_one():
    """No nested quantifiers."""
    assert [
        name
        for name, pattern, flags in EVERY
        if depths(parser.parse(pattern, flags & ~re.DEBUG))[0] > 1
    ] == []


def test_nested_bounds_multiply_to_little():
    """A bound within a bound is a constant, but it must be a small one."""
    products = {name: depths(parser.parse(pattern, flags))[1] for name, pattern, flags in EVERY}
    assert {name: product for name, product in products.items() if product > MOST} == {}


def test_the_checks_would_find_what_they_look_for():
    """Patterns that are known to explode."""
    assert depths(parser.parse(r"(\w+\s?)+:"))[0] == 2
    assert depths(parser.parse(r"((a*)*)*"))[0] == 3
    assert depths(parser.parse(r"(?:(?:a{1,300}){1,300}){1,300}"))[1] == 27_000_000


@pytest.mark.parametrize(
    ("length", "every"), [(500, 3), pytest.param(10_000, 1, marks=pytest.mark.thorough)]
)
@pytest.mark.parametrize("number", range(len(READERS)), ids=sorted(READERS))
def test_every_reader_gets_through_long_runs(number, length, every):
    """No verdict but the end: readers cut what they read, and what would take cubic time on so much never ends."""
    reader = READERS[sorted(READERS)[number]]
    for text in PIECES[number % every :: every]:
        reader(f"I live in {(text * length)[:length]}x")


@functools.cache
def sources():
    """The text of every file."""
    return {path: path.read_text(encoding="utf-8") for path in SOURCES}


@functools.cache
def calls():
    """(file, name, node) of every call in the source of files in which a call below could stand."""
    found = []
    for path, source in sources().items():
        if "sqlalchemy" not in source and not any(f"{name}(" in source for name in BANNED):
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call):
                name = (
                    node.func.attr
                    if isinstance(node.func, ast.Attribute)
                    else getattr(node.func, "id", "")
                )
                found.append((path, name, node))
    return found


BANNED = {"eval", "exec", "loads_pickle", "Unpickler", "compile_restricted", "system", "popen"}
ALLOWED = {
    # SQLite takes no parameters there; the values are numbers and names that stand in the source.
    ("sqlite.py", "PRAGMA {name}"),
    ("sqlite.py", "PRAGMA {pragma}"),
    ("ledger.py", "PRAGMA application_id = {APPLICATION_ID}"),
    # The names of the schema's own columns.
    ("__init__.py", "ALTER TABLE {table.name} ADD COLUMN {name} {kind}"),
    ("__init__.py", "INSERT INTO namespaces ({names}) SELECT {names} FROM namespaces_before"),
}


def test_sql_is_never_put_together():
    """Bound parameters only; no f-string, no %, no +, no format in a statement."""
    found = []
    for path, name, node in calls():
        if (
            name not in ("text", "execute", "exec_driver_sql", "literal_column", "executescript")
            or not node.args
        ):
            continue
        first = node.args[0]
        made = isinstance(first, (ast.JoinedStr, ast.BinOp)) or (
            isinstance(first, ast.Call) and getattr(first.func, "attr", "") == "format"
        )
        is_sql = "sqlalchemy" in sources()[path] and (
            name != "text" or isinstance(node.func, ast.Name)
        )
        if made and is_sql and (path.name, ast.unparse(first).strip("f'\"")) not in ALLOWED:
            found.append(f"{path.name}:{node.lineno} {ast.unparse(first)}")
    assert found == []


def test_nothing_is_evaluated_or_unpickled():
    """JSON, float32 and plain YAML only."""
    assert [
        f"{path.name}:{node.lineno} {name}" for path, name, node in calls() if name in BANNED
    ] == []
    words = (
        "import pickle",
        "import marshal",
        "import shelve",
        "import dill",
        "yaml.load(",
        "yaml.unsafe_load",
        "allow_pickle=True",
    )
    assert [
        (path.name, word) for path, source in sources().items() for word in words if word in source
    ] == []
