"""What a file is, by its content and never by its name; what cannot be shown safely is refused."""

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from campaigns.media.errors import MediumError
from campaigns.media.pictures import clean_picture
from campaigns.media.recordings import recording_in
from campaigns.models import MediumKind

HEAD_BYTES = 4_096
MOST_PIXELS = 40_000_000
_MEGABYTE = 1_000_000
_PICTURES = {
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/gif": (b"GIF87a", b"GIF89a"),
}


@dataclass(frozen=True)
class Content:
    """`data` is a cleaned picture; None for files that are stored as they are."""

    kind: MediumKind
    content_type: str
    width: int | None = None
    height: int | None = None
    duration_ms: int | None = None
    data: bytes | None = None


def examine_medium(path: Path) -> Content:
    """Raises MediumError for a file that is none of the allowed types, is damaged, or is too large."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        head = stream.read(HEAD_BYTES)
    if not head:
        raise MediumError(_("The file is empty."))
    picture = _picture_type(head)
    if picture:
        _check_size(size, settings.MEDIA_MEGABYTES["picture"])
        return _picture(path.read_bytes(), picture)
    recording = recording_in(path, head)
    if recording is None:
        raise MediumError(
            _("This is not a PNG, JPEG, WebP or GIF picture, an MP4 or WebM video, or MP3, WAV, Ogg or M4A audio.")
        )
    kind = MediumKind.VIDEO if recording.content_type.startswith("video/") else MediumKind.AUDIO
    _check_size(size, settings.MEDIA_MEGABYTES[kind.value])
    return Content(kind, recording.content_type, recording.width, recording.height, recording.duration_ms)


def _picture_type(head: bytes) -> str:
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    return next((name for name, starts in _PICTURES.items() if head.startswith(starts)), "")


def _picture(data: bytes, content_type: str) -> Content:
    cleaned = clean_picture(data, content_type)
    if not cleaned.width or not cleaned.height:
        raise MediumError(_("The picture has no pixels."))
    if cleaned.width * cleaned.height > MOST_PIXELS:
        message = _("%(width)d × %(height)d pixels are more than %(limit)d million. Make the picture smaller.")
        limit = MOST_PIXELS // 1_000_000
        raise MediumError(message % {"width": cleaned.width, "height": cleaned.height, "limit": limit})
    return Content(MediumKind.PICTURE, content_type, cleaned.width, cleaned.height, data=cleaned.data)


def _check_size(size: int, megabytes: int) -> None:
    if size > megabytes * _MEGABYTE:
        message = _("The file has %(size)s MB; at most %(limit)d MB are allowed.")
        raise MediumError(message % {"size": f"{size / _MEGABYTE:.1f}", "limit": megabytes})
