"""Workbooks written by hand, part by part, as ECMA-376 has them: what our own library cannot write is in them, too."""

import io
import zipfile
from collections.abc import Mapping
from xml.sax.saxutils import escape

SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
PLAIN, DATE = 0, 1  # styles


def cell(at: str, value: str | float) -> str:
    """A text in the cell itself, or a number."""
    if isinstance(value, str):
        return f'<c r="{at}" t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'
    return f'<c r="{at}"><v>{value}</v></c>'


def rows_of_texts(*rows: list[str | float]) -> str:
    return "".join(
        f'<row r="{number}">'
        + "".join(cell(f"{chr(65 + at)}{number}", value) for at, value in enumerate(row) if value != "")
        + "</row>"
        for number, row in enumerate(rows, start=1)
    )


def workbook(
    sheets: Mapping[str, str], *, hidden: frozenset[str] = frozenset(), more: Mapping[str, str] | None = None
) -> bytes:
    """`sheets` are the rows of each, as XML; `more` replaces or adds parts by their names."""
    names = list(sheets)
    states = [' state="hidden"' if name in hidden else "" for name in names]
    entries = "".join(
        f'<sheet name="{name}" sheetId="{at}" r:id="r{at}"{state}/>'
        for at, (name, state) in enumerate(zip(names, states, strict=True), start=1)
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        '<Override PartName="/xl/workbook.xml" ContentType='
        '"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
        '<Override PartName="/xl/styles.xml" ContentType='
        '"application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>'
        + "".join(
            f'<Override PartName="/xl/worksheets/sheet{at}.xml" ContentType='
            '"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
            for at in range(1, len(names) + 1)
        )
        + "</Types>",
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{SHEETS}" xmlns:r="{RELATIONS}"><sheets>{entries}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
        + "".join(
            f'<Relationship Id="r{at}" Type="{RELATIONS}/worksheet" Target="worksheets/sheet{at}.xml"/>'
            for at in range(1, len(names) + 1)
        )
        + f'<Relationship Id="styles" Type="{RELATIONS}/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": f'<styleSheet xmlns="{SHEETS}"><fonts count="1"><font/></fonts>'
        '<fills count="1"><fill><patternFill patternType="none"/></fill></fills>'
        '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
        '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>',
    }
    for at, rows in enumerate(sheets.values(), start=1):
        parts[f"xl/worksheets/sheet{at}.xml"] = f'<worksheet xmlns="{SHEETS}"><sheetData>{rows}</sheetData></worksheet>'
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (parts | dict(more or {})).items():
            archive.writestr(name, content if content.startswith("<?xml") else f'<?xml version="1.0"?>{content}')
    return stream.getvalue()
