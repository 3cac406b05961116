"""A campaign of ours on Pearmut: exported with practice, taken by its program, judged on its page, read in again."""

import csv
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from benchmarks._judging.contestant import BenchmarkFailed
from benchmarks._judging.json_connection import Connection
from benchmarks._judging.pearmut import BEGAN
from benchmarks._judging.pearmut_environment import install_pearmut
from benchmarks._judging.server import serving
from benchmarks._marking.on_pearmut import judge_on_page
from benchmarks._marking.same_answers import ANSWERS, SOURCES, SYSTEMS, text_of
from tests.processes import ROOT, free_port

NAME, SLUG = "There", "there"
BACK, BACK_SLUG = "Back again", "back-again"
DOCUMENTS = ("first", "second")  # after the last one its page would say goodbye at once
USER = "assignment-1"  # nobody has the one assignment yet
PRACTICE: Mapping[str, Any] = {
    "feedback": "Look at verbs first.",
    "segments": [
        {
            "source": "Talks resume.",
            "translations": {"A": "Gespräche enden.", "B": "Es wird weiter gesprochen."},
            "marks": {"A": [{"text": "enden", "severity": "major"}]},
            "better": {"B": ["A"]},
        },
        {
            "source": "The bridge is closed.",
            "translations": {"A": "Die Brücke ist gesperrt.", "B": "Die Brücke ist offen."},
            "expected": {"A": {"score": [85, 100]}},
        },
    ],
}
RULES = [
    {"A": {"error_spans": [{"start_i": 10, "end_i": 14, "severity": "major"}]}, "B": {"score_greaterthan": "A"}},
    {"A": {"score": [85, 100]}},
]
PRACTISED = [[(40, "A"), (90, "B")], [(90, "A"), (30, "B")]]
Row = tuple[object, ...]


def check_there_and_back(browser: Browser) -> str:
    """What was compared, in a sentence; raises BenchmarkFailed with what does not come back as it was answered."""
    program = install_pearmut()
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        root = Path(folder)
        exported = _exported(root)
        _check_practice(json.loads(exported.read_text(encoding="utf-8")))
        _judged_there(program, root, browser)
        return _read_in_again(root, exported)


def _exported(root: Path) -> Path:
    texts, practice, exported = root / "texts.jsonl", root / "practice.jsonl", root / "campaign.json"
    texts.write_text("".join(f"{json.dumps(line)}\n" for line in _lines()), encoding="utf-8")
    practice.write_text(f"{json.dumps(PRACTICE)}\n", encoding="utf-8")
    _manage(root, "migrate", "--verbosity=0")
    languages = ("--source-language=en", "--target-language=de")
    _manage(root, "import_test_set", texts, f"--name={NAME}", *languages)
    options = ("--protocol=cesa", f"--option=systems_per_screen={len(SYSTEMS)}", "--redundancy=1")
    _manage(root, "create_campaign", NAME, f"--test-set={NAME}", *options)
    _manage(root, "import_practice", NAME, practice)
    _manage(root, "export", NAME, "--format=pearmut-campaign", f"--output={exported}")
    return exported


def _lines() -> Iterator[dict[str, Any]]:
    for document in DOCUMENTS:
        for segment, source in enumerate(SOURCES):
            translations = {system: text_of(segment, system) for system in SYSTEMS}
            yield {"document": document, "segment": str(segment), "source": source, "translations": translations}


def _check_practice(campaign: Mapping[str, Any]) -> None:
    [screen] = campaign["data_welcome"]
    rules = [
        {label: {name: value for name, value in rule.items() if name != "warning"} for label, rule in rules.items()}
        for rules in (item.get("validation", {}) for item in screen)
    ]
    _compare("rules of the exported practice", rules, RULES)


def _judged_there(program: Path, root: Path, browser: Browser) -> None:
    """The practice as its page sends it, the first document on its page."""
    environment, port = dict(os.environ) | {"PEARMUT_ROOT": str(root)}, free_port()
    _run([program, "add", "campaign.json"], root, environment)
    address = f"http://127.0.0.1:{port}/annotate?campaign_id={SLUG}&user_id={USER}"
    command: list[str | Path] = [program, "run", "--port", str(port)]
    with serving(command, environment=environment, address=address, log=root / "log", folder=root):
        connection, who = Connection(port), {"campaign_id": SLUG, "user_id": USER}
        practice = connection.ask("POST", "/get-next-item", who)
        _compare("first item there", practice["info"]["item_i"], "welcome_0")
        cells = [{label: {"score": score, "error_spans": []} for score, label in row} for row in PRACTISED]
        answer = {
            "annotation": cells,
            "actions": [{"time": BEGAN, "action": "load"}],
            "item": practice["payload"],
            "validations": [True],
        }
        connection.ask("POST", "/log-response", who | {"item_i": "welcome_0", "payload": answer})
        connection.close()
        judge_on_page(browser, address)


def _read_in_again(root: Path, exported: Path) -> str:
    answers = root / "data" / "annotations" / f"{SLUG}.jsonl"
    records = [json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines()]
    _compare("items answered there", [record["item_i"] for record in records], ["welcome_0", 0])
    made = f"--campaign={BACK}"
    _manage(root, "import_judgments", answers, "--format=pearmut", f"--campaign-file={exported}", made)
    document = records[1]["item"][0]["item_id"].split("_###_")[-2]
    scores = [(document, str(each.segment), each.system, each.score) for each in ANSWERS]
    spans = [
        *((each.system, str(each.segment), *span) for each in ANSWERS for span in each.spans),
        *((each.system, str(each.segment), each.missing) for each in ANSWERS if each.missing),
    ]
    written = _table(root, "csv")
    back = [
        (row["document"], row["segment"], row["system"], int(float(row["value"])))
        for row in written
        if row["measure"] == "score"
    ]
    _compare("scores that came back", sorted(back), sorted(scores))
    _compare("marks that came back", sorted(map(str, _marks(root))), sorted(map(str, spans)))
    marks = len(spans)
    return f"{len(back)} scores and {marks} marks and tags came back as they were given, the practice apart."


def _marks(root: Path) -> Iterator[Row]:
    for row in _table(root, "spans-csv"):
        place = (row["system"], row["segment"])
        yield (*place, row["severity"]) if row["category"] == "missing" else (
            *place, int(row["start"]), int(row["end"]), row["severity"]
        )  # fmt: skip


def _table(root: Path, format: str) -> list[dict[str, str]]:
    path = root / f"{format}.csv"
    _manage(root, "export", BACK_SLUG, f"--format={format}", f"--output={path}")
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _compare(what: str, found: object, expected: object) -> None:
    if found != expected:
        raise BenchmarkFailed(f"{what}: {found} instead of {expected}.")


def _manage(root: Path, *arguments: str | Path) -> None:
    """A command on a database of its own."""
    variables = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    _run([sys.executable, "manage.py", *arguments], ROOT, variables | {"ASSAY_DATA_DIR": str(root / "assay")})


def _run(command: Sequence[str | Path], folder: Path, environment: Mapping[str, str]) -> None:
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        words = " ".join(map(str, command[1:3]))
        raise BenchmarkFailed(f"{words} failed: {done.stdout}{done.stderr}")
