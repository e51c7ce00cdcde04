"""The step that merges two texts."""

from cogmem_core.skills.merge_texts import MergeInput, appended, invented, lost, merging
from helpers.tables import each_row, each_row_of, rows_of
from unit.helpers.skill_answers import run

OLD = "Caroline works at Acme in Lisbon since 2021."
NEW = "Caroline leads a team of 7 at Acme."


class TestMerge:
    """Two texts become one that keeps every fact."""

    def test_a_text_that_keeps_everything_is_taken(self) -> None:
        """Names and numbers of both are there."""
        merged = "Caroline has worked at Acme in Lisbon since 2021 and leads a team of 7."

        assert run(merging(), MergeInput(OLD, NEW), {"text": merged}).value == merged

    @each_row(
        "text",
        [
            *rows_of("skills_merge/a_text_that_loses_or_invents_is_refused"),
            "Caroline works at Acme in Lisbon since 2021, team of 7. " * 50,
        ],
    )
    def test_a_text_that_loses_or_invents_is_refused(self, text: str) -> None:
        """Then the new sentences are appended."""
        outcome = run(merging(), MergeInput(OLD, NEW), {"text": text})

        assert outcome.source == "heuristic"
        assert (
            outcome.value
            == "Caroline works at Acme in Lisbon since 2021. Caroline leads a team of 7 at Acme."
        )

    @each_row_of("skills_merge/appending_repeats_no_sentence", "en ja")
    def test_appending_repeats_no_sentence(self, old: str, new: str, merged: str) -> None:
        """Sentences are equal without case and spacing."""
        assert appended(old, new) == merged

    def test_what_is_lost_or_invented_is_told(self) -> None:
        """Compared as the index compares: endings, possessives and thousands separators do not count."""
        assert lost("Ayşe'nin 1000 lirası", "Ayşe 1,000 lira", "Ankara'da") == ("ankara",)
        assert invented("at 10:30 with 3 people", "3 people") == ("10:30",)

    def test_a_negation_survives(self) -> None:
        """Without it a text would say the opposite and keep every name."""
        given = MergeInput("Ana doesn't eat meat.", "Ana likes fish.")

        assert (
            run(merging(), given, {"text": "Ana eats meat and likes fish."}).source == "heuristic"
        )
        assert (
            run(merging(), given, {"text": "Ana does not eat meat but likes fish."}).source == "llm"
        )
