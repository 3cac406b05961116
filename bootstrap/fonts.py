"""Fonts for the browser tests: with them every machine draws Chinese, Japanese, Arabic and Hindi."""

import os
import shutil
from pathlib import Path

from bootstrap.frontend import find_node, path_with
from bootstrap.places import WORK
from bootstrap.steps import digest_of, is_current, one_at_a_time, perform, put_stamp, say

VARIABLE = "FONTCONFIG_FILE"
PACKAGED = Path(__file__).parent / "packaged_fonts"
HOME = WORK / "fonts"
# The machine's own fonts come first, then those of a packaged Chromium, and ours for what is missing.
_CONFIGURATION = """<fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
<include ignore_missing="yes">{work}/chromium/unpacked/fonts.conf</include>
{folders}
<cachedir>{home}/cache</cachedir>
</fontconfig>
"""


def use() -> None:
    """Browsers started from now on have them. Whoever has set fontconfig's own variable keeps their fonts."""
    os.environ.setdefault(VARIABLE, str(_prepare()))


def _prepare() -> Path:
    """The configuration's file; installed from npm's registry, where they are free to use (OFL 1.1)."""
    configuration = HOME / "fonts.conf"
    made_from = [PACKAGED / name for name in ("package.json", "package-lock.json", ".npmrc")]
    digest = digest_of([*made_from, Path(__file__)])
    with one_at_a_time("fonts"):
        if is_current(HOME / "made-from", digest) and configuration.exists():
            return configuration
        say("installing fonts for the browser tests …")
        node = find_node()
        HOME.mkdir(parents=True, exist_ok=True)
        for source in made_from:
            shutil.copy(source, HOME)
        install: list[str | Path] = [*node.npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        perform("Installing fonts", install, folder=HOME, **path_with(node))
        folders = "\n".join(f"<dir>{path.parent}</dir>" for path in sorted(HOME.rglob("*_400Regular.ttf")))
        configuration.write_text(_CONFIGURATION.format(work=WORK, folders=folders, home=HOME), encoding="utf-8")
        put_stamp(HOME / "made-from", digest)
    return configuration
