"""Settings of `[encoding]`: how turns become facts, and what is taken out of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import get_args

from cogmem_core.config.bounds import choice, members, number, table
from cogmem_core.models import Role

__all__ = ["EncodingConfig", "PersonalConfig"]

_ROLES: tuple[str, ...] = get_args(Role)
_TRUST: Mapping[str, float] = {
    "user": 1.0,
    "assistant": 0.8,
    "system": 0.6,
    "tool": 0.6,
    "document": 0.6,
    "federation": 0.5,
}


@dataclass(frozen=True, slots=True)
class PersonalConfig:
    """What happens to personal data in what is remembered: `allow`, `redact` (taken out), or `block` (refused).

    Attributes:
        email, phone, iban, card, ip, national_id: see `text.pii`. Card numbers and IBANs are
            secrets, too: with `encoding.secrets = "redact"` they are taken out in any case.
    """

    email: str = choice("allow", "allow", "redact", "block")
    phone: str = choice("allow", "allow", "redact", "block")
    iban: str = choice("allow", "allow", "redact", "block")
    card: str = choice("allow", "allow", "redact", "block")
    ip: str = choice("allow", "allow", "redact", "block")
    national_id: str = choice("allow", "allow", "redact", "block")

    def having(self, *policies: str) -> tuple[str, ...]:
        """The kinds of personal data, as `text.pii` names them, that have one of these policies."""
        kind_names = {"card": "card number", "ip": "ip address", "national_id": "national id"}
        return tuple(
            kind_names.get(name, name) for name in self.__slots__ if getattr(self, name) in policies
        )


@dataclass(frozen=True, slots=True)
class EncodingConfig:
    """The write path.

    Attributes:
        mode: what `remember` makes of a turn when the call does not say.
        date_prefix: put the date of a turn in front of what is embedded and tokenised (measured on
            LoCoMo: +3 points).
        reinforce_factor: stability factor when the same thing is said again.
        batch_turns: turns that are embedded and committed together.
        secrets: what happens to API keys, tokens, passwords and card numbers in what is remembered,
            and beside it.
        pii: what happens to personal data; by default it is kept.
        sources_kept: source turns a memory remembers: the first and the newest ones.
        llm_turns: turns that one call forms facts from, and one call decides on.
        llm_roles: whose turns the model forms facts of; those of others, and weak ones, are kept by
            the rules.
        earlier_turns: turns before them that a pronoun may point to.
        foresight_days: how long a plan without a date holds.
        fact_characters: longest fact, in characters.
        timezone: of the people who speak and ask: "Europe/Istanbul"; "" = UTC. Where a turn's own
            time does not tell, its days are those of this zone; and so are "yesterday" in a query
            and the dates of a context block.
        facts_per_turn: most facts that rules take from one turn; of a turn with more the turn
            itself is kept too.
        document_characters: a weak turn that is longer is a document, which changes no memory.
        whole_turn_characters: the key of a fact covers a longer turn only where the fact comes
            from.
        key_characters: longest key of a memory that was updated.
        answer_characters: a turn of at most so many is also found by the question that somebody
            else asked just before in its session, and is shown with it: "Rex." tells little; 0 =
            never.
        weak_confidence, base_confidence: source confidence of a weak turn, and of a solid one
            without any pattern; what the observer is sure of fills the rest up to 1.
        trust: in what is said, by the role that says it, in a `document`, and in what a file brings
            from somewhere else (`federation`); above 0 and at most 1. A role that is not named has
            its default.
        takeover_seconds: a turn that another process took in and did not finish for so long is
            finished by ours.
    """

    mode: str = choice("auto", "auto", "semantic", "raw", "hybrid")
    date_prefix: bool = True
    secrets: str = choice("redact", "redact", "reject", "keep")
    pii: PersonalConfig = field(default_factory=PersonalConfig)
    reinforce_factor: float = number(1.02, 1.0, 2.0)
    batch_turns: int = number(500, 1, 10_000)
    sources_kept: int = number(64, 1, 10_000)
    llm_turns: int = number(10, 1, 200)
    llm_roles: tuple[str, ...] = members(("user",), *_ROLES)
    earlier_turns: int = number(6, 0, 100)
    foresight_days: int = number(7, 1, 3_650)
    fact_characters: int = number(500, 50, 10_000)
    timezone: str = field(default="", metadata={"zone": True})
    facts_per_turn: int = number(20, 1, 1_000)
    document_characters: int = number(300, 0, 1_000_000)
    whole_turn_characters: int = number(600, 0, 1_000_000)
    key_characters: int = number(2_000, 100, 100_000)
    answer_characters: int = number(60, 0, 1_000)
    takeover_seconds: float = number(60.0, 0.0, 86_400.0)
    weak_confidence: float = number(0.3, 0.0, 1.0)
    base_confidence: float = number(0.5, 0.0, 1.0)
    trust: Mapping[str, float] = table(_TRUST, *_TRUST, maximum=1.0)

    def trusted(self, role: str) -> float:
        """How far what a role says is trusted, above 0 and at most 1.

        What `trust` leaves out has its default there; a role that nobody knows is trusted least.
        """
        return self.trust.get(role, _TRUST.get(role, min(_TRUST.values())))
