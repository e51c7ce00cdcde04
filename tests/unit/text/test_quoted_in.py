"""Whether a memory stands in a prompt ("exactly the memories whose text reached that prompt")."""

import html
import json
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from cogmem_core.text.quoted_in import Prompt, flat, flat_prompt, present
from helpers.tables import each_row, rows_of

LONG = (
    "The workshop in Porto was moved to the second week of November because the hall is being painted, "
    "and Rui asked everybody to book the trains before the fares go up again on Monday."
)


def test_a_run_of_marks_is_cut() -> None:
    """Thousands of them would take seconds to put in order; nobody reads more than a few."""
    assert len(flat("a" + "\u0301\u0316" * 16_000)) == 30


def test_marks_that_something_invisible_keeps_apart_are_one_run() -> None:
    """Else 40,000 characters took two seconds."""
    assert len(flat("\u05d0" + ("\u05b0\u0591" * 15 + "\u200b") * 1_000)) == 31


def stands(memory: str, prompt: str) -> bool:
    return present(flat(memory), flat(prompt))


@each_row(
    ("memory", "prompt"),
    [
        *rows_of("quoted_in/a_memory_is_found_whatever_the_way_did_to_it", "en ja"),
        (LONG, f"Context: {LONG[:90]}"),
        (LONG, f"{LONG[:70]} [page 2] {LONG[71:]}"),
    ],
)
def test_a_memory_is_found_whatever_the_way_did_to_it(memory: str, prompt: str) -> None:
    """INTERFACES 2.4: compare normalised text; accept the first 80 characters, or 80 % of the five-word shingles."""
    assert stands(memory, prompt)


@each_row(
    ("memory", "prompt"),
    [
        ("", "anything"),
        ("art", "a party"),
        ("Ann likes tea", "Ann likes teak"),
        ("Ann likes tea", "Ann likes coffee"),
        (LONG, LONG[:79]),
        (LONG, "The workshop in Porto was moved. " + LONG[-60:]),
    ],
)
def test_a_memory_is_not_found_where_it_is_not(memory: str, prompt: str) -> None:
    """What a re-ranker dropped gives no signal (scenario 7)."""
    assert not stands(memory, prompt)


ESCAPABLE = 'Die "Möwe" & ihr <Boot> \U0001f6a4 liegen in C:\\neu;\nder Hafen heißt O\'Rheinau.'


@each_row(
    "written",
    [
        str,
        json.dumps,
        lambda text: json.dumps({"a": json.dumps([text])}),
        lambda text: json.dumps(json.dumps(json.dumps(text))),
        repr,
        ascii,
        html.escape,
        lambda text: html.escape(json.dumps(text)),
        lambda text: text.encode("unicode_escape").decode(),
        lambda text: html.escape(text).encode("ascii", "xmlcharrefreplace").decode(),
    ],
)
def test_a_memory_is_found_behind_escapes(written: Callable[[str], str]) -> None:
    """In JSON, in Python's notation and in XML, up to three times over."""
    assert present(flat(ESCAPABLE), flat_prompt(f"Memories: {written(ESCAPABLE)} What now?"))


@each_row("prompt", ["\\", "\\u12", "\\ud83d", "\\U99999999", "&#xd800;", "&nix;", "\ud83d"])
def test_broken_escapes_are_read_as_they_stand(prompt: str) -> None:
    """Nothing of the prompt is lost by them."""
    assert present("ann likes tea", flat_prompt(f"{prompt} Ann likes tea {prompt}"))


@given(st.text(max_size=300))
def test_any_prompt_can_be_read(prompt: str) -> None:
    """The prompt as it stands is the first line."""
    assert flat_prompt(prompt).split("\n")[0] == flat(prompt)


@given(st.text(min_size=1, max_size=200), st.text(max_size=60), st.text(max_size=60))
def test_a_text_on_a_line_of_its_own_is_always_found(memory: str, before: str, after: str) -> None:
    """Whatever script it is in."""
    assert stands(memory, f"{before}\n{memory}\n{after}") or not flat(memory)


WORDS = st.lists(
    st.sampled_from([*"abcdef", "tea", "(tea)", "tea,", "Rainier", "\u8336", "workshop" * 5]),
    max_size=40,
).map(" ".join)


@given(st.lists(WORDS, min_size=20, max_size=30), WORDS, st.data())
def test_many_texts_are_found_as_one_is(texts: list[str], around: str, data: st.DataObject) -> None:
    """What a few words rule out `present` does not find either."""
    whole = data.draw(st.sampled_from(texts))
    start, end = (data.draw(st.integers(0, len(whole))) for _ in range(2))
    sent = f"{around}({whole[start:]} {around} {whole[:end]}."
    prompt = Prompt(sent)

    for text in texts:
        assert prompt.holds(flat(text)) == present(flat(text), flat_prompt(sent))
