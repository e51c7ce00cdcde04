"""Who is told of what happens: recorders, such as the one of OpenTelemetry and the one of Prometheus."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from cogmem_core.observability.metrics import Metric


class Recorder(Protocol):
    """Takes a value of a counter (how many more) or of a histogram; quick, never raises."""

    def __call__(self, metric: Metric, value: float, labels: Mapping[str, str]) -> None:
        """Take one value.

        Args:
            metric: one of `METRICS`.
            value: in its unit.
            labels: a value for each of its labels.
        """


_RECORDERS: list[Recorder] = []


def add_recorder(recorder: Recorder) -> None:
    """Tell a recorder of everything that is measured from now on in this process."""
    _RECORDERS.append(recorder)


def remove_recorder(recorder: Recorder) -> None:
    """Tell it no more; harmless if nobody does."""
    if recorder in _RECORDERS:
        _RECORDERS.remove(recorder)


def record(metric: Metric, value: float, labels: Mapping[str, str]) -> None:
    """Tell every recorder of a value."""
    for recorder in tuple(_RECORDERS):
        recorder(metric, value, labels)
