"""Settings of what is learnt from use."""

from __future__ import annotations

from dataclasses import dataclass

from cogmem_core.config.bounds import number

__all__ = ["FeedbackConfig"]


@dataclass(frozen=True, slots=True)
class FeedbackConfig:
    """What an answer does to the memories it was given.

    Attributes:
        used_above: a memory is used if a larger share of its telling words stands in the answer.
        own_words: a word counts the less the more of the shown memories hold it; False = all count
            alike.
        asked_weighs: a word of the question counts as if so many more memories held it.
        blame_from: being ignored costs a memory something only if recall held it for at least so
            likely relevant; the documents' presets blame all that was shown (0).
        easy_from: from this share on the recall was easy (FSRS-6 grade 4), else good (3).
        utility_rate: how far utility moves towards 1 (used) or 0 (ignored).
        storage_rate: how far storage strength moves towards 10 with each use.
        interval_growth: factor on the reinforcement interval with each use.
        ignored: factor on stability; `ignored_often` from the `often`-th time in a row on; never
            below `floor` of the initial stability.
        coactivation: what a common use adds to the weight of a pair's relation, up to 1.
        pairs: at most so many pairs per answer, the best results first.
        bind_at_once: what was used together is linked with the feedback, not only by the next dream
            cycle.
        spreading: factor on the stability of what a used memory is related to (A-MEM), and the
            least one of what was used together (Hebb).
        calibrate_from: judgements from which a namespace's own feedback corrects its confidences;
            `calibrate_most` of the newest ones count; `calibrate_prior`: how many judgements the
            shipped calibration is worth.
        calibrate_seconds: how long a correction is kept.
    """

    used_above: float = number(0.3, 0.0, 1.0)
    own_words: bool = True
    asked_weighs: float = number(2.0, 0.0, 1_000.0)
    blame_from: float = number(0.3, 0.0, 1.0)
    easy_from: float = number(0.6, 0.0, 1.0)
    utility_rate: float = number(0.1, 0.0, 1.0)
    storage_rate: float = number(0.1, 0.0, 1.0)
    interval_growth: float = number(2.0, 1.0, 100.0)
    ignored: float = number(0.9, 0.1, 1.0)
    ignored_often: float = number(0.5, 0.1, 1.0)
    often: int = number(3, 1, 1_000)
    floor: float = number(0.25, 0.0, 1.0)
    coactivation: float = number(0.1, 0.0, 1.0)
    pairs: int = number(28, 0, 10_000)
    bind_at_once: bool = True
    spreading: float = number(1.02, 1.0, 2.0)
    calibrate_from: int = number(100, 20, 1_000_000)
    calibrate_most: int = number(2_000, 20, 1_000_000)
    calibrate_prior: float = number(200.0, 0.0, 1_000_000.0)
    calibrate_seconds: float = number(300.0, 0.0, 86_400.0)
