"""Attention checks that came with a file: stored with their texts in a test set of their own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from annotation.models import AttentionCheck
from annotation.protocols import PROTOCOLS
from annotation.protocols.check_rules import CheckRule
from campaigns.actions.audit import record
from campaigns.actions.test_sets import NewTestSet, SegmentRecord, store_test_set
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign, TestSet

MOST_SYSTEMS = 9  # a digit each in the order of columns
MOST_CHECKS = 200


@dataclass(frozen=True)
class ImportedRow:
    """One segment; `outputs` by the name of the system."""

    source: str
    outputs: Mapping[str, str]
    reference: str = ""


@dataclass(frozen=True)
class ImportedCheck:
    """A screen with what its answers must be like. A loud one is served again until it is passed."""

    name: str
    rows: Sequence[ImportedRow]
    rules: Sequence[CheckRule]
    is_loud: bool = False


def store_imported_checks(
    *, campaign: Campaign, checks: Sequence[ImportedCheck], by: Account | None
) -> list[AttentionCheck]:
    """Adds the checks to those the campaign has. Raises `InvalidInput` (field `checks`) with all that is wrong.

    Their texts become a test set of their own, so that nothing of them is scored, planned or exported with the
    campaign's texts. They are served to whoever takes an assignment from now on.
    """
    problems = [*_of_campaign(campaign, checks), *(problem for each in checks for problem in _problems(each))]
    if problems:
        raise InvalidInput({"checks": problems})
    test_set = _texts_of(campaign, checks, by)
    with transaction.atomic():
        last = AttentionCheck.objects.filter(campaign=campaign).aggregate(last=Max("position"))["last"] or 0
        documents = test_set.documents.order_by("position")
        rows = [
            AttentionCheck(
                campaign=campaign,
                position=last + place,
                name=check.name[:255],
                document=document,
                systems=_systems_of(check),
                rules=[rule.as_json() for rule in check.rules],
                is_loud=check.is_loud,
                is_imported=True,
            )
            for place, (check, document) in enumerate(zip(checks, documents, strict=True), start=1)
        ]
        stored = AttentionCheck.objects.bulk_create(rows)
        record(action="checks_imported", by=by, campaign=campaign, checks=len(stored), test_set=test_set.name)
    return stored


def _of_campaign(campaign: Campaign, checks: Sequence[ImportedCheck]) -> Iterator[str]:
    if not PROTOCOLS[campaign.protocol].shows_whole_documents:
        message = _("Attention checks need a protocol that shows whole documents. %(protocol)s does not.")
        yield message % {"protocol": PROTOCOLS[campaign.protocol].title}
    if not checks:
        yield _("There are no checks.")
    if len(checks) > MOST_CHECKS:
        yield _("A campaign has at most %(most)d attention checks.") % {"most": MOST_CHECKS}


def _problems(check: ImportedCheck) -> Iterator[str]:
    named = {"name": check.name}
    if not check.rows or any(not row.outputs for row in check.rows):
        yield _("Check “%(name)s”: every segment needs at least one translation.") % named
    if len(_systems_of(check)) > MOST_SYSTEMS:
        yield _("Check “%(name)s”: at most %(most)d systems fit on a screen.") % {**named, "most": MOST_SYSTEMS}
    if not check.rules:
        yield _("Check “%(name)s” has no rule, so it cannot be failed.") % named
    for rule in check.rules:
        if problem := _problem_of(rule, check.rows):
            yield _("Check “%(name)s”, segment %(row)d: %(problem)s") % {
                **named,
                "row": rule.row + 1,
                "problem": problem,
            }


def _problem_of(rule: CheckRule, rows: Sequence[ImportedRow]) -> str:
    if not 0 <= rule.row < len(rows):
        return _("there is no such segment.")
    shown = rows[rule.row].outputs
    unknown = [name for name in (rule.system, rule.above) if name and name not in shown]
    if unknown:
        return _("there is no translation by %(names)s.") % {"names": ", ".join(unknown)}
    if rule.system == rule.above or (rule.above and shown[rule.system].strip() == shown[rule.above].strip()):
        return _("a translation cannot be better than itself.")
    if rule.score is not None and not 0 <= rule.score[0] <= rule.score[1]:
        return _("the lowest score is above the highest.")
    text = shown[rule.system]
    if any(not mark.tag and not _fits(mark.start, mark.end, len(text)) for mark in rule.marks):
        return _("an expected mark is not inside the translation.")
    return "" if rule.score or rule.above or rule.marks else _("the rule expects nothing.")


def _fits(start: tuple[int, int], end: tuple[int, int], length: int) -> bool:
    return 0 <= start[0] <= start[1] and 0 <= end[0] <= end[1] <= length and start[0] < end[1]


def _systems_of(check: ImportedCheck) -> list[str]:
    return list(dict.fromkeys(name for row in check.rows for name in row.outputs))


def _texts_of(campaign: Campaign, checks: Sequence[ImportedCheck], by: Account | None) -> TestSet:
    texts = campaign.test_set
    new = NewTestSet(
        name=_free_name(campaign),
        source_language=texts.source_language,
        target_language=texts.target_language,
        content_hash="",
        format="",
        systems=sorted({name for check in checks for name in _systems_of(check)}),
        segments=_segments(checks),
        questions=(),
        count=sum(len(check.rows) for check in checks),
        report={},
    )
    return store_test_set(new, created_by=by, on_progress=lambda _share: None)


def _segments(checks: Sequence[ImportedCheck]) -> Iterator[SegmentRecord]:
    """Names of documents that say nothing: some pages show them."""
    for number, check in enumerate(checks, start=1):
        for place, row in enumerate(check.rows, start=1):
            yield SegmentRecord(
                document=str(number),
                segment=str(place),
                source=row.source,
                references={"A": row.reference} if row.reference else {},
                translations=row.outputs,
            )


def _free_name(campaign: Campaign) -> str:
    stem = _("%(campaign)s: attention checks") % {"campaign": campaign.name[:100]}
    taken = set(TestSet.objects.filter(name__startswith=stem).values_list("name", flat=True))
    numbered = (stem if number == 1 else f"{stem} {number}" for number in count(1))
    return next(name for name in numbered if name not in taken)
