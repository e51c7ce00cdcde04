"""English: words round titles, dates and numbers; folded."""

from cogmem_core.languages.base import EntityRules
from cogmem_core.languages.tables import stems

ENTITIES = EntityRules(
    title_cues=(
        r"read|reading|watch\w{0,3}|book|novel|film|movie|song|album|series|show|podcast|game"
        r"|called"
        r"|titled|named|poem|play|article|paper"
    ),
    ordinals=stems("st nd rd th"),
    day_link="of",
    year_before=stems("in since from until by before after during of"),
    months_and_verbs=stems("may march mar"),
    clock_marks=r"\ ?[ap]m\b",
    units={
        "percent": "%",
        "dollars": "usd",
        "dollar": "usd",
        "bucks": "usd",
        "euros": "eur",
        "euro": "eur",
        "pounds": "pounds",
        "degrees": "degrees",
        "kilos": "kg",
        "kilo": "kg",
    },
    plain_units=stems(
        """
        miles mile feet inches inch hours hour minutes minute mins seconds days weeks months years
        calories watts volts people users
        """
    ),
    relative_marks=("ago", "later", "earlier", "from now"),
)
