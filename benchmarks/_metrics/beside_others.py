"""Metrics that sacreBLEU does not have, beside the packages that other people score with."""

import json
import shutil
import tempfile
import time
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks._statistics.environment import reference_python, run, versions
from bootstrap.places import ROOT
from bootstrap.steps import say
from metrics.automatic import metric_title
from metrics.automatic.base import CorpusScore

PACKAGES = {"rouge-score": "0.1.2", "cer": "1.2.0", "jiwer": "4.0.0", "sacrebleu": "2.6.0", "pycocoevalcap": "1.2"}
PROMISED = 10.0
TIMES = 3
_OTHERS = ROOT / "benchmarks" / "_metrics" / "others.py"
_ASCII = str.maketrans("äöü", "xyz")  # rouge-score takes other letters for blanks


@dataclass(frozen=True)
class _Compared:
    """`names` of our metrics, and what the package calls each; `why_not` says why ten times is not promised.

    `options` are ours. `differing`: how large a part of the segments may have another score, and `because` says why.
    `program` is one that the package needs beside Python.
    """

    package: str
    names: dict[str, str]
    why_not: str = ""
    options: dict[str, str] = field(default_factory=dict)
    differing: float = 0.0
    because: str = ""
    program: str = ""


_COMPARED = (
    _Compared("rouge-score", {"rouge_1": "rouge1", "rouge_2": "rouge2", "rouge_l": "rougeL"}),
    _Compared("cer", {"character": "cer"}, differing=0.01, because="it takes rounding errors for savings"),
    _Compared("jiwer", {"wer": "wer"}, "no: it is compiled code itself"),
    _Compared("sacrebleu", {"chrf++": "chrf++"}),
    _Compared("sacrebleu", {"bleu": "bleu"}, "no: its tokenizer is ours, too"),
    _Compared(
        "pycocoevalcap",
        {"meteor": "meteor"},
        options={"variant": "1.5"},
        differing=0.05,
        because="it continues fewer partial alignments, and finds more chunks where words are repeated often",
        program="java",
    ),
)


def beside_others(references: list[str], systems: Sequence[list[str]]) -> tuple[str, bool]:
    """A table of how fast each is, and whether what is promised holds; SystemExit where scores differ."""
    python = reference_python("metrics", PACKAGES)
    hypotheses = [text.translate(_ASCII) for system in systems for text in system]
    theirs = [text.translate(_ASCII) for text in references] * len(systems)
    say(f"beside other programs ({versions(PACKAGES)}), {len(hypotheses)} segments; processor time")
    rows, holds = ["| | package | Assay | times as fast | promised |", "|---|--:|--:|--:|--:|"], True
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        path = Path(folder) / "texts.json"
        path.write_text(json.dumps([hypotheses, theirs]), encoding="utf-8")
        for one in _COMPARED:
            options = dict(one.options)
            if one.program and shutil.which(one.program) is None:
                say(f"{', '.join(one.names)}: not compared, {one.program} is not installed")
                continue
            other = json.loads(run(python, _OTHERS, one.package, str(path), str(TIMES), *one.names.values()))
            if one.package == "pycocoevalcap":
                options["function_words"] = _function_words(python, folder)
            seconds, scores = _ours(one.names, options, hypotheses, theirs)
            for name, score in scores.items():
                _check(name, score, other["scores"][one.names[name]], one)
            ratio = median(other["seconds"]) / seconds
            names, package = (
                ", ".join(metric_title(name) for name in one.names),
                f"{one.package} {PACKAGES[one.package]}",
            )
            rows.append(
                f"| {names}; {package} | {median(other['seconds']):.3f} s | {seconds:.3f} s | {ratio:.1f} "
                f"| {one.why_not or f'{PROMISED:.0f}'} |"
            )
            holds &= bool(one.why_not) or ratio >= PROMISED
    return "\n".join(rows), holds


def _check(name: str, ours: CorpusScore, theirs: list[float], compared: _Compared) -> None:
    values = ours.segments if len(theirs) > 1 else np.array([ours.value])
    differing = int(np.count_nonzero(np.abs(values - theirs) > 1e-9))
    if differing > compared.differing * len(theirs):
        raise SystemExit(f"{name}: {differing} of {len(theirs)} scores differ from those of {compared.package}.")
    if differing:
        say(f"{name}: {differing} of {len(theirs)} segments differ; {compared.because}")


def _function_words(python: Path, folder: str) -> str:
    """METEOR's own list, for which its program counts less."""
    (jar,) = python.parents[1].glob("lib/*/site-packages/pycocoevalcap/meteor/meteor-1.5.jar")
    words = Path(folder) / "function-words.txt"
    words.write_bytes(zipfile.ZipFile(jar).read("function/english.words"))
    return str(words)


def _ours(
    names: Iterable[str], options: Mapping[str, str], hypotheses: list[str], references: list[str]
) -> tuple[float, dict[str, CorpusScore]]:
    """The median of several runs, each with new metrics, so that nothing is remembered; loading is apart."""
    from metrics.automatic import METRICS, rouge, tokenizers  # noqa: PLC0415 - Django must be set up before

    def score() -> dict[str, CorpusScore]:
        return {name: METRICS[name](**options).score(hypotheses, references) for name in names}

    seconds, scores = [], score()  # loads, and compiles what is new
    for _ in range(TIMES):
        rouge.numbered_words.cache_clear()
        tokenizers.named_tokenizer.cache_clear()
        began = time.process_time()
        scores = score()
        seconds.append(time.process_time() - began)
    return median(seconds), scores
