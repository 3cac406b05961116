"""A small table as CSV; texts are written so that no spreadsheet runs them."""

import csv
import io
from collections.abc import Iterable, Sequence

from django.http import HttpResponse

from annotation.spreadsheet_cells import safe_name


def csv_file(name: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> HttpResponse:
    response = HttpResponse(csv_text(header, rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(map(safe_name, header))
    writer.writerows([safe_name(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return text.getvalue()
