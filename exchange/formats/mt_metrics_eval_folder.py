"""`mt-metrics-eval` as a folder: a test set read from it, and a campaign written as one.

The names of its files are those in the documentation of mt-metrics-eval. Lines of all files are in the order of the
test set; a system's human scores and metric scores have a line for each segment.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from django.utils.translation import gettext as _

import numpy as np

from annotation.models import ErrorSpan, ItemKind, is_surplus
from campaigns.models import Campaign, Reference, Segment, Translation
from exchange.exported_judgments import CHUNK, EVERYTHING, ExportChoice, Follower, judgments_of
from exchange.formats import ratings_writer
from exchange.formats.mt_metrics_eval import NOT_JUDGED
from exchange.formats.parallel_text import ImportFiles
from exchange.reading import ImportFileError
from exchange.tables.csv_and_json import pieces_of

FORMAT = "mt-metrics-eval"
KINDS = {
    "cesa": "cesa", "direct_assessment": "da", "esa": "esa", "likert": "likert", "mqm": "mqm", "post_editing": "hter",
}  # fmt: skip
NO_DOMAIN = "all"
File = tuple[str, Iterator[bytes]]
_ORDER = ("document__position", "document_id", "position", "pk")  # of the test set
_LINE_ENDS = dict.fromkeys(map(ord, "\n\r"), " ")  # of Python's files; other separators are parts of a text


def folder_files(folder: Path, source_language: str, target_language: str) -> ImportFiles:
    """The files of one language pair, which need not be named if it is the only one; raises ImportFileError."""
    sources = {path.stem: path for path in sorted((folder / "sources").glob("*-*.txt"))}
    if not sources:
        message = _("%(folder)s has no sources/SOURCE-TARGET.txt. Name a folder of mt-metrics-eval, such as wmt23.")
        raise ImportFileError(message % {"folder": folder})
    pair = _pair_of(sources, source_language, target_language)
    references = {
        path.name[len(pair) + 1 : -len(".txt")]: path for path in sorted((folder / "references").glob(f"{pair}.*.txt"))
    }
    documents = folder / "documents" / f"{pair}.docs"
    return ImportFiles(
        source=sources[pair],
        references={name.removeprefix("ref") or name: path for name, path in references.items()},
        systems={path.stem: path for path in sorted((folder / "system-outputs" / pair).glob("*.txt"))},
        documents=documents if documents.is_file() else None,
    )


_SIDES = {
    "source": re.compile(r"(?:^|/)sources/(?P<pair>[^/.]+-[^/.]+)\.txt$"),
    "reference": re.compile(r"(?:^|/)references/(?P<pair>[^/.]+)\.(?:ref)?(?P<name>[^/]+)\.txt$"),
    "system": re.compile(r"(?:^|/)system-outputs/(?P<pair>[^/]+)/(?P<name>[^/]+)\.txt$"),
    "documents": re.compile(r"(?:^|/)documents/(?P<pair>[^/]+)\.docs$"),
}


def is_folder(paths: Sequence[str]) -> bool:
    """Whether files that lie so are a folder of this form."""
    return all(any(_SIDES[side].search(path) for path in paths) for side in ("source", "system"))


def pairs_of_folder(paths: Sequence[str]) -> list[str]:
    return sorted({found["pair"] for path in paths if (found := _SIDES["source"].search(path))})


def side_in_folder(path: str, pair: str = "") -> tuple[str, str]:
    """What a file has, by its place, and its name; `none` for scores and others, and for those of another pair."""
    for side, place in _SIDES.items():
        if found := place.search(path):
            is_other = bool(pair) and found["pair"] != pair
            return ("none", "") if is_other else (side, found.groupdict().get("name", ""))
    return "none", ""


def scores_beside(folder: Path, pair: str) -> list[str]:
    """Files that the test set does not take, and other commands do."""
    return [path.name for path in sorted((folder / "human-scores").glob(f"{pair}.*.seg.*"))]


def _pair_of(sources: Iterable[str], source: str, target: str) -> str:
    wanted = f"{source}-{target}".lower()
    exact = [pair for pair in sources if pair.replace("_", "-").lower() == wanted]
    begins = [tag.partition("-")[0].lower() for tag in (source, target)]
    alike = [pair for pair in sources if [tag.partition("_")[0].lower() for tag in pair.split("-", 1)] == begins]
    only = [] if source or target else list(sources)
    if len(fitting := exact or alike or only) != 1:
        message = _("Language pairs of the folder that fit %(pair)s: %(count)d. It has %(all)s.")
        raise ImportFileError(message % {"pair": wanted, "count": len(fitting), "all": ", ".join(sorted(sources))})
    return fitting[0]


def losses(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> list[str]:  # noqa: ARG001 - as the others
    return [
        _("Scores are means over annotators, of regular judgments that count, and higher is better in all of them."),
        _("A metric without a score for every output of every system is left out."),
        _("Line ends in texts become spaces, and blanks in names “_”. An output that is missing is an empty line."),
    ]


def write_folder(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Iterator[File]:
    """Each file with its path, to be written one after the other."""
    pair = ratings_writer.pair_of(campaign)
    systems = _names(campaign.systems.order_by("pk").values_list("pk", "name"))
    yield f"documents/{pair}.docs", pieces_of(_documents(campaign))
    yield f"sources/{pair}.txt", pieces_of(_sources(campaign))
    references = _reference_names(campaign)
    for name, plain in references.items():
        texts = Reference.objects.filter(segment__document__test_set=campaign.test_set_id, name=name)
        yield f"references/{pair}.{plain}.txt", pieces_of(_texts(campaign, texts))
    for key, name in systems.items():
        yield f"system-outputs/{pair}/{name}.txt", pieces_of(_texts(campaign, Translation.objects.filter(system=key)))
    yield from _human_scores(campaign, choice, f"human-scores/{pair}.{KINDS[campaign.protocol]}", systems)
    yield from _metric_scores(campaign, f"metric-scores/{pair}", systems, references)
    marked = ErrorSpan.objects.filter(judgment__item__assignment__campaign=campaign)
    if campaign.protocol in ratings_writer.MARKING and marked.exists():  # else scores came without marks
        yield from ratings_writer.rating_files(campaign, choice)


def _names(rows: Iterable[tuple[int, str]]) -> dict[int, str]:
    """By key the name as a file's name and as a word; each once."""
    names: dict[int, str] = {}
    for key, name in rows:
        plain = re.sub(r"[\s/\\:]", "_", name).lstrip(".") or "_"
        several = (f"{plain}_{number}" for number in range(2, len(names) + 4))
        names[key] = next(each for each in (plain, *several) if each not in names.values())
    return names


def _reference_names(campaign: Campaign) -> dict[str, str]:
    """In a file's name a reference has no dots and hyphens, which separate its parts."""
    own = Reference.objects.filter(segment__document__test_set=campaign.test_set_id)
    named = own.order_by("name").values_list("name", flat=True).distinct()
    plain = _names((number, f"ref{re.sub(r'[.-]', '_', name)}") for number, name in enumerate(named))
    return dict(zip(named, plain.values(), strict=True))


def _documents(campaign: Campaign) -> Iterator[str]:
    fields = ("document_id", "document__name", "document__domain", "domain")
    own = Segment.objects.filter(document__test_set=campaign.test_set_id)
    names = _names(own.order_by("document__position", "document_id").values_list(*fields[:2]).distinct())
    domains: dict[int, str] = {}  # a document has one
    for key, _name, of_document, domain in own.order_by(*_ORDER).values_list(*fields).iterator(CHUNK):
        word = domains.setdefault(key, re.sub(r"\s", "_", of_document or domain) or NO_DOMAIN)
        yield f"{word}\t{names[key]}\n"


def _sources(campaign: Campaign) -> Iterator[str]:
    own = Segment.objects.filter(document__test_set=campaign.test_set_id).order_by(*_ORDER)
    for (text,) in own.values_list("source").iterator(CHUNK):
        yield _line(text)


def _texts(campaign: Campaign, texts: "object") -> Iterator[str]:
    order = [f"segment__{part}" for part in _ORDER]
    rows = texts.order_by(*order).values_list(*order, "text").iterator(CHUNK)  # type: ignore[attr-defined]
    known = Follower((tuple(key), text) for *key, text in rows)
    own = Segment.objects.filter(document__test_set=campaign.test_set_id).order_by(*_ORDER)
    for key in own.values_list(*_ORDER).iterator(CHUNK):
        yield _line(next((text for (text,) in known.rows_of(tuple(key))), ""))


def _line(text: str | None) -> str:
    return (text or "").translate(_LINE_ENDS) + "\n"


def _human_scores(campaign: Campaign, choice: ExportChoice, begin: str, systems: dict[int, str]) -> Iterator[File]:
    own = Segment.objects.filter(document__test_set=campaign.test_set_id).order_by(*_ORDER)
    places = {key: place for place, key in enumerate(own.values_list("pk", flat=True).iterator(CHUNK))}
    means = _means(campaign, choice, list(systems), places)
    yield (
        f"{begin}.seg.score",
        pieces_of(
            f"{name}\t{_number(value)}\n" for name, row in zip(systems.values(), means, strict=True) for value in row
        ),
    )
    judged = [(name, row[~np.isnan(row)]) for name, row in zip(systems.values(), means, strict=True)]
    yield (
        f"{begin}.sys.score",
        pieces_of(f"{name}\t{_number(row.mean() if len(row) else np.nan)}\n" for name, row in judged),
    )


def _means(
    campaign: Campaign, choice: ExportChoice, systems: Sequence[int], places: dict[int, int]
) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    """Of each system and segment by the measure that systems are compared by; higher is better. NaN: not judged."""
    from metrics.derivations import measures_of  # noqa: PLC0415 - metrics, which other formats do without
    from metrics.matrices import read_scores  # noqa: PLC0415

    measure, signature = measures_of(campaign)[0]
    table = read_scores(campaign, measure, derived_by=signature, with_names=False)
    left_out = {number for number, key in enumerate(table.annotators) if int(key) in choice.left_out}
    counted = table.of_kinds([ItemKind.REGULAR]) & ~table.surplus & ~table.is_document_level
    counted &= ~np.isin(table.annotator, list(left_out))
    numbers = {key: number for number, key in enumerate(systems)}
    row = np.array([numbers.get(int(key), -1) for key in table.systems], dtype=np.int64)
    column = np.array([places.get(key, -1) for key in table.segment_ids], dtype=np.int64)
    sums, counts = np.zeros((len(systems), len(places))), np.zeros((len(systems), len(places)))
    if counted.any():
        at = (row[table.system[counted]], column[table.segment[counted]])
        np.add.at(sums, at, table.values[counted])
        np.add.at(counts, at, 1)
    if signature is not None:
        sign = 1 if measure.higher_is_better else -1
        for system, segment, value in _derived_now(campaign, choice, measure.name):
            sums[numbers[system], places[segment]] += sign * value
            counts[numbers[system], places[segment]] += 1
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def _derived_now(campaign: Campaign, choice: ExportChoice, measure: str) -> Iterator[tuple[int, int, float]]:
    """System, segment and number of regular judgments whose numbers are not stored yet."""
    from metrics.actions.deriving import unstored_scores  # noqa: PLC0415 - metrics, which other formats do without

    coming = (score for score in unstored_scores(campaign) if score.measure == measure)
    while several := list(islice(coming, CHUNK)):
        own = judgments_of(campaign, choice).filter(pk__in={score.judgment_id for score in several})
        regular = own.filter(item__kind=ItemKind.REGULAR, is_current=True).alias(late=is_surplus()).filter(late=False)
        counted = set(regular.values_list("pk", flat=True))
        outputs = Translation.objects.filter(pk__in={score.translation_id for score in several})
        judged = {key: place for key, *place in outputs.values_list("pk", "system_id", "segment_id")}
        for score in several:
            if score.judgment_id in counted:
                system, segment = judged[score.translation_id]
                yield system, segment, score.value


def _metric_scores(
    campaign: Campaign, folder: str, systems: dict[int, str], references: dict[str, str]
) -> Iterator[File]:
    from metrics.scoring.reading import read_metric_scores  # noqa: PLC0415 - metrics, which other formats do without

    scores = read_metric_scores(campaign.test_set)
    names = dict(campaign.systems.values_list("name", "pk"))
    for metric in scores.metrics:
        used = [references[name] for name in metric.references if name in references]
        rows = [
            (systems[names[name]], metric.sign * metric.segments[number], metric.sign * metric.systems[number])
            for number, name in enumerate(scores.systems)
            if name in names and systems[names[name]] not in used
        ]
        base = re.sub(r"-(ref[^-]*|src|all)$", "", metric.name)
        file = f"{folder}/{re.sub(r'[.-]', '_', base)}-{'.'.join(used) or 'src'}"
        if rows and not any(np.isnan(segments).any() for _name, segments, _whole in rows):
            yield (
                f"{file}.seg.score",
                pieces_of(f"{name}\t{_number(value)}\n" for name, segments, _whole in rows for value in segments),
            )
        if rows and not any(np.isnan(whole) for _name, _segments, whole in rows):
            yield f"{file}.sys.score", pieces_of(f"{name}\t{_number(whole)}\n" for name, _segments, whole in rows)


def _number(value: float) -> str:
    return NOT_JUDGED if np.isnan(value) else repr(float(value) + 0.0)
