"""A practice item made from a text of the test set: filled in, with an expected answer that the organiser edits."""

import re
from collections.abc import Iterator, Mapping, Sequence
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
from annotation.protocols.expected_marks import OMISSION
from annotation.protocols.spans import SpanRules
from annotation.queries.practice import practice_level, protocol_of
from campaigns.models import Campaign, Document, Segment
from exchange.formats.practice_lines import practice_item as checked_item
from exchange.formats.practice_marks import mark_rules, tag_names
from exchange.reading import ImportFileError
from frontend.access import RUNS_IT, SignedInRequest
from frontend.campaign_pages import FORM, ErrorsShown, campaign_page, campaign_view
from metrics.practice_choice import Output, PracticeText, ProposedMark, practice_text, with_questions

NEAR = 0.15  # of the scale, on either side of the mean of the judgments
GOOD = 0.5  # of the scale: where nobody has judged it yet, at least this is right
HIGHEST_PLACE = 10_000


class PracticeItemForm(forms.Form):
    """Texts, and what is right about each translation: by `low-A-score`, `rank-A`, `accepted-A` and `marks-A`."""

    feedback = forms.CharField(
        label=gettext_lazy("Feedback"),
        required=False,
        help_text=gettext_lazy("Shown after the answer, right or wrong."),
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
    )
    questions = forms.JSONField(required=False, widget=forms.HiddenInput)
    beside = forms.JSONField(required=False, widget=forms.HiddenInput)

    def __init__(self, protocol: Protocol[Any], labels: str, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.protocol, self.labels, self.rules = protocol, labels, mark_rules(protocol)
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
        if self.rules:
            self.fields["slack"] = forms.IntegerField(
                label=_("Characters by which a mark may start or end elsewhere"), min_value=0, max_value=50, initial=0
            )

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
        if self.rules:
            title = _("Expected marks") if len(self.labels) == 1 else _("Expected marks of %(label)s")
            yield (
                f"marks-{label}",
                forms.CharField(
                    label=title % {"label": label},
                    required=False,
                    help_text=_mark_help(self.rules, tag_names(self.protocol, self.rules)),
                    widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
                ),
            )
            none = _("No errors: every mark is wrong") if len(self.labels) == 1 else _("%(label)s has no errors")
            yield f"no-marks-{label}", forms.BooleanField(label=none % {"label": label}, required=False)
        if self.protocol.text_field:
            widget = forms.Textarea(attrs={"rows": 3, "dir": "auto"})
            right = _("Right corrections, one on each line")
            yield f"accepted-{label}", forms.CharField(label=right, required=False, widget=widget)

    @property
    def shown(self) -> "list[forms.BoundField]":
        """The texts, then what is right about them, then the words for the annotator."""
        first = [self[name] for name in self.fields if name not in ("feedback", "questions", "beside")]
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
        marked = {label: self._marks(label) for label in self.labels}
        if marked := {label: marks for label, marks in marked.items() if marks is not None}:
            record["marks"] = marked
        if self.protocol.asks_questions:
            record["questions"] = values.get("questions")
        return record | ({"beside": values["beside"]} if values.get("beside") else {})

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        for label in self.labels:
            if values.get(f"no-marks-{label}") and values.get(f"marks-{label}", "").strip():
                self.add_error(f"no-marks-{label}", _("There are marks above. Remove them, or this."))
        return values

    def _marks(self, label: str) -> list[dict[str, Any]] | None:
        """None: the item does not ask about marks of this translation."""
        lines = [line for line in self.cleaned_data.get(f"marks-{label}", "").splitlines() if line.strip()]
        if self.rules is None or not (lines or self.cleaned_data.get(f"no-marks-{label}")):
            return None
        text, slack = self.cleaned_data[f"translation-{label}"], self.cleaned_data.get("slack") or 0
        return [_mark_in(line, text, slack, has_categories=bool(self.rules.categories)) for line in lines]

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
        item = checked_item(form.record(), form.protocol, campaign.test_set)
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


def _mark_help(rules: SpanRules, tags: Sequence[str]) -> str:
    parts = _("words | severity | category | note") if rules.categories else _("words | severity | note")
    about = {"parts": parts, "severities": ", ".join(rules.severities)}
    text = _("One on each line: %(parts)s. Severities: %(severities)s. All but the words may be left out.") % about
    several = _("If the translation has the words several times, “words #2” is the second place.")
    named = ", ".join(f"[{tag}]" for tag in tags)
    place = _("An error without a place is a tag in brackets: %(tags)s.") % {"tags": named} if tags else ""
    return " ".join(filter(None, (text, several, place)))


def _mark_in(line: str, text: str, slack: int, *, has_categories: bool) -> dict[str, Any]:
    """As a line of a file has it."""
    words, *about = (part.strip() for part in line.split("|", 3 if has_categories else 2))
    names = ("severity", "category", "note") if has_categories else ("severity", "note")
    mark: dict[str, Any] = {name: value for name, value in zip(names, about, strict=False) if value}
    if words.startswith("[") and words.endswith("]") and words not in text:
        return mark | {"tag": words[1:-1].strip()}
    numbered = re.fullmatch(r"(.+?)\s+#(\d{1,4})", words)
    if numbered and words not in text:
        mark["occurrence"] = int(numbered[2])
    return mark | {"text": numbered[1] if "occurrence" in mark and numbered else words, "slack": slack}


def _mark_line(mark: ProposedMark, text: str, *, has_categories: bool) -> str:
    """The reverse of `_mark_in`; empty for words that a line cannot have."""
    about = [mark.severity, mark.category] if has_categories and mark.category else [mark.severity]
    if mark.start == mark.end:
        return f"[{OMISSION if has_categories else mark.category or OMISSION}] | {mark.severity}"
    words = text[mark.start : mark.end].strip().partition("\n")[0].strip()
    if not words or "|" in words:
        return ""
    places = [place for place in range(len(text)) if text.startswith(words, place)]
    which = f" #{places.index(text.index(words, mark.start)) + 1}" if len(places) > 1 else ""
    return " | ".join([words + which, *about])


def _place(number: str) -> int:
    return min(int(number), HIGHEST_PLACE) if number.isascii() and number.isdigit() and len(number) < 6 else 0


def _is_expected(measure: Measure, protocol: Protocol[Any]) -> bool:
    """Whether an item can say which numbers are right: of a scale, and about what was shown."""
    is_own = measure.level == practice_level(protocol)
    return is_own and not (measure.is_relative or measure.is_count)


def _initial(text: PracticeText, protocol: Protocol[Any]) -> dict[str, Any]:
    questions = with_questions(text, protocol)
    values: dict[str, Any] = {"source": text.source, "reference": text.reference, "questions": questions}
    values["beside"] = _named(text.key, protocol)
    rules = mark_rules(protocol)
    best_first = sorted(text.outputs, key=lambda output: -output.quality)
    for at, output in enumerate(text.outputs):
        label = chr(ord("A") + at)
        values[f"translation-{label}"] = output.text
        values[f"rank-{label}"] = best_first.index(output) + 1
        values[f"accepted-{label}"] = text.reference or output.text
        if rules:
            lines = [_mark_line(mark, output.text, has_categories=bool(rules.categories)) for mark in output.marks]
            values[f"marks-{label}"] = "\n".join(filter(None, lines))
        for measure in (each for each in protocol.measures if _is_expected(each, protocol)):
            low, high = _expected(measure, output, len(questions))
            values |= {f"low-{label}-{measure.name}": low, f"high-{label}-{measure.name}": high}
    if text.reference and not protocol.shows_reference and not protocol.text_field:
        values["feedback"] = _("A human translation: %(text)s") % {"text": text.reference}
    return values


def _named(key: int, protocol: Protocol[Any]) -> dict[str, str]:
    """The place of the text: what lies beside it lies beside the practice item, too."""
    if protocol.reads_once:
        return {"document": Document.objects.get(pk=key).name}
    segment = Segment.objects.select_related("document").get(pk=key)
    return {"document": segment.document.name, "segment": segment.name}


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
        "beside": form and (form.initial.get("beside") if text else form.cleaned_data.get("beside")),
        "is_planned": text is not None and text.is_planned,
        "is_judged": bool(form and form.measures and text and any(output.means for output in text.outputs)),
        "reads_once": form is not None and form.protocol.reads_once,
        "questions": questions,
    }
    return campaign_page(request, campaign, "organiser/practice_item.html", "practice", context)
