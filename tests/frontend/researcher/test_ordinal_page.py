"""Results of a Likert campaign: the ordinal model with its files, its sentence, and nobody's name behind a link."""

import csv
import io
import tempfile
from collections.abc import Callable
from pathlib import Path

from django.test import Client

import numpy as np
import pytest

from campaigns.actions.links import make_share_link
from campaigns.models import Account, Campaign, Membership, Role, TestSet
from exchange.judgment_files import import_judgments
from exchange.tables.papers import methods_of
from jobs.actions import perform_now
from jobs.models import Run
from tests.cast import Cast
from tests.rows_made_once import made_once

ClientOf = Callable[[Account], Client]


def file_of_judgments(folder: Path) -> Path:
    """Adequacy tells the systems apart; every rating of fluency is 4."""
    rng = np.random.default_rng(5)
    lines = ["judgment,annotator,protocol,document,segment,system,kind,measure,value"]
    for number in range(300):
        system, person, document = int(rng.integers(3)), int(rng.integers(3)), int(rng.integers(10))
        place = system + 1.2 * (person - 1) + rng.logistic()
        row = f"{number},{('ann', 'bob', 'cem')[person]},likert,d{document},s{int(rng.integers(3))}"
        row += f",{('bilby', 'numbat', 'wombat')[system]},regular"
        lines += [f"{row},adequacy,{1 + int(np.digitize(place, [-1, 0.5, 2, 3.5]))}", f"{row},fluency,4"]
    path = folder / "judgments.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def make_analysed(_test_set: TestSet, cast: Cast) -> tuple[Campaign, Run]:
    with tempfile.TemporaryDirectory() as folder:
        file = file_of_judgments(Path(folder))
        outcome = import_judgments(file, name="Points", format="assay-csv", source_language="en", target_language="de")
    campaign = outcome.campaign
    Membership.objects.create(campaign=campaign, account=cast.researcher, role=Role.RESEARCHER)
    return campaign, perform_now(kind="analysis", campaign=campaign, arguments={"options": {}})


stored, cast, test_set, analysed = made_once(make_analysed)


@pytest.fixture
def campaign(analysed: tuple[Campaign, Run]) -> Campaign:
    return analysed[0]


@pytest.fixture
def run(analysed: tuple[Campaign, Run]) -> Run:
    return analysed[1]


@pytest.mark.usefixtures("run")
def test_results_show_the_model_where_there_is_one_and_the_reason_where_not(
    campaign: Campaign, client_of: ClientOf, cast: Cast
) -> None:
    page = client_of(cast.researcher).get(f"/campaigns/{campaign.slug}/results/").content.decode()
    for part in ("ordinal-adequacy", "ordinal-pairs", "ordinal-severities"):
        assert f'id="{part}"' in page
    pairs = page.partition('id="ordinal-pairs"')[2].partition("<tbody")[2].partition("</tbody>")[0]
    assert [pairs.count(name) for name in ("wombat", "numbat", "bilby")] == [2, 2, 2]
    assert "Fluency has no ordinal model: all ratings are equal." in page


@pytest.mark.usefixtures("run")
def test_each_table_has_its_file(campaign: Campaign, client_of: ClientOf, cast: Cast) -> None:
    for name, column in (("ordinal", "mean"), ("ordinal-pairs", "greater"), ("ordinal-severities", "effect")):
        answer = client_of(cast.researcher).get(f"/campaigns/{campaign.slug}/results/{name}.csv")
        rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
        assert len(rows) == 3, name
        assert np.isfinite(float(rows[0][column]))


@pytest.mark.usefixtures("run")
def test_who_has_a_link_sees_systems_and_no_annotators(campaign: Campaign, cast: Cast) -> None:
    _link, secret = make_share_link(campaign=campaign, name="All", days=1, by=cast.organiser, shows_texts=False)
    page = Client().get(f"/shared/{secret}/").content.decode()
    assert 'id="ordinal-adequacy"' in page
    assert "ordinal-severities" not in page
    assert not any(f">{name}<" in page for name in ("ann", "bob", "cem"))


def test_the_methods_paragraph_names_the_model(run: Run) -> None:
    written = methods_of(run)
    assert written is not None
    assert (
        "Points of the scale were also modelled as ordered bands, by a cumulative logit model (McCullagh, 1980) with "
        "random effects of annotators, documents, segments and systems within documents, estimated by Laplace's "
        "approximation."
    ) in written.text
