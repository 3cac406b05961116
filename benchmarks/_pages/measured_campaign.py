"""Everything the pages are measured on: a campaign, what stands beside it, its runs, and what addresses can name."""

import uuid
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

import numpy as np

from annotation.models import Adjudication, Item, PracticeItem
from benchmarks._pages.campaign_records import add_beside, add_other_campaigns
from benchmarks._pages.invented_texts import Size, make_texts
from benchmarks._pages.judged_campaign import JudgedCampaign
from campaigns.actions.campaign_drafts import keep_campaign_draft
from campaigns.actions.links import make_share_link
from campaigns.actions.mail import stop_address
from campaigns.actions.webhooks import add_webhook, send_test
from campaigns.models import Account, Campaign, Document, Mail, Medium, Membership, Role, Translation
from exchange.upload_folders import upload_folder
from jobs.actions import perform_now, queue_run
from jobs.models import Run, RunStatus
from jobs.run_kinds import run_kind
from metrics.analyses.judged_outputs import is_large
from metrics.models import ImportedScores, OutputValues
from tests.cast import invite_annotators
from tests.sample_crowd import make_crowd
from tests.sample_mail import make_mail
from tests.sample_media import make_medium
from tests.sample_questionnaire import answer_questionnaire, make_questionnaire

METRICS = ["bleu", "chrf"]


@dataclass(frozen=True)
class Made:
    campaign: Campaign
    organiser: Account
    people: list[Account]

    @property
    def annotator(self) -> Account:
        """One whose last assignment is half done."""
        return self.people[0]


def make_whole(name: str, protocol: str, size: Size, organiser: Account, researcher: Account) -> Made:
    rng = np.random.default_rng(11)
    judged = JudgedCampaign(name, protocol, make_texts(f"{name} texts", size, rng), size, rng, organiser)
    campaign = judged.make()
    Membership.objects.create(campaign=campaign, account=researcher, role=Role.RESEARCHER)
    add_beside(campaign, judged.people, organiser, size.beside)
    return Made(campaign, organiser, judged.people)


def add_others(made: Made, size: Size) -> None:
    add_other_campaigns(made.campaign, made.organiser, made.people, size.beside)


def compute(made: Made) -> None:
    """All that pages show of runs, as far as it is not there; a run of an older version may lack what pages read."""
    scoring = {"metrics": METRICS}
    _compute("metric_scores", scoring, {"test_set": made.campaign.test_set}, made.organiser)
    ways: list[dict[str, Any]] = [
        {},
        {"analyses": ["correlation"]},
        {"analyses": ["slices"], "options": {"by": "document"}},
        {"analyses": ["exclusion"], "options": {"without": [made.people[-1].username]}},
    ]
    for way in ways:
        _compute("analysis", way, {"campaign": made.campaign}, made.organiser)
    _compute("disagreement", {"metric": None}, {"campaign": made.campaign}, made.organiser)


def _compute(kind: str, arguments: dict[str, Any], of: dict[str, Any], by: Account) -> None:
    done = Run.objects.filter(**of, kind=kind, arguments=run_kind(kind).check(arguments), status=RunStatus.DONE)
    if not arguments and is_large(of["campaign"]):
        done = done.filter(pk__in=OutputValues.objects.values("run"))
    if not done.exists():
        run = perform_now(kind=kind, arguments=arguments, created_by=by, **of)
        if run.status != RunStatus.DONE:
            raise RuntimeError(f"{run.kind} {run.arguments}: {run.error}")


def set_computing(campaign: Campaign) -> None:
    """Every run is asked for once more and under way; what was computed is older than the newest decision."""
    now = timezone.now()
    again = [
        Run(
            kind=run.kind,
            campaign_id=run.campaign_id,
            test_set_id=run.test_set_id,
            arguments=run.arguments,
            status=RunStatus.RUNNING,
            progress=0.3,
            heartbeat_at=now,
            started_at=now,
        )
        for run in Run.objects.filter(campaign=campaign) | Run.objects.filter(test_set=campaign.test_set_id)
    ]
    Run.objects.bulk_create(again)


def _project_of(made: Made) -> str:
    """All campaigns of the organiser are in it."""
    own = Membership.objects.filter(account=made.organiser, role=Role.ORGANISER).values("campaign")
    Campaign.objects.filter(pk__in=own).update(project="Spring")
    return "Spring"


def places_of(made: Made) -> dict[str, Any]:
    """What stands for a parameter, as in tests/frontend/places.py; what an address asks, by a name in braces."""
    campaign, organiser = made.campaign, made.organiser
    own = Item.objects.filter(assignment__campaign=campaign, assignment__annotator=made.annotator)
    waiting = own.filter(revision=0).select_related("assignment").earliest("position")
    (invited,) = invite_annotators(campaign=campaign, count=1, by=organiser)
    link, shared = make_share_link(campaign=campaign, name="readers", days=1, by=organiser, shows_texts=True)
    imported = ImportedScores.objects.filter(test_set=campaign.test_set).earliest("pk")
    output = Translation.objects.filter(segment=waiting.segment).earliest("pk")
    analysis = Run.objects.filter(campaign=campaign, kind="analysis").order_by("pk").first()
    draft = keep_campaign_draft(account=organiser, values={}).pk
    practice = PracticeItem.objects.filter(campaign=campaign)
    practice.update(document=waiting.document)  # where the medium is
    make_questionnaire(campaign)
    answer_questionnaire(campaign, made.annotator)
    # in a database that is kept, the last measurement's still waits
    mail = Mail.objects.filter(campaign=campaign, account=made.annotator).first() or make_mail(campaign, made.annotator)
    hook, _secret = add_webhook(campaign=campaign, address="https://93.184.215.14/", events=["alert"], by=organiser)
    return {
        "campaigns/slug": campaign.slug,
        "projects/project": _project_of(made),
        "mail/pk": mail.pk,
        "log/pk": mail.pk,
        "no-more-mail/key": stop_address(mail).rstrip("/").rpartition("/")[2],
        "webhooks/pk": hook.pk,
        "deliveries/pk": send_test(webhook=hook).pk,
        "questionnaire/moment": "entry",
        "questionnaires/moment": "entry",
        "docs/resource": "runs",
        "test-sets/slug": campaign.test_set.slug,
        "assignments/pk": waiting.assignment_id,
        "work/pk": waiting.assignment_id,
        "items/item": waiting.public_id,
        "practice/items/item": practice[0].public_id,
        "annotators/username": made.people[-1].username,
        "members/pk": campaign.memberships.get(account=made.annotator, role=Role.ANNOTATOR).pk,
        "people/pk": invited.invitation.pk,
        "invitations/pk": invited.invitation.pk,
        "invitations/secret": invited.secret,
        "join/key": make_crowd(campaign).key,
        "tokens/pk": organiser.api_tokens.earliest("pk").pk,
        "outputs/pk": output.pk,
        "segments/pk": waiting.segment_id,
        "media/file_hash": _medium(waiting.document).file_hash,
        "adjudications/pk": Adjudication.objects.filter(campaign=campaign).earliest("pk").pk,
        "imports/pk": imported.pk,
        "import/pk": imported.pk,
        "files/upload": uuid.uuid4(),
        "uploads/upload": _upload(organiser),
        "new-campaign/runs/pk": _waiting("new_campaign", organiser).pk,
        "copies/pk": _waiting("campaign_copies", organiser, copied=campaign.pk).pk,
        "rebuild-campaign/pk": _waiting("rebuilding", organiser).pk,
        "drafts/pk": draft,
        "campaign-drafts/pk": draft,
        "runs/pk": analysis.pk if analysis else 0,
        "parts/name": "agreement",
        "shared/secret": shared,
        "shares/pk": link.pk,
        "exports/format": "csv",
        "metrics/name": "scores",
        "tables/name": "pairs",
        "results/table": "pairs",
        "api/v1/runs/<int:pk>/tables/name": "pairs",
        "api/v1/runs/<int:pk>/paper/tables/name": "pairs",
        "tables/<slug:name>./form": "csv",
        "settings/languages/language": "es",
        "app/language": "de",
        "figures/name": "systems-score" if campaign.protocol != "mqm" else "systems-penalty",
        "exports/methods./form": "tex",
        "compare/table": "systems",
        "{beside}": f"{campaign.slug}-other-000",
        "{first}": made.people[5 % len(made.people)].username,
        "{second}": made.people[-1].username,
        "{segment}": waiting.segment_id,
        "{output}": output.pk,
        "{word}": str(output.text).split()[1],
    }


def _medium(document: Document) -> Medium:
    return Medium.objects.filter(document=document).first() or make_medium(document)


def _waiting(kind: str, account: Account, **arguments: Any) -> Run:
    now = timezone.now()
    arguments = {"name": "X", **arguments}
    return Run.objects.create(
        kind=kind, arguments=arguments, status=RunStatus.RUNNING, heartbeat_at=now, created_by=account
    )


def _upload(account: Account) -> uuid.UUID:
    upload = uuid.uuid4()
    upload_folder(upload).mkdir(parents=True)
    files = [{"name": "a", "path": "a", "size": 1}]
    queue_run(kind="inspection", arguments={"upload": str(upload), "files": files}, created_by=account)
    return upload
