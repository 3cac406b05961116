"""Which protocol a file of judgments belongs to, and with which options its measures are the protocol's."""

import sqlite3
from dataclasses import fields
from typing import Any

from django.utils.translation import gettext as _

from annotation.protocols import PROTOCOLS, protocol_for
from annotation.protocols.base import Protocol
from campaigns.importing.problems import Problems


def choose_protocol(
    staged: sqlite3.Connection, asked: str | None, name: str, problems: Problems
) -> tuple[str, dict[str, Any]] | None:
    """Name and options; None, with the reason among the problems, when there is no telling."""
    chosen = asked or _named_in_file(staged, name, problems)
    if chosen is None:
        return None
    if chosen not in PROTOCOLS:
        message = _("There is no such protocol. Known: %(known)s.") % {"known": ", ".join(PROTOCOLS)}
        problems.add(name, None, "protocol", message, chosen)
        return None
    options = _options(staged, PROTOCOLS[chosen])
    _note_foreign_measures(staged, protocol_for(chosen, options), problems)
    return chosen, options


def _named_in_file(staged: sqlite3.Connection, name: str, problems: Problems) -> str | None:
    named = staged.execute(
        "SELECT protocol, MIN(line) AS line FROM given GROUP BY protocol ORDER BY MIN(place)"
    ).fetchall()
    for row in named[1:]:
        message = _("A campaign has one protocol, and line %(line)d names another.") % {"line": named[0]["line"]}
        problems.add(name, row["line"], "protocol", message, row["protocol"])
    if not named or len(named) > 1:
        return None
    if named[0]["protocol"] == "":
        problems.add(name, named[0]["line"], "protocol", _("Empty. Name the protocol here or by --protocol."))
        return None
    return str(named[0]["protocol"])


def _options(staged: sqlite3.Connection, protocol: type[Protocol[Any]]) -> dict[str, Any]:
    """Documents were judged as a whole: so they were asked for, where a protocol can."""
    has_documents = staged.execute("SELECT 1 FROM given WHERE segment = '' LIMIT 1").fetchone() is not None
    can_ask = any(option.name == "document_scores" for option in fields(protocol.options_class))
    return {"document_scores": True} if has_documents and can_ask else {}


def _note_foreign_measures(staged: sqlite3.Connection, protocol: Protocol[Any], problems: Problems) -> None:
    own = {measure.name for measure in protocol.measures}
    for (measure,) in staged.execute("SELECT DISTINCT measure FROM given WHERE measure <> '' ORDER BY measure"):
        if measure not in own:
            message = _("“%(measure)s” is no measure of %(protocol)s; its values are kept, or computed anew.")
            problems.note(message % {"measure": measure, "protocol": protocol.name})
