"""`pearmut` and `pearmut-campaign`: a campaign's answers, and its plan, as Pearmut reads and writes them.

`pearmut_annotations` reads the answers again; `docs/formats.md` says what has no equal there.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, Self

from django.utils.html import escape, linebreaks
from django.utils.translation import gettext as _

from annotation.action_log import Action, actions_from
from annotation.models import ActionLog, ErrorSpan, Item, ItemKind, ItemLevel, Side, is_surplus, slot_values
from annotation.protocols import protocol_for
from annotation.protocols.cesa import CesaOptions
from annotation.protocols.tags import Tag
from campaigns.guideline_text import render_markdown
from campaigns.models import Campaign, Document, Medium, MediumKind, Moment, Planning, Role, Segment, TextGuidance
from exchange.exported_judgments import EVERYTHING, ExportChoice, judgments_of
from exchange.formats.pearmut_forms import losses_of_forms, written_forms
from exchange.formats.pearmut_marks import written_marks
from exchange.formats.pearmut_practice import practice_without_equal, written_practice
from exchange.formats.pearmut_records import tag_name
from exchange.formats.pearmut_screens import (
    REPEATED,
    SEPARATOR,
    WRITTEN_KINDS,
    Answered,
    Output,
    Screen,
    ScreenItem,
    judged_screens,
    planned_items,
    screens_with_texts,
    shared_in_part,
)
from exchange.tables.csv_and_json import pieces_of

PROTOCOLS_THERE = {"cesa": "cESA", "esa": "ESA", "mqm": "MQM", "direct_assessment": "DA"}
MISSING = Tag("missing", "missing")
ASSETS = "assets/"
_PRACTICE_THERE = ("attention_check_", "_#_tutorial_#_")
NAMED = 5


def obstacles(campaign: Campaign) -> list[str]:
    """Why a campaign cannot be written in this form, each with what is in the way."""
    reasons = []
    systems = campaign.systems.order_by("pk").values_list("name", flat=True)
    if odd := [name for name in systems if name.isdigit() or name.endswith(REPEATED)]:
        message = _(
            "Pearmut takes no system whose name is only digits, and an apostrophe at the end means there that it is "
            "shown again. Rename: %(names)s."
        )
        reasons.append(message % {"names": ", ".join(odd[:NAMED])})
    if odd := sorted(_odd_names(campaign)):
        message = _("Pearmut would not read these names of documents, segments or domains as such: %(names)s.")
        reasons.append(message % {"names": ", ".join(odd[:NAMED])})
    shown = Item.objects.filter(assignment__campaign=campaign, slots__translation__isnull=False)
    if shown.filter(slots__translation__text=None).exists():
        reasons.append(_("Pearmut needs all texts, and some of this campaign are not known."))
    return reasons


def _odd_names(campaign: Campaign) -> set[str]:
    """Names of items are put together with separators, and say what is practice."""
    documents = Document.objects.filter(test_set=campaign.test_set_id).values_list("name", "domain")
    segments = Segment.objects.filter(document__test_set=campaign.test_set_id).values_list("name", "domain")
    odd = set()
    for rows, is_document in ((documents, True), (segments, False)):
        for name, domain in rows.iterator():
            if SEPARATOR in domain or domain.startswith(_PRACTICE_THERE[0]) or _PRACTICE_THERE[1] in domain:
                odd.add(domain)
            if _PRACTICE_THERE[1] in name or (SEPARATOR in name and not is_document):
                odd.add(name)
    return odd


def losses(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> list[str]:
    """What has no equal there, counted, before the file is written."""
    judged = judgments_of(campaign, choice)
    regular = judged.filter(item__level=ItemLevel.SEGMENT, item__kind__in=WRITTEN_KINDS)
    spans = choice.of_judgments(ErrorSpan.objects.filter(judgment__item__assignment__campaign=campaign))
    controls = judged.filter(item__level=ItemLevel.SEGMENT).exclude(item__kind__in=WRITTEN_KINDS)
    counted = (
        (judged.filter(item__level=ItemLevel.DOCUMENT), _("Judgments of whole documents, left out: %(count)d.")),
        (controls, _("Judgments of degraded outputs, of references and of practice, left out: %(count)d.")),
        (
            regular.alias(late=is_surplus()).filter(late=True),
            _("Judgments that do not count because others had filled the item, left out: %(count)d."),
        ),
        (regular.exclude(cannot_judge=""), _("Items that could not be judged, written without scores: %(count)d.")),
        (spans.filter(side=Side.SOURCE), _("Marks in the source, left out: %(count)d.")),
    )
    told = [message % {"count": count} for rows, message in counted if (count := rows.count())]
    if ActionLog.objects.filter(judgment__in=judged).exists():
        return told
    return [*told, _("Pauses within a screen are not in the file: of its times, the first and the last are.")]


def losses_of_plan(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> list[str]:  # noqa: ARG001 - as the others
    own = Item.objects.filter(assignment__campaign=campaign)
    counted = (
        (own.filter(level=ItemLevel.DOCUMENT), _("Questions on whole documents, left out: %(count)d.")),
        (own.filter(kind=ItemKind.DEGRADED), _("Degraded outputs, left out: %(count)d.")),
    )
    told = [message % {"count": count} for rows, message in counted if (count := rows.count())]
    if count := shared_in_part(campaign):
        told.append(_("Systems whose output is that of another, which alone is named: %(count)d.") % {"count": count})
    if without := practice_without_equal(campaign):
        told.append(
            _("Practice items of which not all that is right can be written (%(count)d): %(names)s.")
            % {"count": len(without), "names": ", ".join(map(str, without))}
        )
    return [
        *told,
        *losses_of_forms(campaign),
        _("Links and completion codes are not in the file: Pearmut makes its own."),
    ]


def special_tokens(campaign: Campaign) -> tuple[Tag, ...]:
    """The tags that stand behind each text."""
    options = protocol_for(campaign.protocol, campaign.options).options
    if isinstance(options, CesaOptions):
        return options.tags
    return (MISSING,) if getattr(options, "missing_content", False) else ()


def _token(tag: Tag, place: int) -> str:
    """Such that its name is read again: by its title where that has the same name."""
    has_own_name = tag_name(tag.title, place) == tag.name
    return f"[{tag.title}]" if has_own_name else f"[{tag.name.replace('_', ' ')}]"


def write_annotations(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Iterator[bytes]:
    """As Pearmut's download: an object of lists; a record a line."""
    written = _Written.of(campaign)
    return pieces_of(_listed({}, campaign.slug, _records(campaign, choice, written)))


@dataclass(frozen=True)
class _Written:
    """What is the same for all screens: tags, and by document or segment what lies beside the texts, as HTML.

    Where no score is asked, an empty list of marks is the answer that there is no error.
    """

    tags: Sequence[str]
    has_scores: bool
    instructions: Mapping[int, str]
    media: Mapping[int, str]
    document_media: Mapping[int, str]

    @classmethod
    def of(cls, campaign: Campaign) -> Self:
        guidance = TextGuidance.objects.filter(test_set=campaign.test_set_id, document__isnull=False)
        media = Medium.objects.filter(document__test_set=campaign.test_set_id)
        rows = [(document, segment, _tag(*row)) for document, segment, *row in media.values_list(*_OF_MEDIUM)]
        return cls(
            tags=[tag.name for tag in special_tokens(campaign)],
            has_scores=PROTOCOLS_THERE[campaign.protocol] != "MQM",
            instructions={
                document: linebreaks(text, autoescape=True)
                for document, text in guidance.exclude(instruction="").values_list("document", "instruction")
            },
            media={segment: tag for _document, segment, tag in rows if segment is not None},
            document_media={document: tag for document, segment, tag in rows if segment is None},
        )

    def item(self, screen: Screen, item: ScreenItem, names: Mapping[int, str], *, is_first: bool) -> dict[str, Any]:
        """A medium takes the place of the source, which is beside it; that of a document is in its first segment."""
        first = item.first
        medium = self.media.get(first.segment_id) or (self.document_media.get(first.document_id) if is_first else None)
        source = {} if first.source is None else {"src": first.source}
        if medium:
            source = {"src": medium} | ({} if first.source is None else {"src_text": first.source})
        instruction = self.instructions.get(first.document_id) if is_first else None
        written = {"item_id": item.item_id, **source, "tgt": screen.texts(item, names)}
        return written | ({"instructions": instruction} if instruction else {})

    def items(self, screen: Screen, names: Mapping[int, str]) -> list[dict[str, Any]]:
        in_order = screen.in_order()
        return [self.item(screen, item, names, is_first=place == 0) for place, item in enumerate(in_order)]


_OF_MEDIUM = ("document_id", "segment_id", "kind", "name")
_TAGS = {
    MediumKind.PICTURE.value: "<img src='{}'>",
    MediumKind.AUDIO.value: "<audio src='{}' controls></audio>",
    MediumKind.VIDEO.value: "<video src='{}' controls></video>",
}


def _tag(kind: str, name: str) -> str:
    """The name is a path below the folder that Pearmut serves as `assets`."""
    path = name if name.startswith(ASSETS) else ASSETS + name
    return _TAGS[kind].format(escape(path))


def _listed(before: Mapping[str, Any], key: str, values: Iterator[Any]) -> Iterator[str]:
    """A JSON object whose last value is a list, with each of its elements on a line."""
    yield f"{_as_json(before)[:-1]}{', ' if before else ''}{_as_json(key)}: [\n"
    first = next(values, None)
    if first is not None:
        yield _as_json(first)
    for value in values:
        yield ",\n" + _as_json(value)
    yield "]}\n"


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _records(campaign: Campaign, choice: ExportChoice, written: _Written) -> Iterator[dict[str, Any]]:
    for _owner, screens in groupby(judged_screens(campaign, choice), key=lambda screen: screen.owner):
        for number, screen in enumerate(screens):
            for record in _revisions(screen, written):
                yield record | {"user_id": choice.called(record["user_id"]), "item_i": number}


def _revisions(screen: Screen, written: _Written) -> Iterator[dict[str, Any]]:
    """The screen as it was after each submission: the last one counts there, too."""
    items, names = screen.in_order(), screen.names()
    revisions = sorted({each.revision for item in items for answers in item.judgments.values() for each in answers})
    for revision in revisions:
        newest = [_newest(item, revision) for item in items]
        answers = [answer for by_position in newest for answer in by_position.values()]
        cells = [_cells(item, names, each, written) for item, each in zip(items, newest, strict=True)]
        yield {
            "annotation": cells,
            "actions": _actions([each for each in answers if each.revision == revision], items, names),
            "item": written.items(screen, names),
            "user_id": answers[0].annotator,
            **_comment(answers),
        }


def _newest(item: ScreenItem, revision: int) -> dict[int, Answered]:
    by_position = {}
    for position, answers in item.judgments.items():
        if until := [each for each in answers if each.revision <= revision]:
            by_position[position] = until[-1]
    return by_position


def _cells(
    item: ScreenItem, names: Mapping[int, str], answers: Mapping[int, Answered], written: _Written
) -> dict[str, Any]:
    """In the order of the columns."""
    return {name: _cell(item.outputs.get(column), answers, written) for column, name in names.items()}


def _cell(output: Output | None, answers: Mapping[int, Answered], written: _Written) -> dict[str, Any]:
    answered: Mapping[str, Any] = {}
    if output is not None and output.shown.position in answers:
        answered = slot_values(answers[output.shown.position].answer, output.shown.label)
    if output is None or not answered:
        return {"score": None, "error_spans": [] if written.has_scores else None, "textfield": None}
    marks = written_marks(answered, output.text, written.tags, shift=output.shift)
    return {"score": answered.get("score"), "error_spans": marks, "textfield": answered.get("comment") or None}


def _actions(
    answers: Sequence[Answered], items: Sequence[ScreenItem], names: Mapping[int, str]
) -> list[dict[str, Any]]:
    """As they were logged, else when the screen was opened and submitted; nothing where no times are known."""
    logged = [action for each in answers for action in actions_from(each.actions)]
    if logged:
        return [_action(action, items, names) for action in logged]
    known = [answer for answer in answers if answer.started is not None and answer.elapsed_ms is not None]
    if not known:
        return []
    moments = (min(each.started for each in known), max(each.submitted for each in known))
    known_actions = zip(moments, ("load", "submit"), strict=True)
    return [{"time": _seconds(moment), "action": name} for moment, name in known_actions]


def _action(action: Action, items: Sequence[ScreenItem], names: Mapping[int, str]) -> dict[str, Any]:
    written: dict[str, Any] = {"time": action.at / 1000, "action": action.name}
    if action.row is not None and action.row < len(items):
        outputs = items[action.row].outputs
        named = [names[column] for column, output in outputs.items() if output.shown.label == action.slot]
        written |= {"index": action.row} | ({"model": named[0]} if named else {})
    return written if action.value is None else {**written, "value": action.value}


def _seconds(moment: datetime) -> float:
    return moment.astimezone(UTC).timestamp()


def _comment(answers: Sequence[Answered]) -> dict[str, str]:
    comments = dict.fromkeys(text for each in answers if (text := each.answer.get("comment")))
    return {"comment": "\n".join(comments)} if comments else {}


def write_campaign(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Iterator[bytes]:
    """Planned in advance: the screens of each annotator, then of each assignment that nobody has yet. A pool: all."""
    is_pool = campaign.planning == Planning.POOL
    users = _users(campaign, choice)
    info = {
        "assignment": "single-stream" if is_pool else "task-based",
        "protocol": PROTOCOLS_THERE[campaign.protocol],
        "users": _people(campaign, choice) if is_pool else list(users.values()),
        "special_tokens": [_token(tag, place) for place, tag in enumerate(special_tokens(campaign), start=1)],
        "shuffle": False,
        **_typology(campaign),
        "instructions": render_markdown(campaign.guidelines),
    }
    before: dict[str, Any] = {"campaign_id": campaign.slug, "info": info}
    practice = written_practice(campaign, [tag.name for tag in special_tokens(campaign)])
    if welcome := [*written_forms(campaign, Moment.ENTRY), *practice]:
        before["data_welcome"] = welcome
    if goodbye := written_forms(campaign, Moment.EXIT):
        before["data_goodbye"] = goodbye
    screens = screens_with_texts(campaign)
    written = _Written.of(campaign)
    documents: Iterator[Any] = (written.items(screen, screen.names()) for screen in screens)
    if not is_pool:
        tasks = groupby(screens, key=lambda screen: _user_of(screen.owner, screen.assignment))
        documents = ([written.items(screen, screen.names()) for screen in several] for _user, several in tasks)
    return pieces_of(_listed(before, "data", documents))


def _typology(campaign: Campaign) -> dict[str, Any]:
    """Pearmut has its own categories where a campaign of MQM names none."""
    protocol = protocol_for(campaign.protocol, campaign.options)
    if PROTOCOLS_THERE[protocol.name] != "MQM":
        return {}
    categories: dict[str, list[str]] = {"": []}
    for path in protocol.category_titles:
        main, _slash, sub = path.partition("/")
        categories.setdefault(main, []).extend([sub] if sub else [])
    return {"mqm_categories": categories}


def _user_of(owner: int | None, assignment: int) -> tuple[int, int]:
    return (owner, 0) if owner is not None else (0, assignment)


def _users(campaign: Campaign, choice: ExportChoice) -> dict[tuple[int, int], str]:
    """In the order of the screens."""
    own = ("assignment__annotator_id", "assignment__position", "assignment__annotator__username")
    rows = set(planned_items(campaign).order_by().values_list(*own).distinct())
    return {
        _user_of(owner, position): choice.called(name) if name else f"assignment-{position}"
        for owner, position, name in sorted(rows, key=lambda row: (row[0] is None, row[0] or 0, row[1]))
    }


def _people(campaign: Campaign, choice: ExportChoice) -> list[str] | int:
    names = campaign.memberships.filter(role=Role.ANNOTATOR).order_by("pk").values_list("account__username", flat=True)
    return list(map(choice.called, names)) or 1
