"""What the public methods return: frozen values, readable without the engine."""

from cogmem_core.observability import Metric, Reading
from cogmem_core.values.results.audit import (
    Audit,
    AuditFinding,
    AuditTrail,
    ErasureCheck,
    Finding,
    Returned,
)
from cogmem_core.values.results.backup import BackupReport
from cogmem_core.values.results.consolidation import (
    ConsolidationReport,
    FanOutReport,
    PlannedChange,
    StepReport,
    UndoReport,
)
from cogmem_core.values.results.diagnosis import Diagnosis, Symptom
from cogmem_core.values.results.documents import Item, ItemWrite
from cogmem_core.values.results.forecast import Forecast, ForecastEvent
from cogmem_core.values.results.learnt import Learnt, LearntLine
from cogmem_core.values.results.memories import (
    FactReceipt,
    ForgetCandidate,
    ForgetReceipt,
    History,
    ImportReport,
    LifeStory,
    NamedBy,
    ObservationReport,
    Page,
    Receipt,
    ReflectionReport,
    ReindexReport,
    Status,
    WriteReport,
)
from cogmem_core.values.results.profile import FormerValue, Profile, ProfileLine
from cogmem_core.values.results.recall import Ask, Context, InjectionTier, Recalled
from cogmem_core.values.results.tip_of_tongue import Tip, TipOfTongue

__all__ = [
    "Ask",
    "Audit",
    "AuditFinding",
    "AuditTrail",
    "BackupReport",
    "ConsolidationReport",
    "Context",
    "Diagnosis",
    "ErasureCheck",
    "FactReceipt",
    "FanOutReport",
    "Finding",
    "Forecast",
    "ForecastEvent",
    "ForgetCandidate",
    "ForgetReceipt",
    "FormerValue",
    "History",
    "ImportReport",
    "InjectionTier",
    "Item",
    "ItemWrite",
    "Learnt",
    "LearntLine",
    "LifeStory",
    "Metric",
    "NamedBy",
    "ObservationReport",
    "Page",
    "PlannedChange",
    "Profile",
    "ProfileLine",
    "Reading",
    "Recalled",
    "Receipt",
    "ReflectionReport",
    "ReindexReport",
    "Returned",
    "Status",
    "StepReport",
    "Symptom",
    "Tip",
    "TipOfTongue",
    "UndoReport",
    "WriteReport",
]
