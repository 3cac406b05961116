"""Takes the README's pictures anew: `.venv/bin/python docs/take_screenshots.py LINK`, with the organiser's link that
`./assay run` printed for an untouched demo."""

import sys
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bootstrap.browser import find_browser  # noqa: E402 - after the path is set

PICTURES = {
    "results": "campaigns/harbour-news/results/",
    "annotator": "campaigns/library-cat-errors-and-a-score/preview/",
    "segments": "campaigns/harbour-news/segments/",
}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def main(link: str) -> None:
    site = "{0.scheme}://{0.netloc}/".format(urlsplit(link))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_browser()), args=FLAGS)
        page = browser.new_page(locale="en-US", viewport={"width": 1180, "height": 640}, device_scale_factor=1)
        page.goto(link)
        page.locator("main button").first.click()
        for name, path in PICTURES.items():
            page.goto(site + path, wait_until="networkidle")
            page.screenshot(path=ROOT / "docs" / "images" / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
