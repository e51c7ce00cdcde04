"""Turkish: orders to the model, secrets and personal data."""

# ruff: noqa: RUF001 - Turkish is spelt in Turkish

from cogmem_core.languages.base import SafetyRules
from cogmem_core.languages.tr.injection import CLAIMS, INSTRUCTIONS, RULES

SAFETY = SafetyRules(
    instructions=INSTRUCTIONS,
    claims=CLAIMS,
    rules=RULES,
    passcode_labels=r"pin[ ]kodum?|(?:[şs]ifre|parola)(?:m|n|s[iı]|miz|niz|leri|ler)?",
    bare_passcode_labels=r"(?:[şs]ifre|parola)(?:m|n|si|sı|miz|niz)",
    bare_code_labels=r"pin[ ]kodu(?:m|muz)?|(?:[şs]ifre|parola)(?:m|s[ıi]|miz|m[ıi]z)|kap[ıi][ ]kodu(?:muz)?",
    login_labels=r"giri[şs](?:[ ]bilgileri?)?",
    key_kinds="gizli|eri[şs]im",
    key_nouns="anahtar[ıi]?",
    key_labels=r"api[ _-]?anahtar[ıi](?:m)?",
    number_labels="sipari[şs]|fatura|takip|kargo|referans|telefon",
    phone_labels=r"tel(?:efon)?\w{0,6}|numara\w{0,4}|cep\w{0,6}|ara",
    version_labels="sürüm",
)
