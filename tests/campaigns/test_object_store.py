"""Files in an object store: the real client, against a server of our own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from campaigns import object_store as module
from campaigns.file_stores import FileStore, FolderStore, StoreAway, media_store, upload_store
from campaigns.media.storage import UNUSED_SECONDS, name_of, remove_unused_files, store_pieces, stored_pieces
from config import checks
from tests.object_store import ObjectStoreServer, object_store, use

NAME = "ab/a file, with “words” & more"


@pytest.fixture
def server(settings: Settings) -> Iterator[ObjectStoreServer]:
    with object_store() as server:
        use(server, settings)
        yield server


@pytest.fixture(params=["folder", "object store"])
def store(request: pytest.FixtureRequest, settings: Settings, tmp_path: Path) -> FileStore:
    if request.param == "folder":
        settings.MEDIA_DIR = tmp_path / "stored"
    else:
        request.getfixturevalue("server")
    return media_store()


def put(store: FileStore, name: str, content: bytes, folder: Path) -> None:
    path = folder / "sent"
    path.write_bytes(content)
    store.put(name, path)


def test_both_stores_do_the_same(store: FileStore, tmp_path: Path) -> None:
    content = bytes(range(256)) * 3_000
    put(store, NAME, b"before", tmp_path)
    put(store, NAME, content, tmp_path)
    assert store.size(NAME) == len(content)
    assert b"".join(store.pieces(NAME)) == content
    assert b"".join(store.pieces(NAME, 300_000, 300_010)) == content[300_000:300_010]
    assert b"".join(store.pieces(NAME, len(content) - 5)) == content[-5:]
    assert b"".join(store.pieces(NAME, 7, 7)) == b""
    others = [f"cd/{number}" for number in range(7)]
    for name in others:
        put(store, name, b"", tmp_path)
    assert {name for name, _at in store.names()} == {NAME, *others}
    assert sorted(name for name, _at in store.names("cd/")) == others
    assert all(abs(at - store.changed_at(name)) < 1 for name, at in store.names())
    assert b"".join(store.pieces("cd/0")) == b""
    store.remove(NAME)
    store.remove(NAME)
    for what in (store.size, store.changed_at, lambda name: list(store.pieces(name))):
        with pytest.raises(FileNotFoundError):
            what(NAME)


def test_a_large_file_goes_in_parts(
    server: ObjectStoreServer, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LARGE", 5 * 1024 * 1024)
    use(server, settings)
    content = bytes(range(256)) * 4 * 11 * 1024
    put(media_store(), "large", content, tmp_path)
    assert b"".join(media_store().pieces("large")) == content
    assert [method for method, key in server.requests if key.endswith("large")].count("PUT") == 3


@pytest.mark.django_db
def test_media_lie_in_the_bucket_under_their_hash_and_go_when_nobody_needs_them(server: ObjectStoreServer) -> None:
    file_hash = store_pieces([b"one ", b"file"])
    assert list(server.objects) == [f"assay/media/{name_of(file_hash)}"]
    assert b"".join(stored_pieces(file_hash) or ()) == b"one file"
    assert stored_pieces("0" * 64) is None
    assert remove_unused_files() == remove_unused_files([file_hash, "0" * 64]) == 0  # somebody may be about to use it
    key, (content, at) = next(iter(server.objects.items()))
    server.objects[key] = (content, at - UNUSED_SECONDS - 1)
    assert remove_unused_files() == 1
    assert not server.objects


def test_nothing_is_sent_that_would_make_a_file_public(server: ObjectStoreServer, tmp_path: Path) -> None:
    parameters = media_store().get_object_parameters(NAME)  # type: ignore[attr-defined]
    assert "ACL" not in parameters
    assert media_store().default_acl is None  # type: ignore[attr-defined]


@pytest.mark.parametrize("changed", [{"access_key": "another"}, {"bucket_name": "missing"}, {"endpoint_url": None}])
def test_a_store_that_refuses_or_is_away_is_said_to_be(
    server: ObjectStoreServer,
    settings: Settings,
    tmp_path: Path,
    changed: dict[str, Any],
    caplog: pytest.LogCaptureFixture,
) -> None:
    if "endpoint_url" in changed:
        changed = {"endpoint_url": "http://127.0.0.1:9"}
    use(server, settings, **changed)
    with pytest.raises(StoreAway, match="does not answer"):
        put(media_store(), NAME, b"content", tmp_path)
    with pytest.raises(StoreAway):
        list(media_store().names())
    assert "the object store" in caplog.text


def test_without_a_bucket_files_are_in_the_data_folder() -> None:
    assert isinstance(media_store(), FolderStore)
    assert upload_store() is None


@pytest.mark.parametrize(
    ("changed", "is_installed", "wrong"),
    [
        ({}, False, []),
        ({"STORE_BUCKET": "files"}, True, []),
        ({"STORE_BUCKET": "files", "STORE_KEY": "mine"}, False, ["assay.E016", "assay.E017"]),
        ({"STORE_ENDPOINT": "https://store.example.org"}, True, ["assay.E015"]),
    ],
)
def test_settings_that_contradict_each_other_and_missing_packages_are_all_named(
    changed: dict[str, str],
    is_installed: bool,
    wrong: list[str],
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("STORE_BUCKET", "STORE_ENDPOINT", "STORE_KEY", "STORE_SECRET"):
        setattr(settings, name, changed.get(name, ""))
    if not is_installed:
        monkeypatch.setattr(checks, "find_spec", lambda _module: None)
    assert [error.id for error in checks.object_store_is_complete(None)] == wrong
