"""Which metric to report for which language and use: our own words, with whom they rest on."""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy


class Advice(NamedTuple):
    use: Promise
    report: Promise
    source: str


ADVICE = (
    Advice(
        gettext_lazy("Which of two systems is better, in a language that a learned metric knows"),
        gettext_lazy(
            "A learned metric (COMET, MetricX, BLEURT), its scores imported, with chrF beside it and a "
            "test of the difference. BLEU agrees with people less often."
        ),
        "Kocmi et al. 2021; Freitag et al. 2022",
    ),
    Advice(
        gettext_lazy("Languages rich in forms, or that no learned metric knows"),
        gettext_lazy(
            "chrF or chrF++: parts of words count, so that another ending is not another word."
        ),
        "Popović 2015, 2017",
    ),
    Advice(
        gettext_lazy("Chinese, Japanese, Thai and others that do not space words"),
        gettext_lazy(
            "chrF; BLEU only with the tokenizer named, for every tokenizer gives another number."
        ),
        "Post 2018",
    ),
    Advice(
        gettext_lazy("Beside numbers already published"),
        gettext_lazy(
            "The metric they used, by the same signature: the reference, case and tokenizer change BLEU "
            "by more than most systems differ."
        ),
        "Post 2018; Marie et al. 2021",
    ),
    Advice(
        gettext_lazy("How much work a correction takes"),
        gettext_lazy(
            "HTER, from corrections of the system's own output; TER against another person's "
            "translation asks for more edits than are needed."
        ),
        "Snover et al. 2006",
    ),
    Advice(
        gettext_lazy("Single segments"),
        gettext_lazy(
            "A metric made for them: learned ones, chrF, BEER, METEOR. BLEU is a measure of whole test "
            "sets."
        ),
        "Papineni et al. 2002; Stanojević & Sima’an 2014"
    ),
    Advice(
        gettext_lazy("Systems close to people, or to each other"),
        gettext_lazy(
            "People. Metrics that look sure among all systems are often no better than chance among the "
            "best ones."
        ),
        "Mathur et al. 2020; Freitag et al. 2021",
    ),
    Advice(
        gettext_lazy("Any difference you claim"),
        gettext_lazy(
            "A paired test on the same segments, here approximate randomisation, with the size of the "
            "difference."
        ),
        "Koehn 2004; Riezler & Maxwell 2005",
    ),
)  # fmt: skip
