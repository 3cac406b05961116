"""The first sentence on agreement between annotators; it says no more than the interval of its coefficient does."""

from collections.abc import Sequence

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from metrics.analyses.agreement import AnnotatorAgreement
from metrics.analyses.agreement_tables import TENTATIVE, main_interval
from metrics.analyses.annotator_table import AnnotatorContext, to_check
from metrics.analyses.annotators import Annotator
from metrics.results.values import Missing

RELIABLE = 0.8  # what Krippendorff asks of alpha for firm conclusions
MOST_NAMED = 3


def finding_of_agreement(
    agreement: AnnotatorAgreement, annotators: Sequence[Annotator], context: AnnotatorContext
) -> str | None:
    """None without any coefficient."""
    if not agreement.measures and isinstance(agreement.preference, Missing) and isinstance(agreement.spans, Missing):
        return None
    interval = main_interval(agreement)
    return finding_of(None if isinstance(interval, Missing) else interval, to_check(annotators, context))


def finding_of(interval: tuple[float, float] | None, to_check: Sequence[str]) -> str:
    """`interval` is that of the main measure.

    `to_check` are names: whoever is to decide on somebody must not have to look for them in a table.
    """
    agreed = _agreed(interval)
    if not to_check:
        return agreed
    if len(to_check) <= MOST_NAMED:
        checked = _("check %(names)s") % {"names": get_text_list(list(to_check), _("and"))}
    else:
        count = len(to_check)
        checked = ngettext("check %(count)d annotator", "check %(count)d annotators", count) % {"count": count}
    return _("%(agreement)s; %(people)s") % {"agreement": agreed, "people": checked}


def _agreed(interval: tuple[float, float] | None) -> str:
    if interval is None:
        return _("Agreement cannot be measured yet")
    low, high = interval
    words = (
        (high < 0, _("Annotators agree less than by chance")),
        (low <= 0, _("It is unclear whether annotators agree beyond chance")),
        (low >= RELIABLE, _("Annotators agree closely")),
        (low >= TENTATIVE, _("Annotators agree well enough for tentative conclusions")),
        (high < TENTATIVE, _("Annotators agree beyond chance, but not enough for tentative conclusions")),
        (True, _("Annotators agree beyond chance, perhaps enough for tentative conclusions")),
    )
    return next(sentence for applies, sentence in words if applies)
