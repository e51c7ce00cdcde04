"""Texts that several threads read at the same moment."""

import sys
from concurrent.futures import ThreadPoolExecutor

from cogmem_core.base.lru import forget_texts
from cogmem_core.reading.pack import pack_of
from cogmem_core.reading.said import stems

WORDS = [
    f"{beginning}{ending}"
    for beginning in ("nation", "relat", "hope", "organ", "general")
    for ending in (
        "alization",
        "ational",
        "fulness",
        "izers",
        "ization",
        "iveness",
        "ously",
        "ements",
    )
]


def test_words_have_the_same_stems_in_each_thread() -> None:
    """A stemmer that two threads share mixes their words."""
    forget_texts()
    expected = stems(WORDS, pack_of("en"))
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(20):
            forget_texts()
            with ThreadPoolExecutor(8) as pool:
                each = list(pool.map(lambda _: stems(WORDS, pack_of("en")), range(8)))
            assert each == [expected] * 8
    finally:
        sys.setswitchinterval(interval)
