"""A pool that drops systems, on a test set with enough documents, and simulated annotators."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

from annotation.actions.claiming import claim_assignment
from annotation.models import Assignment, ItemLevel, RaceSystem
from campaigns.models import Account, Campaign, Document, Segment, System, TestSet, TestSetStatus, Translation
from jobs.actions import claim_run, perform_run
from jobs.models import Run, RunStatus
from metrics.analyses import analyse
from metrics.results.codec import to_json
from tests.cast import Cast
from tests.planned_campaign import judge, make_planned_campaign

BAD, GOOD, CLOSE = "sentinel-bad", "sentinel-good", "sentinel-close"
SCORES = {BAD: 20, GOOD: 80, CLOSE: 79}


class Commits(Protocol):
    """The fixture `django_capture_on_commit_callbacks`."""

    def __call__(self, *, execute: bool) -> AbstractContextManager[Any]: ...


def make_racing_test_set(documents: int = 40, systems: Mapping[str, int] = SCORES) -> TestSet:
    test_set = TestSet.objects.create(
        name="Race", slug="race", source_language="en", target_language="de", status=TestSetStatus.READY, format="jsonl"
    )
    made = System.objects.bulk_create(System(test_set=test_set, name=name) for name in systems)
    texts = Document.objects.bulk_create(
        Document(test_set=test_set, name=f"text {place:03}", position=place) for place in range(1, documents + 1)
    )
    segments = Segment.objects.bulk_create(
        Segment(document=text, name="1", position=1, source=f"Source of {text.name}.") for text in texts
    )
    Translation.objects.bulk_create(
        Translation(segment=segment, system=system, text=f"Satz {place}, Fassung {len(system.name)}.")
        for place, segment in enumerate(segments)
        for system in made
    )
    return test_set


def make_race(cast: Cast, *, documents: int = 40, **parameters: Any) -> Campaign:
    test_set = make_racing_test_set(documents)
    given = {"planning": "pool", "items_per_assignment": 2, "allocation": "best", **parameters}
    return make_planned_campaign(test_set, cast, **given)


def judge_next(campaign: Campaign, annotator: Account) -> Assignment | None:
    """All of the annotator's next assignment, each system by its score and a scatter that its text decides."""
    assignment = claim_assignment(campaign=campaign, annotator=annotator)
    if assignment is None:
        return None
    for item in assignment.items.exclude(level=ItemLevel.CONTEXT).order_by("position"):
        system = item.slots.get().system.name
        scatter = (item.document.position * 7 + len(system)) % 9
        judge(item, SCORES[system] + scatter)
    return assignment


def judge_documents(campaign: Campaign, people: list[Account], commits: Commits, *, at_most: int = 10_000) -> int:
    """People take turns; looks are made as soon as they are requested. How many tasks were judged."""
    for done in range(at_most):
        with commits(execute=True):
            if judge_next(campaign, people[done % len(people)]) is None:
                return done
        make_looks()
    return at_most


def make_looks() -> list[Run]:
    waiting = list(Run.objects.filter(kind="race_look", status=RunStatus.QUEUED).values_list("pk", flat=True))
    return [perform_run(run) for pk in waiting if (run := claim_run(pk)) is not None]


def states(campaign: Campaign) -> dict[str, bool]:
    return dict(RaceSystem.objects.filter(race__campaign=campaign).values_list("system__name", "is_in"))


def allocation_of(campaign: Campaign) -> dict[str, Any]:
    results = analyse(campaign, analyses=["allocation"])["analyses"]
    result: dict[str, Any] = to_json(results["allocation"])
    return result


def shown_to(assignments: list[Assignment]) -> set[str]:
    return set(System.objects.filter(translations__in=_texts(assignments)).values_list("name", flat=True))


def _texts(assignments: list[Assignment]) -> list[int]:
    keys = [each.pk for each in assignments]
    rows = Assignment.objects.filter(pk__in=keys).values_list("items__slots__translation", flat=True)
    return [pk for pk in rows if pk is not None]
