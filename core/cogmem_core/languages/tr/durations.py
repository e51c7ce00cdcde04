"""Turkish: phrases that tell whether a statement holds for hours or for good; folded."""

from cogmem_core.languages.base import DurationRules

DURATIONS = DurationRules(
    now=r"su an(?:da)?|simdi|simdilik|bugun|bu (?:sabah|aksam|gece)",
    passing_states=(
        r"yorgunum|acim|hastayim|mesgulum|usuyorum|yoldayim|evdeyim|isteyim|disaridayim|bekliyorum"
        r"|toplantidayim|trendeyim|otobusteyim|doktordayim|hastanedeyim|basim agriyor"
    ),
    lasting=r"asla|her (?:gun|zaman)|beri|hamile|nisanl\w*|evlen\w*",
    requests_to_remember=(
        r"unutma\w*|aklinda (?:tut|bulun)\w*|not (?:al|et)\w*|bilmen gerek\w*|bundan (?:boyle"
        r"|sonra)"
    ),
    days=r"bugun|dun|yarin|simdi|su an(?:da)?|bu (?:sabah|aksam|gece|hafta)",
    own=r"ben\w{0,4}|biz\w{0,4}|\w{2,}(?:im|iyorum)",
    musings=r"sanirim|galiba|umarim|bence|acaba",
)
