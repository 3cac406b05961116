"""Pictures without what cameras and programs add (place, owner, device, comments); the pixels stay as they are.

The formats are read only as far as their outer structure: chunks of PNG (W3C PNG 3rd edition) and WebP (RFC 9649),
segments of JPEG (ITU T.81), blocks of GIF (GIF89a). Nothing is decoded. What follows the end of the picture goes, too.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from campaigns.media.errors import MediumError

# of PNG: what is needed to draw it, also if it is animated
_PNG_CHUNKS = {
    *(b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"acTL", b"fcTL", b"fdAT"),
    *(b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"cICP", b"sBIT", b"bKGD", b"pHYs"),
}
_WEBP_METADATA = {b"EXIF", b"XMP "}
_WEBP_METADATA_FLAGS = 0x08 | 0x04
_GIF_EXTENSIONS = (b"NETSCAPE2.0", b"ANIMEXTS1.0")  # how often an animation repeats
_ORIENTATION = 0x0112


@dataclass(frozen=True)
class CleanPicture:
    data: bytes
    width: int
    height: int


def clean_picture(data: bytes, content_type: str) -> CleanPicture:
    """Raises MediumError if the picture is damaged."""
    clean = {"image/png": _png, "image/jpeg": _jpeg, "image/gif": _gif, "image/webp": _webp}[content_type]
    try:
        return clean(data)
    except (struct.error, IndexError, ValueError) as error:
        raise MediumError(_("The picture is damaged or incomplete.")) from error


def _png(data: bytes) -> CleanPicture:
    parts, at, name = [data[:8]], 8, b""
    width, height = struct.unpack_from(">II", data, 16)
    while name != b"IEND":
        length, name = struct.unpack_from(">I4s", data, at)
        end = at + 12 + length
        if end > len(data):
            raise ValueError(name)
        if name in _PNG_CHUNKS:
            parts.append(data[at:end])
        at = end
    return CleanPicture(b"".join(parts), width, height)


def _jpeg(data: bytes) -> CleanPicture:
    parts, at, size, orientation = [data[:2]], 2, (0, 0), 1
    while True:
        while data[at + 1] == 0xFF:  # a marker may be preceded by any number of these
            at += 1
        marker = data[at + 1]
        if data[at] != 0xFF:
            raise ValueError(at)
        if marker == 0xD9:
            break
        end = at + 2 + struct.unpack_from(">H", data, at + 2)[0]
        if end > len(data) or end < at + 4:
            raise ValueError(at)
        body = data[at + 4 : end]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            size = (struct.unpack_from(">H", body, 3)[0], struct.unpack_from(">H", body, 1)[0])
        if marker == 0xE1 and body.startswith(b"Exif\0\0"):
            orientation = _orientation(body[6:])
        if marker == 0xDA:
            end = _end_of_scan(data, end)
        if _stays_in_jpeg(marker, body):
            parts.append(data[at:end])
        at = end
    if 1 < orientation <= 8:
        parts.insert(1, _orientation_segment(orientation))
        size = (size[1], size[0]) if orientation >= 5 else size
    return CleanPicture(b"".join([*parts, b"\xff\xd9"]), *size)


def _stays_in_jpeg(marker: int, body: bytes) -> bool:
    """Of the segments for applications: those that say how colours are to be understood."""
    if marker == 0xE2:
        return body.startswith(b"ICC_PROFILE\0")
    return marker in (0xE0, 0xEE) or not (0xE1 <= marker <= 0xEF or marker == 0xFE)


def _end_of_scan(data: bytes, at: int) -> int:
    """The next marker that is neither a restart nor an escaped byte."""
    while True:
        at = data.index(b"\xff", at)
        following = data[at + 1]
        if following and not 0xD0 <= following <= 0xD7 and following != 0xFF:
            return at
        at += 1 if following == 0xFF else 2


def _orientation(tiff: bytes) -> int:
    """How the picture is turned; 1 (not at all) if that cannot be read."""
    try:
        order = {b"II": "<", b"MM": ">"}[tiff[:2]]
        (first,) = struct.unpack_from(f"{order}I", tiff, 4)
        (count,) = struct.unpack_from(f"{order}H", tiff, first)
        for entry in range(min(count, 200)):
            tag, _type, _count, value = struct.unpack_from(f"{order}HHIH", tiff, first + 2 + 12 * entry)
            if tag == _ORIENTATION:
                return int(value)
    except (struct.error, KeyError):
        pass
    return 1


def _orientation_segment(orientation: int) -> bytes:
    """EXIF with this and nothing else, because without it pictures of phones would lie on their side."""
    tiff = struct.pack(">2sHIHHHIHHI", b"MM", 42, 8, 1, _ORIENTATION, 3, 1, orientation, 0, 0)
    return struct.pack(">BBH6s", 0xFF, 0xE1, 2 + 6 + len(tiff), b"Exif\0\0") + tiff


def _gif(data: bytes) -> CleanPicture:
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    at = 13 + _colour_table(flags)
    parts = [data[:at]]
    while data[at] != 0x3B:
        start = at
        if data[at] == 0x2C:
            at = _end_of_blocks(data, at + 11 + _colour_table(data[at + 9]))
            stays = True
        elif data[at] == 0x21:
            label, at = data[at + 1], _end_of_blocks(data, at + 2)
            stays = label == 0xF9 or (label == 0xFF and data[start + 3 : start + 14] in _GIF_EXTENSIONS)
        else:
            raise ValueError(at)
        if stays:
            parts.append(data[start:at])
    return CleanPicture(b"".join([*parts, b"\x3b"]), width, height)


def _colour_table(flags: int) -> int:
    return 3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0


def _end_of_blocks(data: bytes, at: int) -> int:
    while data[at]:
        at += 1 + data[at]
    return at + 1


def _webp(data: bytes) -> CleanPicture:
    size: tuple[int, int] | None = None
    parts = []
    for name, body in _webp_chunks(data):
        size = size or _webp_size(name, body)
        kept = bytes([body[0] & ~_WEBP_METADATA_FLAGS]) + body[1:] if name == b"VP8X" else body
        if name not in _WEBP_METADATA:
            parts.append(struct.pack("<4sI", name, len(kept)) + kept + b"\0" * (len(kept) % 2))
    content = b"WEBP" + b"".join(parts)
    if size is None:
        raise ValueError("no picture")
    return CleanPicture(struct.pack("<4sI", b"RIFF", len(content)) + content, *size)


def _webp_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    end = 8 + int(struct.unpack_from("<I", data, 4)[0])
    if end > len(data) + 1:  # the last byte of padding is sometimes missing
        raise ValueError(end)
    at = 12
    while at + 8 <= min(end, len(data)):
        name, length = struct.unpack_from("<4sI", data, at)
        if at + 8 + length > len(data):
            raise ValueError(name)
        yield name, data[at + 8 : at + 8 + length]
        at += 8 + length + length % 2


def _webp_size(name: bytes, body: bytes) -> tuple[int, int] | None:
    if name == b"VP8X":
        return 1 + int.from_bytes(body[4:7], "little"), 1 + int.from_bytes(body[7:10], "little")
    if name == b"VP8L":
        (bits,) = struct.unpack_from("<I", body, 1)
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if name == b"VP8 ":
        width, height = struct.unpack_from("<HH", body, 6)
        return width & 0x3FFF, height & 0x3FFF
    return None
