"""Everything that is stored about one person, as they are shown it and as they take it along.

Of what they judged it holds what they entered and when, and the names by which the page showed it: not which system
wrote a text, nor which items were controls. These stay hidden from annotators here, too.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, QuerySet
from django.utils.translation import gettext_lazy as _

from axes.models import AccessAttempt

from annotation.models import Assignment, Draft, Exclusion, Judgment, PracticeAnswer, ProblemReport
from annotation.protocols.base import Text
from campaigns.models import Account, ApiToken, AuditEntry, CampaignDraft, Invitation, Membership, Session
from metrics.models import Run


@dataclass(frozen=True)
class Kind:
    """Rows of one kind: how the page calls them, how a row leads to its person, and what is read, by its name there."""

    name: str
    what: Text
    model: type[Model]
    person: str
    fields: Mapping[str, str]

    def rows_of(self, account: Account) -> "QuerySet[Any]":
        whose = account.username if self.person == "username" else account
        return self.model._base_manager.filter(**{self.person: whose}).order_by("pk")  # noqa: SLF001 - documented


def _same(*names: str, **others: str) -> dict[str, str]:
    return {name: name for name in names} | others


_OF_ITEM = {"campaign": "item__assignment__campaign__name", "item": "item__public_id"}
_OF_WORK = {**_OF_ITEM, "assignment": "item__assignment"}
_CAMPAIGN = {"campaign": "campaign__name"}
_TIMES = ("started_at", "submitted_at", "elapsed_ms", "active_ms")

KINDS: tuple[Kind, ...] = (
    Kind(
        "memberships",
        _("Campaigns you are part of, with your consent"),
        Membership,
        "account",
        _same(
            "role",
            "created_at",
            "consented_at",
            "withdrawn_at",
            "qualified_at",
            "removed_at",
            "is_program",
            **_CAMPAIGN,
        ),
    ),
    Kind(
        "invitations",
        _("Links that were made for you"),
        Invitation,
        "account",
        _same("role", "created_at", "expires_at", "accepted_at", "revoked_at", **_CAMPAIGN),
    ),
    Kind(
        "assignments",
        _("Work you were given"),
        Assignment,
        "annotator",
        _same("status", "done", "total", "completion_code", "claimed_at", "finished_at", assignment="pk", **_CAMPAIGN),
    ),
    Kind(
        "judgments",
        _("Your answers, with comments and times; every version"),
        Judgment,
        "annotator",
        _same("revision", "is_current", "answer", "cannot_judge", *_TIMES, **_OF_WORK),
    ),
    Kind(
        "drafts",
        _("Answers you have not finished"),
        Draft,
        "item__assignment__annotator",
        _same("answer", "saved_at", **_OF_WORK),
    ),
    Kind(
        "practice_answers",
        _("Your answers in practice"),
        PracticeAnswer,
        "annotator",
        _same("attempt", "answer", "is_right", "submitted_at", campaign="item__campaign__name", item="item__public_id"),
    ),
    Kind(
        "problem_reports",
        _("Problems you reported"),
        ProblemReport,
        "annotator",
        _same("reason", "note", "reported_at", **_OF_ITEM),
    ),
    Kind(
        "exclusions",
        _("Decisions to leave you out of results"),
        Exclusion,
        "annotator",
        _same("reason", "decided_at", "lifted_at", **_CAMPAIGN),
    ),
    Kind(
        "sessions",
        _("Where you signed in"),
        Session,
        "account",
        _same("by_password", "created_at", "last_used_at", "ended_at", "expire_date"),
    ),
    Kind(
        "tokens",
        _("Tokens for programs"),
        ApiToken,
        "account",
        _same("name", "scopes", "created_at", "expires_at", "last_used_at", "revoked_at"),
    ),
    Kind(
        "campaign_drafts",
        _("Campaigns you have not made yet"),
        CampaignDraft,
        "account",
        _same("values", "created_at", "updated_at"),
    ),
    Kind(
        "runs",
        _("Computations you asked for"),
        Run,
        "created_by",
        _same("kind", "status", "created_at", **_CAMPAIGN),
    ),
    Kind("recorded", _("What you did, on record"), AuditEntry, "actor", _same("action", "detail", "at", **_CAMPAIGN)),
    Kind(
        "failed_sign_ins",
        _("Failed attempts to sign in, with their address"),
        AccessAttempt,
        "username",
        _same("attempt_time", "ip_address", "user_agent", "failures_since_start"),
    ),
)
ACCOUNT = (
    "username", "name", "email", "languages", "theme", "single_keys", "may_create_campaigns", "date_joined",
    "last_login",
)  # fmt: skip
READ_AT_ONCE = 500


def counted(account: Account) -> list[tuple[Kind, int]]:
    """How much there is of each kind."""
    return [(kind, kind.rows_of(account).count()) for kind in KINDS]


def file_of(account: Account) -> Iterator[str]:
    """All of it as one JSON object, written as it is read."""
    yield '{\n"account": ' + _json({name: getattr(account, name) for name in ACCOUNT})
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
