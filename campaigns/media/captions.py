"""Captions of sound and video: WebVTT, the one format that browsers show."""

from pathlib import Path

from django.utils.translation import gettext as _

from campaigns.media.errors import MediumError
from campaigns.reading.problems import text_error

LARGEST_CAPTIONS = 1_000_000  # bytes; a subtitled hour has a tenth of it


def read_captions(path: Path) -> str:
    if path.stat().st_size > LARGEST_CAPTIONS:
        message = _("The captions “%(name)s” have more than %(limit)d kB.")
        raise MediumError(message % {"name": path.name, "limit": LARGEST_CAPTIONS // 1000})
    try:
        text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        message = _("The captions “%(name)s” are not UTF-8 text. Save the file as UTF-8.")
        raise MediumError(message % {"name": path.name}) from error
    if not text.startswith("WEBVTT") or text_error(text):
        raise MediumError(_("“%(name)s” is not a WebVTT file; its first line must be WEBVTT.") % {"name": path.name})
    return text
