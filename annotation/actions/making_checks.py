"""Attention checks made of the texts of a campaign, when it is created."""

import random
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby, islice

from django.utils.translation import gettext as _

from annotation.actions.checked_spec import CheckedSpec
from annotation.models import AttentionCheck
from annotation.planning.attention_checks import PlannedCheck, Texts, plan_checks, widths_of
from annotation.planning.planned import PlannedAssignment
from annotation.protocols.check_rules import CheckRule
from campaigns.invalid_input import InvalidInput
from campaigns.models import Campaign, Segment, System, Translation

DOCUMENTS_AT_ONCE = 40


def planned_checks(
    checked: CheckedSpec, texts: Collection[System], planned: Sequence[PlannedAssignment]
) -> list[PlannedCheck]:
    """Raises `InvalidInput` where the texts do not allow as many; the seed decides about everything."""
    spec, wanted = checked.spec, checked.spec.checks_wanted
    if not wanted:
        return []
    widths = widths_of(planned)
    if not widths:
        message = _("Attention checks compare systems: show at least two on a screen.")
        raise InvalidInput.of("attention_checks", message)
    rng = random.Random(f"{spec.seed} checks")  # noqa: S311 - repeatable, not secret
    good = [system.pk for system in texts if system.name in spec.names_for_checks]
    documents = list(checked.test_set.documents.order_by("position").values_list("pk", flat=True))
    rng.shuffle(documents)
    language = checked.test_set.target_language
    checks = plan_checks(_texts_of(documents, texts), good, widths, rng, language=language)
    made = list(islice(checks, wanted))
    if len(made) < wanted:
        message = _(
            "Attention checks requested: %(wanted)d; documents that allow one: %(made)d of %(documents)d. A document "
            "needs complete translations by two of the systems named, and a long segment (11 words, or 21 characters "
            "in a language without spaces). Ask for fewer checks, or name other systems."
        )
        numbers = {"wanted": wanted, "made": len(made), "documents": len(documents)}
        raise InvalidInput.of("attention_checks", message % numbers)
    return made


def store_checks(campaign: Campaign, planned: Sequence[PlannedCheck]) -> None:
    names = dict(campaign.systems.values_list("pk", "name"))
    is_loud = campaign.plan_options.get("check_kind") == "loud"
    AttentionCheck.objects.bulk_create(
        AttentionCheck(
            campaign=campaign,
            position=position,
            document_id=check.document,
            systems=[names[system] for system in check.systems],
            changed=[{"row": check.row, "system": names[check.rotated], "text": check.text}],
            rules=[
                CheckRule(row=check.row, system=names[system], above=names[check.rotated]).as_json()
                for system in check.clean
            ],
            is_loud=is_loud,
        )
        for position, check in enumerate(planned, start=1)
    )


def _texts_of(documents: Sequence[int], systems: Collection[System]) -> Iterator[tuple[int, Texts]]:
    """Read as far as they are needed."""
    for start in range(0, len(documents), DOCUMENTS_AT_ONCE):
        some = documents[start : start + DOCUMENTS_AT_ONCE]
        segments = Segment.objects.filter(document__in=some).order_by("document", "position")
        places = {
            key: list(group) for key, group in groupby(segments.values_list("document", "pk"), lambda row: row[0])
        }
        rows = Translation.objects.filter(segment__document__in=some, system__in=systems, text__isnull=False)
        outputs: dict[int, dict[int, str]] = {}
        for segment, system, text in rows.order_by("segment", "system").values_list("segment", "system", "text"):
            outputs.setdefault(segment, {})[system] = text or ""
        for document in some:
            yield document, [outputs.get(segment, {}) for _document, segment in places.get(document, ())]
