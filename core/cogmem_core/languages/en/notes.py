"""English: what notes, and texts that are put together, are told apart by."""

from cogmem_core.languages.base import NoteRules

NOTES = NoteRules(
    rules="always|never|rule",
    how_to="how to",
    denials=r"\b(?:not|no|never|none|nobody|nothing|without|cannot)\b|n['\u2019]t\b",
    doubts=(
        "maybe|perhaps|probably|possibly|i think|i guess|i suppose|i believe|not sure|unsure|might"
        "|could be|if i remember|as far as i"
    ),
    critical=(
        r"deadlines?|overdue|due (?:on|by|date|today|tomorrow|this|next|in)|no later than"
        r"|at the latest|expires?"
        r"|security|passwords?|breach\w{0,3}|hacked|leaked|vulnerabilit\w{1,3}|phishing"
        r"|credentials?|stolen"
        r"|errors?|bugs?|crash\w{0,3}|outages?|data loss|failure|failed|broken|exceptions?"
        r"|allerg\w{1,4}|hospital\w{0,2}|surgery|diagnos\w{1,4}|emergency|medications?"
        r"|injur\w{1,4}|pregnan\w{1,3}|chest pain|seizures?|insulin"
    ),
)
