"""Parallel plain text (`text`): one file a side, one segment a line; and the files that make up a test set."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from campaigns.actions.test_sets import SegmentRecord
from campaigns.reading.problems import Problems, UnreadableFileError
from exchange.formats.genmt_report import GenmtChoices
from exchange.reading import SHORT_LIMIT, Line, SourceFile


@dataclass(frozen=True)
class ImportFiles:
    """What is imported: one file with everything, or the sides of a parallel text, each in its own file.

    In `wmt-genmt` one file has the documents, and each system has its own; `genmt` says what of it is read.
    Comprehension questions may be in a further one. `columns` gives the meaning of columns with unusual
    titles (see `test_set_table.py`). `campaign_id` is one of several campaigns in a file. `names` gives the file's name
    for people, where the path on disk is another.
    """

    path: Path | None = None
    source: Path | None = None
    references: Mapping[str, Path] = field(default_factory=dict)
    systems: Mapping[str, Path] = field(default_factory=dict)
    documents: Path | None = None
    questions: Path | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    genmt: GenmtChoices = field(default_factory=GenmtChoices)
    campaign_id: str = ""
    names: Mapping[Path, str] = field(default_factory=dict)

    def by_role(self) -> dict[str, Path]:
        """Every file by what it is, in a fixed order."""
        questions = {} if self.questions is None else {"questions": self.questions}
        return {**self.text_files(), **questions}

    def text_files(self) -> dict[str, Path]:
        """The files with the texts."""
        alone = {"file": self.path, "source": self.source, "documents": self.documents}
        roles = {role: path for role, path in alone.items() if path is not None}
        roles |= {f"reference:{name}": path for name, path in sorted(self.references.items())}
        return roles | {f"system:{name}": path for name, path in sorted(self.systems.items())}

    def name_of(self, path: Path) -> str:
        return self.names.get(path, path.name)

    def opened(self, path: Path, problems: Problems) -> SourceFile:
        return SourceFile(path, self.name_of(path), problems)


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
    sides = {role: files.opened(path, problems) for role, path in roles.items()}
    _check_lengths(sides, problems)
    counts: Counter[str] = Counter()
    for lines in zip(*(side.lines(newline=None) for side in sides.values()), strict=False):
        texts = {role: text for role, (_number, text) in zip(sides, lines, strict=True)}
        record = _record(texts, lines[0][0], sides, counts)
        if record is not None:
            yield record


def _check_lengths(sides: Mapping[str, SourceFile], problems: Problems) -> None:
    """All sides must have equally many lines; otherwise lines would be matched with the wrong segments."""
    lengths = {side.name: sum(1 for _line in side.lines(newline=None)) for side in sides.values()}
    first, wanted = next(iter(lengths.items()))
    for name, length in lengths.items():
        if length != wanted:
            message = f"{length} lines, but {first} has {wanted}. Every file must have one line for each segment."
            problems.add(name, min(length, wanted) + 1, "", message, is_fatal=True)
    if problems.fatal:
        for role, side in sides.items():
            for number, text in side.lines(newline=None):
                _check_side(role, text, side.line(number))
        raise UnreadableFileError


def _check_side(role: str, text: str, line: Line) -> bool:
    kind = role.partition(":")[0]
    if kind == "documents":
        domain, tab, name = text.partition("\t")
        return line.check_name((name if tab else domain).strip(), "document") and (
            not tab or line.check_short(domain.strip(), "domain")
        )
    return line.check_text(text, "", "translation" if kind == "system" else kind)


def _record(
    texts: dict[str, str], number: int, sides: Mapping[str, SourceFile], counts: Counter[str]
) -> SegmentRecord | None:
    domain, tab, document = texts.get("documents", "1").partition("\t")
    document, domain = (document.strip(), domain.strip()) if tab else (domain.strip(), "")
    counts[document] += 1
    checks = [_check_side(role, text, sides[role].line(number)) for role, text in texts.items()]
    if not all(checks):
        return None
    return SegmentRecord(
        document=document,
        segment=str(counts[document]),
        source=texts["source"],
        domain=domain,
        references=_under("reference", texts),
        translations=_under("system", texts),
        file=sides["source"].name,
        line=number,
    )


def _under(kind: str, texts: dict[str, str]) -> dict[str, str]:
    return {role.partition(":")[2]: text for role, text in texts.items() if role.startswith(f"{kind}:")}
