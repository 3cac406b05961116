import atexit
import gc
import os

_THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")

# numpy reads these when it is first imported. Threads of matrix products spin while they wait: on our small matrices
# that takes up to twice the processor time and is hardly sooner done, and requests share the cores already.
if not any(os.environ.get(name) for name in (*_THREADS, "OMP_NUM_THREADS")):
    os.environ |= dict.fromkeys(_THREADS, "1")

# Every process first loads up to two thousand modules, all of which stay: to look through them for garbage, again and
# again while they are loaded and once more at the end, took half of a short command's time.
gc.set_threshold(10_000, 10, 10)
atexit.register(gc.freeze)

from config.celery import app as celery_app  # noqa: E402 - whatever it imports comes after the threads are set

__all__ = ["celery_app"]
