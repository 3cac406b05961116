"""Uploaded files: what each of them is, and the runs that read or import them.

A file here is plain JSON, as a run takes it: its name, path and size; `side`, `side_name`, `columns` and `genmt` (what
of a file of many language pairs is read) once chosen.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.actions.creating import perform_creation
from campaigns.actions.test_sets import SegmentRecord
from campaigns.models import TestSet
from campaigns.reading.problems import excerpt
from exchange.campaign_uploads import FoundCampaign, FoundJudgments, found_campaign
from exchange.formats.genmt_mending import Mended
from exchange.formats.genmt_report import GenmtChoices
from exchange.formats.genmt_segments import AUTO
from exchange.formats.mt_metrics_eval_folder import FORMAT as FOLDER
from exchange.formats.mt_metrics_eval_folder import is_folder, pairs_of_folder, side_in_folder
from exchange.formats.parallel_text import ImportFiles
from exchange.formats.test_set_table import Column
from exchange.formats.wmt_genmt import is_genmt, is_genmt_output
from exchange.genmt_findings import KEPT, genmt_found, keep_texts
from exchange.reading import ImportFileError
from exchange.test_set_files import JUDGED_AS_EMPTY, Inspection, first_line, import_test_set, inspect
from exchange.upload_folders import files_here, path_here, share_upload, upload_folder
from jobs.models import Run
from jobs.run_kinds import InvalidRun, OnProgress, RunFailed, RunKind

SIDES = ("whole", "source", "reference", "system", "documents", "questions")
_TABLES = ("csv", "tsv", "tab", "jsonl", "ndjson", "xml", "xlsx", "xlf", "xliff", "sdlxliff", "mqxliff", "tmx")
_WORDS = {
    "source": "source",
    "src": "source",
    "reference": "reference",
    "ref": "reference",
    "system": "system",
    "hyp": "system",
    "sys": "system",
    "documents": "documents",
    "docs": "documents",
    "docids": "documents",
    "questions": "questions",
}
_LANGUAGE = re.compile(r"^[a-z]{2,3}([-_][A-Za-z0-9]{2,8})*$")


@dataclass(frozen=True)
class FileSide:
    side: str
    name: str = ""


def guess_side(file_name: str) -> FileSide:
    """The side and, for references and systems, the name; by default a file is a system with the file's name."""
    parts = file_name.split(".")
    if len(parts) > 1 and parts[-1].lower() in ("txt", "text"):
        parts = parts[:-1]
    side = _WORDS.get(parts[0].lower(), "")
    if side != "questions" and parts[-1].lower() in _TABLES:
        return FileSide("whole")
    if not side:
        return FileSide("system", ".".join(_without_languages(parts)))
    names = _without_languages(parts[1:])
    if side == "reference":
        return FileSide(side, ".".join(names) or "A")
    return FileSide(side, ".".join(names) if side == "system" else "")


def _without_languages(parts: Sequence[str]) -> list[str]:
    names = [part for part in parts if part]
    while len(names) > 1 and _LANGUAGE.match(names[-1]):
        names.pop()
    if len(names) == 1 and _LANGUAGE.match(names[0]) and len(names[0]) <= 3:
        return []
    return names


def with_sides(files: Sequence[Mapping[str, Any]], chosen: Mapping[int, FileSide]) -> list[dict[str, Any]]:
    """Each file with its side and name: as chosen for its place, else as before, else as guessed."""
    sided = []
    by_place = _sides_by_place(files)
    for index, file in enumerate(files):
        guess = by_place.get(index) or _side_by_content(file) or guess_side(file["name"])
        side = chosen.get(index) or FileSide(file.get("side") or guess.side, file.get("side_name", guess.name))
        known = side.side if side.side in (*SIDES, "none") else "none"
        sided.append({**file, "side": known, "side_name": side.name.strip()})
    return sided


def _sides_by_place(files: Sequence[Mapping[str, Any]]) -> dict[int, FileSide]:
    """Of a folder of mt-metrics-eval; empty for all others. Its scores are not texts."""
    inner = [str(file.get("inner", "")) for file in files]
    if not is_folder(inner):
        return {}
    return {index: FileSide(*side_in_folder(path)) for index, path in enumerate(inner)}


def format_of_files(files: Sequence[Mapping[str, Any]]) -> str | None:
    """If their places tell."""
    return FOLDER if is_folder([str(file.get("inner", "")) for file in files]) else None


def _side_by_content(file: Mapping[str, Any]) -> FileSide | None:
    """Of files whose names are all alike: NAME.jsonl has documents of WMT's general task, or a system's outputs."""
    if not file["name"].lower().endswith((".jsonl", ".json", ".ndjson")):
        return None
    path, stem = path_here(file.get("path", "")), file["name"].split(".")[:-1]
    if not path.is_file():
        return None
    begin = first_line(path)
    if '"tgt_text"' in begin and '"scores"' in begin:
        return FileSide("none")  # scores by segment, which are judgments
    if is_genmt(begin):
        return FileSide("whole")
    return FileSide("system", ".".join(_without_languages(stem))) if is_genmt_output(begin) else None


def pairs_of_files(files: Sequence[Mapping[str, Any]]) -> list[str]:
    """The language pairs of a folder of mt-metrics-eval; empty for all others."""
    inner = [str(file.get("inner", "")) for file in files]
    return pairs_of_folder(inner) if is_folder(inner) else []


def chosen_pair(files: Sequence[Mapping[str, Any]], pairs: Sequence[str] = ()) -> str:
    """That of a folder, or of a file with these `pairs`; empty until one is chosen."""
    named = (str(file.get("genmt", {}).get("pair", "")) for file in files)
    return next((pair for pair in named if pair and pair in (pairs or pairs_of_files(files))), "")


def _in_pair(files: list[dict[str, Any]], pair: str) -> list[dict[str, Any]]:
    """Each by its place in the folder, those of other pairs ignored; a person's own sides stay for the same pair."""
    if chosen_pair(files) == pair:
        return files
    sides = [side_in_folder(str(file.get("inner", "")), pair) for file in files]
    return [
        {**file, "genmt": {"pair": pair}, "side": side, "side_name": name}
        for file, (side, name) in zip(files, sides, strict=True)
    ]


def with_genmt(files: list[dict[str, Any]], choices: Mapping[str, Any]) -> list[dict[str, Any]]:
    """`choices` (as GenmtChoices has them) are stored with the file that has the documents; of a folder with all."""
    if len(pairs_of_files(files)) > 1:
        return _in_pair(files, choices.get("pair", ""))
    whole = whole_file(files) or files[0]  # of a campaign or of judgments any
    return [{**file, "genmt": {**file.get("genmt", {}), **choices}} if file is whole else file for file in files]


def with_columns(files: list[dict[str, Any]], columns: Mapping[str, str]) -> list[dict[str, Any]]:
    """`columns` are stored with the file that has the whole test set, and replace earlier ones."""
    whole = whole_file(files)
    return [{**file, "columns": dict(columns)} if file is whole else file for file in files]


def whole_file(files: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """The only file, or of several the one with all texts."""
    if len(files) == 1:
        return files[0]
    return next((file for file in files if file.get("side") == "whole"), None)


PROBLEMS_SHOWN = 100
SYSTEMS_SHOWN = 3
TEXT_SHOWN = 400
COLUMNS_SHOWN = 200
SAMPLE_SHOWN = 80
_NAMED = ("reference", "system")
_NAMELESS = gettext_lazy("%(file)s: name the system.")
_CLASH = gettext_lazy("%(first)s and %(second)s are both %(place)s. Choose another role for one of them.")


def perform_inspection(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    """Reports what the files contain and what is wrong with them; stores nothing."""
    on_progress(0.0)
    files = files_here(run.arguments["files"])
    if campaign := found_campaign(files):
        return _as_json(_inspection_of(campaign)) | {"campaign": campaign.as_json()}
    inspection = inspect(import_files(files), format=format_of_files(files))
    if inspection.genmt and (folder := upload_folder(run.arguments["upload"])).is_dir():
        keep_texts(inspection.genmt, folder)
        share_upload(run.arguments["upload"], KEPT)
    if pair := chosen_pair(files):
        inspection.languages = dict(zip(("source", "target"), pair.split("-", 1), strict=True))
    return _as_json(inspection)


def _inspection_of(campaign: FoundCampaign | FoundJudgments) -> Inspection:
    """Its texts, as those of a test set."""
    inspection = Inspection(format=campaign.format, problems=campaign.problems, languages=campaign.languages)
    if (documents := campaign.documents) is not None:
        inspection.documents = len(documents.documents)
        for record in documents.segments.values():
            inspection.add(record)
    return inspection


def perform_test_set(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    """Imports uploaded files as a test set without a campaign."""
    return {"test_set": _stored_test_set(run, on_progress).slug}


def _stored_test_set(run: Run, on_progress: OnProgress) -> TestSet:
    """The named test set, or one made from the files."""
    arguments = run.arguments
    if arguments["test_set"]:
        test_set = TestSet.objects.filter(pk=arguments["test_set"]).first()
        if test_set is None:
            raise RunFailed(_("This test set was deleted. Choose another."))
        return test_set
    try:
        outcome = import_test_set(
            import_files(arguments["files"]),
            name=arguments["name"],
            source_language=arguments["source_language"],
            target_language=arguments["target_language"],
            format=format_of_files(arguments["files"]),
            skip_bad_rows=arguments["skip_bad_rows"],
            empty_outputs=arguments.get("empty_outputs", JUDGED_AS_EMPTY),
            refuse_realigned=not arguments.get("confirm_realigned"),
            created_by=run.created_by,
            on_progress=lambda share: on_progress(0.6 * share),
        )
    except ImportFileError as error:
        raise RunFailed(str(error)) from error
    return outcome.test_set


def import_files(files: list[dict[str, Any]]) -> ImportFiles:
    """One file has everything, perhaps beside questions; several are sides of a parallel text."""
    files = files_here(files)
    if not all(Path(file["path"]).is_file() for file in files):
        raise RunFailed(_("The files are no longer on the server. Drop them again."))
    names = {Path(file["path"]): file["name"] for file in files}
    if len(files) == 1:
        chosen = {"columns": files[0].get("columns", {}), "genmt": _genmt_choices(files[0])}
        return ImportFiles(path=Path(files[0]["path"]), names=names, **chosen)
    if len(pairs := pairs_of_files(files)) > 1 and not chosen_pair(files):
        message = _("The folder has several language pairs: %(pairs)s. Choose the pair to be judged.")
        raise RunFailed(message % {"pairs": ", ".join(pairs)})
    sides = _sides(files)
    first = {side: next(iter(paths.values())) for side, paths in sides.items()}
    questions = first.get("questions")
    if whole := whole_file(files):
        systems = sides.get("system", {}) if is_genmt(first_line(first["whole"])) else {}
        others = ("source", "reference", "documents") if systems else ("source", "reference", "system", "documents")
        texts = [path for side in others for path in sides.get(side, {}).values()]
        if texts:
            message = _("One file is the whole test set. Leave out %(files)s.")
            raise RunFailed(message % {"files": ", ".join(names[path] for path in texts)})
        chosen = {"columns": whole.get("columns", {}), "genmt": _genmt_choices(whole)}
        return ImportFiles(path=first["whole"], systems=systems, questions=questions, names=names, **chosen)
    return ImportFiles(
        source=first.get("source"),
        references={name or "A": path for name, path in sides.get("reference", {}).items()},
        systems=sides.get("system", {}),
        documents=first.get("documents"),
        questions=questions,
        names=names,
    )


def _genmt_choices(file: Mapping[str, Any]) -> GenmtChoices:
    chosen = file.get("genmt", {})
    mended = (Mended(each["system"], each["document"], tuple(each["parts"])) for each in chosen.get("mended", ()))
    return GenmtChoices(
        pair=chosen.get("pair", ""),
        set_name=chosen.get("set", ""),
        split=chosen.get("split") or AUTO,
        mended=tuple(mended),
        drops_unfit=bool(chosen.get("drops_unfit")),
    )


def _sides(files: list[dict[str, Any]]) -> dict[str, dict[str, Path]]:
    """Files by side and name. Of two with the same side and name, one would be lost silently."""
    sides: dict[str, dict[str, Path]] = {}
    taken: dict[tuple[str, str], str] = {}
    wrong = []
    for file in files:
        side, name = file["side"], file["side_name"] if file["side"] in _NAMED else ""
        if side == "none":
            continue
        if side == "system" and not name:
            wrong.append(_NAMELESS % {"file": file["name"]})
        elif (side, name) in taken:
            place = {"first": taken[side, name], "second": file["name"], "place": f"{side} {name}".strip()}
            wrong.append(_CLASH % place)
        taken[side, name] = file["name"]
        sides.setdefault(side, {})[name] = Path(file["path"])
    if wrong:
        raise RunFailed("\n".join(wrong))
    return sides


def _as_json(inspection: Inspection) -> dict[str, Any]:
    shown = inspection.systems[:SYSTEMS_SHOWN]
    return {
        "format": inspection.format,
        **inspection.summary(),
        "asked_documents": inspection.asked_documents,
        "shown_systems": shown,
        "languages": inspection.languages,
        "guessed_languages": inspection.guessed_languages(),
        "columns": [_column(column) for column in inspection.columns[:COLUMNS_SHOWN]],
        "notes": inspection.problems.notes,
        "genmt": genmt_found(inspection.genmt) if inspection.genmt else None,
        "problem_count": inspection.problems.count,
        "unusable_rows": inspection.problems.lines,
        "can_skip": inspection.can_skip,
        "pairs": inspection.problems.pairs,
        "problems": [asdict(problem) for problem in inspection.problems.listed[:PROBLEMS_SHOWN]],
        "preview": [_preview_row(record, inspection.references, shown) for record in inspection.preview],
    }


def _column(column: Column) -> dict[str, Any]:
    samples = [excerpt(sample, SAMPLE_SHOWN) for sample in column.samples]
    title, name = (excerpt(text, SAMPLE_SHOWN) for text in (column.title, column.name))
    return {**asdict(column), "title": title, "name": name, "samples": samples}


def _preview_row(record: SegmentRecord, references: list[str], systems: list[str]) -> dict[str, Any]:
    texts = [
        record.source,
        *(record.references.get(name, "") for name in references),
        *(record.translations.get(name, "") for name in systems),
    ]
    return {"document": record.document, "segment": record.segment, "texts": [text[:TEXT_SHOWN] for text in texts]}


def _check_upload(arguments: Mapping[str, Any]) -> dict[str, Any]:
    if not arguments.get("files") and not arguments.get("test_set"):
        raise InvalidRun("Upload files, or choose a test set.")
    return dict(arguments)


INSPECTION = RunKind(_check_upload, perform_inspection)
NEW_CAMPAIGN = RunKind(_check_upload, partial(perform_creation, test_set_of=_stored_test_set))
NEW_TEST_SET = RunKind(_check_upload, perform_test_set)
