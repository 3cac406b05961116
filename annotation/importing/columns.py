"""The columns of assay-csv and spans-csv, in the order they are written; docs/formats.md has a heading for each."""

REQUIRED = ("judgment", "annotator", "protocol", "document", "segment", "system", "kind", "measure", "value")
OPTIONAL = (
    "assignment",
    "position",
    "slot",
    "revision",
    "started",
    "submitted",
    "seconds",
    "active_seconds",
    "answer",
    "source",
    "translation",
    "reference",
    "domain",
    "comment",
)
# Written only by campaigns in which a judgment is surplus, read everywhere.
SURPLUS = "surplus"
# Written only by campaigns in which a program judges, read everywhere.
PROGRAM = "program"

SPANS = (
    "judgment",
    "annotator",
    "document",
    "segment",
    "system",
    "side",
    "start",
    "end",
    "category",
    "severity",
    "text",
    "note",
)
