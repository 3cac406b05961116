"""docs/operations.md describes every setting, and no setting that there is not."""

import re

import pytest

from tests.production.compose import ROOT, variables_of_settings

PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### ([A-Z0-9_]+)\n\n(.+?)(?=\n##|\Z)", PAGE, flags=re.MULTILINE | re.DOTALL))
DEFAULTS = {
    name: default.replace("_", "")
    for name, default in re.findall(
        r'read_int\("([A-Z0-9_]+)", default=([0-9_]+)', (ROOT / "config" / "settings.py").read_text(encoding="utf-8")
    )
}


def test_every_setting_has_its_heading_and_every_heading_is_a_setting() -> None:
    assert set(SECTIONS) == variables_of_settings()


@pytest.mark.parametrize("name", sorted(DEFAULTS))
def test_a_numbers_default_is_the_one_in_force(name: str) -> None:
    assert re.search(rf"Default: {DEFAULTS[name]}\.", SECTIONS[name])


@pytest.mark.parametrize("topic", ["Production", "Backup", "Restore", "Upgrade", "Settings"])
def test_what_an_operator_looks_for_has_a_heading(topic: str) -> None:
    assert f"\n## {topic}\n" in PAGE
