"""Secrets are found by prefix, check sum or label, and nothing else is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cogmem_core.text.safety.secrets import Secret, find_secrets, redact
from helpers.tables import each_row

SIGNATURE = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc_def"
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----"


@each_row(
    ("text", "redacted"),
    [
        ("use sk-proj-abcdEFGH1234ijklMNOP5678qrst", "use [redacted api key]"),
        ("id AKIAIOSFODNN7EXAMPLE", "id [redacted api key]"),
        (
            "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY",
            "aws_secret_access_key = [redacted api key]",
        ),
        ("AIzaSyA1234567890abcdefghijklmnopqrstuv", "[redacted api key]"),
        ("sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc", "[redacted api key]"),
        ("API_KEY: 550e8400-e29b-41d4-a716-446655440000", "API_KEY: [redacted api key]"),
        ("gizli anahtar: a8f5f167f44f4964e6c998dee827110c", "gizli anahtar: [redacted api key]"),
        ("push with ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8.", "push with [redacted token]."),
        ("slack xoxb-" + "123456789012-abcdefghij", "slack [redacted token]"),
        ("Authorization: Bearer abcdef0123456789abcdef", "Authorization: Bearer [redacted token]"),
        (SIGNATURE, "[redacted token]"),
        (f"key:\n{PEM}\nkeep it", "key:\n[redacted private key]\nkeep it"),
        ("-----BEGIN PRIVATE KEY-----\nMIIEow cut off", "[redacted private key]"),
        ("password=hunter2", "password=[redacted password]"),
        ("My password is hunter2.", "My password is [redacted password]."),
        ('{"password": "tr0ub4dor&3"}', '{"password": "[redacted password]"}'),
        ("DB_PASSWORD='s3cr3t!' in .env", "DB_PASSWORD='[redacted password]' in .env"),
        ("PIN: 4821", "PIN: [redacted password]"),
        ("ŞİFREM: kedi42", "ŞİFREM: [redacted password]"),
        ("wifi şifresi kedi4821", "wifi şifresi [redacted password]"),
        ("parola = 1234", "parola = [redacted password]"),
        (
            "postgres://bob:hunter2@db.example.com/x",
            "postgres://bob:[redacted password]@db.example.com/x",
        ),
        ("my card is 4111 1111 1111 1111", "my card is [redacted card number]"),
        ("3782 822463 10005 (amex)", "[redacted card number] (amex)"),
        ("5555555555554444.", "[redacted card number]."),
        ("IBAN TR33 0006 1005 1978 6457 8413 26", "IBAN [redacted iban]"),
        ("DE89370400440532013000", "[redacted iban]"),
        ("4111 1111 1111 1111 12/27 123", "[redacted card number] 12/27 123"),
        ("4111111111111111 12/27", "[redacted card number] 12/27"),
        ("4111 1111 1111 1111 123", "[redacted card number] 123"),
        ("4111-1111-1111-1111-123", "[redacted card number]-123"),
        (
            "cvv 123 4111 1111 1111 1111 1227",
            "cvv [redacted card number] [redacted card number] 1227",
        ),
        ("1227 4111 1111 1111 1111", "1227 [redacted card number]"),
        ("4111111111111111 5555555555554444", "[redacted card number] [redacted card number]"),
        ("6212 3456 7890 1234 569", "[redacted card number]"),
        ("2024 4111 1111 1111 1111", "2024 [redacted card number]"),
        (
            "4111 1111 1111 1111 1227 123 5555 5555 5555 4444",
            "[redacted card number] 1227 123 [redacted card number]",
        ),
        (
            "4111 1111 1111 1111 5555 5555 5555 4444 5",
            "[redacted card number] [redacted card number] 5",
        ),
        ("AT61 1904 3002 3457 3201 BAWAG", "[redacted iban] BAWAG"),
        ("ES91 2100 0418 4502 0005 1332 THANKS", "[redacted iban] THANKS"),
        ("BE68539007547034 BE", "[redacted iban] BE"),
        ("BE68 5390 0754 7034 BE68539007547034", "[redacted iban] [redacted iban]"),
        (
            "NO9386011117947 or MT84MALT011000012345MTLCAST001S",
            "[redacted iban] or [redacted iban]",
        ),
    ],
)
def test_a_secret_is_replaced_by_its_kind(text: str, redacted: str) -> None:
    """The words around it stay; so does the label."""
    assert redact(text) == redacted


@each_row(
    "text",
    [
        "550e8400-e29b-41d4-a716-446655440000",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "call +90 532 123 45 67 or 0532 123 45 67",
        "+1 (415) 555-2671",
        "ISBN 978-3-16-148410-0",
        "9783161484100",
        "IMEI 352099001761481",
        "order 4111111111111111",
        "order 4111 1111 1111 1111 123",
        "4111111111111111/5",
        "4111 1111 1111 1111/5",
        "sipariş no: 4111 1111 1111 1111",
        "order #112-2345678-1234567",
        "4111 1111 1111 1112 fails the check sum",
        "TR34 0006 1005 1978 6457 8413 26 fails the check sum",
        "1699999999999",
        f"readings {' '.join(map(str, range(4000, 4060)))}",
        "9000 9001 9002 4111 1111 1111 1111",
        "4111 1111 1111 1111 9000 9001 9002",
        "2026-05-01T12:00:00Z",
        "password: required",
        "the password is stored in Vault",
        "the password is 8 characters long",
        "the password is 128-bit",
        "password = os.environ['X'], password=${DB_PASS}, password: <yours>",
        "I forgot my password yesterday",
        "şifremi unuttum",
        "şifresi 3gün sonra değişecek",
        "parola politikası 12 karakter ister",
        "max_tokens=4096, tokens: 12345678901234567",
        "the secret is patience",
        "sk-learn-random-forest-2024-tutorial",
        "my pin is on the map",
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
