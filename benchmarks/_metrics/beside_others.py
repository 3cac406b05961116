"""Metrics that sacreBLEU does not have, beside the packages that other people score with."""

import json
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks._statistics.environment import reference_python, run, versions
from bootstrap.places import ROOT
from metrics.automatic.base import CorpusScore

PACKAGES = {"rouge-score": "0.1.2", "cer": "1.2.0", "jiwer": "4.0.0"}
PROMISED = 10.0
TIMES = 3
_OTHERS = ROOT / "benchmarks" / "_metrics" / "others.py"
_ASCII = str.maketrans("äöü", "xyz")  # rouge-score takes other letters for blanks


@dataclass(frozen=True)
class _Compared:
    """`names` of our metrics, and what the package calls each; `why_not` says why ten times is not promised.

    `differing`: how large a part of the segments may have another score, and `because` says why.
    """

    package: str
    names: dict[str, str]
    why_not: str = ""
    differing: float = 0.0
    because: str = ""


_COMPARED = (
    _Compared("rouge-score", {"rouge_1": "rouge1", "rouge_2": "rouge2", "rouge_l": "rougeL"}),
    _Compared(
        "cer",
        {"character": "cer"},
        "not promised: its edit distances are compiled code too",
        differing=0.01,
        because="it takes rounding errors for savings",
    ),
    _Compared("jiwer", {"wer": "wer"}, "not promised: it is compiled code itself"),
)


def beside_others(references: list[str], systems: Sequence[list[str]]) -> bool:
    """Tells how fast each is and whether what is promised holds; SystemExit where scores differ."""
    python = reference_python("metrics", PACKAGES)
    hypotheses = [text.translate(_ASCII) for system in systems for text in system]
    theirs = [text.translate(_ASCII) for text in references] * len(systems)
    sys.stdout.write(f"\nbeside other programs ({versions(PACKAGES)}), {len(hypotheses)} segments; processor time\n")
    holds = True
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        path = Path(folder) / "texts.json"
        path.write_text(json.dumps([hypotheses, theirs]), encoding="utf-8")
        for one in _COMPARED:
            other = json.loads(run(python, _OTHERS, one.package, str(path), str(TIMES)))
            seconds, scores = _ours(list(one.names), hypotheses, theirs)
            for name, score in scores.items():
                _check(name, score, other["scores"][one.names[name]], one)
            ratio = median(other["seconds"]) / seconds
            sys.stdout.write(
                f"{', '.join(one.names)}: {one.package} {median(other['seconds']):.3f} s, Assay {seconds:.3f} s, "
                f"{ratio:.1f} times as fast ({one.why_not or f'promised: {PROMISED:.0f}'})\n"
            )
            holds &= bool(one.why_not) or ratio >= PROMISED
    return holds


def _check(name: str, ours: CorpusScore, theirs: list[float], compared: _Compared) -> None:
    values = ours.segments if len(theirs) > 1 else np.array([ours.value])
    differing = int(np.count_nonzero(np.abs(values - theirs) > 1e-9))
    if differing > compared.differing * len(theirs):
        raise SystemExit(f"{name}: {differing} of {len(theirs)} scores differ from those of {compared.package}.")
    if differing:
        sys.stdout.write(f"{name}: {differing} of {len(theirs)} segments differ; {compared.because}\n")


def _ours(names: Sequence[str], hypotheses: list[str], references: list[str]) -> tuple[float, dict[str, CorpusScore]]:
    """The median of several runs, each with new metrics, so that nothing is remembered; loading is apart."""
    from metrics.automatic import METRICS, rouge  # noqa: PLC0415 - Django must be set up before

    def score() -> dict[str, CorpusScore]:
        return {name: METRICS[name]().score(hypotheses, references) for name in names}

    seconds, scores = [], score()  # loads, and compiles what is new
    for _ in range(TIMES):
        rouge.numbered_words.cache_clear()
        began = time.process_time()
        scores = score()
        seconds.append(time.process_time() - began)
    return median(seconds), scores
