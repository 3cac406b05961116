"""The guidelines a new campaign starts with say what its options say, in every language."""

from dataclasses import replace
from itertools import product
from typing import Any

from django.conf import settings
from django.utils.translation import override

import pytest

from annotation.actions.creating import create_campaign
from annotation.campaign_spec import CampaignSpec
from annotation.guidelines import default_guidelines, with_guidelines
from annotation.protocols import PROTOCOLS, protocol_for
from annotation.taxonomies.typology import TYPOLOGIES, typology_named
from campaigns.guideline_text import render_markdown
from campaigns.models import TestSet
from tests.cast import Cast

LANGUAGES = [language for language, _name in settings.LANGUAGES]
LEAST = 400  # signs, of which Chinese takes the fewest for what is said
SAME = {"## Style"}  # in French too


def text_of(protocol: str, **options: Any) -> str:
    return default_guidelines(protocol_for(protocol, options))


@pytest.mark.parametrize(("protocol", "language"), [*product(PROTOCOLS, LANGUAGES)])
def test_every_protocol_has_guidelines_in_every_language(protocol: str, language: str) -> None:
    with override(language):
        text = text_of(protocol)
    html = render_markdown(text)
    assert html.count("<h2>") >= 4
    assert html.count("<ol>") == 1
    assert len(text) > LEAST
    assert not any(sign in text for sign in ("%(", "{", "None", "False"))
    if language != "en":
        assert "Your task" not in text
        assert set(text.splitlines()) & {line for line in text_of(protocol).splitlines() if line} <= SAME


@pytest.mark.parametrize("name", TYPOLOGIES)
def test_mqm_explains_every_category_that_can_be_chosen_with_an_example(name: str) -> None:
    text, typology = text_of("mqm", typology=name), typology_named(name)
    for path, category in typology.by_path().items():
        assert category.description, path
        assert category.example, path
        assert f"**{category.title}**: {category.description} {category.example}" in text
    for severity in ("minor", "major", "critical", "neutral"):
        assert (f"**{severity.capitalize()}** (" in text) == (severity in typology.severities)


@pytest.mark.parametrize(
    ("protocol", "options", "said"),
    [
        ("esa", {"mark_source": True}, "What is left out can also be marked in the source"),
        ("esa", {"missing_content": True}, "mark the place where it should be"),
        ("esa", {"severities": ["minor", "major", "critical"]}, "**Critical** (`3`)"),
        ("mqm", {"most_errors": 5}, "mark the 5 most serious ones"),
        ("direct_assessment", {"judge_against": "reference"}, "Read the reference."),
        ("direct_assessment", {"document_scores": True}, "score the document as one text"),
        ("direct_assessment", {"systems_per_screen": 3}, "are side by side"),
        ("likert", {"fluency_first": True}, "The source appears after that"),
        ("ranking", {"systems_per_item": 2}, "Choose A, equal or B."),
        ("post_editing", {"show_source": False}, "There is no source."),
        ("gisting", {"when_asked": "after_reading"}, "Answer from memory"),
    ],
)
def test_they_follow_the_options(protocol: str, options: dict[str, Any], said: str) -> None:
    assert said in text_of(protocol, **options)
    others = {"mark_source": False, "missing_content": False, "severities": ["minor"], "most_errors": 0}
    plain = {name: others[name] for name in options if name in others}
    assert said not in text_of(protocol, **plain)


def test_scales_are_explained_point_by_point() -> None:
    lines = text_of("likert", scales="Tone: does it fit?\n1 not at all\n2 \n3 quite").splitlines()
    points = [line for line in lines if line.startswith(("- **1**", "- **2**", "- **3**"))]
    assert [line.split(":")[0] for line in points] == ["- **1** not at all", "- **2**", "- **3** quite"]


@pytest.mark.django_db
def test_a_campaign_begins_with_them_unless_it_has_its_own(test_set: TestSet, cast: Cast) -> None:
    spec = CampaignSpec(name="News", protocol="esa", options={"mark_source": True})
    first = create_campaign(spec=spec, test_set=test_set, created_by=cast.organiser)
    assert first.guidelines == text_of("esa", mark_source=True)
    own = create_campaign(spec=replace(spec, name="Own", guidelines="Read."), test_set=test_set)
    assert own.guidelines == "Read."
    again = create_campaign(spec=replace(CampaignSpec.of(first), name="Copy"), test_set=test_set)
    assert again.guidelines == first.guidelines


def test_they_are_in_the_language_of_who_asks() -> None:
    with override("de"):
        assert with_guidelines(CampaignSpec(name="News", protocol="mqm")).guidelines.startswith("# Ihre Aufgabe")
    invalid = CampaignSpec(name="News", protocol="mqm", options={"most_errors": -1})
    assert with_guidelines(invalid) == invalid
