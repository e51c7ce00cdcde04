"""Sharing with rights: who may do what in which namespace, and whose word a memory is."""

from cogmem_core.access.administration import (
    add_grant,
    add_principal,
    checked_name,
    grants,
    log,
    principals,
    require_principal,
    revoke,
)
from cogmem_core.access.decisions import (
    OPERATOR,
    allow,
    may,
    policy_of,
    read_policy,
    record,
    refused,
)
from cogmem_core.access.patterns import compartment, home_of, parts_of
from cogmem_core.access.policy import Policy
from cogmem_core.access.standing import REWORDED, Witnessed, standings

__all__ = [
    "OPERATOR",
    "REWORDED",
    "Policy",
    "Witnessed",
    "add_grant",
    "add_principal",
    "allow",
    "checked_name",
    "compartment",
    "grants",
    "home_of",
    "log",
    "may",
    "parts_of",
    "policy_of",
    "principals",
    "read_policy",
    "record",
    "refused",
    "require_principal",
    "revoke",
    "standings",
]
