"""cogmem: memory for agents that remembers, forgets, consolidates, and learns from what was used.

>>> import cogmem_core
>>> with cogmem_core.open(embedder="hashing") as engine:
...     alice = engine.bank("alice")
...     _ = alice.remember("I moved to Lisbon in May", session_id="s1")
...     print(alice.recall("where in Lisbon?").results[0].content)
I moved to Lisbon in May

The names of every day are here. The sections of a configuration are in `cogmem_core.config`, the
other results in `cogmem_core.results`, the other records in `cogmem_core.models`.
"""

import lazy_loader

__version__ = "0.3.0.dev0"

# `__init__.pyi` lists the names. Each is loaded at its first use, so that `cogm --help` needs
# neither numpy nor a database.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
