"""What adaptive allocation saves and how often it errs: published campaigns whose documents are drawn again."""

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from benchmarks._judging.page_section import write_part
from bootstrap.places import ROOT
from bootstrap.steps import say
from metrics.statistics.arrays import FloatArray
from metrics.statistics.elimination import FIRST_LOOK, STEP, Question, looks_of
from tests.metrics.published_documents import document_means

HOME = Path(os.environ.get("ASSAY_REAL_DATA") or ROOT.parent / "shared" / "data")  # beside the repository
PAGE = ROOT / "docs" / "benchmarks.md"
CAMPAIGNS = {"esa-ende": "WMT23 en-de, ESA", "mqm-ende": "WMT23 en-de, MQM"}
QUESTIONS: tuple[tuple[str, Question, int], ...] = (
    ("best system", "best", 1),
    ("best three", "top", 3),
    ("whole ranking", "ranking", 1),
)
DOCUMENTS = 200
PROMISED_FALSE = 0.05


@dataclass(frozen=True)
class Outcome:
    """Of one race: judgments by the end as a share of the plan, whether it was decided, and whether falsely."""

    used: float
    is_decided: bool
    is_wrong: bool


def main() -> int:
    parser = argparse.ArgumentParser(prog="./assay bench allocation", description=__doc__)
    parser.add_argument("--runs", type=int, default=200, help="races for each row of the table")
    parser.add_argument("--write", action="store_true", help=f"put the figures into docs/{PAGE.name}")
    options = parser.parse_args()
    if not HOME.is_dir():
        say(f"{HOME} is not there: put the published campaigns beside the repository or set ASSAY_REAL_DATA.")
        return 1
    rng = np.random.default_rng(11)
    lines = [
        "| campaign | question | judgments saved | decided | wrong drops | a given one of equal systems dropped |",
        "|---|---|---|---|---|---|",
    ]
    worst = 0.0
    for name, title in CAMPAIGNS.items():
        values = document_means(name, HOME)
        for words, question, top in QUESTIONS:
            real = [_race(values, question, top, rng) for _ in range(options.runs)]
            equal = [_race(values, question, top, rng, is_equal=True) for _ in range(options.runs)]
            wrong, false = _share(real, "is_wrong"), _share(equal, "is_wrong")
            worst = max(worst, wrong, false)
            saved = 1 - float(np.mean([each.used for each in real]))
            lines.append(
                f"| {title} | {words} | {saved:.0%} | {_share(real, 'is_decided'):.0%} | {wrong:.1%} | {false:.1%} |"
            )
    about = (
        f"Measured on {datetime.now(UTC):%Y-%m-%d}: {options.runs} races a row over at most {DOCUMENTS} documents, "
        f"drawn with replacement; looks at {FIRST_LOOK} documents and every {STEP} further; α = 5 %. Promised: wrong "
        f"drops under {PROMISED_FALSE:.0%}."
    )
    text = "\n".join([about, "", *lines])
    sys.stdout.write(f"{text}\n")
    if options.write:
        write_part(PAGE, "allocation", text)
    return 0 if worst < PROMISED_FALSE else 1


def _share(outcomes: Sequence[Outcome], name: str) -> float:
    return float(np.mean([getattr(each, name) for each in outcomes]))


def _race(
    values: FloatArray, question: Question, top: int, rng: np.random.Generator, *, is_equal: bool = False
) -> Outcome:
    """A real system is wrongly dropped when it is among the best; of equal ones, the first stands for the best.

    Of a ranking a wrong drop is a system whose place, among those it was decided against, is not its place in truth.
    """
    drawn = values[:, rng.integers(0, values.shape[1], DOCUMENTS)]
    if is_equal:  # on each document values change places, drawn anew: no system is better than another
        drawn = rng.permuted(drawn, axis=0)
    truth = values.mean(axis=1)
    racing = np.ones(len(values), dtype=np.bool_)
    used, is_over, wrong = len(values) * FIRST_LOOK, False, False
    documents = FIRST_LOOK
    for look in looks_of(drawn, question=question, top=top):
        used += (look.documents - documents) * int(racing.sum())
        documents, is_over = look.documents, look.is_over
        out = racing & ~look.in_race
        best = truth >= np.sort(truth)[-top]
        if question == "ranking":
            wrong = wrong or any(not _is_placed(truth, look.means, int(each)) for each in np.flatnonzero(out))
        else:
            wrong = wrong or bool((out & best).any())
        racing = look.in_race
    if is_equal:
        wrong = not racing[0]
    if not is_over:
        used += (DOCUMENTS - documents) * int(racing.sum())
    return Outcome(used / (len(values) * DOCUMENTS), is_over, wrong)


def _is_placed(truth: FloatArray, means: FloatArray, system: int) -> bool:
    """It was decided against all others, so whoever is above and below it is known."""
    return bool(((means > means[system]) == (truth > truth[system])).all())


if __name__ == "__main__":
    raise SystemExit(main())
