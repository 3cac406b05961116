"""File downloads for pages and programs: small tables at once, a campaign's files as streams."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from campaigns.models import Account, Campaign
from campaigns.replica import from_replica
from exchange.archive.writing import archive_name, write_archive
from exchange.export_formats import ExportRefusedError, choice_of
from exchange.exported_judgments import ExportChoice
from exchange.exports import FORMATS, export_rows, file_name
from exchange.tables.csv_and_json import csv_text
from exchange.tables.papers import FORMS, paper_tables_of_run
from frontend.access import RUNS_IT, has_role
from metrics.analysis_runs import AnalysisRuns
from metrics.personal_data import file_of

CODES, INCLUDED, LABELS = "codes", "included", "crowd"
CSV_TYPE = "text/csv; charset=utf-8"


class DownloadForm(forms.Form):
    """The options of a file in its address, as `?annotators=included&labels=crowd`; unknown ones are refused."""

    names = forms.ChoiceField(choices=[(CODES, _("Codes instead of names"))], required=False)
    annotators = forms.ChoiceField(choices=[(INCLUDED, _("Only annotators who count"))], required=False)

    labels = forms.ChoiceField(choices=[(LABELS, _("Labels of the crowd"))], required=False)

    def choice(self, campaign: Campaign, account: Account) -> ExportChoice:
        """Labels name people, so they are for organisers."""
        chosen: dict[str, Any] = self.cleaned_data
        labels = chosen["labels"] == LABELS
        if labels and not has_role(account, campaign, *RUNS_IT):
            raise ExportRefusedError([gettext("Labels of a crowd are for the organisers of a campaign.")])
        return choice_of(
            campaign,
            codes=chosen["names"] == CODES,
            only_included=chosen["annotators"] == INCLUDED,
            labels=labels,
        )


def attachment(name: str) -> dict[str, str]:
    """The header by which a browser stores an answer as a file."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def export_download(
    campaign: Campaign, format: str, choice: ExportChoice, *, called: str = ""
) -> StreamingHttpResponse:
    """`called` is the file's name for a part of the campaign."""
    if format not in FORMATS:
        raise Http404
    rows = from_replica(iter(export_rows(campaign, format, choice)))
    headers = attachment(called or file_name(campaign, format))
    return StreamingHttpResponse(rows, content_type=FORMATS[format].content_type, headers=headers)


def archive_download(campaign: Campaign, *, names: str | None) -> StreamingHttpResponse:
    """With `names` "yes" annotators keep their names."""
    pieces = write_archive(campaign, pseudonymised=names != "yes")
    return StreamingHttpResponse(pieces, content_type="application/zip", headers=attachment(archive_name(campaign)))


def data_download(account: Account) -> StreamingHttpResponse:
    """All data stored about a person, for that person."""
    headers = attachment(f"assay-my-data-{timezone.localdate()}.json")
    return StreamingHttpResponse(file_of(account), content_type="application/json; charset=utf-8", headers=headers)


def csv_file(name: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> HttpResponse:
    return text_file(csv_text(header, rows), "text/csv", f"{name}.csv")


def paper_table_file(runs: AnalysisRuns, name: str, form: str) -> HttpResponse:
    table = next((each for each in paper_tables_of_run(runs) if each.name == name), None)
    if table is None or form not in FORMS:
        raise Http404
    content_type, write = FORMS[form]
    return text_file(write(table), content_type, f"{runs.campaign.slug}-{name}.{form}")


def text_file(text: str, content_type: str, name: str) -> HttpResponse:
    return HttpResponse(text, content_type=f"{content_type}; charset=utf-8", headers=attachment(name))
