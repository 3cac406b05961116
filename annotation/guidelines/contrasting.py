"""Guidelines of contrastive error span annotation: several translations of a whole document, side by side."""

from django.utils.translation import gettext as _

from annotation.guidelines.parts import about_examples, bullets, order_of_work, section, severities, task
from annotation.guidelines.scores import side_by_side
from annotation.protocols.cesa import SEVERITIES, Cesa


def contrastive_error_spans(protocol: Cesa) -> list[str]:
    options = protocol.options
    mark = _("Mark the errors of each translation: select the words and choose a severity.")
    score = _("Give each translation of a segment a score. 0 is a score too.")
    scores_first = options.order == "score_then_mark"
    return [
        task(
            _("Mark the errors in each translation of a document and give each translation of a segment a score."),
            side_by_side(options.systems_per_screen),
        ),
        order_of_work(
            _("Read the instruction above the document, if there is one: the translations had to follow it."),
            _("Read the source, then all translations of the segment."),
            *((score, mark) if scores_first else (mark, score)),
            _("Submit when the whole document is done. Beside the button you see what is missing, and where."),
        ),
        section(
            _("How to mark"),
            bullets(
                _("Mark each error once, and only the words that are wrong. Marks may overlap."),
                _("What the translation adds without a reason, and words in a wrong language, are major errors."),
                _(
                    "Terms and names should stay the same in the whole document. Where one changes without a reason, "
                    "mark it."
                ),
                options.mark_source and _("What is left out can also be marked in the source, where its words are."),
            ),
        ),
        severities(SEVERITIES),
        section(
            _("Tags"),
            _("For errors that are at no place in the translation. Each has a severity, and can be given twice."),
            bullets(*(f"**{_(tag.title)}**" for tag in options.tags)),
        ),
        section(_("The scale"), about_examples(), bullets(*_bands()), *_rules(options.marks_below)),
    ]


def _bands() -> tuple[str, ...]:
    return (
        _(
            "**85–100** Very good: everything is said, and said naturally. It needs a last look at most. Example: "
            "“Until Friday, lorries cannot use the bridge.”"
        ),
        _(
            "**65–84** Good: something small is imprecise or stiff. A few touches mend it. Example: “The bridge is "
            "for lorries closed until Friday.”"
        ),
        _(
            "**45–64** Acceptable: the main points are there, but losses are visible. It needs real revision. Example: "
            "“The bridge is closed until Friday.”"
        ),
        _(
            "**25–44** Borderline: only parts can be understood, and much is wrong. Translating anew is about as fast. "
            "Example: “On Friday there are lorries on the bridge.”"
        ),
        _(
            "**0–24** Not acceptable: it says something else, or nothing. It is of no use. Example: “The fridge opens "
            "on Friday.”"
        ),
    )


def _rules(marks_below: int) -> tuple[str, ...]:
    free = _("A translation without any error gets 85 or more.")
    if not marks_below:
        return (free,)
    return (free, _("A score below %(lowest)d needs a mark or a tag that explains it.") % {"lowest": marks_below})
