"""Files of WMT's general task dropped on the page: the pair is chosen, a realigned document looked at and confirmed."""

from collections.abc import Callable

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.test_new_campaign import _uploads, work
from tests.cast import Cast
from tests.genmt_files import document, lines, output

OpenPage = Callable[..., Page]
AxeCheck = Callable[[Page], None]
assert _uploads  # its uploads go into a folder of the test


def payload(name: str, text: str) -> FilePayload:
    return {"name": name, "mimeType": "application/jsonl", "buffer": text.encode()}


@pytest.mark.parametrize("phone", [False, True])
def test_a_pair_is_chosen_and_a_realigned_document_confirmed(
    open_page: OpenPage, axe: AxeCheck, cast: Cast, phone: bool
) -> None:
    page = open_page(cast.organiser, phone=phone)
    page.goto("/new-campaign/")
    documents = lines(document("a"), document("b"), document("a", target="jpn_Jpan"))
    heron, rook = lines(output("a"), output("b")), lines(output("a", "<p>Eins. Zwei.</p>"), output("b", "FAILED"))
    with page.expect_response("**/new-campaign/uploads/"):
        page.locator("#files").set_input_files(
            [payload("wmt26.jsonl", documents), payload("Heron.jsonl", heron), payload("Rook.jsonl", rook)]
        )
    work()
    expect(page.locator("#checks")).to_contain_text("The language pair of the files.")
    page.get_by_label("Language pair").select_option("English to German, WMT26: 2 documents")
    with page.expect_response("**/new-campaign/uploads/*/"):
        page.locator(".pair").get_by_role("button", name="Read again").press("Enter")
    work()
    expect(page.locator("#findings")).to_contain_text("wmt-genmt: 2 systems, 0 references, 2 documents, 4 segments")
    expect(page.get_by_label("Target language")).to_have_value("de")
    expect(page.locator("#checks")).to_contain_text("to be confirmed: 1.")
    page.get_by_text("1 paragraph, split into 2").click()
    expect(page.get_by_role("row", name="2 <p>Two.</p> Zwei.</p>")).to_be_visible()
    page.get_by_role("button", name="Mend by hand").press("Enter")
    button = page.get_by_role("button", name="Last sentence down out of part 1")
    button.press("Enter")
    expect(page.get_by_label("Part 2", exact=True)).to_have_value("<p>Eins. Zwei.</p>")
    expect(button).to_be_focused()
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.get_by_role("checkbox", name="Rook, a is right").press("Space")
    expect(page.locator("#checks")).not_to_contain_text("to be confirmed")
