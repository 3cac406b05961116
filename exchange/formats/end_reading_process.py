"""A process that reads the end of a file of judgments: `python -m …`, with the place in a line of standard input.

It needs no database. It ends with the process that started it, however that one ends: its standard input ends then.
"""

import json
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from exchange.staging.judgments import StoredRows


def main() -> int:
    django.setup()
    request = sys.stdin.buffer.readline()
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    return stage_end(request) if request else 0


def stage_end(request: bytes) -> int:
    """The exit code: 0 if all rows are sound. Else only those before the first that may not be are staged."""
    from campaigns.reading.csv_pieces import Place  # noqa: PLC0415 - settings must stand before models
    from exchange.formats.assay_csv import read_sound  # noqa: PLC0415
    from exchange.formats.end_of_file import UNSOUND  # noqa: PLC0415
    from exchange.staging.judgments import stage_apart  # noqa: PLC0415

    path, columns, offset, lines, rows = json.loads(request)
    end = Place()

    def blocks() -> "Iterator[StoredRows]":
        nonlocal end
        end = yield from read_sound(Path(path), columns, Place(offset, lines))

    stage_apart(Path(rows), blocks(), behind=lines)
    return 0 if end.offset == Path(path).stat().st_size else UNSOUND


def _leave_with_parent() -> None:
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
