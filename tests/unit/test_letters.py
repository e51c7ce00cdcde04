"""Letters folded, whatever the alphabet."""

from __future__ import annotations

import string

from cogmem_core.text.folding import fold_letters


def test_ascii_is_folded_as_beside_other_letters() -> None:
    """`fold_letters`: "Lower-case, [...] apostrophes straight"; the short way for ASCII says what the long one says."""
    text = "".join(map(chr, range(128)))
    assert fold_letters(text) == fold_letters(f"{text}ı")[:-1]
    assert fold_letters(string.ascii_uppercase + "`'") == string.ascii_lowercase + "''"


def test_turkish_and_plain_spelling_are_one() -> None:
    """`fold_letters`: "`YARIN`, `yarın` and `yarin` are one"."""
    assert {fold_letters(word) for word in ("YARIN", "yarın", "yarin", "Yarİn")} == {"yarin"}
