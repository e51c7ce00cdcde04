"""Calls for help, and secrets behind labels: kinds of sentences with their siblings, in English and Turkish."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import cogmem_core
from cogmem_core import MemoryBank
from cogmem_core.testing import MANUAL, FrozenClock
from cogmem_core.text.observe.emotion import emotion
from cogmem_core.text.safety.secrets import redact
from helpers.tables import each_row

EMERGENCIES = [
    "HELP!!! My son swallowed a battery, what do I do?!",
    "HELP!!! My son swallowed a battery …",
    "EMERGENCY!! My dad collapsed in the kitchen and he isn't breathing",
    "Please help, my daughter drank bleach!!",
    "URGENT: my wife is having a seizure, call an ambulance!",
    "My baby isn't breathing!!! Help me!!!",
    "Help! There's a fire in our kitchen and the kids are upstairs!!!",
    "I think I'm having a heart attack, call 911!!",
    "SOS my brother overdosed and won't wake up!!!",
    "Help, my grandma fell down the stairs and is unconscious!",
    "İMDAT!!! Oğlum pil yuttu!!!",
    "YARDIM EDİN!!! Babam bayıldı, nefes almıyor!",
    "Acil!! Kızım çamaşır suyu içti, ne yapayım?!",
    "İmdat! Evde yangın çıktı, çocuklar içeride!!!",
    "ACİL AMBULANS!! Eşim nöbet geçiriyor!",
    "Somebody help! My toddler has a bead stuck in his throat and can't breathe",
    "My husband cut off his finger with the saw, blood everywhere, help!!",
    "Emergency: my baby ate rat poison",
    "HELP my dog was hit by a car",
    "Please help, I took too many pills",
    "Yardım! Oğlum merdivenden düştü, kalkmıyor",
    "İmdat! Kocamı elektrik çarptı",
    "Acil! Bebeğim havale geçiriyor",
    "There is someone in my house, call the police!!",
    "HELP!! my water broke at 30 weeks",
    "help us, the boat is sinking",
    "URGENT my kid burned her arm with boiling oil",
    "Anyone?? my mom just had a stroke, need an ambulance",
    "İmdat, kızımın dudakları şişti, nefes alamıyor!",
    "Yardım edin lütfen, annem yerde yatıyor, tepki vermiyor",
]
CALM = [
    "Help! I need a good name for my cat!!!",
    "HELP!!! Which dress should I wear tonight?! :)",
    "I need help with my homework, please!",
    "My son swallowed his pride and apologised.",
    "We watched the fireworks, the kids LOVED it!!!",
    "Emergency exits are on the left.",
    "I helped my dad with his heart medication list.",
    "YARDIM!!! Hangi elbiseyi giysem?!",
    "Acil bir işim yok, yarın konuşuruz.",
    "The battery of my phone is dead, help!",
    "My team is on fire this week!!!",
    "We had an emergency drill at work today.",
    "Urgent: the report must be done by Friday",
    "Help me plan a birthday party for my son who loves batteries",
    "My emergency fund is 3,000 euros",
    "Can you help me? The kitchen is painted red",
    "Acil servis doktoru olarak çalışıyorum",
    "Help me write a story in which a boat sinks",
    "Please help me cut the budget",
    "I help at the fire department in Leeds",
    "The ambulance museum is in Bern",
    "yardım etmeyi seviyorum",
    "My friend is on a heart medication, and I want to help him cook",
]
SECRETS = [
    (
        "The admin password of the router is hunter2xyz",
        "The admin password of the router is [redacted password]",
    ),
    (
        "The wifi password in the cabin is Sommer-2019!",
        "The wifi password in the cabin is [redacted password]",
    ),
    ("PIN of the alarm: 4471", "PIN of the alarm: [redacted password]"),
    (
        "The PIN for the alarm system is 4471.",
        "The PIN for the alarm system is [redacted password].",
    ),
    ("My alarm code is 4471", "My alarm code is [redacted password]"),
    (
        "Stripe account acct_1032D82eZvKYlo2C, key sk_live_4eC39HqLyjWDarjtT1zdp7dc",
        "Stripe account acct_1032D82eZvKYlo2C, key [redacted api key]",
    ),
    (
        "aws id AKIAIOSFODNN7EXAMPLE secret wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "aws id [redacted api key] secret [redacted api key]",
    ),
    (
        "Card 4111 1111 1111 1111, CVV 123",
        "Card [redacted card number], CVV [redacted card number]",
    ),
    (
        "the security code on the back is 737",
        "the security code on the back is [redacted card number]",
    ),
    ("Wifi şifresi: kedi4821", "Wifi şifresi: [redacted password]"),
    ("Modemin yönetici şifresi Ankara06!", "Modemin yönetici şifresi [redacted password]"),
    ("Alarmın PIN kodu 4471", "Alarmın PIN kodu [redacted password]"),
    ("Parola: Gizli.2024", "Parola: [redacted password]"),
    ("Kasanın parolası 8812", "Kasanın parolası [redacted password]"),
    ("Login for the NAS: admin / Tr0ub4dor&3", "Login for the NAS: admin / [redacted password]"),
    ("pw for Netflix = Blumen77", "pw for Netflix = [redacted password]"),
    ("my wifi key is 9f3kLm2Qx7Zt", "my wifi key is [redacted password]"),
    (
        "The password for the guest network at my parents' house is Blau!haus9",
        "The password for the guest network at my parents' house is [redacted password]",
    ),
    ("Passcode for the garage door: 2580", "Passcode for the garage door: [redacted password]"),
    (
        "ATM pin 9921, password Winter!2291x",
        "ATM pin [redacted password], password [redacted password]",
    ),
    ("Kart şifrem 4471", "Kart şifrem [redacted password]"),
    ("E-devlet şifrem kanarya77", "E-devlet şifrem [redacted password]"),
    (
        "password is swordfish99 for the old laptop",
        "password is [redacted password] for the old laptop",
    ),
    (
        "the combination of the safe is 24-17-36",
        "the combination of the safe is [redacted password]",
    ),
    ("Our door code is 7712#", "Our door code is [redacted password]"),
    (
        "API key (id 88213): a8f5f167f44f4964e6c998dee827110c",
        "API key (id 88213): [redacted api key]",
    ),
    (
        "client id 77123-abc and client secret Zx81kQp0Lm44TyUu",
        "client id 77123-abc and client secret [redacted api key]",
    ),
]
HARMLESS = [
    "The password is changed every month",
    "PIN code entry is broken",
    "I forgot my password again",
    "The wifi password is on the fridge",
    "The PIN pad of the alarm is on the left",
    "The key to success is patience",
    "Şifremi unuttum",
    "Parola politikası her ay değişiyor",
    "The security code of conduct is strict",
    "My token of appreciation is a book",
    "The password manager costs 3 euros a month",
    "The alarm goes off at 7",
    "The alarm code is only known to my wife",
    "Kartımın şifresini kimseyle paylaşmam",
    "The pin number 4 of the connector is ground",
    "The password is case sensitive",
    "The code of the building was renovated in 1987",
    "The combination of red and blue is nice",
    "The wifi password has 12 characters",
    "Şifre en az 8 karakter olmalı",
    "The password was changed in 2024",
    "My password expires on 2026-05-01",
    "The password of the router is printed on its back",
    "The pin 1000 notes board is full",
    "The alarm code changed twice in 2025",
    "We lost the door code in March 2024, call me at 0532",
    "The combination of coffee and 2 sugars is great",
    "The lock code of the safe is stored in the vault app",
    "login: see wiki/onboarding",
    "Login page: users/settings crashes",
    "Credentials: ask Marta / IT desk",
    "The login for the course starts at 10:30",
    "The security code review is at 14:00",
    "security code on the form is missing",
    "The access code expires after 30 minutes",
    "The secret to good bread: patience and 24 hours",
    "API key rotation is due every 90 days",
    "The token count is 128000 per request",
    "Client secret rotation happens automatically",
    "Client secret management-documentation lives in Confluence",
    "Şifre değişikliği 2026'da zorunlu",
    "PIN kodu ekranı bozuk",
    "Kapı kodu her ay değişiyor",
    "Parola 12 karakterden kısa olamaz",
    "My zip code is 94110",
    "Area code is 0212",
    "error code 4471 appears",
    "The combination is 3 parts sand to 1 part cement",
    "PIN pad firmware 2.4.1 is out",
    "The gate code review at 1530 was moved",
    "Pin 13 of the Arduino blinks",
    "Our building code requires 2100 mm doors",
    "the building code is 2021-04 edition",
    "my safe word is pineapple",
    "pw: see the vault",
]


@pytest.fixture
def bank(clock: FrozenClock) -> Iterator[MemoryBank]:
    with cogmem_core.open(embedder="hashing", clock=clock, config=MANUAL) as engine:
        yield engine.bank("alice")


@each_row("text", EMERGENCIES)
def test_an_emergency_is_bad_and_loud(text: str) -> None:
    """A call for help beside a danger to life: VADER alone takes "help" for something good."""
    felt = emotion(text)

    assert (felt.valence <= -0.6, felt.arousal, felt.label) == (True, 0.9, "fear")


@each_row("text", CALM)
def test_what_only_holds_the_words_stays_calm(text: str) -> None:
    """Neither a call for help alone nor a danger alone is an emergency."""
    assert emotion(text).arousal < 0.8


def test_emergencies_become_flashbulbs(bank: MemoryBank) -> None:
    """They are pinned, and no question beside them keeps them out."""
    bank.remember([EMERGENCIES[0], EMERGENCIES[9], EMERGENCIES[10]])

    assert [(memory.flashbulb, memory.pinned) for memory in bank.list()] == [(True, True)] * 3


@each_row("text, clean", SECRETS)
def test_secrets_behind_labels_are_taken_out(text: str, clean: str) -> None:
    """Whatever stands between the label and the secret."""
    assert redact(text) == clean


@each_row("text", HARMLESS)
def test_labels_without_a_secret_are_left_alone(text: str) -> None:
    """Sentences about passwords, codes and keys."""
    assert redact(text) == text
