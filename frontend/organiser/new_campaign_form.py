"""What an organiser says of a new campaign, checked as far as it can be before the texts are read."""

from dataclasses import asdict
from typing import Any

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.actions.proposal import MOST_RESERVED_MINUTES, NO_CONTROLS
from annotation.protocols import PROTOCOLS, protocol_for
from campaigns.actions import with_hashes
from campaigns.importing.people_table import without_passwords
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign, Planning, TestSetStatus, Withdrawal
from campaigns.queries import test_sets_of
from frontend.organiser.guidelines import WithdrawalField
from frontend.organiser.inspections import find_inspection
from frontend.organiser.language_field import LanguageField
from frontend.organiser.option_fields import chosen_options, initial_options, option_fields, place_of_error
from frontend.organiser.people_form import LIST_HINT, LIST_LABEL, PeopleField, PeopleForm

PASSWORDS_LEFT_OUT = "passwords-left-out"


class NewCampaignForm(PeopleForm):
    """Fields of every protocol's options are added under `<protocol>-<option>`."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=150)
    protocol = forms.ChoiceField(
        label=gettext_lazy("Protocol"),
        widget=forms.RadioSelect,
        choices=[(name, made.title) for name, made in PROTOCOLS.items()],
        initial=next(iter(PROTOCOLS)),
    )
    upload = forms.UUIDField(required=False, widget=forms.HiddenInput)
    source_language = LanguageField(label=gettext_lazy("Source language"))
    target_language = LanguageField(label=gettext_lazy("Target language"))
    skip_bad_rows = forms.BooleanField(label=gettext_lazy("Leave rows with errors out"), required=False)
    redundancy = forms.IntegerField(
        label=gettext_lazy("Judgments of each segment"), min_value=1, max_value=100, initial=1
    )
    planning = forms.ChoiceField(
        label=gettext_lazy("Handed out"),
        widget=forms.RadioSelect,
        choices=Planning.choices,
        initial=Planning.STATIC,
        required=False,
        help_text=gettext_lazy(
            "Planned in advance, an assignment stays with its annotator to the end. From a shared pool small parts go "
            "out, least judged first; what is not judged in time goes to others."
        ),
    )
    items_per_assignment = forms.IntegerField(
        label=gettext_lazy("Segments in an assignment"),
        min_value=1,
        max_value=100_000,
        required=False,
        help_text=gettext_lazy(
            "Empty: 100, from a shared pool 20. In comprehension, documents: 12, from a shared pool 3."
        ),
    )
    reservation_minutes = forms.IntegerField(
        label=gettext_lazy("A shared pool waits for a judgment, in minutes"),
        min_value=1,
        max_value=MOST_RESERVED_MINUTES,
        initial=60,
        required=False,
    )
    systems_per_segment = forms.IntegerField(
        label=gettext_lazy("Systems for each document"),
        min_value=1,
        max_value=1000,
        required=False,
        help_text=gettext_lazy("Empty: all of them."),
    )
    repeats = forms.IntegerField(
        label=gettext_lazy("Repeated items, in percent"), min_value=0, max_value=100, initial=0, required=False
    )
    degraded = forms.IntegerField(
        label=gettext_lazy("Damaged items, in percent"), min_value=0, max_value=100, initial=0, required=False
    )
    annotators = forms.IntegerField(
        label=gettext_lazy("Number of annotators"), min_value=0, max_value=10_000, initial=3, required=False
    )
    people = PeopleField(count_into="id_annotators", label=LIST_LABEL, help_text=LIST_HINT)
    guidelines = forms.CharField(
        label=gettext_lazy("Guidelines"), required=False, max_length=100_000, widget=forms.Textarea
    )
    consent = forms.CharField(label=gettext_lazy("Consent"), required=False, max_length=100_000, widget=forms.Textarea)
    on_withdrawal = WithdrawalField(initial=Withdrawal.PSEUDONYMISED)
    open_now = forms.BooleanField(label=gettext_lazy("Open for judging at once"), required=False)

    def __init__(self, *args: Any, account: Account, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.account = account
        self.fields["test_set"] = forms.ModelChoiceField(
            label=_("Test set"),
            queryset=test_sets_of(account).filter(status=TestSetStatus.READY).order_by("name"),
            required=False,
            empty_label=_("New, from the files below"),
        )
        for protocol in PROTOCOLS.values():
            self.fields.update(option_fields(protocol))

    @staticmethod
    def like(campaign: Campaign) -> dict[str, Any]:
        """What the form holds to make another campaign like this one."""
        return {
            "name": _("%(name)s, copy") % {"name": campaign.name},
            "protocol": campaign.protocol,
            "test_set": campaign.test_set_id,
            "source_language": campaign.test_set.source_language,
            "target_language": campaign.test_set.target_language,
            "redundancy": campaign.redundancy,
            "planning": campaign.planning,
            "items_per_assignment": campaign.items_per_assignment,
            "reservation_minutes": campaign.reservation_minutes,
            "systems_per_segment": campaign.systems_per_segment,
            "repeats": round(100 * campaign.repeats_share),
            "degraded": round(100 * campaign.degraded_share),
            "guidelines": campaign.guidelines,
            "consent": campaign.consent,
            "on_withdrawal": campaign.on_withdrawal,
            **initial_options(protocol_for(campaign.protocol, campaign.options)),
        }

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"]).strip()
        slug = slugify(name)
        if not slug:
            raise forms.ValidationError(_("Use at least one Latin letter or digit: the address is made of the name."))
        if Campaign.objects.filter(slug=slug).exists():
            raise forms.ValidationError(_("A campaign of this name exists. Choose another."))
        return name

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not cleaned.get("test_set"):
            self._check_files(cleaned)
        if cleaned.get("protocol"):
            self._forget_others(cleaned["protocol"])
            self._check_options(cleaned)
            self._check_controls(cleaned)
        return cleaned

    def _check_files(self, cleaned: dict[str, Any]) -> None:
        upload = cleaned.get("upload")
        if not upload:
            self.add_error("test_set", _("Drop the files of a test set, or choose one that is here already."))
            return
        if find_inspection(self.account, upload) is None:
            cleaned["upload"] = None
            self.add_error("test_set", _("The files are not here any more. Drop them again."))
        for field in ("source_language", "target_language"):
            if not cleaned.get(field) and field not in self.errors:
                self.add_error(field, _("Name the language, such as en or pt-BR."))

    def _forget_others(self, chosen: str) -> None:
        """What is wrong with the options of protocols that were not chosen, and are not shown, stops nobody."""
        for name, protocol in PROTOCOLS.items():
            for field in option_fields(protocol) if name != chosen else ():
                self.errors.pop(field, None)

    def _check_options(self, cleaned: dict[str, Any]) -> None:
        protocol = cleaned["protocol"]
        cleaned["options"] = chosen_options(protocol, cleaned)
        try:
            PROTOCOLS[protocol].with_options(cleaned["options"])
        except InvalidInput as invalid:
            for option, messages in invalid.errors.items():
                self.add_error(place_of_error(protocol, option, cleaned), forms.ValidationError(messages))

    def _check_controls(self, cleaned: dict[str, Any]) -> None:
        protocol = PROTOCOLS[cleaned["protocol"]]
        for field, kind in (("repeats", "repeat"), ("degraded", "degraded")):
            if cleaned.get(field) and kind not in protocol.control_kinds:
                self.add_error(field, str(NO_CONTROLS[kind]) % {"protocol": protocol.title})

    def typed(self) -> dict[str, Any]:
        """What was entered, as it was, in the shape this form takes it; but passwords are kept nowhere."""
        sent: Any = self.data
        several = [name for name, field in self.fields.items() if isinstance(field, forms.MultipleChoiceField)]
        names = [name for name in sent if name != "csrfmiddlewaretoken"]
        typed = {name: sent.getlist(name) if name in several else sent[name] for name in names}
        if any(person.password for person in self.people_listed):
            typed |= {"people": without_passwords(self.people_listed), PASSWORDS_LEFT_OUT: "yes"}
        return typed

    def arguments(self) -> dict[str, Any]:
        """The campaign as a run's arguments: plain JSON."""
        cleaned = self.cleaned_data
        return {
            "name": cleaned["name"],
            "protocol": cleaned["protocol"],
            "options": cleaned["options"],
            "test_set": cleaned["test_set"].pk if cleaned["test_set"] else None,
            "upload": str(cleaned["upload"]) if cleaned["upload"] else "",
            "source_language": cleaned["source_language"],
            "target_language": cleaned["target_language"],
            "skip_bad_rows": cleaned["skip_bad_rows"],
            "redundancy": cleaned["redundancy"],
            "planning": cleaned["planning"] or Planning.STATIC,
            "items_per_assignment": cleaned["items_per_assignment"],
            "reservation_minutes": cleaned["reservation_minutes"] or 60,
            "systems_per_segment": cleaned["systems_per_segment"],
            "repeats_share": (cleaned["repeats"] or 0) / 100,
            "degraded_share": (cleaned["degraded"] or 0) / 100,
            "guidelines": cleaned["guidelines"],
            "consent": cleaned["consent"],
            "on_withdrawal": cleaned["on_withdrawal"] or Withdrawal.PSEUDONYMISED,
            "open": cleaned["open_now"],
            "people": [asdict(person) for person in with_hashes(self.people_listed, None)],
            "access": cleaned["access"],
        }
