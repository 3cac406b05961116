"""A real browser before the real site: pages that may not complain, each of the cast signed in, axe at hand."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.test import Client

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, ViewportSize, expect, sync_playwright
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from bootstrap import fonts
from bootstrap.browser import find_browser
from campaigns.models import Account, Campaign
from tests.browser.accessibility import assert_accessible
from tests.browser.judging_page import JudgingPage
from tests.browser.long_texts import make_long_campaign
from tests.browser.served import DESK, served
from tests.browser.watch import Watch
from tests.cast import Cast
from tests.planned_campaign import take

# In this place Chromium takes the last list alone: Playwright's, as far as it concerns our pages, and what costs each
# context half of its processor time though no page shows it: the address bar's suggestions, which are a page in a
# process of its own, and a process for the page that may come next.
OFF = (
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "PaintHolding"),
    *("HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "ThirdPartyStoragePartitioning"),
    *("AvoidCorsURLLoaderRestartOnRedirect", "NetworkTimeServiceQuerying", "OptimizationHints", "PreconnectToSearch"),
    *("AimEnabled", "WebUIOmniboxPopup", "WebUIOmniboxFullPopup", "WebUIOmniboxAimPopup"),
    "SpareRendererForSitePerProcess",
)
FLAGS = [
    "--no-sandbox",  # root has none, in a container
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(OFF)}",
]
PHONE = ViewportSize(width=390, height=844)
expect.set_options(timeout=20_000)  # of a machine that does other things besides


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker("browser")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    # Playwright's event loop lives in this thread, though never while a test's own code runs
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    fonts.use()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        yield chromium
        chromium.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture(scope="package")
def whole_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Everything `./assay run` starts, once for all campaigns that go from files to results."""
    with served(tmp_path_factory.mktemp("site") / "data") as address:
        yield address


@pytest.fixture
def site(live_server: LiveServer, settings: Settings) -> str:
    """The address of the running application; its links lead back to it."""
    settings.BASE_URL = live_server.url
    return live_server.url


@pytest.fixture
def watch(site: str) -> Watch:
    return Watch(site)


@pytest.fixture
def open_page(browser: Browser, site: str, watch: Watch) -> Iterator[Callable[..., Page]]:
    """`open_page(account, phone=True)`: a browser of somebody's own, signed in; `open_page()` is nobody's."""
    contexts: list[BrowserContext] = []

    def opened(account: Account | None = None, *, phone: bool = False, **options: Any) -> Page:
        context = browser.new_context(
            base_url=site,
            locale="en-US",
            viewport=PHONE if phone else DESK,
            has_touch=phone,
            reduced_motion="reduce",
            **{"service_workers": "block"}
            | options,  # whoever tests them says "allow": requests they answer are not routed
        )
        contexts.append(context)
        watch.look_at(context)
        if account is not None:
            context.add_cookies([{"name": "sessionid", "value": _session_of(account), "url": site}])
        return context.new_page()

    yield opened
    for context in contexts:
        context.close()
    assert not watch.complaints(), "\n".join(watch.complaints())


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    return open_page()


@pytest.fixture
def axe() -> Callable[[Page], None]:
    """Asserts that axe finds nothing, light and dark."""
    return assert_accessible


@pytest.fixture
def long_campaign(cast: Cast) -> Campaign:
    return make_long_campaign(cast)


@pytest.fixture
def judging(open_page: Callable[..., Page], cast: Cast, long_campaign: Campaign) -> JudgingPage:
    """Anna before her first item of many."""
    page = open_page(cast.annotator)
    page.set_default_timeout(10_000)
    return JudgingPage(page, take(long_campaign, cast.annotator)).open()


@pytest.fixture
def dialogs(judging: JudgingPage) -> list[str]:
    """The kinds of questions the browser puts to who wants to leave; they leave."""
    seen: list[str] = []

    def leave(dialog: Dialog) -> None:
        seen.append(dialog.type)
        dialog.accept()

    judging.page.on("dialog", leave)
    return seen


def _session_of(account: Account) -> str:
    client = Client()
    client.force_login(account, backend="django.contrib.auth.backends.ModelBackend")
    return client.cookies["sessionid"].value
