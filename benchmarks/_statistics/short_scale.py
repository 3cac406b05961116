"""The ordinal model of 7,000 ratings on five points, timed, with the memory it took: `python -m … TIMES`."""

import json
import resource
import sys
import time

import numpy as np

from metrics.statistics.ordinal import ordinal_model

RATINGS, SYSTEMS, ANNOTATORS, DOCUMENTS, SEGMENTS = 7_000, 10, 20, 60, 600


def main() -> None:
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
    seconds = []
    for _ in range(int(sys.argv[1])):
        began = time.perf_counter()
        ordinal_model(ratings, system, annotators=annotator, documents=document, segments=segment)
        seconds.append(time.perf_counter() - began)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    sys.stdout.write(json.dumps({"seconds": sorted(seconds)[len(seconds) // 2], "bytes": peak}))


if __name__ == "__main__":
    main()
