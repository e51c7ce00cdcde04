"""Which clauses tell a guardian fact, and which only look like one."""

from cogmem_core.reading import of
from helpers.tables import each_row_of


@each_row_of("reading/a_clause_tells_a_guardian_fact")
def test_a_clause_tells_a_guardian_fact(text: str, guards: str) -> None:
    """Of the speaker or of somebody whom the speaker names; "" = it tells none."""
    found = [clause.guards for clause in of(text).clauses if clause.guards]
    assert found[:1] == ([guards] if guards else [])


@each_row_of("reading/what_is_not_meant_or_denied_guards_nobody")
def test_what_is_not_meant_or_denied_guards_nobody(text: str) -> None:
    """The words alone are not enough."""
    assert {clause.guards for clause in of(text).clauses} == {""}


def test_a_standing_order_is_kept_and_no_request() -> None:
    """A request is not kept; what holds for good is an instruction."""
    order, request = of("Please don't ever mention my ex. Please translate this letter.").clauses
    assert (order.kind, order.guards) == ("instruction", "never")
    assert (request.kind, request.guards) == ("request", "")
