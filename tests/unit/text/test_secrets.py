"""Secrets are found by prefix, check sum or label, and nothing else is."""

from hypothesis import given
from hypothesis import strategies as st

from cogmem_core.text.safety.secrets import Secret, find_secrets, redact
from helpers.tables import each_row, rows_of

SIGNATURE = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc_def"
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----"


@each_row(
    ("text", "redacted"),
    [
        *rows_of("secrets/a_secret_is_replaced_by_its_kind", "en ja ko th tr zh"),
        ("sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc", "[redacted api key]"),
        ("slack xoxb-" + "123456789012-abcdefghij", "slack [redacted token]"),
        (SIGNATURE, "[redacted token]"),
        (f"key:\n{PEM}\nkeep it", "key:\n[redacted private key]\nkeep it"),
    ],
)
def test_a_secret_is_replaced_by_its_kind(text: str, redacted: str) -> None:
    """The words around it stay; so does the label."""
    assert redact(text) == redacted


@each_row(
    "text",
    [
        *rows_of("secrets/what_merely_looks_like_a_secret_stays", "en tr zh"),
        f"readings {' '.join(map(str, range(4000, 4060)))}",
    ],
)
def test_what_merely_looks_like_a_secret_stays(text: str) -> None:
    """Identifiers, hashes, numbers of other kinds, placeholders and prose about passwords are no secrets."""
    assert find_secrets(text) == ()


def test_secrets_come_in_order_with_their_place() -> None:
    """Start and end are positions in the text."""
    text = "password=hunter2 and card 4111111111111111"

    assert find_secrets(text) == (Secret("password", 9, 16), Secret("card number", 26, 42))


def test_overlapping_secrets_are_one() -> None:
    """A token in an assignment is redacted once."""
    assert redact("api_key=sk-abcdEFGH1234ijklMNOP5678qrst") == "api_key=[redacted api key]"


@given(
    st.text(max_size=200),
    st.sampled_from(["password=hunter2", SIGNATURE, PEM, "4111 1111 1111 1111"]),
)
def test_redacting_again_changes_nothing(text: str, secret: str) -> None:
    """What was redacted holds no secret any more."""
    once = redact(f"{text} {secret}")

    assert redact(once) == once


@given(st.text(alphabet="sk-pasword=: 41eyJ.TR3'\"@/", max_size=300))
def test_spans_are_ordered_and_disjoint(text: str) -> None:
    """Whatever the text, each span lies inside it and after the one before."""
    edges = [edge for secret in find_secrets(text) for edge in (secret.start, secret.end)]

    assert edges == sorted(edges)
    assert all(0 <= edge <= len(text) for edge in edges)
