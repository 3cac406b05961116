"""The form for one question, and the texts around it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.form_questions import (
    CONSENT_LIMIT,
    END_LIMIT,
    LONGEST_ANSWER,
    NAME_LIMIT,
    TEXT_LIMIT,
    USUAL_LENGTH,
    Choice,
    QuestionSpec,
    as_text,
)
from campaigns.models import FormKind

CHOICES = (FormKind.SINGLE, FormKind.MULTIPLE)
BOUNDED = (FormKind.SCALE, FormKind.NUMBER)
# fields that only some kinds have: the page's script hides the others
WHEN: Mapping[str, Sequence[str]] = {
    "choices": CHOICES,
    "low": BOUNDED,
    "high": BOUNDED,
    "low_label": (FormKind.SCALE,),
    "high_label": (FormKind.SCALE,),
    "longest": (FormKind.TEXT,),
    "screens_out": (*CHOICES, FormKind.SCALE),
}


class QuestionForm(forms.Form):
    text = forms.CharField(
        label=_("Question"), max_length=TEXT_LIMIT, widget=forms.Textarea({"rows": "2", "dir": "auto"})
    )
    help = forms.CharField(
        label=_("Help"),
        help_text=_("A sentence below the question. Optional."),
        max_length=TEXT_LIMIT,
        required=False,
        widget=forms.TextInput({"dir": "auto"}),
    )
    kind = forms.ChoiceField(label=_("Kind of answer"), choices=FormKind.choices)
    is_required = forms.BooleanField(label=_("An answer is required"), required=False)
    choices = forms.CharField(
        label=_("Choices"),
        help_text=_("One on each line."),
        required=False,
        max_length=20_000,
        widget=forms.Textarea({"rows": "5", "dir": "auto"}),
    )
    screens_out = forms.CharField(
        label=_("Answers that do not qualify"),
        help_text=_(
            "One on each line, as above; points of a scale as numbers. Who gives one is thanked and gets no tasks. "
            "Annotators are not told before. Optional."
        ),
        required=False,
        max_length=20_000,
        widget=forms.Textarea({"rows": "3", "dir": "auto"}),
    )
    low = forms.FloatField(label=_("Lowest value"), required=False)
    high = forms.FloatField(label=_("Highest value"), required=False)
    low_label = forms.CharField(label=_("Lowest point in words"), max_length=END_LIMIT, required=False)
    high_label = forms.CharField(label=_("Highest point in words"), max_length=END_LIMIT, required=False)
    longest = forms.IntegerField(
        label=_("Longest text (characters)"), required=False, min_value=1, max_value=LONGEST_ANSWER,
        widget=forms.NumberInput({"placeholder": USUAL_LENGTH}),
    )  # fmt: skip
    name = forms.CharField(
        label=_("Name in files"),
        help_text=_("The column of its answers, and its name in filters. Empty: made from the question."),
        max_length=NAME_LIMIT,
        required=False,
        widget=forms.TextInput({"spellcheck": "false", "autocomplete": "off"}),
    )

    def __init__(
        self,
        *args: Any,
        old: QuestionSpec | None = None,
        is_frozen: bool = False,
        may_screen: bool = True,
        **kwargs: Any,
    ) -> None:
        """`may_screen`: of the entry questionnaire."""
        super().__init__(*args, **kwargs)
        if not may_screen:
            del self.fields["screens_out"]
        self.old, self.is_frozen = old, is_frozen
        if is_frozen:
            for name in {"kind", "is_required", "low", "high", "longest", "name", "screens_out"} & set(self.fields):
                self.fields[name].disabled = True

    @staticmethod
    def initial_of(question: QuestionSpec | None) -> dict[str, Any]:
        if question is None:
            return {"kind": FormKind.SINGLE, "is_required": True}
        numbers = {
            name: None if (value := getattr(question, name)) is None else as_text(value) for name in ("low", "high")
        }
        labels = {each.name: each.label for each in question.choices}
        texts = {
            "choices": "\n".join(labels.values()),
            "screens_out": "\n".join(labels.get(each, each) for each in question.screens_out),
        }
        return {**vars(question), **numbers, **texts}

    @property
    def rows(self) -> list[tuple[forms.BoundField, str]]:
        """Each field with the condition under which the page shows it; of a frozen question, those it has."""
        kind = self.old.kind if self.old and self.is_frozen else ""
        shown = [name for name in self.fields if not kind or kind in WHEN.get(name, FormKind.values)]
        return [(self[name], f"kind={','.join(WHEN[name])}" if name in WHEN and not kind else "") for name in shown]

    def question(self) -> QuestionSpec:
        """What of another kind of answer was entered is left out."""
        values = {
            name: value
            for name, value in self.cleaned_data.items()
            if self.cleaned_data["kind"] in WHEN.get(name, FormKind.values)
        }
        lines, out = (
            [line.strip() for line in values.pop(name, "").splitlines() if line.strip()]
            for name in ("choices", "screens_out")
        )
        screens_out = self.old.screens_out if self.old and self.is_frozen else tuple(out)
        spec = QuestionSpec(**values, choices=tuple(self._choices(lines)), screens_out=screens_out)
        return replace(spec, text=spec.text.strip(), help=spec.help.strip())

    def _choices(self, labels: Sequence[str]) -> list[Choice]:
        """A choice keeps its name: by its place once names are frozen, before that by its label."""
        before = self.old.choices if self.old else ()
        if self.is_frozen and len(labels) == len(before):
            return [Choice(old.name, label) for old, label in zip(before, labels, strict=True)]
        names = {each.label: each.name for each in before}
        return [Choice(names.get(label, ""), label) for label in labels]

    def take(self, errors: Mapping[str, Sequence[str]], number: int) -> None:
        """Errors by `number.field` go to their fields, others above the form."""
        for key, messages in errors.items():
            place, _dot, field = key.partition(".")
            is_own = place == str(number) and field in self.fields
            for message in messages:
                self.add_error(field if is_own else None, message)


class ConsentTextForm(forms.Form):
    consent = forms.CharField(
        label=_("Text to agree to (Markdown)"),
        help_text=_("Below what is stored, who reads it and for how long, which annotators always read first."),
        required=False,
        max_length=CONSENT_LIMIT,
        widget=forms.Textarea({"rows": "5", "dir": "auto"}),
    )
