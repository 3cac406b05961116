"""Which flags of outputs are listed, from a page's address or the API."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign
from campaigns.queries import systems_of
from metrics.flagged_outputs import TITLES, FlagChoice


class FlagForm(forms.Form):
    """Every field may be empty; unknown choices are reported."""

    flag = forms.ChoiceField(label=_("Flag"), required=False, choices=[("", _("All")), *TITLES.items()])
    system = forms.ChoiceField(label=_("System"), required=False)
    document = forms.CharField(label=_("Document"), required=False, max_length=255)

    def __init__(self, campaign: Campaign, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        names = systems_of(campaign).order_by("name").values_list("name", flat=True)
        system = self.fields["system"]
        assert isinstance(system, forms.ChoiceField)  # noqa: S101 - as it is declared above
        system.choices = [("", _("All")), *((name, name) for name in names)]
        for field in self.fields.values():
            field.widget.attrs["class"] = "input sm"

    @property
    def choice(self) -> FlagChoice:
        """The valid part of what was entered."""
        self.is_valid()
        return FlagChoice(**{name: value for name, value in self.cleaned_data.items() if value})
