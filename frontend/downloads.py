"""A campaign's files as they are sent: written while they travel, the same for pages and programs."""

from django.http import Http404, StreamingHttpResponse

from campaigns.models import Campaign
from metrics.archive.writing import archive_name, write_archive
from metrics.exporting import FORMATS, export_rows, file_name


def export_download(campaign: Campaign, format: str) -> StreamingHttpResponse:
    if format not in FORMATS:
        raise Http404
    response = StreamingHttpResponse(export_rows(campaign, format), content_type=FORMATS[format].content_type)
    response["Content-Disposition"] = f'attachment; filename="{file_name(campaign, format)}"'
    return response


def archive_download(campaign: Campaign, *, names: str | None) -> StreamingHttpResponse:
    """`names` "yes" leaves annotators theirs."""
    pieces = write_archive(campaign, pseudonymised=names != "yes")
    response = StreamingHttpResponse(pieces, content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{archive_name(campaign)}"'
    return response
