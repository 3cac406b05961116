"""The questionnaires of an annotator: which wait for them, and which they have sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, Subquery

from annotation.queries.task_list import TaskList
from campaigns.models import Account, CampaignStatus, Membership, Moment, Questionnaire, QuestionnaireReply


@dataclass(frozen=True)
class OwnQuestionnaire:
    """`is_waiting`: it can be answered now and was not yet."""

    form: Questionnaire
    sent_at: datetime | None
    is_waiting: bool


def own_questionnaires(annotator: Account, tasks: TaskList) -> list[OwnQuestionnaire]:
    """Those that wait come first. One query; the exit questionnaire waits once nothing of its campaign is left."""
    place = Membership.objects.judging().filter(
        campaign=OuterRef("campaign"), account=annotator, is_program=False, consented_at__isnull=False
    )
    own = QuestionnaireReply.objects.filter(questionnaire=OuterRef("pk"), annotator=annotator)
    forms = (
        Questionnaire.objects.filter(Exists(place))
        .annotate(sent=Subquery(own.values("sent_at")[:1]))
        .filter(Q(is_asked=True) | Q(sent__isnull=False))
        .select_related("campaign")
        .order_by("campaign__created_at", "moment")
    )
    rows = [OwnQuestionnaire(form, form.sent, _is_waiting(form, form.sent, tasks)) for form in forms]
    return sorted((row for row in rows if row.sent_at or row.is_waiting), key=lambda row: not row.is_waiting)


def _is_waiting(form: Questionnaire, sent_at: datetime | None, tasks: TaskList) -> bool:
    if sent_at is not None:
        return False
    if form.moment == Moment.ENTRY:
        return form.campaign.status == CampaignStatus.OPEN
    return is_over(form.campaign_id, tasks)


def is_over(campaign: int, tasks: TaskList) -> bool:
    """Whether something was done in the campaign, and nothing is left to do now."""
    left = {task.campaign.pk for task in (*tasks.others, *tasks.waiting, *((tasks.current,) if tasks.current else ()))}
    return campaign in {task.campaign.pk for task in tasks.done} - left


def waiting_after(annotator: Account, campaign: int, tasks: TaskList) -> Questionnaire | None:
    """The exit questionnaire to offer when a task is done."""
    rows: Mapping[str, OwnQuestionnaire] = {
        row.form.moment: row for row in own_questionnaires(annotator, tasks) if row.form.campaign_id == campaign
    }
    row = rows.get(Moment.EXIT)
    return row.form if row and row.is_waiting else None
