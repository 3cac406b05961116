"""Machines without a common folder: what one took, the others read from the object store."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from django.test import Client

import pytest
from pytest_django import Settings

from campaigns.models import Account, Campaign, Medium, TestSet
from exchange.archive.writing import write_archive
from exchange.upload_folders import COPY_SECONDS, UNUSED_SECONDS, forget_old_uploads, is_upload_there, upload_folder
from jobs.models import Run
from tests import sample_media as sample
from tests.cast import Cast
from tests.exchange.judged_campaign import judge_one_of_everything
from tests.frontend.organiser import test_genmt_files as genmt
from tests.frontend.organiser import test_rebuild as rebuild
from tests.frontend.organiser.test_new_campaign import drop, perform
from tests.object_store import ObjectStoreServer, object_store, use

ClientOf = Callable[[Account], Client]
Machine = Callable[[str], None]


@pytest.fixture
def store(settings: Settings) -> Iterator[ObjectStoreServer]:
    with object_store() as server:
        use(server, settings)
        yield server


@pytest.fixture
def on(store: ObjectStoreServer, settings: Settings, tmp_path: Path) -> Machine:
    """From now on we are on this machine, with a data folder of its own."""

    def on(machine: str) -> None:
        settings.UPLOAD_DIR, settings.MEDIA_DIR = tmp_path / machine / "uploads", tmp_path / machine / "media"

    return on


def test_a_campaign_with_media_is_archived_on_one_rebuilt_on_another_and_seen_on_a_third(
    on: Machine,
    campaign: Campaign,
    cast: Cast,
    client_of: ClientOf,
    tmp_path: Path,
) -> None:
    on("web")
    video = sample.ebml() + bytes(range(256)) * 1_000
    beside = sample.beside(campaign.test_set, tmp_path / "files", harbour_webm=video, harbour_2_png=sample.png())
    judge_one_of_everything(campaign, cast.annotator, cast.second_annotator)
    archive = b"".join(write_archive(campaign))
    Medium.objects.all().delete()
    state = rebuild.dropped(client_of(cast.stranger), archive)
    on("worker")
    rebuild.perform()
    on("other web")
    assert client_of(cast.stranger).get(state)["Location"] == "/campaigns/rebuilt/overview/"
    assert {each.file_hash for each in Medium.objects.all()} == {each.file_hash for each in beside.values()}
    address = f"/campaigns/rebuilt/media/{beside['harbour_webm'].file_hash}"
    part = client_of(cast.stranger).get(address, headers={"Range": "bytes=1000-1999"})
    assert (part.status_code, b"".join(part.streaming_content)) == (206, video[1000:2000])  # type: ignore[attr-defined]
    assert client_of(cast.annotator).get(address).status_code == 404
    assert not any((tmp_path / machine / "media").exists() for machine in ("web", "worker", "other web"))


def test_dropped_files_are_read_elsewhere_and_what_was_read_of_them_is_mended_here(
    on: Machine, cast: Cast, client_of: ClientOf
) -> None:
    client = client_of(cast.organiser)
    on("web")
    outputs = ((f"{name}.en-de.jsonl", text) for name, text in genmt.OUTPUTS.items())
    drop(client, ("wmt26.jsonl", genmt.DOCUMENTS), *outputs)
    on("worker")
    run = perform()
    on("other web")
    client.post(genmt.address_of(run), genmt.PAIR)
    on("worker")
    run = perform()
    assert run.result is not None
    key = run.result["genmt"]["realigned"][0]["key"]
    on("web")
    assert b"Zwei." in client.post(f"{genmt.address_of(run)}realigned/{key}/").content


def test_an_upload_that_is_removed_on_one_machine_is_gone_on_all(
    on: Machine, store: ObjectStoreServer, cast: Cast, client_of: ClientOf
) -> None:
    client = client_of(cast.organiser)
    on("web")
    drop(client, ("test.csv", "document,segment,source,A\nd,1,a,b\n"))
    run = Run.objects.get()
    on("other web")
    assert client.get(genmt.address_of(run)).status_code == 200
    client.post(f"{genmt.address_of(run)}remove/")
    on("web")
    assert client.get(genmt.address_of(run)).status_code == 404
    assert not store.objects


def test_copies_go_after_a_day_and_uploads_after_a_week(
    on: Machine, store: ObjectStoreServer, cast: Cast, client_of: ClientOf
) -> None:
    on("web")
    drop(client_of(cast.organiser), ("test.csv", "document,segment,source,A\nd,1,a,b\n"))
    upload = Run.objects.get().arguments["upload"]
    forget_old_uploads()
    assert upload_folder(upload).is_dir()
    os.utime(upload_folder(upload), (0, time.time() - COPY_SECONDS - 1))
    forget_old_uploads()
    assert not upload_folder(upload).exists()
    assert is_upload_there(upload)
    store.objects = {key: (content, at - UNUSED_SECONDS) for key, (content, at) in store.objects.items()}
    forget_old_uploads()
    assert not is_upload_there(upload)
    run = perform()
    assert "Drop them again" in run.error or run.result == {}


def test_while_the_store_is_away_pages_programs_and_runs_say_so(
    on: Machine, store: ObjectStoreServer, settings: Settings, campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    client = client_of(cast.organiser)
    on("web")
    drop(client, ("test.csv", "document,segment,source,A\nd,1,a,b\n"))
    use(store, settings, endpoint_url="http://127.0.0.1:9")
    on("worker")
    assert "store of files does not answer" in perform().error
    client.raise_request_exception = False
    page = client.get(genmt.address_of(Run.objects.get()))
    assert (page.status_code, b"The store of files does not answer" in page.content) == (503, True)
    assert TestSet.objects.count() == 1
