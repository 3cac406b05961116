from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"
    verbose_name = "Assay"

    def ready(self) -> None:
        from config import checks  # noqa: F401, PLC0415 - registers the system checks
        from config.private_files import keep_files_private  # noqa: PLC0415 - settings are ready here

        keep_files_private()
