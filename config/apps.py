from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"
    verbose_name = "Assay"

    def ready(self) -> None:
        from config import checks  # noqa: F401, PLC0415 - registers the system checks
