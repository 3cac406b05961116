"""The base of commands that do a piece of work: they start at once, and share how they name things and report."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from django.core.checks import Tags
from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q
from django.utils.translation import gettext as _

from campaigns.models import Campaign, TestSet
from campaigns.queries import campaign_called


class WorkingCommand(BaseCommand):
    """Looks at the settings alone: to check every page's address would take longer than most of the work."""

    requires_system_checks = (Tags.security,)
    _reported = ""

    def campaign(self, name: str) -> Campaign:
        """By its name, or by its slug."""
        campaign = campaign_called(name)
        if campaign is None:
            known = ", ".join(Campaign.objects.order_by("name").values_list("name", flat=True)[:20]) or _("none yet")
            message = _("There is no campaign “%(name)s”. Known: %(known)s.")
            raise CommandError(message % {"name": name, "known": known})
        return campaign

    def test_set(self, name: str) -> TestSet:
        test_set = TestSet.objects.filter(Q(name=name) | Q(slug=name)).order_by("pk").first()
        if test_set is None:
            raise CommandError(_("There is no test set “%(name)s”.") % {"name": name})
        return test_set

    def report_progress(self, share: float, note: str = "") -> None:
        line = f"{share:4.0%} {note}".rstrip()
        if line != self._reported:
            self._reported = line
            self.stderr.write(line)


@contextmanager
def private_file(path: Path, consequence: str) -> Iterator[TextIO]:
    """To be written, for its owner's eyes alone; what it had stays until something is written.

    Raises CommandError with the `consequence` if it cannot be written.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as stream:
            is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)  # a device or a pipe is nobody's to close
            if is_file:  # that was there may be open to all
                os.fchmod(descriptor, 0o600)
            yield stream
            if is_file:
                stream.truncate()
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}. {consequence}") from error
