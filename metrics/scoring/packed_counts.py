"""A metric's counts of a whole system in one row: stored and read at once, however many translations it has.

Whole numbers take as few bytes as the largest of them needs, others eight; both are compressed. Rows may come with an
archive, which people can change: what cannot be unpacked is not known, and is counted again.
"""

import binascii
import zlib
from base64 import b64decode, b64encode
from collections.abc import Sequence

import numpy as np

from campaigns.bulk_rows import insert_bulk
from metrics.automatic.base import FloatArray, Metric
from metrics.models import SystemCounts
from metrics.scoring.texts import SystemTexts

_TYPES = ("<u1", "<u2", "<u4", "<f8")
_HASH = 32  # digits
_MOST_BYTES = 2**28  # a million translations of 33 numbers
_UNIQUE = ("system", "metric", "signature")


def are_packed(metric: Metric) -> bool:
    """Otherwise each translation has its own row, where marks and equal texts of other test sets are found."""
    return not (metric.runs_apart or metric.uses_model)


def unpacked(metric: Metric, systems: Sequence[SystemTexts]) -> list[FloatArray | None]:
    """Of each system a row of counts a translation, NaN where it is not known; None where nothing is stored."""
    signatures = [metric.signature(system.n_references) for system in systems]
    stored = SystemCounts.objects.filter(
        system__in=[system.key for system in systems], metric=metric.name, signature__in=set(signatures)
    ).defer("texts")
    rows = {(row.system_id, row.signature): row for row in stored}
    width = len(metric.columns)
    return [
        _counts_in(row, metric, system, width) if (row := rows.get((system.key, signature))) else None
        for system, signature in zip(systems, signatures, strict=True)
    ]


def pack(metric: Metric, system: SystemTexts, rows: FloatArray) -> None:
    """Stores the rows that are known, in place of what was stored of the system by this metric."""
    is_known = ~np.isnan(rows[:, 0])
    hashes = [one for one, known in zip(system.hashes_for(metric), is_known, strict=True) if known]
    whole = system.digest if is_known.all() else ""
    texts = b64encode(bytes.fromhex("".join(hashes))).decode()
    signature, counts = metric.signature(system.n_references), packed_array(rows[is_known])
    values = (system.key, metric.name, signature, len(hashes), whole, texts, counts)
    insert_bulk(SystemCounts, (*_UNIQUE, "translations", "whole", "texts", "counts"), [values], unique=_UNIQUE)


def packed_array(rows: FloatArray) -> str:
    """Numbers as text, without a loss; columns one after the other, since neighbours in them are alike.

    >>> unpacked_array(packed_array(np.array([[1.0, 300.0], [0.5, 2.0]])), 2).tolist()
    [[1.0, 300.0], [0.5, 2.0]]
    """
    kind = _TYPES[-1]
    if (rows == np.trunc(rows)).all() and not np.signbit(rows).any():
        kind = next(each for each in _TYPES if rows.max(initial=0) <= _largest(each))
    written = zlib.compress(np.ascontiguousarray(rows.T).astype(kind).tobytes(), 1)
    return f"{kind}:{b64encode(written).decode()}"


def unpacked_array(packed: str, n_columns: int) -> FloatArray:
    """Shape: (n_rows, n_columns). ValueError where it is not such an array."""
    kind, _colon, written = packed.partition(":")
    if kind not in _TYPES:
        raise ValueError(f"unknown numbers: {kind!r}")
    try:
        unzipping = zlib.decompressobj()
        unzipped = unzipping.decompress(b64decode(written, validate=True), _MOST_BYTES)
    except (zlib.error, binascii.Error) as error:
        raise ValueError("damaged numbers") from error
    if unzipping.unconsumed_tail or len(unzipped) % np.dtype(kind).itemsize:
        raise ValueError("damaged numbers")
    numbers = np.frombuffer(unzipped, dtype=kind)
    if numbers.size % n_columns:
        raise ValueError("an older version counted less")
    return numbers.reshape(n_columns, -1).T.astype(np.float64, order="C")


def _counts_in(row: SystemCounts, metric: Metric, system: SystemTexts, width: int) -> FloatArray:
    nothing = np.full((len(system.translations), width), np.nan)
    try:
        counts = unpacked_array(row.counts, width)
        if row.whole == system.digest and len(counts) == len(nothing):
            return counts
        hashes = b64decode(row.texts, validate=True).hex()
    except ValueError:
        return nothing
    if len(hashes) != _HASH * len(counts):
        return nothing
    places = {hashes[_HASH * at : _HASH * (at + 1)]: at for at in range(len(counts))}
    known = [(at, places[each]) for at, each in enumerate(system.hashes_for(metric)) if each in places]
    nothing[[at for at, _place in known]] = counts[[place for _at, place in known]]
    return nothing


def _largest(kind: str) -> float:
    return np.inf if kind == _TYPES[-1] else float(np.iinfo(kind).max)
