"""What lies beside the texts on the judging page: instruction, terms, codes, hidden marks; by keys."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.models import Draft
from campaigns.actions.text_guidance import GlossaryTerm, Scope, set_glossary, set_instruction
from campaigns.models import TestSet, Translation
from tests.browser.accessibility import assert_accessible
from tests.browser.judged_by import OpenPage, begin
from tests.browser.marked_texts import make_marked_texts
from tests.cast import Cast
from tests.processes import wait_for

pytestmark = pytest.mark.django_db
ASKED = ("direct_assessment", "esa", "mqm", "likert", "ranking", "post_editing", "cesa")
INSTRUCTION = "Keep the tone of a shop.\n\nPlaceholders such as {name} stay <b>as they are</b>."
BASKET = [
    ("<p>Your basket has {{count}} items, {name}.</p>", "<p>Ihr Warenkorb hat Dinge darin, {name}.</p>"),
    ("<p>The basket is empty.</p>", "<p>Der Korb ist leer.</p>"),
]
ARABIC = [("<p>Your basket has {{count}} items.</p>", "<p>في سلتك عناصر كثيرة.</p>")]
JAPANESE = [("<p>Your basket has {{count}} items.</p>", "<p>買い物かごに商品があります。</p>")]


def make_basket(pairs: list[tuple[str, str]] = BASKET, *, target: str = "de", systems: int = 2) -> TestSet:
    test_set = make_marked_texts(pairs, target=target, systems=systems)
    set_instruction(test_set=test_set, scope=Scope(), text=INSTRUCTION, by=None)
    translations = {"de": ("Korb", "Warenkorb"), "ar": ("عربة", "سلتك"), "ja": ("カート", "買い物かご")}[target]
    term = GlossaryTerm("basket", translations[:1], translations[1:], "as in the shop's app")
    set_glossary(test_set=test_set, scope=Scope(), terms=[term], by=None)
    return test_set


def painted(page: Page, look: str) -> list[str]:
    found: list[str] = page.evaluate(
        "look => [...(CSS.highlights.get(`beside-${look}`) ?? [])].map(range => range.toString())", look
    )
    return found


def expect_painted(page: Page, look: str, words: list[str]) -> None:
    wait_for(lambda: set(painted(page, look)) == set(words), what=f"{look}: {words}")


def instruction(page: Page) -> Locator:
    return page.locator("details.instruction, details.brief")


@pytest.mark.parametrize("protocol", ASKED)
def test_instruction_terms_and_codes_by_keys_alone(open_page: OpenPage, cast: Cast, protocol: str) -> None:
    options: dict[str, Any] = {"ranking": {"systems_per_item": 2}, "cesa": {"systems_per_screen": 2}}.get(protocol, {})
    page = begin(open_page, cast, make_basket(systems=2 if options else 1), protocol, **options)
    expect(instruction(page)).to_contain_text("stay <b>as they are</b>.")
    expect(page.locator("main")).not_to_contain_text("<p>")
    expect_painted(page, "term", ["basket"])
    wait_for(lambda: "{{count}}" in painted(page, "code"), what="codes painted")
    if protocol != "post_editing":
        expect(page.locator("[data-lost*='Missing in the translation: {{count}}']").first).to_be_visible()
        wait_for(lambda: "Warenkorb" in painted(page, "forbidden"), what="the forbidden translation painted")
    page.keyboard.press("Escape") if protocol == "post_editing" else None
    if protocol == "post_editing":
        page.locator("#brief").focus()
    page.keyboard.press("t")
    dialog = page.get_by_role("dialog", name="Terms and codes of this segment")
    expect(dialog).to_contain_text("as in the shop's app")
    if protocol != "post_editing":
        expect(dialog).to_contain_text("✗ forbidden translation found: Warenkorb")
        expect(dialog).to_contain_text("Missing in the translation: {{count}}")
    assert_accessible(page)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.locator("#brief").focus() if protocol == "post_editing" else None
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Terms and codes of this segment")
    expect(page.get_by_role("dialog")).to_contain_text("Instruction for this text")


@pytest.mark.parametrize("protocol", ["esa", "cesa"])
def test_folding_is_one_key_away_and_remembered(open_page: OpenPage, cast: Cast, protocol: str) -> None:
    options: dict[str, Any] = {"systems_per_screen": 2} if protocol == "cesa" else {}
    page = begin(open_page, cast, make_basket(), protocol, **options)
    expect(instruction(page)).to_have_attribute("open", "")
    if protocol == "esa":
        page.keyboard.press("b")
        expect(page.locator("#brief")).to_be_focused()
    page.keyboard.press("b")
    expect(instruction(page)).not_to_have_attribute("open", "")
    expect(page.locator("#brief")).not_to_be_focused()
    page.reload()
    expect(instruction(page)).not_to_have_attribute("open", "")
    assert_accessible(page)


@pytest.mark.parametrize(("pairs", "target"), [(ARABIC, "ar"), (JAPANESE, "ja")])
@pytest.mark.parametrize("protocol", ["esa", "cesa"])
def test_marks_count_the_hidden_markup_in_every_script(
    open_page: OpenPage, cast: Cast, protocol: str, pairs: list[tuple[str, str]], target: str
) -> None:
    options: dict[str, Any] = {"systems_per_screen": 1} if protocol == "cesa" else {}
    page = begin(open_page, cast, make_basket(pairs, target=target, systems=1), protocol, **options)
    words = {"ar": "سلتك", "ja": "買い物かご"}[target]
    expect_painted(page, "forbidden", [words])
    page.get_by_role("option").first.focus()
    page.keyboard.press("Shift+ArrowLeft" if target == "ar" else "Shift+ArrowRight")
    page.keyboard.press("1" if protocol == "cesa" else "Enter")
    if protocol == "esa":
        page.keyboard.press("1")
        page.keyboard.press("Enter")
    wait_for(lambda: Draft.objects.exists() and any(spans()), what="a draft with a mark")
    [span] = spans()
    text = Translation.objects.get().text or ""
    marked = text[span["start"] : span["end"]]
    assert marked == ({"ar": "في سلتك", "ja": "買い"}[target])
    assert_accessible(page)


def spans() -> list[dict[str, int]]:
    [draft] = Draft.objects.all()
    return [span for slot in draft.answer["slots"].values() for span in slot.get("spans", ())]


def test_texts_without_any_of_it_load_nothing_more(open_page: OpenPage, cast: Cast) -> None:
    page = begin(open_page, cast, make_marked_texts([("Plain.", "Schlicht.")]), "esa")
    expect(page.locator("script[src*=beside]")).to_have_count(0)
    expect(page.locator("#beside")).to_be_empty()
