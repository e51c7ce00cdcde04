"""What the public methods return: frozen values, readable without the engine."""

from __future__ import annotations

from cogmem.results.diagnosis import Diagnosis, Symptom
from cogmem.results.documents import Item, ItemWrite
from cogmem.results.dreaming import ConsolidationReport, FanOutReport, PlannedChange, StepReport, UndoReport
from cogmem.results.outlook import Audit, Finding, Forecast, ForecastEvent, Tip, TipOfTongue
from cogmem.results.remembering import (
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
