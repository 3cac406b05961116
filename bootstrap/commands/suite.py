"""`./assay test`: everything, or what is named."""

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bootstrap import browser, environment, fonts, frontend, neural_environment
from bootstrap.changes import changed_files
from bootstrap.places import DEV_LOCK, EMPTY_DATABASES, MODELS, ROOT
from bootstrap.steps import SetUpError, say

# Plugins by name: looking for them in every installed package takes seconds.
PLUGINS = ["pytest_django.plugin", *(f"tests.plugins.{name}" for name in ("servers", "changed", "drawing"))]
PYTEST = ["-m", "pytest", "--disable-plugin-autoload", *(part for name in PLUGINS for part in ("-p", name))]
SLOWEST = ["--durations", "15"]
COMPUTING = ["-m", "not browser and not servers", *SLOWEST]
# On PostgreSQL test_query_counts.py reads every address.
ON_SQLITE_ALONE = "tests/frontend/test_permissions.py::test_everybody_is_let_in"
ON_SQLITE = ["--database", "sqlite", "--only-database", *SLOWEST]
NEURAL = "pytest of the neural worker"  # installs an environment of its own, and then mostly waits for it
# The longest and those that wait first, so that the processors end together.
PARTS = {
    NEURAL: ["tests/neural_worker", "--database", "sqlite", *SLOWEST],
    "pytest of servers": ["tests/config", "--only-servers", *SLOWEST],
    "pytest of workers": [
        *(f"--ignore=tests/{part}" for part in ("config", "crash", "browser")),
        "--only-servers",
        *SLOWEST,
    ],
    "pytest on PostgreSQL": [
        *(f"--ignore=tests/{part}" for part in ("frontend", "metrics", "neural_worker", "browser", "crash")),
        *COMPUTING,
    ],
    "pytest of crashes and journeys": ["tests/crash", "tests/browser", "--only-servers", *SLOWEST],
    "pytest in browsers": ["tests/browser", *ON_SQLITE],
    "pytest of numbers": ["tests/metrics", *COMPUTING],
    "pytest of pages": ["tests/frontend", "--deselect", ON_SQLITE_ALONE, *COMPUTING],
    "pytest on SQLite": ["tests", "--ignore", "tests/browser", "--ignore", "tests/neural_worker", *ON_SQLITE],
}
AT_ONCE = 4 + (os.cpu_count() or 2)  # they wait for databases, browsers and processes, those of servers two thirds


@dataclass(frozen=True)
class Cost:
    """Seconds by the clock, and of processors: the process's and those of all children that it has waited for.

    `ended` is when, by the monotonic clock.
    """

    wall: float
    processor: float
    ended: float = 0

    def __str__(self) -> str:
        return f"{self.wall:.0f} s, {self.processor:.0f} s of processor time"


def suite(arguments: list[str]) -> int:
    began = time.monotonic()
    os.chdir(ROOT)
    slower = _times_slower()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # a hundred processes would each translate everything anew
    drawing = _drawing(arguments)
    if drawing is None:
        python = environment.prepare(DEV_LOCK)
        frontend.compile_words(python)
        frontend.build()
        return _named(python, arguments)
    costs: dict[str, Cost] = {}
    with ThreadPoolExecutor() as beside:  # while one thing arrives, the processors have another to do
        scripts, with_fonts = beside.submit(_of_scripts), beside.submit(fonts.use)
        python = environment.prepare(DEV_LOCK)
        with _empty_databases(python) as wait_for_databases:
            chromium, model = beside.submit(browser.find_browser), beside.submit(_fetch_light_model, python)
            frontend.compile_words(python)
            os.environ[browser.VARIABLE] = str(chromium.result())
            with_fonts.result()
            model.result()
            untested = neural_environment.why_unavailable()
            results = scripts.result()
            wait_for_databases()
            parts = {name: [*part, *drawing] for name, part in PARTS.items() if name != NEURAL or not untested}
            results |= _all_of_pytest(python, parts, costs)
    for line in told_costs(costs, began, Cost(time.monotonic() - began, _processor_time_of_children())):
        say(line)
    say(f"a loop that never changes took {slower} times its time before, and {_times_slower()} after.")
    failed = [name for name, code in results.items() if code]
    if drawing:
        say(f"`./assay test {' '.join(drawing)}` draws the same again; `./assay test --all` leaves nothing out.")
    return exit_code(failed, untested)


def _drawing(arguments: list[str]) -> list[str] | None:
    """What all parts are told: a seed for long rows of like cases, nothing for all of them; None where tests are named.

    >>> _drawing(["--all"]), _drawing(["--draw", "7"]), _drawing(["tests/jobs"])
    ([], ['--draw', '7'], None)
    """
    if not arguments:
        return ["--draw", str(random.randrange(10_000))]  # noqa: S311 - no secret
    if arguments == ["--all"]:
        return []
    return arguments if arguments[0] == "--draw" and len(arguments) == 2 else None


def _named(python: Path, arguments: list[str]) -> int:
    """What changed is tested on both databases, as in the whole suite; everything else where the arguments say."""
    if "--changed" not in arguments or any(word.startswith("--database") for word in arguments):
        return _pytest(python, arguments)
    codes = []
    if any(file.is_relative_to("frontend/src") for file in changed_files(ROOT)):
        node = frontend.prepare()
        codes += [frontend.type_check(node), frontend.run_vitest(node)]
    codes += [_pytest(python, ["-m", "not browser", *arguments]), _pytest(python, [*arguments, *ON_SQLITE])]
    return max(codes)


def exit_code(failed: list[str], untested: str) -> int:
    """Says what failed, and why the neural worker was not tested, which only on CI is a failure."""
    if failed:
        say(f"failed: {', '.join(failed)}.")
    if untested:
        say(f"the neural worker was not tested: {untested}")
    return 1 if failed or (untested and os.environ.get("CI") == "true") else 0


def told_costs(parts: Mapping[str, Cost], began: float, whole: Cost) -> list[str]:
    """A line for each part, the dearest first, and one for everything; what sets up an environment stands apart.

    >>> for line in told_costs({NEURAL: Cost(9, 8, 70), "Vitest": Cost(3, 1, 65)}, 60, Cost(10, 12)):
    ...     print(line)
    pytest of the neural worker: 9 s, 8 s of processor time.
    Vitest: 3 s, 1 s of processor time.
    everything: 10 s, 12 s of processor time; 5 s, 4 s of processor time without pytest of the neural worker.
    """
    dearest = sorted(parts.items(), key=lambda part: -part[1].processor)
    lines = [f"{name}: {cost}." for name, cost in dearest]
    others = [cost.ended for name, cost in parts.items() if name != NEURAL]
    if NEURAL not in parts or not others:
        return [*lines, f"everything: {whole}."]
    rest = Cost(max(others) - began, whole.processor - parts[NEURAL].processor)
    return [*lines, f"everything: {whole}; {rest} without {NEURAL}."]


def _times_slower() -> str:
    """How slow the machine is, beside its figures; a process, as images have this command but no tests."""
    command = [sys.executable, "-m", "tests.machine_speed"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def _processor_time_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _of_scripts() -> dict[str, int]:
    """Builds the front end and tests it, for which Node is enough."""
    frontend.build()
    node = frontend.prepare()
    with ThreadPoolExecutor(2) as both:
        codes = {
            "TypeScript's types": both.submit(frontend.type_check, node),
            "Vitest": both.submit(frontend.run_vitest, node),
        }
    return {name: code.result() for name, code in codes.items()}


def _fetch_light_model(python: Path) -> None:
    """Once for all parts, which would otherwise each fetch it."""
    if subprocess.run([python, "-m", "metrics.neural.fetching", MODELS], check=False).returncode:
        raise SetUpError("the tests of BERTScore and YiSi need the light model; see the reason above.")


@contextmanager
def _empty_databases(python: Path) -> Iterator[Callable[[], None]]:
    """Made once for all parts, which otherwise migrate a dozen of them, while the front end is built and tested.

    It also leaves behind what Python translates when it first loads Assay, or five processes would each do so.
    """
    if _servers_are_given():
        yield lambda: None
        return
    with tempfile.TemporaryDirectory(prefix="assay-empty-") as folder:
        making = subprocess.Popen([python, "-m", "tests.empty_databases", folder])

        def wait() -> None:
            if making.wait():
                raise SetUpError("The empty databases for the tests could not be made; see the reason above.")
            os.environ[EMPTY_DATABASES] = folder

        try:
            yield wait
        finally:
            os.environ.pop(EMPTY_DATABASES, None)
            making.terminate()
            making.wait()


def _all_of_pytest(python: Path, parts: Mapping[str, list[str]], costs: dict[str, Cost]) -> dict[str, int]:
    """Several parts at once, each with servers of its own; one after the other where servers are given to all.

    Fills `costs` as the parts end.
    """
    if _servers_are_given():
        return {name: _pytest(python, part) for name, part in parts.items()}
    with tempfile.TemporaryDirectory(prefix="assay-parts-") as folder, ThreadPoolExecutor(AT_ONCE) as pool:
        outputs = {name: Path(folder, str(number)) for number, name in enumerate(parts)}
        started: list[subprocess.Popen[bytes]] = []

        def run(name: str) -> int:
            code, costs[name] = _run_part(python, parts[name], outputs[name], started, gives_way=name == NEURAL)
            return code

        codes = {name: pool.submit(run, name) for name in parts}
        try:
            return {name: _followed(codes[name], outputs[name]) for name in parts}
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in started:
                process.terminate()  # its plugin stops the servers it started


def _servers_are_given() -> bool:
    return bool(os.environ.get("DATABASE_URL") or os.environ.get("REDIS_URL"))


def _pytest(python: Path, arguments: list[str]) -> int:
    return subprocess.run([python, *PYTEST, *arguments], check=False).returncode


def _run_part(
    python: Path,
    arguments: list[str],
    output: Path,
    started: list[subprocess.Popen[bytes]],
    *,
    gives_way: bool = False,
) -> tuple[int, Cost]:
    """One that gives way has a third of the processor time of each other."""
    nice = ["nice", "-n", "5"] if gives_way else []
    began = time.monotonic()
    with output.open("wb") as stream:
        process = subprocess.Popen([*nice, python, *PYTEST, *arguments], stdout=stream, stderr=subprocess.STDOUT)
    started.append(process)
    _, status, used = os.wait4(process.pid, 0)  # as `wait`, and tells what it used
    process.returncode = os.waitstatus_to_exitcode(status)
    ended = time.monotonic()
    return process.returncode, Cost(ended - began, used.ru_utime + used.ru_stime, ended)


def _followed(code: Future[int], output: Path) -> int:
    """What it has printed meanwhile, then the rest as it comes."""
    while not output.exists():
        wait([code], timeout=0.5)
    with output.open("rb") as lines:
        while True:
            is_over = code.done()
            sys.stdout.buffer.write(lines.read())
            sys.stdout.flush()
            if is_over:
                return code.result()
            wait([code], timeout=0.5)
