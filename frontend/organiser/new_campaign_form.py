"""The form of a new campaign, checked as far as possible before the texts are read."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.shortcuts import resolve_url
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.actions.checked_spec import errors_of
from annotation.campaign_spec import NAME_LIMIT, PARAMETERS, CampaignSpec, parameters_in
from annotation.guidelines import with_guidelines
from annotation.item_choice import ALL, BY_SCORES, METHODS
from annotation.protocols import PROTOCOLS, protocol_for
from campaigns.actions.enrolment import with_hashes
from campaigns.languages import language_name, language_problem, tag_of_name
from campaigns.models import Account, Campaign, TestSetStatus
from campaigns.queries import test_sets_of
from campaigns.reading.people_list import without_passwords
from exchange.formats.genmt_mending import Mended
from exchange.formats.genmt_names import language_fits, language_of_wmt
from exchange.genmt_findings import confirmation_keys
from exchange.test_set_files import JUDGED_AS_EMPTY
from frontend.access import own_test_sets_of
from frontend.organiser.mending import MENDED, mended_in
from frontend.organiser.people_form import PeopleField, PeopleForm
from frontend.organiser.spec_fields import (
    chosen_options,
    chosen_parameters,
    initial_options,
    initial_parameters,
    option_fields,
    parameter_field,
    place_of_error,
)
from frontend.organiser.upload_pages import CONFIRMED, EMPTY_OUTPUT_CHOICES, genmt_in
from frontend.uploads import find_inspection
from jobs.models import Run

PASSWORDS_LEFT_OUT = "passwords-left-out"
_POOL = "planning=pool"
# Fields that only matter with others, as the page's script reads it: NAME=VALUE,VALUE for each of the others.
MATTERS: Mapping[str, str] = {
    "reservation_minutes": _POOL,
    "allocation": _POOL,
    "allocation_top": f"{_POOL} allocation=top",
    **dict.fromkeys(
        ("allocation_alpha", "allocation_first", "allocation_step"), f"{_POOL} allocation=best,top,ranking"
    ),
    "selection_metric": f"selection={','.join(BY_SCORES)}",
    **dict.fromkeys(
        ("selection_budget", "selection_unit", "selection_of"),
        f"selection={','.join(name for name in METHODS if name != ALL)}",
    ),
}


class LanguageField(forms.CharField):
    """Takes "German" as well as "de"; its control offers the languages known here."""

    def __init__(self, **words: Any) -> None:
        super().__init__(max_length=35, required=False, **words)
        self.widget.attrs.update({"list": "languages", "autocomplete": "off", "spellcheck": "false"})

    def to_python(self, value: Any) -> str:
        entered = (super().to_python(value) or "").strip()
        return tag_of_name(entered) or entered

    def validate(self, value: str) -> None:
        super().validate(value)
        problem = language_problem(value) if value else None
        if problem:
            raise ValidationError(problem)


class NewCampaignForm(PeopleForm):
    """Fields of every protocol's options are added under `<protocol>-<option>`."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=NAME_LIMIT)
    protocol = forms.ChoiceField(
        label=gettext_lazy("Protocol"),
        widget=forms.RadioSelect,
        choices=[(name, made.title) for name, made in PROTOCOLS.items()],
        initial=next(iter(PROTOCOLS)),
    )
    upload = forms.UUIDField(required=False, widget=forms.HiddenInput)
    source_language = LanguageField(label=gettext_lazy("Source language"))
    target_language = LanguageField(label=gettext_lazy("Target language"))
    skip_bad_rows = forms.BooleanField(label=gettext_lazy("Skip rows with errors"), required=False)
    empty_outputs = forms.ChoiceField(
        label=gettext_lazy("Empty translations"), choices=EMPTY_OUTPUT_CHOICES, required=False
    )
    annotators = forms.IntegerField(
        label=gettext_lazy("Number of annotators"), min_value=0, max_value=10_000, initial=3, required=False
    )
    people = PeopleField(count_into="id_annotators")
    open_now = forms.BooleanField(label=gettext_lazy("Open for judging immediately"), required=False)

    def __init__(self, *args: Any, account: Account, reads_texts: bool = True, **kwargs: Any) -> None:
        """Without `reads_texts` only quick checks are made, for a page where somebody is typing."""
        super().__init__(*args, **kwargs)
        self.account, self.reads_texts = account, reads_texts
        self.unconfirmed: list[str] = []
        self.mended: dict[str, Mended] = {}
        self.fields["test_set"] = forms.ModelChoiceField(
            label=_("Test set"),
            queryset=test_sets_of(account).filter(status=TestSetStatus.READY).order_by("name"),
            required=False,
            empty_label=_("New test set from the files below"),
        )
        self.fields.update({each.short_name: parameter_field(each) for each in parameters_in("form")})
        for protocol in PROTOCOLS.values():
            self.fields.update(option_fields(protocol))

    @staticmethod
    def like(campaign: Campaign) -> dict[str, Any]:
        """The fields for another campaign like this one."""
        return {
            "name": _("%(name)s (copy)") % {"name": campaign.name},
            "protocol": campaign.protocol,
            "test_set": campaign.test_set_id,
            "source_language": campaign.test_set.source_language,
            "target_language": campaign.test_set.target_language,
            **initial_parameters(CampaignSpec.of(campaign)),
            **initial_options(protocol_for(campaign.protocol, campaign.options)),
        }

    @staticmethod
    def of_address(query: QueryDict, account: Account) -> dict[str, Any]:
        """The fields that another page has filled: a test set by name, the protocol, what is to be judged."""
        texts = test_sets_of(account).filter(slug=query.get("texts", ""), status=TestSetStatus.READY).first()
        filled = {name: query[name] for name in query if name == "protocol" or name.startswith("selection")}
        return {**filled, **({"test_set": texts.pk} if texts else {})}

    def plan_fields(self) -> list[tuple[forms.BoundField, str, str]]:
        """Under "More settings", in order, each with the control items that it is about, and when it matters."""
        shown = (each for each in parameters_in("form", of_plan=True) if each.name != "redundancy")
        return [(self[each.short_name], each.control, MATTERS.get(each.name, "")) for each in shown]

    @property
    def items_page(self) -> str:
        """Where segments of the test set are chosen for a budget, as chosen here; empty without a stored test set."""
        entered = self.cleaned_data if self.is_bound else self.initial
        chosen = entered.get("test_set")
        texts = own_test_sets_of(self.account).filter(pk=getattr(chosen, "pk", chosen)).first() if chosen else None
        if texts is None:
            return ""
        address = resolve_url("organiser-test-set-items", texts.slug)
        method, budget = entered.get("selection", ALL), entered.get("selection_budget")
        if method == ALL or not budget:
            return address
        names = {"metric": "selection_metric", "unit": "selection_unit", "of": "selection_of", "protocol": "protocol"}
        query = {"method": method, "budget": budget, **{key: entered.get(name, "") for key, name in names.items()}}
        return f"{address}?{urlencode(query)}"

    def spec(self) -> CampaignSpec:
        """The campaign as far as its fields are valid."""
        cleaned = self.cleaned_data
        protocol = cleaned.get("protocol", "")
        return CampaignSpec(
            name=cleaned.get("name", "").strip(),
            protocol=protocol,
            options=chosen_options(protocol, cleaned) if protocol else {},
            **chosen_parameters(cleaned),
        )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not cleaned.get("test_set"):
            self._check_files(cleaned)
        if cleaned.get("protocol"):
            self._forget_others(cleaned["protocol"])
        test_set = cleaned.get("test_set") if self.reads_texts else None
        for name, messages in errors_of(self.spec(), test_set).items():
            field = self._field_of(name, cleaned)
            if field not in self.errors:
                self.add_error(field, forms.ValidationError(messages))
        return cleaned

    def _field_of(self, name: str, cleaned: dict[str, Any]) -> str | None:
        """The form field of an error in the spec; None: above the form."""
        if name.startswith("options."):
            return place_of_error(cleaned["protocol"], name.removeprefix("options."), cleaned)
        field = PARAMETERS[name].short_name if name in PARAMETERS else name
        return field if field in self.fields else None

    def _check_files(self, cleaned: dict[str, Any]) -> None:
        upload = cleaned.get("upload")
        if not upload:
            self.add_error("test_set", _("Drop the files of a test set, or choose an existing test set."))
            return
        run = find_inspection(self.account, upload)
        if run is None:
            cleaned["upload"] = None
            self.add_error("test_set", _("The files are no longer on the server. Drop them again."))
        elif found := (run.result or {}).get("genmt"):
            self._check_genmt(run, found, cleaned)
        for field in ("source_language", "target_language"):
            if not cleaned.get(field) and field not in self.errors:
                self.add_error(field, _("Enter a language, such as en or pt-BR."))

    def _check_genmt(self, run: Run, found: dict[str, Any], cleaned: dict[str, Any]) -> None:
        """A pair is chosen, and every document whose paragraphs were merged or split is confirmed."""
        chosen = genmt_in(self.data)
        if chosen and (chosen["pair"], chosen["set"]) != (found["pair"], found["set"]):
            return  # they are read again first
        self.mended, wrong = mended_in(run, self.data)
        cleaned |= {name: self.data[name] for name in self.data if name.startswith(MENDED)}
        for sentence in wrong:
            self.add_error("test_set", sentence)
        names = [f"{CONFIRMED}{key}" for key in confirmation_keys(found) if key not in self.mended]
        cleaned |= {name: True for name in names if self.data.get(name)}
        self.unconfirmed = [name for name in names if name not in cleaned]
        if found["is_undecided"]:
            self.add_error("test_set", _("Choose a language pair of the files, then read them again."))
        elif self.unconfirmed:
            message = ngettext(
                "%(count)d document is not confirmed: its paragraphs do not correspond to those of the source.",
                "%(count)d documents are not confirmed: their paragraphs do not correspond to those of the source.",
                len(self.unconfirmed),
            )
            self.add_error("test_set", message % {"count": len(self.unconfirmed)})
        for side, field in (("source", "source_language"), ("target", "target_language")):
            code, tag = found["codes"].get(side), cleaned.get(field)
            if code and tag and not language_fits(tag, code):
                message = _("The files are in %(language)s. Enter this language, or choose another pair.")
                self.add_error(field, message % {"language": language_name(language_of_wmt(code))})

    def _forget_others(self, chosen: str) -> None:
        """Drops errors in options of protocols that were not chosen, because these are not shown."""
        for name, protocol in PROTOCOLS.items():
            for field in option_fields(protocol) if name != chosen else ():
                self.errors.pop(field, None)

    def typed(self) -> dict[str, Any]:
        """The entries, in the current shape of this form; passwords are never stored."""
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
            **with_guidelines(self.spec()).as_json(),
            "test_set": cleaned["test_set"].pk if cleaned["test_set"] else None,
            "upload": str(cleaned["upload"]) if cleaned["upload"] else "",
            "source_language": cleaned["source_language"],
            "target_language": cleaned["target_language"],
            "skip_bad_rows": cleaned["skip_bad_rows"],
            "empty_outputs": cleaned["empty_outputs"] or JUDGED_AS_EMPTY,
            "confirm_realigned": not self.unconfirmed,
            "open": cleaned["open_now"],
            "people": [asdict(person) for person in with_hashes(self.people_listed, None)],
            "annotators": cleaned["annotators"] or 0,
            "access": cleaned["access"],
        }
