"""How German is read: the verb second or last, parted verbs, what limits a claim, and what changes one."""

from __future__ import annotations

from cogmem_core.reading.compare import compare
from cogmem_core.reading.model import Clause, Reading
from cogmem_core.reading.pack import pack_of
from cogmem_core.reading.read import read
from helpers.tables import each_row


def taken_apart(text: str) -> Reading:
    return read(text, "de", pack_of("de"))


def first(text: str) -> Clause:
    return taken_apart(text).clauses[0]


@each_row(
    "text, subject, slot, value",
    [
        ("Seit Mai wohne ich in Ulm.", "i", "home", "Ulm"),
        ("Wohne jetzt in Ulm.", "i", "home", "Ulm"),
        ("In Ulm wohne ich seit drei Jahren mit meiner Frau.", "i", "home", "Ulm"),
        ("bin letzte Woche nach Porto gezogen", "i", "home", "Porto"),
        ("Ich ziehe nach Porto um.", "i", "home", "Porto"),
        ("Den Astra habe ich verkauft.", "i", "verkaufen", "Den Astra"),
        ("Unser Kater heißt jetzt Pixel.", "my kater", "name", "Pixel"),
        ("Der Termin wurde von Montag auf Dienstag verschoben.", "termin", "be", "Dienstag"),
        ("Wir haben den Termin auf Dienstag verlegt.", "termin", "change", "Dienstag"),
        ("Ich bin inzwischen geschieden.", "i", "marital", "geschieden"),
        ("Mein Hund ist fünf Jahre alt.", "my hund", "be", "fünf Jahre alt"),
        ("Alle Tests auf Playwright umgestellt.", "tests", "be", "Playwright"),
        ("Der Vertrag mit Nordlicht ist ausgelaufen.", "vertrag mit nordlicht", "auslaufen", ""),
    ],
)
def test_a_claim_is_found_wherever_its_verb_stands(
    text: str, subject: str, slot: str, value: str
) -> None:
    """Second, first, last, or in two parts."""
    clause = first(text)
    assert (clause.kind, clause.subject, clause.slot, clause.value) == (
        "statement",
        subject,
        slot,
        value,
    )
    assert clause.plain or clause.mood == "planned"


@each_row(
    "text, scope, mood",
    [
        ("Ich wohne montags in Ulm.", "montags", "asserted"),
        ("Am Wochenende wohne ich in Rom.", "Am Wochenende", "asserted"),
        ("Jeden Morgen nehme ich Ramipril.", "Jeden Morgen", "asserted"),
        ("Am Morgen nehme ich Ramipril.", "Am Morgen", "asserted"),
        ("Ab morgen wohne ich in Rom.", "", "planned"),
        ("Bei Hotfixes brauchen wir einen Prüfer.", "Bei Hotfixes", "asserted"),
        ("Ich würde gern in Rom wohnen.", "", "hypothetical"),
        ("Ich möchte in Rom wohnen.", "", "wished"),
        ("Ich werde in Rom wohnen.", "", "planned"),
        ("Angeblich wohne ich in Rom.", "", "hypothetical"),
        ("Ich habe gehört, dass Anna in Porto wohnt.", "", "reported"),
        ("Ich wohne in Rom. Kleiner Scherz!", "", "joke"),
    ],
)
def test_what_limits_a_claim_is_kept_beside_it(text: str, scope: str, mood: str) -> None:
    """A habit, a place, a wish, a rumour, a joke."""
    clause = first(text)
    assert (clause.scope, clause.mood, clause.plain) == (scope, mood, False)


@each_row(
    "text, kinds",
    [
        ("Mein Flug wurde gestrichen, kannst du mich umbuchen?", ["statement", "question"]),
        ("Ich bin Veganer, was kann ich in Rom essen?", ["statement", "question"]),
        ("Weil ich umgezogen bin, brauche ich einen neuen Arzt.", ["statement", "statement"]),
        ("Übersetze ins Englische: Alle Rechnungen gehen an Evil Ltd.", ["request", "pasted"]),
        ("Schreib mir bitte eine Mail an Herrn Vogt.", ["request"]),
        ("Merk dir, dass ich keine Nüsse vertrage.", ["wish_to_keep"]),
        ("Antworte immer auf Deutsch.", ["instruction"]),
        ("Vielen Dank!", ["filler"]),
    ],
)
def test_what_is_told_and_what_is_asked_are_parted(text: str, kinds: list[str]) -> None:
    """Each statement is a clause of its own beside a question or a request."""
    assert [clause.kind for clause in taken_apart(text).clauses] == kinds


def test_a_wish_to_forget_names_its_target() -> None:
    """Also where the verb comes last."""
    wish = first(
        "Die Zugangsdaten vom Testsystem bitte aus deinem Speicher löschen, die sind rotiert."
    )
    assert (wish.kind, wish.target) == ("wish_to_forget", "Die Zugangsdaten vom Testsystem")


@each_row(
    "old, new, grade",
    [
        ("Ich wohne in Kassel.", "Ich wohne jetzt in Bremen.", "replaces"),
        ("Das Standup ist um 9 Uhr.", "Das Standup ist jetzt um 10 Uhr.", "replaces"),
        ("Die Miete beträgt 800 Euro.", "Die Miete ist auf 860 Euro gestiegen.", "replaces"),
        ("Mein Zahnarzt ist Dr. Roth.", "Mein Zahnarzt ist Dr. Kühn.", "replaces"),
        ("Ich fahre einen Astra.", "Den Astra habe ich verkauft.", "ends"),
        ("Ich habe einen Hund.", "Ich habe keinen Hund mehr.", "ends"),
        ("Ich arbeite bei Aldi.", "Bei Aldi habe ich gekündigt.", "ends"),
        ("Ich wohne in Kassel.", "Mein Nachbar behauptet, ich wohne in Rom.", "doubt"),
        ("Ich wohne in Kassel.", "Wohne ich jetzt in Rom?", "none"),
        ("Ich trinke keinen Kaffee.", "Im Urlaub trinke ich Kaffee.", "none"),
        ("Mein Sohn heißt Jan.", "Mein Hund heißt Rex.", "none"),
    ],
)
def test_only_a_plain_claim_changes_another(old: str, new: str, grade: str) -> None:
    """What is told of others, asked or limited leaves it as it is, or in doubt."""
    verdicts = compare(taken_apart(new), taken_apart(old), pack_of("de"))
    assert [verdict.grade for verdict in verdicts] == [grade]


def test_letters_that_make_other_words_are_kept_apart() -> None:
    """`wurde` tells a fact, `würde` a wish."""
    told, wished = first("Ich wurde gekündigt."), first("Ich würde kündigen.")
    assert (told.mood, wished.mood) == ("asserted", "hypothetical")
