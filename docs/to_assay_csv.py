"""Turns published judgments that Assay does not read itself into assay-csv; docs/formats.md says how to use it.

    python docs/to_assay_csv.py crowd FILE --pair lv-en [--figures FILE] --output judgments.csv
    python docs/to_assay_csv.py ranking FILE --output judgments.csv
    python docs/to_assay_csv.py post-edits --source FILE --translation FILE --post-edit FILE --output judgments.csv

Needs nothing but Python. Files may be packed with gzip; "-" is the standard output.
"""

import csv
import gzip
import json
import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

KINDS = {"SYSTEM": "regular", "REPEAT": "repeat", "BAD_REF": "degraded", "REF": "reference"}
EXACT = 2e-3  # how far a score recovered from z may be from the whole number it was
_RISKY = re.compile(r"'*(?:[=+\-@\t\r\n＝＋－＠]|$)")
_FULL_NAME = re.compile(r"newstest\d+\.(.+?)\.\d+\.[a-z]{2}-[a-z]{2}")

Row = dict[str, Any]


def crowd(options: Namespace) -> Iterator[Row]:
    """Direct assessment as WMT's crowd pipeline keeps it: blanks or tabs between the cells, some of them quoted.

    With `figures`, an annotator's mean and deviation as R prints them, the scores in the file are z-scores, and what
    was answered is the whole number they come from. Of a segment's name what stands before the last full stop is its
    document; without one it is a document of its own. Control items pair within a HIT, which an annotator does alone.
    """
    source, target = options.pair.split("-")
    figures = _figures(options.figures) if options.figures else {}
    for number, line in enumerate(_lines(options.file), start=1):
        hit, annotator, its_source, its_target, _ad, _hit, system, _rid, kind, segment, score, *_time = _cells(line)
        if (its_source, its_target) != (source, target):
            continue
        value = float(score)
        if figures:
            mean, deviation = figures[annotator]
            exact = value * deviation + mean
            value = round(exact)
            if abs(exact - value) > EXACT:
                message = f"line {number + 1}: {exact} is no whole score; do file and figures belong together?"
                raise SystemExit(message)
        yield {
            "judgment": number,
            "annotator": annotator,
            "protocol": "direct_assessment",
            "document": segment.rpartition(".")[0] or segment,
            "segment": segment,
            "system": system,
            "kind": KINDS[kind],
            "measure": "score",
            "value": f"{value:g}",
            "assignment": "" if hit == "NA" else f"{hit} {annotator}",
        }


def ranking(options: Namespace) -> Iterator[Row]:
    """WMT's relative rankings, one line a pair of outputs. Systems joined by "+" gave the same output: one slot."""
    screens: dict[tuple[str, str, str], dict[str, str]] = {}
    for pair in csv.DictReader(_lines(options.file, skip=0)):
        ranks = screens.setdefault((pair["rankingID"], pair["judgeID"], pair["segmentId"]), {})
        ranks[pair["system1Id"]] = pair["system1rank"]
        ranks[pair["system2Id"]] = pair["system2rank"]
    for number, ((_ranking, judge, segment), ranks) in enumerate(screens.items(), start=1):
        for place, (output, rank) in enumerate(ranks.items()):
            for system in output.split("+"):
                yield {
                    "judgment": number,
                    "annotator": judge,
                    "protocol": "ranking",
                    "document": segment,
                    "segment": segment,
                    "system": short_name(system),
                    "kind": "regular",
                    "measure": "rank",
                    "value": rank,
                    "slot": chr(ord("A") + place),
                }


def post_edits(options: Namespace) -> Iterator[Row]:
    """Translations and what they were corrected to, one segment a line; HTER follows from the two."""
    files = [_lines(path, skip=0) for path in (options.source, options.translation, options.post_edit)]
    for number, (source, translation, post_edit) in enumerate(zip(*files, strict=True), start=1):
        answer = {"slots": {"A": {"text": post_edit}}, "comment": "", "cannot_judge": None}
        yield {
            "judgment": number,
            "annotator": options.annotator,
            "protocol": "post_editing",
            "document": options.document,
            "segment": number,
            "system": options.system,
            "kind": "regular",
            "measure": "",
            "value": "",
            "answer": json.dumps(answer, ensure_ascii=False),
            "source": safe(source),
            "translation": safe(translation),
        }


def short_name(system: str) -> str:
    """`newstest2016.Heron.4285.tr-en` is Heron."""
    full = _FULL_NAME.fullmatch(system)
    return full[1] if full else system


def safe(text: str) -> str:
    """A text that a spreadsheet would run, or that looks quoted, with the apostrophe Assay takes away again."""
    return f"'{text}" if _RISKY.match(text) else text


def _figures(path: Path) -> dict[str, tuple[float, float]]:
    """Three lines an annotator: name, mean, deviation."""
    cells = [line.split("]", 1)[1].strip().strip('"') for line in _lines(path, skip=0) if line.strip()]
    return {cells[at]: (float(cells[at + 1]), float(cells[at + 2])) for at in range(0, len(cells), 3)}


def _cells(line: str) -> list[str]:
    return re.split(r"[\t ]+", line.strip().replace('"', ""))


def _lines(path: Path, skip: int = 1) -> Iterator[str]:
    with _opened(path) as stream:
        for number, line in enumerate(stream):
            if number >= skip:
                yield line.rstrip("\r\n")


def _opened(path: Path) -> TextIO:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8", newline="\n")
    return path.open(encoding="utf-8", newline="\n")


def _arguments(given: Sequence[str] | None) -> Namespace:
    parser = ArgumentParser(description="Published judgments as assay-csv.")
    forms = parser.add_subparsers(required=True)
    for form in (crowd, ranking, post_edits):
        words = (form.__doc__ or "").split("\n", 1)[0]
        command = forms.add_parser(form.__name__.replace("_", "-"), help=words)
        command.set_defaults(form=form)
        command.add_argument("--output", required=True, metavar="FILE")
        if form is post_edits:
            for name in ("source", "translation", "post-edit"):
                command.add_argument(f"--{name}", type=Path, required=True, metavar="FILE")
            for name, usual in (("system", "MT"), ("annotator", "editor"), ("document", "all")):
                command.add_argument(f"--{name}", default=usual, metavar="NAME")
            continue
        command.add_argument("file", type=Path)
        if form is crowd:
            command.add_argument("--pair", required=True, help="of languages, as the file names them: lv-en")
            command.add_argument("--figures", type=Path, metavar="FILE", help="mean and deviation of each annotator")
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> None:
    options = _arguments(given)
    if options.output == "-":
        _write(options.form(options), sys.stdout)
        return
    with Path(options.output).open("w", encoding="utf-8", newline="") as stream:
        _write(options.form(options), stream)


def _write(rows: Iterator[Row], stream: TextIO) -> None:
    first = next(rows, None)
    if first is None:
        raise SystemExit("There is no such judgment in the file.")
    writer = csv.DictWriter(stream, list(first))
    writer.writeheader()
    writer.writerow(first)
    writer.writerows(rows)


if __name__ == "__main__":
    main()
