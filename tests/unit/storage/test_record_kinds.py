"""Every text column of the schema is searched by an erasure, or known to hold no words."""

from sqlalchemy import Text

from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.record_kinds import KINDS, WITHOUT_WORDS


def test_every_text_column_belongs_to_a_kind_of_record_or_holds_no_words() -> None:
    """Whoever adds a text column says how an erasure finds what it holds; none is listed that is not there."""
    listed = [places for kind in KINDS for places in kind.columns]
    listed += [f"{table}: {columns}" for table, columns in WITHOUT_WORDS.items()]
    known = [
        f"{table}.{column}"
        for table, _, columns in (places.partition(": ") for places in listed)
        for column in columns.split()
    ]
    there = [
        f"{table.name}.{column.name}"
        for table in schema.metadata.tables.values()
        for column in table.columns
        if isinstance(column.type, Text)
    ]
    assert sorted(known) == sorted(there)
