"""What an annotator downloads before the first judgment: style sheets and scripts of the page, compressed.

Each protocol has a script of its own; the heaviest counts. What only practice and texts with media load is left out.
"""

import gzip
import re
import sys

from bootstrap.places import FRONTEND

PROMISED = 60_000
TEMPLATES = ("base.html", "annotator/workbench.html")


def main() -> int:
    of_other_pages = {"build/pages.js", "css/pages.css"}  # blocks that the workbench fills with its own
    texts = [(FRONTEND / "templates" / name).read_text(encoding="utf-8") for name in TEMPLATES]
    texts = [re.sub(r"{% if data\.(?:urls\.media|practice) %}.*?{% endif %}", "", text) for text in texts]
    named = {file for text in texts for file in re.findall(r"{% static '([^']+\.(?:css|js))' %}", text)}
    scripts = (path.name for path in (FRONTEND / "static" / "build").glob("workbench-*.js"))
    named.add(max((f"build/{name}" for name in scripts), key=_weight))
    weights = {name: _weight(name) for name in sorted(named - of_other_pages)}
    for name, weight in weights.items():
        sys.stdout.write(f"{name}: {weight / 1000:.1f} kB compressed\n")
    total = sum(weights.values())
    sys.stdout.write(f"the annotator's page: {total / 1000:.1f} kB (promised: under {PROMISED / 1000:.0f} kB)\n")
    return 0 if total < PROMISED else 1


def _weight(name: str) -> int:
    return len(gzip.compress((FRONTEND / "static" / name).read_bytes(), compresslevel=9, mtime=0))


if __name__ == "__main__":
    sys.exit(main())
