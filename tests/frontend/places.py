"""A campaign with one of everything an address can name."""

import json
import re
import uuid
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.utils import timezone

from annotation.actions.decisions import adjudicate, exclude_annotator
from annotation.models import PracticeItem
from campaigns.actions.campaign_drafts import keep_campaign_draft
from campaigns.actions.links import make_share_link
from campaigns.actions.mail import stop_address
from campaigns.actions.tokens import make_api_token
from campaigns.actions.webhooks import add_webhook, send_test
from campaigns.models import Account, Campaign, Document, Membership, Role, Session, TestSet, Translation
from exchange.upload_folders import upload_folder
from jobs.actions import perform_now, queue_run
from jobs.models import Run, RunStatus
from metrics.models import ImportedScores
from tests.cast import Cast, invite_annotators, make_person
from tests.frontend.access_rules import ANNOTATOR, ELSEWHERE, ORGANISER, RESEARCHER, STRANGER
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take
from tests.sample_crowd import make_crowd
from tests.sample_mail import make_mail
from tests.sample_media import make_medium
from tests.sample_questionnaire import answer_questionnaire, make_questionnaire
from tests.sample_test_set import make_test_set

REALIGNED = "0" * 16  # the key of a document in an upload
# What an address asks beside its path, by the name of the address.
QUERIES = {
    "researcher-export-sizes": "?file=csv",
    "researcher-disagreements": "?first=anna&second=ben",
    "researcher-disagreements-csv": "?first=anna&second=ben",
    "researcher-compare": "?with=beside",
    "researcher-compare-csv": "?with=beside",
    "api-comparison": "?with=beside",
}
QUERIES["api-disagreements"] = QUERIES["researcher-disagreements"]
_PARAMETER = re.compile(r"<\w+:(\w+)>")


def make_people(test_set: TestSet, cast: Cast) -> tuple[Campaign, dict[str, Account]]:
    """The campaign, its people, a stranger, and somebody who organises another one on other texts."""
    campaign = make_planned_campaign(test_set, cast)
    other = make_person("otto", "Otto Elsewhere", may_create_campaigns=True)
    elsewhere = make_test_set("Other texts", slug="other-texts")
    own = make_planned_campaign(elsewhere, cast, name="Another campaign")
    Membership.objects.filter(campaign=own).delete()
    Membership.objects.create(campaign=own, account=other, role=Role.ORGANISER)
    beside = Campaign.objects.create(name="Beside", slug="beside", test_set=test_set, protocol=campaign.protocol)
    readers = ((cast.organiser, Role.ORGANISER), (cast.researcher, Role.RESEARCHER))
    Membership.objects.bulk_create([Membership(campaign=beside, account=one, role=role) for one, role in readers])
    people = {
        ORGANISER: cast.organiser,
        ANNOTATOR: cast.annotator,
        RESEARCHER: cast.researcher,
        STRANGER: cast.stranger,
        ELSEWHERE: other,
    }
    return campaign, people


def make_places(campaign: Campaign, cast: Cast) -> dict[str, Any]:
    """What stands for a parameter, by the part of the address before it; a route's own wins over the last part's."""
    assignment = take(campaign, cast.annotator)
    first, *_others = items = items_to_judge(assignment)
    for score, item in enumerate(items[:-1], start=50):
        judge(item, score)
    organiser = cast.organiser
    exclude_annotator(campaign=campaign, annotator=cast.second_annotator, reason="A test.", by=organiser)
    (invited,) = invite_annotators(campaign=campaign, count=1, by=organiser)
    analysis = perform_now(kind="analysis", campaign=campaign, arguments={}, created_by=organiser)
    link, shared = make_share_link(campaign=campaign, name="readers", days=1, by=organiser, shows_texts=True)
    imported = ImportedScores.objects.create(
        test_set=campaign.test_set, metric="Owl", level="segment", file_name="owl", content_hash="0", is_whole=True
    )
    output = Translation.objects.filter(segment=first.segment).earliest("pk")
    decision = adjudicate(campaign=campaign, translation=output, answered={"score": 50}, reason="A test.", by=organiser)
    make_questionnaire(campaign)
    answer_questionnaire(campaign, cast.annotator)
    mail = make_mail(campaign, cast.annotator)
    hook, _secret = add_webhook(campaign=campaign, address="https://93.184.215.14/", events=["alert"], by=organiser)
    return {
        "mail/pk": mail.pk,
        "log/pk": mail.pk,
        "no-more-mail/key": stop_address(mail).rstrip("/").rpartition("/")[2],
        "webhooks/pk": hook.pk,
        "deliveries/pk": send_test(webhook=hook).pk,
        "questionnaire/moment": "entry",
        "questionnaires/moment": "entry",
        "outputs/pk": output.pk,
        "segments/pk": output.segment_id,
        "media/file_hash": make_medium(first.document).file_hash,
        "adjudications/pk": decision.pk,
        "join/key": make_crowd(campaign).key,
        "invitations/secret": invited.secret,
        "assignments/pk": assignment.pk,
        "campaigns/slug": campaign.slug,
        "projects/project": _project_of(campaign),
        "test-sets/slug": campaign.test_set.slug,
        "items/item": first.public_id,
        "practice/items/item": _practice_item(campaign, first.document).public_id,
        "annotators/username": cast.annotator.username,
        "api/v1/campaigns/<slug:slug>/annotators/username": cast.annotator.username,
        "deleted-campaigns/pk": campaign.pk,  # not deleted: nobody finds it
        "drafts/pk": keep_campaign_draft(account=organiser, values={}).pk,
        "campaign-drafts/pk": keep_campaign_draft(account=organiser, values={}).pk,
        "people/accounts/username": cast.annotator.username,
        "accounts/username": cast.annotator.username,
        "members/username": cast.researcher.username,
        "roles/role": Role.RESEARCHER,
        "sessions/pk": _session(organiser).pk,
        "people/pk": invited.invitation.pk,
        "members/pk": campaign.memberships.get(role=Role.RESEARCHER).pk,
        "adjudicators/username": cast.researcher.username,
        "invitations/pk": invited.invitation.pk,
        "tokens/pk": make_api_token(account=organiser, name="to go", by=None)[0].pk,
        "exports/format": "csv",
        "metrics/name": "scores",
        "import/pk": imported.pk,
        "files/upload": uuid.uuid4(),
        "new-campaign/runs/pk": _waiting_run("new_campaign", organiser).pk,
        "copies/pk": _waiting_run("campaign_copies", organiser, copied=campaign.pk).pk,
        "rebuild-campaign/pk": _waiting_run("rebuilding", organiser).pk,
        "uploads/upload": _upload(organiser),
        "realigned/key": REALIGNED,
        "api/v1/uploads/upload": _upload(organiser),
        "runs/pk": analysis.pk,
        "work/pk": assignment.pk,
        "parts/name": "ranking",
        "imports/pk": imported.pk,
        "api/v1/runs/<int:pk>/tables/name": "systems",
        "api/v1/runs/<int:pk>/paper/tables/name": "systems",
        "shared/secret": shared,
        "shares/pk": link.pk,
        "tables/name": "systems",
        "results/table": "pairs",
        "compare/table": "systems",
        "tables/<slug:name>./form": "csv",
        "docs/resource": "runs",
        "settings/languages/language": "es",
        "app/language": "de",
        "figures/name": "systems-score",
        "exports/methods./form": "tex",
    }


def placed(route: str, places: Mapping[str, Any]) -> str:
    """The route as an address. KeyError names the parameter nothing stands for."""
    address = route
    while match := _PARAMETER.search(address):
        before = route[: route.index(match[0])].rstrip("/")
        keys = [key for key in places if key.rpartition("/")[2] == match[1] and before.endswith(key.rpartition("/")[0])]
        if not keys:
            raise KeyError(f"{before.rpartition('/')[2]}/{match[1]}")
        address = address.replace(match[0], str(places[max(keys, key=len)]), 1)
    return f"/{address}"


def _project_of(campaign: Campaign) -> str:
    Campaign.objects.filter(pk=campaign.pk).update(project="Spring")
    return "Spring"


def _session(account: Account) -> Session:
    """Another device of theirs."""
    now = timezone.now()
    return Session.objects.create(
        session_key="elsewhere", account=account, expire_date=now + timedelta(days=1), created_at=now, last_used_at=now
    )


def _practice_item(campaign: Campaign, place: Document) -> PracticeItem:
    """Beside the document where a medium is."""
    return PracticeItem.objects.create(
        campaign=campaign, position=1, source="One.", slots={"A": "Eins."}, document=place
    )


def _waiting_run(kind: str, account: Account, **arguments: Any) -> Run:
    """As somebody waits for it."""
    started = timezone.now()
    return Run.objects.create(
        kind=kind,
        arguments={"name": "X", **arguments},
        status=RunStatus.RUNNING,
        heartbeat_at=started,
        created_by=account,
    )


def _upload(account: Account) -> uuid.UUID:
    upload = uuid.uuid4()
    folder: Path = upload_folder(upload)
    folder.mkdir(parents=True)
    run = queue_run(
        kind="inspection",
        arguments={"upload": str(upload), "files": [{"name": "a", "path": "a", "size": 1}]},
        created_by=account,
    )
    document = {"system": "Heron", "document": "d", "blocks": 1, "segments": 1, "how": "split"}
    run.result = {"genmt": {"realigned": [{**document, "key": REALIGNED, "rows": []}]}}
    run.save()
    (folder / ".realigned").mkdir()
    texts = json.dumps({**document, "sources": ["One."], "parts": ["Eins."]})
    (folder / ".realigned" / f"{REALIGNED}.json").write_text(texts, encoding="utf-8")
    return upload
