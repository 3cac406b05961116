"""The grid of documents and systems on the overview, in words and shades."""

from typing import Any

from django.core.cache import cache
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.queries.coverage import Coverage, Covered, coverage_of
from campaigns.models import Campaign
from frontend.templatetags.words import count

SHOWN = 50  # documents, the least judged
_SHADES = 5
_CACHED_SECONDS = 3600


def coverage_context(campaign: Campaign, version: str) -> dict[str, Any]:
    """`version` changes with the judgments; the same one is not counted again."""
    key = f"coverage:{campaign.pk}:{campaign.created_at.timestamp()}:{version}"
    coverage: Coverage | None = cache.get(key)
    if coverage is None:
        coverage = coverage_of(campaign)
        cache.set(key, coverage, _CACHED_SECONDS)
    return {
        "covered": coverage,
        "covered_rows": [
            (line.document, [(cell, _shade(cell)) for cell in line.cells]) for line in coverage.lines[:SHOWN]
        ],
        "coverage_finding": _finding(coverage),
    }


def _shade(cell: Covered) -> int:
    """0 where nothing is judged, the darkest only where everything is."""
    if not cell.done:
        return 0
    return _SHADES if cell.done >= cell.total else 1 + int(cell.share * (_SHADES - 1))


def _finding(coverage: Coverage) -> str:
    """Without judgments the grid says nothing that the figures do not."""
    cells = coverage.cells
    missing = sum(not cell.done for cell in cells)
    if not missing:
        return _("Every document is judged at least once for every system.")
    message = ngettext(
        "%(missing)s of %(all)s pair of a document and a system has no judgment yet.",
        "%(missing)s of %(all)s pairs of a document and a system have no judgment yet.",
        len(cells),
    )
    return message % {"missing": count(missing), "all": count(len(cells))}
