#!/usr/bin/env python
"""Django's command line; `./assay manage` calls it with the project's own environment."""

import argparse
import os
import sys

from config.site_address import PORT, local_address


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:2] == ["serve"]:
        _let_options_be_settings(sys.argv[2:])

    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415 - after the settings are named
    from django.core.management import execute_from_command_line  # noqa: PLC0415
    from django.db import DatabaseError  # noqa: PLC0415

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"assay: {error}")
    except DatabaseError:
        if not _is_behind():
            raise
        sys.exit("assay: the database is not up to date. Run `./assay manage migrate` or `./assay run`.")


def _is_behind() -> bool:
    """Whether the database has no tables yet, or those of an older version."""
    from django.db import connection  # noqa: PLC0415
    from django.db.migrations.executor import MigrationExecutor  # noqa: PLC0415

    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _let_options_be_settings(arguments: list[str]) -> None:
    """Where the data lie and at which port: settings follow from both, so they are read before Django is."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("--data", default="")
    parser.add_argument("--port", default=PORT)
    try:
        options, _others = parser.parse_known_args(arguments)
    except argparse.ArgumentError:
        return  # the command itself says what is wrong
    if options.data:
        os.environ["ASSAY_DATA_DIR"] = options.data
    os.environ.setdefault("ASSAY_BASE_URL", local_address(options.port))


if __name__ == "__main__":
    main()
