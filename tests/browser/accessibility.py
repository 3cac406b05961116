"""axe's findings on a page, in both themes."""

from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# Even without motion a colour changes within a frame, and axe may look before.
COLOURS_SETTLED = """async () => {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
}"""


def assert_accessible(page: Page) -> None:
    findings = []
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        page.evaluate(COLOURS_SETTLED)
        violations = _violations(page)
        findings += [f"{theme}: {_described(violation)}" for violation in violations]
    page.emulate_media(color_scheme="light")
    assert not findings, f"axe on {page.url}:\n" + "\n".join(findings)


def _violations(page: Page) -> list[dict[str, Any]]:
    """What axe finds twice: on a busy machine its first look may fall between two themes."""
    violations: list[dict[str, Any]] = Axe().run(page).response["violations"]
    if violations:
        page.wait_for_timeout(500)
        violations = Axe().run(page).response["violations"]
    return violations


def _described(violation: dict[str, Any]) -> str:
    places = "".join(f"\n    {node['html'][:200]}\n      {_reason(node)}" for node in violation["nodes"])
    return f"{violation['id']}: {violation['help']}{places}"


def _reason(node: dict[str, Any]) -> str:
    checks = [*node["any"], *node["all"], *node["none"]]
    return "; ".join(check["message"] for check in checks)
