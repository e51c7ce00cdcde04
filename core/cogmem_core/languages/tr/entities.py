"""Turkish: words round titles, dates and numbers; folded."""

from cogmem_core.languages.base import EntityRules

ENTITIES = EntityRules(
    title_cues=(
        r"kitab\w{0,4}|kitap\w{0,4}|film\w{0,4}|sarki\w{0,4}|dizi\w{0,4}|roman\w{0,4}|oku\w{1,10}"
        r"|izle\w{1,10}|adli"
    ),
    year_behind=r"'|\ (?:yil|sene)",
    units={
        "yuzde": "%",
        "dolar": "usd",
        "avro": "eur",
        "lira": "try",
        "tl": "try",
        "derece": "degrees",
        "saat": "hours",
        "dakika": "minutes",
        "gun": "days",
        "hafta": "weeks",
        "yil": "years",
        "yasinda": "years",
        "metre": "m",
        "litre": "l",
    },
    relative_marks=("once", "sonra"),
)
