"""Everything `./assay run` starts, with an organiser; and browsers that know nobody yet."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from tests.browser.watch import Watch
from tests.cast import PASSWORD
from tests.empty_databases import put_on_sqlite
from tests.processes import ROOT, embedded_environment, free_port, serving

DESK = ViewportSize(width=1280, height=800)


@contextmanager
def served(data: Path) -> Iterator[str]:
    put_on_sqlite(data)
    port = free_port()
    with serving(data, port=port):
        command = [sys.executable, "manage.py", "create_account", "olive", "--organiser", "--password-stdin"]
        environment = embedded_environment(data)
        subprocess.run(command, cwd=ROOT, env=environment, input=PASSWORD, text=True, check=True, capture_output=True)
        yield f"http://127.0.0.1:{port}"


@contextmanager
def strangers(browser: Browser, site: str) -> Iterator[Callable[[], Page]]:
    """Each call opens a browser of its own, in which nobody is signed in; afterwards none may have complained."""
    watch = Watch(site)
    contexts: list[BrowserContext] = []

    def opened() -> Page:
        context = browser.new_context(base_url=site, locale="en-US", viewport=DESK, reduced_motion="reduce")
        watch.look_at(context)
        contexts.append(context)
        return context.new_page()

    yield opened
    for context in contexts:
        context.close()
    assert not watch.complaints(), "\n".join(watch.complaints())


def sign_in(page: Page) -> None:
    page.goto("/sign-in/")
    page.locator("[name=username]").fill("olive")
    page.locator("[name=password]").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/campaigns/")
