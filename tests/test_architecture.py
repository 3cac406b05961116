"""The house rules a machine can check: sizes, names, arrows into Django's own HTTP, and a protocol's pieces."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from annotation.protocols import PROTOCOLS
from annotation.protocols.base import Protocol
from annotation.protocols.direct_assessment import DirectAssessment
from metrics.derivations import DERIVATIONS
from metrics.methods.sources import SOURCES
from metrics.recipes import RECIPES

ROOT = Path(__file__).resolve().parent.parent
ROOMS = (
    "bootstrap",
    "config",
    "campaigns",
    "jobs",
    "annotation",
    "metrics",
    "exchange",
    "demo",
    "frontend",
    "neural_worker",
)
LONGEST_FILE = 400
LONGEST_FUNCTION = 60
LONGEST_LINE = 120
BAGS = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "handler", "handlers"}
HTTP = ("django.http", "django.shortcuts", "django.views", "django.template", "django.urls")


def sources(*rooms: str) -> Iterator[Path]:
    for room in rooms:
        for path in sorted((ROOT / room).rglob("*.py")):
            if "migrations" not in path.parts and "node_modules" not in path.parts:
                yield path


def scripts() -> Iterator[Path]:
    folder = ROOT / "frontend" / "src"
    for suffix in ("*.ts", "*.tsx"):
        yield from (path for path in sorted(folder.rglob(suffix)) if "generated" not in path.parts)


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def imported_by(path: Path) -> set[str]:
    names: set[str] = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def relative(paths: Iterator[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


def test_no_file_is_longer_than_the_budget() -> None:
    files = [*sources(*ROOMS, "tests"), *scripts()]
    long = {
        path: count for path in files if (count := len(path.read_text(encoding="utf-8").splitlines())) > LONGEST_FILE
    }
    assert long == {}


def test_no_line_is_longer_than_the_budget() -> None:
    """What formatters leave: comments, messages, shell, TOML, prose. Ruff looks after Python."""
    code = (
        "frontend/src/**/*.ts*",
        "frontend/src/css/**/*.css",
        "frontend/*.mjs",
        "*.toml",
        "*.yml",
        "Dockerfile",
        "assay",
    )
    files = [path for kind in (*code, "*.md", "docs/**/*.md") for path in sorted(ROOT.glob(kind))]
    files = [path for path in files if "generated" not in path.parts]
    assert len(files) > 150
    assert [f"{path.relative_to(ROOT)}:{number}" for path in files for number in long_lines(path)] == []


def long_lines(path: Path) -> Iterator[int]:
    """A row of a table and what is to be copied, as commands, cannot be broken."""
    is_copied = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        is_prose = path.suffix != ".md" or not (is_copied or line.lstrip().startswith("|"))
        if path.suffix == ".md" and line.lstrip().startswith("```"):
            is_copied = not is_copied
        if len(line) > LONGEST_LINE and is_prose:
            yield number


def test_pages_of_one_reader_use_no_template_of_another() -> None:
    """As their modules import nothing of each other. What they share is in `partials`."""
    readers = ("annotator", "organiser", "people", "researcher")
    named = re.compile(rf'"((?:{"|".join(readers)})/[\w/]+\.html)"')
    others = {
        f"{path.relative_to(ROOT / 'frontend')}: {template}"
        for reader in readers
        for folder, kind in ((reader, "py"), (f"templates/{reader}", "html"))
        for path in (ROOT / "frontend" / folder).rglob(f"*.{kind}")
        for template in named.findall(path.read_text(encoding="utf-8"))
        if not template.startswith(f"{reader}/")
    }
    # a preview is the annotator's own page
    assert others == {"organiser/items.py: annotator/workbench.html"}


def length_without_docstring(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is not None:
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


def test_no_function_is_longer_than_the_budget() -> None:
    long = {}
    for path in sources(*ROOMS):
        for node in nodes_of(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = length_without_docstring(node)
                if length > LONGEST_FUNCTION:
                    long[f"{path.relative_to(ROOT)}:{node.name}"] = length
    assert long == {}


def test_no_file_is_a_bag() -> None:
    files = [*sources(*ROOMS, "tests"), *scripts()]
    assert relative(path for path in files if path.stem in BAGS) == []


@pytest.mark.parametrize("room", ["campaigns", "jobs", "annotation", "metrics", "exchange", "demo"])
def test_http_stays_in_the_front_end(room: str) -> None:
    guilty = {
        str(path.relative_to(ROOT)): sorted(name for name in imported_by(path) if name.startswith(HTTP))
        for path in sources(room)
        if any(name.startswith(HTTP) for name in imported_by(path))
    }
    assert guilty == {}


def test_an_address_that_leaves_the_site_is_made_in_one_place() -> None:
    """A page of the API leads to the next at whatever address it was asked at."""
    makers = {"settings.BASE_URL": {"campaigns/site_address.py"}, "build_absolute_uri": {"frontend/api/segments.py"}}
    for making, allowed in makers.items():
        files = [
            path
            for path in sources("campaigns", "jobs", "annotation", "metrics", "exchange", "demo", "frontend")
            if making in path.read_text()
        ]
        assert {str(path.relative_to(ROOT)) for path in files} == allowed


def test_protocols_touch_no_rows() -> None:
    for path in sources("annotation/protocols"):
        assert not any(name.startswith("django.db") for name in imported_by(path)), path


def test_nothing_prints_or_excepts_bare() -> None:
    for path in sources("config", "campaigns", "jobs", "annotation", "metrics", "exchange", "demo", "frontend"):
        for node in nodes_of(path):
            assert not (isinstance(node, ast.ExceptHandler) and node.type is None), path
            assert not (isinstance(node, ast.Name) and node.id == "print"), path


@pytest.mark.parametrize("name", sorted(PROTOCOLS))
def test_every_protocol_has_all_its_pieces(name: str) -> None:
    """The checklist "A new protocol" in CONTRIBUTING.md: what is missing is said, all of it at once."""
    missing = [*pieces_missing(name), *unknown_names_in(PROTOCOLS[name])]
    assert missing == [], "\n".join(
        ["", f"The protocol {name} is not whole (CONTRIBUTING.md, A new protocol):", *missing]
    )


def pieces_missing(name: str) -> Iterator[str]:
    samples = ROOT / "tests" / "data" / "samples" / f"{name}.json"
    files = {
        f"annotation/protocols/{name}.py": "the protocol",
        f"frontend/src/protocols/{name}.tsx": "its page",
        f"tests/data/samples/{name}.json": "good and bad answers and options",
        f"tests/annotation/protocols/test_{name}.py": "its test, which inherits the battery",
    }
    yield from (f"{path} is missing: {what}." for path, what in files.items() if not (ROOT / path).exists())
    held = json.loads(samples.read_text(encoding="utf-8")) if samples.exists() else None
    if held is not None:
        empty = [f"“{part}”" for part in ("good", "bad", "bad_options", "items") if not held.get(part)]
        yield from (f"tests/data/samples/{name}.json has no {part}." for part in empty)
        if "options" not in held:
            yield f"tests/data/samples/{name}.json has no “options”; {{}} are those by default."
    lines = {
        "docs/protocols.md": (rf"^## {name}$", f"the heading “## {name}”"),
        "frontend/src/protocols/index.ts": (rf"^  {name}(: \w+)?,$", f"a line “{name}” in PROTOCOLS"),
    }
    for path, (line, what) in lines.items():
        if not re.search(line, (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE):
            yield f"{path} has not {what}."


def unknown_names_in(protocol: type[Protocol[Any]]) -> Iterator[str]:
    """What a protocol says of rooms above it, which it does not import."""
    if protocol.recipe not in RECIPES:
        yield f"recipe: there is no {protocol.recipe!r}. Known: {', '.join(RECIPES)}."
    for formula in protocol.derived_measures:
        if formula not in DERIVATIONS:
            yield f"derived_measures: there is no {formula!r}. Known: {', '.join(DERIVATIONS)}."
    if protocol.compared_by not in ("", *protocol.derived_measures):
        yield f"compared_by: {protocol.compared_by!r} is not among its derived_measures."
    for source in re.findall(r"\{(.+?)\}", protocol.methods_sentence):
        if source not in SOURCES:
            yield f"methods_sentence: metrics/methods/sources.py has no {source!r}."


def test_what_a_protocol_lacks_is_said_in_sentences() -> None:
    class Careless(DirectAssessment):
        recipe = "guess"
        derived_measures = ("worth",)
        compared_by = "penalty"
        methods_sentence = "Annotators were asked ({nobody-1900-nothing})."

    assert [sentence.partition(":")[0] for sentence in unknown_names_in(Careless)] == [
        "recipe",
        "derived_measures",
        "compared_by",
        "methods_sentence",
    ]
    missing = list(pieces_missing("careless"))
    assert len(missing) == 6
    assert missing[0] == "annotation/protocols/careless.py is missing: the protocol."
    assert missing[-1] == "frontend/src/protocols/index.ts has not a line “careless” in PROTOCOLS."


def test_no_protocol_imports_another() -> None:
    """They share by functions in files of their own; then one can be changed, or taken out, by itself."""
    modules = {f"annotation.protocols.{name}" for name in PROTOCOLS}
    for name in PROTOCOLS:
        others = imported_by(ROOT / "annotation" / "protocols" / f"{name}.py") & modules
        assert not others, f"annotation/protocols/{name}.py imports {', '.join(sorted(others))}: share by a function"


def test_no_code_branches_by_a_protocols_name() -> None:
    """A new protocol is a line in a dictionary, never an `if` somewhere else."""
    guilty = []
    for path in sources("jobs", "annotation", "metrics", "exchange", "demo", "frontend"):
        if "protocols" in path.parts:
            continue
        for node in nodes_of(path):
            if isinstance(node, ast.Compare):
                texts = [part.value for part in (node.left, *node.comparators) if isinstance(part, ast.Constant)]
                if any(text in PROTOCOLS for text in texts if isinstance(text, str)):
                    guilty.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert guilty == []
