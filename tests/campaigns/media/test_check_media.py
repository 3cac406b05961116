"""`check_media`: every file is read; a folder moves into an object store and out of it."""

import io
from pathlib import Path

from django.core.management import call_command
from django.core.management.base import CommandError

import pytest
from pytest_django import Settings

from campaigns.media.storage import name_of
from campaigns.models import Campaign, Medium
from tests import sample_media as sample
from tests.object_store import object_store, use


def told(*arguments: str) -> str:
    output = io.StringIO()
    call_command("check_media", *arguments, stdout=output, skip_checks=True)
    return output.getvalue()


def test_files_move_into_an_object_store_are_checked_there_and_backed_up(
    campaign: Campaign, settings: Settings, tmp_path: Path
) -> None:
    settings.MEDIA_DIR = tmp_path / "stored"
    files = {"harbour_webm": sample.ebml(), "harbour_2_png": sample.png()}
    sample.beside(campaign.test_set, tmp_path / "files", **files)
    assert told() == "Files: 2. Restored: 0. Copied: 0. Lost or damaged: 0.\n"
    with object_store() as server:
        use(server, settings)
        with pytest.raises(CommandError, match=r"harbour\.2\.png, harbour\.webm"):
            told()
        assert "Restored: 2" in told("--from", str(tmp_path / "stored"))
        assert "Copied: 2" in told("--to", str(tmp_path / "backup"))
        assert "Copied: 0" in told("--to", str(tmp_path / "backup"))
        video = Medium.objects.get(kind="video")
        server.objects[f"assay/media/{name_of(video.file_hash)}"] = (b"something else", 0.0)
        with pytest.raises(CommandError, match=r"damaged: harbour\.webm\."):
            told()
        assert "Restored: 1" in told("--from", str(tmp_path / "backup"))
        (tmp_path / "backup" / name_of(video.file_hash)).write_bytes(b"worse")
        server.objects.clear()
        with pytest.raises(CommandError, match=r"damaged: harbour\.webm\."):
            told("--from", str(tmp_path / "backup"))
        use(server, settings, endpoint_url="http://127.0.0.1:9")
        with pytest.raises(CommandError, match="does not answer"):
            told()
