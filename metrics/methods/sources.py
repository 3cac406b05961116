"""The papers that a methods paragraph may name, by the key it names them with."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """`fields` are BibTeX's, in the order they are written."""

    kind: str
    authors: str
    year: int
    fields: tuple[tuple[str, str], ...]

    def bibtex(self, key: str) -> str:
        lines = [f"  {name} = {{{value}}}" for name, value in self.fields]
        return f"@{self.kind}{{{key},\n" + ",\n".join(lines) + "\n}"


def _source(kind: str, shown: str, year: int, author: str, title: str, **rest: str) -> Source:
    return Source(kind, shown, year, (("author", author), ("title", title), ("year", str(year)), *rest.items()))


SOURCES: dict[str, Source] = {
    "angelopoulos-2023-ppi": _source(
        "article", "Angelopoulos et al.", 2023,
        "Angelopoulos, Anastasios N. and Duchi, John C. and Zrnic, Tijana",
        "{PPI++}: Efficient Prediction-Powered Inference", journal="arXiv preprint arXiv:2311.01453",
    ),
    "bates-2015-fitting": _source(
        "article", "Bates et al.", 2015,
        "Bates, Douglas and M{\\\"a}chler, Martin and Bolker, Ben and Walker, Steve",
        "Fitting Linear Mixed-Effects Models Using lme4",
        journal="Journal of Statistical Software", volume="67", number="1", pages="1--48",
    ),
    "bojar-2016-findings": _source(
        "inproceedings", "Bojar et al.", 2016, "Bojar, Ond{\\v{r}}ej and others",
        "Findings of the 2016 Conference on Machine Translation",
        booktitle="Proceedings of the First Conference on Machine Translation: Volume 2, Shared Task Papers",
    ),
    "cohen-1960-coefficient": _source(
        "article", "Cohen", 1960, "Cohen, Jacob", "A Coefficient of Agreement for Nominal Scales",
        journal="Educational and Psychological Measurement", volume="20", number="1", pages="37--46",
    ),
    "efron-1993-bootstrap": _source(
        "book", "Efron and Tibshirani", 1993, "Efron, Bradley and Tibshirani, Robert J.",
        "An Introduction to the Bootstrap", publisher="Chapman & Hall",
    ),
    "freitag-2021-experts": _source(
        "article", "Freitag et al.", 2021,
        "Freitag, Markus and Foster, George and Grangier, David and Ratnakar, Viresh and Tan, Qijun "
        "and Macherey, Wolfgang",
        "Experts, Errors, and Context: A Large-Scale Study of Human Evaluation for Machine Translation",
        journal="Transactions of the Association for Computational Linguistics", volume="9", pages="1460--1474",
    ),
    "good-2005-permutation": _source(
        "book", "Good", 2005, "Good, Phillip I.",
        "Permutation, Parametric, and Bootstrap Tests of Hypotheses", publisher="Springer",
    ),
    "graham-2013-continuous": _source(
        "inproceedings", "Graham et al.", 2013,
        "Graham, Yvette and Baldwin, Timothy and Moffat, Alistair and Zobel, Justin",
        "Continuous Measurement Scales in Human Evaluation of Machine Translation",
        booktitle="Proceedings of the 7th Linguistic Annotation Workshop and Interoperability with Discourse",
        pages="33--41",
    ),
    "graham-2017-crowd": _source(
        "article", "Graham et al.", 2017,
        "Graham, Yvette and Baldwin, Timothy and Moffat, Alistair and Zobel, Justin",
        "Can Machine Translation Systems Be Evaluated by the Crowd Alone",
        journal="Natural Language Engineering", volume="23", number="1", pages="3--30",
    ),
    "holm-1979-simple": _source(
        "article", "Holm", 1979, "Holm, Sture", "A Simple Sequentially Rejective Multiple Test Procedure",
        journal="Scandinavian Journal of Statistics", volume="6", number="2", pages="65--70",
    ),
    "kocmi-2024-error": _source(
        "inproceedings", "Kocmi et al.", 2024, "Kocmi, Tom and others",
        "Error Span Annotation: A Balanced Approach for Human Evaluation of Machine Translation",
        booktitle="Proceedings of the Ninth Conference on Machine Translation",
    ),
    "koehn-2004-statistical": _source(
        "inproceedings", "Koehn", 2004, "Koehn, Philipp",
        "Statistical Significance Tests for Machine Translation Evaluation",
        booktitle="Proceedings of the 2004 Conference on Empirical Methods in Natural Language Processing",
        pages="388--395",
    ),
    "koehn-2012-simulating": _source(
        "inproceedings", "Koehn", 2012, "Koehn, Philipp",
        "Simulating Human Judgment in Machine Translation Evaluation Campaigns",
        booktitle="Proceedings of the 9th International Workshop on Spoken Language Translation: Papers",
    ),
    "krippendorff-2019-content": _source(
        "book", "Krippendorff", 2019, "Krippendorff, Klaus", "Content Analysis: An Introduction to Its Methodology",
        edition="4", publisher="SAGE",
    ),
    "lommel-2014-mqm": _source(
        "article", "Lommel et al.", 2014, "Lommel, Arle and Uszkoreit, Hans and Burchardt, Aljoscha",
        "Multidimensional Quality Metrics (MQM): A Framework for Declaring and Describing Translation Quality Metrics",
        journal="Tradum{\\`a}tica", number="12", pages="455--463",
    ),
    "mann-1947-test": _source(
        "article", "Mann and Whitney", 1947, "Mann, Henry B. and Whitney, Donald R.",
        "On a Test of Whether One of Two Random Variables Is Stochastically Larger than the Other",
        journal="The Annals of Mathematical Statistics", volume="18", number="1", pages="50--60",
    ),
    "mathet-2015-unified": _source(
        "article", "Mathet et al.", 2015,
        "Mathet, Yann and Widl{\\\"o}cher, Antoine and M{\\'e}tivier, Jean-Philippe",
        "The Unified and Holistic Method Gamma for Inter-Annotator Agreement Measure and Alignment",
        journal="Computational Linguistics", volume="41", number="3", pages="437--479",
    ),
    "mccullagh-1980-regression": _source(
        "article", "McCullagh", 1980, "McCullagh, Peter", "Regression Models for Ordinal Data",
        journal="Journal of the Royal Statistical Society: Series B", volume="42", number="2", pages="109--142",
    ),
    "phipson-2010-permutation": _source(
        "article", "Phipson and Smyth", 2010, "Phipson, Belinda and Smyth, Gordon K.",
        "Permutation P-values Should Never Be Zero: Calculating Exact P-values When Permutations Are Randomly Drawn",
        journal="Statistical Applications in Genetics and Molecular Biology", volume="9", number="1",
    ),
    "scarton-2016-reading": _source(
        "inproceedings", "Scarton and Specia", 2016, "Scarton, Carolina and Specia, Lucia",
        "A Reading Comprehension Corpus for Machine Translation Evaluation",
        booktitle="Proceedings of the Tenth International Conference on Language Resources and Evaluation",
    ),
    "snover-2006-study": _source(
        "inproceedings", "Snover et al.", 2006,
        "Snover, Matthew and Dorr, Bonnie and Schwartz, Rich and Micciulla, Linnea and Makhoul, John",
        "A Study of Translation Edit Rate with Targeted Human Annotation",
        booktitle="Proceedings of the 7th Conference of the Association for Machine Translation in the Americas",
        pages="223--231",
    ),
    "stouffer-1949-american": _source(
        "book", "Stouffer et al.", 1949,
        "Stouffer, Samuel A. and Suchman, Edward A. and DeVinney, Leland C. and Star, Shirley A. "
        "and Williams, Robin M.",
        "The American Soldier: Adjustment during Army Life", publisher="Princeton University Press",
    ),
    "student-1908-probable": _source(
        "article", "Student", 1908, "Student", "The Probable Error of a Mean",
        journal="Biometrika", volume="6", number="1", pages="1--25",
    ),
    "waudby-smith-2024-time": _source(
        "article", "Waudby-Smith et al.", 2024,
        "Waudby-Smith, Ian and Arbour, David and Sinha, Ritwik and Kennedy, Edward H. and Ramdas, Aaditya",
        "Time-Uniform Central Limit Theory and Asymptotic Confidence Sequences",
        journal="The Annals of Statistics", volume="52", number="6", pages="2613--2640",
    ),
    "wilcoxon-1945-individual": _source(
        "article", "Wilcoxon", 1945, "Wilcoxon, Frank", "Individual Comparisons by Ranking Methods",
        journal="Biometrics Bulletin", volume="1", number="6", pages="80--83",
    ),
    "wilson-1927-probable": _source(
        "article", "Wilson", 1927, "Wilson, Edwin B.",
        "Probable Inference, the Law of Succession, and Statistical Inference",
        journal="Journal of the American Statistical Association", volume="22", number="158", pages="209--212",
    ),
    "zouhar-2025-select": _source(
        "article", "Zouhar et al.", 2025, "Zouhar, Vilém and Cui, Peng and Sachan, Mrinmaya",
        "How to Select Datapoints for Efficient Human Evaluation of NLG Models?",
        journal="arXiv preprint arXiv:2501.18251",
    ),
}  # fmt: skip


def bibliography(keys: Iterable[str]) -> str:
    """BibTeX entries, each once, in the order of the keys."""
    return "\n\n".join(SOURCES[key].bibtex(key) for key in dict.fromkeys(keys))
