"""English: what tables/en.toml cannot say in words."""

from cogmem_core.languages.en import query, rewrite, words

FUNCTIONS = {
    "words": {
        "is_verb": words.is_verb,
        "separate_facts": words.separate_facts,
        "third_person_of": words.third_person_of,
    },
    "query.split": {"complete": query.complete, "carry_over": query.carry_over},
    "rewrite": {
        "third_person": rewrite.third_person,
        "resolve_pronouns": rewrite.resolve_pronouns,
    },
}
"""Functions by their tables and fields."""
