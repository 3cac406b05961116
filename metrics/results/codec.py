"""Frozen results to JSON and back, by the types of their fields.

A dataclass is an object with its fields' names; a field that is None as by default is left out. A missing number is
null, and the object around it says why under `reasons`, by the field's name (by `field.key` where the number is in
a map). Keys that no field has are left alone when they are read: a later version of Assay may have written them.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from itertools import repeat
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from metrics.results.values import BY_PART, IF_EMPTY, KEY, NAMES_REASON, UNKNOWN, Missing

REASONS = "reasons"
Result = TypeVar("Result")
Reasons = Mapping[str, str]
# The value, its place, the reasons around it, and its name among them.
_Reader = Callable[[object, str, Reasons, str], Any]

_PLAIN: dict[Any, str | Promise] = {
    str: gettext_lazy("a text"),
    bool: gettext_lazy("true or false"),
    int: gettext_lazy("a whole number"),
    float: gettext_lazy("a number"),
    NoneType: gettext_lazy("nothing (null)"),
}


class ResultShapeError(ValueError):
    """JSON that does not have the expected type: the first place where it differs, and what is needed there."""

    def __init__(self, place: str, needed: str) -> None:
        super().__init__(f"{place}: {needed}")
        self.place = place
        self.needed = needed


def to_json(value: object) -> Any:
    """Dictionaries, lists and plain values, ready for `json.dumps`; a missing number is None."""
    if isinstance(value, Missing):
        return None
    if isinstance(value, str | int | float | None):
        return value
    if isinstance(value, Mapping):
        return {key: to_json(part) for key, part in value.items()}
    if isinstance(value, Sequence):
        return [to_json(part) for part in value]
    return _object_of(value)


def _object_of(value: Any) -> dict[str, Any]:
    entry: dict[str, Any] = {}
    reasons: dict[str, str] = {}
    for field in fields(value):
        part = getattr(value, field.name)
        if part is None and field.default is None:
            continue
        entry[field.metadata.get(KEY, field.name)] = to_json(part)
        reasons |= _reasons_of(field, part)
        if NAMES_REASON in field.metadata:
            entry["reason"] = part.reason if isinstance(part, Missing) else None
    return {**entry, REASONS: reasons} if reasons else entry


def _reasons_of(field: "Field[Any]", part: object) -> dict[str, str]:
    if isinstance(part, Missing):
        return {field.metadata.get(KEY, field.name): part.reason}
    if IF_EMPTY in field.metadata and not part:
        return {field.name: field.metadata[IF_EMPTY]}
    if not isinstance(part, Mapping):
        return {}
    prefix = "" if BY_PART in field.metadata else f"{field.name}."
    return {f"{prefix}{key}": one.reason for key, one in part.items() if isinstance(one, Missing)}


def from_json(kind: type[Result], value: object, place: str = "") -> Result:
    """A value of this type. Raises ResultShapeError at the first place that is not of it."""
    result: Result = _reader(cast("Hashable", kind))(value, place, {}, "")
    return result


def read_part(kind: type[Result], parts: Mapping[str, object], name: str) -> Result | None:
    """None where a run did not make this part, or an older Assay made it with fewer fields: compute it again."""
    try:
        return from_json(kind, parts[name]) if parts.get(name) else None
    except ResultShapeError:
        return None


@cache
def _reader(kind: Any) -> _Reader:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (UnionType, Union):
        return _union_reader(inner)
    if is_dataclass(kind):
        return _object_reader(kind)
    if origin in (tuple, list):
        return _list_reader(inner, origin)
    if origin is not None and issubclass(origin, Mapping):
        return _map_reader(inner[1])
    return _plain_reader(kind)


def _plain_reader(kind: Any) -> _Reader:
    kinds = (int, float) if kind is float else kind

    def read(value: object, place: str, _reasons: Reasons, _name: str) -> Any:
        if kind is Any or (isinstance(value, kinds) and isinstance(value, bool) == (kind is bool)):
            return value
        raise ResultShapeError(place, str(_PLAIN[kind]))

    return read


def _union_reader(kinds: tuple[Any, ...]) -> _Reader:
    readers = [_reader(kind) for kind in kinds if kind not in (Missing, NoneType)]
    can_be_missing, can_be_none = Missing in kinds, NoneType in kinds

    def read(value: object, place: str, reasons: Reasons, name: str) -> Any:
        if value is None and can_be_missing and (name in reasons or not can_be_none):
            return Missing(reasons.get(name, UNKNOWN))
        if value is None and can_be_none:
            return None
        first_error: ResultShapeError | None = None
        for each in readers:
            try:
                return each(value, place, reasons, name)
            except ResultShapeError as error:
                first_error = first_error or error
        raise first_error or ResultShapeError(place, str(_PLAIN[NoneType]))

    return read


def _map_reader(kind: Any) -> _Reader:
    read_part = _reader(kind)

    def read(value: object, place: str, reasons: Reasons, name: str) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise ResultShapeError(place, _("an object"))
        known = {f"{name}.{key}": reason for key, reason in reasons.items()} | dict(reasons) if name else reasons
        return {
            key: read_part(part, f"{place}.{key}" if place else key, known, f"{name}.{key}" if name else key)
            for key, part in value.items()
        }

    return read


def _list_reader(kinds: tuple[Any, ...], make: Callable[[Iterable[Any]], Any]) -> _Reader:
    """Of a list of any length, or of a row with a kind for each place."""
    is_row = make is tuple and kinds[-1] is not Ellipsis
    readers = [_reader(kind) for kind in kinds if kind is not Ellipsis]

    def read(value: object, place: str, _reasons: Reasons, _name: str) -> Any:
        if not isinstance(value, list):
            raise ResultShapeError(place, _("a list"))
        if is_row and len(value) != len(readers):
            raise ResultShapeError(place, _("a list of %(count)d") % {"count": len(readers)})
        of_places = zip(readers if is_row else repeat(readers[0]), value, strict=is_row)
        return make(each(part, f"{place}[{index}]", {}, "") for index, (each, part) in enumerate(of_places))

    return read


def _object_reader(kind: Any) -> _Reader:
    hints = get_type_hints(kind)
    own = [(field, field.default is not MISSING) for field in fields(kind)]
    readers: dict[str, _Reader] = {}  # made at the first reading: types may contain themselves

    def read(value: object, place: str, _reasons: Reasons, _name: str) -> Any:
        if not isinstance(value, Mapping):
            raise ResultShapeError(place, _("an object"))
        readers.update({} if readers else {field.name: _reader(hints[field.name]) for field, _needless in own})
        before = f"{place}." if place else ""
        reasons = _text_map(value.get(REASONS, {}), f"{before}{REASONS}", {}, "")
        made = {}
        for field, is_needless in own:
            name = field.metadata.get(KEY, field.name)
            if name in value:
                made[field.name] = readers[field.name](value[name], f"{before}{name}", reasons, name)
            elif not is_needless:
                raise ResultShapeError(f"{before}{name}", _("a value, and there is none"))
        return kind(**made)

    return read


_text_map = _map_reader(str)
