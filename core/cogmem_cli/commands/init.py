"""The command `init`."""

from __future__ import annotations

from cogmem_cli.shell import Shell


def init(shell: Shell) -> None:
    """Make the bank's folder, if it is not there yet, and say where it is."""
    from cogmem_cli.stored import bank_exists

    created = not bank_exists(shell.folder, shell.config())
    with shell.engine(create=True) as engine:
        database = engine.services.ledger.database
        place = str(shell.folder) if database.sqlite else database.where
        created = created or (not database.sqlite and engine.services.ledger.embedder() is None)
        if shell.embedder:
            with engine.services.ledger.writing(None) as writer:
                engine.services.guard_embedder(writer)
        fingerprint = engine.services.embedder.fingerprint
    answer = {"path": place, "created": created, "embedder": fingerprint}
    text = "made a memory bank in" if created else "there is a memory bank already in"
    shell.show(answer, f"{text} {place} (embedder {fingerprint})")


COMMANDS = (init,)
