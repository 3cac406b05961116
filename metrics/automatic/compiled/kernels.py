"""How kernels are compiled: kept on disk, without holding up other threads."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])
_INNER: dict[str, Any] = {"cache": True, "nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def kernel(function: F) -> F:
    return cast("F", njit(cache=True, nogil=True)(function))


def inner(function: F) -> F:
    """Of what kernels call: it has no way in from Python, which would take longer to compile than most of these."""
    return cast("F", njit(**_INNER)(function))
