"""Guidelines of the other protocols: ranking, post-editing, comprehension."""

from django.utils.translation import gettext as _

from annotation.guidelines.parts import bullets, compared_texts, order_of_work, section, task
from annotation.protocols.gisting import Gisting
from annotation.protocols.post_editing import PostEditing
from annotation.protocols.ranking import Ranking


def ranking(protocol: Ranking) -> list[str]:
    options = protocol.options
    is_pair = options.systems_per_item == 2
    return [
        task(
            _("Choose the better of two translations, or say that they are about equal.")
            if is_pair
            else _("Put the translations in order: 1 is the best. Equally good ones share a rank.")
        ),
        order_of_work(
            compared_texts(options.judge_against),
            _("Read every translation to its end before you compare."),
            options.show_differences and _("Look at the highlighted words: there the translations differ."),
            _("Ask of two translations: with which would a reader understand more, and be misled less?"),
            _("Choose A, equal or B.") if is_pair else _("Give each a rank. The order so far is shown below."),
        ),
        section(
            _("What counts"),
            bullets(
                _(
                    "Meaning first, then language: what says the wrong thing in good style is worse than a clumsy "
                    "truth."
                ),
                _("A serious error weighs more than several slips. Example: a wrong date against two missing commas."),
                _("Length, or words you would have chosen yourself, do not make a translation better."),
                _("Use “equal” for translations whose quality is the same, not for those that are hard to compare."),
            ),
        ),
    ]


def post_editing(protocol: PostEditing) -> list[str]:
    has_source = protocol.options.show_source
    return [
        task(
            _("Correct the translation, with as few changes as it takes.")
            if has_source
            else _("Make the text correct and easy to read, with as few changes as it takes. There is no source.")
        ),
        order_of_work(
            _("Read the source, then the translation.") if has_source else _("Read the text to its end."),
            _("Change what is wrong, word by word. Do not write the sentence anew."),
            _("Read the result once more."),
            _("If nothing is wrong, say so (`N`)."),
        ),
        section(
            _("What to change, and what not"),
            bullets(
                has_source and _("Change: wrong or missing meaning. “opens at ten” becomes “opens at nine”."),
                _("Change: grammar and spelling. “She have” becomes “She has”."),
                _("Change: words that a reader would misunderstand, or find offensive."),
                _("Leave: style. “start” does not become “begin”."),
                _("Leave: a word order that is correct, even if you would prefer another."),
                _("Do not look the text up elsewhere, and use no other translation program."),
            ),
        ),
        section(
            "", _("Your edits, keystrokes and time are recorded. Work at your usual speed, and pause as you like.")
        ),
    ]


def comprehension(protocol: Gisting) -> list[str]:
    from_memory = protocol.options.when_asked == "after_reading"
    return [
        task(_("Read a document and answer the questions about it, from this text alone.")),
        order_of_work(
            _("Read the document to its end. You see it only once.")
            if from_memory
            else _("Read the document to its end before the first question."),
            _("Answer from memory: the text is hidden while you answer.")
            if from_memory
            else _("Look into the text again for every answer."),
            _("Answer each question as the text says it, in your own words and briefly where you write."),
        ),
        section(
            _("What counts"),
            bullets(
                _(
                    "Only what the text says counts, not what you know or would expect. Example: if the text says that "
                    "the bridge opens on Monday, answer “Monday”, even if you know better."
                ),
                _("If the text does not answer the question, say so where you can. A guess spoils the result."),
                _("The text may be hard to read. That is what is measured; you are not tested."),
                _("Nobody reads a document twice: do not talk about the texts with others who take part."),
            ),
        ),
    ]
