"""What the public methods return: frozen values, readable without the engine."""

from __future__ import annotations

from cogmem_core.results.diagnosis import Diagnosis, Symptom
from cogmem_core.results.documents import Item, ItemWrite
from cogmem_core.results.dreaming import (
    ConsolidationReport,
    FanOutReport,
    PlannedChange,
    StepReport,
    UndoReport,
)
from cogmem_core.results.outlook import Audit, Finding, Forecast, ForecastEvent, Tip, TipOfTongue
from cogmem_core.results.remembering import (
    AuditFinding,
    AuditTrail,
    Context,
    FactReceipt,
    ForgetReceipt,
    History,
    ImportReport,
    InjectionTier,
    LifeStory,
    ObservationReport,
    Page,
    Recall,
    Recalled,
    Receipt,
    ReflectionReport,
    ReindexReport,
    Status,
    WriteReport,
)

__all__ = [
    "Audit",
    "AuditFinding",
    "AuditTrail",
    "ConsolidationReport",
    "Context",
    "Diagnosis",
    "FactReceipt",
    "FanOutReport",
    "Finding",
    "Forecast",
    "ForecastEvent",
    "ForgetReceipt",
    "History",
    "ImportReport",
    "InjectionTier",
    "Item",
    "ItemWrite",
    "LifeStory",
    "ObservationReport",
    "Page",
    "PlannedChange",
    "Recall",
    "Recalled",
    "Receipt",
    "ReflectionReport",
    "ReindexReport",
    "Status",
    "StepReport",
    "Symptom",
    "Tip",
    "TipOfTongue",
    "UndoReport",
    "WriteReport",
]
