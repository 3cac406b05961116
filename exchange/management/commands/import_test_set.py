import argparse
import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _

from campaigns.management.working_command import WorkingCommand
from exchange.formats.genmt_mending import Mended, read_mended
from exchange.formats.genmt_report import GenmtChoices, GenmtReport
from exchange.formats.genmt_segments import AUTO, SPLITS
from exchange.formats.mt_metrics_eval_folder import FORMAT, folder_files, scores_beside
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
    help = (
        "Import a test set: one file (jsonl, csv, tsv, xlsx, xliff, tmx, wmt-xml, or a campaign's texts), plain text "
        "with one file a side, a file of WMT's general task with one for each system, or a folder of mt-metrics-eval."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
        parser.add_argument("--name", required=True)
        parser.add_argument("--source-language", required=True, help="BCP 47, such as en")
        parser.add_argument("--target-language", required=True)
        parser.add_argument("--format", choices=FORMAT_NAMES, help="guessed when not given")
        parser.add_argument("--source", type=Path, help="plain text: the file of the source")
        parser.add_argument("--reference", action="append", default=[], metavar="[NAME=]FILE", type=named_file)
        parser.add_argument("--system", action="append", default=[], metavar="NAME=FILE", type=named_file)
        parser.add_argument("--documents", type=Path, help="plain text: the document of each line")
        parser.add_argument("--questions", type=Path, help="comprehension questions: csv, tsv or jsonl")
        add_columns(parser)
        parser.add_argument("--assets", type=Path, metavar="DIR", help="wmt-genmt: the folder of videos and pictures")
        parser.add_argument(
            "--set", default="", help="wmt-genmt: the set to import, such as WMT26 (by default WMT's own)"
        )
        parser.add_argument("--split", choices=SPLITS, default=AUTO, help="wmt-genmt: how documents become segments")
        parser.add_argument(
            "--refuse-realigned",
            action="store_true",
            help="wmt-genmt: store nothing if paragraphs of a translation had to be merged or split; lists them",
        )
        parser.add_argument(
            "--mended",
            type=Path,
            metavar="FILE",
            help="wmt-genmt: parts written by hand, as --write-realigned lists them",
        )
        parser.add_argument(
            "--write-realigned",
            type=Path,
            metavar="FILE",
            help="wmt-genmt: write the merged or split documents there (JSON), to be mended for --mended",
        )
        parser.add_argument(
            "--campaign-id", default="", metavar="ID", help="pearmut: which of several campaigns in the file"
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
        try:
            files = self._folder(options) or _files(options)
            if options["dry_run"]:
                self._finish(inspect(_with_languages(files, options), format=options["format"]), options, created=None)
            else:
                outcome = import_test_set(
                    files,
                    name=options["name"],
                    source_language=options["source_language"],
                    target_language=options["target_language"],
                    format=options["format"],
                    skip_bad_rows=options["skip_bad_rows"],
                    empty_outputs=options["empty_outputs"],
                    refuse_realigned=options["refuse_realigned"],
                    on_progress=self._progress if options["verbosity"] and self.stderr.isatty() else None,
                )
                self._finish(outcome.inspection, options, created=outcome.created)
        except ImportFileError as error:
            hint = "\nNothing was stored."
            if error.usable:
                hint += f" --skip-bad-rows stores the other {error.usable} segments."
            raise CommandError(f"{error}{hint}") from error

    def _folder(self, options: dict[str, Any]) -> ImportFiles | None:
        """The files of a folder of mt-metrics-eval, if it is one."""
        if options["format"] != FORMAT and not any(path.is_dir() for path in options["files"]):
            return None
        if len(options["files"]) != 1 or not options["files"][0].is_dir() or options["format"] not in (None, FORMAT):
            raise CommandError("Give one folder of mt-metrics-eval, such as wmt23, unpacked.")
        folder, options["format"] = options["files"][0], FORMAT
        files = folder_files(folder, options["source_language"], options["target_language"])
        if files.source is not None and (beside := scores_beside(folder, files.source.stem)):
            message = _("Human scores beside the texts come in as judgments, by import_judgments: %(files)s.")
            self.stderr.write(message % {"files": ", ".join(beside)})
        return replace(files, questions=options["questions"])

    def _progress(self, share: float) -> None:
        self.stderr.write(f"\r{100 * share:3.0f} %", ending="")

    def _finish(self, inspection: Inspection, options: dict[str, Any], *, created: bool | None) -> None:
        if created is None and inspection.problems.count:
            raise wrong_files(inspection)
        for note in inspection.problems.notes:
            self.stderr.write(note)
        for document in inspection.genmt.realigned if inspection.genmt else ():
            self.stderr.write(str(document))
        if inspection.genmt and (path := options["write_realigned"]):
            _write_realigned(inspection.genmt, path)
        if options["json"]:
            outcome = _as_json(inspection, options["name"], created, options["empty_outputs"])
            self.stdout.write(json.dumps(outcome, ensure_ascii=False))
        else:
            self.stdout.write(_as_text(inspection, options["name"], created))
            decided = "judged as empty" if options["empty_outputs"] == JUDGED_AS_EMPTY else "left out as gaps"
            summary = inspection.summary()
            for kind, name in ((decided, "empty_outputs"), ("missing", "missing_outputs")):
                if counts := summary[name]:
                    self.stdout.write(
                        f"Outputs {kind}: {', '.join(f'{system} {count}' for system, count in counts.items())}."
                    )


def named_file(value: str) -> tuple[str, Path]:
    name, equals, path = value.partition("=")
    return (name, Path(path)) if equals else ("", Path(value))


def add_columns(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="MEANING=TITLE",
        type=_meaning,
        help="a table, JSON lines, xliff, tmx: what a column is, such as source=Quelle, system:Heron=hyp1",
    )


def columns_in(options: dict[str, Any]) -> dict[str, str]:
    """The meaning of each column by its title."""
    columns = dict(options["column"])
    if len(columns) < len(options["column"]):
        raise CommandError("A column is one thing: two --column speak of the same.")
    return columns


def _meaning(value: str) -> tuple[str, str]:
    meaning, equals, title = value.partition("=")
    if not (meaning and equals and title):
        raise argparse.ArgumentTypeError(f"{value!r} says nothing of a column; write MEANING=TITLE, as source=Quelle")
    return title, meaning


def _files(options: dict[str, Any]) -> ImportFiles:
    columns = columns_in(options)
    _check_systems(options["system"])
    is_parallel = options["source"] or options["reference"] or options["documents"]
    if is_parallel and options["files"]:
        raise CommandError("Give either one FILE, or --source, --system and so on; not both.")
    if options["files"] or not (is_parallel or options["system"]):
        if len(options["files"]) != 1:
            raise CommandError("Give one FILE; for plain text, --source FILE and --system NAME=FILE for each system.")
        return ImportFiles(
            path=options["files"][0],
            systems=dict(options["system"]),
            questions=options["questions"],
            columns=columns,
            genmt=_genmt_choices(options),
            campaign_id=options["campaign_id"],
        )
    return ImportFiles(
        source=options["source"],
        references={name or "A": path for name, path in options["reference"]},
        systems=dict(options["system"]),
        documents=options["documents"],
        questions=options["questions"],
        columns=columns,
    )


def _check_systems(systems: list[tuple[str, Path]]) -> None:
    nameless = [str(path) for name, path in systems if not name]
    if nameless:
        raise CommandError(f"Name the system of {', '.join(nameless)}: --system NAME=FILE.")
    names = [name for name, _path in systems]
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise CommandError(f"Two files are of {', '.join(doubled)}. Give each system one file.")


def _genmt_choices(options: dict[str, Any]) -> GenmtChoices:
    folder = options["assets"]
    if folder is not None and not folder.is_dir():
        raise CommandError(f"{folder} is not a folder. Name the folder of videos and pictures: --assets DIR.")
    mended = _mended_in(options["mended"]) if options["mended"] else ()
    return GenmtChoices(set_name=options["set"], split=options["split"], assets=folder, mended=mended)


def _write_realigned(report: GenmtReport, path: Path) -> None:
    listed = [document.with_texts() for document in report.realigned]
    try:
        path.write_text(json.dumps(listed, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}. Name another file.") from error


def _mended_in(path: Path) -> tuple[Mended, ...]:
    try:
        content = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(_("%(file)s cannot be read as UTF-8 text.") % {"file": path}) from error
    mended, wrong = read_mended(content)
    if wrong:
        raise ImportFileError(*(f"{path}: {sentence}" for sentence in wrong))
    return tuple(mended)


def _with_languages(files: ImportFiles, options: dict[str, Any]) -> ImportFiles:
    """A trial reads the pair that the import would read."""
    source, target = options["source_language"], options["target_language"]
    return replace(files, genmt=replace(files.genmt, source_language=source, target_language=target))


def _as_json(inspection: Inspection, name: str, created: bool | None, empty_outputs: str) -> dict[str, Any]:
    return {
        "test_set": name,
        "created": created,
        "format": inspection.format,
        **inspection.summary(),
        "left_out": inspection.problems.lines,
        "columns": {column.title or f"#{column.number}": column.role for column in inspection.columns},
        "problems": [asdict(problem) for problem in inspection.problems.listed],
        **(_genmt_json(inspection, inspection.genmt, empty_outputs) if inspection.genmt else {}),
    }


def _genmt_json(inspection: Inspection, report: GenmtReport, empty_outputs: str) -> dict[str, Any]:
    """Under these names `left_out` says what of the file was not chosen; wrong rows are among `problems`."""
    return report.as_json() | {"gaps": inspection.gaps(empty_outputs), "notes": inspection.problems.notes}


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
