import re
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.test import Client

import pytest

from annotation.models import ErrorSpan, Judgment
from campaigns.actions.text_guidance import GlossaryTerm, Scope, set_glossary, set_instruction
from campaigns.models import Account, Campaign, Segment, TestSet, Translation
from tests import sample_media
from tests.cast import Cast
from tests.frontend.researcher.test_segments import page_of
from tests.metrics.segments.differing import make_differing, segment_named
from tests.sample_test_set import HUMAN, WOMBAT

ClientOf = Callable[[Account], Client]


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_differing(test_set, cast, {("harbour:3", WOMBAT): (20, 67), ("orchard:1", HUMAN): (90, 60)})


def test_what_lies_beside_the_text_lies_beside_the_source(
    campaign: Campaign, cast: Cast, client_of: ClientOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "MEDIA_DIR", tmp_path / "stored")
    client, query = client_of(cast.researcher), f"?segment={segment_named(campaign, 'harbour:3').pk}"
    plain = page_of(campaign, client, query)
    assert not any(words in plain for words in ("media-beside", "told-beside", "beside-note", "data-look"))
    files = {"harbour_wav": sample_media.wav(), "harbour_3_png": sample_media.png()}
    media = sample_media.beside(campaign.test_set, tmp_path, **files, harbour_2_gif=sample_media.gif())
    set_instruction(test_set=campaign.test_set, scope=Scope(), text="Read aloud.\n<b>Twice</b>", by=None)
    page = page_of(campaign, client, query)
    address = f"/campaigns/{campaign.slug}/media/"
    assert f'<audio controls preload="metadata" src="{address}{media["harbour_wav"].file_hash}"' in page
    assert f'<img src="{address}{media["harbour_3_png"].file_hash}" alt="' in page
    assert media["harbour_2_gif"].file_hash not in page
    assert "Read aloud.\n&lt;b&gt;Twice&lt;/b&gt;" in page


def test_terms_and_codes_are_shown_in_the_texts_and_missing_ones_are_named(
    campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    segment = segment_named(campaign, "harbour:3")
    Segment.objects.filter(pk=segment.pk).update(source="<p>By noon {name} had no bread.</p>")
    Translation.objects.filter(segment=segment).update(text="<p>Mittags hatte {name} keine Semmel.</p>")
    Translation.objects.filter(segment=segment, system__name=WOMBAT).update(text="<p>Mittags gab es kein Brot.</p>")
    terms = (GlossaryTerm("bread", ("Brot",), ("Semmel",)), GlossaryTerm("noon", ("Mittag",), note="the hour"))
    set_glossary(test_set=campaign.test_set, scope=Scope(), terms=terms, by=None)
    page = page_of(campaign, client_of(cast.researcher), f"?segment={segment.pk}")
    assert "&lt;p&gt;" not in page.partition('class="sysgrid"')[2]
    assert 'data-look="term">bread</span>' in page
    assert 'data-look="code">{name}</span>' in page
    assert 'data-look="required">Brot</span>' in page
    assert 'data-look="forbidden">Semmel</span>' in page
    assert page.count("Codes that are lost:") == 1
    assert page.count("Forbidden terms that are used:") == 1
    assert re.findall(r'<bdi>noon</bdi> → <bdi lang="de">Mittag</bdi>', page)
    assert "the hour" in page


def test_tags_are_named_beside_the_output_and_drawn_nowhere_in_its_text(
    campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    judgment = Judgment.objects.filter(item__segment=segment_named(campaign, "harbour:3")).earliest("pk")
    (slot,) = judgment.item.slots.all()
    place = {"judgment": judgment, "translation_id": slot.translation_id, "side": "target", "severity": "major"}
    ErrorSpan.objects.create(**place, start=0, end=0, category="missing")
    ErrorSpan.objects.create(**place, start=0, end=7)
    Campaign.objects.update(protocol="cesa", options={})
    page = page_of(campaign, client_of(cast.researcher), f"?segment={judgment.item.segment_id}")
    assert "<bdi>Content is missing</bdi></span></p>" in page
    assert "whole translation" in page
    assert 'class="miss"' not in page
    assert "something missing" not in page
    assert "<b>1</b></i>" in page  # the mark in the text is the first, not the second
