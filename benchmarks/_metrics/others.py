"""Scores texts by a package that is not Assay's: `python others.py PACKAGE FILE.json TIMES`.

The file has translations and references. Tells the processor time of each run, and by name the score of each segment,
or of the whole alone.
"""

import json
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

Scores = dict[str, list[float]]


def rouge_score(hypotheses: list[str], references: list[str]) -> Scores:
    types = ["rouge1", "rouge2", "rougeL"]
    scorer = import_module("rouge_score.rouge_scorer").RougeScorer(types)
    scored = [scorer.score(reference, text) for text, reference in zip(hypotheses, references, strict=True)]
    return {name: [one[name].fmeasure for one in scored] for name in types}


def cer(hypotheses: list[str], references: list[str]) -> Scores:
    rate = import_module("cer").calculate_cer
    pairs = zip(hypotheses, references, strict=True)
    return {"cer": [rate(text.split(), reference.split()) for text, reference in pairs]}


def jiwer(hypotheses: list[str], references: list[str]) -> Scores:
    return {"wer": [import_module("jiwer").wer(references, hypotheses)]}


def main() -> None:
    package, path, times = sys.argv[1:]
    score: Callable[[list[str], list[str]], Scores] = {"rouge-score": rouge_score, "cer": cer, "jiwer": jiwer}[package]
    hypotheses, references = json.loads(Path(path).read_text(encoding="utf-8"))
    score(hypotheses[:1], references[:1])  # loads the package
    seconds = []
    for _ in range(int(times)):
        began = time.process_time()
        scores = score(hypotheses, references)
        seconds.append(time.process_time() - began)
    sys.stdout.write(json.dumps({"seconds": seconds, "scores": scores}))


if __name__ == "__main__":
    main()
