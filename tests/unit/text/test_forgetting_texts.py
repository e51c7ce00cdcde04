"""Which texts a wish to forget means, and which statements claim the same: the pure part."""

from __future__ import annotations

from pathlib import Path

from cogmem_core.encoding.whole_wish import wish_of
from cogmem_core.reading.claims import claims
from cogmem_core.text.query.forgetting import Meant, chosen, topic_of
from helpers.script_runner import Scripts
from helpers.tables import each_row, each_row_of

KEPT_BEFORE_AND_AFTER = """
import cogmem_core
from cogmem_core.base.lru import texts_kept
from cogmem_core.testing import MANUAL

with cogmem_core.open(embedder="hashing", config=MANUAL) as engine:
    engine.pause()
    bank = engine.bank("alice")
    bank.remember("I moved to Lisbon with my sister Elif.")
    print(texts_kept())
    bank.forget_all(confirm="alice", hard=True)
    print(texts_kept())
"""


@each_row_of("forgetting_meant/a_statement_shows_what_it_tells", "en tr")
def test_a_statement_shows_what_it_tells(query: str, text: str) -> None:
    """Though the word for it does not stand there."""
    assert Meant(query).named_by(text) in ("slot", "words", "statement")


@each_row_of("forgetting_meant/what_is_somebody_else_s_is_at_most_near", "en tr")
def test_what_is_somebody_else_s_is_at_most_near(query: str, text: str) -> None:
    """One's own things are not those of others."""
    assert Meant(query).named_by(text) in (None, "near")


@each_row(
    "query, text, speaker, way",
    [
        ("my age", "Elif is 34 years old.", "Elif", "slot"),
        ("I live in Oslo", "Elif lives in Oslo.", "Elif", "words"),
        ("my salary of 3,000", "I earn a salary of 3,000 euros.", None, "words"),
        ("my code", "The code of my locker is 4711.", None, "slot"),
        ("Rosa Blum", "rosa BLUM came by.", None, "name"),
        ("peanut allergy", "I'm allergic to peanuts.", None, "words"),
        ("I like tea", "I don't like tea.", None, "near"),
        ("that I live in Oslo", "I live in Oslo.", None, "statement"),
        ("about my salary", "My salary is 3,000 euros.", None, "slot"),
        ('the "blue door" thing', "The blue door is locked.", None, "quoted"),
        ("ana@a.example", "Write to ana@a.example.", None, "identifier"),
        ("ne yediğimi", "Balık yiyorum.", None, None),
    ],
)
def test_how_a_text_is_named(query: str, text: str, speaker: str | None, way: str | None) -> None:
    """By the closest reason there is."""
    assert Meant(query).named_by(text, speaker) == way


def test_the_closest_way_hides_the_others() -> None:
    """What is only near never counts."""
    assert chosen(["words", "near", "slot"]) == {"slot"}
    assert chosen(["words", "name", "near"]) == {"words", "name"}
    assert chosen(["near"]) == frozenset()


@each_row(
    "text",
    [
        "Forget my salary?",
        "x" * 300,
        "Forget my salary. Forget my age.",
        "Forget my salary, it is too low.",
        "'Forget my salary'",
    ],
)
def test_what_is_no_wish(text: str) -> None:
    """A question back, a long text, several sentences, a clause, a quotation."""
    wish = wish_of(text)
    assert wish is None or not wish.is_plain


@each_row(
    "text, query, plain",
    [
        ("Would you forget my salary?", "my salary", True),
        ("Forget that idea.", "idea", False),
        ("Forget that I hate coriander.", "I hate coriander", True),
        ("Forget that my old boss was rude to me.", "my old boss was rude to me", True),
        ("Forget that we saw a heron.", "we saw a heron", True),
        ("Forget the gym.", "the gym", False),
        ("Delete Rosa", "Rosa", False),
        ("Erase Rosa from your memory", "Rosa", True),
    ],
)
def test_how_plainly_a_wish_is_said(text: str, query: str, plain: bool) -> None:
    """Only what is said plainly may be acted upon."""
    assert wish_of(text) == (query, plain)


@each_row(
    "first, second, same",
    [
        ("I run 5 km a day.", "I run 5 kilometres a day.", True),
        ("My rent is 1.5k.", "my rent is 1.5k", True),
        ("My dog is called Rex.", "Elif's dog is called Rex.", True),
        ("It costs 10 %.", "It costs 10 percent.", True),
        ("Я живу в Осло.", "Я живу в Осло", True),
        ("I live in Oslo.", "My sister lives in Oslo.", False),
        ("...", "...", False),
        ("I like tea.", "Tea", False),
    ],
)
def test_statements_that_claim_the_same(first: str, second: str, same: bool) -> None:
    """In another spelling, and about a speaker whose name is known."""
    shared = {form for claim in claims(first, "Elif") for form in claim} & {
        form for claim in claims(second, "Elif") for form in claim
    }
    assert bool(shared) is same


def test_no_function_of_texts_keeps_what_was_erased(scripts: Scripts, tmp_path: Path) -> None:
    """What was read of texts is kept in the process, until something is erased."""
    done = scripts.run(KEPT_BEFORE_AND_AFTER, tmp_path)
    assert done.code == 0, done.err
    before, after = map(int, done.out.split())
    assert before > 0
    assert after == 0


@each_row(
    "text, query",
    [
        ("Delete what you know of my old office, it no longer matters.", "my old office"),
        ("Please forget my old address - I don't live there anymore.", "my old address"),
        ("Could you erase my salary? That's private.", "my salary"),
        ("Remove everything you have on my landlord, as it is outdated.", "my landlord"),
        ("forget my landlord, Mr Falk", "my landlord"),
        ("Wipe my locker code please; it has been changed.", "my locker code"),
        ("forget my diagnosis because it's nobody's business", "my diagnosis"),
        ("Would you erase my phone number - I no longer use it?", "my phone number"),
        ("Eski adresimi unut, artık orada oturmuyorum.", "Eski adresimi"),
        ("Maaşımı sil lütfen, bu özel bir bilgi.", "Maaşımı"),
        ("Yaşımı unut çünkü bu seni ilgilendirmez.", "Yaşımı"),
        ("Vergiss bitte mein altes Büro, das ist nicht mehr wichtig.", "mein altes Büro"),
        ("Lösch bitte mein Geburtsdatum, das geht Sie nichts an.", "mein Geburtsdatum"),
        ("Streich, was du über Ada weißt, das war ein Irrtum.", "Ada"),
        ("Können Sie meinen Vermieter vergessen, Herrn Falk?", "meinen Vermieter"),
        ("Veuillez oublier ma date de naissance, c'est confidentiel.", "ma date de naissance"),
        ("Oublie mon loyer parce que c'est faux", "mon loyer"),
        ("Supprimez tout sur Ada ; c'est une erreur.", "Ada"),
        ("Olvida lo que sabes de mi antigua oficina, ya no importa.", "mi antigua oficina"),
        ("Por favor, olvide mi número de cuenta, es confidencial.", "mi número de cuenta"),
        ("¿Podrías borrar mi edad? Es un asunto privado.", "mi edad"),
    ],
)
def test_a_reason_or_a_name_beside_a_wish_is_none_of_what_it_names(text: str, query: str) -> None:
    """What only says why, or who that is, is cut off."""
    wish = wish_of(text)
    assert wish is not None
    assert (wish.query, wish.is_plain) == (query, True)


@each_row(
    "text",
    [
        "Forget my salary, I like tea.",
        "Forget my old flat, I moved to Porto.",
        "Forget my address for now, it's noisy.",
        "Forget my address until Monday, it's not final.",
        "Forget my rent, my address and my job.",
        "Forget my budget, but keep it in the notes.",
        "Forget my lunch, what is the weather there?",
        "Forget my shoes, they are in the hall.",
        "Don't forget to water the plants, it no longer rains.",
        "I forgot my keys, it no longer matters.",
        "Did you forget my name? That's private.",
        "Adresimi unut, yeni adresim Elm Sokak 12.",
        "Adımı unutma, bu önemli.",
        "Anahtarımı unuttum, artık eve giremiyorum.",
        "Vergiss nicht, wo ich wohne, das ist wichtig.",
        "Vergiss meinen Geburtstag nicht!",
        "Meinen Geburtstag bitte nicht vergessen.",
        "Ich habe meinen Schlüssel vergessen, das ist egal.",
        "Hast du meinen Namen vergessen?",
        "Vergiss mein Gehalt, ich verdiene jetzt mehr.",
        "Mein Chef sagte: vergiss dein Gehalt.",
        "„Vergiss meine Adresse“",
        "Entferne meinen Namen aus dem Bericht.",
        "N'oublie pas mon anniversaire, c'est important.",
        "Oublie pas mon chien.",
        "Oublié mes clés ce matin.",
        "Tu as oublié mon adresse ?",
        "Oublie mon salaire pour l'instant.",
        "Supprime mon nom du rapport.",
        "No olvides mi cumpleaños, es importante.",
        "Olvidé mi dirección, por favor.",
        "Olvide mi paraguas en el tren.",
        "¿Olvidaste mi nombre?",
        "Olvida mi edad y vamos a bailar.",
        "Borra mi nombre de la lista.",
    ],
)
def test_what_tells_something_besides_is_not_cut_off(text: str) -> None:
    """It would be lost with the wish; and what is no wish becomes none by a reason."""
    wish = wish_of(text)
    assert wish is None or not wish.is_plain


@each_row(
    "query, softly, hard",
    [
        ("everything about Mara", "Mara", "Mara"),
        ("Anything on Mara", "Mara", "Mara"),
        ("what you know of the Kiel project", "the Kiel project", "the Kiel project"),
        ("the file on Mara", "Mara", "Mara"),
        ("customer 4471 record", "customer 4471", None),
        ("Mara's entries", "Mara", None),
        ("Mara hakkındaki her şey", "Mara", "Mara"),
        ("4471 numaralı müşteri kaydı", "4471 numaralı müşteri", None),
        ("alles über das Projekt in Kiel", "das Projekt in Kiel", "das Projekt in Kiel"),
        ("Eintrag zum Kunden 4471", "Kunden 4471", "Kunden 4471"),
        ("tout sur le projet de Lille", "le projet de Lille", "le projet de Lille"),
        ("la fiche du client 4471", "client 4471", None),
        ("todo sobre el proyecto", "el proyecto", "el proyecto"),
        ("la ficha del cliente 4471", "cliente 4471", None),
        ("Rosa Blum", None, None),
        ("my salary", None, None),
    ],
)
def test_a_phrase_tells_what_it_is_about(query: str, softly: str | None, hard: str | None) -> None:
    """For good nothing is read into what may be a name: "vacation file" is not all of the vacation."""
    assert (topic_of(query, hard=False), topic_of(query, hard=True)) == (softly, hard)
