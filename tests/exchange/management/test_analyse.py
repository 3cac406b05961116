import json
from collections.abc import Callable
from io import StringIO

from django.core.management import call_command
from django.core.management.base import CommandError

import pytest

from annotation.models import Assignment
from campaigns.models import Campaign, TestSet
from jobs.models import Run, RunStatus
from jobs.queries import whole_result
from tests.cast import Cast
from tests.metrics.sample_judgments import judge_assignment
from tests.rows_made_once import made_once
from tests.sample_assignment import make_assignment
from tests.sample_campaign import make_campaign
from tests.sample_test_set import QUOKKA, WOMBAT

MakeAssignment = Callable[..., Assignment]


def make_judged(test_set: TestSet, cast: Cast) -> Campaign:
    campaign = make_campaign(test_set, cast)
    for annotator in cast.annotators:
        for name, base in ((WOMBAT, 60), (QUOKKA, 30)):
            assignment = make_assignment(campaign, annotator, system=campaign.systems.get(name=name))
            judge_assignment(assignment, [base + step for step in range(6)])
    return campaign


stored, cast, test_set, judged = made_once(make_judged)


def run(*arguments: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("analyse", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_json_is_the_only_thing_on_stdout_and_progress_goes_to_stderr(judged: Campaign) -> None:
    out, err = run(judged.name, "--json")
    result = json.loads(out)
    assert out.count("\n") == 1
    assert [entry["system"] for entry in result["analyses"]["ranking"]["systems"]] == [WOMBAT, QUOKKA]
    assert result["judgments"] == 24
    assert "ranking" in err


def test_the_slug_names_a_campaign_as_well(judged: Campaign) -> None:
    assert json.loads(run(judged.slug, "--json")[0])["campaign"] == judged.slug


def test_it_leaves_a_run_that_anybody_can_read(judged: Campaign) -> None:
    out, _ = run(judged.slug, "--json")
    row = Run.objects.get()
    assert row.status == RunStatus.DONE
    assert row.signature == json.loads(out)["signature"]
    assert whole_result(row) == json.loads(out)


def test_options_and_analyses_are_handed_on(judged: Campaign) -> None:
    out, _ = run(
        judged.slug, "--json", "--analysis", "ranking", "--normalisation", "none", "--seed", "4", "--surplus",
        "--resamples", "50", "--interval-resamples", "60", "--correction", "none", "--test", "permutation",
    )  # fmt: skip
    result = json.loads(out)
    assert list(result["analyses"]) == ["ranking"]
    for part in ("normalisation:none", "seed:4", "surplus:yes", "documents,50", "documents,60", "correction:none"):
        assert part in result["signature"]


def test_text_shows_systems_annotators_and_the_signature(judged: Campaign) -> None:
    out, _ = run(judged.slug)
    for part in (WOMBAT, QUOKKA, "62.50", "anna", "ben", "recipe:assay|", "At least 6 documents"):
        assert part in out


def test_the_text_notes_when_it_is_too_early(test_set: TestSet, cast: Cast) -> None:
    make_campaign(test_set, cast, name="Unjudged")
    assert "Too early for a ranking. Judgments so far: 0 of 20." in run("unjudged")[0]


def test_in_the_background_it_only_queues(judged: Campaign) -> None:
    out, _ = run(judged.slug, "--background", "--recipe", "wmt-crowd")
    row = Run.objects.get()
    assert int(out) == row.pk
    assert row.status == RunStatus.QUEUED
    assert row.arguments["recipe"] == "wmt-crowd"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--recipe", "tasty"], "tasty"),
        (["--test", "guess"], "guess"),
        (["--seed", "many"], "many"),
        (["--analysis", "horoscope"], "“horoscope”. Allowed here: scope, ranking, agreement"),
        (["--interval-resamples", "1000000000"], "from 1 to 100000"),
        (["--without", "nobody"], "nobody"),
    ],
)
def test_what_cannot_be_done_is_explained_in_a_sentence(judged: Campaign, arguments: list[str], named: str) -> None:
    for queued in ([], ["--background"]):
        with pytest.raises(CommandError, match=named) as refused:
            run(judged.slug, *arguments, *queued)
        assert refused.value.returncode == 2
    assert not Run.objects.exists()


def test_an_unknown_campaign_is_refused(db: None) -> None:
    with pytest.raises(CommandError, match="nowhere"):
        run("nowhere")
