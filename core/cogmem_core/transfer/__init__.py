"""Taking memories out of a bank and into another, as JSON Lines with vectors and history.

And what other tools keep. `__init__.pyi` lists the names: each is loaded at its first use, because
few programs take anything out or in.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
