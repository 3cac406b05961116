"""A filter of judgments applied to what analyses read: sets of segments from the database, and columns of arrays.

What an annotator's judgments are worth is decided before: control tests, mean and deviation are those of all of their
judgments, as in slices.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Length
from django.utils.translation import gettext as _

import numpy as np

from annotation.models import Assignment, ErrorSpan
from annotation.protocols import protocol_for
from campaigns.models import Account, Campaign, Document, Membership, Role, Segment
from metrics.analyses.evidence import Evidence
from metrics.answer_groups import annotators_meeting, answer_problems
from metrics.derivations import PENALTY, derivations_of
from metrics.error_table import ErrorTable, Suggestions, reweighed
from metrics.filters import EQUAL, OF_ERRORS, UNEQUAL, VALUES, Condition, Filter, FilterError, is_answer, read_filter
from metrics.matrices import KINDS, ScoreTable
from metrics.statistics.arrays import BoolArray, IntArray
from metrics.statistics.mqm import plain_label
from metrics.weights import weights_named

MOST_LISTED = 20
_OF_SEGMENTS = ("tag", "length")
_LENGTHS = {EQUAL: "", "<": "__lt", ">": "__gt"}


# --- values that there are --------------------------------------------------------------------------------------------
def filter_problems(campaign: Campaign, text: str) -> list[str]:
    """Unknown values of a filter, with those that there are; how it is written is the recipe's business."""
    try:
        conditions = read_filter(text).conditions
    except FilterError:
        return []
    problems = answer_problems(campaign, conditions)
    listed = (each.field for each in conditions if each.field not in ("length", *VALUES) and not is_answer(each.field))
    for field in dict.fromkeys(listed):
        own = [each.value for each in conditions if each.field == field]
        problems += _unknown(field, own, _known(campaign, field, own))
    if any(each.field in OF_ERRORS for each in conditions) and not _has_errors(campaign):
        problems.append(_("severity and category need marked errors; this campaign has none."))
    return problems


def known_annotators(campaign: Campaign, names: Iterable[str] | None = None) -> set[str]:
    """The names of those who judge or judged here; of these `names`, where they are given."""
    judged = Assignment.objects.filter(campaign=campaign, annotator=OuterRef("pk"))
    judges = Membership.objects.filter(
        campaign=campaign, account=OuterRef("pk"), role=Role.ANNOTATOR, withdrawn_at=None
    )
    known = Account.objects.filter(Exists(judged) | Exists(judges))
    if names is not None:
        known = known.filter(username__in=list(names))
    return set(known.values_list("username", flat=True))


def _unknown(field: str, values: Sequence[str], known: set[str]) -> list[str]:
    names = sorted(known)
    listed = ", ".join(names[:MOST_LISTED]) if names else _("none")
    if len(names) > MOST_LISTED:
        listed = _("%(names)s and %(number)d more") % {"names": listed, "number": len(names) - MOST_LISTED}
    message = _("Unknown %(name)s “%(value)s”. There are: %(known)s.")
    return [
        message % {"name": field, "value": value, "known": listed}
        for value in dict.fromkeys(values)
        if value not in known
    ]


def _known(campaign: Campaign, field: str, values: Sequence[str]) -> set[str]:
    documents = Document.objects.filter(test_set=campaign.test_set_id)
    segments = Segment.objects.filter(document__test_set=campaign.test_set_id)
    if field == "domain":
        own = segments.exclude(domain="").order_by().values_list("domain", flat=True).distinct()
        return {*documents.exclude(domain="").order_by().values_list("domain", flat=True).distinct(), *own}
    if field == "tag":
        return {str(tag) for tags in segments.exclude(tags=[]).values_list("tags", flat=True) for tag in tags}
    if field == "document":
        return set(documents.values_list("name", flat=True))
    if field == "annotator":
        return known_annotators(campaign)
    titles = protocol_for(campaign.protocol, campaign.options).category_titles
    known = _with_those_above(titles)
    if not known.issuperset(values):  # what came in a file may be in no typology
        spans = ErrorSpan.objects.filter(judgment__item__assignment__campaign=campaign, judgment__is_current=True)
        known |= _with_those_above(spans.order_by().values_list("category", flat=True).distinct())
    return known


def _with_those_above(paths: Iterable[str]) -> set[str]:
    levels = (plain_label(path).split("/") for path in paths)
    return {"/".join(path[:length]) for path in levels for length in range(1, len(path) + 1)}


def _has_errors(campaign: Campaign) -> bool:
    return any(each.measure == PENALTY for each in derivations_of(campaign.protocol))


# --- what is left -----------------------------------------------------------------------------------------------------
def selected(evidence: Evidence, campaign: Campaign) -> Evidence:
    """What the recipe's filter leaves of the evidence, also of its adjudicated values; all of it without a filter."""
    chosen = evidence.recipe.filter
    if not chosen:
        return evidence
    segments, people = _segments_by_length(campaign, chosen), annotators_meeting(campaign, chosen.conditions)
    tested = evidence.controls
    known = _rows_with_known_errors(evidence)
    whole = _with_errors_of(replace(evidence, tested=tested, decided=None), chosen, known)
    left = _rows_of(whole, chosen, segments, people)
    if evidence.decided is None:
        return left
    decided = _with_errors_of(replace(evidence.decided, tested=tested, whole=whole), chosen, known)
    return replace(left, decided=_rows_of(decided, chosen, segments, people))


def _segments_by_length(campaign: Campaign, chosen: Filter) -> IntArray | None:
    """The keys of the segments whose sources are as long as the filter requires; None where it says nothing of it."""
    conditions = chosen.of("length")
    if not conditions:
        return None
    long = Q()
    for each in conditions:
        is_unequal = each.operator == UNEQUAL
        one = Q(**{f"characters{'' if is_unequal else _LENGTHS[each.operator]}": int(each.value)})
        long &= ~one if is_unequal else one
    segments = Segment.objects.filter(document__test_set=campaign.test_set_id, source__isnull=False)
    keys = segments.annotate(characters=Length("source")).filter(long).order_by().values_list("pk", flat=True)
    return np.fromiter(keys.iterator(chunk_size=10_000), dtype=np.int64)


def _rows_with_known_errors(evidence: Evidence) -> BoolArray | None:
    """Of penalties: the rows that are the sum of their errors, not a number from a file that came without them."""
    marked, table = evidence.marked, next((each for each in evidence.tables if each.measure == PENALTY.name), None)
    if marked is None or table is None:
        return None
    known: BoolArray = table.values == 0
    known[marked.row] = True
    return known


def _with_errors_of(evidence: Evidence, chosen: Filter, known: BoolArray | None) -> Evidence:
    """Without the errors that the filter takes out, and with penalties of those that are left, where `known`."""
    conditions, marked = chosen.of(*OF_ERRORS), evidence.marked
    if not conditions or marked is None or known is None:
        return evidence
    labels = zip(marked.categories, marked.severities, strict=True)
    admitted = np.array([_is_admitted(*label, conditions) for label in labels], dtype=np.bool_)
    left = _errors_where(marked, admitted[marked.label])
    tables = []
    for table in evidence.tables:
        if table.measure == PENALTY.name:
            nothing = replace(table, values=np.zeros(len(table)))
            weighed = reweighed(nothing, left, weights_named(evidence.recipe.weights))
            tables.append(weighed.where(known))
        else:
            tables.append(table)
    return replace(evidence, tables=tuple(tables), marked=_moved(left, known))


def _is_admitted(category: str, severity: str, conditions: Iterable[Condition]) -> bool:
    """A category with everything below it."""
    path = plain_label(category)
    return all(
        (path == each.value or path.startswith(f"{each.value}/") if each.value else not path)
        == (each.operator == EQUAL)
        if each.field == "category"
        else each.admits(plain_label(severity))
        for each in conditions
    )


def _rows_of(evidence: Evidence, chosen: Filter, segments: IntArray | None, people: Set[str] | None) -> Evidence:
    """The rows that meet every condition, of `people` alone; `whole` is what they were taken from."""
    tables, marked = [], evidence.marked
    for table in evidence.tables:
        rows = _meets(table, evidence, chosen, segments)
        if people is not None:
            rows &= np.array([name in people for name in table.annotators], dtype=np.bool_)[table.annotator]
        tables.append(table.where(rows))
        if marked is not None and table.measure == PENALTY.name:
            marked = _moved(marked, rows)
    return replace(evidence, tables=tuple(tables), marked=marked, whole=evidence, planned=None)


def _meets(table: ScoreTable, evidence: Evidence, chosen: Filter, segments: IntArray | None) -> BoolArray:
    rows = np.ones(len(table), dtype=np.bool_)
    if chosen.of(*_OF_SEGMENTS):
        rows &= ~table.is_document_level  # a whole document has no tag and no length
    if segments is not None:
        keys = np.array([*table.segment_ids, -1], dtype=np.int64)  # the last one is for whole documents
        rows &= np.isin(keys[table.segment], segments)
    passed = {name: "yes" if test.is_passed else "no" for name, test in evidence.controls.items()}
    columns: Mapping[str, tuple[Sequence[str], IntArray]] = {
        "domain": (table.domains, table.domain),
        "document": (table.documents, table.document),
        "annotator": (table.annotators, table.annotator),
        "passed": ([passed.get(name, "no") for name in table.annotators], table.annotator),
        "kind": (KINDS, table.kind),
    }
    for each in chosen.conditions:
        if each.field in columns:
            names, codes = columns[each.field]
            rows &= np.array([each.admits(name) for name in names], dtype=np.bool_)[codes]
        elif each.field == "tag":
            has_tag = np.isin(table.segment, table.tags.get(each.value, np.zeros(0, dtype=np.int64)))
            rows &= has_tag == (each.operator == EQUAL)
    return rows


def _errors_where(marked: ErrorTable, stays: BoolArray) -> ErrorTable:
    columns = {name: getattr(marked, name)[stays] for name in ("row", "label", "start", "end", "is_target")}
    return replace(marked, **columns)


def _moved(marked: ErrorTable, rows: BoolArray) -> ErrorTable:
    """The errors of these rows of the table of penalties, each with its row's new place."""
    places = np.cumsum(rows) - 1
    left = _errors_where(marked, rows[marked.row])
    suggestions = marked.suggestions
    if suggestions is not None:
        stays = rows[suggestions.row]
        suggestions = Suggestions(places[suggestions.row[stays]], suggestions.outcome[stays])
    return replace(left, row=places[left.row], suggestions=suggestions)
