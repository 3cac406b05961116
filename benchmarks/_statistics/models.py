"""A model of invented scores, timed by processor time, with the memory it took: `python -m … NAME TIMES`."""

import json
import resource
import sys
import time
from collections.abc import Callable

import numpy as np

from metrics.statistics.mixed import mixed_model
from metrics.statistics.ordinal import ordinal_model

RATINGS, SYSTEMS, ANNOTATORS, DOCUMENTS, SEGMENTS = 7_000, 10, 20, 60, 600


def main() -> None:
    name, times = sys.argv[1], int(sys.argv[2])
    fit = MODELS[name]()
    seconds = []
    for _ in range(times):
        began = time.process_time()
        fit()
        seconds.append(time.process_time() - began)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    sys.stdout.write(json.dumps({"seconds": sorted(seconds)[len(seconds) // 2], "bytes": peak}))


def _mixed(annotators: int) -> Callable[[], object]:
    """100,000 scores: 20 systems on 500 documents of ten segments. Whoever comes judges a document of a system."""
    rng = np.random.default_rng(12)
    systems, documents, segments = 20, 500, 10
    axes = np.meshgrid(np.arange(documents), np.arange(segments), np.arange(systems), indexing="ij")
    document, segment, system = (axis.ravel() for axis in axes)
    cell = document * systems + system
    segment += document * segments
    annotator = rng.integers(0, annotators, documents * systems)[cell]
    scores = (
        70
        + rng.normal(0, 5, annotators)[annotator]
        + rng.normal(0, 4, documents)[document]
        + rng.normal(0, 6, documents * systems)[cell]
        + rng.normal(0, 5, documents * segments)[segment]
        + rng.normal(0, 12, cell.size)
    )
    return lambda: mixed_model(scores, system, annotators=annotator, documents=document, segments=segment)


def _ordinal() -> Callable[[], object]:
    rng = np.random.default_rng(11)
    system, annotator, segment = (rng.integers(size, size=RATINGS) for size in (SYSTEMS, ANNOTATORS, SEGMENTS))
    document = segment * DOCUMENTS // SEGMENTS
    place = (
        rng.normal(0, 0.5, SYSTEMS)[system]
        + rng.normal(0, 1, ANNOTATORS)[annotator]
        + rng.normal(0, 0.5, DOCUMENTS)[document]
        + rng.normal(0, 1, SEGMENTS)[segment]
    )
    ratings = np.digitize(place + rng.logistic(size=RATINGS), [-3, -1.5, 0, 1.5])
    return lambda: ordinal_model(ratings, system, annotators=annotator, documents=document, segments=segment)


MODELS: dict[str, Callable[[], Callable[[], object]]] = {
    "mixed-200": lambda: _mixed(200),
    "mixed-2000": lambda: _mixed(2_000),
    "ordinal": _ordinal,
}

if __name__ == "__main__":
    main()
