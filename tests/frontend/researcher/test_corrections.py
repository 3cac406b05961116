"""The results page of a post-editing campaign."""

from collections.abc import Callable

from django.test import Client

from campaigns.models import Account, TestSet
from frontend.shown_table import ShownTable
from jobs.actions import perform_now
from jobs.models import RunPart
from metrics.analyses.post_editing import PostEditedSystem, PostEditing, effort_table
from metrics.results.values import Missing
from tests.cast import Cast
from tests.metrics.post_edited import correct_all, make_post_editing
from tests.planned_campaign import take


def test_each_measure_has_its_table_and_edits_stand_beside_speed(
    test_set: TestSet, cast: Cast, client_of: Callable[[Account], Client]
) -> None:
    campaign = make_post_editing(test_set, cast)
    correct_all(take(campaign, cast.annotator))
    run = perform_now(kind="analysis", campaign=campaign, arguments={})
    part = RunPart.objects.get(run=run, name="ranking")
    part.result["too_early"] = None
    part.save()
    page = client_of(cast.researcher).get(f"/campaigns/{campaign.slug}/results/").content.decode()
    assert page.index('<h2 id="hter">HTER</h2>') < page.index('id="corrections"') < page.index('<h2 id="keystrokes">')
    assert page.count("Lower is better.") == 2
    first = RunPart.objects.get(run=run, name="post_editing").result["systems"][0]
    assert f"<b>{first['hter']:.3f}</b>" in page
    assert f"{first['words_per_hour']:,.0f}" in page or f"{first['words_per_hour']:.0f}" in page


def test_a_number_that_does_not_exist_is_a_dash() -> None:
    missing = Missing("no_times")
    one = PostEditedSystem("a", 0.25, 0.25, missing, missing, missing, missing, 0.5, missing, 0.0, 3)
    shown = ShownTable(effort_table(PostEditing((one,))))
    assert [cell.text for cell in shown.rows[0].cells] == ["a", "0.250", "0.250", "–", "–", "–", "0%"]
    assert "up to 50.0% of a system’s judgments" in shown.notes[-1]
