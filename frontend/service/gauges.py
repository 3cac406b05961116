"""Numbers for a monitoring system: counts of the whole installation, the same from every process."""

from typing import Any

from django.conf import settings
from django.db.models import Count, QuerySet, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest

from annotation.models import Assignment
from campaigns.models import Campaign
from jobs.models import Run


@require_safe
def gauges(request: HttpRequest) -> HttpResponse:
    if not _may_read(request):
        raise Http404
    registry = CollectorRegistry()
    _by_status(registry, "assay_campaigns", "Campaigns by status", Campaign.objects.all())
    _by_status(registry, "assay_assignments", "Assignments by status", Assignment.objects.all())
    _by_status(registry, "assay_runs", "Background runs by status", Run.objects.all())
    judged = Gauge("assay_items_judged", "Items judged at least once", registry=registry)
    judged.set(Assignment.objects.aggregate(judged=Sum("done"))["judged"] or 0)
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _may_read(request: HttpRequest) -> bool:
    """With the installation's own token, or as its superuser; for anybody else the page does not exist."""
    shown = request.headers.get("Authorization", "")
    if settings.METRICS_TOKEN and constant_time_compare(shown, f"Bearer {settings.METRICS_TOKEN}"):
        return True
    return request.user.is_authenticated and request.user.is_superuser


def _by_status(registry: CollectorRegistry, name: str, text: str, rows: QuerySet[Any]) -> None:
    gauge = Gauge(name, text, ["status"], registry=registry)
    for status, number in rows.order_by().values_list("status").annotate(number=Count("pk")):
        gauge.labels(status=status).set(number)
