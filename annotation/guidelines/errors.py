"""Guidelines of protocols in which errors are marked."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.guidelines.parts import about_examples, bullets, order_of_work, scale, section, severities, task
from annotation.guidelines.scores import side_by_side
from annotation.protocols.esa import Esa
from annotation.protocols.mqm import Mqm
from annotation.taxonomies.typology import Category, Typology


def error_spans(protocol: Esa) -> list[str]:
    options = protocol.options
    return [
        task(
            _("Mark the errors in the translation, then give the whole translation a score from 0 to 100."),
            side_by_side(options.systems_per_screen),
        ),
        order_of_work(
            _("Read the source, then the translation."),
            options.suggestions
            and _("Some errors are marked already, by a program. Check each: keep it, change it or delete it."),
            _("Mark every error: select its words and give it a severity. If there is none, say so (`N`)."),
            _("Give the score last. It should fit the marks: many or serious errors and a high score do not."),
        ),
        how_to_mark(options.severities, marks_source=options.mark_source, marks_missing=options.missing_content),
        severities(options.severities),
        section(_("The scale"), about_examples(), scale(options.anchors) if options.anchors else ""),
    ]


def mqm(protocol: Mqm) -> list[str]:
    options = protocol.options
    offered = options.severities or options.typology.severities
    most = ngettext(
        "If there are more than %(count)d, mark the most serious one.",
        "If there are more than %(count)d, mark the %(count)d most serious ones.",
        options.most_errors,
    )
    return [
        task(
            _("Mark every error in the translation, with its category and its severity."),
            most % {"count": options.most_errors} if options.most_errors else "",
            side_by_side(options.systems_per_screen),
        ),
        order_of_work(
            _("Read the source, then the translation."),
            _("Select the words of an error."),
            _(
                "Choose the category: type the first letters of its name. If two fit, take the one that names the "
                "cause."
            ),
            _("Choose the severity: how much does the error matter to a reader of this text?"),
            _("If there is no error, say so (`N`)."),
        ),
        how_to_mark(offered, marks_source=options.mark_source, marks_missing=True),
        severities(offered),
        section(_("Categories"), *_categories(options.typology)),
    ]


def how_to_mark(offered: tuple[str, ...], *, marks_source: bool, marks_missing: bool) -> str:
    return section(
        _("How to mark"),
        bullets(
            _("Mark the words that are wrong, no more: not the whole sentence because of one word."),
            _("One mistake is one error. If it comes again at another place, mark it there too."),
            marks_missing and _("If something is missing, mark the place where it should be (`O`)."),
            marks_source and _("What is left out can also be marked in the source, where its words are."),
            "neutral" not in offered and _("What you would only have written differently is no error."),
        ),
    )


def _categories(typology: Typology) -> Iterator[str]:
    for category in typology.categories:
        below = bullets(*map(_line, category.subcategories))
        if below:
            yield f"## {_(category.title)}\n\n{_(category.description) if category.description else ''}\n\n{below}"
        else:
            yield bullets(_line(category))


def _line(category: Category) -> str:
    says = [_(text) for text in (category.description, category.example) if text]
    return f"**{_(category.title)}**: {' '.join(says)}" if says else f"**{_(category.title)}**"
