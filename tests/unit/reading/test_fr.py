"""French is taken apart into clauses."""

from __future__ import annotations

import pytest

from cogmem_core.reading import Reading, read
from cogmem_core.reading.compare import compare
from cogmem_core.reading.pack import pack_of
from helpers.tables import each_row

PACK = pack_of("fr")


def taken_apart(text: str) -> Reading:
    return read(text, "fr", PACK)


@each_row(
    "text, subject, slot, value",
    [
        ("J'habite à Lyon.", "i", "home", "Lyon"),
        ("J'ai déménagé à Nantes.", "i", "home", "Nantes"),
        ("j'ai demenage a lyon", "i", "home", "lyon"),
        ("Je me suis installé à Metz.", "i", "home", "Metz"),
        ("Je m'appelle Paul Martin.", "i", "name", "Paul Martin"),
        ("Ma sœur a 35 ans.", "my sour", "age", "35 ans"),
        ("Je travaille chez Airbus.", "i", "work", "Airbus"),
        ("Notre nounou c'est Fatou.", "my nounou", "be", "Fatou"),
        ("Le point est à 14h30.", "point", "be à", "14h30"),
        ("Le rendez-vous a été reporté au 19 mai.", "rendez-vous", "be", "19 mai"),
        ("Je viens de déménager à Lille.", "i", "home", "Lille"),
    ],
)
def test_a_statement_has_a_subject_a_slot_and_a_value(
    text: str, subject: str, slot: str, value: str
) -> None:
    """Elisions, pronouns before the verb, the compound past."""
    clause = taken_apart(text).clauses[0]
    assert (clause.kind, clause.subject, clause.slot, clause.value) == (
        "statement",
        subject,
        slot,
        value,
    )
    assert clause.plain


@each_row(
    "text, negative, ends",
    [
        ("Je ne fume pas.", True, False),
        ("Je ne fume plus.", False, True),
        ("J'ai arrêté de fumer.", False, True),
        ("Je n'ai aucun frère.", True, False),
        ("J'ai vendu la Clio.", False, True),
        ("Je fume.", False, False),
    ],
)
def test_a_denial_of_two_words_is_read(text: str, negative: bool, ends: bool) -> None:
    """ "ne ... pas" denies, "ne ... plus" ends."""
    clause = taken_apart(text).clauses[0]
    assert (clause.negative, clause.ends) == (negative, ends)


@each_row(
    "text, mood",
    [
        ("Je vais déménager à Nantes.", "planned"),
        ("Je déménagerai à Nantes.", "planned"),
        ("J'habiterais à Nice.", "hypothetical"),
        ("Je voudrais habiter à Nice.", "wished"),
        ("Peut-être que j'habite à Nice.", "hypothetical"),
        ("On m'a dit que j'habite à Nice.", "reported"),
        ("J'habite à Nantes. Je plaisante !", "joke"),
        ("J'habite à Nantes, ou pas.", "joke"),
    ],
)
def test_a_mood_is_read(text: str, mood: str) -> None:
    """The near future, endings, openers, what is taken back."""
    assert taken_apart(text).clauses[0].mood == mood


@each_row(
    "text, kinds",
    [
        ("J'ai déménagé à Lyon, tu connais un bon dentiste ?", ["statement", "question"]),
        ("Mon vol est annulé, peux-tu en réserver un autre ?", ["statement", "question"]),
        ("Je suis végane, et lundi je pars à Bonn.", ["statement", "statement"]),
        ("Rappelle-moi mon adresse.", ["request"]),
        ("Traduis en anglais : j'habite à Nice.", ["request", "pasted"]),
        ("Réponds toujours en français.", ["instruction"]),
        ("Oublie mon ancienne adresse.", ["wish_to_forget"]),
        ("Souviens-toi que ma fille s'appelle Inès.", ["wish_to_keep"]),
        ("Merci beaucoup !", ["filler"]),
    ],
)
def test_each_clause_has_its_kind(text: str, kinds: list[str]) -> None:
    """What is told beside a question is a clause of its own."""
    assert [clause.kind for clause in taken_apart(text).clauses] == kinds


@each_row(
    "old, new, grade",
    [
        ("J'habite à Lyon.", "J'ai déménagé à Nantes.", "replaces"),
        ("Je fume.", "Je ne fume plus.", "ends"),
        ("J'habite à Porto.", "Correction : j'habite à Braga, pas à Porto.", "replaces"),
        ("Mon loyer est de 700 euros.", "Mon loyer est passé à 750 euros.", "replaces"),
        ("Mon loyer est de 700 euros.", "Sans aides, mon loyer est de 750 euros.", "none"),
        ("Je vais à la piscine.", "Je vais à la mer le lundi.", "none"),
        ("J'habite à Lyon.", "Quand je travaillais à Rome, j'habite à Nice.", "none"),
        ("J'habite à Lyon.", "J'habite à Nice, disait mon personnage.", "doubt"),
    ],
)
def test_only_a_plain_statement_changes_another(old: str, new: str, grade: str) -> None:
    """Before it, behind it, and beside it."""
    verdicts = compare(taken_apart(new), taken_apart(old), PACK)
    assert verdicts[0].grade == grade


@pytest.mark.parametrize("text", ["J'habite plus à Lyon.", "Je ne bois que du thé."])
def test_what_limits_a_claim_is_its_scope(text: str) -> None:
    """A "plus" alone may be more or no more."""
    assert taken_apart(text).clauses[0].scope
