"""Results and answers in an archive have the types that are computed and stored here, or are refused."""

import copy
import io
import json
import os
import random
import zipfile
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from django.db import transaction

import pytest

from annotation.models import Judgment
from campaigns.models import Campaign, TestSet
from exchange.archive.checking import RESULTS
from exchange.archive.rebuilding import import_archive
from exchange.archive.writing import write_archive
from exchange.reading import ImportFileError
from jobs.actions import perform_now
from jobs.models import Run
from jobs.queries import whole_result
from metrics.analyses import PARTS
from metrics.results.codec import ResultShapeError, from_json, to_json
from metrics.scoring.texts import reference_names
from tests.cast import Cast
from tests.exchange.archive.demo_in_small import ONE_OF_EACH, make_small
from tests.hostile_files import LITERALS, MARK, marked_places, row_counts
from tests.planned_campaign import make_planned_campaign

pytestmark = pytest.mark.django_db
Files = dict[str, bytes]
FEW = {"interval_resamples": 100, "resamples": 100}


def analysed(campaign: Campaign) -> None:
    """With everything: metrics where there are references, slices, and a trial exclusion."""
    if reference_names(campaign.test_set):
        perform_now(kind="metric_scores", test_set=campaign.test_set, arguments={"by": "domain", "resamples": 100})
    somebody = Judgment.objects.filter(item__assignment__campaign=campaign)[0].annotator.username
    for arguments in (
        {"options": {**FEW, "by": "document"}},
        {"analyses": ["exclusion"], "options": {**FEW, "without": [somebody]}},
    ):
        assert perform_now(kind="analysis", campaign=campaign, arguments=arguments).status == "done"


@pytest.mark.drawn(4)
@pytest.mark.parametrize("demo", ONE_OF_EACH, ids=lambda demo: demo.spec.protocol)
def test_what_is_computed_here_is_read_whole_as_its_types(demo: Any) -> None:
    analysed(make_small(demo))
    for run in Run.objects.filter(status="done"):
        assert to_json(from_json(RESULTS[run.kind], run.result, run.kind)) == run.result
        for part in run.parts.all():
            assert to_json(from_json(PARTS[part.name], part.result, part.name)) == part.result
        for name, whole in whole_result(run).get("analyses", {}).items():
            assert to_json(from_json(PARTS[name], whole, name)) == whole


_WRITTEN: list[Files] = []


@pytest.fixture
def files() -> Files:
    """Written once: nothing in it depends on the original database."""
    if not _WRITTEN:
        _WRITTEN.append(_archive())
    return dict(_WRITTEN[0])


def _archive() -> Files:
    campaign = make_small(next(demo for demo in ONE_OF_EACH if demo.spec.protocol == "esa"))
    analysed(campaign)
    return written(campaign)


def written(campaign: Campaign) -> Files:
    with zipfile.ZipFile(io.BytesIO(b"".join(write_archive(campaign)))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(files: Files, folder: Path) -> Path:
    path = folder / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def refusal_of(files: Files, folder: Path) -> str:
    path = packed(files, folder)
    before = row_counts()
    with pytest.raises(ImportFileError) as refused:
        import_archive(path, name="Rebuilt")
    assert row_counts() == before
    return str(refused.value)


def changed(files: Files, name: str, change: Callable[[list[dict[str, Any]]], None]) -> Files:
    rows = [json.loads(line) for line in files[f"rows/{name}.jsonl"].splitlines()]
    change(rows)
    return {**files, f"rows/{name}.jsonl": b"".join(json.dumps(row).encode() + b"\n" for row in rows)}


def set_in(name: str, value: Any, *, part: str = "", key: str = "result") -> Callable[[list[dict[str, Any]]], None]:
    def change(rows: list[dict[str, Any]]) -> None:
        row = next(row for row in rows if row.get("name", row.get("kind")) == (part or "analysis"))
        if not name:
            row[key] = value
            return
        *way, last = name.split(".")
        value_at = row[key]
        for step in way:
            value_at = value_at[int(step)] if isinstance(value_at, list) else value_at[step]
        if value is KeyError:
            del value_at[last]
        else:
            value_at[last] = value

    return change


@pytest.mark.parametrize(
    ("name", "change", "expected"),
    [
        ("run", set_in("", None), "result: this has the wrong type. Expected: an object"),
        ("run", set_in("", [1]), "result: "),
        ("run", set_in("signature", 5), "result.signature: "),
        ("run", set_in("judgments", KeyError), "result.judgments: "),
        ("run", set_in("options", {"test": "guess"}, key="arguments"), "arguments: test must be one of"),
        ("run", set_in("", {"colour": 1}, key="arguments"), "arguments: An analysis has no argument colour"),
        ("runpart", set_in("", None, part="ranking"), "result: "),
        ("runpart", set_in("systems", {}, part="ranking"), "result.systems: "),
        ("runpart", set_in("systems.0.interval", [1], part="ranking"), "result.systems[0].interval: "),
        ("runpart", set_in("systems.0.mean", "high", part="ranking"), "result.systems[0].mean: "),
        ("runpart", set_in("systems.0.rank", KeyError, part="ranking"), "result.systems[0].rank: "),
        ("runpart", set_in("too_early", [], part="ranking"), "result.too_early: "),
        ("runpart", set_in("measures.0.pairs", 5, part="agreement"), "result.measures[0].pairs: "),
        ("runpart", set_in("controls.passed", True, part="scope"), "result.controls.passed: "),
        ("runpart", set_in("0.flags", "fast", part="annotators"), "result[0].flags: "),
        ("runpart", set_in("systems.0.reasons", ["a"], part="errors"), "result.systems[0].reasons: "),
        ("runpart", lambda rows: rows[0].update(name="weather"), "name: unknown part"),
    ],
)
def test_a_result_of_another_shape_is_refused_with_its_place(
    files: Files, tmp_path: Path, name: str, change: Callable[[list[dict[str, Any]]], None], expected: str
) -> None:
    message = refusal_of(changed(files, name, change), tmp_path)
    assert f"rows/{name}.jsonl, line " in message
    assert expected in message


def test_scores_by_a_tokenizer_that_is_not_set_up_here_are_taken(test_set: TestSet, cast: Cast, tmp_path: Path) -> None:
    """They were computed elsewhere, and are read without that tokenizer."""
    campaign = make_planned_campaign(test_set, cast)
    perform_now(kind="metric_scores", test_set=test_set, arguments={"metrics": ["bleu"], "tokenizer": "char"})
    tokenizer = set_in("tokenizer", "flores200", part="metric_scores", key="arguments")
    rebuilt = import_archive(packed(changed(written(campaign), "run", tokenizer), tmp_path), name="Rebuilt")
    assert Run.objects.get(test_set=rebuilt.test_set, kind="metric_scores").arguments["tokenizer"] == "flores200"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda answer: answer["slots"]["A"].update(score="high"), "line 1, answer"),
        (lambda answer: answer["slots"]["A"].update(score=400), "line 1, answer.slots.A.score"),
        (lambda answer: answer["slots"]["A"].update(colour=1), "line 1, answer.slots.A.colour"),
        (lambda answer: answer["slots"].update(B={"score": 5, "spans": []}), "line 1, answer.slots.B"),
        (lambda answer: answer["slots"]["A"].update(spans=[{"start": 0, "end": 9_999_999}]), "line 1, answer"),
        (lambda answer: answer["slots"].update(A=[1]), "line 1, answer"),
        (lambda answer: answer.update(comment=5), "line 1, answer"),
        (lambda answer: answer.update(cannot_judge="tired"), "line 1, answer.cannot_judge"),
    ],
)
def test_an_answer_the_protocol_would_not_take_is_refused_with_its_line(
    files: Files, tmp_path: Path, change: Callable[[dict[str, Any]], None], expected: str
) -> None:
    message = refusal_of(changed(files, "judgment", lambda rows: change(rows[0]["answer"])), tmp_path)
    assert f"rows/judgment.jsonl, {expected}" in message


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("segment", "tags", "news"),
        ("segment", "tags", [1]),
        ("testset", "report", []),
        ("importedscores", "references", "A"),
        ("adjudication", "answer", []),
    ],
)
def test_lists_and_objects_are_what_they_should_be(
    files: Files, tmp_path: Path, name: str, field: str, value: object
) -> None:
    message = refusal_of(changed(files, name, lambda rows: rows[0].update({field: value})), tmp_path)
    assert f"rows/{name}.jsonl, line 1, {field}" in message


def wrecks(value: Any, rng: random.Random) -> Iterator[tuple[Any, Any]]:
    """The value with one part replaced, and the part that was replaced."""
    while True:
        wrecked = copy.deepcopy(value)
        part = wrecked
        while True:
            keys = list(part) if isinstance(part, dict) else list(range(len(part)))
            if not keys:
                break
            key = rng.choice(keys)
            if isinstance(part[key], dict | list) and part[key] and rng.random() < 0.8:
                part = part[key]
                continue
            part[key] = rng.choice([None, "x", 5, 0.5, True, [], {}, [1, 2, 3], {"a": 1}])
            yield wrecked, key
            break


def is_refused(value: Any, kind: Any) -> bool:
    try:
        from_json(kind, value)
    except ResultShapeError:
        return True
    return False


def test_any_other_shape_is_refused_or_harmless(files: Files) -> None:
    """No change makes checking raise; most are refused."""
    rng = random.Random(5)
    refused = tried = 0
    for line in files["rows/runpart.jsonl"].splitlines():
        row = json.loads(line)
        for (wrecked, _key), _number in zip(wrecks(row["result"], rng), range(40), strict=False):
            tried += 1
            refused += is_refused(wrecked, PARTS[row["name"]])
    assert tried > 200
    assert refused > tried / 2


def test_one_value_wrong_in_any_row_is_stored_or_refused_but_never_an_error(files: Files, tmp_path: Path) -> None:
    rng = random.Random(11)
    failed = []
    for _number in range(int(os.environ.get("ASSAY_HOSTILE_SAMPLE", "40"))):
        name = rng.choice([name for name in files if name.startswith("rows/") and files[name]])
        lines = files[name].splitlines()
        at = rng.randrange(len(lines))
        place, marked = rng.choice(list(islice(marked_places(json.loads(lines[at])), 200)))
        literal = rng.choice(LITERALS)
        lines[at] = json.dumps(marked).replace(f'"{MARK}"', literal).encode()
        try:
            with transaction.atomic():
                import_archive(packed({**files, name: b"\n".join(lines) + b"\n"}, tmp_path), name="Rebuilt")
                transaction.set_rollback(True)
        except ImportFileError:
            pass
        except Exception as error:
            failed.append(f"{name}, {place}: {literal[:40]}: {type(error).__name__}: {str(error)[:200]}")
    assert failed == []
