"""WMT23 English to German through the commands: corpus BLEU and chrF of every system as published."""

import json
from io import StringIO

from django.core.management import call_command

import pytest

from tests.metrics.real_campaigns import expected_of, real_case

pytestmark = [pytest.mark.real_data, pytest.mark.django_db]


def test_corpus_bleu_and_chrf_are_as_expected() -> None:
    home, expected = real_case("metrics-wmt23-ende") / "wmt23", expected_of("metrics-wmt23-ende")
    systems, outputs = expected["sacrebleu"]["systems"], home / "system-outputs" / "en-de"
    sides = [f"--source={home / 'sources' / 'en-de.txt'}", f"--reference=refA={home / 'references' / 'en-de.refA.txt'}"]
    sides += [f"--system={system}={outputs / f'{system}.txt'}" for system in sorted(systems)]
    languages = ("--source-language=en", "--target-language=de")
    call_command("import_test_set", "--name=WMT23", *languages, *sides, stdout=StringIO(), stderr=StringIO())
    asked, out = ("--metric=bleu", "--metric=chrf", "--resamples=10", "--json"), StringIO()
    call_command("score_test_set", "WMT23", *asked, stdout=out, stderr=StringIO())
    scores = json.loads(out.getvalue())["scores"]
    assert {entry["signature"] for entry in scores} == set(expected["sacrebleu"]["signatures"])
    for metric in ("bleu", "chrf"):
        found = {entry["system"]: entry["score"] for entry in scores if entry["metric"] == metric}
        published = {system: values[metric] for system, values in systems.items()}
        # AIRC's file begins with a byte order mark: one for the import, a character for the published chrF
        assert abs(found.pop("AIRC") - published.pop("AIRC")) < 1e-4
        assert found == pytest.approx(published, abs=expected["tolerance"]["sacrebleu"])
