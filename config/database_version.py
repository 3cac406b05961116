"""Whether this Assay can work with a database, by the migrations that were applied to it."""

from django.core.management.base import CommandError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations import AddField
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

Names = set[tuple[str, str]]

BRIDGE = "263b238"  # the last commit that had all migrations one by one: it upgrades every older database
PLAN_OPTIONS = ("campaigns", "0014_parameters_of_plans")
# What be86590 had not yet: one column, and two migrations that moved models to another room and left their tables.
RECENT = {PLAN_OPTIONS, ("jobs", "0001_runs_of_their_own"), ("metrics", "0008_runs_moved_to_jobs")}


def check_database(database: BaseDatabaseWrapper) -> None:
    """For those who use the database and do not upgrade it."""
    if _missing_names(database):
        raise CommandError("The database is not upgraded yet. Start `./assay run` or `./assay manage migrate` first.")


def upgrade_to_joined_migrations(database: BaseDatabaseWrapper) -> None:
    """Adds what recent databases lack of the migrations that the first one of a room `replaces`.

    Django goes on from all of them or from none; where only some were applied, it fails with an error about its graph.
    """
    missing = _missing_names(database)
    if not missing:
        return
    after = MigrationLoader(None).project_state(("campaigns", "0001_people_test_sets_and_campaigns"))
    before = after.clone()
    before.remove_field("campaigns", "campaign", "plan_options")
    with database.schema_editor(atomic=True) as editor:
        if PLAN_OPTIONS in missing:
            field = after.models["campaigns", "campaign"].fields["plan_options"]
            AddField("campaign", "plan_options", field).database_forwards("campaigns", editor, before, after)
        for name in sorted(missing):
            MigrationRecorder(database).record_applied(*name)


def _missing_names(database: BaseDatabaseWrapper) -> Names:
    """Those of `RECENT` that the database lacks; an error where it lacks others, or has any that are not known."""
    applied = set(MigrationRecorder(database).applied_migrations())
    on_disk = MigrationLoader(None).disk_migrations
    replaced = {name for migration in on_disk.values() for name in migration.replaces}
    begun = {room for room, _name in applied & replaced}
    if "metrics" in begun:
        begun.add("jobs")  # whose tables `metrics` had made
    missing = {name for name in replaced - applied if name[0] in begun}
    if older := missing - RECENT:
        raise CommandError(
            f"This database is too old to be upgraded at once: it lacks the migration {_listed(older)}. Start commit "
            f"{BRIDGE} of Assay with it once, then this one (docs/operations.md, Upgrade). Nothing was changed."
        )
    rooms = {room for room, _name in replaced}
    if newer := {name for name in applied - replaced - set(on_disk) if name[0] in rooms}:
        raise CommandError(
            f"This database was made by a newer Assay: it has the migration {_listed(newer)}. Start that version, or "
            "restore a backup made before the upgrade. Nothing was changed."
        )
    return missing


def _listed(names: Names) -> str:
    first = ".".join(min(names))
    return first if len(names) == 1 else f"{first} and {len(names) - 1} more"
