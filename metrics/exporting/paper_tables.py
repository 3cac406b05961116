"""A table as LaTeX, Markdown and CSV: cells are texts as they are, and each form escapes them for itself."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotation.spreadsheet_cells import safe_name

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
    '"': r"\char34{}",  # \textquotedbl asks for another encoding of fonts
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
_JOINED = "-'`,"  # two of them would be set as one
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~$&])")

_BLANKS = re.compile(r"\s+")

Cell = str | int | float | None


@dataclass(frozen=True)
class PaperTable:
    """`numeric` are the columns set flush right; a rule is drawn below the rows in `cuts`.

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
        """As people read it: numbers rounded, what is absent as a dash."""
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
        """Numbers as they are, with nothing rounded."""
        stream = io.StringIO(newline="")
        writer = csv.writer(stream)
        header, rows = self.file or (self.header, self.rows)
        writer.writerow(map(safe_name, header))
        writer.writerows([safe_name(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
        return stream.getvalue()


def latex(text: str) -> str:
    """The text as LaTeX sets it; what would end a line or a cell is none of it."""
    return latex_piece(" ".join(text.split()))


def latex_piece(text: str) -> str:
    """The same of a piece of a line: blanks at its ends are the line's."""
    written = ""
    for sign in _BLANKS.sub(" ", text):
        piece = _LATEX.get(sign, sign)
        written += f"{{}}{piece}" if piece[0] in _JOINED and written.endswith(piece[0]) else piece
    return written


def markdown(text: str) -> str:
    """The text as Markdown shows it."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(latex(cell) for cell in cells) + r" \\"


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
