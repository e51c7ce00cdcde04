"""English: orders to the model, secrets and personal data."""

from cogmem_core.languages.base import SafetyRules
from cogmem_core.languages.en.injection import CLAIMS, INSTRUCTIONS, RULES

SAFETY = SafetyRules(
    instructions=INSTRUCTIONS,
    claims=CLAIMS,
    rules=RULES,
    telling_words=(
        "instruction",
        "previous",
        "system",
        "ignore",
        "always",
        "recommend",
        "admin",
        "from now on",
        "prompt",
        "you must",
    ),
    passcode_labels=(
        r"pass(?:word|wd|phrase|code)|pwd?|pin(?:[ ](?:code|number))?|(?:wi-?fi|wlan|wpa2?)[ ](?:key|code)"
        r"|(?:alarm|door|gate|garage|access|entry|entrance|safe|keypad)[ ]code"
        r"|(?:safe|lock|padlock)[ ]combination|combination(?=[ ](?:of|to|for)[ ])"
    ),
    bare_passcode_labels="password|passwd|passphrase",
    bare_code_labels=r"pin(?:[ ]code)?|passcode|(?:alarm|door|gate|garage|keypad|safe)[ ]code",
    login_labels="log-?in|logon|credentials",
    key_kinds="api|access|secret|private|client|auth|signing|encryption|account",
    key_nouns="key|secret|token",
    key_labels=r"secret|(?:bot|refresh|session|id)[ _-]?token|token",
    label_objects="of|for|to|on|at|in",
    check_number_labels=r"cvv2?|cvc2?|cvn|card security code|security code",
    copulas=r"(?:is|was|are)(?:[ \t]{1,4}now)?",
    number_labels=(
        "order|invoice|tracking|shipment|parcel|isbn|imei|ref(?:erence)?|ticket|case|account|phone|tel"
    ),
    phone_labels=(
        r"tel(?:ephone)?\w{0,6}|phone|mobile|cell|fax|call(?: me)?(?: at| on)?|whats ?app"
    ),
    version_labels=r"\bv|version|release|schema|build",
)
