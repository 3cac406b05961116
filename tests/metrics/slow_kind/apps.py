from django.apps import AppConfig


class SlowKindConfig(AppConfig):
    name = "tests.metrics.slow_kind"
    label = "slow_kind"

    def ready(self) -> None:
        from metrics.kinds import KINDS, RunKind
        from tests.metrics.slow_kind.counting import count_slowly

        KINDS["slow"] = RunKind(check=dict, perform=count_slowly)
