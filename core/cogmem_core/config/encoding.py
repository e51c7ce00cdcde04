"""Settings of `[encoding]`: how turns become facts, and what is taken out of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictInt

from cogmem_core.config.sections import (
    AboveZero,
    OneOf,
    Seconds,
    Table,
    TimeZone,
    TopicNames,
    section,
    settings,
)
from cogmem_core.values.models import Role

_TRUST: Mapping[str, float] = {
    "user": 1.0,
    "assistant": 0.8,
    "system": 0.6,
    "tool": 0.6,
    "document": 0.6,
    "federation": 0.5,
}


PersonalPolicy = Literal["allow", "redact", "block"]


@section("encoding.pii")
class PersonalConfig:
    """What happens to personal data in what is remembered: `allow`, `redact` (taken out), or `block` (refused)."""

    email: PersonalPolicy = "allow"
    """E-mail addresses."""
    phone: PersonalPolicy = "allow"
    """Telephone numbers."""
    iban: PersonalPolicy = "allow"
    """IBANs; `encoding.secrets = "redact"` takes them out in any case."""
    card: PersonalPolicy = "allow"
    """Card numbers; `encoding.secrets = "redact"` takes them out in any case."""
    ip: PersonalPolicy = "allow"
    """IP addresses."""
    national_id: PersonalPolicy = "redact"
    """National identity numbers."""

    def having(self, *policies: str) -> tuple[str, ...]:
        """The kinds of personal data, as `text.pii` names them, that have one of these policies."""
        kind_names = {"card": "card number", "ip": "ip address", "national_id": "national id"}
        return tuple(
            kind_names.get(name, name)
            for name in settings(type(self))
            if getattr(self, name) in policies
        )


@section("encoding")
class EncodingConfig:
    """The write path."""

    mode: Literal["auto", "semantic", "raw", "hybrid"] = "auto"
    """What `remember` makes of a turn when the call does not say."""
    date_prefix: StrictBool = True
    """Put the date of a turn in front of what is embedded and tokenised (measured on LoCoMo: +3
    points)."""
    secrets: Literal["redact", "reject", "keep"] = "redact"
    """What happens to API keys, tokens, passwords and card numbers in what is remembered, and
    beside it."""
    pii: PersonalConfig = field(default_factory=PersonalConfig)
    """What happens to personal data; by default it is kept."""
    never_keep: TopicNames = ()
    """Sealed topics: what tells of one is cut out before anything reaches the disk. Names of topics
    (family, pets, health, religion, money, politics, sex, pregnancy, conflicts, job, trouble,
    location, tastes, habits, possessions), and words of one's own, such as "my ex Daniel"."""
    forget_requests: Literal["act", "skip"] = "act"
    """What happens to a message such as "Forget my salary": what it clearly means is forgotten
    (`restore` brings it back), or nothing is."""
    llm_roles: tuple[Role, ...] = ("user",)
    """Roles whose turns the model forms facts of; the rules keep those of others, and weak
    ones."""
    foresight_days: Annotated[StrictInt, Field(ge=1, le=3_650)] = 7
    """How long a plan without a date holds."""
    intentions: Literal["propose", "open", "off"] = "propose"
    """What becomes of a plan with a day to come, besides a memory: an intention that a person has to
    confirm, one that fires on that day by itself, or none."""
    timezone: TimeZone = ""
    """Time zone of the people who speak and ask: "Europe/Istanbul"; "" = UTC. Where a turn's own time does
    not tell, its days are those of this zone; and so are "yesterday" in a query and the dates of
    a context block."""
    takeover_seconds: Seconds = 60.0
    """A turn that another process took in and did not finish for so long is finished by ours."""
    trust: Table[Annotated[str, OneOf(tuple(_TRUST))], AboveZero] = field(
        default_factory=lambda: dict(_TRUST)
    )
    """Trust in what is said, by the role that says it, in a `document`, and in what a file brings
    from somewhere else (`federation`); a role that is not named has its default."""

    def trusted(self, role: str) -> float:
        """How far what a role says is trusted, above 0 and at most 1.

        What `trust` leaves out has its default there; a role that nobody knows is trusted least.
        """
        return self.trust.get(role, _TRUST.get(role, min(_TRUST.values())))
