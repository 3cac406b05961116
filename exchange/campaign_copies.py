"""Copies of a campaign for several language pairs at once, each with a test set and people of its own.

All of them or none: every row is checked first, with its file; what is made before a later row fails is removed again.
Nobody is invited and nothing opens before the last one stands. A run that is performed again after a crash goes on
where it stopped. One transaction would hold up judging elsewhere for as long as all plans take.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from annotation.actions.checked_spec import errors_of, project_error
from annotation.actions.copying import copy_settings
from annotation.actions.creating import create_campaign, made_on
from annotation.actions.housekeeping import set_project
from annotation.actions.status import set_status
from annotation.campaign_spec import NAME_LIMIT, PARAMETERS, CampaignSpec
from campaigns.actions.audit import record
from campaigns.actions.enrolment import PeopleError, enrol_people
from campaigns.invalid_input import InvalidInput
from campaigns.languages import language_problem
from campaigns.models import Account, Campaign, CampaignStatus, TestSet
from campaigns.new_people import Person, check_people
from campaigns.queries import systems_of
from exchange.reading import ImportFileError
from exchange.test_set_files import import_test_set
from exchange.uploaded_files import format_of_files, import_files
from jobs.models import Run
from jobs.run_kinds import InvalidRun, OnProgress, RunFailed, RunKind

MOST_COPIES = 50
FIELDS = ("name", "source_language", "target_language", "test_set", "annotators", "people")
_PLAIN = ("name", "source_language", "target_language", "annotators", "upload")


@dataclass(frozen=True)
class CopyRow:
    """A copy: its languages, texts (a stored test set or files, as a run takes them) and annotators.

    `people` are listed, or there are `annotators` without names. Without a name it has one of the original's and the
    pair's. The languages of a stored test set are its own. `upload` is the folder of the files, if somebody sent them.
    """

    name: str = ""
    source_language: str = ""
    target_language: str = ""
    test_set: TestSet | None = None
    files: Sequence[Mapping[str, Any]] = ()
    annotators: int = 0
    people: Sequence[Person] = ()
    upload: str = ""

    @property
    def pair(self) -> tuple[str, str]:
        if self.test_set is not None:
            return self.test_set.source_language, self.test_set.target_language
        return self.source_language, self.target_language

    @property
    def everybody(self) -> Sequence[Person]:
        return self.people or [Person()] * self.annotators

    def named_after(self, source: Campaign) -> "CopyRow":
        return self if self.name.strip() else replace(self, name=name_of_copy(source, *self.pair))


@dataclass(frozen=True)
class CopyPlan:
    """What all copies share. `practice`: practice items also where the languages differ."""

    project: str = ""
    practice: bool = False
    open: bool = False


@dataclass
class CopyErrors(Exception):
    """All that is wrong with the rows: messages by row (from 0) and field, one of `FIELDS`."""

    by_row: dict[int, dict[str, list[str]]] = field(default_factory=dict)

    def add(self, row: int, name: str, message: str) -> None:
        messages = self.by_row.setdefault(row, {}).setdefault(name if name in FIELDS else "test_set", [])
        if message not in messages:
            messages.append(message)

    def take(self, others: "CopyErrors") -> None:
        for row, fields in others.by_row.items():
            for name, messages in fields.items():
                for message in messages:
                    self.add(row, name, message)

    def lines(self) -> Iterator[str]:
        """`2 name: …` – the number of the row, from 1, and the field."""
        for row, fields in sorted(self.by_row.items()):
            for name, messages in fields.items():
                yield from (f"{row + 1} {name}: {line}" for each in messages for line in each.splitlines())

    def __str__(self) -> str:
        return "\n".join(self.lines())


def name_of_copy(source: Campaign, source_language: str, target_language: str) -> str:
    """`Spring en-de` becomes `Spring en-fr`; another name gets the pair behind it."""
    own = f"{source.test_set.source_language}-{source.test_set.target_language}"
    stem = source.name.removesuffix(own).rstrip(" ,(–-")
    pair = f"{source_language}-{target_language}"
    return f"{stem[: NAME_LIMIT - len(pair) - 1]} {pair}"


def spec_of_copy(source: Campaign, row: CopyRow, project: str) -> CampaignSpec:
    """With the systems of the original if the test set has them all, otherwise with all of its own."""
    spec = replace(CampaignSpec.of(source), name=row.name.strip(), project=project, seed=None, systems=None)
    if row.test_set is None:
        return spec
    judged, all_of_source = _names(source), _names(source.test_set)
    has_them = judged < all_of_source and judged <= _names(row.test_set)
    return replace(spec, systems=sorted(judged)) if has_them else spec


def _names(of: Campaign | TestSet) -> set[str]:
    return set(systems_of(of).values_list("name", flat=True))


def check_copies(source: Campaign, rows: Sequence[CopyRow], project: str) -> CopyErrors:
    """Everything that can be known before files are read. The errors are returned, not raised."""
    errors = CopyErrors()
    if not 1 <= len(rows) <= MOST_COPIES:
        errors.add(0, "name", _("Describe from 1 to %(most)d copies.") % {"most": MOST_COPIES})
    named: dict[str, int] = {}
    users: dict[str, int] = {}
    for place, row in enumerate(rows):
        _check_texts(errors, place, row)
        if "source_language" not in (wrong := errors.by_row.get(place, {})) and "target_language" not in wrong:
            _check_spec(errors, place, source, row.named_after(source), project)
            first = named.setdefault(slugify(row.named_after(source).name), place)
            if first != place:
                errors.add(place, "name", _("Row %(number)d has this name, or its address.") % {"number": first + 1})
        for problem in check_people(row.everybody, None):
            errors.add(place, "people" if row.people else "annotators", str(problem))
        for person in row.people:
            first = users.setdefault(person.username.lower(), place) if person.username else place
            if first != place:
                message = _("%(name)s is in row %(number)d, too. Leave out user names, or choose another.")
                errors.add(place, "people", message % {"name": person.username, "number": first + 1})
    return errors


def _check_texts(errors: CopyErrors, place: int, row: CopyRow) -> None:
    if row.test_set is None and not row.files:
        errors.add(place, "test_set", _("Choose a test set or a file."))
    elif row.test_set is not None and row.files:
        errors.add(place, "test_set", _("Choose either a test set or a file, not both."))
    for name, language in zip(("source_language", "target_language"), row.pair, strict=True):
        if problem := language_problem(language):
            errors.add(place, name, problem)
        elif (typed := getattr(row, name)) and typed != language:
            message = _("The test set is in %(language)s. Leave this empty, or choose another test set.")
            errors.add(place, name, message % {"language": language})


def _check_spec(errors: CopyErrors, place: int, source: Campaign, row: CopyRow, project: str) -> None:
    """Errors in what the original decided are about the row's texts: they do not fit it."""
    spec = spec_of_copy(source, row, project)
    if 0 < len(row.everybody) < spec.redundancy:
        message = _("This plan takes at least %(needed)d annotators, because nobody judges the same text twice.")
        errors.add(place, "people" if row.people else "annotators", message % {"needed": spec.redundancy})
    wrong = errors_of(spec, row.test_set)
    for name, messages in wrong.items():
        if name == "project":
            continue  # of all rows: `check_project`
        label = f"{PARAMETERS[name].label}: " if name in PARAMETERS else ""
        for message in messages:
            errors.add(place, name, message if name in FIELDS else f"{label}{message}")


def check_project(project: str) -> None:
    """Raises InvalidInput."""
    if message := PARAMETERS["project"].error_in(project) or project_error(project):
        raise InvalidInput.of("project", message)


def copy_campaign(
    *,
    source: Campaign,
    rows: Sequence[CopyRow],
    plan: CopyPlan,
    by: Account | None,
    request: str = "",
    on_progress: OnProgress = lambda *_: None,
    on_done: Callable[[], object] = lambda: None,
) -> list[Campaign]:
    """The copies, in the order of `rows`. Raises CopyErrors with all that is wrong; then nothing is left of any.

    `on_done` is called in the last transaction. With a `request`, what was made on it before is taken up again.
    """
    check_project(plan.project)
    rows = [row.named_after(source) for row in rows]
    requests = [f"{request} row {place}" if request else "" for place in range(1, len(rows) + 1)]
    made = {place: campaign for place, each in enumerate(requests) if each and (campaign := made_on(each))}
    imported: list[TestSet] = []
    try:
        rows = _with_texts(source, rows, made, plan, by, imported, on_progress)
        for place, (row, each) in enumerate(zip(rows, requests, strict=True)):
            made[place] = made.get(place) or _make(source, row, plan, by, each, place)
            copy_settings(source=source, target=made[place], practice=plan.practice, by=by)
            on_progress(0.5 + 0.4 * (place + 1) / len(rows), row.name)
        campaigns = [made[place] for place in range(len(rows))]
        _finish(source, campaigns, rows, plan, by, on_done)
    except BaseException:
        _remove(made.values(), imported)
        raise
    return campaigns


def _with_texts(
    source: Campaign,
    rows: Sequence[CopyRow],
    made: Mapping[int, Campaign],
    plan: CopyPlan,
    by: Account | None,
    imported: list[TestSet],
    on_progress: OnProgress,
) -> list[CopyRow]:
    """Each with a test set, read from its files where they are right; raises CopyErrors for all rows together."""
    fresh = [place for place in range(len(rows)) if place not in made]
    errors = CopyErrors()
    if not made:
        errors = check_copies(source, rows, plan.project)
    ready = list(rows)
    for number, place in enumerate(fresh, start=1):
        row = rows[place]
        if row.files and place not in errors.by_row:
            try:
                outcome = _import(row, by)
            except (ImportFileError, RunFailed) as error:
                errors.add(place, "test_set", str(error))
                continue
            imported += [outcome.test_set] if outcome.created else []
            ready[place] = replace(row, test_set=outcome.test_set, files=())
            _check_spec(errors, place, source, ready[place], plan.project)
        on_progress(0.5 * number / len(fresh), row.name)
    if errors.by_row:
        raise errors
    return ready


def _import(row: CopyRow, by: Account | None) -> Any:
    files = [dict(file) for file in row.files]
    return import_test_set(
        import_files(files),
        name=row.name.strip(),
        source_language=row.source_language,
        target_language=row.target_language,
        format=format_of_files(files),
        refuse_realigned=True,
        created_by=by,
    )


def _make(source: Campaign, row: CopyRow, plan: CopyPlan, by: Account | None, request: str, place: int) -> Campaign:
    if row.test_set is None:
        raise ValueError("a row without texts was not refused")
    spec = spec_of_copy(source, row, plan.project)
    try:
        return create_campaign(spec=spec, test_set=row.test_set, created_by=by, request=request)
    except InvalidInput as error:
        errors = CopyErrors()
        errors.add(place, "test_set", str(error))
        raise errors from error


def _finish(
    source: Campaign,
    campaigns: Sequence[Campaign],
    rows: Sequence[CopyRow],
    plan: CopyPlan,
    by: Account | None,
    on_done: Callable[[], object],
) -> None:
    """From here on the copies are whole: people have places in all of them or in none."""
    errors = CopyErrors()
    with transaction.atomic():
        for place, (campaign, row) in enumerate(zip(campaigns, rows, strict=True)):
            try:
                if row.everybody:
                    enrol_people(campaign=campaign, people=row.everybody, by=by)
            except PeopleError as error:
                errors.add(place, "people", str(error))
            if plan.open and campaign.status == CampaignStatus.DRAFT:
                set_status(campaign=campaign, status=CampaignStatus.OPEN, by=by)
        if errors.by_row:
            raise errors
        if plan.project and not source.project:
            set_project(campaign=source, project=plan.project, by=by)
        record(action="campaign_copied", by=by, campaign=source, copies=[each.slug for each in campaigns])
        on_done()


def _remove(campaigns: Any, test_sets: Sequence[TestSet]) -> None:
    for campaign in campaigns:
        Campaign.objects.filter(pk=campaign.pk).delete()
    for test_set in test_sets:
        TestSet.objects.filter(pk=test_set.pk).delete()


def arguments_of(source: Campaign, rows: Sequence[CopyRow], plan: CopyPlan, access: str) -> dict[str, Any]:
    """As a run stores them: plain JSON. Passwords must be hashes by now."""
    return {
        "copied": source.pk,
        **asdict(plan),
        "access": str(access),
        "rows": [
            {
                **{name: getattr(row, name) for name in _PLAIN},
                "test_set": row.test_set.pk if row.test_set else None,
                "files": [dict(file) for file in row.files],
                "people": [asdict(person) for person in row.people],
            }
            for row in rows
        ],
    }


def rows_in(arguments: Mapping[str, Any]) -> list[CopyRow]:
    """A test set that was deleted since is missing."""
    stored = arguments["rows"]
    sets = TestSet.objects.in_bulk([row["test_set"] for row in stored if row["test_set"]])
    return [
        CopyRow(**{**row, "test_set": sets.get(row["test_set"]), "people": [Person(**each) for each in row["people"]]})
        for row in stored
    ]


def perform_copies(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    """The addresses of the copies, which become whole together."""
    source = Campaign.objects.filter(pk=run.arguments["copied"], deleted_at=None).first()
    if source is None:
        raise RunFailed(_("The campaign was deleted."))
    plan = CopyPlan(**{name: run.arguments[name] for name in CopyPlan.__dataclass_fields__})
    try:
        campaigns = copy_campaign(
            source=source,
            rows=rows_in(run.arguments),
            plan=plan,
            by=run.created_by,
            request=f"run {run.pk}",
            on_progress=on_progress,
            on_done=lambda: _forget_people(run),
        )
    except CopyErrors as errors:
        _forget_people(run, keeps_list=True)
        raise RunFailed(str(errors)) from errors
    return {"campaigns": [each.slug for each in campaigns]}


def _forget_people(run: Run, *, keeps_list: bool = False) -> None:
    """A second attempt invites nobody twice. After a failure the list is kept to be mended, without passwords."""
    rows = [
        {**row, "people": [{**each, "password_hash": ""} for each in row["people"]]}
        if keeps_list
        else {**row, "people": [], "annotators": 0}
        for row in run.arguments["rows"]
    ]
    Run.objects.filter(pk=run.pk).update(arguments={**run.arguments, "rows": rows})


def _check(arguments: Mapping[str, Any]) -> dict[str, Any]:
    if not arguments.get("rows"):
        raise InvalidRun("Describe at least one copy.")
    return dict(arguments)


CAMPAIGN_COPIES = RunKind(_check, perform_copies)
