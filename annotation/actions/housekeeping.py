"""What an organiser does to a campaign or a test set as a whole: rename, archive, delete, restore, purge."""

from datetime import date, datetime, time, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.actions.checked_spec import project_error
from annotation.campaign_spec import NAME_LIMIT, PARAMETERS
from annotation.models import Draft, Judgment, ProblemReport
from annotation.queries.progress import stored_judgments
from campaigns.actions.audit import record
from campaigns.invalid_input import InvalidInput
from campaigns.media.storage import remove_unused_files
from campaigns.models import Account, Campaign, CampaignStatus, Medium, Membership, TestSet

KEPT_DAYS = 7
FIRST_YEAR, LAST_YEAR = 2000, 2200  # of last days


def rename_campaign(*, campaign: Campaign, name: str, by: Account | None) -> Campaign:
    """The address stays as it is, so that links to it hold."""
    new = _checked_name(name, Campaign.objects.exclude(pk=campaign.pk).filter(name=_plain(name)).exists())
    if new != campaign.name:
        with transaction.atomic():
            Campaign.objects.filter(pk=campaign.pk).update(name=new)
            record(action="campaign_renamed", by=by, campaign=campaign, before=campaign.name, after=new)
        campaign.name = new
    return campaign


def set_project(*, campaign: Campaign, project: str, by: Account | None) -> Campaign:
    """The label of campaigns that belong together; empty for none."""
    new = project.strip()
    if message := PARAMETERS["project"].error_in(new) or project_error(new):
        raise InvalidInput.of("project", message)
    if new != campaign.project:
        with transaction.atomic():
            Campaign.objects.filter(pk=campaign.pk).update(project=new)
            record(action="project_set", by=by, campaign=campaign, before=campaign.project, after=new)
        campaign.project = new
    return campaign


def set_deadline(*, campaign: Campaign, day: date | None, by: Account | None) -> Campaign:
    """The last day for judging; None for none. Nothing ends by it: organisers see who will not be done."""
    if day is not None and not FIRST_YEAR <= day.year <= LAST_YEAR:
        message = _("Enter a day from %(first)d to %(last)d.")
        raise InvalidInput.of("finish_by", message % {"first": FIRST_YEAR, "last": LAST_YEAR})
    if day != campaign.last_day:
        end = timezone.make_aware(datetime.combine(day, time(23, 59, 59))) if day else None
        with transaction.atomic():
            Campaign.objects.filter(pk=campaign.pk).update(finish_by=end)
            record(action="deadline_set", by=by, campaign=campaign, day=day.isoformat() if day else "")
        campaign.finish_by = end
    return campaign


def archive_campaign(*, campaign: Campaign, is_archived: bool, by: Account | None) -> Campaign:
    """Out of the list, or back into it; results and pages stay. An open campaign cannot be archived."""
    if is_archived == bool(campaign.archived_at):
        return campaign
    if is_archived and campaign.status in (CampaignStatus.OPEN, CampaignStatus.PAUSED):
        raise InvalidInput.of("is_archived", _("Close the campaign before you archive it."))
    campaign.archived_at = timezone.now() if is_archived else None
    with transaction.atomic():
        Campaign.objects.filter(pk=campaign.pk).update(archived_at=campaign.archived_at)
        record(action="campaign_archived" if is_archived else "campaign_unarchived", by=by, campaign=campaign)
    return campaign


def may_delete(campaign: Campaign, account: Account) -> bool:
    """Nobody deletes what another organiser made."""
    return account.is_superuser or campaign.created_by_id in (None, account.pk)


def has_judgments(campaign: Campaign) -> bool:
    return stored_judgments(campaign) > 0


def delete_campaign(*, campaign: Campaign, typed_name: str, by: Account) -> Campaign:
    """Sets it aside for seven days; with judgments only if its name was typed.

    The name is free again at once. All memberships end with it, and come back when it is restored.
    """
    if not may_delete(campaign, by):
        raise InvalidInput.of("name", _("Only the organiser who created this campaign can delete it."))
    if campaign.status in (CampaignStatus.OPEN, CampaignStatus.PAUSED):
        raise InvalidInput.of("name", _("Close the campaign before you delete it."))
    if has_judgments(campaign) and typed_name.strip() != campaign.name:
        raise InvalidInput.of("name", _("It has judgments. Enter its name as it is written here."))
    now = timezone.now()
    aside = f" ({campaign.pk}, deleted)"
    with transaction.atomic():
        name, slug = f"{campaign.name[: NAME_LIMIT - len(aside)]}{aside}", f"deleted-{campaign.pk}"
        record(action="campaign_deleted", by=by, campaign=campaign, name=campaign.name, slug=campaign.slug)
        Campaign.objects.filter(pk=campaign.pk).update(deleted_at=now, name=name, slug=slug)
        Membership.objects.filter(campaign=campaign).update(removed_at=now)
    campaign.refresh_from_db()
    return campaign


def name_before_deletion(campaign: Campaign) -> str:
    entry = campaign.audit_entries.filter(action="campaign_deleted").order_by("-at").first()
    return str(entry.detail["name"]) if entry else campaign.name


def restore_campaign(*, campaign: Campaign, by: Account) -> Campaign:
    """As it was, under its name; under another one if that has been taken meanwhile."""
    entry = campaign.audit_entries.filter(action="campaign_deleted").latest("at")
    name, slug = entry.detail["name"], entry.detail["slug"]
    others = Campaign.objects.exclude(pk=campaign.pk)
    if others.filter(Q(name=name) | Q(slug=slug)).exists():
        ending = f" {campaign.pk}"
        name, slug = f"{name[: NAME_LIMIT - len(ending)]}{ending}", f"{slug}-{campaign.pk}"
    with transaction.atomic():
        Membership.ever.filter(campaign=campaign, removed_at=campaign.deleted_at).update(removed_at=None)
        Campaign.objects.filter(pk=campaign.pk).update(deleted_at=None, name=name, slug=slug)
        record(action="campaign_restored", by=by, campaign=campaign)
    campaign.refresh_from_db()
    return campaign


def purge_deleted(*, before: datetime | None = None) -> int:
    """Erases campaigns that were set aside for more than seven days, or before that moment; returns their number."""
    until = before or timezone.now() - timedelta(days=KEPT_DAYS)
    purged = 0
    for campaign in Campaign.objects.filter(deleted_at__lt=until):
        with transaction.atomic():
            of_campaign = {"item__assignment__campaign": campaign}
            for model in (Draft, ProblemReport, Judgment):  # judgments protect what they are of
                model._default_manager.filter(**of_campaign).delete()  # noqa: SLF001 - documented
            people = list(Account.objects.filter(made_for=campaign).values_list("pk", flat=True))
            record(action="campaign_purged", by=None, name=name_before_deletion(campaign))
            campaign.delete()
            Account.objects.filter(pk__in=people, memberships=None).delete()
        purged += 1
    return purged


def rename_test_set(*, test_set: TestSet, name: str, by: Account | None) -> TestSet:
    new = _checked_name(name, TestSet.objects.exclude(pk=test_set.pk).filter(name=_plain(name)).exists())
    if new != test_set.name:
        with transaction.atomic():
            TestSet.objects.filter(pk=test_set.pk).update(name=new)
            record(action="test_set_renamed", by=by, before=test_set.name, after=new)
        test_set.name = new
    return test_set


def delete_test_set(*, test_set: TestSet, by: Account) -> None:
    """At once and for good; one that a campaign uses stays, also if the campaign is set aside."""
    if not by.is_superuser and test_set.created_by_id not in (None, by.pk):
        raise InvalidInput.of("test_set", _("Only who imported a test set can delete it."))
    with transaction.atomic():
        used = test_set.campaigns.select_for_update(of=("self",)).order_by("name").values_list("name", flat=True)
        checked = Campaign.objects.filter(attention_checks__document__test_set=test_set).distinct()
        names = [*used[:3], *checked.values_list("name", flat=True)[:3]]
        if names:
            words = _("This test set is in use and cannot be deleted. Campaigns: %(names)s.")
            raise InvalidInput.of("test_set", words % {"names": ", ".join(names)})
        record(action="test_set_deleted", by=by, name=test_set.name)
        media = list(Medium.objects.filter(document__test_set=test_set).values_list("file_hash", flat=True))
        test_set.delete()
        transaction.on_commit(lambda: remove_unused_files(media))


def _plain(name: str) -> str:
    return name.strip().replace("\x00", "")


def _checked_name(name: str, is_taken: bool) -> str:
    name = name.strip()
    if not name:
        raise InvalidInput.of("name", _("Enter a name."))
    if "\x00" in name:
        raise InvalidInput.of("name", _("The text contains an invalid character (NUL)."))
    if len(name) > NAME_LIMIT:
        raise InvalidInput.of("name", _("A name has at most %(limit)d characters.") % {"limit": NAME_LIMIT})
    if is_taken:
        raise InvalidInput.of("name", _("This name is taken. Choose another."))
    return name
