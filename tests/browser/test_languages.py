"""The annotator's pages in Arabic, from right to left, over texts of other directions."""

from collections.abc import Callable

from django.core.management import call_command

import pytest
from playwright.sync_api import Page, expect

from campaigns.models import TestSet
from tests.browser.accessibility import assert_accessible
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign, take


@pytest.fixture(scope="module", autouse=True)
def _words_in_place() -> None:
    call_command("compile_words")


@pytest.mark.parametrize("phone", [False, True])
def test_a_chosen_language_applies_to_page_and_workbench(
    open_page: Callable[..., Page], cast: Cast, test_set: TestSet, phone: bool
) -> None:
    assignment = take(make_planned_campaign(test_set, cast), cast.annotator)
    page = open_page(cast.annotator, phone=phone)
    page.goto("/")
    page.get_by_role("button", name="العربيّة").click()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(page.get_by_role("heading", name="مهامي")).to_be_visible()
    assert_accessible(page)
    page.goto(f"/assignments/{assignment.pk}/")
    expect(page.get_by_role("button", name="التالي")).to_be_visible()
    expect(page.locator("[aria-current] .src")).to_have_attribute("dir", "ltr")
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")
    assert_accessible(page)
    page.keyboard.type("74")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="المقطع 1، الدرجة 74، تغيير")).to_be_visible()
    page.goto("/settings/")
    page.get_by_role("button", name="Deutsch").click()
    expect(page.get_by_role("heading", name="Einstellungen")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("dir", "ltr")


def test_every_letter_of_a_language_is_drawn(open_page: Callable[..., Page], cast: Cast) -> None:
    """By a font that has it, which the browser names; what none has would be drawn as a box by another one."""
    page = open_page(cast.annotator)
    page.goto("/settings/")
    for language, families in FAMILIES.items():
        page.context.add_cookies([{"name": "django_language", "value": language, "url": page.url}])
        page.reload()
        assert page.evaluate("document.documentElement.lang") == language
        drawn = fonts_of(page, "h1")
        assert drawn
        assert all(name.startswith(families) for name in drawn), (language, drawn)
        assert page.evaluate(IS_WITHIN)


# Whatever else a machine has, those of the tests have these letters.
FAMILIES = {
    "ja": ("Noto", "Droid", "IPA", "Source Han", "WenQuanYi"),
    "ar": ("Noto", "DejaVu"),
    "hi": ("Noto", "Lohit"),
    "uk": ("",),
}
IS_WITHIN = "document.documentElement.scrollWidth <= innerWidth"


def fonts_of(page: Page, selector: str) -> list[str]:
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    node = session.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
    return [font["familyName"] for font in session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]]
