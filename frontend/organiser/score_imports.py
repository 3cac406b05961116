"""Metric scores computed elsewhere: files are dropped, their contents are shown, and then they are stored."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from campaigns.models import Campaign, TestSet
from exchange.formats.metric_scores import ScoreFile, guess_metric
from exchange.reading import ImportFileError
from exchange.score_files import CheckedScores, check_scores, import_scores
from exchange.upload_folders import delete_upload, files_here, forget_old_folders, is_upload_there
from frontend.access import RUNS_IT, SignedInRequest, get_imported_scores_of
from frontend.campaign_pages import FORM, POST, campaign_page, campaign_view
from frontend.uploads import UploadError, store_upload
from metrics.actions.imported_scores import forget_scores
from metrics.models import ImportedScores
from metrics.scoring.texts import reference_names

LOWER = "lower"
GUESSED, NO_REFERENCE, EVERY_REFERENCE = "?", "", "*"
MOST_BYTES = 30_000_000
_UPLOADS = "score_uploads"


@dataclass(frozen=True)
class ChosenFile:
    """A stored file as it was described on the page; `skip` and `replace` are what may happen to it."""

    file: ScoreFile
    skip: bool
    replace: bool


Described = Sequence[tuple[ChosenFile, CheckedScores]]


@campaign_view(RUNS_IT, FORM)
def score_import(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """The page; a POST stores all the dropped files, or none if there is an error."""
    if request.method != "POST":
        return _page(request, campaign)
    if not request.POST.get("upload"):
        return _page(request, campaign, error=_("Drop a file first."))
    upload = request.POST["upload"]
    files = _described(request, campaign, upload, request.POST)
    if not all(_is_storable(chosen, checked) for chosen, checked in files):
        return _page(request, campaign, findings=_findings(campaign, upload, files, is_entered=True))
    try:
        stored = [_store(request, campaign, chosen) for chosen, _checked in files]
    except ImportFileError as error:
        return _page(request, campaign, error=str(error))
    _forget_upload(request, upload)
    messages.success(request, _("Stored: %(names)s.") % {"names": ", ".join(dict.fromkeys(stored))})
    return redirect("organiser-score-import", campaign.slug)


@campaign_view(RUNS_IT, POST)
def score_files(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """Takes the files; answers with the piece of page that shows their contents."""
    files = request.FILES.getlist("files")
    forget_old_folders()
    try:
        if sum(file.size or 0 for file in files) > MOST_BYTES:
            raise UploadError(_("The files are larger than 30 MB. Import them with the command import_metric_scores."))
        upload, stored = store_upload(files)
    except UploadError as error:
        return render(request, "organiser/findings_error.html", {"error": str(error)}, status=422)
    request.session[_UPLOADS] = {**request.session.get(_UPLOADS, {}), str(upload): stored}
    return _fragment(request, campaign, str(upload), {})


@campaign_view(RUNS_IT, POST)
def score_upload(request: SignedInRequest, campaign: Campaign, upload: uuid.UUID) -> HttpResponse:
    """Reads the files again, with their new descriptions."""
    return _fragment(request, campaign, str(upload), request.POST)


@campaign_view(RUNS_IT, POST)
def remove_score_upload(request: SignedInRequest, _campaign: Campaign, upload: uuid.UUID) -> HttpResponse:
    _files_of(request, str(upload))
    _forget_upload(request, str(upload))
    return HttpResponse("", content_type="text/html")


@campaign_view(RUNS_IT, POST)
def forget_imported(request: SignedInRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """Takes imported scores away again."""
    scores = get_imported_scores_of(campaign.test_set_id, pk)
    forget_scores(scores, campaign=campaign, by=request.user)
    messages.success(request, _("The scores of “%(name)s” were removed.") % {"name": scores.metric})
    return redirect("organiser-score-import", campaign.slug)


def _store(request: SignedInRequest, campaign: Campaign, chosen: ChosenFile) -> str:
    outcome = import_scores(
        chosen.file,
        test_set=campaign.test_set,
        skip_bad_rows=chosen.skip,
        replace=chosen.replace,
        imported_by=request.user,
        campaign=campaign,
    )
    return outcome.scores.metric


def _files_of(request: SignedInRequest, upload: str) -> list[dict[str, Any]]:
    """The files this visitor dropped, while they are stored."""
    files: list[dict[str, Any]] | None = request.session.get(_UPLOADS, {}).get(upload)
    if files is None or not is_upload_there(upload):
        raise Http404
    return files_here(files)


def _forget_upload(request: SignedInRequest, upload: str) -> None:
    delete_upload(upload)
    request.session[_UPLOADS] = {key: files for key, files in request.session[_UPLOADS].items() if key != upload}


def _fragment(request: SignedInRequest, campaign: Campaign, upload: str, entered: Mapping[str, str]) -> HttpResponse:
    files = _described(request, campaign, upload, entered)
    context = _findings(campaign, upload, files, is_entered=bool(entered))
    return render(request, "organiser/score_findings.html", context)


def _findings(campaign: Campaign, upload: str, files: Described, *, is_entered: bool) -> dict[str, Any]:
    """`is_entered`: somebody has described the files, so what they did not decide is an error, not just open."""
    references = reference_names(campaign.test_set)
    return {
        "campaign": campaign,
        "upload": upload,
        "files": [
            {"chosen": chosen, "checked": checked, "against": _against(checked, references)}
            for chosen, checked in files
        ],
        "references": references,
        "is_entered": is_entered,
    }


def _page(
    request: SignedInRequest, campaign: Campaign, *, findings: Mapping[str, Any] | None = None, error: str = ""
) -> HttpResponse:
    imported = ImportedScores.objects.filter(test_set=campaign.test_set, is_whole=True).select_related("imported_by")
    context = {**(findings or {}), "error": error, "imported": imported}
    status = 422 if findings or error else 200
    return campaign_page(request, campaign, "organiser/score_import.html", "metrics", context, status=status)


def _described(request: SignedInRequest, campaign: Campaign, upload: str, entered: Mapping[str, str]) -> Described:
    """Each stored file as described in the form (`metric-0`, `level-0`, `better-0`, `against-0`), else by its name."""
    references = reference_names(campaign.test_set)
    chosen = [
        ChosenFile(
            ScoreFile(
                path=Path(file["path"]),
                metric=entered.get(f"metric-{at}", guess_metric(file["name"])).strip(),
                level=entered.get(f"level-{at}") or None,
                higher_is_better=entered.get(f"better-{at}") != LOWER,
                references=_references(entered.get(f"against-{at}", GUESSED), references),
                name=file["name"],
            ),
            skip=f"skip-{at}" in entered,
            replace=f"replace-{at}" in entered,
        )
        for at, file in enumerate(_files_of(request, upload))
    ]
    return list(zip(chosen, _checked_files([each.file for each in chosen], campaign.test_set), strict=True))


def _references(reference: str, known: Sequence[str]) -> tuple[str, ...] | None:
    if reference == GUESSED:
        return None
    return tuple(known) if reference == EVERY_REFERENCE else (reference,) if reference else ()


def _checked_files(files: Sequence[ScoreFile], test_set: TestSet) -> list[CheckedScores]:
    """Each file checked against the test set, and against the others of the upload."""
    checked = [check_scores(file, test_set) for file in files]
    for at, one in enumerate(checked):
        for other in checked[:at]:
            if one.file.metric == other.file.metric:
                one.errors += _clashes(one, other)
    return checked


def _clashes(one: CheckedScores, other: CheckedScores) -> list[str]:
    names = {"first": other.file.called, "second": one.file.called, "name": one.file.metric}
    errors = []
    if one.level == other.level:
        errors.append(_("%(first)s and %(second)s are both “%(name)s” at the same level. Rename one of them.") % names)
    if one.file.higher_is_better != other.file.higher_is_better:
        errors.append(
            _("%(first)s and %(second)s are both “%(name)s”, but only for one of them higher is better.") % names
        )
    return errors


def _is_storable(chosen: ChosenFile, checked: CheckedScores) -> bool:
    """Whether storing it now would succeed."""
    is_taken = checked.earlier is not None and not chosen.replace
    is_sound = not checked.problems.count or (chosen.skip and checked.can_skip)
    return is_sound and not checked.errors and not is_taken


def _against(checked: CheckedScores, known: Sequence[str]) -> str:
    """The choice that matches the references understood."""
    if len(checked.references) > 1 and len(checked.references) == len(known):
        return EVERY_REFERENCE
    return checked.references[0] if checked.references else NO_REFERENCE
