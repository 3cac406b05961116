import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from campaigns.management.working_command import WorkingCommand
from exchange.formats.parallel_text import ImportFiles
from exchange.reading import ImportFileError
from exchange.test_set_files import (
    EMPTY_OUTPUTS,
    FORMAT_NAMES,
    JUDGED_AS_EMPTY,
    Inspection,
    import_test_set,
    inspect,
    wrong_files,
)


class Command(WorkingCommand):
    help = "Import a test set: one file (jsonl, csv, tsv, wmt-xml), or plain text with one file a side."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
        parser.add_argument("--name", required=True)
        parser.add_argument("--source-language", required=True, help="BCP 47, such as en")
        parser.add_argument("--target-language", required=True)
        parser.add_argument("--format", choices=FORMAT_NAMES, help="guessed when not given")
        parser.add_argument("--source", type=Path, help="plain text: the file of the source")
        parser.add_argument("--reference", action="append", default=[], metavar="[NAME=]FILE", type=_named)
        parser.add_argument("--system", action="append", default=[], metavar="NAME=FILE", type=_named)
        parser.add_argument("--documents", type=Path, help="plain text: the document of each line")
        parser.add_argument("--questions", type=Path, help="comprehension questions: csv, tsv or jsonl")
        parser.add_argument(
            "--column",
            action="append",
            default=[],
            metavar="MEANING=TITLE",
            type=_meaning,
            help="a table, JSON lines: what a column is, such as source=Quelle, system:Heron=hyp1, none=Notes",
        )
        parser.add_argument("--dry-run", action="store_true", help="look through the files, store nothing")
        parser.add_argument("--skip-bad-rows", action="store_true", help="leave out what is wrong, store the rest")
        parser.add_argument(
            "--empty-outputs",
            choices=EMPTY_OUTPUTS,
            default=JUDGED_AS_EMPTY,
            help="an empty translation is judged as empty (the default), or is a gap of its system alone",
        )
        parser.add_argument("--json", action="store_true", help="print the outcome as JSON")

    def handle(self, *_args: Any, **options: Any) -> None:
        files = _files(options)
        try:
            if options["dry_run"]:
                self._finish(inspect(files, format=options["format"]), options, created=None)
            else:
                outcome = import_test_set(
                    files,
                    name=options["name"],
                    source_language=options["source_language"],
                    target_language=options["target_language"],
                    format=options["format"],
                    skip_bad_rows=options["skip_bad_rows"],
                    empty_outputs=options["empty_outputs"],
                    on_progress=self._progress if options["verbosity"] and self.stderr.isatty() else None,
                )
                self._finish(outcome.inspection, options, created=outcome.created)
        except ImportFileError as error:
            hint = "\nNothing was stored."
            if error.usable:
                hint += f" --skip-bad-rows stores the other {error.usable} segments."
            raise CommandError(f"{error}{hint}") from error

    def _progress(self, share: float) -> None:
        self.stderr.write(f"\r{100 * share:3.0f} %", ending="")

    def _finish(self, inspection: Inspection, options: dict[str, Any], *, created: bool | None) -> None:
        if created is None and inspection.problems.count:
            raise wrong_files(inspection)
        for note in inspection.problems.notes:
            self.stderr.write(note)
        if options["json"]:
            self.stdout.write(json.dumps(_as_json(inspection, options["name"], created), ensure_ascii=False))
        else:
            self.stdout.write(_as_text(inspection, options["name"], created))
            decided = "judged as empty" if options["empty_outputs"] == JUDGED_AS_EMPTY else "left out as gaps"
            summary = inspection.summary()
            for kind, name in ((decided, "empty_outputs"), ("missing", "missing_outputs")):
                if counts := summary[name]:
                    self.stdout.write(
                        f"Outputs {kind}: {', '.join(f'{system} {count}' for system, count in counts.items())}."
                    )


def _named(value: str) -> tuple[str, Path]:
    name, equals, path = value.partition("=")
    return (name, Path(path)) if equals else ("", Path(value))


def _meaning(value: str) -> tuple[str, str]:
    meaning, equals, title = value.partition("=")
    if not (meaning and equals and title):
        raise argparse.ArgumentTypeError(f"{value!r} says nothing of a column; write MEANING=TITLE, as source=Quelle")
    return title, meaning


def _files(options: dict[str, Any]) -> ImportFiles:
    columns = dict(options["column"])
    if len(columns) < len(options["column"]):
        raise CommandError("A column is one thing: two --column speak of the same.")
    is_parallel = options["source"] or options["system"] or options["reference"] or options["documents"]
    if is_parallel and options["files"]:
        raise CommandError("Give either one FILE, or --source, --system and so on; not both.")
    if not is_parallel:
        if len(options["files"]) != 1:
            raise CommandError("Give one FILE; for plain text, --source FILE and --system NAME=FILE for each system.")
        return ImportFiles(path=options["files"][0], questions=options["questions"], columns=columns)
    nameless = [str(path) for name, path in options["system"] if not name]
    if nameless:
        raise CommandError(f"Name the system of {', '.join(nameless)}: --system NAME=FILE.")
    return ImportFiles(
        source=options["source"],
        references={name or "A": path for name, path in options["reference"]},
        systems=dict(options["system"]),
        documents=options["documents"],
        questions=options["questions"],
        columns=columns,
    )


def _as_json(inspection: Inspection, name: str, created: bool | None) -> dict[str, Any]:
    return {
        "test_set": name,
        "created": created,
        "format": inspection.format,
        **inspection.summary(),
        "left_out": inspection.problems.lines,
        "columns": {column.title or f"#{column.number}": column.role for column in inspection.columns},
        "problems": [asdict(problem) for problem in inspection.problems.listed],
    }


def _as_text(inspection: Inspection, name: str, created: bool | None) -> str:
    counts = (
        f"{inspection.documents} documents, {inspection.segments} segments, {len(inspection.systems)} systems, "
        f"{len(inspection.references)} references ({inspection.format})"
    )
    if inspection.questions:
        counts += f", {inspection.questions} questions on {inspection.asked_documents} of the documents"
    if created is None:
        return f"This would be imported: {counts}."
    if not created:
        return f"“{name}” was imported from these very files before; nothing changed."
    left_out = f" {inspection.problems.lines} rows were left out." if inspection.problems.lines else ""
    return f"Imported “{name}”: {counts}.{left_out}"
