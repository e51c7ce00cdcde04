"""Thoughts that a model wrote before its answer."""

from __future__ import annotations

from cogmem_core.llm.answers import validated
from cogmem_core.skills.form import FormAnswer
from cogmem_core.text.thoughts import without_thoughts
from helpers.tables import each_row

ANSWER = "The cello lesson is on Tuesday."


@each_row(
    "text, rest",
    [
        (f"<think>Is it Monday? No.</think>{ANSWER}", ANSWER),
        (f"<think>\nIs it Monday?\n\nNo.\n</think>\n\n{ANSWER}", ANSWER),
        (f"<thinking>Let me see.</thinking> {ANSWER}", ANSWER),
        (f"<reasoning>Monday?</reasoning>\n{ANSWER}", ANSWER),
        (f"<thought>Monday?</thought>\n{ANSWER}", ANSWER),
        (f"[THINK]Monday?[/THINK]{ANSWER}", ANSWER),
        (f"[think]Monday?[/think] {ANSWER}", ANSWER),
        (f"<THINK>Monday?</THINK>{ANSWER}", ANSWER),
        (f'<think time="3s">Monday?</think>{ANSWER}', ANSWER),
        (f"\u25c1think\u25b7Monday?\u25c1/think\u25b7{ANSWER}", ANSWER),
        # The prompt of some models opens the block.
        (f"Is it Monday? No.</think>{ANSWER}", ANSWER),
        (f"Is it Monday?\n[/THINK]\n{ANSWER}", ANSWER),
        # Cut off.
        ("<think>Is it Monday? It may be", ""),
        (f"{ANSWER}\n<think>Was that right?", ANSWER),
        # Several, and one in another.
        (f"<think>a</think>{ANSWER}<think>b</think>", ANSWER),
        (f"<think>a</think>One.<think>b</think> {ANSWER}", f"One. {ANSWER}"),
        (f"<think>a <think>b</think> c</think>{ANSWER}", ANSWER),
        ("<think></think>", ""),
        # No thoughts.
        (ANSWER, ANSWER),
        ("Use the <think> tag to see its thoughts.", "Use the <think> tag to see its thoughts."),
        ("I think <b>so</b>.", "I think <b>so</b>."),
        ("  I think so.  ", "  I think so.  "),
    ],
)
def test_thoughts_are_left_out(text: str, rest: str) -> None:
    """Whatever the tag and its case, closed or cut off, once or several times."""
    assert without_thoughts(text) == rest


FACT = '{"turn": 0, "quote": "", "text": "%s", "category": "fact", "entities": []}'
DRAFT = FACT % "Draft"
FINAL = FACT % "Final"


@each_row(
    "text, kept",
    [
        (f'<think>{{"facts": [{DRAFT}]}}</think>{{"facts": [{FINAL}]}}', "Final"),
        (
            f'<thinking>{{"facts": [{DRAFT}]}}</thinking>\n```json\n{{"facts": [{FINAL}]}}\n```',
            "Final",
        ),
        (f'<reasoning>{{"facts": [{DRAFT}]}}</reasoning> Here: {{"facts": [{FINAL}]}}', "Final"),
        (f'[THINK]{{"facts": [{DRAFT}]}}[/THINK]{{"facts": [{FINAL}]}}', "Final"),
        (f'{{"facts": [{DRAFT}]}}</think>{{"facts": [{FINAL}]}}', "Final"),
        (
            '{"facts": [%s]}' % (FACT % "Close it with </think>, or not"),
            "Close it with </think>, or not",
        ),
    ],
)
def test_a_draft_is_not_taken_for_the_answer(text: str, kept: str) -> None:
    """A whole JSON object is an answer, and its texts may speak of tags."""
    (fact,) = validated(text, FormAnswer).facts

    assert fact.text == kept
