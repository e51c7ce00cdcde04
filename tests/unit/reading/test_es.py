"""Spanish is taken apart into clauses."""

from __future__ import annotations

from cogmem_core.reading import Reading, read
from cogmem_core.reading.compare import compare
from cogmem_core.reading.pack import pack_of
from helpers.tables import each_row

PACK = pack_of("es")


def taken_apart(text: str) -> Reading:
    return read(text, "es", PACK)


@each_row(
    "text, subject, slot, value",
    [
        ("Vivo en Madrid.", "i", "home", "Madrid"),
        ("Me mudé a Valencia.", "i", "home", "Valencia"),
        ("¡Nos hemos mudado a Vitoria!", "we", "home", "Vitoria"),
        ("Acabo de mudarme a Lugo.", "i", "home", "Lugo"),
        ("Me llamo Pablo Ruiz.", "i", "name", "Pablo Ruiz"),
        ("Mi hermana tiene 35 años.", "my hermana", "age", "35 años"),
        ("Me gusta el jazz.", "i", "gustar", "el jazz"),
        ("El lunes vuelo a Bonn.", "i", "volar a", "Bonn"),
        ("La reunión es a las 9 y media.", "reunion", "be a", "las 9 y media"),
        ("Se aplazó la cita al 19 de mayo.", "cita", "be", "19 de mayo"),
        ("Como carne.", "i", "comer", "carne"),
        ("Trabajo como arquitecta.", "i", "job", "arquitecta"),
    ],
)
def test_a_statement_has_a_subject_a_slot_and_a_value(
    text: str, subject: str, slot: str, value: str
) -> None:
    """The form of the verb tells who; pronouns stand before it or at its end."""
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
        ("No fumo.", True, False),
        ("Ya no fumo.", False, True),
        ("He dejado de fumar.", False, True),
        ("No tengo ningún hermano.", True, False),
        ("Nunca como carne.", True, False),
        ("No me gusta el jazz.", True, False),
    ],
)
def test_a_denial_is_read(text: str, negative: bool, ends: bool) -> None:
    """Two words of denial deny once."""
    clause = taken_apart(text).clauses[0]
    assert (clause.negative, clause.ends) == (negative, ends)


@each_row(
    "text, mood",
    [
        ("Voy a mudarme a Valencia.", "planned"),
        ("Me mudaré a Valencia.", "planned"),
        ("Viviría en Cádiz.", "hypothetical"),
        ("Quiero vivir en Cádiz.", "wished"),
        ("Quizás vivo en Cádiz.", "hypothetical"),
        ("Me dijeron que vivo en Cádiz.", "reported"),
        ("Vivo en Valencia. ¡Es broma!", "joke"),
        ("Vivo en Valencia, o no.", "joke"),
    ],
)
def test_a_mood_is_read(text: str, mood: str) -> None:
    """The near future, endings, openers, what is taken back."""
    assert taken_apart(text).clauses[0].mood == mood


@each_row(
    "text, kinds",
    [
        ("Me mudé a Lyon, ¿conoces un buen dentista?", ["statement", "question"]),
        ("Como soy vegetariana, ¿qué me propones?", ["statement", "question"]),
        ("Vivo en Lyon y trabajo en Sanofi.", ["statement", "statement"]),
        ("Recuérdame mi dirección.", ["request"]),
        ("Traduce al inglés: vivo en Cádiz.", ["request", "pasted"]),
        ("Responde siempre en español.", ["instruction"]),
        ("Olvida mi antigua dirección.", ["wish_to_forget"]),
        ("Recuerda que mi hija se llama Inés.", ["wish_to_keep"]),
        ("¡Muchas gracias!", ["filler"]),
        ("Cuando vivía en Roma, trabajaba en Eni.", ["statement", "statement"]),
    ],
)
def test_each_clause_has_its_kind(text: str, kinds: list[str]) -> None:
    """What is told beside a question is a clause of its own."""
    assert [clause.kind for clause in taken_apart(text).clauses] == kinds


@each_row(
    "old, new, grade",
    [
        ("Vivo en Madrid.", "Me mudé a Valencia.", "replaces"),
        ("Fumo.", "Ya no fumo.", "ends"),
        ("Vivo en Oporto.", "Corrección: vivo en Braga, no en Oporto.", "replaces"),
        ("Mi alquiler es de 700 euros.", "Mi alquiler ha subido a 750 euros.", "replaces"),
        (
            "La cuota es de 80 euros.",
            "El primer mes, como bienvenida, la cuota es de 40 euros.",
            "none",
        ),
        ("Vivo en Madrid.", "Vivo en Valencia salvo que llueva.", "none"),
        ("Vivo en Madrid.", "Si todo va bien, vivo en Valencia.", "none"),
        ("Vivo en Madrid.", "Vivo en Valencia por ahora.", "doubt"),
    ],
)
def test_only_a_plain_statement_changes_another(old: str, new: str, grade: str) -> None:
    """Before it, behind it, and beside it."""
    verdicts = compare(taken_apart(new), taken_apart(old), PACK)
    assert verdicts[0].grade == grade
