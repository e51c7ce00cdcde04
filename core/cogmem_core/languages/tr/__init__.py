"""Turkish: what tables/tr.toml cannot say in words."""

from cogmem_core.languages.tr import query, rewrite, words

FUNCTIONS = {
    "words": {"separate_facts": words.separate_facts},
    "query": {"only_asks": query.only_asks},
    "rewrite": {
        "third_person": rewrite.third_person,
        "resolve_pronouns": rewrite.resolve_pronouns,
    },
}
"""Functions by their tables and fields."""
