"""Parallel plain text (`text`): one file a side, one segment a line; and the files that make up a test set."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from campaigns.actions.test_sets import SegmentRecord
from campaigns.reading.problems import Problems, UnreadableFileError
from campaigns.reading.table_rows import numbered_lines
from exchange.reading import SHORT_LIMIT, Line, open_text


@dataclass(frozen=True)
class ImportFiles:
    """What is imported: one file with everything, or the sides of a parallel text, each in its own file.

    Comprehension questions may be in a further one. `columns` gives the meaning of columns with unusual
    titles (see `test_set_table.py`). `names` gives the file's name for people, where the path on disk is another.
    """

    path: Path | None = None
    source: Path | None = None
    references: Mapping[str, Path] = field(default_factory=dict)
    systems: Mapping[str, Path] = field(default_factory=dict)
    documents: Path | None = None
    questions: Path | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[Path, str] = field(default_factory=dict)

    @property
    def is_parallel(self) -> bool:
        return self.path is None

    def by_role(self) -> dict[str, Path]:
        """Every file by what it is, in a fixed order."""
        questions = {} if self.questions is None else {"questions": self.questions}
        return {**self.text_files(), **questions}

    def text_files(self) -> dict[str, Path]:
        """The files with the texts."""
        if self.path is not None:
            return {"file": self.path}
        roles: dict[str, Path] = {}
        if self.source is not None:
            roles["source"] = self.source
        if self.documents is not None:
            roles["documents"] = self.documents
        roles.update({f"reference:{name}": path for name, path in sorted(self.references.items())})
        roles.update({f"system:{name}": path for name, path in sorted(self.systems.items())})
        return roles

    def name_of(self, path: Path) -> str:
        return self.names.get(path, path.name)


def read_parallel(files: ImportFiles, problems: Problems) -> Iterator[SegmentRecord]:
    roles = files.text_files()
    if "source" not in roles:
        problems.add("", None, "", "No file is the source. Choose which one is.", is_fatal=True)
    if not files.systems:
        problems.add("", None, "", "No file belongs to a system. Choose the files of the systems.", is_fatal=True)
    for column in ("reference", "system"):
        for name in _under(column, dict.fromkeys(roles, "")):
            line = Line(files.name_of(roles[f"{column}:{name}"]), None, problems)
            if not line.check_name(name, column, SHORT_LIMIT):
                raise UnreadableFileError
    if problems.fatal:
        raise UnreadableFileError
    _check_lengths(files, problems)
    names = {role: files.name_of(path) for role, path in roles.items()}
    with ExitStack() as stack:
        streams = {role: stack.enter_context(open_text(path, newline=None)) for role, path in roles.items()}
        counts: dict[str, int] = {}
        sides = (_lines(stream, names[role], problems) for role, stream in streams.items())
        for number, texts in enumerate(zip(*sides, strict=False), start=1):
            record = _record(dict(zip(streams, texts, strict=True)), number, names, counts, problems)
            if record is not None:
                yield record


def _lines(stream: TextIO, name: str, problems: Problems) -> Iterator[str]:
    for _number, line in numbered_lines(stream, name, problems):
        yield line.rstrip("\n")


def _check_lengths(files: ImportFiles, problems: Problems) -> None:
    """All sides must have equally many lines; otherwise lines would be matched with the wrong segments."""
    lengths = {}
    for path in files.text_files().values():
        with open_text(path, newline=None) as stream:
            lengths[files.name_of(path)] = sum(1 for _line in _lines(stream, files.name_of(path), problems))
    first, wanted = next(iter(lengths.items()))
    for name, length in lengths.items():
        if length != wanted:
            message = f"{length} lines, but {first} has {wanted}. Every file must have one line for each segment."
            problems.add(name, min(length, wanted) + 1, "", message, is_fatal=True)
    if problems.fatal:
        raise UnreadableFileError


def _record(
    texts: dict[str, str], number: int, names: dict[str, str], counts: dict[str, int], problems: Problems
) -> SegmentRecord | None:
    document = texts.pop("documents", "").strip() if "documents" in names else "1"
    sound = True
    if "documents" in names:
        sound = Line(names["documents"], number, problems).check_name(document, "document")
    counts[document] = counts.get(document, 0) + 1
    for role, text in texts.items():
        kind = role.partition(":")[0]
        what = "translation" if kind == "system" else kind
        sound &= Line(names[role], number, problems).check_text(text, "", what)
    if not sound:
        return None
    return SegmentRecord(
        document=document,
        segment=str(counts[document]),
        source=texts["source"],
        references=_under("reference", texts),
        translations=_under("system", texts),
        file=names["source"],
        line=number,
    )


def _under(kind: str, texts: dict[str, str]) -> dict[str, str]:
    return {role.partition(":")[2]: text for role, text in texts.items() if role.startswith(f"{kind}:")}
