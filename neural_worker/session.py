"""Requests one after the other, with one model in memory: that of the last request."""

import gc
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from neural_worker.batches import is_want_of_memory, scored_in_batches
from neural_worker.conversation import (
    FAILED,
    MEMORY,
    ModelPlace,
    Request,
    RequestError,
    answer_line,
    number_in,
    read_request,
    scored_line,
)
from neural_worker.model_folder import ModelFolder, checked, state_of

if TYPE_CHECKING:
    from neural_worker.models import LoadedModel

logger = logging.getLogger(__name__)
Load = Callable[[ModelFolder], "LoadedModel"]


def load(place: ModelPlace, folder: ModelFolder) -> "LoadedModel":
    """The libraries of one kind of model are imported when the first is loaded: it takes seconds."""
    match place.kind:
        case "comet":
            from neural_worker import comet_models as models  # noqa: PLC0415
        case "bleurt":
            from neural_worker import bleurt_models as models  # type: ignore[no-redef]  # noqa: PLC0415
        case "prism":
            from neural_worker import prism_models as models  # type: ignore[no-redef]  # noqa: PLC0415
        case _:
            from neural_worker import encoders as models  # type: ignore[no-redef]  # noqa: PLC0415
    loader: Load = models.load
    return loader(folder)


@dataclass
class _InMemory:
    place: ModelPlace
    state: str
    model: "LoadedModel"


class Session:
    def __init__(self) -> None:
        self._here: _InMemory | None = None

    def answers(self, line: str) -> Iterator[str]:
        """Lines for the parent. Whatever happens, the last is `done` or `error`."""
        number = number_in(line)
        try:
            yield from self._answers(read_request(line))
        except RequestError as error:
            yield answer_line(number, error={"code": error.code, "message": str(error)})
        except Exception as error:
            logger.exception("request %s", number)
            code = MEMORY if is_want_of_memory(error) else FAILED
            reason = " ".join(str(error).split())[:300] or "no reason was given"
            yield answer_line(number, error={"code": code, "message": f"{type(error).__name__}: {reason}"})

    def _answers(self, request: Request) -> Iterator[str]:
        model = self._model_of(request.model)
        yield answer_line(request.number, progress=0)  # the model is in memory
        model.prepare(request)
        done = 0
        for scored in scored_in_batches(request.items, lambda items: model.score(request, items), model.batch_size):
            for each in scored:
                yield scored_line(request.number, each)
            done += len(scored)
            yield answer_line(request.number, progress=done)
        yield answer_line(
            request.number,
            done=done,
            libraries=model.libraries,
            precision=request.options.precision,
            device=model.device.type,
        )

    def _model_of(self, place: ModelPlace) -> "LoadedModel":
        here = self._here
        if here and here.place == place and here.state == state_of(place):
            return here.model
        self._here = here = None
        gc.collect()  # before the next one is loaded, or two were in memory
        folder = checked(place)
        model = load(place, folder)
        self._here = _InMemory(place, folder.state, model)
        return model
