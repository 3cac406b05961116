"""A practice item made from a text of the test set: filled in, with an expected answer that the organiser edits."""

from collections.abc import Iterator, Mapping
from math import ceil, floor, isfinite
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.actions.practising import add_practice_item
from annotation.protocols.base import Measure, Protocol
from annotation.queries.practice import practice_level, protocol_of
from campaigns.models import Campaign
from exchange.formats.practice_lines import practice_item as checked_item
from exchange.reading import ImportFileError
from frontend.access import RUNS_IT, SignedInRequest
from frontend.campaign_pages import FORM, ErrorsShown, campaign_page, campaign_view
from metrics.practice_choice import Output, PracticeText, practice_text, with_questions

NEAR = 0.15  # of the scale, on either side of the mean of the judgments
GOOD = 0.5  # of the scale: where nobody has judged it yet, at least this is right
HIGHEST_PLACE = 10_000


class PracticeItemForm(forms.Form):
    """Texts, and what is right about each translation: by `low-A-score`, `rank-A` and `accepted-A`."""

    feedback = forms.CharField(
        label=gettext_lazy("Feedback"),
        required=False,
        help_text=gettext_lazy("Shown after the answer, right or wrong."),
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
    )
    questions = forms.JSONField(required=False, widget=forms.HiddenInput)

    def __init__(self, protocol: Protocol[Any], labels: str, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.protocol, self.labels = protocol, labels
        self.measures = [each for each in protocol.measures if _is_expected(each, protocol)]
        texts = {"source": _("Source")} if protocol.shows_source else {}
        texts |= {"reference": _("Reference")} if protocol.shows_reference else {}
        texts |= {
            f"translation-{label}": _("Translation")
            if len(labels) == 1
            else _("Translation %(label)s") % {"label": label}
            for label in labels
        }
        for name, title in texts.items():
            rows = 8 if protocol.reads_once else 2
            widget = forms.Textarea(attrs={"rows": rows, "dir": "auto"})
            self.fields[name] = forms.CharField(label=title, widget=widget)
        for label in labels:
            self.fields |= dict(self._about(label))

    def _about(self, label: str) -> "Iterator[tuple[str, forms.Field]]":
        for measure in self.measures:
            bounds: dict[str, Any] = {"min_value": measure.low, "required": False}
            bounds |= {"max_value": measure.high} if isfinite(measure.high) else {}
            title = str(measure.title) if len(self.labels) == 1 else f"{label}, {measure.title}"
            lowest, highest = _("%(name)s: lowest right number"), _("%(name)s: highest right number")
            yield f"low-{label}-{measure.name}", forms.FloatField(label=lowest % {"name": title}, **bounds)
            yield f"high-{label}-{measure.name}", forms.FloatField(label=highest % {"name": title}, **bounds)
        if any(each.is_relative for each in self.protocol.measures):
            place = _("Right rank of %(label)s (1 is the best)") % {"label": label}
            yield f"rank-{label}", forms.IntegerField(label=place, min_value=1, max_value=len(self.labels))
        if self.protocol.text_field:
            widget = forms.Textarea(attrs={"rows": 3, "dir": "auto"})
            right = _("Right corrections, one on each line")
            yield f"accepted-{label}", forms.CharField(label=right, required=False, widget=widget)

    @property
    def shown(self) -> "list[forms.BoundField]":
        """The texts, then what is right about them, then the words for the annotator."""
        first = [self[name] for name in self.fields if name not in ("feedback", "questions")]
        return [*first, self["feedback"]]

    def record(self) -> dict[str, Any]:
        """As a line of a file has it."""
        values = self.cleaned_data
        record: dict[str, Any] = {name: values.get(name, "") for name in ("source", "reference", "feedback")}
        record["translations"] = {label: values[f"translation-{label}"] for label in self.labels}
        if expected := {label: bounds for label in self.labels if (bounds := self._bounds(label))}:
            record["expected"] = expected
        ranks = {label: values.get(f"rank-{label}") for label in self.labels}
        better = {
            label: [other for other in self.labels if ranks[other] > rank] for label, rank in ranks.items() if rank
        }
        if better := {label: others for label, others in better.items() if others}:
            record["better"] = better
        accepted = {
            label: [line.strip() for line in values.get(f"accepted-{label}", "").splitlines() if line.strip()]
            for label in self.labels
        }
        if accepted := {label: texts for label, texts in accepted.items() if texts}:
            record["accepted"] = accepted
        if self.protocol.asks_questions:
            record["questions"] = values.get("questions")
        return record

    def _bounds(self, label: str) -> dict[str, list[float | None]]:
        """An end that is left open is the end of the scale; without both, the measure is not asked about."""
        bounds = {}
        for measure in self.measures:
            low, high = (self.cleaned_data.get(f"{end}-{label}-{measure.name}") for end in ("low", "high"))
            if low is not None or high is not None:
                highest = measure.high if isfinite(measure.high) else low
                bounds[measure.name] = [measure.low if low is None else low, highest if high is None else high]
        return bounds


@campaign_view(RUNS_IT, FORM)
def practice_item(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """A text of the test set in a form (`?n=` is its place among the suitable ones); a POST adds it as an item."""
    protocol = protocol_of(campaign)
    place = _place(request.GET.get("n", ""))
    if request.method == "POST":
        labels = "".join(sorted({name[-1] for name in request.POST if name.startswith("translation-")})) or "A"
        form = PracticeItemForm(protocol, labels, request.POST)
        if form.is_valid() and _is_added(form, request, campaign):
            return redirect("organiser-practice", campaign.slug)
        return _page(request, campaign, form, place)
    text = practice_text(campaign, place)
    if text is None:
        return _page(request, campaign, None, place)
    labels = "".join(chr(ord("A") + at) for at in range(len(text.outputs)))
    form = PracticeItemForm(protocol, labels, initial=_initial(text, protocol))
    return _page(request, campaign, form, place, text)


def _is_added(form: PracticeItemForm, request: SignedInRequest, campaign: Campaign) -> bool:
    try:
        item = checked_item(form.record(), form.protocol)
    except ImportFileError as error:
        for problem in error.problems.listed:
            form.add_error(None, f"{problem.column}: {problem.message}")
        return False
    with ErrorsShown(form):
        add_practice_item(campaign=campaign, item=item, by=request.user)
    if form.errors:
        return False
    messages.success(request, _("Item %(number)d was added to the practice.") % {"number": item.position})
    return True


def _place(number: str) -> int:
    return min(int(number), HIGHEST_PLACE) if number.isascii() and number.isdigit() and len(number) < 6 else 0


def _is_expected(measure: Measure, protocol: Protocol[Any]) -> bool:
    """Whether an item can say which numbers are right: of a scale, and about what was shown."""
    is_own = measure.level == practice_level(protocol)
    return is_own and not (measure.is_relative or measure.is_count)


def _initial(text: PracticeText, protocol: Protocol[Any]) -> dict[str, Any]:
    questions = with_questions(text, protocol)
    values: dict[str, Any] = {"source": text.source, "reference": text.reference, "questions": questions}
    best_first = sorted(text.outputs, key=lambda output: -output.quality)
    for at, output in enumerate(text.outputs):
        label = chr(ord("A") + at)
        values[f"translation-{label}"] = output.text
        values[f"rank-{label}"] = best_first.index(output) + 1
        values[f"accepted-{label}"] = text.reference or output.text
        for measure in (each for each in protocol.measures if _is_expected(each, protocol)):
            low, high = _expected(measure, output, len(questions))
            values |= {f"low-{label}-{measure.name}": low, f"high-{label}-{measure.name}": high}
    if text.reference and not protocol.shows_reference and not protocol.text_field:
        values["feedback"] = _("A human translation: %(text)s") % {"text": text.reference}
    return values


def _expected(measure: Measure, output: Output, questions: int) -> tuple[float, float]:
    """Around what annotators have said, else the better part of the scale; of questions, all of them right."""
    if not isfinite(measure.high):
        return questions, questions
    length = measure.high - measure.low
    mean = output.means.get(measure.name)
    if mean is None:
        return (
            (ceil(measure.low + GOOD * length), measure.high)
            if measure.higher_is_better
            else (
                measure.low,
                floor(measure.high - GOOD * length),
            )
        )
    return max(measure.low, floor(mean - NEAR * length)), min(measure.high, ceil(mean + NEAR * length))


def _page(
    request: SignedInRequest,
    campaign: Campaign,
    form: PracticeItemForm | None,
    place: int,
    text: PracticeText | None = None,
) -> HttpResponse:
    questions: list[Mapping[str, Any]] = []
    if form is not None and form.protocol.asks_questions:
        questions = form.initial["questions"] if text else form.cleaned_data.get("questions") or []
    context = {
        "form": form,
        "next_place": place + 1,
        "is_planned": text is not None and text.is_planned,
        "is_judged": bool(form and form.measures and text and any(output.means for output in text.outputs)),
        "reads_once": form is not None and form.protocol.reads_once,
        "questions": questions,
    }
    return campaign_page(request, campaign, "organiser/practice_item.html", "practice", context)
