"""Small real files of every kind of medium, made of bytes: the pictures with what a camera writes beside the pixels."""

import math
import struct
import zlib
from pathlib import Path

from django.conf import settings

from campaigns.actions.media import MediumFile, add_media
from campaigns.media.storage import name_of, store_pieces
from campaigns.models import Document, Medium, TestSet

SECRET = b"52.5200 N 13.4050 E, Ada's camera"  # what must not survive


def png(width: int = 4, height: int = 3, *, colour: tuple[int, int, int] = (40, 90, 160)) -> bytes:
    row = b"\0" + bytes(colour) * width
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"tEXt", b"Comment\0" + SECRET),
        (b"eXIf", b"MM\0*" + SECRET),
        (b"IDAT", zlib.compress(row * height, 9)),
        (b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )


def jpeg(width: int = 4, height: int = 3, *, orientation: int = 1) -> bytes:
    """Its scan has a restart, an escaped byte, and a second scan behind it."""
    tiff = struct.pack("<2sHIHHHIHH", b"II", 42, 8, 1, 0x0112, 3, 1, orientation, 0) + struct.pack("<I", 0) + SECRET
    frame = struct.pack(">BHHB", 8, height, width, 1) + b"\x01\x11\x00"
    scan = b"\x01\x01\x00\x00\x3f\x00"
    segments = [
        (0xE0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0"),
        (0xE1, b"Exif\0\0" + tiff),
        (0xE1, b"http://ns.adobe.com/xap/1.0/\0" + SECRET),
        (0xE2, b"ICC_PROFILE\0\x01\x01colours"),
        (0xED, b"Photoshop 3.0\0" + SECRET),
        (0xFE, SECRET),
        (0xDB, b"\0" + bytes(64)),
        (0xC0, frame),
        (0xDA, scan),
    ]
    written = [struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body for marker, body in segments]
    again = [struct.pack(">BBH", 0xFF, 0xFE, len(SECRET) + 2) + SECRET, written[-1]]
    pixels = b"\x12\xff\x00\x34\xff\xd0\x56"
    return b"".join(
        [b"\xff\xd8", *written, pixels, *again, pixels, b"\xff\xd9", b"the video of a moving photo ", SECRET]
    )


def gif(width: int = 4, height: int = 3) -> bytes:
    blocks = [
        b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0",
        b"\x21\xfe" + bytes([len(SECRET)]) + SECRET + b"\0",
        b"\x21\xff\x0bXMP DataXMP" + bytes([len(SECRET)]) + SECRET + b"\0",
        b"\x21\xf9\x04\0\0\0\0\0",
        b"\x2c" + struct.pack("<HHHHB", 0, 0, width, height, 0) + b"\x02\x02\x4c\x01\0",
    ]
    return b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80, 0, 0) + bytes(6) + b"".join(blocks) + b"\x3b"


def webp(width: int = 4, height: int = 3) -> bytes:
    flags = bytes([0x08 | 0x04 | 0x10, 0, 0, 0])
    extended = flags + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    pixels = b"\x2f" + struct.pack("<I", (width - 1) | (height - 1) << 14) + b"\x07\x10\x11"
    chunks = [(b"VP8X", extended), (b"VP8L", pixels), (b"EXIF", SECRET), (b"XMP ", SECRET)]
    body = b"WEBP" + b"".join(
        struct.pack("<4sI", name, len(content)) + content + b"\0" * (len(content) % 2) for name, content in chunks
    )
    return struct.pack("<4sI", b"RIFF", len(body)) + body


def wav(seconds: float = 0.5, *, rate: int = 8_000) -> bytes:
    """A tone."""
    count = int(seconds * rate)
    samples = b"".join(struct.pack("<h", int(9_000 * math.sin(place / 3))) for place in range(count))
    about = struct.pack("<HHIIHH", 1, 1, rate, 2 * rate, 2, 16)
    body = b"WAVE" + struct.pack("<4sI", b"fmt ", len(about)) + about + struct.pack("<4sI", b"data", len(samples))
    return struct.pack("<4sI", b"RIFF", len(body) + len(samples)) + body + samples


def mp3(frames: int = 3, *, has_tag: bool = True) -> bytes:
    """MPEG-1, layer III, 128 kbit/s, 44.1 kHz: frames of 417 bytes."""
    tag = b"ID3\x04\0\0" + bytes([0, 0, 0, 20]) + bytes(20) if has_tag else b""
    return tag + (b"\xff\xfb\x90\x00" + bytes(413)) * frames


def ogg(packet: bytes = b"OpusHead\x01\x01") -> bytes:
    return b"OggS\0\x02" + bytes(8) + struct.pack("<III", 7, 0, 0) + bytes([1, len(packet)]) + packet


def ebml(document: bytes = b"webm") -> bytes:
    """The head of a WebM (or Matroska) file."""
    body = b"\x42\x86\x81\x01\x42\x82" + bytes([0x80 | len(document)]) + document
    return b"\x1a\x45\xdf\xa3" + bytes([0x80 | len(body)]) + body + b"\x18\x53\x80\x67\x01" + b"\xff" * 7


def mp4(brand: bytes = b"isom", *, size: tuple[int, int] | None = (320, 180), seconds: int = 3) -> bytes:
    """The index behind the data, as cameras write it; without a size it has sound alone."""
    movie = struct.pack(">IIIII", 0, 0, 0, 1_000, 1_000 * seconds) + bytes(80)
    width, height = size or (0, 0)
    track = bytes(76) + struct.pack(">II", width << 16, height << 16)
    index = _box(b"moov", _box(b"mvhd", movie) + _box(b"trak", _box(b"tkhd", track)))
    return _box(b"ftyp", brand + bytes(4) + brand) + _box(b"mdat", b"frames") + index


def _box(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I4s", 8 + len(body), name) + body


def path_of(file_hash: str) -> Path:
    """Of a stored file, in the folder of media."""
    return Path(settings.MEDIA_DIR) / name_of(file_hash)


def written(folder: Path, files: dict[str, bytes]) -> Path:
    """The folder, with these files below it."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def beside(test_set: TestSet, folder: Path, **files: bytes) -> dict[str, Medium]:
    """Stores files beside texts, named `harbour_mp4` for a document and `harbour_2_png` for a segment."""
    written(folder, files)
    media = []
    for name in files:
        document, *segment, _suffix = name.split("_")
        media.append(MediumFile(document, "".join(segment), folder / name, name.replace("_", ".")))
    add_media(test_set=test_set, files=media, by=None)
    return {each.name.replace(".", "_"): each for each in Medium.objects.filter(document__test_set=test_set)}


def make_medium(document: Document) -> Medium:
    """A sound with captions beside a document."""
    sound = wav()
    return Medium.objects.create(
        document=document,
        kind="audio",
        file_hash=store_pieces([sound]),
        content_type="audio/wav",
        size=len(sound),
        name="sound.wav",
        captions="WEBVTT\n",
    )
