"""Scores texts by a package that is not Assay's: `python others.py PACKAGE FILE.json TIMES SCORE…`.

The file has translations and references. Tells the processor time of each run, and by name the score of each segment,
or of the whole alone.
"""

import json
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

Scores = dict[str, list[float]]


def rouge_score(hypotheses: list[str], references: list[str], types: list[str]) -> Scores:
    scorer = import_module("rouge_score.rouge_scorer").RougeScorer(types)
    scored = [scorer.score(reference, text) for text, reference in zip(hypotheses, references, strict=True)]
    return {name: [one[name].fmeasure for one in scored] for name in types}


def cer(hypotheses: list[str], references: list[str], _names: list[str]) -> Scores:
    rate = import_module("cer").calculate_cer
    pairs = zip(hypotheses, references, strict=True)
    return {"cer": [rate(text.split(), reference.split()) for text, reference in pairs]}


def jiwer(hypotheses: list[str], references: list[str], _names: list[str]) -> Scores:
    return {"wer": [import_module("jiwer").wer(references, hypotheses)]}


def sacrebleu(hypotheses: list[str], references: list[str], names: list[str]) -> Scores:
    metrics = import_module("sacrebleu.metrics")
    scorers = {"bleu": metrics.BLEU(), "chrf++": metrics.CHRF(word_order=2)}
    return {name: [scorers[name].corpus_score(hypotheses, [references]).score] for name in names}


def meteor_jar() -> Path:
    """The program METEOR 1.5, which pycocoevalcap brings along."""
    return Path(str(import_module("pycocoevalcap").__path__[0])) / "meteor" / "meteor-1.5.jar"


def pycocoevalcap(hypotheses: list[str], references: list[str], _names: list[str]) -> Scores:
    """Stems, but neither synonyms nor paraphrases; texts are split at blanks."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("hypotheses", "references")]
        for file, texts in zip(files, (hypotheses, references), strict=True):
            file.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        program = [
            "java",
            "-Xmx2G",
            "-jar",
            str(meteor_jar()),
            *map(str, files),
            "-l",
            "en",
            "-lower",
            "-m",
            "exact stem",
        ]
        told = subprocess.run(program, capture_output=True, text=True, check=True).stdout
    return {"meteor": [float(score) for score in re.findall(r"^Segment \d+ score:\s+(\S+)$", told, re.MULTILINE)]}


SCORERS: dict[str, Callable[[list[str], list[str], list[str]], Scores]] = {
    "rouge-score": rouge_score,
    "cer": cer,
    "jiwer": jiwer,
    "sacrebleu": sacrebleu,
    "pycocoevalcap": pycocoevalcap,
}


def main() -> None:
    package, path, times, *names = sys.argv[1:]
    score = SCORERS[package]
    hypotheses, references = json.loads(Path(path).read_text(encoding="utf-8"))
    score(hypotheses[:1], references[:1], names)  # loads the package
    began = _of_others()
    score(hypotheses[:1], references[:1], names)
    loading = _of_others() - began  # a program of its own loads each time
    seconds = []
    for _ in range(int(times)):
        began = _processor_time()
        scores = score(hypotheses, references, names)
        seconds.append(_processor_time() - began - loading)
    sys.stdout.write(json.dumps({"seconds": seconds, "scores": scores}))


def _processor_time() -> float:
    own = resource.getrusage(resource.RUSAGE_SELF)
    return own.ru_utime + own.ru_stime + _of_others()


def _of_others() -> float:
    """Of programs that were started and have ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


if __name__ == "__main__":
    main()
