"""PostgreSQL stopped at once under those who judge, and started again, while the web server runs on."""

import random
import threading
import time

from tests.crash.annotator import Annotator
from tests.plugins.postgres import PostgresServer

WORK, AWAY = (0.5, 1.5), (0.0, 1.0)  # seconds, from and to


def stop_again_and_again(
    postgres: PostgresServer, annotators: list[Annotator], *, times: int, rng: random.Random
) -> list[str]:
    """What PostgreSQL said at each start. The annotators need patience: they go on through all of it."""
    over = threading.Event()
    threads = [threading.Thread(target=annotator.work, kwargs={"is_over": over.is_set}) for annotator in annotators]
    for thread in threads:
        thread.start()
    said = []
    try:
        for _ in range(times):
            time.sleep(rng.uniform(*WORK))
            postgres.crash()
            time.sleep(rng.uniform(*AWAY))
            postgres.start_again()
            said.append(postgres.log())
        time.sleep(WORK[1])
    finally:
        over.set()
        for thread in threads:
            thread.join()
    return said
