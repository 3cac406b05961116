"""The fixtures themselves: a page that misbehaves is found out, and the first page does not."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.watch import Watch
from tests.cast import PASSWORD, Cast


def test_signing_in_leads_to_the_start_without_a_complaint(page: Page, cast: Cast, axe: Callable[[Page], None]) -> None:
    page.goto("/")
    axe(page)
    page.get_by_label("Name", exact=False).first.fill(cast.annotator.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Password").press("Enter")
    page.get_by_text(cast.annotator.name).wait_for()
    axe(page)


def test_everybody_has_a_browser_of_their_own(open_page: Callable[..., Page], cast: Cast) -> None:
    first, second = (open_page(account) for account in cast.annotators)
    for opened, account in zip((first, second), cast.annotators, strict=True):
        opened.goto("/")
        opened.get_by_text(account.name).wait_for()


@pytest.mark.parametrize(
    ("misdeed", "complaint"),
    [
        (
            "document.body.append(Object.assign(document.createElement('script'), {text: '1'}))",
            "Content Security Policy",
        ),
        ("document.body.setAttribute('style', 'color: red')", "Content Security Policy"),
        ("new Image().src = 'http://localhost:9/picture.png'", "another host"),
        ("console.error('something went wrong')", "something went wrong"),
        ("setTimeout(() => { throw new Error('unforeseen') })", "unforeseen"),
    ],
)
def test_a_page_that_misbehaves_is_detected(page: Page, watch: Watch, misdeed: str, complaint: str) -> None:
    page.goto("/sign-in/")
    page.evaluate(misdeed)
    page.wait_for_timeout(200)
    assert any(complaint in line for line in watch.complaints())
    watch.expect(".*")


@pytest.mark.parametrize(
    ("misdeed", "finding"),
    [
        ("document.querySelector('main').append(document.createElement('button'))", "light: button-name"),
        (
            "document.styleSheets[0].insertRule('@media (prefers-color-scheme: dark) { main * { color: #333 } }',"
            " document.styleSheets[0].cssRules.length)",
            "dark: color-contrast",
        ),
    ],
)
def test_axe_finds_what_nobody_could_read(page: Page, axe: Callable[[Page], None], misdeed: str, finding: str) -> None:
    page.goto("/sign-in/")
    page.evaluate(misdeed)
    with pytest.raises(AssertionError, match=finding):
        axe(page)
