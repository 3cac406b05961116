"""Addresses of a chart's files."""

from typing import NamedTuple

from django import template
from django.http import QueryDict
from django.urls import reverse

from frontend.charts.figure import Figure

register = template.Library()


class ChartFiles(NamedTuple):
    """`csv` is empty where a table beside the chart has it."""

    svg: str
    csv: str


@register.simple_tag
def chart_files(chart: Figure, slug: str, query: QueryDict) -> ChartFiles:
    """With all that the reader of the page chose."""
    asked = f"?{query.urlencode()}" if query else ""
    svg = reverse("researcher-figure", args=[slug, chart.name])
    route = chart.csv or (("researcher-results-table", chart.table.table.name) if chart.table else ())
    csv = reverse(route[0], args=[slug, *route[1:]]) if route else ""
    return ChartFiles(svg + asked, csv and csv + asked)
