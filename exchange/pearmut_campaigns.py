"""A file of a Pearmut campaign → test set, campaign with its screens, people, practice and checks; all or nothing."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.actions.creating import create_campaign
from annotation.actions.imported_checks import store_imported_checks
from annotation.actions.practising import MOST_ITEMS, set_practice
from annotation.campaign_spec import CampaignSpec
from annotation.models import Assignment, AssignmentStatus, PracticeItem
from campaigns.actions.enrolment import enrol_people
from campaigns.actions.media import MediumFile, add_media
from campaigns.actions.test_sets import NewTestSet, store_test_set
from campaigns.invalid_input import InvalidInput
from campaigns.languages import language_problem
from campaigns.media.errors import MediaError
from campaigns.models import Account, Campaign, Planning, TestSet, TestSetStatus
from campaigns.new_people import Person
from campaigns.reading.problems import Problems, UnreadableFileError
from exchange.formats.pearmut_campaign import (
    DYNAMIC,
    KEPT,
    MEDIA_KINDS,
    NAMELESS,
    NO_RULE,
    NOT_SUGGESTED,
    REFUSED,
    SHOWN_AGAIN,
    TASKS,
    DocumentReader,
    ReadDocuments,
)
from exchange.formats.pearmut_info import Info, read_info
from exchange.formats.pearmut_media import found_media
from exchange.formats.pearmut_records import chosen_campaign, is_json, whole_json
from exchange.judgment_files import campaign_name_errors
from exchange.pearmut_plans import as_planned
from exchange.reading import ImportFileError, SourceFile, add_to_digest

FORMAT = "pearmut"
SPECIAL = ("data_welcome", "data_random", "data_goodbye")
OnProgress = Callable[[float], None]


@dataclass
class ReadCampaign:
    """Everything that a file says; `media` are the files found for it, `missing` the paths without one."""

    campaign_id: str
    info: Info
    documents: ReadDocuments
    media: list[MediumFile] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def is_contrastive(self) -> bool:
        return self.info.is_contrastive

    @property
    def systems_per_screen(self) -> int:
        widths = [len(screen.systems) for screens in self.documents.screens for screen in screens]
        return self.info.systems_per_screen or max(widths, default=1)

    def as_report(self) -> dict[str, Any]:
        read, info = self.documents, self.info
        kinds = Counter(MEDIA_KINDS[medium.kind] for medium in read.media.values())
        return {
            "campaign_id": self.campaign_id,
            "assignment": info.assignment,
            "protocol": info.protocol,
            "documents": len(read.documents),
            "segments": len(read.segments),
            "screens": sum(map(len, read.screens)),
            "systems": sorted(read.systems),
            "annotators": info.people,
            "practice": len(read.practice),
            "forms": read.forms,
            "attention_checks": len(read.checks),
            "tags": [name for name, _title in info.tags],
            "systems_per_screen": self.systems_per_screen,
            "media": {"images": kinds["images"], "videos": kinds["videos"]}
            | ({"audio": kinds["audio"]} if kinds["audio"] else {}),
            "scripts_and_styles_removed": read.removed + info.removed,
            "refused": {name: read.odd[name] for name in REFUSED},
            "kept_and_reported": {name: read.odd[name] for name in KEPT} | {"missing_media": len(self.missing)},
            "notes": list(self.notes()),
        }

    def notes(self) -> Iterator[str]:
        read = self.documents
        yield from self.info.notes
        steps = [
            (read.forms, _("Forms before work, left out: %(count)d.")),
            (read.removed + self.info.removed, _("Scripts and styles in instructions, removed: %(count)d.")),
            (read.not_expected, _("Rules of practice without an equal in this protocol, left out: %(count)d.")),
            (read.odd[NAMELESS], _("Documents without `item_id`, called by their place in the file: %(count)d.")),
            (read.odd[SHOWN_AGAIN], _("Outputs that are shown to the same person again: %(count)d.")),
            (read.odd[NO_RULE], _("Attention checks without a rule, left out: %(count)d.")),
        ]
        for count, message in steps:
            if count:
                yield message % {"count": count}
        for paths, message in (
            (read.elsewhere, _("Media in frames or of other hosts, refused (%(count)d): %(names)s.")),
            (self.missing, _("Missing media, left out (%(count)d): %(names)s.")),
        ):
            if paths:
                shown = ", ".join(paths[:5]) + (" …" if len(paths) > 5 else "")
                yield message % {"count": len(paths), "names": shown}
        if read.suggested and "suggestions" not in self.info.option_names:
            message = _("Suggested errors, stored with the texts but not shown with this protocol: %(count)d.")
            yield message % {"count": read.suggested}
        if read.odd[NOT_SUGGESTED]:
            message = _("Suggested errors outside the text or without a severity, left out: %(count)d.")
            yield message % {"count": read.odd[NOT_SUGGESTED]}
        if read.checks and not self.is_contrastive:
            yield _("Attention checks, left out because this protocol shows no whole documents: %(count)d.") % {
                "count": len(read.checks)
            }


def read_campaign_file(
    path: Path, name: str, problems: Problems, *, campaign_id: str = "", assets: Path | None = None
) -> ReadCampaign | None:
    """None, with everything that is wrong among the problems, for a file that cannot be imported."""
    file = SourceFile(path, name, problems)
    with suppress(UnreadableFileError):
        file.check_is_text(is_json)
        value = whole_json(file)
        several = value if isinstance(value, list) else [value]
        campaigns = {str(one.get("campaign_id", "")): one for one in several if isinstance(one, Mapping)}
        chosen = chosen_campaign(file, list(campaigns), campaign_id)
        read = _read(file, chosen, campaigns[chosen])
        if not problems.count:
            read.media, read.missing = found_media(read.documents.media, assets, problems)
        return None if problems.count else read
    return None


def _read(file: SourceFile, campaign_id: str, value: Mapping[str, Any]) -> ReadCampaign:
    reader = DocumentReader(file, [], is_contrastive=True)
    info = read_info(value.get("info"), reader.line)
    reader.tags = [name for name, _title in info.tags]
    reader.protocol = info.protocol
    reader.is_contrastive = info.is_contrastive and info.assignment != DYNAMIC
    for part in SPECIAL:
        if value.get(part):
            reader.special(value[part], part)
    data = value.get("data")
    if info.assignment != TASKS:
        reader.stream(data, "data")
    else:
        info = _read_tasks(reader, data, info)
    if info.assignment == DYNAMIC:
        _check_dynamic(reader)
    if not reader.read.segments and not file.problems.count:
        reader.refuse("data", _("The campaign has no documents to judge."))
    if sum(map(len, reader.read.practice.values())) > MOST_ITEMS:
        reader.refuse("data_welcome", _("A campaign has at most %(most)d practice items.") % {"most": MOST_ITEMS})
    return ReadCampaign(campaign_id, info, reader.read)


def _read_tasks(reader: DocumentReader, data: object, info: Info) -> Info:
    """The documents of each user; as an object they are by name."""
    if isinstance(data, Mapping):
        by_user = [(f"data.{name}", documents) for name, documents in data.items()]
    elif isinstance(data, list):
        by_user = [(f"data[{place}]", documents) for place, documents in enumerate(data)]
    else:
        reader.refuse("data", _("This must be a list of users' documents."))
        return info
    for where, documents in by_user:
        reader.stream(documents, where)
    if info.people and info.people != len(by_user):
        message = _("There are documents of %(count)d users, but `users` has %(people)d.")
        reader.refuse("info.users", message % {"count": len(by_user), "people": info.people})
    if info.people:
        return info
    names = [str(name) for name in data] if isinstance(data, Mapping) else []
    return Info(**{**vars(info), "users": names, "user_count": 0 if names else len(by_user)})


def _check_dynamic(reader: DocumentReader) -> None:
    screens = [screen for several in reader.read.screens for screen in several]
    for place, screen in enumerate(screens):
        if set(screen.systems) != set(screens[0].systems):
            reader.refuse(f"data[{place}]", _("In a dynamic campaign all documents need the same systems."))


@dataclass(frozen=True)
class PearmutOutcome:
    """`created` is False if the very same file was imported under this name before."""

    campaign: Campaign
    created: bool
    report: dict[str, Any]


def import_campaign(
    path: Path,
    *,
    name: str,
    source_language: str,
    target_language: str,
    file_name: str = "",
    campaign_id: str = "",
    assets: Path | None = None,
    created_by: Account | None = None,
    on_progress: OnProgress | None = None,
) -> PearmutOutcome:
    """Raises ImportFileError with everything that is wrong; then nothing is stored."""
    name, progress = name.strip(), on_progress or (lambda _share: None)
    _check_request(name, source_language, target_language, assets)
    digest = hashlib.sha256("\n".join((FORMAT, source_language, target_language, campaign_id)).encode())
    add_to_digest(digest, path, FORMAT)
    existing = Campaign.objects.filter(name=name).select_related("test_set").first()
    if existing is not None:
        if existing.test_set.content_hash != digest.hexdigest():
            message = _("A campaign has the name “%(name)s” already. Choose another name.")
            raise ImportFileError(message % {"name": name})
        return PearmutOutcome(existing, created=False, report=existing.test_set.report)
    if TestSet.objects.filter(name=name, status=TestSetStatus.READY).exists():
        raise ImportFileError(_("A test set has the name “%(name)s” already. Choose another name.") % {"name": name})
    problems = Problems()
    read = read_campaign_file(path, file_name or path.name, problems, campaign_id=campaign_id, assets=assets)
    if read is None:
        raise ImportFileError(problems=problems)
    storing = _Storing(read, name, created_by)
    try:
        campaign = storing.store((source_language, target_language), digest.hexdigest(), progress)
    except BaseException as error:
        storing.withdraw()
        if isinstance(error, InvalidInput):
            raise ImportFileError(*(each for messages in error.errors.values() for each in messages)) from error
        if isinstance(error, MediaError):
            raise ImportFileError(*map(str, error.problems.in_order)) from error
        raise
    return PearmutOutcome(campaign, created=True, report=campaign.test_set.report)


def _check_request(name: str, source: str, target: str, assets: Path | None) -> None:
    errors = campaign_name_errors(name)
    for side, language in (("source", source), ("target", target)):
        if error := language_problem(language):
            errors.append(f"{side} language: {error}")
    if assets is not None and not assets.is_dir():
        errors.append(_("%(path)s is not a folder. Name the folder of pictures, audio and video.") % {"path": assets})
    if errors:
        raise ImportFileError(*errors)


@dataclass
class _Storing:
    """What was stored so far, so that it can be taken back."""

    read: ReadCampaign
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
            format=FORMAT,
            systems=documents.systems,
            segments=_in_order_of_documents(documents),
            questions=(),
            count=len(documents.segments),
            report=read.as_report(),
        )
        self.test_set = store_test_set(new, created_by=self.by, on_progress=lambda share: on_progress(share / 2))
        if read.media:
            add_media(test_set=self.test_set, files=read.media, by=self.by)
        exact = None
        if read.is_contrastive and read.info.assignment != DYNAMIC:
            exact = as_planned(documents, self.test_set, is_pool=read.info.assignment != TASKS)
        spec = _spec(read, self.name)
        self.campaign = create_campaign(spec=spec, test_set=self.test_set, created_by=self.by, planned=exact)
        on_progress(0.8)
        self._enrol(self.campaign, is_exact=exact is not None)
        practice = [item for items in documents.practice.values() for item in items]
        if practice:
            set_practice(campaign=self.campaign, items=practice, pass_mark=None, by=self.by)
        if documents.checks and read.is_contrastive:
            store_imported_checks(campaign=self.campaign, checks=list(documents.checks.values()), by=self.by)
        return self.campaign

    def _enrol(self, campaign: Campaign, *, is_exact: bool) -> None:
        """Each user of a planned campaign has the screens that the file gives them."""
        info = self.read.info
        if not info.people:
            return
        taken = set(Account.objects.filter(username__in=info.users).values_list("username", flat=True))
        people = [Person(name=user, username="" if user in taken else user) for user in info.users]
        self.people = enrol_people(campaign=campaign, people=people or [Person()] * info.user_count, by=self.by)
        if is_exact and info.assignment == TASKS:
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


def _in_order_of_documents(documents: ReadDocuments) -> Iterator[Any]:
    """A document's segments together, though another document may have come between."""
    places = {document: place for place, document in enumerate(documents.documents)}
    yield from sorted(documents.segments.values(), key=lambda record: places[record.document])


def _spec(read: ReadCampaign, name: str) -> CampaignSpec:
    info = read.info
    options: dict[str, Any] = {}
    if read.is_contrastive:
        tags = [{"name": tag, "title": title} for tag, title in info.tags]
        options = {"systems_per_screen": read.systems_per_screen} | ({"tags": tags} if tags else {})
    elif "missing_content" in info.option_names:
        options = {"missing_content": bool(info.tags)}
    if read.documents.suggested and "suggestions" in info.option_names:
        options["suggestions"] = True
    planning = Planning.STATIC if info.assignment == TASKS else Planning.POOL
    spec = CampaignSpec(
        name=name, protocol=info.protocol, options=options, planning=planning.value, guidelines=info.guidelines
    )
    return spec if info.check_share is None else replace(spec, check_share=info.check_share)
