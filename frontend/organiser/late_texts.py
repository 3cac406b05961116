"""Systems and documents that come while a campaign runs: a file is read, its findings are shown, then it is added."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.actions.adding import Added
from annotation.queries.practice import protocol_of
from campaigns.late_additions import additions_of
from campaigns.models import Campaign, CampaignStatus
from exchange.formats.parallel_text import ImportFiles
from exchange.late_texts import CheckedLateTexts, add_late_texts, check_late_texts
from exchange.reading import ImportFileError
from exchange.test_set_files import GAP, JUDGED_AS_EMPTY
from exchange.upload_folders import delete_upload, files_here, forget_old_folders, is_upload_there
from frontend.access import RUNS_IT, SignedInRequest
from frontend.campaign_pages import FORM, campaign_page, campaign_view
from frontend.uploads import UploadError, store_upload

MOST_BYTES = 30_000_000
PROBLEMS_SHOWN = 100
_UPLOADS = "late_uploads"


class LateFilesForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("File of texts"),
        help_text=gettext_lazy(
            "In the formats of test sets: CSV, TSV, JSON lines or WMT XML. The whole test set with further columns or "
            "documents will do: what is there already is compared, not stored again."
        ),
    )
    questions = forms.FileField(
        label=gettext_lazy("Questions on further documents"),
        required=False,
        help_text=gettext_lazy("CSV or JSON lines."),
    )

    def __init__(self, *args: Any, campaign: Campaign) -> None:
        super().__init__(*args)
        if not protocol_of(campaign).asks_questions:
            del self.fields["questions"]

    @property
    def uploaded(self) -> "list[UploadedFile[Any]]":
        return [self.cleaned_data[name] for name in self.fields if self.cleaned_data.get(name)]


@campaign_view(RUNS_IT, FORM)
def late_texts(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """The page; a POST with a file shows what it would add, one with its `upload` adds it."""
    if request.method != "POST":
        return _page(request, campaign, LateFilesForm(campaign=campaign))
    if "upload" in request.POST:
        return _add(request, campaign)
    form = LateFilesForm(request.POST, request.FILES, campaign=campaign)
    if not form.is_valid():
        return _page(request, campaign, form)
    forget_old_folders()
    try:
        if sum(file.size or 0 for file in form.uploaded) > MOST_BYTES:
            raise UploadError(_("The files are larger than 30 MB. Add them with the command add_late_texts."))
        upload, stored = store_upload(form.uploaded)
    except UploadError as error:
        form.add_error("file", str(error))
        return _page(request, campaign, form)
    request.session[_UPLOADS] = {**request.session.get(_UPLOADS, {}), str(upload): stored}
    checked = check_late_texts(_import_files(stored), campaign)
    return _page(request, campaign, form, {"upload": str(upload), "checked": checked, "chosen": checked.chosen})


def _add(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    upload = request.POST["upload"]
    files = _import_files(_files_of(request, upload))
    chosen = request.POST.getlist("systems")
    empty = GAP if "gaps" in request.POST else JUDGED_AS_EMPTY
    try:
        added = add_late_texts(files, campaign, systems=chosen, empty_outputs=empty, by=request.user)
    except ImportFileError as error:
        checked = check_late_texts(files, campaign, systems=chosen, empty_outputs=empty)
        context = {"upload": upload, "checked": checked, "chosen": chosen, "gaps": empty == GAP}
        refused = "" if error.problems.count else str(error)
        form = LateFilesForm(campaign=campaign)
        return _page(request, campaign, form, {**context, "error": refused}, status=422)
    delete_upload(upload)
    request.session[_UPLOADS] = {key: files for key, files in request.session[_UPLOADS].items() if key != upload}
    messages.success(request, _what_was_added(added))
    return redirect("organiser-late-texts", campaign.slug)


def _what_was_added(added: Added) -> str:
    planned = ngettext(
        "Added. %(count)d judgment is planned.", "Added. %(count)d judgments are planned.", added.judgments
    ) % {"count": added.judgments}
    given = ngettext(
        "%(count)d annotator who knows the texts has a further task.",
        "%(count)d annotators who know the texts have further tasks.",
        added.annotators,
    ) % {"count": added.annotators}
    waiting = added.tasks - added.given
    rest = ngettext(
        "%(count)d task waits for the next annotator.", "%(count)d tasks wait for the next annotator.", waiting
    ) % {"count": waiting}
    return " ".join([planned, *([given] if added.annotators else []), *([rest] if waiting else [])])


def _files_of(request: SignedInRequest, upload: str) -> list[dict[str, Any]]:
    """The files this visitor sent, while they are stored."""
    files: list[dict[str, Any]] | None = request.session.get(_UPLOADS, {}).get(upload)
    if files is None or not is_upload_there(upload):
        raise Http404
    return files_here(files)


def _import_files(stored: Sequence[dict[str, Any]]) -> ImportFiles:
    paths = [Path(file["path"]) for file in stored]
    names = {path: file["name"] for path, file in zip(paths, stored, strict=True)}
    return ImportFiles(path=paths[0], questions=paths[1] if len(paths) > 1 else None, names=names)


def _page(
    request: SignedInRequest,
    campaign: Campaign,
    form: LateFilesForm,
    findings: dict[str, Any] | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    found = findings or {}
    checked: CheckedLateTexts | None = found.get("checked")
    context = {
        "form": form,
        **found,
        "systems": _offered(checked, found.get("chosen", ())),
        "problems": checked.problems.in_order[:PROBLEMS_SHOWN] if checked else [],
        "may_choose": bool(checked and not any(problem.file for problem in checked.problems.listed)),
        "additions": additions_of(campaign)[::-1],
        "is_closed": campaign.status == CampaignStatus.CLOSED,
        "is_pool": campaign.planning == "pool",
    }
    if checked and checked.problems.count:
        status = 422
    return campaign_page(request, campaign, "organiser/late_texts.html", "overview", context, status=status)


def _offered(checked: CheckedLateTexts | None, chosen: Collection[str]) -> list[dict[str, Any]]:
    """The further systems of the file."""
    if checked is None:
        return []
    names = [*checked.new_systems, *checked.known_systems]
    return [
        {
            "name": name,
            "is_new": name in checked.new_systems,
            "is_chosen": name in chosen,
            "outputs": checked.outputs[name] if name in checked.new_systems else None,
            "gaps": checked.gaps.get(name, 0),
            "empty": checked.inspection.empty_outputs[name],
        }
        for name in names
    ]
