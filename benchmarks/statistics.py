"""How fast the statistics are: alpha beside the reference package, 100,000 judgments, models with random terms."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._judging.machine import describe_machine
from benchmarks._judging.page_section import write_part
from benchmarks._statistics import environment
from bootstrap.places import ROOT
from bootstrap.steps import SetUpError, say

PROMISED_RATIO, PROMISED_BYTES, PROMISED_SECONDS = 200.0, 2e9, 5.0
PROMISED_ORDINAL, PROMISED_MODEL_BYTES = 3.0, 500e6
MIXED_ANNOTATORS = (200, 2_000)
SLIDER_LEVELS = ("ordinal", "interval")
PAGE = ROOT / "docs" / "benchmarks.md"
REFERENCE = ROOT / "benchmarks" / "_statistics" / "reference_alpha.py"
TIMES = 5
PACKAGES = {"krippendorff": "0.9.0", "numpy": "2.4.6"}


def main() -> int:
    parser = argparse.ArgumentParser(prog="./assay bench statistics", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"put the figures into docs/{PAGE.name}")
    options = parser.parse_args()
    try:
        reference = environment.reference_python("statistics", PACKAGES)
    except SetUpError as error:
        say(str(error))
        return 1
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        home = Path(folder)
        sliders = [_compared(reference, _ratings(home), level) for level in SLIDER_LEVELS]
        continuous = _ours(_million(home), "interval", 1)
        mixed = [_measured("models", f"mixed-{annotators}", TIMES) for annotators in MIXED_ANNOTATORS]
        short_scale = _measured("models", "ordinal", TIMES)
        campaign = _campaign(home)
    lines = [_slider_line(*each) for each in sliders]
    lines.append(
        f"1,000,000 continuous values, interval: {continuous['seconds']:.2f} s, {continuous['bytes'] / 1e6:.0f} MB "
        f"with Python and numpy (promised: under {PROMISED_BYTES / 1e9:.0f} GB)"
    )
    lines.append(
        f"ranking and agreement of {campaign['judgments']:,} judgments, SQLite to JSON: {campaign['seconds']:.1f} s "
        f"(promised: under {PROMISED_SECONDS:.0f} s)"
    )
    lines += [_mixed_line(*each) for each in zip(MIXED_ANNOTATORS, mixed, strict=True)]
    lines.append(
        f"ordinal model of 7,000 ratings with four random terms: {short_scale['seconds']:.1f} s of processor time "
        f"(median of {TIMES}; promised: under {PROMISED_ORDINAL:.0f} s), {short_scale['bytes'] / 1e6:.0f} MB with "
        "Python and numpy"
    )
    about = (
        f"Measured on {datetime.now(UTC):%Y-%m-%d} with {describe_machine()}; beside {environment.versions(PACKAGES)}"
    )
    sys.stdout.write("\n".join([about, *lines, ""]))
    if options.write:
        write_part(PAGE, "statistics", "\n".join(f"- {line}" for line in (about, *lines)))
    is_fast_enough = all(theirs["seconds"] / ours["seconds"] >= PROMISED_RATIO for _, ours, theirs in sliders)
    is_in_time = campaign["seconds"] < PROMISED_SECONDS and short_scale["seconds"] < PROMISED_ORDINAL
    is_in_time &= all(one["seconds"] < PROMISED_SECONDS and one["bytes"] < PROMISED_MODEL_BYTES for one in mixed)
    return 0 if is_fast_enough and is_in_time and continuous["bytes"] < PROMISED_BYTES else 1


def _ratings(home: Path) -> Path:
    """20 annotators, 20,000 items, five of them each: 100,000 slider scores."""
    path = home / "slider.npy"
    if not path.exists():
        rng = np.random.default_rng(3)
        truth = rng.normal(60, 20, 20_000)
        ratings = np.clip(np.round(truth + rng.normal(0, 15, (20, 20_000))), 0, 100)
        ratings[np.argsort(np.argsort(rng.random(ratings.shape), axis=0), axis=0) >= 5] = np.nan
        np.save(path, ratings)
    return path


def _million(home: Path) -> Path:
    path = home / "million.npy"
    rng = np.random.default_rng(4)
    np.save(path, rng.normal(size=200_000) + rng.normal(size=(5, 200_000)))
    return path


def _compared(reference: Path, ratings: Path, level: str) -> tuple[str, dict[str, Any], dict[str, Any]]:
    ours = _ours(ratings, level, TIMES)
    theirs = json.loads(environment.run(reference, REFERENCE, str(ratings), level))
    if abs(ours["value"] - theirs["value"]) > 1e-9:
        raise SystemExit(f"{level}: alpha is {ours['value']} by Assay and {theirs['value']} by the reference.")
    return level, ours, theirs


def _ours(ratings: Path, level: str, times: int) -> dict[str, Any]:
    return _measured("assay_alpha", ratings, level, times)


def _measured(module: str, *arguments: object) -> dict[str, Any]:
    """In a process of its own, so that its memory is its own too."""
    command = [sys.executable, "-m", f"benchmarks._statistics.{module}", *map(str, arguments)]
    one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # as in the processes of the site
    output = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=one_thread).stdout
    measured: dict[str, Any] = json.loads(output)
    return measured


def _campaign(home: Path) -> dict[str, Any]:
    folder = home / "data"
    folder.mkdir()
    command = [sys.executable, "-m", "benchmarks._statistics.campaign", str(folder)]
    subprocess.run([*command, "make"], check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
    output = subprocess.run([*command, "analyse"], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    measured: dict[str, Any] = json.loads(output)
    return measured


def _slider_line(level: str, ours: dict[str, Any], theirs: dict[str, Any]) -> str:
    return (
        f"Krippendorff {level}, 100,000 slider scores (20 × 20,000, five each): {ours['seconds'] * 1_000:.1f} ms "
        f"(median of {TIMES}), the package {theirs['seconds']:.1f} s, {theirs['seconds'] / ours['seconds']:.0f} times "
        f"(promised: {PROMISED_RATIO:.0f})"
    )


def _mixed_line(annotators: int, measured: dict[str, Any]) -> str:
    return (
        f"mixed model of 100,000 scores by {annotators:,} annotators (20 systems, 500 documents): "
        f"{measured['seconds']:.1f} s of processor time (median of {TIMES}; promised: under {PROMISED_SECONDS:.0f} s), "
        f"{measured['bytes'] / 1e6:.0f} MB with Python and numpy (promised: under {PROMISED_MODEL_BYTES / 1e6:.0f} MB)"
    )


if __name__ == "__main__":
    sys.exit(main())
