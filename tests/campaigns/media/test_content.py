"""A file is what its content is; metadata of pictures goes, and what cannot be shown safely is refused."""

import struct
from pathlib import Path

import pytest
from pytest_django import Settings

from campaigns.media.content import Content, examine_medium
from campaigns.media.errors import MediumError
from tests import sample_media as sample


def examined(tmp_path: Path, data: bytes, name: str = "holiday.html") -> Content:
    path = tmp_path / name
    path.write_bytes(data)
    return examine_medium(path)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (sample.png(), ("picture", "image/png", 4, 3, None)),
        (sample.jpeg(), ("picture", "image/jpeg", 4, 3, None)),
        (sample.jpeg(orientation=6), ("picture", "image/jpeg", 3, 4, None)),
        (sample.gif(), ("picture", "image/gif", 4, 3, None)),
        (sample.webp(), ("picture", "image/webp", 4, 3, None)),
        (sample.wav(0.5), ("audio", "audio/wav", None, None, 500)),
        (sample.mp3(), ("audio", "audio/mpeg", None, None, None)),
        (sample.mp3(has_tag=False), ("audio", "audio/mpeg", None, None, None)),
        (sample.ogg(), ("audio", "audio/ogg", None, None, None)),
        (sample.ogg(b"\x01vorbis"), ("audio", "audio/ogg", None, None, None)),
        (sample.ebml(), ("video", "video/webm", None, None, None)),
        (sample.mp4(), ("video", "video/mp4", 320, 180, 3000)),
        (sample.mp4(b"M4A ", size=None), ("audio", "audio/mp4", None, None, 3000)),
        (sample.mp4(size=None), ("audio", "audio/mp4", None, None, 3000)),
    ],
    ids=lambda value: str(value[1]) if isinstance(value, tuple) else "",
)
def test_the_content_tells_what_a_file_is(tmp_path: Path, data: bytes, expected: tuple[object, ...]) -> None:
    content = examined(tmp_path, data)
    shown = (content.kind.value, content.content_type, content.width, content.height, content.duration_ms)
    assert shown == expected


@pytest.mark.parametrize(
    "data",
    [
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"<!doctype html><script>alert(1)</script>",
        b"%PDF-1.7",
        sample.ebml(b"matroska"),
        sample.ogg(b"\x80theora"),
        sample.mp4(b"heic"),
        sample.mp4(b"qt  "),
        b"\xff\xfb\x90\x00" + b"<script>" * 100,  # one frame of MP3, and no other
        b"RIFF\x10\0\0\0AVI LIST",
    ],
)
def test_other_types_are_refused_whatever_they_are_called(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(MediumError, match="PNG, JPEG, WebP or GIF"):
        examined(tmp_path, data, "photo.png")


@pytest.mark.parametrize("make", [sample.png, sample.jpeg, sample.gif, sample.webp])
def test_what_a_camera_wrote_beside_the_picture_is_gone(tmp_path: Path, make: "type[bytes]") -> None:
    cleaned = examined(tmp_path, make()).data
    assert cleaned
    assert sample.SECRET not in cleaned
    assert examined(tmp_path, cleaned).data == cleaned


def test_colours_and_turning_of_a_photo_stay(tmp_path: Path) -> None:
    cleaned = examined(tmp_path, sample.jpeg(orientation=6)).data or b""
    assert b"ICC_PROFILE\0\x01\x01colours" in cleaned
    exif = cleaned.index(b"Exif\0\0") + 6
    assert struct.unpack_from(">HHHIH", cleaned, exif + 8) == (1, 0x0112, 3, 1, 6)
    assert cleaned.count(b"\x12\xff\x00\x34\xff\xd0\x56") == 2
    assert cleaned.endswith(b"\x56\xff\xd9")


def test_an_animation_goes_on_repeating(tmp_path: Path) -> None:
    assert b"NETSCAPE2.0" in (examined(tmp_path, sample.gif()).data or b"")


@pytest.mark.parametrize("make", [sample.png, sample.jpeg, sample.gif, sample.webp, sample.mp4])
def test_half_a_file_is_refused(tmp_path: Path, make: "type[bytes]") -> None:
    data = make()
    if make is sample.jpeg:
        data = data[: data.index(b"\xff\xd9")]
    with pytest.raises(MediumError, match="damaged or incomplete"):
        examined(tmp_path, data[: len(data) // 2])


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MediumError, match="empty"):
        examined(tmp_path, b"")


def test_a_picture_has_at_most_40_million_pixels(tmp_path: Path) -> None:
    assert examined(tmp_path, sample.webp(8_000, 5_000)).width == 8_000
    with pytest.raises(MediumError, match="8000 × 5001 pixels are more than 40 million"):
        examined(tmp_path, sample.webp(8_000, 5_001))


@pytest.mark.parametrize(
    ("kind", "data"), [("picture", sample.png()), ("audio", sample.wav()), ("video", sample.ebml())]
)
def test_each_kind_has_its_limit(tmp_path: Path, settings: Settings, kind: str, data: bytes) -> None:
    settings.MEDIA_MEGABYTES = dict.fromkeys(("picture", "audio", "video"), 1)
    large = data + bytes(1_000_001 - len(data))
    with pytest.raises(MediumError, match=r"has 1.0 MB; at most 1 MB"):
        examined(tmp_path, large)
    examined(tmp_path, large[:1_000_000])
