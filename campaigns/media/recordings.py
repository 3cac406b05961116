"""Sound and video, recognised by the beginning of the file; length and size where they are near the surface.

Sources: ISO/IEC 14496-12 (MP4), RFC 8794 and the WebM guidelines (WebM), RFC 3533 (Ogg), RIFF (WAV), ISO/IEC 11172-3
(MP3).
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from django.utils.translation import gettext as _

from campaigns.media.errors import MediumError

LARGEST_INDEX = 32 * 1024**2  # bytes of an MP4 file's `moov`
_AUDIO_BRANDS = {b"M4A ", b"M4B "}
_VIDEO_BRANDS = {
    *(b"isom", b"iso2", b"iso3", b"iso4", b"iso5", b"iso6", b"iso7", b"iso8", b"iso9"),
    *(b"mp41", b"mp42", b"avc1", b"M4V ", b"M4VP", b"dash", b"MSNV"),
}
_OGG_AUDIO = (b"OpusHead", b"\x01vorbis", b"\x7fFLAC", b"Speex   ")
_EBML, _DOC_TYPE = b"\x1a\x45\xdf\xa3", b"\x42\x82"


@dataclass(frozen=True)
class Recording:
    content_type: str
    width: int | None = None
    height: int | None = None
    duration_ms: int | None = None


def recording_in(path: Path, head: bytes) -> Recording | None:
    """None for a file of another type."""
    if head[4:8] == b"ftyp":
        return _mp4(path, head)
    if head[:4] == b"RIFF" and head[8:12] == b"WAVE":
        return Recording("audio/wav", duration_ms=_wav_duration(head, path.stat().st_size))
    if head.startswith(_EBML):
        return Recording("video/webm") if _ebml_type(head) == b"webm" else None
    if head.startswith(b"OggS"):
        packet = head[27 + head[26] :] if len(head) > 27 else b""
        return Recording("audio/ogg") if packet.startswith(_OGG_AUDIO) else None
    with path.open("rb") as stream:
        return Recording("audio/mpeg") if _is_mp3(stream) else None


def _ebml_type(head: bytes) -> bytes:
    at = head[:128].find(_DOC_TYPE)
    if at < 0:
        return b""
    length = head[at + 2] & 0x7F
    return head[at + 3 : at + 3 + length].rstrip(b"\0")


def _wav_duration(head: bytes, size: int) -> int | None:
    """Of the first piece of data; None if another chunk pushes it out of sight."""
    at, rate = 12, 0
    while at + 8 <= len(head):
        name, length = struct.unpack_from("<4sI", head, at)
        if name == b"fmt " and at + 20 <= len(head):
            (rate,) = struct.unpack_from("<I", head, at + 16)
        if name == b"data":
            return 1000 * min(length, size - at - 8) // rate if rate else None
        at += 8 + length + length % 2
    return None


def _is_mp3(stream: BinaryIO) -> bool:
    """Two frames, one right behind the other, after an ID3 tag if there is one."""
    stream.seek(0)
    head = stream.read(10)
    start = 0
    if head.startswith(b"ID3") and len(head) == 10:
        start = 10 + sum((byte & 0x7F) << (7 * (3 - place)) for place, byte in enumerate(head[6:10]))
        start += 10 if head[5] & 0x10 else 0
    for _frame in range(2):
        stream.seek(start)
        length = _frame_length(stream.read(4))
        if not length:
            return False
        start += length
    return True


_BITRATES = {
    1: (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),  # MPEG-1, layer III
    2: (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),  # MPEG-2 and 2.5
}


def _frame_length(header: bytes) -> int:
    """Bytes of the frame of layer III that begins here; 0 if none does."""
    if len(header) < 4 or header[0] != 0xFF or header[1] & 0xE0 != 0xE0:
        return 0
    version, layer, bitrate, rate = header[1] >> 3 & 3, header[1] >> 1 & 3, header[2] >> 4, header[2] >> 2 & 3
    if version == 1 or layer != 1 or bitrate in (0, 15) or rate == 3:
        return 0
    is_first = version == 3
    hertz = (44_100, 48_000, 32_000)[rate] // {3: 1, 2: 2, 0: 4}[version]
    samples = 144 if is_first else 72
    return samples * 1000 * _BITRATES[1 if is_first else 2][bitrate] // hertz + (header[2] >> 1 & 1)


def _mp4(path: Path, head: bytes) -> Recording | None:
    brand = head[8:12]
    is_audio = brand in _AUDIO_BRANDS
    if not is_audio and brand not in _VIDEO_BRANDS:
        return None
    try:
        index = _movie_index(path)
        boxes = list(_boxes(index))
        duration = next((_movie_duration(body) for name, body in boxes if name == b"mvhd"), None)
        tracks = [list(_boxes(body)) for name, body in boxes if name == b"trak"]
        sizes = [size for track in tracks for name, body in track if name == b"tkhd" and (size := _track_size(body))]
    except (struct.error, ValueError) as error:
        raise MediumError(_("The file is damaged or incomplete: its index cannot be read.")) from error
    if is_audio or (tracks and not sizes):
        return Recording("audio/mp4", duration_ms=duration)
    width, height = sizes[0] if sizes else (None, None)
    return Recording("video/mp4", width, height, duration)


def _movie_index(path: Path) -> bytes:
    """The content of the box `moov`, wherever in the file it is."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        at = 0
        while at + 8 <= size:
            stream.seek(at)
            header = stream.read(16)
            length, name = struct.unpack_from(">I4s", header)
            begin = 8
            if length == 1:
                (length,), begin = struct.unpack_from(">Q", header, 8), 16
            length = length or size - at
            if length < begin or at + length > size:
                raise ValueError(name)
            if name == b"moov":
                if length > LARGEST_INDEX:
                    raise ValueError(length)
                stream.seek(at + begin)
                return stream.read(length - begin)
            at += length
    raise ValueError("no index")


def _boxes(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 0
    while at + 8 <= len(data):
        length, name = struct.unpack_from(">I4s", data, at)
        if length < 8 or at + length > len(data):
            raise ValueError(name)
        yield name, data[at + 8 : at + length]
        at += length


def _movie_duration(body: bytes) -> int | None:
    scale, duration = struct.unpack_from(">IQ", body, 20) if body[0] == 1 else struct.unpack_from(">II", body, 12)
    return 1000 * duration // scale if scale else None


def _track_size(body: bytes) -> tuple[int, int] | None:
    """Of a track of pictures; tracks of sound have none."""
    width, height = struct.unpack_from(">II", body, 88 if body[0] == 1 else 76)
    return (width >> 16, height >> 16) if width and height else None
