"""What can be wrong with an item, in the words an annotator chooses from."""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from annotation.protocols.base import Text

PROBLEM_REASONS: Mapping[str, Text] = {
    "wrong_source": _("The source is damaged or incomplete"),
    "wrong_reference": _("The reference does not belong to this source"),
    "mixed_up": _("Source and translation are of different segments"),
    "display": _("The text is shown wrongly"),
    "offensive": _("Offensive or biased rendering"),
    "private": _("The text holds something private"),
    "other": _("Something else, named in the note"),
}
