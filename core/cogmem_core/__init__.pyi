"""What `import cogmem_core` offers, and where each name lives.

The one list of them, read by type checkers and by `__init__.py`.
"""

from . import (
    config as config,
)
from . import (
    errors as errors,
)
from . import (
    models as models,
)
from . import (
    results as results,
)
from .adapters.openai_clients import wrap_openai as wrap_openai
from .config import Config as Config
from .config.loading import load_config as load_config
from .config.presets import preset as preset
from .engine import (
    Engine as Engine,
)
from .engine import (
    MemoryBank as MemoryBank,
)
from .engine import (
    open as open,  # noqa: A004 - cogmem_core.open() reads as it should
)
from .engine.handle import Handle as Handle
from .engine.items import Items as Items
from .engine.session import (
    Session as Session,
)
from .engine.session import (
    WorkingMemory as WorkingMemory,
)
from .errors import (
    BankClosed as BankClosed,
)
from .errors import (
    CogMemError as CogMemError,
)
from .errors import (
    ConfigError as ConfigError,
)
from .errors import (
    EmbedderMismatch as EmbedderMismatch,
)
from .errors import (
    EmbedderUnavailable as EmbedderUnavailable,
)
from .errors import (
    InvalidInput as InvalidInput,
)
from .errors import (
    NotAllowed as NotAllowed,
)
from .errors import (
    NotFound as NotFound,
)
from .errors import (
    Protected as Protected,
)
from .errors import (
    StoreError as StoreError,
)
from .errors import (
    StoreUnavailable as StoreUnavailable,
)
from .errors import (
    StoreVersionError as StoreVersionError,
)
from .models import (
    Episode as Episode,
)
from .models import (
    Feedback as Feedback,
)
from .models import (
    Memory as Memory,
)
from .models import (
    Relation as Relation,
)
from .models import (
    Source as Source,
)
from .models import (
    Turn as Turn,
)
from .results import (
    ConsolidationReport as ConsolidationReport,
)
from .results import (
    Context as Context,
)
from .results import (
    FactReceipt as FactReceipt,
)
from .results import (
    ForgetReceipt as ForgetReceipt,
)
from .results import (
    History as History,
)
from .results import (
    LifeStory as LifeStory,
)
from .results import (
    Recalled as Recalled,
)
from .results import (
    Receipt as Receipt,
)
from .results import (
    WriteReport as WriteReport,
)
from .retrieval.recall import Recall as Recall

__version__: str
