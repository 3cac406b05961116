"""Frozen results to JSON and back, by the types of their fields.

A dataclass is an object with its fields' names; a field that is None as by default is left out. A missing number is
null, and the object around it says why under `reasons`, by the field's name (by `field.key` where the number is in
a map). Keys that no field has are left alone when they are read: a later version of Assay may have written them.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
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
# The value, the reasons around it, and its name among them. Where it stands is only said of an error, on its way out.
_Reader = Callable[[object, Reasons, str], Any]
_NO_REASONS: Reasons = {}
_NO_REASON = Missing(UNKNOWN)

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

    def inside(self, place: str) -> "ResultShapeError":
        """The same of what stands at this place: the name of a field, the key of a map or [n] of a list."""
        joint = "." if place and self.place and not self.place.startswith("[") else ""
        return ResultShapeError(f"{place}{joint}{self.place}", self.needed)


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
    try:
        result: Result = _reader(cast("Hashable", kind))(value, _NO_REASONS, "")
    except ResultShapeError as error:
        raise error.inside(place) from None
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


def _usual(kind: Any) -> frozenset[type]:
    """Types whose values need no further look."""
    return frozenset((int, float)) if kind is float else frozenset((kind,))


def _usual_of_any(kind: Any) -> frozenset[type]:
    """The same of a type, or of each of a union that may be missing."""
    kinds = get_args(kind) if get_origin(kind) in (UnionType, Union) else (kind,)
    return frozenset().union(*(_usual(each) for each in kinds if each in (float, int, str, bool)))


def _plain_reader(kind: Any) -> _Reader:
    kinds = (int, float) if kind is float else kind
    usual = _usual(kind)

    def read(value: object, _reasons: Reasons, _name: str) -> Any:
        if type(value) in usual or kind is Any:
            return value
        if isinstance(value, kinds) and isinstance(value, bool) == (kind is bool):
            return value
        raise ResultShapeError("", str(_PLAIN[kind]))

    return read


def _union_reader(kinds: tuple[Any, ...]) -> _Reader:
    inner = [kind for kind in kinds if kind not in (Missing, NoneType)]
    can_be_missing, can_be_none = Missing in kinds, NoneType in kinds
    read_inner = _reader(inner[0]) if len(inner) == 1 else _by_fields(inner)

    def read(value: object, reasons: Reasons, name: str) -> Any:
        if value is None and can_be_missing and (name in reasons or not can_be_none):
            return Missing(reasons[name]) if name in reasons else _NO_REASON
        if value is None and can_be_none:
            return None
        return read_inner(value, reasons, name)

    return read


def _by_fields(kinds: Sequence[Any]) -> _Reader:
    """Of objects: the kind whose fields are all there, or else the first. An error for each would cost more."""
    readers = [(_reader(kind), frozenset(_needed(kind))) for kind in kinds]

    def read(value: object, reasons: Reasons, name: str) -> Any:
        keys = value.keys() if isinstance(value, Mapping) else ()
        chosen = next((each for each, needed in readers if needed.issubset(keys)), readers[0][0])
        return chosen(value, reasons, name)

    return read


def _needed(kind: Any) -> Iterator[str]:
    return (field.metadata.get(KEY, field.name) for field in fields(kind) if field.default is MISSING)


def _map_reader(kind: Any) -> _Reader:
    read_part = _reader(kind)

    def read(value: object, reasons: Reasons, name: str) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise ResultShapeError("", _("an object"))
        known = reasons
        if name and reasons:
            known = {f"{name}.{key}": reason for key, reason in reasons.items()} | dict(reasons)
        made: dict[str, Any] = {}
        key = ""
        try:
            for key, part in value.items():
                made[key] = read_part(part, known, f"{name}.{key}" if name else key)
        except ResultShapeError as error:
            raise error.inside(key) from None
        return made

    return read


def _list_reader(kinds: tuple[Any, ...], make: Callable[[Iterable[Any]], Any]) -> _Reader:
    """Of a list of any length, or of a row with a kind for each place."""
    is_row = make is tuple and kinds[-1] is not Ellipsis
    readers = [_reader(kind) for kind in kinds if kind is not Ellipsis]
    each_is = kinds[0] if {*kinds} <= {kinds[0], Ellipsis} else None
    usual = _usual_of_any(each_is)
    can_be_missing = Missing in get_args(each_is) and NoneType not in get_args(each_is)
    usual_or_missing = usual | {NoneType} if usual and can_be_missing else usual

    def read(value: object, _reasons: Reasons, _name: str) -> Any:
        if not isinstance(value, list):
            raise ResultShapeError("", _("a list"))
        if is_row and len(value) != len(readers):
            raise ResultShapeError("", _("a list of %(count)d") % {"count": len(readers)})
        types = set(map(type, value))  # of numbers alone, as in most rows, none needs a look of its own
        if types <= usual:
            return make(value)
        if types <= usual_or_missing:
            return make([_NO_REASON if part is None else part for part in value])
        made: list[Any] = []
        try:
            for each, part in zip(readers if is_row else repeat(readers[0]), value, strict=is_row):
                made.append(each(part, _NO_REASONS, ""))
        except ResultShapeError as error:
            raise error.inside(f"[{len(made)}]") from None
        return make(made)

    return read


def _object_reader(kind: Any) -> _Reader:
    hints = get_type_hints(kind)
    own = [
        (field.name, field.metadata.get(KEY, field.name), field.default is MISSING, _usual_of_any(hints[field.name]))
        for field in fields(kind)
    ]
    readers: dict[str, _Reader] = {}  # made at the first reading: types may contain themselves

    def read(value: object, _reasons: Reasons, _name: str) -> Any:
        if not isinstance(value, Mapping):
            raise ResultShapeError("", _("an object"))
        if not readers:
            readers.update({field: _reader(hints[field]) for field, _name, _is_needed, _types in own})
        made = {}
        name = REASONS
        try:
            reasons = _text_map(value[REASONS], _NO_REASONS, "") if REASONS in value else _NO_REASONS
            for field, name, is_needed, usual in own:
                if name in value:
                    part = value[name]
                    made[field] = part if type(part) in usual else readers[field](part, reasons, name)
                elif is_needed:
                    raise ResultShapeError("", _("a value, and there is none"))
        except ResultShapeError as error:
            raise error.inside(name) from None
        return kind(**made)

    return read


_text_map = _map_reader(str)
