"""A finished run for a paper: tables as LaTeX, Markdown and CSV, and the methods paragraph with sources."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import override

from exchange.tables.csv_and_json import csv_text
from jobs.models import Run
from metrics.analyses import tables_of
from metrics.analyses.ranking_tables import ReadWith
from metrics.analysis_runs import AnalysisRuns
from metrics.methods.facts import facts_of
from metrics.methods.sentences import sentences
from metrics.methods.sources import SOURCES, bibliography
from metrics.results.tables import Cell as ResultCell
from metrics.results.tables import Column, Form, Marked, Note, Table, one_file, rank_range
from metrics.results.values import Missing

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",  # \textquotedbl needs another font encoding
    "`": r"\textasciigrave{}",
    "[": "{[}",  # after the end of a row these would be its options
    "]": "{]}",
    "*": "{*}",
    "“": "``",
    "”": "''",
    "–": "--",
    "±": r"$\pm$",
    "−": "$-$",
    "α": r"$\alpha$",
    "κ": r"$\kappa$",
}
_JOINED = "-'`,"  # two of them in a row would become one character
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~$&])")

_BLANKS = re.compile(r"\s+")

NEEDED = ("ranking", "agreement", "annotators", "errors", "post_editing", "gisting")
Cell = str | int | float | None


@dataclass(frozen=True)
class PaperTable:
    """`numeric` are the columns aligned right; a rule is drawn below the rows in `cuts`.

    `file` is header and rows of the CSV, where it has more columns than a paper.
    """

    name: str
    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    numeric: frozenset[int] = frozenset()
    cuts: frozenset[int] = frozenset()
    note: str = ""
    decimals: int = 2
    file: tuple[Sequence[str], Sequence[Sequence[Cell]]] | None = None

    @property
    def caption(self) -> str:
        return f"{self.title}. {self.note}" if self.note else f"{self.title}."

    def shown(self, cell: Cell) -> str:
        """For people: numbers rounded, missing ones as a dash."""
        if cell is None:
            return "–"
        if isinstance(cell, float):
            return f"{cell:.{self.decimals}f}".replace("-", "−")
        return str(cell)

    @property
    def shown_rows(self) -> list[list[str]]:
        return [[self.shown(cell) for cell in row] for row in self.rows]

    def as_latex(self) -> str:
        """For `booktabs`."""
        columns = "".join("r" if place in self.numeric else "l" for place in range(len(self.header)))
        lines = [
            r"% needs \usepackage{booktabs}",
            r"\begin{table}",
            r"\centering",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            _latex_row(self.header),
            r"\midrule",
        ]
        for place, row in enumerate(self.shown_rows):
            lines.append(_latex_row(row))
            if place in self.cuts and place + 1 < len(self.rows):
                lines.append(r"\midrule")
        label = re.sub(r"[^a-z0-9-]+", "-", self.name.lower())
        lines += [r"\bottomrule", r"\end{tabular}", rf"\caption{{{latex(self.caption)}}}", rf"\label{{tab:{label}}}"]
        return "\n".join([*lines, r"\end{table}"]) + "\n"

    def as_markdown(self) -> str:
        rule = ["---:" if place in self.numeric else "---" for place in range(len(self.header))]
        lines = [_markdown_row(map(markdown, self.header)), _markdown_row(rule)]
        lines += [_markdown_row(markdown(cell) for cell in row) for row in self.shown_rows]
        return "\n".join([*lines, "", markdown(self.caption)]) + "\n"

    def as_csv(self) -> str:
        """Numbers in full, not rounded."""
        return csv_text(*(self.file or (self.header, self.rows)))


# By the ending of the file's name, its content type and how it is written.
FORMS: Mapping[str, tuple[str, Callable[[PaperTable], str]]] = {
    "csv": ("text/csv", PaperTable.as_csv),
    "tex": ("application/x-tex", PaperTable.as_latex),
    "md": ("text/markdown", PaperTable.as_markdown),
}


def latex(text: str) -> str:
    """The text in LaTeX; line ends and cell separators are removed."""
    return latex_piece(" ".join(text.split()))


def latex_piece(text: str) -> str:
    """The same for a piece of a line, with the blanks at its ends."""
    written = ""
    for sign in _BLANKS.sub(" ", text):
        piece = _LATEX.get(sign, sign)
        written += f"{{}}{piece}" if piece[0] in _JOINED and written.endswith(piece[0]) else piece
    return written


def markdown(text: str) -> str:
    """The text in Markdown."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(latex(cell) for cell in cells) + r" \\"


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def paper_tables_of_run(runs: AnalysisRuns, *names: str) -> list[PaperTable]:
    """Those of the finished run, or of these of its analyses."""
    return paper_tables(runs.parts(*(names or NEEDED)), runs.read_with)


def paper_tables(parts: Mapping[str, Any], read_with: ReadWith) -> list[PaperTable]:
    """`parts` are analyses by name; every table gets the signature."""
    tables = (table for table in tables_of(parts, read_with) if table.paper and table.rows)
    return [paper_table(table, read_with.signature) for table in tables]


def paper_table(table: Table, note: str) -> PaperTable:
    """The columns that a paper shows, an interval as its two ends; the CSV has everything, like its page's file."""
    header: list[str] = []
    numeric: set[int] = set()
    for name in table.paper:
        column = table.column(name)
        if column.is_number:
            numeric |= {len(header), len(header) + len(column.keys or (name,)) - 1}
        header += [_("Low"), _("High")] if column.form == Form.ENDS else [str(column.paper_title or column.title)]
    columns = [(table.column(name), table.place(name)) for name in table.paper]
    rows = [[part for column, place in columns for part in _paper_cells(column, row[place])] for row in table.rows]
    return PaperTable(
        table.paper_name or table.name,
        str(table.caption or table.title),
        header,
        rows,
        numeric=frozenset(numeric),
        cuts=table.cuts,
        note=note,
        decimals=table.paper_decimals,
        file=one_file([table]) if table.paper_csv_has_all else None,
    )


def _paper_cells(column: Column, cell: ResultCell) -> list[Cell]:
    if cell is None or isinstance(cell, Missing | Marked | Note | list):  # marks are for pages
        return [None] * (2 if column.form == Form.ENDS else 1)
    if column.form == Form.YES_NO:
        return [_("yes") if cell else _("no")]
    if column.form == Form.RANKS and isinstance(cell, tuple):
        return [rank_range(cell)]
    if isinstance(cell, float):
        return [cell * column.scale]
    return list(cell) if isinstance(cell, tuple) else [cell]


_SOURCE = re.compile(r"\{([a-z]+-\d{4}-[a-z]+)\}")


@dataclass(frozen=True)
class Methods:
    text: str
    latex: str
    bibtex: str
    signature: str


def methods_of(run: Run) -> Methods | None:
    """None if the run cannot name what it was computed from."""
    with override("en"):  # papers are in English, and so are its citations
        facts = facts_of(run)
        return None if facts is None else written(sentences(facts), facts.signature)


def written(paragraph: list[str], signature: str) -> Methods:
    keys = sorted({key for sentence in paragraph for key in _SOURCE.findall(sentence)})
    return Methods(
        text=" ".join(_SOURCE.sub(lambda match: _named(match[1]), sentence) for sentence in paragraph),
        latex=" ".join(_as_latex(sentence) for sentence in paragraph),
        bibtex=bibliography(keys),
        signature=signature,
    )


def _named(key: str) -> str:
    return f"{SOURCES[key].authors}, {SOURCES[key].year}"


def _as_latex(sentence: str) -> str:
    r"""Within brackets a source is \citealp, which needs natbib; most paper styles load it."""
    parts = _SOURCE.split(sentence)
    return "".join(f"\\citealp{{{part}}}" if place % 2 else latex_piece(part) for place, part in enumerate(parts))
