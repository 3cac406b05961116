"""All campaigns of an organiser or researcher, with how far each has come."""

from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

import django_filters

from annotation.queries.progress import lines_of
from campaigns.models import Campaign, CampaignStatus, Role
from campaigns.queries import campaigns_of
from frontend.access import SignedInRequest


class CampaignFilter(django_filters.FilterSet):
    """Find by name or language; narrow to a state."""

    find = django_filters.CharFilter(method="by_words")
    status = django_filters.ChoiceFilter(choices=CampaignStatus.choices)

    class Meta:
        model = Campaign
        fields = ["find", "status"]

    def by_words(self, campaigns: QuerySet[Campaign], name: str, value: str) -> QuerySet[Campaign]:  # noqa: ARG002
        for word in value.split():
            campaigns = (
                campaigns.filter(name__icontains=word)
                | campaigns.filter(test_set__source_language__icontains=word)
                | campaigns.filter(test_set__target_language__icontains=word)
            )
        return campaigns


@login_required
@require_safe
def campaign_list(request: SignedInRequest) -> HttpResponse:
    campaigns = campaigns_of(request.user, Role.ORGANISER, Role.RESEARCHER)
    found = CampaignFilter(request.GET, queryset=campaigns)
    lines = lines_of(found.qs)
    context = {
        "lines": lines,
        "any_at_all": bool(lines) or campaigns.exists(),
        "filter": found,
        "statuses": CampaignStatus,
        "drafts": request.user.campaign_drafts.order_by("-updated_at"),
    }
    return render(request, "organiser/campaign_list.html", context)
