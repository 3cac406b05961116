"""What the models of all kinds have in common."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from math import isfinite

import torch

from neural_worker.conversation import BFLOAT16, FAILED, Item, Request, RequestError, Scored
from neural_worker.surroundings import threads

BATCH_ON_CPU, BATCH_ON_GPU = 16, 64


class LoadedModel(ABC):
    """A model in memory, on the GPU where torch finds one."""

    device: torch.device

    @property
    def batch_size(self) -> int:
        return BATCH_ON_CPU if self.device.type == "cpu" else BATCH_ON_GPU

    @property
    @abstractmethod
    def packages(self) -> Sequence[str]:
        """Whose versions can change a number, beside torch and transformers."""

    @property
    def libraries(self) -> str:
        """`torch-2.13.0+transformers-4.57.6+…`; builds of one version do not differ in numbers."""
        names = ("torch", "transformers", *self.packages)
        return "+".join(f"{name.removeprefix('unbabel-')}-{version(name).partition('+')[0]}" for name in names)

    def prepare(self, request: Request) -> None:  # noqa: B027 - most need not
        """Before the first batch of a request: what it learns from all texts; RequestError where it cannot be."""

    @abstractmethod
    def score(self, request: Request, items: Sequence[Item]) -> list[Scored]:
        """Of one batch, in its order."""


def device_in_use() -> torch.device:
    torch.set_num_threads(threads())
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


@contextmanager
def computing(device: torch.device, precision: str) -> Iterator[None]:
    """Without gradients, in the precision that was asked for."""
    with torch.inference_mode(), torch.autocast(device.type, torch.bfloat16, enabled=precision == BFLOAT16):
        yield


def number(value: float, item: Item) -> float:
    if not isfinite(value):
        raise RequestError(FAILED, f"The model has no number for the segment {item.number}: it gave {value}.")
    return value
