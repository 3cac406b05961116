"""Times Krippendorff's alpha by the reference package: `python reference_alpha.py FILE.npy LEVEL`."""

import json
import sys
import time
from importlib import import_module

import numpy as np


def main() -> None:
    path, level = sys.argv[1:]
    ratings = np.load(path)
    alpha = import_module("krippendorff").alpha
    began = time.perf_counter()
    value = float(alpha(ratings, level_of_measurement=level))
    sys.stdout.write(json.dumps({"seconds": time.perf_counter() - began, "value": value}))


if __name__ == "__main__":
    main()
