"""Published exports of Appraise the whole way: imported as they are, analysed from the database."""

import gzip
from pathlib import Path

import pytest

from annotation.importing.load import import_judgments
from annotation.models import Judgment, Score
from metrics.analyses import analyse
from tests.metrics.real_campaigns import expected_of, real_case

pytestmark = [pytest.mark.real_data, pytest.mark.django_db]
CALIBRATION = "da-wmt22-calibration"


def unpacked(path: Path, folder: Path) -> Path:
    unpacked = folder / path.stem
    unpacked.write_bytes(gzip.decompress(path.read_bytes()))
    return unpacked


@pytest.mark.parametrize("pair", ["eng-ces", "eng-deu"])
def test_calibration_lists_give_the_counted_ratings(pair: str, tmp_path: Path) -> None:
    expected = expected_of(CALIBRATION)["pairs"][pair]
    path = unpacked(real_case(CALIBRATION) / "WMT22.Appraise.calibrationHITs.eng-ces.eng-deu.csv.gz", tmp_path)
    target = {"eng-ces": "cs", "eng-deu": "de"}[pair]
    outcome = import_judgments(path, format="appraise-csv", name=pair, source_language="en", target_language=target)
    assert (outcome.report["judgments"], outcome.report["annotators"]) == (expected["rows"], expected["annotators"])
    segments = Score.objects.filter(measure="score")
    assert segments.filter(judgment__is_current=True).count() == expected["ratings"]
    assert segments.filter(judgment__is_current=False).count() == expected["superseded_rows"]
    assert segments.values("translation").distinct().count() == expected["items"]

    result = analyse(outcome.campaign, options=expected_of(CALIBRATION)["options"])

    assert result["judgments"] == Judgment.objects.filter(is_current=True).count()
    assert len(result["analyses"]["annotators"]) == expected["annotators"]
