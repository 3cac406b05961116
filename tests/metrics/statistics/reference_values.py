"""Numbers that others computed: the data they are of, the value, where it comes from, and its precision.

scipy means scipy 1.17.1 run on the data below, by the call named in the source.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Foreign:
    value: float
    source: str
    tolerance: float


# Permeability of membranes, Hollander & Wolfe 1973, p. 69; the example of R's ?wilcox.test.
AT_TERM = (0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46)
EARLY = (1.15, 0.88, 0.90, 0.74, 1.21)
PERMEABILITY_U = Foreign(35.0, "R ?wilcox.test, W of the example", 0)
_MANN_WHITNEY = "scipy mannwhitneyu(x, y, method='asymptotic', alternative=…)"
PERMEABILITY_P = {
    "greater": Foreign(0.12231180256349167, _MANN_WHITNEY, 1e-14),
    "less": Foreign(0.9007753482039937, _MANN_WHITNEY, 1e-14),
    "two-sided": Foreign(0.24462360512698333, _MANN_WHITNEY, 1e-14),
}

# Many ties, within and between the samples; made up here.
TIED_X = (1, 2, 2, 3, 5, 5, 5, 8, 9, 9, 12, 12)
TIED_Y = (0, 1, 2, 2, 2, 3, 4, 4, 5, 8)
TIED_U = Foreign(89.0, _MANN_WHITNEY, 0)
TIED_P = {
    "greater": Foreign(0.028806529076827844, _MANN_WHITNEY, 1e-14),
    "less": Foreign(0.9753073018130383, _MANN_WHITNEY, 1e-14),
    "two-sided": Foreign(0.05761305815365569, _MANN_WHITNEY, 1e-14),
}

# Depression scores before and after, Hollander & Wolfe 1973, p. 29; the paired example of R's ?wilcox.test.
BEFORE = (1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30)
AFTER = (0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29)
DEPRESSION_V = Foreign(40.0, "R ?wilcox.test, V of the paired example", 0)
DEPRESSION_P = Foreign(0.01953, "R ?wilcox.test, p of the paired example, alternative greater", 5e-6)

# Sixty differences with ties and three zeros; made up here.
MANY_DIFFERENCES = tuple(float((index * 7 % 23) - 9 + index % 5) for index in range(60))
_WILCOXON = "scipy wilcoxon(d, method='approx', correction=False, alternative=…)"
MANY_P = {
    "two-sided": Foreign(0.00025082818875180534, _WILCOXON, 1e-15),
    "greater": Foreign(0.00012541409437590267, _WILCOXON, 1e-15),
}

# Hours of sleep gained on two drugs, "Student" 1908; R's data set `sleep`.
FIRST_DRUG = (0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0)
SECOND_DRUG = (1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4)
SLEEP_T = Foreign(-4.0621, "R t.test(extra ~ group, paired = TRUE) on sleep", 5e-5)
SLEEP_P = Foreign(0.002833, "R t.test(extra ~ group, paired = TRUE) on sleep", 5e-7)
SLEEP_P_LESS = Foreign(0.0014164450986921364, "scipy ttest_rel(x, y, alternative='less')", 1e-14)

# Darwin's crossed and self-fertilised maize, differences in eighths of an inch; all 2^15 signs counted by Fisher.
MAIZE = (49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48)
MAIZE_EXTREME = Foreign(1726, "Fisher 1935, The design of experiments, section 21: 863 of 32768 on each side", 0)

# Survival of seven treated mice, in days.
MICE = (94, 197, 16, 38, 99, 141, 23)
MICE_ERROR = Foreign(
    23.36, "Efron & Tibshirani 1993, An introduction to the bootstrap, table 2.2, infinitely many", 0.4
)
MICE_LOW = Foreign(43.857, "scipy bootstrap(method='percentile', n_resamples=50000, rng=3)", 1.5)
MICE_HIGH = Foreign(134.286, "scipy bootstrap(method='percentile', n_resamples=50000, rng=3)", 1.5)

# The mice without treatment, in days: Efron & Tibshirani 1993, table 2.1.
OTHER_MICE = (52, 104, 146, 10, 51, 30, 40, 27, 46)
_BCA = "scipy bootstrap(method='BCa', alternative='greater', n_resamples=200000, rng=3)"
MICE_BCA_LOW = Foreign(52.2857, _BCA, 0.6)
BOTH_MICE_BCA_LOW = Foreign(-11.8, f"{_BCA} of mean(x) - mean(y), two seeds: -11.33 and -12.08", 1.2)

FOUR_P = (0.01, 0.2, 0.3, 0.6)
FOUR_P_COMBINED = Foreign(0.04276065969539968, "scipy combine_pvalues(p, 'stouffer')", 1e-14)

# Four observers, twelve units, five categories: Krippendorff 2011, "Computing Krippendorff's alpha-reliability", p. 7.
_NAN = float("nan")
OBSERVERS = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, _NAN, _NAN, _NAN),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _NAN, 3),
    (_NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _NAN),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _NAN),
)
_ALPHA = "Krippendorff 2011, section C gives three decimals; the rest by the package krippendorff 0.9.0"
OBSERVERS_ALPHA = {
    "nominal": Foreign(0.743421052631579, _ALPHA, 1e-14),
    "ordinal": Foreign(0.8153875037548814, _ALPHA, 1e-14),
    "interval": Foreign(0.8491071428571428, _ALPHA, 1e-14),
    "ratio": Foreign(0.7974027747116121, _ALPHA, 1e-12),
}
OBSERVERS_AC1 = Foreign(0.7754440681, "irrCAC 0.4.4, CAC(table, digits=10).gwet()", 1e-10)

# Ten subjects, fourteen raters, five categories: the worked example of Fleiss' kappa in Wikipedia.
FOURTEEN_RATERS = (
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
)
FOURTEEN_FLEISS = Foreign(0.20993070442195522, "statsmodels 0.15 fleiss_kappa", 1e-14)

# Two annotators, five of six categories in use; made up here.
ONE_LABELS = tuple((index * 7 + index // 3) % 5 for index in range(40))
OTHER_LABELS = tuple((label + (index % 3 == 0) - 2 * (index % 7 == 0)) % 5 for index, label in enumerate(ONE_LABELS))
_COHEN = "scikit-learn 1.9.1 cohen_kappa_score(a, b, labels=range(5), weights=…)"
LABELS_KAPPA = {
    None: Foreign(0.43706020328381545, _COHEN, 1e-14),
    "linear": Foreign(0.47327652982184365, _COHEN, 1e-14),
    "quadratic": Foreign(0.4464944649446495, _COHEN, 1e-14),
}
LABELS_PI = Foreign(0.434406912804, "irrCAC 0.4.4, CAC(table, digits=12).fleiss() of two raters", 1e-11)

# Sixty points, without ties and with many; made up here.
POINTS_X = tuple((index * 37) % 101 / 7 for index in range(60))
POINTS_Y = tuple(((index * 53) % 89) // 4 + POINTS_X[index] for index in range(60))
TIED_POINTS_X = tuple(int(value) // 3 for value in POINTS_X)
TIED_POINTS_Y = tuple(int(value) // 5 for value in POINTS_Y)
_CORRELATIONS = "scipy pearsonr, spearmanr, kendalltau(variant=…)"
POINTS_CORRELATION = {
    "pearson": Foreign(0.5517138814090516, _CORRELATIONS, 1e-14),
    "spearman": Foreign(0.4746874131703252, _CORRELATIONS, 1e-14),
    "b": Foreign(0.3367231638418079, _CORRELATIONS, 1e-14),
    "c": Foreign(0.3367231638418079, _CORRELATIONS, 1e-14),
}
_DRAWN = "scipy bootstrap((x, y), pearsonr, paired=True, method='percentile', n_resamples=50000, rng=3)"
POINTS_LOW, POINTS_HIGH = Foreign(0.35804, _DRAWN, 0.012), Foreign(0.70048, _DRAWN, 0.012)
TIED_POINTS_CORRELATION = {
    "pearson": Foreign(0.5535336417559927, _CORRELATIONS, 1e-14),
    "spearman": Foreign(0.5249080677102999, _CORRELATIONS, 1e-14),
    "b": Foreign(0.4323912266025356, _CORRELATIONS, 1e-14),
    "c": Foreign(0.43819444444444444, _CORRELATIONS, 1e-14),
}

# Four players who all met, and sixty games of four with ties; made up here.
FOUR_PLAYERS_WINS = ((0, 7, 9, 3), (4, 0, 6, 11), (2, 8, 0, 5), (5, 1, 4, 0))
FOUR_PLAYERS_STRENGTHS = tuple(
    Foreign(value, "choix 0.4.1 mm_pairwise(4, games, tol=1e-15)", 1e-10)
    for value in (0.4432687481676432, 0.1960448411544502, -0.14725378548369633, -0.4920598038383971)
)
SIXTY_GAMES = tuple(
    (index * 7 % 4, (index * 7 % 4 + 1 + index % 3) % 4, (1, 0, -1, 1, 1)[index % 5]) for index in range(60)
)
_TRUESKILL = "trueskill 0.4.5, TrueSkill(0, 0.5, 0.75, 0, 0.25), rate_1vs1 game by game; its normal errs by 1e-7"
FOUR_PLAYERS_SKILLS = tuple(
    (Foreign(mu, _TRUESKILL, 1e-7), Foreign(sigma, _TRUESKILL, 1e-7))
    for mu, sigma in (
        (-0.050665416376963854, 0.21141985622103807),
        (-0.028105258429036918, 0.21226918449368676),
        (0.021632388389529075, 0.21209749920160456),
        (-0.04446048636132567, 0.21151912311411816),
    )
)

_NORMAL_POWER = "statsmodels 0.15 NormalIndPower().solve_power(d, alpha=0.05, power=0.8)"
NORMAL_SAMPLE_SIZES = {
    0.1: Foreign(1569.7721019023288, _NORMAL_POWER, 1e-6),
    0.2: Foreign(392.4430232577885, _NORMAL_POWER, 1e-6),
}
# Three documents of two segments; made up here.
PAIRS_OF_SEGMENTS = ((1, 2, 5, 6, 9, 10), ("a", "a", "b", "b", "c", "c"))
PAIRS_ICC = Foreign(0.969231, "pingouin 0.7.0 intraclass_corr, ICC(1,1)", 5e-7)

# Six systems on thirty segments, some not judged; made up here.
CLEAR_HUMAN = tuple(
    tuple(_NAN if (system * 7 + place) % 11 == 0 else float((system * 37 + place * 53) % 97) for place in range(30))
    for system in range(6)
)
CLEAR_METRIC = tuple(tuple(float((system * 29 + place * 41) % 13) for place in range(30)) for system in range(6))
CLEAR_PAIRS = Foreign(
    0.2524271844660194, "mt-metrics-eval, stats.KendallLike(6, 25): 129 concordant, 77 discordant", 1e-14
)

# Ties of the four players, each counted once on either side of the diagonal; made up here.
FOUR_PLAYERS_TIES = ((0, 3, 1, 2), (3, 0, 4, 2), (1, 4, 0, 3), (2, 2, 3, 0))
_POISSON = "statsmodels 0.15 GLM(Poisson): Davidson's model as log-linear, after Fienberg & Larntz 1976"
FOUR_PLAYERS_DAVIDSON = (
    *(
        Foreign(value, _POISSON, 1e-9)
        for value in (0.45558071241365006, 0.2006616720729052, -0.16490869743582537, -0.4913336870507298)
    ),
    Foreign(0.47927552381410476, _POISSON, 1e-9),
)
_ORDERED = "statsmodels 0.15 OrderedModel(logit) of every game seen from both sides; t is e to the upper threshold"
FOUR_PLAYERS_RAO_KUPPER = (
    *(
        Foreign(value, _ORDERED, 1e-7)
        for value in (0.3913993056324619, 0.1682601759215548, -0.14745154773046887, -0.41220793382354776)
    ),
    Foreign(1.492166898831802, _ORDERED, 1e-7),
)

# Fifteen hypotheses on two treatments after a heart attack: Benjamini & Hochberg 1995, section 4.
FIFTEEN_P = (
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0,
)  # fmt: skip
_HOLM = "statsmodels 0.15 multipletests(p, method='holm')"
FIFTEEN_HOLM = tuple(
    Foreign(value, _HOLM, 1e-12)
    for value in (0.0015, 0.0056, 0.0247, 0.114, 0.2211, 0.278, 0.278, 0.278, 0.3213, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
)

# Thirty differences that are half their deviation, tested by Student's t.
T_POWER = Foreign(0.75396471574379, "statsmodels 0.15 TTestPower().power(0.5, 30, 0.05)", 0.02)

# Twelve texts, right answers and questions; made up here.
TWELVE_RIGHT, TWELVE_QUESTIONS = (2, 1, 3, 5, 0, 4, 2, 2, 6, 1, 3, 3), (3, 3, 4, 6, 2, 5, 4, 2, 7, 3, 5, 4)
_RATIO = "scipy bootstrap((right, asked), ratio of sums, paired=True, method='percentile', n_resamples=50000, rng=3)"
TWELVE_LOW, TWELVE_HIGH = Foreign(0.5278, _RATIO, 0.012), Foreign(0.7692, _RATIO, 0.012)

# Seven ratings of thirty departments, Chatterjee & Price 1977: R's data set `attitude`, one row a question.
ATTITUDE = tuple(
    tuple(map(int, row.split()))
    for row in (
        "43 63 71 61 81 43 58 71 72 67 64 67 69 68 77 81 74 65 65 50 50 64 53 40 63 66 78 48 85 82",
        "51 64 70 63 78 55 67 75 82 61 53 60 62 83 77 90 85 60 70 58 40 61 66 37 54 77 75 57 85 82",
        "30 51 68 45 56 49 42 50 72 45 53 47 57 83 54 50 64 65 46 68 33 52 52 42 42 66 58 44 71 39",
        "39 54 69 47 66 44 56 55 67 47 58 39 42 45 72 72 69 75 57 54 34 62 50 58 48 63 74 45 71 59",
        "61 63 76 54 71 54 66 70 71 62 58 59 55 59 79 60 79 55 75 64 43 66 63 50 66 88 80 51 77 64",
        "92 73 86 84 83 49 68 66 83 80 67 74 63 77 77 54 79 80 85 78 64 80 80 57 75 76 78 83 74 78",
        "45 47 48 35 47 34 35 41 31 41 34 41 25 35 46 36 63 60 46 52 33 41 37 49 33 72 49 38 55 39",
    )
)
_R_DROP = "R psych, alpha(attitude), column r.drop as its documentation prints it"
ATTITUDE_R_DROP = tuple(Foreign(value, _R_DROP, 0.005) for value in (0.67, 0.74, 0.56, 0.71, 0.79, 0.27, 0.46))

# Spans as (start, end): predicted, gold, and credit to precision and recall with the numbers of spans.
_BY_HAND = "optimum of all matchings by brute force, credit by hand"
MATCHED_SPANS = {
    "a span beside two": (
        ((0, 10), (20, 30)),
        ((5, 10), (8, 25)),
        Foreign(1.0, _BY_HAND, 0),
        Foreign(22 / 17, _BY_HAND, 0),
    ),
    "nothing gold": (((0, 4),), (), Foreign(0.0, _BY_HAND, 0), Foreign(0.0, _BY_HAND, 0)),
    "one over two": (((0, 10),), ((0, 5), (5, 10)), Foreign(0.5, _BY_HAND, 0), Foreign(1.0, _BY_HAND, 0)),
}  # fmt: skip

CLUSTERED_ERROR = Foreign(
    3**-0.5 / 2, "by hand: White's HC0 times 3/2 for x = 0, 1, 2 and y = 1, 2.5, 2, residuals -1/3, 2/3, -1/3", 1e-9
)
