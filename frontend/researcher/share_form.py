"""What an organiser says of a link to results, and the links there are."""

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy

from campaigns.models import Campaign


class ShareForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("For whom, or what for"), max_length=100)
    days = forms.IntegerField(label=gettext_lazy("Days it opens"), min_value=1, max_value=730, initial=90)
    shows_texts = forms.BooleanField(label=gettext_lazy("Show the texts, too"), required=False)


def share_context(campaign: Campaign) -> dict[str, Any]:
    return {
        "share_form": ShareForm(prefix="share"),
        "shares": campaign.share_links.order_by("-created_at"),
        "now": timezone.now(),
    }
