"""The page of who may do what where: principals, grants, and what was decided."""

from __future__ import annotations

from starlette.responses import Response

from cogmem_core.engine import Engine
from cogmem_core.engine.handle import Handle
from cogmem_core.values.access_records import EFFECTS, KINDS, RIGHTS
from cogmem_serve.pages.page import Page
from cogmem_serve.refusal import Problem

_LOGGED = 50


def show(page: Page) -> Response:
    """To the owner everything; to a principal its own grants, and those that it may revoke."""
    grantor = _grantor(page)
    return page.show(
        "sharing.html",
        is_owner=isinstance(grantor, Engine),
        principals=grantor.principals() if isinstance(grantor, Engine) else (),
        grants=[
            (grant, isinstance(grantor, Engine) or grantor.may(grant.namespaces, "admin"))
            for grant in grantor.grants()
        ],
        entries=grantor.access_log(limit=_LOGGED)[::-1] if isinstance(grantor, Engine) else (),
        kinds=KINDS,
        rights=RIGHTS,
        effects=EFFECTS,
    )


def add_principal(page: Page) -> Response:
    """Add somebody who may be granted rights."""
    grantor = _grantor(page)
    if not isinstance(grantor, Engine):
        raise Problem(403, "only the owner adds principals; ask for one")
    grantor.add_principal(
        page.form.get("name", ""),
        kind=page.form.get("kind", "person"),
        owner=page.form.get("owner") or None,
    )
    return page.go("/ui/sharing", done="added")


def grant(page: Page) -> Response:
    """Grant a right, or deny it."""
    _grantor(page).grant(
        page.form.get("principal", ""),
        page.form.get("pattern", ""),
        page.form.get("right", ""),
        effect=page.form.get("effect", "allow"),
        reason=page.form.get("reason", ""),
    )
    return page.go("/ui/sharing", done="granted")


def revoke(page: Page) -> Response:
    """Revoke a grant; what was derived by it is withdrawn."""
    _grantor(page).revoke(page.request.path_params["grant_id"])
    return page.go("/ui/sharing", done="revoked")


def _grantor(page: Page) -> Engine | Handle:
    """The engine, of whoever sees all namespaces; in the hands of a principal, if the key is one's.

    Raises:
        Problem: 403, the key is for some namespaces only.
    """
    if page.caller.principal:
        return page.caller.handle(page.engine)
    if not page.caller.is_everywhere:
        raise Problem(403, "rights are shared by whoever has a key for all namespaces")
    return page.engine
