"""What the suite says that it took."""

import sys
from pathlib import Path

from bootstrap.commands.suite import NEURAL, Cost, _run_part, told_costs

USES_A_CHILD = "import subprocess, sys; subprocess.run([sys.executable, '-c', {code!r}])"
COUNTS = "import time\nwhile time.process_time() < 0.3: pass"


def test_the_dearest_part_comes_first_and_the_neural_worker_is_told_apart() -> None:
    parts = {"Vitest": Cost(3, 1, 106), NEURAL: Cost(9, 8, 110)}
    assert told_costs(parts, 100, Cost(10.4, 12.6)) == [
        "pytest of the neural worker: 9 s, 8 s of processor time.",
        "Vitest: 3 s, 1 s of processor time.",
        "everything: 10 s, 13 s of processor time; 6 s, 5 s of processor time without pytest of the neural worker.",
    ]
    assert told_costs({}, 0, Cost(1, 2)) == ["everything: 1 s, 2 s of processor time."]


def test_a_part_is_charged_for_the_processes_it_started(tmp_path: Path) -> None:
    (tmp_path / "test_child.py").write_text(f"def test_child():\n    {USES_A_CHILD.format(code=COUNTS)}\n")
    where = [
        "--database",
        "sqlite",
        "--rootdir",
        str(tmp_path),
        "-c",
        "/dev/null",
        "-p",
        "no:django",
        str(tmp_path / "test_child.py"),
    ]
    code, cost = _run_part(Path(sys.executable), where, tmp_path / "output", [])
    assert code == 0, (tmp_path / "output").read_text()
    assert cost.processor > 0.3
    assert cost.wall > 0.3
