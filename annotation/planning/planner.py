"""From documents and wishes to assignments."""

import random
from collections.abc import Iterator, Sequence

from annotation.planning.blocks import blocks_of, cut
from annotation.planning.controls import Content, Undegradable, draw_controls, in_order
from annotation.planning.documents import PlanDocument, check_documents, systems_in
from annotation.planning.layout import in_new_columns, lay_out
from annotation.planning.options import PlanningError, PlanningOptions, check_options
from annotation.planning.packing import pack
from annotation.planning.passes import Pass, passes_of
from annotation.planning.planned import PlannedAssignment
from annotation.planning.rotations import rotations
from annotation.planning.sampling import choose_systems


def plan(documents: Sequence[PlanDocument], options: PlanningOptions, rng: random.Random) -> list[PlannedAssignment]:
    """The assignments of a campaign, round after round, in the order in which they should be handed out.

    What is asked together is decided once and serves all rounds (see `PlannedAssignment.content`): an annotator can
    then take part in every round without meeting an output twice, and those who judge the same outputs share a whole
    assignment's worth of them, as agreement wants. So is how much is asked again; what it is, and the order, are drawn
    anew each time. Nothing but the arguments decides: the same documents, options and
    seed give the same plan.
    """
    check_documents(documents)
    check_options(options, len({system for document in documents for system in systems_in(document)}))
    if options.reads_once:
        return list(rotations(documents, options, rng))
    undegradable = _undegradable(documents)
    passes = cut(_all_passes(documents, options, rng), options, rng)
    blocks = [block for one in passes for block in blocks_of(one)]
    contents = pack(passes, draw_controls(blocks, options, undegradable, rng), options, rng)
    return list(_assignments(contents, options, undegradable, rng))


def _all_passes(documents: Sequence[PlanDocument], options: PlanningOptions, rng: random.Random) -> list[Pass]:
    chosen = choose_systems(documents, options, rng)
    passes = [
        one
        for document, systems in zip(documents, chosen, strict=True)
        for one in passes_of(document, systems, options, rng)
    ]
    if not passes:
        raise PlanningError("No segment has two different translations to compare: show them one by one.")
    return passes


def _assignments(
    contents: Sequence[Content], options: PlanningOptions, undegradable: Undegradable, rng: random.Random
) -> Iterator[PlannedAssignment]:
    for round_number in range(options.redundancy):
        for content in rng.sample(range(len(contents)), len(contents)):
            items = lay_out(in_order(contents[content], undegradable, rng), undegradable)
            yield PlannedAssignment(
                in_new_columns(items, rng) if options.shuffle_slots else items, round_number, content
            )


def _undegradable(documents: Sequence[PlanDocument]) -> set[tuple[int | None, int]]:
    return {
        (segment.id, system)
        for document in documents
        for segment in document.segments
        for system in segment.undegradable
    }
