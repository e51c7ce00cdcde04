"""What of an engine's work can be watched from outside: metrics, spans, log lines.

Nothing here reads a memory: what is watched are durations, counts and outcomes.
"""

from cogmem_core.observability.metrics import METRICS, Metric, Reading
from cogmem_core.observability.recording import add_recorder, remove_recorder

__all__ = ["METRICS", "Metric", "Reading", "add_recorder", "remove_recorder"]
