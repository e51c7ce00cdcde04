"""The documents' home, what each page promises, and the colours of the site."""

import re
from pathlib import Path

from helpers.tables import each_row

ROOT = Path(__file__).resolve().parents[2]
HOME = (ROOT / "cookbook" / "README.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")
GUIDE = sorted((ROOT / "cookbook" / "guide").glob("*.md"))
CSS = (ROOT / ".github" / "mkdocs_code.css").read_text("utf-8")


def examples(page: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)


def test_home_and_readme_begin_with_the_same_example() -> None:
    """Home has a picture, and one example of at most eight lines for each framework and for none."""
    assert examples(HOME)[0] == examples(README)[0]
    assert HOME.index("![") < HOME.index("```python")
    assert [example.count("\n") <= 8 for example in examples(HOME)] == [True, True, True]
    for name in ("langchain_cogmem", "llamaindex_cogmem"):
        assert any(f"from {name}" in example for example in examples(HOME))


@each_row("page", GUIDE)
def test_a_page_begins_with_what_one_can_do_after_it(page: Path) -> None:
    """In one sentence behind its title."""
    title, first, *_ = page.read_text("utf-8").split("\n\n")
    assert title.startswith("# ")
    assert re.fullmatch(r"After this page you can [^.]*\.", first.replace("\n", " ")), first


def luminance(colour: str) -> float:
    """Relative, as WCAG 2 has it."""
    parts = [int(colour[begin : begin + 2], 16) / 255 for begin in (1, 3, 5)]
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@each_row("scheme", ["default", "slate"])
def test_the_colours_of_code_can_be_read(scheme: str) -> None:
    """Each has a contrast of 4.5 or more to its background, in light and dark."""
    (block,) = re.findall(rf'\[data-md-color-scheme="{scheme}"\] \{{(.*?)\}}', CSS, re.DOTALL)
    colours = dict(re.findall(r"--md-code-([\w-]+)-color: (#[0-9a-f]{6});", block))
    ground = luminance(colours.pop("bg"))
    assert len(colours) == 13
    for name, colour in colours.items():
        dark, light = sorted((luminance(colour), ground))
        assert (name, (light + 0.05) / (dark + 0.05) >= 4.5) == (name, True)
