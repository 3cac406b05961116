"""One file is read or written, in a process of its own, whose memory is that of this work."""

import sys
from pathlib import Path

import django

from benchmarks._formats.invented_files import SYSTEMS


def main(task: str, format: str, path: str) -> None:
    django.setup()
    works = {"judgments": _judgments, "texts": _texts, "import": _import, "store": _store, "export": _export}
    works[task](format, Path(path))


def _judgments(format: str, path: Path) -> None:
    """Read, checked whole and taken apart; not stored."""
    from exchange.judgment_files import check_file  # noqa: PLC0415 - Django has to be ready
    from exchange.staging.judgments import staged_judgments  # noqa: PLC0415

    with staged_judgments() as staged:
        check_file(staged, path, format=format, languages=("en", "de"))


def _texts(format: str, path: Path) -> None:
    from exchange.formats.parallel_text import ImportFiles  # noqa: PLC0415 - Django has to be ready
    from exchange.test_set_files import inspect  # noqa: PLC0415

    beside = path.with_name("beside")  # what every system answered
    files = ImportFiles(path=path)
    if beside.exists():
        systems = dict.fromkeys(SYSTEMS, beside)
        is_plain = format == "text"
        files = ImportFiles(source=path, systems=systems) if is_plain else ImportFiles(path=path, systems=systems)
    inspection = inspect(files, format=format)
    if inspection.problems.count or not inspection.segments:
        raise SystemExit(str(inspection.problems.listed[:1]))


def _import(_format: str, path: Path) -> None:
    """The whole way, with a look at what it is."""
    from exchange.judgment_files import import_judgments  # noqa: PLC0415 - Django has to be ready

    import_judgments(path, name="Made", source_language="en", target_language="de")


def _store(_format: str, path: Path) -> None:
    """The whole way of a test set, with a look at what it is, and the preview of the page."""
    from exchange.formats.parallel_text import ImportFiles  # noqa: PLC0415 - Django has to be ready
    from exchange.test_set_files import import_test_set, inspect  # noqa: PLC0415

    inspect(ImportFiles(path=path))
    import_test_set(ImportFiles(path=path), name="Made", source_language="en", target_language="de")


def _export(format: str, path: Path) -> None:
    from campaigns.models import Campaign  # noqa: PLC0415 - Django has to be ready
    from exchange.exports import export_rows  # noqa: PLC0415

    with path.open("wb") as stream:
        stream.writelines(export_rows(Campaign.objects.get(), format))


if __name__ == "__main__":
    main(*sys.argv[1:])
