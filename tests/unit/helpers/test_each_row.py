"""A test of a table tells every row that fails."""

from pathlib import Path

import pytest

from helpers import tables
from helpers.tables import each_row, each_row_of, rows_of


def test_all_rows_are_tried_and_every_failing_one_is_told() -> None:
    tried = []

    @each_row("number, half", [(2, 1), (3, 1), (4, 0), (6, 3)])
    def halves(number: int, half: int) -> None:
        tried.append(number)
        assert number == 2 * half, f"{number} is odd"
        with pytest.raises(ZeroDivisionError):
            assert number // (number - 6)

    with pytest.raises(pytest.fail.Exception) as caught:
        halves()
    assert tried == [2, 3, 4, 6]
    assert [line for line in str(caught.value).splitlines() if not line.startswith(" ")] == [
        "3 of 4 rows fail:",
        "{'number': 2, 'half': 1}",
        "{'number': 3, 'half': 1}",
        "{'number': 4, 'half': 0}",
    ]


def test_a_table_without_rows_is_a_mistake() -> None:
    with pytest.raises(AssertionError, match="without rows"):
        each_row("word", [])


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The rows of two languages of one promise."""
    monkeypatch.setattr(tables, "DATA", tmp_path)
    (tmp_path / "colours").mkdir()
    rows = '{"word": "blau", "hues": ["navy", "sky"], "note": "said of skies"}\n'
    (tmp_path / "colours" / "de.jsonl").write_text(rows, encoding="utf-8")
    (tmp_path / "colours" / "en.jsonl").write_text(
        '{"word": "red", "hues": []}\n', encoding="utf-8"
    )
    return tmp_path


def test_a_language_that_is_promised_and_has_no_rows_is_a_mistake(data: Path) -> None:
    """As one whose file is empty, and a promise without any."""
    with pytest.raises(AssertionError, match=r"colours is promised in \['tr'\], and no row"):
        each_row_of("colours", "de tr")
    (data / "colours" / "en.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(AssertionError, match="a language without rows"):
        rows_of("colours")
    with pytest.raises(AssertionError, match="without rows"):
        each_row_of("shapes")


def test_every_table_is_read_by_a_test() -> None:
    """No rows lie where nobody looks."""
    tests = tables.DATA.parent
    code = "".join(path.read_text(encoding="utf-8") for path in tests.rglob("*.py"))
    folders = {path.parent for path in tables.DATA.glob("*/*/*.jsonl")}
    promises = {folder.relative_to(tables.DATA).as_posix() for folder in folders}
    assert [promise for promise in sorted(promises) if f'"{promise}"' not in code] == []
