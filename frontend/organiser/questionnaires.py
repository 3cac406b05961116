"""The page on which an organiser builds a questionnaire, the preview of it, and its files."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import redirect, resolve_url
from django.utils.translation import gettext as _

from campaigns.actions.questionnaires import CONSENT, ask_questionnaire, set_questionnaire
from campaigns.form_questions import QuestionSpec, with_names
from campaigns.invalid_input import InvalidInput
from campaigns.models import Campaign, Moment, Questionnaire, Role
from campaigns.queries import campaigns_of, questionnaire_of, questions_of
from campaigns.reading.problems import Problems
from exchange.formats.questionnaire_file import COLUMNS, read_questionnaire, table_rows_of, written_json
from exchange.reading import ImportFileError
from exchange.upload_folders import delete_upload
from frontend.access import RUNS_IT, SignedInRequest, check_moment, get_campaign_for
from frontend.campaign_pages import FORM, campaign_page, campaign_view
from frontend.downloads import csv_file, text_file
from frontend.organiser.questionnaire_form import ConsentTextForm, QuestionForm
from frontend.questionnaire_fields import shown_questions
from frontend.uploads import UploadError, store_upload

TAB = "questionnaires"
ONE_QUESTION = "one-question"


@dataclass
class Building:
    """A request for a change of a questionnaire, and what the page shows if it is refused."""

    request: SignedInRequest
    campaign: Campaign
    moment: str
    form: Questionnaire | None
    questions: list[QuestionSpec]

    @property
    def consent(self) -> str:
        return self.form.consent if self.form else ""

    @property
    def is_frozen(self) -> bool:
        return self.form is not None and self.form.replies.exists()

    @property
    def is_entry(self) -> bool:
        return self.moment == Moment.ENTRY

    @property
    def named(self) -> str:
        """The question that a button or an address names."""
        return self.request.POST.get("question") or self.request.GET.get("question", "")

    @property
    def place(self) -> int | None:
        return next((place for place, each in enumerate(self.questions) if each.name == self.named), None)

    def store(self, questions: list[QuestionSpec], consent: str | None = None) -> None:
        set_questionnaire(
            campaign=self.campaign,
            moment=self.moment,
            questions=questions,
            consent=self.consent if consent is None else consent,
            by=self.request.user,
        )


@campaign_view(RUNS_IT, FORM)
def questionnaire(request: SignedInRequest, campaign: Campaign, moment: str) -> HttpResponse:
    building = _building(request, campaign, moment)
    shown: dict[str, Any] = {}
    if request.method == "POST":
        act = ACTS.get(request.POST.get("act", ""), _unknown)
        try:
            shown = act(building)
        except InvalidInput as error:
            shown = {"errors": [each for several in error.errors.values() for each in several]}
        if not shown:
            messages.success(request, _("Stored."))
            return redirect("organiser-questionnaire", campaign.slug, moment)
    return campaign_page(
        request, campaign, "organiser/questionnaire.html", TAB, _context(building) | shown, status=422 if shown else 200
    )


@campaign_view(RUNS_IT)
def preview(request: SignedInRequest, campaign: Campaign, moment: str) -> HttpResponse:
    """As annotators see it; nothing can be sent."""
    building = _building(request, campaign, moment)
    context = {
        "questionnaire": building.form or Questionnaire(campaign=campaign, moment=moment),
        "questions": shown_questions(building.questions, {}),
        "days": settings.PARTICIPANT_DAYS,
    }
    return campaign_page(request, campaign, "organiser/questionnaire_preview.html", TAB, context)


@campaign_view(RUNS_IT)
def questions_json(request: SignedInRequest, campaign: Campaign, moment: str) -> HttpResponse:
    building = _building(request, campaign, moment)
    text = written_json(building.questions, building.consent)
    return text_file(text, "application/json", f"{campaign.slug}-{moment}.json")


@campaign_view(RUNS_IT)
def questions_csv(request: SignedInRequest, campaign: Campaign, moment: str) -> HttpResponse:
    return csv_file(f"{campaign.slug}-{moment}", COLUMNS, table_rows_of(_building(request, campaign, moment).questions))


def _building(request: SignedInRequest, campaign: Campaign, moment: str) -> Building:
    check_moment(moment)
    form = questionnaire_of(campaign, moment)
    return Building(request, campaign, moment, form, questions_of(form) if form else [])


def _unknown(_building: Building) -> dict[str, Any]:
    raise InvalidInput.of("act", _("Nothing was changed. Use one of the buttons of this page."))


def _question(building: Building) -> dict[str, Any]:
    """A new question at the end, or the changed one in its place."""
    place = building.place
    old = None if place is None else building.questions[place]
    initial = QuestionForm.initial_of(old)
    form = QuestionForm(
        building.request.POST, old=old, is_frozen=building.is_frozen, may_screen=building.is_entry, initial=initial
    )
    if not form.is_valid():
        return {"question_form": form}
    at = len(building.questions) if place is None else place
    changed = [*building.questions[:at], form.question(), *building.questions[at + 1 :]]
    try:
        building.store(with_names(changed))
    except InvalidInput as error:
        form.take(error.errors, at + 1)
        return {"question_form": form}
    return {}


def _remove(building: Building) -> dict[str, Any]:
    building.store([each for each in building.questions if each.name != building.named])
    return {}


def _move(building: Building, by: int) -> dict[str, Any]:
    place = building.place
    if place is None or not 0 <= place + by < len(building.questions):
        return _unknown(building)
    moved = list(building.questions)
    moved.insert(place + by, moved.pop(place))
    building.store(moved)
    return {}


def _consent(building: Building) -> dict[str, Any]:
    form = ConsentTextForm(building.request.POST)
    if not form.is_valid():
        return {"consent_form": form}
    try:
        building.store(building.questions, form.cleaned_data[CONSENT])
    except InvalidInput as error:
        for message in error.errors.get(CONSENT, ()):
            form.add_error(CONSENT, message)
        return {"consent_form": form}
    return {}


def _ask(building: Building, *, is_asked: bool) -> dict[str, Any]:
    ask_questionnaire(campaign=building.campaign, moment=building.moment, is_asked=is_asked, by=building.request.user)
    return {}


def _upload(building: Building) -> dict[str, Any]:
    """The file's questions take the place of those there are."""
    try:
        upload, stored = store_upload(building.request.FILES.getlist("file")[:1])
    except UploadError as error:
        return {"file_errors": [str(error)]}
    problems = Problems()
    try:
        read = read_questionnaire(Path(stored[0]["path"]), stored[0]["name"], problems)
    except ImportFileError:
        return {"problems": problems.in_order, "problem_count": problems.count}
    finally:
        delete_upload(upload)
    building.store(list(read.questions), read.consent)
    for note in problems.notes:
        messages.warning(building.request, note)
    return {}


def _copy(building: Building) -> dict[str, Any]:
    source = get_campaign_for(building.request.user, building.request.POST.get("campaign", ""), *RUNS_IT)
    form = questionnaire_of(source, building.moment)
    if form is None:
        raise InvalidInput.of("campaign", _("That campaign has no such questionnaire."))
    building.store(questions_of(form), form.consent)
    return {}


ACTS: Mapping[str, Callable[[Building], dict[str, Any]]] = {
    "question": _question,
    "remove": _remove,
    "up": lambda building: _move(building, -1),
    "down": lambda building: _move(building, 1),
    "consent": _consent,
    "ask": lambda building: _ask(building, is_asked=True),
    "stop": lambda building: _ask(building, is_asked=False),
    "upload": _upload,
    "copy": _copy,
}


def _context(building: Building) -> dict[str, Any]:
    campaign, form, place = building.campaign, building.form, building.place
    old = None if place is None else building.questions[place]
    is_frozen = building.is_frozen
    people = campaign.memberships.filter(role=Role.ANNOTATOR, withdrawn_at=None, is_program=False).count()
    sent, out = Q(sent_at__isnull=False), Q(screened_out_at__isnull=False)
    counts = {"all": Count("pk"), "sent": Count("pk", filter=sent), "out": Count("pk", filter=out)}
    replies = form.replies.aggregate(**counts) if form else {}
    others = Questionnaire.objects.filter(
        campaign__in=campaigns_of(building.request.user, Role.ORGANISER), moment=building.moment
    ).exclude(campaign=campaign)
    return {
        "moment": building.moment,
        "moments": [
            (value, label, resolve_url("organiser-questionnaire", campaign.slug, value))
            for value, label in Moment.choices
        ],
        "title": Moment(building.moment).label,
        "questionnaire": form,
        "questions": shown_questions(building.questions, {}),
        "is_frozen": is_frozen,
        "edited": old,
        "may_add": not is_frozen or old is not None,
        "question_form": QuestionForm(
            initial=QuestionForm.initial_of(old), old=old, is_frozen=is_frozen, may_screen=building.is_entry
        ),
        "consent_form": ConsentTextForm(initial={"consent": building.consent}),
        "people": people,
        "sent": replies.get("sent", 0),
        "screened_out": replies.get("out", 0),
        "others": others.order_by("campaign__name").values_list("campaign__slug", "campaign__name"),
        "columns": ", ".join(COLUMNS),
    }
