"""`cogm serve`: REST, metrics and pages over the public methods of an engine; extra `serve`.

It decides nothing about memories: each request becomes one call of a public method, made for whoever
holds the key, in the namespaces of that key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cogmem_core.errors import ConfigError

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from cogmem_core.engine import Engine

__all__ = ["create_app"]


def create_app(engine: Engine, **options: Any) -> Starlette:
    """The ASGI application of an open engine; who opened the engine closes it.

    Args:
        engine: whose banks are served.
        options: of `cogmem_core.serve.app.create_app`.

    Raises:
        ConfigError: the extra `serve` is not installed.
    """
    try:
        from cogmem_core.serve import app
    except ImportError as problem:
        raise ConfigError(
            f"serving needs packages that are not installed ({problem}); "
            "pip install 'cogmem-core[serve]'"
        ) from problem
    return app.create_app(engine, **options)
