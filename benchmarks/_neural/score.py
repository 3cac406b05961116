"""One metric in a process of its own: every system of WMT23 scored, the processor time and the memory that it took."""

import json
import resource
import sys
import time
from typing import Any

from benchmarks._neural.wmt23 import read
from metrics.automatic import METRICS


def main() -> None:
    name, options = sys.argv[1], json.loads(sys.argv[2])
    texts, metric = read(), METRICS[name](**options)
    against = texts.references if metric.needs_reference else texts.sources
    before, began = _megabytes(), time.process_time()
    scores = [
        metric.score(outputs, [[text] for text in against]).segments.tolist() for outputs in texts.outputs.values()
    ]
    result: dict[str, Any] = {
        "scores": scores,
        "sign": 1 if metric.higher_is_better else -1,
        "seconds": time.process_time() - began,
        "megabytes": _megabytes() - before,
    }
    sys.stdout.write(json.dumps(result))


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


if __name__ == "__main__":
    main()
