"""Everything that is stored about one person: on their page, and in the file that they download.

For judgments it has what they entered and when, and the names that the page showed: not which system wrote a text, nor
which items were controls. Annotators never see these. docs/operations.md lists what is not shown, and why.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Count, Model, Q, QuerySet, Value
from django.utils.translation import gettext_lazy as _

from axes.models import AccessAttempt, AccessFailureLog, AccessLog

from annotation.models import (
    ActionLog,
    Adjudication,
    Assignment,
    Draft,
    Exclusion,
    Judgment,
    PracticeAnswer,
    ProblemReport,
    TimesheetNote,
)
from annotation.protocols.base import Text
from campaigns.actions.audit import entries_naming
from campaigns.models import (
    Account,
    AnsweredRequest,
    ApiToken,
    AuditEntry,
    Campaign,
    CampaignDraft,
    CrowdPlace,
    FormAnswer,
    Identity,
    Invitation,
    Mail,
    Membership,
    QuestionnaireReply,
    SecondFactor,
    Session,
    ShareLink,
    TestSet,
)
from jobs.models import Run
from metrics.models import ImportedScores


@dataclass(frozen=True)
class Kind:
    """Rows of one kind: `person` is the field that leads to the account, `columns` what is read, as `name=field`.

    Where a row only names somebody, `naming` says which do.
    """

    name: str
    model: type[Model]
    person: str
    columns: str
    naming: Callable[[Account], Q] | None = None

    @property
    def title(self) -> Text:
        return TITLES[self.name]

    @property
    def fields(self) -> dict[str, str]:
        """The field of each name in the file; without `=` both are the same."""
        pairs = (column.partition("=") for column in self.columns.split())
        return {name: field or name for name, _equals, field in pairs}

    def rows_of(self, account: Account) -> "QuerySet[Any]":
        whose = self.naming(account) if self.naming else Q(**{self.person: account})
        return self.model._base_manager.filter(whose).order_by("pk")  # noqa: SLF001 - documented


def _as_typed(account: Account) -> Q:
    """What is typed at sign-in: a user name, or by mistake the address."""
    return Q(username=account.username) | (Q(username__iexact=account.email) if account.email else Q())


def _on_record(account: Account) -> Q:
    return entries_naming(account.username) & ~Q(actor=account)


def _listed_in(*places: str, **only: object) -> Callable[[Account], Q]:
    """By address: a name alone may be somebody else's."""

    def naming(account: Account) -> Q:
        listed = Q()
        for place in places if account.email else ():
            listed |= Q(**{f"{place}__icontains": account.email})
        return Q(listed, **only) if listed else Q(pk=None)

    return naming


LISTING = ("new_campaign", "campaign_copies")  # kinds of runs whose arguments may list people
_CAMPAIGN = "campaign=campaign__name"
_OF_ITEM = "campaign=item__assignment__campaign__name item=item__public_id"
_OF_WORK = f"{_OF_ITEM} assignment=item__assignment"
_SIGN_IN = "attempt_time username ip_address user_agent path_info"
_TIMES = "started_at submitted_at elapsed_ms active_ms reading_ms"

# What the page calls each kind, and where its rows are. The names are those in the file.
TITLES: dict[str, Text] = {
    "memberships": _("Campaigns you take part in, and your consent"),
    "crowd_places": _("What the link by which you came said about you"),
    "invitations": _("Your invitation links"),
    "assignments": _("Your assignments"),
    "judgments": _("Your answers, with comments and times; every version"),
    "action_logs": _("What you did on screens of whole documents, and when"),
    "drafts": _("Answers you have not finished"),
    "practice_answers": _("Your answers in practice"),
    "questionnaires": _("Questionnaires you agreed to answer"),
    "questionnaire_answers": _("Your answers in questionnaires"),
    "timesheet_notes": _("Your notes to days of your timesheet"),
    "problem_reports": _("Problems you reported"),
    "exclusions": _("Decisions to exclude you from results"),
    "mail": _("Mail to you"),
    "identities": _("Who you are to the provider that signs you in"),
    "second_factors": _("Your one-time codes for signing in"),
    "sessions": _("Where you signed in"),
    "tokens": _("Tokens for programs"),
    "campaign_drafts": _("Campaigns you have not finished creating"),
    "runs": _("Computations you requested"),
    "recorded": _("What you did (audit log)"),
    "recorded_of_you": _("What others did to your account (audit log)"),
    "campaigns_made": _("Campaigns you created"),
    "test_sets": _("Test sets you imported"),
    "imported_scores": _("Metric scores you imported"),
    "links_made": _("Invitation links you created for others"),
    "consents_for_programs": _("Programs for which you gave consent"),
    "shared_links": _("Links to results you created"),
    "exclusions_decided": _("Your decisions to exclude annotators"),
    "adjudications": _("Your decisions on answers"),
    "adjudications_undone": _("Decisions on answers that you undid"),
    "answered_requests": _("Requests of your programs, kept for two days"),
    "drafts_listing_you": _("Unfinished new campaigns whose list of people has your e-mail address"),
    "requests_listing_you": _("Requests for new campaigns whose list of people has your e-mail address"),
    "sign_ins": _("Sign-ins, with IP address"),
    "failed_sign_ins": _("Failed sign-ins, with IP address"),
    "refused_sign_ins": _("Each failed sign-in, with IP address"),
}

KINDS: tuple[Kind, ...] = (
    Kind(
        "memberships",
        Membership,
        "account",
        f"role created_at consented_at withdrawn_at qualified_at guidelines_read_at removed_at is_program {_CAMPAIGN}",
    ),
    Kind(
        "crowd_places",
        CrowdPlace,
        "membership__account",
        "participant labels joined_at screened_out_at campaign=crowd__campaign__name",
    ),
    Kind("invitations", Invitation, "account", f"role created_at expires_at accepted_at revoked_at {_CAMPAIGN}"),
    Kind(
        "assignments",
        Assignment,
        "annotator",
        f"status done total completion_code claimed_at finished_at assignment=pk {_CAMPAIGN}",
    ),
    Kind("judgments", Judgment, "annotator", f"revision is_current answer cannot_judge {_TIMES} {_OF_WORK}"),
    Kind("action_logs", ActionLog, "judgment__annotator", "actions judgment=judgment__client_id"),
    Kind("drafts", Draft, "item__assignment__annotator", f"answer saved_at {_OF_WORK}"),
    Kind(
        "practice_answers",
        PracticeAnswer,
        "annotator",
        "attempt answer is_right submitted_at campaign=item__campaign__name item=item__public_id",
    ),
    Kind(
        "questionnaires",
        QuestionnaireReply,
        "annotator",
        "agreed_at sent_at corrected_at screened_out_at moment=questionnaire__moment"
        " campaign=questionnaire__campaign__name",
    ),
    Kind(
        "questionnaire_answers",
        FormAnswer,
        "annotator",
        "question=question__name text=question__text answer=value answered_at moment=question__questionnaire__moment "
        "campaign=question__questionnaire__campaign__name",
    ),
    Kind(
        "timesheet_notes",
        TimesheetNote,
        "annotator",
        f"day note noted_at answer answered_at {_CAMPAIGN}",
    ),
    Kind("problem_reports", ProblemReport, "annotator", f"reason note reported_at {_OF_ITEM}"),
    Kind("exclusions", Exclusion, "annotator", f"reason decided_at lifted_at {_CAMPAIGN}"),
    Kind("mail", Mail, "account", f"kind address subject body status created_at {_CAMPAIGN}"),
    Kind("sessions", Session, "account", "by_password created_at last_used_at ended_at expire_date"),
    Kind("identities", Identity, "account", "issuer subject made_organiser created_at last_used_at"),
    Kind("second_factors", SecondFactor, "account", "created_at confirmed_at wrong_codes wrong_at"),
    Kind("tokens", ApiToken, "account", "name scopes created_at expires_at last_used_at revoked_at"),
    Kind("campaign_drafts", CampaignDraft, "account", "values created_at updated_at"),
    Kind("runs", Run, "created_by", f"kind status created_at {_CAMPAIGN}"),
    Kind("recorded", AuditEntry, "actor", f"action detail at {_CAMPAIGN}"),
    Kind("recorded_of_you", AuditEntry, "detail", f"action at {_CAMPAIGN}", _on_record),
    Kind("campaigns_made", Campaign, "created_by", "name created_at"),
    Kind("test_sets", TestSet, "created_by", "name created_at"),
    Kind("imported_scores", ImportedScores, "imported_by", "metric file_name imported_at test_set=test_set__name"),
    Kind("links_made", Invitation, "created_by", f"role created_at expires_at {_CAMPAIGN}"),
    Kind("consents_for_programs", Membership, "consented_by", f"consented_at {_CAMPAIGN}"),
    Kind("shared_links", ShareLink, "created_by", f"name shows_texts created_at expires_at revoked_at {_CAMPAIGN}"),
    Kind("exclusions_decided", Exclusion, "decided_by", f"reason decided_at lifted_at {_CAMPAIGN}"),
    Kind("adjudications", Adjudication, "decided_by", f"answer reason decided_at undone_at {_CAMPAIGN}"),
    Kind("adjudications_undone", Adjudication, "undone_by", f"undone_at {_CAMPAIGN}"),
    Kind("answered_requests", AnsweredRequest, "account", "status created_at"),
    Kind("drafts_listing_you", CampaignDraft, "values", "created_at updated_at", _listed_in("values__people")),
    Kind(
        "requests_listing_you",
        Run,
        "arguments",
        "status created_at",
        _listed_in("arguments__people", "arguments__form__people", "arguments__rows", campaign=None, kind__in=LISTING),
    ),
    Kind("sign_ins", AccessLog, "username", _SIGN_IN, _as_typed),
    Kind("failed_sign_ins", AccessAttempt, "username", f"{_SIGN_IN} failures_since_start", _as_typed),
    Kind("refused_sign_ins", AccessFailureLog, "username", f"{_SIGN_IN} locked_out", _as_typed),
)
ACCOUNT = (
    "username", "name", "first_name", "last_name", "email", "languages", "theme", "single_keys", "desk",
    "may_create_campaigns", "is_active", "is_staff", "is_superuser", "date_joined", "last_login", "made_for",
)  # fmt: skip
READ_AT_ONCE = 500


def counted(account: Account) -> list[tuple[Kind, int]]:
    """How much there is of each kind, in one query."""
    first, *others = (
        kind.rows_of(account).order_by().annotate(place=Value(place)).values("place").annotate(rows=Count("pk"))
        for place, kind in enumerate(KINDS)
    )
    rows = {row["place"]: row["rows"] for row in first.union(*others, all=True)}
    return [(kind, rows.get(place, 0)) for place, kind in enumerate(KINDS)]


def file_of(account: Account) -> Iterator[str]:
    """All of it as one JSON object, written as it is read."""
    values = {name: getattr(account, name) for name in ACCOUNT}
    yield '{\n"account": ' + _json({**values, "made_for": account.made_for and account.made_for.name})
    for kind in KINDS:
        yield f',\n"{kind.name}": ['
        separator = "\n"
        for values in kind.rows_of(account).values_list(*kind.fields.values()).iterator(chunk_size=READ_AT_ONCE):
            yield separator + _json(dict(zip(kind.fields, values, strict=True)))
            separator = ",\n"
        yield "]"
    yield "\n}\n"


def _json(value: Any) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)
