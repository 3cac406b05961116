"""How often real translations are flagged, nearly always rightly: what is flagged beyond that is a false alarm."""

import gzip
import json
from collections import Counter
from functools import partial

import pytest

from metrics.flagging.languages import other_language
from metrics.flagging.outputs import FlagRules, SegmentTexts, flags_of
from tests.metrics.real_campaigns import real_case

pytestmark = pytest.mark.real_data


def test_no_german_output_of_wmt23_is_taken_for_another_language() -> None:
    home = real_case("metrics-wmt23-ende") / "wmt23"
    sources = (home / "sources" / "en-de.txt").read_text(encoding="utf-8").split("\n")
    files = sorted((home / "system-outputs" / "en-de").glob("*.txt"))
    outputs = [file.read_text(encoding="utf-8").split("\n") for file in files]
    rules = FlagRules("en", "de", partial(other_language, expected="de"))
    counts: Counter[str] = Counter()
    places = range(0, 557, 10)  # each tenth: as sure, in a second
    for place in places:
        segment = SegmentTexts(sources[place], {key: texts[place] for key, texts in enumerate(outputs)})
        counts.update(flag.name for _system, flag in flags_of(segment, rules))
    n = len(places) * len(files)
    assert n > 700
    assert counts["other_language"] == counts["untranslated"] == counts["empty"] == 0
    assert counts["numbers"] / n < 0.03
    assert counts["cut"] / n < 0.03


def test_japanese_outputs_of_whole_paragraphs_have_hardly_a_flag() -> None:
    campaign = json.loads(gzip.decompress((real_case("cesa-enja") / "campaign.json.gz").read_bytes()))
    rules = FlagRules("en", "ja", partial(other_language, expected="ja"), usual_length=0.5)
    found, n = [], 0
    for item in (item for person in campaign["data"] for document in person for item in document):
        if "tutorial" in item.get("item_id", "tutorial"):
            continue
        segment = SegmentTexts(item["src_text"], dict(enumerate(item["tgt"].values())))
        n += len(segment.outputs)
        found += [flag.name for _system, flag in flags_of(segment, rules)]
    assert n > 100
    assert set(found) <= {"numbers", "copied", "cut"}, "repeats are the same outputs again"
    assert found.count("numbers") / n < 0.05
    assert found.count("cut") / n < 0.03
