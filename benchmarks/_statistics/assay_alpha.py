"""Krippendorff's alpha by Assay, timed, with the memory it took: `python -m … ratings.npy LEVEL TIMES`."""

import json
import resource
import sys
import time

import numpy as np

from metrics.statistics.agreement.krippendorff import LEVELS, krippendorff_alphas


def main() -> None:
    path, level, times = sys.argv[1:]
    ratings = np.load(path)
    rated = ~np.isnan(ratings)
    values, items = ratings[rated], np.nonzero(rated)[1]
    known = next(each for each in LEVELS if each == level)
    seconds, value = [], float("nan")
    for _ in range(int(times)):
        began = time.perf_counter()
        value = krippendorff_alphas(values, items, levels=(known,))[known].value
        seconds.append(time.perf_counter() - began)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    sys.stdout.write(json.dumps({"seconds": sorted(seconds)[len(seconds) // 2], "value": value, "bytes": peak}))


if __name__ == "__main__":
    main()
