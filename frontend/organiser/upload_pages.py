"""Files dropped on the new-campaign page: stored, read by a run, and their contents shown."""

import re
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.languages import language_name
from exchange.formats.genmt_names import language_of_wmt
from exchange.formats.genmt_segments import AUTO, SPLITS
from exchange.formats.test_set_table import MOST_COLUMNS, role_of
from exchange.genmt_findings import confirmation_keys
from exchange.test_set_files import EMPTY_OUTPUTS, JUDGED_AS_EMPTY
from exchange.upload_folders import delete_upload, forget_old_folders
from exchange.uploaded_files import FileSide, chosen_pair, pairs_of_files, whole_file, with_sides
from frontend.access import SignedInRequest
from frontend.campaign_pages import FORM, POST, signed_in
from frontend.organiser.mending import languages_of, mended_in, taken_back_in, with_fields, with_mended
from frontend.uploads import (
    UploadError,
    get_inspection,
    queue_inspection,
    store_upload,
)
from jobs.models import Run, RunStatus

SIDE_CHOICES = (
    ("whole", gettext_lazy("The whole test set")),
    ("source", gettext_lazy("Source")),
    ("reference", gettext_lazy("Reference")),
    ("system", gettext_lazy("System")),
    ("documents", gettext_lazy("Document of each line")),
    ("questions", gettext_lazy("Questions")),
    ("none", gettext_lazy("Ignore")),
)
MEANING_CHOICES = (
    ("document", gettext_lazy("Document")),
    ("segment", gettext_lazy("Segment")),
    ("source", gettext_lazy("Source")),
    ("reference", gettext_lazy("Reference")),
    ("system", gettext_lazy("System")),
    ("title", gettext_lazy("Title of the document")),
    ("domain", gettext_lazy("Domain")),
    ("tags", gettext_lazy("Tags")),
    ("instruction", gettext_lazy("Instruction for the document")),
    ("none", gettext_lazy("Not used")),
)
OBJECT_CHOICES = (
    ("references", gettext_lazy("References by name")),
    ("translations", gettext_lazy("Translations by system")),
    ("suggested", gettext_lazy("Suggested errors")),
    ("alignments", gettext_lazy("Alignments of words")),
)
EMPTY_OUTPUT_CHOICES = tuple(
    zip(EMPTY_OUTPUTS, (gettext_lazy("Judge as empty"), gettext_lazy("Leave a gap")), strict=True)
)
SPLIT_CHOICES = tuple(
    zip(
        SPLITS,
        (
            gettext_lazy("Paragraphs, or values of JSON"),
            gettext_lazy("At blank lines"),
            gettext_lazy("Whole documents"),
        ),
        strict=True,
    )
)
PAIR_SEPARATOR = "|"
CONFIRMED = "realigned-"  # begins the names of the page's check boxes
_SIDE_FIELD = re.compile(r"side-(\d{1,4})")
_COLUMN_FIELD = re.compile(r"column-(\d{1,4})")


@signed_in(POST)
def uploads(request: SignedInRequest) -> HttpResponse:
    """Takes the files and has them read; the answer is the piece of page that waits for the findings."""
    if not request.user.may_create_campaigns:
        raise PermissionDenied
    forget_old_folders()
    try:
        upload, files = store_upload(request.FILES.getlist("files"), unpacks=True, paths=request.POST.getlist("paths"))
    except UploadError as error:
        return render(request, "organiser/findings_error.html", {"error": str(error)}, status=422)
    return findings(request, queue_inspection(request.user, upload, files), request.POST)


@signed_in(FORM)
def upload_state(request: SignedInRequest, upload: uuid.UUID) -> HttpResponse:
    """The findings so far, with their frame if `whole`; a POST describes the files and has them read again."""
    run = get_inspection(request.user, upload)
    if request.method == "POST":
        sides, columns, genmt = _sides_in(request.POST), columns_in(request.POST) or None, genmt_in(request.POST)
        mended, wrong = mended_in(run, request.POST)
        if wrong:
            return findings(request, run, request.POST, status=422)
        files = with_mended(run.arguments["files"], mended, taken_back_in(run, request.POST))
        ticked = confirmed_in(request.POST)
        again = queue_inspection(request.user, upload, files, sides, columns, genmt, ticked)
        return findings(request, again, request.POST)
    decided = {f"{CONFIRMED}{key}": "on" for key in run.arguments.get("confirmed", ())} | request.GET.dict()
    if "whole" in request.GET:
        return findings(request, run, decided)
    return render(request, "organiser/findings_body.html", findings_context(run, decided))


@signed_in(POST)
def remove_upload(request: SignedInRequest, upload: uuid.UUID) -> HttpResponse:
    get_inspection(request.user, upload)
    delete_upload(upload)
    return HttpResponse("", content_type="text/html")


def findings(request: SignedInRequest, run: Run, decided: Mapping[str, Any], status: int = 200) -> HttpResponse:
    return render(request, "organiser/findings.html", findings_context(run, decided), status=status)


def findings_context(run: Run, decided: Mapping[str, Any]) -> dict[str, Any]:
    """`decided` are the form's values: what was decided about bad rows and empty outputs outlives another reading."""
    files, sides = run.arguments["files"], _sides_in(decided)
    files = with_sides(files, sides) if sides else files  # a refusal keeps what was chosen
    inspection = run.result if run.status == RunStatus.DONE else None
    empty = inspection.get("empty_outputs", {}) if inspection else {}
    return {
        "run": run,
        "upload": run.arguments["upload"],
        "files": files,
        "size": sum(file["size"] for file in files),
        "sides": files if len(files) > 1 and not (inspection and inspection.get("campaign")) else [],
        "are_sides_known": bool(pairs_of_files(files)),
        "side_choices": SIDE_CHOICES,
        "suggested_name": _name_from(files[0]["name"]),
        "error": run.error if run.status in (RunStatus.FAILED, RunStatus.CANCELLED) else "",
        "inspection": inspection,
        "meanings": MEANING_CHOICES + (OBJECT_CHOICES if inspection and inspection["format"] == "jsonl" else ()),
        "skip_bad_rows": bool(decided.get("skip_bad_rows")),
        "empty_outputs": decided.get("empty_outputs") or JUDGED_AS_EMPTY,
        "empty_count": sum(empty.values()),
        "empty_choices": EMPTY_OUTPUT_CHOICES,
        **_pair_context(files, inspection),
        **_genmt_context(run, inspection, files, decided),
    }


def _pair_context(files: Sequence[Mapping[str, Any]], inspection: Mapping[str, Any] | None) -> dict[str, Any]:
    """The language pairs of a folder of mt-metrics-eval, or of a file of Appraise, that has several."""
    pairs = pairs_of_files(files) or (inspection or {}).get("pairs", [])
    names = [{"value": pair, "name": _pair_name(pair)} for pair in pairs if len(pairs) > 1]
    chosen = chosen_pair(files, pairs)
    return {"folder_pairs": names, "folder_pair": chosen, "is_pair_open": bool(names) and not chosen}


def _genmt_context(
    run: Run,
    inspection: Mapping[str, Any] | None,
    files: Sequence[Mapping[str, Any]],
    decided: Mapping[str, Any],
) -> dict[str, Any]:
    """The language pairs of WMT's general task, and which realigned documents are confirmed."""
    found = (inspection or {}).get("genmt")
    if not found:
        return {"genmt": None}
    return {
        "genmt": found,
        "pair_choices": [
            {**each, "value": PAIR_SEPARATOR.join((each["pair"], each["set"])), "name": _pair_name(each["pair"])}
            for each in found["pairs"]
        ],
        "pair_chosen": decided.get("genmt-pair") or PAIR_SEPARATOR.join((found["pair"], found["set"])),
        "split_choices": SPLIT_CHOICES,
        "split_chosen": decided.get("genmt-split") or _split_of(files),
        "realigned": with_fields(run, decided),
        **languages_of(inspection or {}),
        "confirmed": [key for key in confirmation_keys(found) if decided.get(f"{CONFIRMED}{key}")],
    }


def _split_of(files: Sequence[Mapping[str, Any]]) -> str:
    return next((str(file["genmt"].get("split") or AUTO) for file in files if "genmt" in file), AUTO)


def _pair_name(pair: str) -> str:
    source, _dash, target = pair.partition("-")
    names = [language_name(language_of_wmt(code)) for code in (source, target)]
    return _("%(source)s to %(target)s") % {"source": names[0], "target": names[1]}


def _name_from(file: str) -> str:
    """A name for the campaign: `harbour-notices.en-de.csv` is about harbour notices."""
    words = re.sub(r"[-_\s]+", " ", file.partition(".")[0]).strip()
    return words[:1].upper() + words[1:]


def _sides_in(posted: Mapping[str, str]) -> dict[int, FileSide]:
    """The page's selects (`side-0`, `name-0`, …) by the file's number."""
    numbers = [match[1] for field in posted if (match := _SIDE_FIELD.fullmatch(field))]
    return {int(number): FileSide(posted[f"side-{number}"], posted.get(f"name-{number}", "")) for number in numbers}


def genmt_in(posted: Mapping[str, str]) -> dict[str, str]:
    """The page's selects, as an import takes them; empty where the page has none."""
    if "genmt-pair" not in posted:
        return {}
    pair, _separator, set_name = posted["genmt-pair"].partition(PAIR_SEPARATOR)
    split = posted.get("genmt-split", AUTO)
    return {"pair": pair, "set": set_name, "split": split if split in SPLITS else AUTO}


def confirmed_in(posted: Mapping[str, str]) -> list[str]:
    """The keys of the boxes that are ticked."""
    return [name.removeprefix(CONFIRMED) for name in posted if name.startswith(CONFIRMED)]


def columns_in(posted: Mapping[str, str]) -> dict[str, str]:
    """The page's selects (`column-2`, `column-name-2`, …) by number, as an import takes them."""
    numbers = {match[1]: posted[field] for field in posted if (match := _COLUMN_FIELD.fullmatch(field))}
    return {
        f"#{number}": role_of(meaning, posted.get(f"column-name-{number}", ""))
        for number, meaning in sorted(numbers.items(), key=lambda each: int(each[0]))[:MOST_COLUMNS]
    }


def changed_since(files: Sequence[dict[str, Any]], found: Mapping[str, Any], posted: Mapping[str, str]) -> bool:
    """Whether the page describes the columns, or the language pair, differently from the last reading."""
    genmt, read = genmt_in(posted), found.get("genmt") or {}
    if genmt and len(pairs := pairs_of_files(files) or found.get("pairs", [])) > 1:
        return genmt["pair"] != chosen_pair(files, pairs)
    if genmt and read and whole_file(files) is not None:
        return genmt != {"pair": read["pair"], "set": read["set"], "split": _split_of(files)}
    shown = found.get("columns", [])
    read_as = {f"#{column['number']}": role_of(column["meaning"], column["name"]) for column in shown}
    chosen = columns_in(posted)
    return whole_file(files) is not None and any(read_as.get(key) not in (role, None) for key, role in chosen.items())
