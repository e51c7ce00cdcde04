"""The ten lives of the tests, with each configuration: what forgetting, feedback, bad answers and each step bring.

Run: python tests/bench/bench_lives.py

It takes about ten minutes of one processor, enters two tables in the record, and draws cookbook/figures/lives.svg.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import measurements
from bounds import held
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cogmem_core.config import Config
from cogmem_core.embedders.minilm import MiniLM
from cogmem_eval import MemoizedEmbedder
from cogmem_eval.life_files import load_life
from cogmem_eval.life_report import LivesReport, LivesRow, report
from cogmem_eval.life_runs import EVERYTHING, WHOLE, LifeResult, live_all, setups
from cogmem_eval.metrics import Estimate

ROOT = Path(__file__).resolve().parents[2]
FIGURE = ROOT / "cookbook" / "figures" / "lives.svg"
NAMES = {
    EVERYTHING: "every turn kept as it was said",
    "kept": "compared when said, nothing forgotten",
    "dream": "the default without feedback",
    WHOLE: "the default",
    "weak": "the default, every second answer wrong",
    "adversarial": "the default, an adversary's answers",
}
WEEK = 7  # nights from one cycle to the next where a step is left out
ABOUT = (
    "How much more of what is true is found than if everything is kept, and how often a former value stands above the "
    "present one, by configuration."
)


def measured(embedder: MemoizedEmbedder) -> tuple[list[LifeResult], list[LifeResult]]:
    """The lives with each configuration, and without each step of a weekly cycle."""
    lives = [load_life(file) for file in sorted((ROOT / "tests/data/lives").glob("*.json"))]
    daily = live_all(lives, setups(Config(), list(NAMES)), embedder, progress=told)
    weekly = [replace(one, nights=WEEK) for one in setups(Config(), [WHOLE, "steps"])]
    return daily, live_all(lives, weekly, embedder, progress=told)


def told(stage: str, done: int, total: int) -> None:
    if done == total:
        print(stage, flush=True)


def enter(daily: Sequence[LifeResult], weekly: Sequence[LifeResult], embedder: str) -> bool:
    """Hold the bounds, write both tables and the figure; True if all bounds hold."""
    of_lives = report(daily, embedder=embedder)
    FIGURE.parent.mkdir(exist_ok=True)
    draw(of_lives.rows, FIGURE)
    measurements.enter(
        {
            "name": "lives",
            "title": "Ten lives: keeping everything, or forgetting",
            "made_by": "python tests/bench/run.py lives",
            "columns": [
                "configuration",
                "recall@3",
                "difference to everything kept",
                "a former value above the present one",
                "vital facts lost",
                "tokens",
                "active at the end",
            ],
            "rows": [_cells(row) for row in of_lives.rows],
            "note": _note(of_lives),
            "figure": {"path": "figures/lives.svg", "about": ABOUT},
        }
    )
    of_steps = report(weekly, embedder=embedder)
    measurements.enter(
        {
            "name": "lives-steps",
            "title": "Ten lives without each step of the dream cycle",
            "made_by": "python tests/bench/run.py lives",
            "columns": [
                "configuration",
                "recall@3",
                "a former value above the present one",
                "tokens",
                "active at the end",
            ],
            "rows": [_step_cells(row) for row in of_steps.rows],
            "note": "A cycle every seventh night. Steps that did nothing in a life make no difference to it; those "
            "that need a language model have none here. No vital fact was lost"
            + (
                "."
                if not any(row.lost for row in of_steps.rows)
                else ", but for those named by the command."
            ),
        }
    )
    return _bounds({row.setup: row for row in of_lives.rows})


def _bounds(rows: dict[str, LivesRow]) -> bool:
    whole, everything = rows[WHOLE], rows[EVERYTHING]
    gain = whole.against_everything
    former = [row.former_first.mean if row.former_first else 0.0 for row in (whole, everything)]
    mean, low = (gain.mean, gain.low) if gain else (0.0, 0.0)
    tokens = [row.tokens.mean if row.tokens else 0.0 for row in (whole, everything)]
    lost = sum(len(rows[name].lost) for name in (WHOLE, "weak", "adversarial"))
    return all(
        [
            held("recall@3, difference to everything kept", mean, -0.01, at_least=True),
            held("the same, lower end of its interval", low, -0.03, at_least=True),
            held(
                "former value first, share of everything kept's",
                former[0] / (former[1] or 1e-9),
                0.5,
            ),
            held(
                "tokens of a context block, share of everything kept's", tokens[0] / tokens[1], 1.0
            ),
            held("vital facts lost, also with bad answers", lost, 0),
        ]
    )


def _cells(row: LivesRow) -> list[str]:
    return [
        NAMES[row.setup],
        _share(row.recall),
        _difference(row.against_everything),
        _interval(row.former_first),
        f"{len(row.lost)} of {row.vital}",
        _mean(row.tokens),
        f"{row.active:,}",
    ]


def _step_cells(row: LivesRow) -> list[str]:
    name = "the default" if row.setup == WHOLE else f"without `{row.setup.partition(':')[2]}`"
    cells = [_share(row.recall), _share(row.former_first), _mean(row.tokens), f"{row.active:,}"]
    return [name, *cells]


def _note(found: LivesReport) -> str:
    return (
        f"{found.probes} probes, {found.former} of them with a former value, {found.questions} questions answered in "
        "life; English and Turkish; no language model. The lives were in view when rules were made. "
        "Differences are paired; intervals are 95 % bootstrap intervals. "
        "The lives tell nothing about more than 2,000 memories, from which on the default forgets what nobody asks "
        "for. Of the probes for which both find the same, the default's blocks have "
        f"{_tokens_alike(found):+.1f} tokens beside those of everything kept."
    )


def _tokens_alike(found: LivesReport) -> float:
    """The mean difference of tokens between the default and everything kept where both found the same."""
    by_life = {(one.life, one.setup): one for one in found.results}
    differences = []
    for (life, setup), one in by_life.items():
        if setup == WHOLE:
            other = by_life[life, EVERYTHING]
            probes = zip(one.recall, other.recall, one.tokens, other.tokens, strict=True)
            differences += [mine - theirs for a, b, mine, theirs in probes if a == b]
    return sum(differences) / max(1, len(differences))


def _share(value: Estimate | None) -> str:
    return f"{value.mean:.3f}" if value else "-"


def _mean(value: Estimate | None) -> str:
    return f"{value.mean:.0f}" if value else "-"


def _interval(value: Estimate | None) -> str:
    return f"{value.mean:.3f} ({value.low:.3f} to {value.high:.3f})" if value else "-"


def _difference(value: Estimate | None) -> str:
    return f"{value.mean:+.3f} ({value.low:+.3f} to {value.high:+.3f})" if value else "-"


def draw(rows: Sequence[LivesRow], path: Path) -> None:
    """Both figures of each configuration, with their intervals, as SVG; the same bytes for the same figures."""
    with rc_context({"svg.hashsalt": "lives", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(9, 3), layout="constrained")
        left, right = figure.subplots(1, 2, sharey=True)
        _panel(
            left,
            [row.against_everything for row in rows],
            "recall@3, difference to everything kept",
        )
        _panel(
            right, [row.former_first for row in rows], "share of probes with a former value first"
        )
        left.axvline(0.0, color="grey", linewidth=0.8)
        left.set_yticks(range(len(rows)), [NAMES[row.setup] for row in rows])
        left.invert_yaxis()
        right.set_xlim(left=0.0)
        figure.savefig(path, format="svg", metadata={"Date": None})


def _panel(axes: Axes, values: Sequence[Estimate | None], title: str) -> None:
    for place, value in enumerate(values):
        if value is None:
            axes.plot(0.0, place, "o", color="black", markersize=4)
            continue
        spread = [[value.mean - value.low], [value.high - value.mean]]
        axes.errorbar(
            value.mean, place, xerr=spread, fmt="o", color="black", markersize=4, capsize=2
        )
    axes.set_title(title, fontsize=9)
    axes.grid(axis="x", alpha=0.3)


def main() -> int:
    embedder = MemoizedEmbedder(MiniLM())
    daily, weekly = measured(embedder)
    return 0 if enter(daily, weekly, embedder.fingerprint) else 1


if __name__ == "__main__":
    raise SystemExit(main())
