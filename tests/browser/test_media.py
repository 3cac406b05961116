"""Pictures, sound and video beside the texts, in a real browser that plays them: by keyboard alone."""

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings

from campaigns.actions.media import MediumFile, add_media
from campaigns.models import Medium, TestSet
from tests import sample_media as sample
from tests.browser.accessibility import assert_accessible
from tests.browser.judged_by import OpenPage, begin, go_on
from tests.browser.marked_texts import HARBOUR, make_marked_texts
from tests.browser.watch import Watch
from tests.cast import Cast

pytestmark = pytest.mark.django_db

RECORD = """
async () => {
  const canvas = document.createElement("canvas");
  canvas.width = 160;
  canvas.height = 90;
  const brush = canvas.getContext("2d");
  const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: "video/webm;codecs=vp8" });
  const pieces = [];
  recorder.ondataavailable = ({ data }) => pieces.push(data);
  recorder.start();
  for (let frame = 0; frame < 12; frame += 1) {
    brush.fillStyle = `hsl(${frame * 30} 60% 50%)`;
    brush.fillRect(0, 0, 160, 90);
    await new Promise(requestAnimationFrame);
    await new Promise((next) => setTimeout(next, 40));
  }
  await new Promise((stopped) => { recorder.onstop = stopped; recorder.stop(); });
  const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
  return btoa(String.fromCharCode(...bytes));
}
"""
VTT = b"WEBVTT\n\n00:00.000 --> 00:30.000\nThe ferry leaves the quay.\n"
PLAYS = "element => !element.paused && element.currentTime > 0"


@pytest.fixture(scope="package")
def webm(browser: Browser) -> bytes:
    """Recorded by the browser itself."""
    page = browser.new_page()
    recorded = base64.b64decode(page.evaluate(RECORD))
    page.close()
    return recorded


@pytest.fixture(autouse=True)
def stored(tmp_path: Path, settings: Settings) -> Path:
    settings.MEDIA_DIR = tmp_path / "stored"
    return tmp_path


@pytest.fixture
def beside(stored: Path) -> Callable[..., TestSet]:
    """Texts with a medium beside the document and a picture beside the second segment."""

    def beside(name: str, data: bytes, *, target: str = "de", systems: int = 1, captions: bool = True) -> TestSet:
        test_set = make_marked_texts(HARBOUR, target=target, systems=systems)
        files = {name: data, "quay.png": sample.png(320, 200), "captions.vtt": VTT}
        folder = sample.written(stored / "files", files)
        media = [
            MediumFile("marked", "", folder / name, name, captions=folder / "captions.vtt" if captions else None),
            MediumFile("marked", "2", folder / "quay.png", "quay.png", alt="A blue quay"),
        ]
        add_media(test_set=test_set, files=media, by=None)
        return test_set

    return beside


def wait_to_play(page: Page, kind: str) -> None:
    page.wait_for_function(f"() => {{ const e = document.querySelector('{kind}'); return ({PLAYS})(e) || e.ended; }}")


@pytest.mark.parametrize("protocol", ["direct_assessment", "mqm", "post_editing", "ranking", "likert", "esa"])
def test_every_protocol_shows_what_lies_beside_the_text(
    open_page: OpenPage, cast: Cast, beside: Callable[..., TestSet], protocol: str
) -> None:
    systems = 2 if protocol == "ranking" else 1
    options: dict[str, Any] = {"systems_per_item": systems} if protocol == "ranking" else {}
    page = begin(open_page, cast, beside("tone.wav", sample.wav(), systems=systems), protocol, **options)
    panel = page.get_by_role("complementary", name="Audio of this text")
    expect(panel.get_by_role("button", name="Play")).to_be_visible()
    expect(panel.locator(".t")).to_have_text("0:00 of 0:00")
    assert page.locator("audio").evaluate("element => [element.autoplay, element.preload, element.paused]") == [
        False,
        "metadata",
        True,
    ]


def test_a_video_by_keyboard_alone(
    open_page: OpenPage, cast: Cast, beside: Callable[..., TestSet], webm: bytes
) -> None:
    page = begin(open_page, cast, beside("quay.webm", webm), "direct_assessment")
    panel = page.get_by_role("complementary", name="Video of this text")
    page.wait_for_function("() => document.querySelector('video').readyState >= 1")
    assert page.locator("video").evaluate("element => element.videoWidth") == 160
    page.keyboard.press("p")
    wait_to_play(page, "video")
    expect(panel.locator(".cap")).to_have_text("The ferry leaves the quay.")
    page.keyboard.press(",")
    page.wait_for_function("() => document.querySelector('video').currentTime < 1")
    captions = panel.get_by_role("button", name="Captions")
    captions.focus()
    page.keyboard.press("Enter")
    expect(captions).to_have_attribute("aria-pressed", "false")
    expect(panel.locator(".cap")).to_be_hidden()
    panel.get_by_role("combobox", name="Speed").select_option("1.5")
    assert page.locator("video").evaluate("element => element.playbackRate") == 1.5
    opener = panel.get_by_role("button", name="Show the video large")
    opener.focus()
    page.keyboard.press("Enter")
    expect(page.locator("dialog.large video[controls]")).to_be_visible()
    assert_accessible(page)
    page.keyboard.press("Escape")
    expect(page.locator("dialog.large")).to_have_count(0)
    expect(opener).to_be_focused()
    expect(panel.locator("video")).to_be_visible()


def test_a_picture_of_the_segment_opens_large_and_the_focus_returns(
    open_page: OpenPage, cast: Cast, beside: Callable[..., TestSet]
) -> None:
    page = begin(open_page, cast, beside("tone.wav", sample.wav(2)), "direct_assessment")
    assert page.locator(".media img").count() == 0
    page.keyboard.press("p")
    wait_to_play(page, "audio")
    page.keyboard.type("70")
    go_on(page)
    panel = page.get_by_role("complementary", name="Media of this text")
    opener = panel.get_by_role("button", name="Show the picture large: A blue quay")
    page.wait_for_function("() => document.querySelector('.media img').naturalWidth === 320")
    assert page.locator("audio").evaluate("element => element.currentTime > 0")  # it went on
    opener.focus()
    page.keyboard.press("Enter")
    expect(page.locator("dialog.large").get_by_role("img", name="A blue quay")).to_be_visible()
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()
    assert_accessible(page)


@pytest.mark.parametrize("phone", [False, True])
def test_beside_a_whole_document(open_page: OpenPage, cast: Cast, beside: Callable[..., TestSet], phone: bool) -> None:
    test_set = beside("tone.wav", sample.wav(), target="ar", systems=2)
    page = begin(open_page, cast, test_set, "cesa", phone=phone, systems_per_screen=2)
    panel = page.get_by_role("complementary", name="Audio of this text")
    panel.get_by_role("button", name="Play").click()
    wait_to_play(page, "audio")
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")
    assert_accessible(page)


def test_side_by_side_a_video_stands_in_the_dock_and_takes_no_line_of_its_own(
    open_page: OpenPage, cast: Cast, beside: Callable[..., TestSet], webm: bytes
) -> None:
    page = begin(open_page, cast, beside("quay.webm", webm, systems=2), "cesa", systems_per_screen=2)
    panel = page.get_by_role("complementary", name="Video of this text")
    expect(panel.get_by_role("button", name="Captions")).to_be_visible()
    dock, media, todo = (page.locator(name).bounding_box() for name in (".dock", ".media", ".dock .ask"))
    assert dock is not None
    assert media is not None
    assert todo is not None
    assert dock["y"] <= media["y"] < dock["y"] + dock["height"]
    assert media["x"] + media["width"] <= todo["x"]
    assert panel.evaluate("each => each.scrollWidth <= each.clientWidth")
    assert dock["height"] < 96  # its links take two lines


def test_on_a_phone_a_video_stands_in_the_source(
    open_page: OpenPage, cast: Cast, beside: Callable[..., TestSet], webm: bytes
) -> None:
    test_set = beside("quay.webm", webm, systems=2, captions=False)
    page = begin(open_page, cast, test_set, "cesa", phone=True, systems_per_screen=2)
    panel = page.get_by_role("complementary", name="Video of this text")
    panel.get_by_role("button", name="Play").tap()
    wait_to_play(page, "video")
    source, media = (page.locator(name).bounding_box() for name in (".deck-src", ".media"))
    assert source is not None
    assert media is not None
    assert source["y"] <= media["y"]
    assert media["y"] + media["height"] <= source["y"] + source["height"]
    assert_accessible(page)


def test_what_cannot_be_shown_is_named(
    open_page: OpenPage, cast: Cast, beside: Callable[..., TestSet], watch: Watch
) -> None:
    test_set = beside("tone.wav", sample.wav())
    sample.path_of(Medium.objects.get(kind="audio").file_hash).unlink()
    watch.expect("404")
    page = begin(open_page, cast, test_set, "direct_assessment")
    expect(page.locator(".media .lost")).to_contain_text("The file “tone.wav” is missing.")


def test_without_a_network_it_says_so_and_comes_back(
    open_page: OpenPage, cast: Cast, beside: Callable[..., TestSet], watch: Watch
) -> None:
    watch.expect("ERR_")
    page = begin(open_page, cast, beside("tone.wav", sample.wav()), "direct_assessment")
    page.context.set_offline(True)
    page.keyboard.type("70")
    go_on(page)
    expect(page.locator(".media .lost")).to_contain_text("“quay.png” needs a network")
    page.context.set_offline(False)
    expect(page.get_by_role("button", name="Show the picture large: A blue quay")).to_be_visible()
    page.wait_for_function("() => document.querySelector('.media img').naturalWidth === 320")


def test_texts_without_media_do_without_the_script(open_page: OpenPage, cast: Cast) -> None:
    page = begin(open_page, cast, make_marked_texts(HARBOUR), "direct_assessment")
    assert page.locator("script[src*=media], link[href*=media]").count() == 0
