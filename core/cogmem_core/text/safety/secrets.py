"""Secrets in text: API keys, tokens, passwords, private keys, card numbers, IBANs. Linear time.

Three kinds of evidence, from strong to weak: a vendor's own prefix (`ghp_`, `AKIA`), a check sum
(Luhn for cards, mod 97 for IBANs), and a label beside a value that looks drawn rather than written
(`password=hunter2`, `şifrem: kedi42`). Strings that merely look random are no evidence, because
UUIDs, content hashes, order numbers and ISBNs do.
"""

# ruff: noqa: RUF001 - Turkish is spelt in Turkish

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, starmap
from string import ascii_uppercase
from typing import Literal, NamedTuple

from cogmem_core.languages.merged import MergedPattern, Words, any_word, guarding_patterns
from cogmem_core.languages.reading import in_its_language
from cogmem_core.languages.tables import lazy_pattern
from cogmem_core.text.folding import Span, fold_letters, replaced, text_before
from cogmem_core.text.tokens import UNSPACED
from cogmem_core.text.vocabulary import NUMBERS, STOPWORDS

Kind = Literal["api key", "token", "private key", "password", "card number", "iban"]
Number = tuple[Literal["card number", "iban"], int, int]


class Secret(NamedTuple):
    """A stretch `text[start:end]` that must not be kept."""

    kind: Kind
    start: int
    end: int


_WIDE = r"\u3001\u3002\uff01\uff0c\uff1b\uff1f"
"""Marks of sentences in scripts without blanks, which end a password."""

# Every pattern starts where a word starts and repeats one character class, so no input makes it
# back-track far.
_START = r"(?<![A-Za-z0-9_-])"
_API_KEY = lazy_pattern(
    _START
    + r"""(?:
      sk-(?:[a-z]{2,8}-|api[0-9]{2}-){0,2}                                      # OpenAI, Anthropic
        (?=[A-Za-z0-9_-]{0,60}[0-9]) (?=[A-Za-z0-9_-]{0,60}[A-Za-z0-9]{16})
        [A-Za-z0-9_-]{20,400}
    | (?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])                        # AWS
    | AIza[A-Za-z0-9_-]{35} | GOCSPX-[A-Za-z0-9_-]{20,64}                       # Google
    | (?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,255} | whsec_[A-Za-z0-9]{24,255}   # Stripe
    | (?:hf|gsk|npm)_[A-Za-z0-9]{30,255} | xai-[A-Za-z0-9]{40,255}              # Hugging Face, xAI
    | pypi-[A-Za-z0-9_-]{50,400} | dop_v1_[a-f0-9]{64}
    | SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,128}
    )""",
    re.VERBOSE,
)
_TOKEN = lazy_pattern(
    _START
    + r"""(?:
      gh[opsur]_[A-Za-z0-9]{36,255} | github_pat_[A-Za-z0-9_]{22,255} | glpat-[A-Za-z0-9_-]{20,255}
    | xox[abeoprs]-[A-Za-z0-9-]{10,255} | xapp-[A-Za-z0-9-]{20,255} | ya29\.[A-Za-z0-9_-]{20,1000}
    | hooks\.slack\.com/services/[A-Za-z0-9/]{20,100}
    | eyJ[A-Za-z0-9_-]{8,8000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{0,2000} # JWT
    | [0-9]{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])                          # Telegram bot
    | [a-z]{2,8}_(?:[a-z]{2,8}_)?(?=[0-9]{0,9}[A-Za-z]{0,60}[A-Z])              # as most vendors'
        (?=(?:[0-9]{0,9}[A-Za-z]{1,20}[0-9]){3})[A-Za-z0-9]{16,64}(?![A-Za-z0-9_])
    )""",
    re.VERBOSE,
)
# The secret half of an AWS key pair has no mark of its own; it counts beside the other half.
_AWS_PAIR = lazy_pattern(r"(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])")
_AWS_SECRET = lazy_pattern(
    r"(?<![A-Za-z0-9/+=])(?=[A-Za-z0-9/+]{0,39}[0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])"
)
_CHECK_NUMBER = MergedPattern(
    rf"\b(?:{guarding_patterns('safety.check_number_labels')})\b"
    rf"(?:[ \t](?:{guarding_patterns('safety.label_objects')})"
    r"(?:[ \t][^\s:=.,;]{1,30}){1,4}?(?=[ \t]is[ \t]|:))?[\s:.#]{0,3}"
    r"(?:is\s)?(?P<value>[0-9]{3,4})(?![0-9])",
    re.IGNORECASE,
)
_BEARER = lazy_pattern(
    _START + r"(?i:bearer|authorization:[ ]?basic)[ ]{1,4}"
    r"(?P<value>(?=[^ ]{0,100}[0-9=])[A-Za-z0-9._~+/=-]{16,8000})"
)
_URL_PASSWORD = lazy_pattern(
    r"://[^\s/:@]{0,128}:(?P<value>(?![\[<${])[^\s/@]{1,256})@(?=[A-Za-z0-9\[])"
)
_BY_PATTERN: tuple[tuple[Kind, re.Pattern[str] | MergedPattern, str | int], ...] = (
    ("api key", _API_KEY, 0),
    ("card number", _CHECK_NUMBER, "value"),
    ("token", _TOKEN, 0),
    ("token", _BEARER, "value"),
    ("password", _URL_PASSWORD, "value"),
)
_KEY_BEGIN = lazy_pattern(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_END = lazy_pattern(r"-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----")

_PASSWORDS = guarding_patterns("safety.passcode_labels")
_BARE_PASSWORDS = guarding_patterns("safety.bare_passcode_labels")
_BARE_CODES = guarding_patterns("safety.bare_code_labels")
_KEY_KINDS = guarding_patterns("safety.key_kinds")
_KEY_NOUNS = guarding_patterns("safety.key_nouns")
_KEYS = (
    rf"(?:{_KEY_KINDS})[ _-]?(?:access[ _-]?)?(?:{_KEY_NOUNS})"
    rf"|{guarding_patterns('safety.key_labels')}"
)
_COPULA = guarding_patterns("safety.copulas")
_OBJECTS = guarding_patterns("safety.label_objects")
# The label may end an identifier (DB_PASSWORD, dbPassword, PGPASSWORD) but not begin a longer word
# (tokens, pins).
_LABEL_BEGINS = r"(?:(?<![^\W_])|(?-i:(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=PASSW|PASSP|PWD)))"
_ASSIGNED = MergedPattern(
    rf"{_LABEL_BEGINS}(?:(?P<password>{_PASSWORDS})|(?P<key>{_KEYS}))"
    rf"(?:[ \t]{{1,4}}(?:{_OBJECTS})(?:[ \t]{{1,4}}[^\s:=.,;]{{1,30}}){{1,8}}?"
    rf"(?=[ \t]{{1,4}}(?:{_COPULA})[ \t]|[ \t]{{0,4}}[:=]))?(?:[ \t]?\([^()\n]{{1,40}}\))?"
    r"(?P<link>[\"'`]?[ \t]{0,4}(?::=|=>|[:=])[ \t]{0,4}"
    rf"|[ \t]{{1,4}}(?:{_COPULA})[ \t]{{1,4}})"
    r"(?P<quote>[\"'`]?)(?P<value>[^\s\"'`,;<>\[\]{}()" + _WIDE + r"]{4,512})",
    re.IGNORECASE,
)
# What stands anywhere behind a label counts only if nobody would write it for another reason.
_LABEL = MergedPattern(
    rf"(?<![^\W_])(?:(?P<key>{_KEYS})|(?P<code>{_BARE_CODES})|(?P<password>{_BARE_PASSWORDS}))"
    r"(?![^\W_])",
    re.IGNORECASE,
)
_VALUE = lazy_pattern(rf"[^\W_][^\s\"'`,;<>\[\]{{}}(){_WIDE}]{{3,511}}")
_DRAWN = lazy_pattern(r"[0-9]|[!@#$%^&*?+~]\w")
_FIGURES = lazy_pattern(
    r"(?<![\w.,:/$\u20ac\u00a3-])(?:[0-9]{4,8}|[0-9]{3}[ -][0-9]{3}|[0-9](?:-[0-9]){3,7})"
    r"(?=[ \t]*(?:[.,;!?)\n](?![0-9])|$))"
)
# "four four one nine", "7-7-2-0-6": figures one by one are dictated to be typed.
_FIGURE = (
    rf"(?:{guarding_patterns('safety.figure_words')}"
    rf"|{any_word(Words(lambda: [word for word, number in NUMBERS.items() if 1 < number < 10]))})"
)
_ONE_BY_ONE = MergedPattern(
    rf"(?<![\w'])(?P<first>{_FIGURE})(?:[ ,-]{{1,2}}{_FIGURE}){{3,30}}(?!\w)"
    r"|(?<![\w.,-])[0-9](?:-[0-9]){4,7}(?![\w-])",
    re.IGNORECASE,
)
# Letters, a mark and letters in one word, and figures: "Marmalade!Tuesday88". Words of scripts that
# write none apart are no part of it.
_MARKED = lazy_pattern(
    rf"(?<![!#$^.,:/@=&?%+-])(?<![^\W{UNSPACED}])"
    rf"(?=[^\W_{UNSPACED}]{{0,60}}[!#$^][^\W_{UNSPACED}]{{1,60}}(?![\w!#$^.:/@=&?%+-][^\W{UNSPACED}]))"
    rf"(?=(?:[!#$^]|[^\W{UNSPACED}]){{0,60}}[0-9])"
    rf"[^\W\d_{UNSPACED}][^\W_{UNSPACED}]+[!#$^][^\W\d_{UNSPACED}][^\W_{UNSPACED}]+"
)
_WALLET = MergedPattern(guarding_patterns("safety.wallet_words"), re.IGNORECASE)
_WORDS = lazy_pattern(r"(?<!\w)(?:[^\W\d_]{3,10},? ){11,30}[^\W\d_]{3,10}(?!\w)")
_ZERO = ("zero", "oh", "nought", "null", "cero", "sifir")
"""With which telephone numbers begin."""
_SIGN = lazy_pattern("[ ,-]+")
_LETTERS = lazy_pattern(r"[^\W\d_]+")
_LEAST_WORDS = 12  # of a recovery phrase (BIP-39)
_LOCK = MergedPattern(guarding_patterns("safety.lock_words"), re.IGNORECASE)
_WAY = rf"(?:{guarding_patterns('safety.turn_words')})"
_TURN = rf"(?:[0-9]{{1,2}}\W{{1,3}}(?:[^\W\d_]{{1,2}}\W)?{_WAY}|{_WAY}\D{{1,24}}[0-9]{{1,2}})"
_TURNS = MergedPattern(rf"{_TURN}(?:\W(?:\D{{0,12}}\W)?{_TURN}){{1,4}}", re.IGNORECASE)
_PHONE = MergedPattern(
    rf"\b(?:{guarding_patterns('safety.phone_labels')})\b[^\n]{{0,40}}$", re.IGNORECASE
)
# "I won't tell you the password, but our wifi is called ...": the name of something else.
_NETWORK = MergedPattern(
    rf"(?:{guarding_patterns('safety.network_names')})[ \t]{{1,4}}$", re.IGNORECASE
)
_BEFORE_VALUE = MergedPattern(rf"(?<!\w)(?:{_OBJECTS})[ \t]{{1,4}}$", re.IGNORECASE)
_LONGEST_CODE = 8  # figures that are told one by one
_LEAST_MARKED = 10  # characters of a password without a label
_WITHIN = lazy_pattern(r"[^\W\d_][0-9][^\W\d_]")
_FAR = 100  # characters behind a label
# "login: admin / hunter2xyz"
_LOGIN = MergedPattern(
    rf"(?<![^\W_])(?:{guarding_patterns('safety.login_labels')})\b[^\n.:=]{{0,40}}"
    rf"(?:[:=]|[ \t](?:{_COPULA})[ \t](?=[^\s/:]+[/:]\S))"
    r"[ \t]{0,4}[^\s/:]{1,64}(?:[ \t]?:[ \t]?|/|[ \t]/[ \t])(?P<value>[^\s\"'`,;<>\[\]{}()]{6,128})",
    re.IGNORECASE,
)
_OPTIONS = lazy_pattern(
    r"(?<!\S)-u[ ]?(?:[^\s/:@]{1,64}:|\S{1,64}[ ]-p[ ]?)(?P<value>[^\s\"'`]{6,128})"
)
"""Of a command: "-u name:value", "-u name -p value"."""
_PLACEHOLDER = lazy_pattern(
    r"[$%{<\[]|\.{0,2}/|\*{3}|\.{3}|x{4}|your[_-]"
    r"|(?:os\.|process\.|self\.|config\.|settings\.|getenv|env[.\[(]|none$|null$)",
    re.IGNORECASE,
)
_MEASURE = lazy_pattern(r"[0-9]+[-.]?[^\W\d_]{1,12}[.!?]?$")
_ISO_DATE = lazy_pattern(r"(?:19|20)[0-9]{2}[-./][0-9]{2}")

# Groups of digits as a card shows them, and the groups beside them.
_DIGITS = lazy_pattern(
    rf"(?<![+.,/:#=-])(?<![^\W{UNSPACED}])[0-9]{{3,19}}(?![0-9])(?:[ -][0-9]{{3,19}}(?![0-9]))*"
)
_GROUP = lazy_pattern(r"[0-9]+")
_CARD_GROUPS = (5, 4, 3, 1)
_LONGEST_GROUP = 6  # digits of a card that is written in groups
_BEHIND = 2  # groups that may follow a card: when it expires, its check number, a year
_YEAR = lazy_pattern(r"(?:19|20)[0-9]{2}|(?:0[1-9]|1[0-2])[0-9]{2}")  # or a month and a year
_GOES_ON = lazy_pattern(rf"[^\W{UNSPACED}]|/|[-.,:][0-9A-Za-z]")
_CARD = lazy_pattern(
    r"(?:4[0-9]{15}(?:[0-9]{3})?|5[1-5][0-9]{14}|2[2-7][0-9]{14}"
    r"|6(?:011|4[4-9][0-9]|5[0-9]{2})[0-9]{12}|3[47][0-9]{13}"
    r"|3(?:0[0-5]|[68][0-9])[0-9]{11}|35[0-9]{14}"
    r"|62[0-9]{14}(?:[0-9]{3})?|9792[0-9]{12})"
)
_NOT_A_CARD = MergedPattern(
    rf"\b(?:{guarding_patterns('safety.number_labels')})\b[^.\n]{{0,24}}$",
    re.IGNORECASE,
)
_IBAN = lazy_pattern(
    r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?:[ ]?[A-Z0-9]{4}){2,7}(?:[ ]?[A-Z0-9]{1,3})?(?![A-Za-z0-9])"
)
# Characters of the IBANs of each country, some of which are not in the registry.
_IBAN_TABLE = """
    AD24 AE23 AL28 AO25 AT20 AZ28 BA20 BE16 BF28 BG22 BH22 BI27 BJ28 BR29 BY28 CF27 CG27 CH21
    CI28 CM27 CR22 CV25 CY28 CZ24 DE22 DJ27 DK18 DO28 DZ26 EE20 EG29 ES24 FI18 FK18 FO18 FR27
    GA27 GB22 GE22 GI23 GL18 GQ27 GR27 GT28 GW25 HN28 HR21 HU28 IE22 IL23 IQ23 IR26 IS26 IT27
    JO30 KM27 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MA28 MC27 MD24 ME22 MG27 MK19 ML28
    MN20 MR27 MT31 MU30 MZ25 NE28 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33
    SA24 SC31 SD18 SE24 SI19 SK24 SM27 SN28 SO23 ST25 SV28 TD27 TG28 TL23 TN24 TR26 UA29 VA22
    VG24 XK20 YE30
"""
_IBAN_LENGTHS = {entry[:2]: int(entry[2:]) for entry in _IBAN_TABLE.split()}
_IBAN_DIGITS = {ord(letter): str(value) for value, letter in enumerate(ascii_uppercase, 10)}


def find_numbers(text: str) -> Iterator[Number]:
    """Card numbers and then IBANs, also inside passwords: kind, start, end."""
    yield from _cards(text)
    yield from _ibans(text)


@in_its_language
def find_secrets(text: str) -> tuple[Secret, ...]:
    """Find the secrets of a text, in order.

    Secrets that overlap become one, of the kind of the first. Takes time linear in the text.
    """
    ordered = sorted(_all_secrets(text), key=lambda secret: (secret.start, -secret.end))
    merged: list[Secret] = []
    for secret in ordered:
        if merged and secret.start < merged[-1].end:
            merged[-1] = merged[-1]._replace(end=max(merged[-1].end, secret.end))
        else:
            merged.append(secret)
    return tuple(merged)


@in_its_language
def redact(text: str) -> str:
    """Put `[redacted <kind>]` in the place of every secret.

    Redacting twice changes nothing more.
    """
    return without_spans(text, find_secrets(text))


def without_spans(text: str, spans: Iterable[tuple[str, int, int]]) -> str:
    """Put `[redacted <kind>]` in the place of each span: kind, start, end."""
    return replaced(text, ((start, end, f"[redacted {kind}]") for kind, start, end in spans))


def _all_secrets(text: str) -> Iterator[Secret]:
    if "-----BEGIN" in text:
        yield from _private_keys(text)
    for match in _AWS_SECRET.finditer(text) if _AWS_PAIR.search(text) else ():
        yield Secret("api key", *match.span())
    for kind, pattern, group in _BY_PATTERN:
        for match in pattern.finditer(text):
            yield Secret(kind, *match.span(group))
    yield from _labelled(text)
    yield from starmap(Secret, find_numbers(text))


def _private_keys(text: str) -> Iterator[Secret]:
    position = 0
    while begin := _KEY_BEGIN.search(text, position):
        end = _KEY_END.search(text, begin.end())
        # A key that was cut off has no end mark: all that follows may be key.
        position = end.end() if end else len(text)
        yield Secret("private key", begin.start(), position)


def _labelled(text: str) -> Iterator[Secret]:
    for match in _ASSIGNED.finditer(text):
        value = match["value"] if match["quote"] else match["value"].rstrip(".,?")
        start = match.start("value")
        spoken = match["link"].strip().isalpha()
        if match["password"] and _is_password(value, spoken=spoken):
            yield Secret("password", start, start + len(value))
        elif match["key"] and _is_key(value, spoken=spoken):
            yield Secret("api key", start, start + len(value))
    yield from _behind_labels(text)
    yield from _unlabelled(text)


def _behind_labels(text: str) -> Iterator[Secret]:
    """What stands behind a label without a verb or a colon, or further away."""
    for match in _LOGIN.finditer(text):
        value = match["value"].rstrip(".,?")
        if _is_password(value, spoken=False):
            yield Secret("password", match.start("value"), match.start("value") + len(value))
    for match in _OPTIONS.finditer(text):
        if _is_drawn(match["value"], near=False):
            yield Secret("password", *match.span("value"))
    for label in _LABEL.finditer(text) if _DRAWN.search(text) else ():
        end = text.find("\n\n", label.end(), label.end() + _FAR)
        end = label.end() + _FAR if end < 0 else end
        if label["code"]:
            figures = _FIGURES.finditer(text, label.end(), end)
            spans = [found.span() for found in figures if _may_be_code(text, label, found)]
            yield from (Secret("password", *span) for span in spans[:1])
        yield from _drawn_behind(text, label, end)


def _drawn_behind(text: str, label: re.Match[str], end: int) -> Iterator[Secret]:
    """The first word between a label and a place that is a key or a password by its looks."""
    for found in _VALUE.finditer(text, label.end(), end):
        value = found[0].rstrip(".,:?")
        near = not text[label.end() : found.start()].strip()
        drawn = _is_key(value, spoken=True) if label["key"] else _is_drawn(value, near=near)
        before = text_before(text, found.start(), 20)
        named = _NETWORK.search(text[label.end() : found.start()])
        if drawn and not named and not _BEFORE_VALUE.search(before):
            kind: Kind = "api key" if label["key"] else "password"
            yield Secret(kind, found.start(), found.start() + len(value))
            return


def _unlabelled(text: str) -> Iterator[Secret]:
    """What nobody would write for another reason: no label stands before it."""
    for match in _MARKED.finditer(text):
        if len(match[0]) >= _LEAST_MARKED:
            yield Secret("password", *match.span())
    for match in _TURNS.finditer(text) if _LOCK.search(text) else ():
        yield Secret("password", *match.span())
    for match in _WORDS.finditer(text) if _WALLET.search(text) else ():
        words = list(_LETTERS.finditer(text, *match.span()))
        known = [k for k, word in enumerate(words) if word[0].casefold() in STOPWORDS]
        first = max(known, default=-1) + 1
        if len(words) - first >= _LEAST_WORDS:
            yield Secret("private key", words[first].start(), match.end())
    for match in _ONE_BY_ONE.finditer(fold_letters(text)):
        before = text_before(text, match.start(), 60)
        dialled = match["first"] in _ZERO and not any(
            label["code"] for label in _LABEL.finditer(before)
        )
        counted = len(_SIGN.split(match[0])) > _LONGEST_CODE
        if not (dialled or counted or _PHONE.search(before)):
            yield Secret("password", *match.span())


def _may_be_code(text: str, label: re.Match[str], figures: re.Match[str]) -> bool:
    """Whether figures behind a label may be its code: no year, and no hour or number of something."""
    near = not text[label.end() : figures.start()].strip()
    before = text_before(text, figures.start(), 20)
    return near or not (_YEAR.fullmatch(figures[0]) or _BEFORE_VALUE.search(before))


def _is_drawn(value: str, *, near: bool) -> bool:
    """Whether a word is a password by its looks: letters with figures, and marks or capitals within.

    Args:
        value: a word behind a label.
        near: nothing stands between them; then figures or marks in a word of six letters are enough.
    """
    if len(value) < 6 or _PLACEHOLDER.match(value) or "://" in value or not value[0].isalnum():
        return False
    if _MEASURE.match(value) or _ISO_DATE.match(value):
        return False
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    marks = sum(map(value.count, "!@#$%^&*?+~"))
    if near:
        return value[0].isalpha() and bool(digits or marks)
    cased = value != value.lower() and value != value.upper()
    drawn = digits > 1 or _WITHIN.search(value) is not None
    return letters > 1 and digits > 0 and (marks > 0 or (cased and drawn and len(value) > 7))


def _is_password(value: str, *, spoken: bool) -> bool:
    """Whether a value was drawn rather than written.

    Args:
        value: what follows a label.
        spoken: a verb stands before it, not "=" or ":".
    """
    if len(value) < 4 or _PLACEHOLDER.match(value) or "://" in value:
        return False
    if spoken and (_MEASURE.match(value) or _ISO_DATE.match(value)):
        return False
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    if digits and (letters or digits == len(value)):
        return True
    if digits >= 4 and digits + sum(map(value.count, "#*-")) == len(value):
        return True  # a combination: 24-17-36, 7712#
    marks = len(value) - digits - letters - sum(map(value.count, "-_./’"))
    return bool(letters and marks and not spoken) or _mixes_case(value)


def _is_key(value: str, *, spoken: bool) -> bool:
    """Whether a value is a key: shorter ones beside `token` or `secret` are counts and names."""
    if len(value) < 16 or _PLACEHOLDER.match(value) or "://" in value:
        return False
    if spoken and _ISO_DATE.match(value):
        return False
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value)) and len(set(value)) >= 8


def _mixes_case(value: str) -> bool:
    """`hUnTeR`, `KeDi`: a capital after a small letter, more than once."""
    return sum(a.islower() and b.isupper() for a, b in pairwise(value)) >= 2


def _cards(text: str) -> Iterator[Number]:
    for run in _DIGITS.finditer(text):
        groups = [group.span() for group in _GROUP.finditer(text, *run.span())]
        if _GOES_ON.match(text, run.end()):
            groups.pop()
        card_end = -_BEHIND - 1  # index of the group behind the last card
        for index, size in enumerate(_card_sizes(text, groups)):
            start = groups[index][0]
            if index < card_end or not size or not _may_begin(text, groups, index, card_end):
                continue
            if not _NOT_A_CARD.search(text_before(text, start, 40)):
                card_end = index + size
                yield "card number", start, groups[card_end - 1][1]


def _card_sizes(text: str, groups: Sequence[Span]) -> list[int]:
    """For each group, how many groups the card that begins there has; 0 without a card.

    One number in ten has the check digit of a card, so most longer lists of numbers would hold one:
    it counts only if little else, or another card, follows.
    """
    count = len(groups)
    sizes = [0] * (count + 1)
    for index in reversed(range(count)):
        for size in _CARD_GROUPS:
            end = index + size
            if end > count or not _is_card(text[groups[index][0] : groups[end - 1][1]]):
                continue
            following = sizes[end : min(end + _BEHIND, count) + 1]
            if size == 1 or count - end <= _BEHIND or any(following):
                sizes[index] = size
                break
    return sizes[:count]


def _may_begin(text: str, groups: Sequence[Span], index: int, card_end: int) -> bool:
    """Whether a card may begin with a group: the group in front is no part of a list of numbers.

    Another card, the end of one, or a year may stand in front.
    """
    start, end = groups[index]
    if index == 0 or index - card_end <= _BEHIND or end - start > _LONGEST_GROUP:
        return True
    previous = text[slice(*groups[index - 1])]
    return len(previous) != len("2026") or (index == 1 and _YEAR.fullmatch(previous) is not None)


def _ibans(text: str) -> Iterator[Number]:
    position = 0
    while match := _IBAN.search(text, position):
        start = match.start()
        iban = _iban_prefix(match.group())
        if iban:
            yield "iban", start, start + len(iban)
        position = start + (len(iban) or 4)


def _iban_prefix(spelling: str) -> str:
    """The IBAN without trailing groups that are not part of it; empty if there is none."""
    while spelling and not _is_iban(spelling):
        spelling = spelling[: max(spelling.rfind(" "), 0)]
    return spelling


def _is_card(spelling: str) -> bool:
    number = spelling.replace(" ", "").replace("-", "")
    if not _CARD.fullmatch(number) or not _is_grouped_as_a_card(spelling) or len(set(number)) < 2:
        return False
    return _passes_luhn(number)


def _is_grouped_as_a_card(spelling: str) -> bool:
    groups = tuple(map(len, re.split("[ -]", spelling)))
    return len(groups) == 1 or groups in ((4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 4, 3))


def _passes_luhn(number: str) -> bool:
    """The check of payment cards.

    Every second digit from the right is doubled; the sum of all digits is a multiple of ten.
    """
    total = sum(map(int, number[-1::-2]))
    for digit in number[-2::-2]:
        total += sum(divmod(2 * int(digit), 10))
    return total % 10 == 0


def _is_iban(spelling: str) -> bool:
    """The check of ISO 13616: the remainder modulo 97 is 1.

    The country and the check digits are moved to the end, and letters count as 10..35.
    """
    number = spelling.replace(" ", "")
    if len(number) != _IBAN_LENGTHS.get(number[:2]):
        return False
    return int((number[4:] + number[:4]).translate(_IBAN_DIGITS)) % 97 == 1
