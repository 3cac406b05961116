"""What is said of a new token: its name, what it may, how long."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy

from campaigns.models import Scope

READS = str(Scope.READ)
MOST_DAYS = 3650


class TokenForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("Name of the token"), max_length=100)
    may = forms.ChoiceField(
        label=gettext_lazy("May"),
        choices=[
            (READS, gettext_lazy("read")),
            (f"{READS} {Scope.WRITE}", gettext_lazy("read and change")),
            (" ".join(Scope.values), gettext_lazy("all that you may")),
        ],
        required=False,
    )
    days = forms.IntegerField(
        label=gettext_lazy("Days it opens (empty: no end)"),
        min_value=1,
        max_value=MOST_DAYS,
        required=False,
        initial=90,
    )

    def wish(self) -> dict[str, Any]:
        """As `make_api_token` takes it."""
        given = self.cleaned_data
        return {"name": given["name"], "scopes": (given["may"] or READS).split(), "expires_at": _end(given["days"])}


def _end(days: int | None) -> datetime | None:
    return None if days is None else timezone.now() + timedelta(days=days)
