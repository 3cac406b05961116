"""A reader of the LaTeX we write: what it prints, as plain words. Whatever would stop a compiler is an error."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

SIGNS = {
    "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textless": "<", "textgreater": ">",
    "textbar": "|", "textasciigrave": "`", "char34": '"',
}  # fmt: skip
MATH = {"\\pm": "±", "-": "−", "\\alpha": "α", "\\kappa": "κ"}
LIGATURES = {"---": "—", "--": "–", "``": "“", "''": "”"}
TOKEN = re.compile(r"\\([A-Za-z]+(?:34)?)[ \n]*|\\(.)|(\$[^$]*\$)|(---?|``|'')|(\s+)|(.)", re.DOTALL)


class LatexError(Exception):
    """What a compiler would stop at, or print as something else."""


@dataclass(frozen=True)
class ReadTable:
    header: list[str]
    rows: list[list[str]]
    caption: str
    label: str


def read_text(text: str, citations: Mapping[str, str] | None = None) -> str:
    r"""Running text as it is printed; `citations` are what \citealp prints, by key."""
    read, depth, at = "", 0, 0
    while at < len(text):
        token = TOKEN.match(text, at)
        assert token is not None
        at = token.end()
        word, plain = token[1], token[6]
        if word is not None:
            set_as, at = _named(word, text, at, citations or {})
            read += set_as
        elif plain in ("{", "}"):
            depth += 1 if plain == "{" else -1
            if depth < 0:
                raise LatexError("a brace too many")
        else:
            read += _sign(token)
    if depth:
        raise LatexError("a brace is not closed")
    return read


def _named(word: str, text: str, at: int, citations: Mapping[str, str]) -> tuple[str, int]:
    """What a command prints, and where it ends."""
    key = re.compile(r"\{([^{}]*)\}").match(text, at)
    if word == "citealp" and key is not None and key[1] in citations:
        return citations[key[1]], key.end()
    if word in SIGNS and key is not None and not key[1]:
        return SIGNS[word], key.end()
    raise LatexError(f"\\{word} is not known here, or swallows what follows: {text[at : at + 30]!r}")


def _sign(token: re.Match[str]) -> str:
    _word, escaped, math, ligature, blank, plain = token.groups()
    if (escaped and escaped not in "&%$#_{}") or (plain and plain in "&%#_^~$\\") or (math and math[1:-1] not in MATH):
        raise LatexError(f"{token[0]!r} is no text in LaTeX")
    if blank:
        return " "
    return escaped or (MATH[math[1:-1]] if math else LIGATURES[ligature] if ligature else plain)


def read_table(text: str) -> ReadTable:
    """A table of booktabs: each row has as many cells as declared columns, and none begins with an option."""
    lines = [line for line in text.splitlines() if not line.startswith("%")]
    frame = re.fullmatch(
        r"\\begin\{table\}\n\\centering\n\\begin\{tabular\}\{([lr]+)\}\n\\toprule\n(.*?)\\bottomrule\n"
        r"\\end\{tabular\}\n\\caption\{(.*)\}\n\\label\{(tab:[a-z0-9-]+)\}\n\\end\{table\}",
        "\n".join(lines),
        re.DOTALL,
    )
    if frame is None:
        raise LatexError("the environments do not close one another")
    columns, body, caption, label = frame.groups()
    rows = [[read_text(cell) for cell in cells] for cells in _rows(body.splitlines(), len(columns))]
    return ReadTable(rows[0], rows[1:], read_text(caption), label)


def _rows(lines: Sequence[str], n_columns: int) -> Iterator[list[str]]:
    for line in lines:
        if line == r"\midrule":
            continue
        if not line.endswith(r" \\") or line.lstrip()[:1] in ("[", "*"):
            raise LatexError(f"{line!r} is no row")
        cells = re.split(r"(?<!\\) & |(?<=\\\\) & ", line.removesuffix(r" \\"))
        if len(cells) != n_columns:
            raise LatexError(f"{len(cells)} cells in {n_columns} columns: {line!r}")
        yield cells
