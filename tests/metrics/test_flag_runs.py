"""The run `flags` of a test set, its rows, and when another one is due."""

import pytest

from campaigns.models import Segment, System, TestSet, Translation
from jobs.actions import cancel_run, claim_run, perform_now, perform_run
from jobs.models import Run, RunStatus
from metrics.flag_runs import KIND, newest_flags, refresh_flags
from metrics.models import OutputFlag
from tests.sample_test_set import QUOKKA, WOMBAT, make_test_set

pytestmark = pytest.mark.django_db


def look_through(test_set: TestSet) -> Run:
    return perform_now(kind=KIND, test_set=test_set, arguments={})


def change(test_set: TestSet, system: str, text: str) -> Translation:
    """The output of the first segment."""
    outputs = Translation.objects.filter(system__test_set=test_set, system__name=system)
    output = outputs.order_by("segment__document__position", "segment__position")[0]
    output.text = text
    output.save()
    return output


def test_each_flagged_output_has_a_row_and_each_system_its_counts(test_set: TestSet) -> None:
    change(test_set, WOMBAT, "")
    change(test_set, QUOKKA, "Die Fähre hatte 45 Minuten Verspätung.")
    run = look_through(test_set)
    assert run.status == RunStatus.DONE, run.error
    rows = OutputFlag.objects.filter(run=run).order_by("pk").values_list("translation__system__name", "name", "detail")
    assert list(rows) == [(QUOKKA, "numbers", {"added": ["45"]}), (WOMBAT, "empty", {})]
    assert run.result is not None
    assert (run.result["outputs"], run.result["segments"], run.result["flags"]) == (18, 6, 2)
    assert run.result["systems"][WOMBAT] == {"empty": 1}
    assert "|identifier:py3langid-" in run.signature


def test_reading_costs_the_same_for_any_number_of_segments(
    test_set: TestSet, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    with django_assert_max_num_queries(30):  # type: ignore[operator]
        look_through(test_set)


def test_another_run_is_due_when_outputs_came_late_and_not_before(test_set: TestSet) -> None:
    assert refresh_flags(test_set) is not None
    assert refresh_flags(test_set) is None, "one is waiting"
    waiting = claim_run(Run.objects.get(kind=KIND).pk)
    assert waiting is not None
    perform_run(waiting)
    assert refresh_flags(test_set) is None, "nothing has changed"
    system = System.objects.create(test_set=test_set, name="late")
    segment = Segment.objects.filter(document__test_set=test_set)[0]
    Translation.objects.create(segment=segment, system=system, text="")
    again = refresh_flags(test_set)
    assert again is not None
    cancel_run(run=again)
    assert refresh_flags(test_set) is None, "somebody decided"


def test_rows_of_older_runs_go_and_those_of_other_test_sets_stay(test_set: TestSet) -> None:
    other = make_test_set("Other", slug="other")
    for each in (test_set, other):
        change(each, WOMBAT, "")
        for _time in range(2):
            run = refresh_flags(each) or Run.objects.create(kind=KIND, test_set=each, is_automatic=True)
            claimed = claim_run(run.pk)
            assert claimed is not None
            perform_run(claimed)
    look_through(test_set)
    assert newest_flags(other) is not None, "automatic runs of another test set do not replace its own"
    assert OutputFlag.objects.filter(run=newest_flags(other)).count() == 1
    assert OutputFlag.objects.filter(run__test_set=test_set).count() <= 2, "the newest, and the one before it"
