"""A small table as a CSV file; texts are written so that no spreadsheet runs them."""

import csv
from collections.abc import Iterable, Sequence

from django.http import HttpResponse

from annotation.spreadsheet_cells import safe_name


def csv_file(name: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> HttpResponse:
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    writer = csv.writer(response)
    writer.writerow(map(safe_name, header))
    writer.writerows([safe_name(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return response
