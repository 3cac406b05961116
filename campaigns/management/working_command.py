"""The base of commands that do a piece of work: they start at once."""

from django.core.checks import Tags
from django.core.management.base import BaseCommand


class WorkingCommand(BaseCommand):
    """Looks at the settings alone: to check every page's address would take longer than most of the work."""

    requires_system_checks = (Tags.security,)
