"""axe's findings on a page, in both themes."""

from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

COLOURS = ["color-contrast", "link-in-text-block"]  # the rules about what the dark theme changes
THEMES: dict[Literal["light", "dark"], dict[str, Any]] = {"light": {}, "dark": {"runOnly": COLOURS}}
RUN = "async (options) => (await axe.run({ resultTypes: ['violations'], ...options })).violations"
# Even without motion a colour takes a frame to change, then another for what inherits it, and axe may look before.
COLOURS_SETTLED = """async () => {
  for (let calm = 0; calm < 3; calm += 1) {
    await new Promise(requestAnimationFrame);
    if (document.getAnimations().some((animation) => animation.playState === "running")) calm = 0;
  }
}"""


def assert_accessible(page: Page) -> None:
    findings = []
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    for theme, rules in THEMES.items():
        page.emulate_media(color_scheme=theme)
        page.evaluate(COLOURS_SETTLED)
        findings += [f"{theme}: {_described(violation)}" for violation in page.evaluate(RUN, rules)]
    page.emulate_media(color_scheme="light")
    assert not findings, f"axe on {page.url}:\n" + "\n".join(findings)


def _described(violation: dict[str, Any]) -> str:
    places = "".join(f"\n    {node['html'][:200]}\n      {_reason(node)}" for node in violation["nodes"])
    return f"{violation['id']}: {violation['help']}{places}"


def _reason(node: dict[str, Any]) -> str:
    checks = [*node["any"], *node["all"], *node["none"]]
    return "; ".join(check["message"] for check in checks)
