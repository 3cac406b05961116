"""A file that holds a whole campaign → test set, campaign with its screens, people, practice and checks; or nothing."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, cast

from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.actions.creating import create_campaign
from annotation.actions.imported_checks import store_imported_checks
from annotation.actions.practising import set_practice
from annotation.actions.serving_checks import draw_checks
from annotation.campaign_spec import CampaignSpec
from annotation.models import Assignment, AssignmentStatus, PracticeItem
from campaigns.actions.enrolment import enrol_people
from campaigns.actions.media import add_media
from campaigns.actions.questionnaires import ask_questionnaire, set_questionnaire
from campaigns.actions.test_sets import NewTestSet, store_test_set
from campaigns.invalid_input import InvalidInput
from campaigns.languages import language_problem
from campaigns.media.errors import MediaError
from campaigns.models import Account, Campaign, Planning, TestSet, TestSetStatus
from campaigns.new_people import Person
from campaigns.reading.problems import Problems
from exchange.campaign_readers import READERS
from exchange.formats.pearmut_campaign import TASKS
from exchange.judgment_files import CampaignOutcome, campaign_name_errors
from exchange.planned_screens import as_planned
from exchange.read_campaigns import CampaignSource, ReadCampaign, in_order_of_documents
from exchange.reading import ImportFileError, add_to_digest

OnProgress = Callable[[float], None]


def import_campaign(
    source: CampaignSource,
    *,
    format: str,
    name: str,
    created_by: Account | None = None,
    on_progress: OnProgress | None = None,
) -> CampaignOutcome:
    """Raises ImportFileError with everything that is wrong; then nothing is stored."""
    name, progress = name.strip(), on_progress or (lambda _share: None)
    _check_request(name, source)
    digest = hashlib.sha256("\n".join((format, *source.languages, source.campaign_id)).encode())
    for path in (source.path, source.manifest):
        if path is not None:
            add_to_digest(digest, path, path.name)
    existing = Campaign.objects.filter(name=name).select_related("test_set").first()
    if existing is not None:
        if existing.test_set.content_hash != digest.hexdigest():
            message = _("A campaign has the name “%(name)s” already. Choose another name.")
            raise ImportFileError(message % {"name": name})
        return CampaignOutcome(existing, created=False, report=existing.test_set.report)
    if TestSet.objects.filter(name=name, status=TestSetStatus.READY).exists():
        raise ImportFileError(_("A test set has the name “%(name)s” already. Choose another name.") % {"name": name})
    problems = Problems()
    read = READERS[format](source, problems)
    if read is None:
        raise ImportFileError(problems=problems)
    storing = _Storing(read, format, name, created_by)
    try:
        campaign = storing.store(source.languages, digest.hexdigest(), progress)
    except BaseException as error:
        storing.withdraw()
        if isinstance(error, InvalidInput):
            raise ImportFileError(*(each for messages in error.errors.values() for each in messages)) from error
        if isinstance(error, MediaError):
            raise ImportFileError(*map(str, error.problems.in_order)) from error
        raise
    return CampaignOutcome(campaign, created=True, report=campaign.test_set.report)


def _check_request(name: str, source: CampaignSource) -> None:
    errors = campaign_name_errors(name)
    for side, language in zip(("source", "target"), source.languages, strict=True):
        if error := language_problem(language):
            errors.append(f"{side} language: {error}")
    if source.assets is not None and not source.assets.is_dir():
        errors.append(
            _("%(path)s is not a folder. Name the folder of pictures, audio and video.") % {"path": source.assets}
        )
    if errors:
        raise ImportFileError(*errors)


@dataclass
class _Storing:
    """What was stored so far, so that it can be taken back."""

    read: ReadCampaign
    format: str
    name: str
    by: Account | None
    test_set: TestSet | None = None
    campaign: Campaign | None = None
    people: list[Account] = field(default_factory=list)

    def store(self, languages: tuple[str, str], digest: str, on_progress: OnProgress) -> Campaign:
        read = self.read
        documents = read.documents
        new = NewTestSet(
            name=self.name,
            source_language=languages[0],
            target_language=languages[1],
            content_hash=digest,
            format=self.format,
            systems=documents.systems,
            segments=in_order_of_documents(documents),
            questions=(),
            count=len(documents.segments),
            report=read.as_report(),
        )
        self.test_set = store_test_set(new, created_by=self.by, on_progress=lambda share: on_progress(share / 2))
        if read.media:
            add_media(test_set=self.test_set, files=read.media, by=self.by)
        exact = None
        if read.is_exact:
            is_pool = read.info.assignment != TASKS
            exact = as_planned(read, self.test_set, is_pool=is_pool)
        spec = _spec(read, self.name)
        self.campaign = create_campaign(spec=spec, test_set=self.test_set, created_by=self.by, planned=exact)
        on_progress(0.8)
        self._enrol(self.campaign, is_exact=exact is not None)
        practice = [item for items in documents.practice.values() for item in items]
        if practice:
            set_practice(campaign=self.campaign, items=practice, pass_mark=None, by=self.by)
        for moment, questions in documents.questions.items():
            set_questionnaire(campaign=self.campaign, moment=moment, questions=questions, consent="", by=self.by)
            ask_questionnaire(campaign=self.campaign, moment=moment, is_asked=True, by=self.by)
        if documents.checks and read.is_contrastive:
            store_imported_checks(campaign=self.campaign, checks=list(documents.checks.values()), by=self.by)
            for given in Assignment.objects.filter(campaign=self.campaign, annotator__isnull=False):
                draw_checks(given, cast("Account", given.annotator))  # others get theirs when they are handed out
        return self.campaign

    def _enrol(self, campaign: Campaign, *, is_exact: bool) -> None:
        """Each user of a planned campaign has the screens that the file gives them."""
        info = self.read.info
        if not info.people:
            return
        taken = set(Account.objects.filter(username__in=info.users).values_list("username", flat=True))
        people = [Person(name=user, username="" if user in taken else user) for user in info.users]
        self.people = enrol_people(campaign=campaign, people=people or [Person()] * info.user_count, by=self.by)
        if is_exact and info.assignment == TASKS and self.read.gives_screens:
            with_screens = [
                account for account, screens in zip(self.people, self.read.documents.screens, strict=True) if screens
            ]
            assignments = list(Assignment.objects.filter(campaign=campaign).order_by("position"))
            for assignment, account in zip(assignments, with_screens, strict=True):
                assignment.annotator, assignment.status = account, AssignmentStatus.OPEN
                assignment.claimed_at = timezone.now()
            Assignment.objects.bulk_update(assignments, ["annotator", "status", "claimed_at"])

    def withdraw(self) -> None:
        if self.campaign is not None:
            PracticeItem.objects.filter(campaign=self.campaign).delete()
            self.campaign.delete()
        if self.test_set is not None:
            self.test_set.delete()
        Account.objects.filter(pk__in=[account.pk for account in self.people]).delete()


def _spec(read: ReadCampaign, name: str) -> CampaignSpec:
    info = read.info
    options: dict[str, Any] = {}
    if read.is_contrastive:
        tags = [{"name": tag, "title": title} for tag, title in info.tags]
        options = {"systems_per_screen": read.systems_per_screen} | ({"tags": tags} if tags else {})
    elif read.systems_per_screen <= info.most_systems:
        options = {"systems_per_screen": read.systems_per_screen}
    if "missing_content" in info.option_names:
        options["missing_content"] = bool(info.tags)
    if read.asks_documents and "document_scores" in info.option_names:
        options["document_scores"] = True
    if info.typology is not None:
        options["typology"] = info.typology
    if read.documents.suggested and "suggestions" in info.option_names:
        options["suggestions"] = True
    planning = Planning.STATIC if info.assignment == TASKS else Planning.POOL
    spec = CampaignSpec(
        name=name, protocol=info.protocol, options=options, planning=planning.value, guidelines=info.guidelines
    )
    share = read.documents.check_share if info.check_share is None else info.check_share
    return spec if share is None else replace(spec, check_share=share)
