"""axe's findings on a page, in both themes."""

from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# Even without motion a colour takes a frame to change, then another for what inherits it, and axe may look before.
COLOURS_SETTLED = """async () => {
  for (let calm = 0; calm < 3; calm += 1) {
    await new Promise(requestAnimationFrame);
    if (document.getAnimations().some((animation) => animation.playState === "running")) calm = 0;
  }
}"""


def assert_accessible(page: Page) -> None:
    findings = []
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        page.evaluate(COLOURS_SETTLED)
        violations = Axe().run(page).response["violations"]
        findings += [f"{theme}: {_described(violation)}" for violation in violations]
    page.emulate_media(color_scheme="light")
    assert not findings, f"axe on {page.url}:\n" + "\n".join(findings)


def _described(violation: dict[str, Any]) -> str:
    places = "".join(f"\n    {node['html'][:200]}\n      {_reason(node)}" for node in violation["nodes"])
    return f"{violation['id']}: {violation['help']}{places}"


def _reason(node: dict[str, Any]) -> str:
    checks = [*node["any"], *node["all"], *node["none"]]
    return "; ".join(check["message"] for check in checks)
