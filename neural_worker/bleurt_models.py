"""BLEURT in its port to PyTorch."""

from collections.abc import Sequence
from typing import Any

from bleurt_pytorch import BleurtForSequenceClassification, BleurtTokenizer

from neural_worker.conversation import FAILED, Item, Request, RequestError, Scored
from neural_worker.model_folder import ModelFolder, check_weights, demand_complete, loading_failed
from neural_worker.models import LoadedModel, computing, device_in_use, number

MOST_PIECES = 512


class BleurtModel(LoadedModel):
    packages = ("bleurt-pytorch",)

    def __init__(self, name: str, model: Any, tokenizer: Any) -> None:
        self.device = device_in_use()
        self._name = name
        self._model = model.to(self.device).eval()
        self._tokenizer = tokenizer
        self._limit = min(MOST_PIECES, model.config.max_position_embeddings)

    def prepare(self, request: Request) -> None:
        if not all(item.references for item in request.items):
            raise RequestError(FAILED, f"{self._name} needs references, and there are segments without one.")

    def score(self, request: Request, items: Sequence[Item]) -> list[Scored]:
        """Of several references the best."""
        pairs = [(reference, item.translation) for item in items for reference in item.references]
        references, translations = map(list, zip(*pairs, strict=True))
        whole = self._tokenizer(references, translations, verbose=False)["input_ids"]
        inputs = self._tokenizer(
            references, translations, padding="longest", truncation=True, max_length=self._limit, return_tensors="pt"
        )
        with computing(self.device, request.options.precision):
            values = self._model(**inputs.to(self.device)).logits.flatten().float().tolist()
        scored, at = [], 0
        for item in items:
            part = slice(at, at + len(item.references))
            is_cut = any(len(each) > self._limit for each in whole[part])
            scored.append(Scored(item.number, number(max(values[part]), item), is_cut=is_cut))
            at = part.stop
        return scored


def load(folder: ModelFolder) -> BleurtModel:
    folder.demand_tokenizer(folder.path)
    check_weights(folder)
    try:
        tokenizer = BleurtTokenizer.from_pretrained(str(folder.path), local_files_only=True)
        model, found = BleurtForSequenceClassification.from_pretrained(
            str(folder.path),
            local_files_only=True,
            use_safetensors=folder.has_safetensors,
            output_loading_info=True,
        )
    except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
        raise loading_failed(folder, error) from error
    demand_complete(folder, list(found["missing_keys"]))
    return BleurtModel(folder.name, model.float(), tokenizer)
