"""The run `flags` of a test set: its outputs are looked through for what an organiser should see, and rows stored."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import partial
from importlib.metadata import version
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

from django.db import transaction
from django.db.models import Max, QuerySet
from django.db.models.functions import Length

from campaigns.models import Account, Segment, System, TestSet, Translation
from jobs.actions import queue_run
from jobs.models import PENDING, Run, RunStatus
from jobs.run_kinds import InvalidRun, OnProgress, RunFailed, RunKind
from metrics import VERSION
from metrics.flagging import outputs as rules_of_flags
from metrics.flagging.languages import knows_language, other_language
from metrics.flagging.outputs import FlagRules, SegmentTexts, flags_of, usual_length
from metrics.models import OutputFlag

KIND = "flags"
_ROWS_AT_ONCE = 1_000
_REPORTED_EVERY = 20  # segments


def perform_flagging(run: Run, report: OnProgress) -> dict[str, Any]:
    """Rows of the newest finished run stay until this one has finished."""
    test_set = run.test_set
    if test_set is None:
        raise RunFailed("The test set to look through has been deleted.")
    _forget_older(test_set)
    newest = newest_output(test_set)
    systems = dict(System.objects.filter(test_set=test_set).values_list("pk", "name"))
    counts: dict[str, dict[str, int]] = {name: {} for name in sorted(systems.values())}
    rules = _rules(test_set)
    flagged = _rows(run, test_set, rules, systems, report)
    while rows := list(islice(flagged, _ROWS_AT_ONCE)):
        with transaction.atomic():
            OutputFlag.objects.bulk_create([row for _system, row in rows])
        for system, row in rows:
            own = counts[systems[system]]
            own[row.name] = own.get(row.name, 0) + 1
    return {
        "outputs": _outputs(test_set).count(),
        "segments": _segments(test_set),
        "flags": sum(sum(own.values()) for own in counts.values()),
        "systems": counts,
        "is_language_known": rules.told is not None,
        "newest": newest,
        "rules": rules_of_flags.VERSION,
        "signature": _signature(test_set, rules),
    }


def _rules(test_set: TestSet) -> FlagRules:
    target = test_set.target_language
    told = partial(other_language, expected=target) if knows_language(target) else None
    lengths = _outputs(test_set).values_list(Length("segment__source"), Length("text"))
    usual = usual_length((source or 0, output) for source, output in lengths.iterator(2_000))
    return FlagRules(test_set.source_language, target, told, usual)


def _rows(
    run: Run, test_set: TestSet, rules: FlagRules, systems: Mapping[int, str], report: OnProgress
) -> Iterator[tuple[int, OutputFlag]]:
    """With the key of the system; segment after segment, in the order of documents."""
    n_segments = max(_segments(test_set), 1)
    ordered = _outputs(test_set).order_by("segment__document__position", "segment__position", "system__name")
    texts = ordered.values_list("segment", "segment__source", "system", "text", "pk").iterator(2_000)
    for number, (_segment, rows) in enumerate(groupby(texts, key=itemgetter(0))):
        own = list(rows)
        keys = {system: key for _segment, _source, system, _text, key in own}
        outputs = {system: text or "" for _segment, _source, system, text, _key in own}
        segment = SegmentTexts(own[0][1], outputs)
        flags = sorted(flags_of(segment, rules), key=lambda each: list(keys).index(each[0]))
        for system, flag in flags:
            yield (
                system,
                OutputFlag(run=run, translation_id=keys[system], name=flag.name, detail=_detail(flag, systems)),
            )
        if number % _REPORTED_EVERY == 0:
            report(number / n_segments)


def _detail(flag: rules_of_flags.Flag, systems: Mapping[int, str]) -> dict[str, Any]:
    """What is not empty; systems by their names."""
    fields = {**asdict(flag), "systems": [systems[key] for key in flag.systems]}
    return {name: value for name, value in fields.items() if name != "name" and value not in ("", None, (), [])}


def _outputs(test_set: TestSet) -> QuerySet[Translation]:
    return Translation.objects.filter(system__test_set=test_set, text__isnull=False).order_by()


def _segments(test_set: TestSet) -> int:
    return Segment.objects.filter(document__test_set=test_set).count()


def _forget_older(test_set: TestSet) -> None:
    """Rows of runs that a newer one has replaced, or that never ended."""
    newest = flag_runs(test_set).filter(status=RunStatus.DONE).values_list("pk", flat=True).first()
    for old in flag_runs(test_set).exclude(pk=newest or 0).values_list("pk", flat=True):
        OutputFlag.objects.filter(run=old).delete()


def _signature(test_set: TestSet, rules: FlagRules) -> str:
    identifier = f"py3langid-{version('py3langid')}" if rules.told else "none"
    parts = {
        "languages": f"{test_set.source_language}>{test_set.target_language}",
        "identifier": identifier,
        "rules": rules_of_flags.VERSION,
        "version": f"assay-{VERSION}",
    }
    return "|".join(f"{name}:{value}" for name, value in parts.items())


# --- which run is shown, and when another is due ----------------------------------------------------------------------
def flag_runs(test_set: TestSet) -> QuerySet[Run]:
    """In any state, the newest first."""
    return Run.objects.filter(test_set=test_set, kind=KIND).order_by("-created_at", "-pk")


def newest_flags(test_set: TestSet) -> Run | None:
    """The finished run whose rows are shown."""
    return flag_runs(test_set).filter(status=RunStatus.DONE).first()


def newest_output(test_set: TestSet) -> int:
    """Texts never change; whatever comes late has a higher key."""
    newest: int | None = _outputs(test_set).aggregate(newest=Max("pk"))["newest"]
    return newest or 0


def is_outdated(run: Run) -> bool:
    """Whether outputs came late, or the rules have changed since."""
    result = run.result or {}
    if run.test_set is None or result.get("rules") != rules_of_flags.VERSION:
        return True
    return bool(result.get("newest") != newest_output(run.test_set))


def refresh_flags(test_set: TestSet) -> Run | None:
    """Queues a run that was never made, or whose texts are not those of the test set any more; None otherwise.

    Nothing is queued while one is under way, nor after one that failed or was cancelled: then somebody decides.
    """
    with transaction.atomic():
        TestSet.objects.select_for_update().only("pk").get(pk=test_set.pk)
        newest = flag_runs(test_set).first()
        if newest is not None and (newest.status != RunStatus.DONE or not is_outdated(newest)):
            return None
        return queue_run(kind=KIND, test_set=test_set, arguments={}, is_automatic=True)


def request_flags(test_set: TestSet, by: Account) -> tuple[Run, bool]:
    """The run that is under way, or a new one; and whether it is new."""
    pending = flag_runs(test_set).filter(status__in=PENDING).first()
    if pending is not None:
        return pending, False
    return queue_run(kind=KIND, test_set=test_set, arguments={}, created_by=by), True


def _check(arguments: Mapping[str, Any]) -> dict[str, Any]:
    if arguments:
        raise InvalidRun("Looking for flags takes no arguments.")
    return {}


FLAGGING = RunKind(_check, perform_flagging, needs_test_set=True)
