"""Guidelines of protocols whose answer is a point on a scale."""

from django.utils.translation import gettext as _

from annotation.guidelines.parts import about_examples, bullets, compared_texts, order_of_work, scale, section, task
from annotation.protocols.direct_assessment import DirectAssessment
from annotation.protocols.likert import FLUENCY, Likert


def direct_assessment(protocol: DirectAssessment) -> list[str]:
    options = protocol.options
    return [
        task(
            _("Say with a score from 0 to 100 how much of the meaning reaches a reader of the translation."),
            side_by_side(options.systems_per_screen),
        ),
        order_of_work(
            compared_texts(options.judge_against),
            _("Read the translation."),
            _("Compare sentence by sentence: is anything missing, added or changed?"),
            _("Choose the score. Use the whole scale, also between two of its labels."),
            options.document_scores
            and _("After the last segment, score the document as one text: do names, terms and pronouns agree?"),
        ),
        section(_("The scale"), about_examples(), scale(options.anchors) if options.anchors else ""),
        what_counts(),
    ]


def likert(protocol: Likert) -> list[str]:
    options = protocol.options
    has_several = len(options.scales) > 1
    return [
        task(
            _("Choose a point on each scale.") if has_several else _("Choose a point on the scale."),
            side_by_side(options.systems_per_screen),
        ),
        order_of_work(
            options.fluency_first
            and _("Read the translation alone and say how fluent it is. The source appears after that."),
            compared_texts(options.judge_against),
            _("Read the translation."),
            has_several
            and _(
                "Answer each scale by itself: a fluent sentence can say the wrong thing, a clumsy one the right one."
            ),
        ),
        section(
            _("The scales") if has_several else _("The scale"),
            about_examples(),
            *(
                f"## {_(each.title)}\n\n{scale(each.points, of_language=each.name == FLUENCY)}"
                for each in options.scales
            ),
        ),
        what_counts(),
    ]


def side_by_side(systems: int) -> str:
    if systems < 2:
        return ""
    return _(
        "Several translations of a segment are side by side: judge each by itself. Equally good ones get the same."
    )


def what_counts() -> str:
    return section(
        _("What counts"),
        bullets(
            _("Meaning first. What is missing, added or changed lowers the score, most of all what misleads a reader."),
            _("Names, numbers, dates and the word “not” are short and matter much: check them."),
            _("Grammar, spelling and style count as far as they make the text harder to read or understand."),
            _("Other words for the same meaning are no error, and neither is another order of sentences."),
        ),
    )
