"""`cogm serve`: REST, metrics and pages over the public methods of an engine; extra `serve`.

It decides nothing about memories: each request becomes one call of a public method, made for whoever
holds the key, in the namespaces of that key.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from cogmem_core.errors import ConfigError

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from cogmem_core.engine import Engine

__all__ = ["create_app", "require"]

_NEEDED = (
    "starlette",
    "itsdangerous",
    "jinja2",
    "prometheus_client",
    "python_multipart",
    "uvicorn",
)


def require() -> None:
    """Refuse to go on without the extra `serve`.

    Raises:
        ConfigError: a package of it is not installed.
    """
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise ConfigError(f"serving needs {', '.join(missing)}; pip install 'cogmem-core[serve]'")


def create_app(engine: Engine, **options: Any) -> Starlette:
    """The ASGI application of an open engine; who opened the engine closes it.

    Args:
        engine: whose banks are served.
        options: of `cogmem_serve.app.create_app`.

    Raises:
        ConfigError: the extra `serve` is not installed.
    """
    require()
    from cogmem_serve.app import create_app as make

    return make(engine, **options)
