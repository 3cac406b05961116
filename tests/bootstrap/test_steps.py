"""Steps of set-up that are taken at the same time."""

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bootstrap import steps

PRINTS_BESIDE_THE_OTHER = """
import sys, time
from pathlib import Path
mine, other, line = sys.argv[1:]
print(line, flush=True)
Path(mine).touch()
while not Path(other).exists():
    time.sleep(0.01)
sys.exit(1)
"""


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "WORK", tmp_path / "work")
    monkeypatch.setattr(steps, "LOG", tmp_path / "work" / "setup.log")


def test_of_two_that_fail_at_once_each_tells_its_own_reason(tmp_path: Path) -> None:
    def failure(what: str, mine: str, other: str, line: str) -> steps.StepFailed:
        files = [str(tmp_path / mine), str(tmp_path / other)]
        with pytest.raises(steps.StepFailed) as failed:
            steps.perform(what, [sys.executable, "-c", PRINTS_BESIDE_THE_OTHER, *files, line], folder=tmp_path)
        return failed.value

    with ThreadPoolExecutor(2) as both:
        packages = both.submit(failure, "Packages", "one", "two", "error: Connection refused")
        browser = both.submit(failure, "A browser", "two", "one", "error: it has no room")
    assert packages.result().is_offline
    assert not browser.result().is_offline
    assert str(browser.result()).startswith("A browser failed: it has no room (")
    log = (tmp_path / "work" / "setup.log").read_text()
    assert log.count("\nerror: Connection refused\n") == log.count("\nerror: it has no room\n") == 1


def test_threads_that_set_up_the_same_wait_for_each_other_and_say_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    seen: list[str] = []

    def set_up() -> None:
        with steps.one_at_a_time("rooms"):
            seen.append("in")
            time.sleep(0.005)  # long enough for the others to come
            seen.append("out")

    with steps.one_at_a_time("houses"), ThreadPoolExecutor(4) as four:
        done = [four.submit(set_up) for _ in range(8)]
    for one in done:
        one.result()
    assert seen == ["in", "out"] * 8
    assert capsys.readouterr().err == ""
