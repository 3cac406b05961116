"""`python bootstrap …`, called by `./assay` from any folder."""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent.parent)

from bootstrap.commands import main  # noqa: E402 - found through the line above

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
