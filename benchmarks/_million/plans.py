"""Which queries look through all judgments, by what the database says of how it would perform them."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import connection

LARGE = ("annotation_judgment", "annotation_score", "annotation_errorspan", "annotation_item", "annotation_slot",
         "metrics_derivedscore")  # fmt: skip
SHORT = 1_000
_ALIAS = re.compile(rf'"({"|".join(LARGE)})" (?:AS )?"?([A-Z]\d+|{"|".join(LARGE)})\b')
_CURSOR = re.compile(r"^DECLARE .*? CURSOR .*?FOR (?=SELECT|WITH)", re.DOTALL)  # of rows that are read piece by piece
_INDEX = re.compile(r"INDEX (\w+)")
_SCAN = re.compile(r"^SCAN (\w+)(.*)")
_LOCAL = re.compile(r"^SET LOCAL (\w+) = [\w.]+$")  # how queries are planned until the transaction ends


def looked_through_by(statements: Sequence[str]) -> set[str]:
    """By the statements of an answer in their order: those that plan queries differently are performed again."""
    scans: set[str] = set()
    changed: list[str] = []
    with connection.cursor() as cursor:
        for sql in statements:
            if found := _LOCAL.match(sql):
                cursor.execute(sql.replace(" LOCAL", "", 1))
                changed.append(found[1])
            while changed and sql in ("COMMIT", "ROLLBACK"):
                cursor.execute(f"RESET {changed.pop()}")
            scans |= set(looked_through(sql))
    return scans


def looked_through(sql: str) -> list[str]:
    """The large tables that a query reads from end to end, by their rows or by an index; none of what is no query."""
    sql = _CURSOR.sub("", sql)
    if not sql.lstrip("( \n").upper().startswith(("SELECT", "WITH")):
        return []
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}")
            (plan,) = cursor.fetchone()
            return sorted(set(_scanned((json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"], is_cut=False)))
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
        return sorted(set(_scanned_by_sqlite(sql, [str(row[-1]) for row in cursor.fetchall()])))


def _scanned(node: Mapping[str, Any], *, is_cut: bool) -> Iterator[str]:
    """Of a node of PostgreSQL's plan and all below it; a page of a list ends an index scan when it is full."""
    table, kind = node.get("Relation Name"), node["Node Type"]
    is_cut = (is_cut or kind == "Limit") and kind not in ("Sort", "Aggregate", "Hash")
    by_index = kind in ("Index Scan", "Index Only Scan") and not is_cut
    is_whole = (by_index or kind == "Seq Scan") and "Index Cond" not in node
    if table in LARGE and is_whole and not _is_short(node.get("Index Name", table)):
        yield f"{node['Node Type']} of {table}"
    for child in node.get("Plans", ()):
        yield from _scanned(child, is_cut=is_cut)


def _is_short(relation: str) -> bool:
    """A table that is nearly empty here, or an index of few of its rows."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT reltuples FROM pg_class WHERE relname = %s", [relation])
            return 0 <= float(cursor.fetchone()[0]) < SHORT
        cursor.execute("SELECT stat FROM sqlite_stat1 WHERE idx = %s", [relation])  # none of an empty index
        row = cursor.fetchone()
        return row is None or int(row[0].split()[0]) < SHORT


def _scanned_by_sqlite(sql: str, steps: list[str]) -> Iterator[str]:
    tables = {table: table for table in LARGE} | {alias: table for table, alias in _ALIAS.findall(sql)}
    is_cut = " LIMIT " in sql and not any("TEMP B-TREE" in step for step in steps)
    for step in [] if is_cut else steps:
        found = _SCAN.match(step)
        if found and found[1] in tables and not any(map(_is_short, _INDEX.findall(found[2]))):
            yield f"SCAN of {tables[found[1]]}{found[2]}"
