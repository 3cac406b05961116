"""Results of a campaign whose systems share no segments: the mixed model decides, says why, and has its pictures."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

from django.test import Client

import numpy as np
import pytest

from campaigns.models import Account, Campaign, Membership, Role
from exchange.judgment_files import import_judgments
from exchange.tables.papers import methods_of
from jobs.actions import perform_now
from jobs.models import Run
from tests.cast import Cast

ClientOf = Callable[[Account], Client]
WHY = "Some systems have no segments in common, so the usual test cannot compare them."


def file_of_judgments(folder: Path) -> Path:
    """Even documents have wombat and numbat, odd ones quokka and bilby; three annotators judge all."""
    rng = np.random.default_rng(4)
    lines = ["judgment,annotator,protocol,document,segment,system,kind,measure,value"]
    quality = {"wombat": 75, "quokka": 76, "numbat": 50, "bilby": 45}
    for document in range(20):
        for system in ("wombat", "numbat") if document % 2 == 0 else ("quokka", "bilby"):
            person = int(rng.integers(0, 3))
            for segment in range(3):
                value = round(float(np.clip(quality[system] + 6 * person + rng.normal(0, 8), 0, 100)))
                place = f"d{document},s{segment},{system},regular,score,{value}"
                lines.append(f"{len(lines)},{('ann', 'bob', 'cem')[person]},esa,{place}")
    path = folder / "judgments.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def campaign(tmp_path: Path, cast: Cast) -> Campaign:
    outcome = import_judgments(
        file_of_judgments(tmp_path), name="Gaps", format="assay-csv", source_language="en", target_language="de"
    )
    Membership.objects.create(campaign=outcome.campaign, account=cast.researcher, role=Role.RESEARCHER)
    return outcome.campaign


def computed(campaign: Campaign, **arguments: object) -> Run:
    return perform_now(
        kind="analysis", campaign=campaign, arguments={"recipe": None, "analyses": None, "options": {}, **arguments}
    )


@pytest.fixture
def reader(client_of: ClientOf, cast: Cast) -> Client:
    return client_of(cast.researcher)


def page_of(reader: Client, campaign: Campaign, query: str = "") -> str:
    return " ".join(reader.get(f"/campaigns/{campaign.slug}/results/{query}").content.decode().split())


def test_the_model_decides_and_the_page_says_why(campaign: Campaign, reader: Client) -> None:
    run = computed(campaign)
    assert run.result is not None
    assert run.result["recipe"] == "incomplete"
    page = page_of(reader, campaign)
    assert "The mixed model decides." in page
    assert WHY in page
    assert "Method: Incomplete designs" in page
    assert "Rank by Assay" in page
    assert "of a single score is the annotator" in page
    assert 'id="severities"' in page


def test_a_chosen_recipe_stays_and_the_model_has_a_table_beside_it(campaign: Campaign, reader: Client) -> None:
    computed(campaign, recipe="assay")
    page = page_of(reader, campaign, "?recipe=assay")
    assert WHY not in page
    assert 'id="mixed"' in page
    assert "results/mixed-pairs.csv?recipe=assay" in page


def test_each_table_and_picture_is_a_file(campaign: Campaign, reader: Client) -> None:
    computed(campaign)
    columns = {"mixed": "mean", "mixed-pairs": "difference", "variances": "share", "severities": "effect"}
    for name, column in columns.items():
        answer = reader.get(f"/campaigns/{campaign.slug}/results/{name}.csv")
        rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
        assert rows, name
        assert np.isfinite(float(rows[0][column]))
    for name in ("variances", "severities"):
        picture = reader.get(f"/campaigns/{campaign.slug}/exports/figures/{name}.svg")
        assert picture.status_code == 200
        assert picture.content.startswith(b"<svg")


def test_the_methods_paragraph_says_what_was_done(campaign: Campaign) -> None:
    written = methods_of(computed(campaign))
    assert written is not None

    assert (
        "The usual recipe “assay” does not decide here, because some systems have no segments in common; a mixed "
        "model takes its place. Scores were modelled as score ~ 0 + system + (1|annotator) + (1|document) + "
        "(1|segment) + (1|document:system): systems are fixed effects, the terms in brackets are random effects, and "
        "all were estimated together by restricted maximum likelihood (Bates et al., 2015). A system's score is its "
        "mean in this model, as if every annotator had judged it on every text. Intervals are 95% intervals of the "
        "model, for other texts and other annotators of the same kind. 6 pairs of systems were compared by a two-sided "
        "t-test of the difference of their means in the model (19 degrees of freedom; Student, 1908). A difference "
        "counts as significant below 0.05 after Holm's correction over all pairs (Holm, 1979)."
    ) in written.text
