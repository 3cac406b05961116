import os
import subprocess
import sys
import time

from benchmarks._judging.processor_time import read_accounts, seconds_used

BUSY = "import time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass"


def test_a_name_with_brackets_and_blanks_does_not_shift_the_fields() -> None:
    fields = ["S", "41", *["0"] * 9, "5", "6", "7", "8", "9"]
    assert read_accounts(f"42 (a) (b c) {' '.join(fields)}") == (41, 5 + 6 + 7 + 8)


def test_what_a_child_has_used_counts_while_it_runs_and_after_its_end() -> None:
    before = seconds_used(os.getpid())
    waiting = f"{BUSY}\nprint('busy no more', flush=True)\ninput()"
    with subprocess.Popen(
        [sys.executable, "-c", waiting], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        running = seconds_used(os.getpid())
        child.communicate("\n")
    assert running - before >= 0.25
    assert seconds_used(os.getpid()) >= running


def test_waiting_costs_nothing() -> None:
    before = seconds_used(os.getpid())
    time.sleep(0.3)
    assert seconds_used(os.getpid()) - before < 0.2
