from config.settings import *  # noqa: F403
from config.settings import RUN_KINDS as KINDS_OF_PRODUCT

RUN_KINDS = {**KINDS_OF_PRODUCT, "slow": "tests.jobs.slow_kind.counting.SLOW"}
