"""The methods paragraph of every protocol and every recipe describes what was computed."""

import re

import pytest

from annotation.models import Judgment
from campaigns.models import Campaign
from demo.campaign import DemoCampaign
from exchange.tables.papers import NEEDED, PaperTable, methods_of, paper_tables
from jobs.actions import perform_now
from jobs.models import RunPart
from jobs.queries import parts_of
from metrics.analyses.ranking_tables import ReadWith
from metrics.methods.facts import facts_of
from metrics.methods.sources import SOURCES
from metrics.recipes import RECIPES
from tests.exchange.archive.demo_in_small import ONE_OF_EACH, make_small
from tests.exchange.tables.latex_reader import read_table, read_text

pytestmark = pytest.mark.django_db
QUICK = {"resamples": 40, "interval_resamples": 40}


@pytest.mark.drawn(4)
@pytest.mark.parametrize("demo", ONE_OF_EACH, ids=lambda demo: demo.spec.protocol)
def test_a_protocols_paragraph_counts_what_counts(demo: DemoCampaign) -> None:
    campaign = make_small(demo)
    run = perform_now(kind="analysis", campaign=campaign, arguments={"options": QUICK})
    methods, facts = methods_of(run), facts_of(run)
    assert methods is not None
    assert facts is not None
    left_out = campaign.exclusions.get().annotator
    own = Judgment.objects.filter(item__assignment__campaign=campaign, is_current=True)
    regular = own.filter(item__kind="regular").exclude(annotator=left_out)
    assert facts.scope.judgments["regular"] == regular.count()
    assert f"rest on {regular.count()} judgments by {regular.values('annotator').distinct().count()} annotators" in (
        methods.text
    )
    assert facts.scope.left_out["by_decision"].judgments == own.filter(annotator=left_out).count()
    assert "reasons on record: “the annotator was too fast”" in methods.text
    assert left_out.username not in methods.text
    assert methods.text.endswith(f"Assay 0.1.0, starting from its recipe “{facts.recipe.name}”.")
    assert "{" not in methods.text
    cited = re.findall(r"\\citealp\{(.+?)\}", methods.latex)
    assert set(cited) == set(re.findall(r"@\w+\{(.+?),", methods.bibtex))
    named = {key: f"{source.authors}, {source.year}" for key, source in SOURCES.items()}
    assert read_text(methods.latex, named) == methods.text, "word by word, blank by blank"
    assert_tables(paper_tables(parts_of(run, *NEEDED), ReadWith({}, signature=run.signature)), run.signature)


def assert_tables(tables: list[PaperTable], signature: str) -> None:
    names = [table.name for table in tables]
    assert len(set(names)) == len(names)
    assert any(name.startswith(("systems", "documents")) for name in names)
    assert "annotators" in names
    for table in tables:
        assert signature in table.caption
        assert {len(row) for row in table.rows} == {len(table.header)}
        assert all([table.as_markdown(), table.as_csv()])
        read = read_table(table.as_latex())
        assert (read.header, read.rows, read.caption) == (table.header, table.shown_rows, table.caption)


def test_each_recipe_is_described_as_it_is() -> None:
    campaign = make_small(ONE_OF_EACH[0])
    for recipe in RECIPES:
        assert_described(campaign, recipe)


def assert_described(campaign: Campaign, recipe: str) -> None:
    run = perform_now(kind="analysis", campaign=campaign, arguments={"recipe": recipe, "options": QUICK})
    methods = methods_of(run)
    assert methods is not None
    chosen, text = RECIPES[recipe], methods.text
    assert ("Holm" in text) == (chosen.correction == "holm")
    assert ("permutation test" in text) == (chosen.test == "permutation")
    assert ("rank-sum" in text) == (chosen.test == "rank-sum")
    assert ("standardised by annotator" in text) <= (chosen.normalisation != "none")
    assert ("Stouffer" in text) == (chosen.average == "domain")
    facts = facts_of(run)
    assert facts is not None
    of_model = chosen.test == "mixed"
    assert ("40 resamples, seed 12345" in text) == (facts.has_intervals and not of_model)
    assert ("intervals of the model" in text) == (facts.has_intervals and of_model)


def test_a_run_without_a_counted_scope_has_no_sentence_on_it() -> None:
    campaign = make_small(ONE_OF_EACH[0])
    run = perform_now(kind="analysis", campaign=campaign, arguments={"options": QUICK})
    RunPart.objects.filter(run=run, name="scope").delete()
    assert methods_of(run) is None


@pytest.mark.parametrize("key", sorted(SOURCES))
def test_an_entry_has_what_bibtex_requires(key: str) -> None:
    entry = SOURCES[key].bibtex(key)
    assert entry.count("{") == entry.count("}")
    assert f"year = {{{SOURCES[key].year}}}" in entry
    assert str(SOURCES[key].year) in key
    place = {"article": "journal", "inproceedings": "booktitle", "book": "publisher"}[SOURCES[key].kind]
    assert f"  {place} = {{" in entry
