from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS as PRODUCT_APPS

INSTALLED_APPS = [*PRODUCT_APPS, "tests.metrics.slow_kind.apps.SlowKindConfig"]
