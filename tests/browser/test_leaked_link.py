"""A link is taken back in a browser: what was made with it is dead, and the organiser did it with one button."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from campaigns.models import Campaign, TestSet
from tests.browser.watch import Watch
from tests.cast import Cast, invite_annotators
from tests.planned_campaign import make_planned_campaign

OpenPage = Callable[..., Page]
PASSWORD = "eleven loud storks"
MINT = """async () => {
  const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
  const body = JSON.stringify({ name: "mine", scopes: ["judge"] });
  return (await (await fetch("/api/v1/tokens", { method: "POST", headers, body })).json()).secret;
}"""


def _status_of(page: Page, token: str = "") -> int:
    headers = {"Authorization": f"Token {token}"} if token else {}
    return page.context.request.get("/api/v1/assignments", headers=headers).status


def _set_password(page: Page, link: str) -> None:
    page.get_by_label("Your invitation link").fill(link)
    page.get_by_label("New password", exact=True).fill(PASSWORD)
    page.get_by_label("Repeat the new password").fill(PASSWORD)
    page.get_by_role("button", name="Set password").click()


def _sign_in(page: Page, username: str) -> Page:
    page.goto("/sign-in/")
    page.get_by_label("Name").fill(username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    return page


def test_session_token_and_password_die_with_the_link(
    open_page: OpenPage, watch: Watch, test_set: TestSet, cast: Cast
) -> None:
    watch.expect("status of (401|410)")
    campaign: Campaign = make_planned_campaign(test_set, cast)
    (issued,) = invite_annotators(campaign=campaign, count=1, by=cast.organiser)
    username = issued.invitation.account.username
    intruder = open_page()
    intruder.goto(issued.link)
    intruder.get_by_role("button", name="Begin").click()
    intruder.goto("/settings/")
    token = intruder.evaluate(MINT)
    _set_password(intruder, "https://elsewhere.example/")
    expect(intruder.get_by_text("This is not the link of your account")).to_be_visible()
    _set_password(intruder, issued.link)
    expect(intruder.get_by_text("Your password is set.")).to_be_visible()
    elsewhere = _sign_in(open_page(), username)
    elsewhere.wait_for_url("**/")
    nobody = open_page()
    assert (_status_of(intruder), _status_of(nobody, token), _status_of(elsewhere)) == (200, 200, 200)

    organiser = open_page(cast.organiser)
    organiser.goto(f"/campaigns/{campaign.slug}/people/")
    organiser.get_by_role("button", name=f"Revoke the link of {username}").click()
    expect(organiser.get_by_text("Sessions, tokens and passwords created with it no longer work.")).to_be_visible()

    assert (_status_of(intruder), _status_of(nobody, token), _status_of(elsewhere)) == (401, 401, 401)
    expect(_sign_in(open_page(), username).get_by_text("That name and password do not match.")).to_be_visible()
