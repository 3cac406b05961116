"""Seconds a segment of large encoders, in the environment of the neural libraries: their shapes with random weights.

How long a pass takes depends on the shape alone. Nothing that such weights compute is looked at.
"""

import json
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import torch
from transformers import AutoConfig, AutoModel, M2M100Config, M2M100ForConditionalGeneration

BATCH = 16


def main() -> None:
    torch.set_num_threads(1)
    lengths = json.loads(sys.stdin.read())  # of each segment: pieces of source, translation and reference
    result = {}
    for name, (passes, build) in _shapes().items():
        model = build()
        model.eval()
        with torch.inference_mode():
            passes(model, lengths[:BATCH])
            began = time.process_time()
            for start in range(0, len(lengths), BATCH):
                passes(model, lengths[start : start + BATCH])
        result[name] = {
            "seconds": (time.process_time() - began) / len(lengths),
            "megabytes": sum(each.numel() for each in model.parameters()) * 4 / 1e6,
        }
        del model  # one at a time in memory
    sys.stdout.write(json.dumps(result))


Passes = Callable[[Any, Sequence[Sequence[int]]], None]


def _shapes() -> dict[str, tuple[Passes, Callable[[], Any]]]:
    wide = {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096}
    xlm_r = {"vocab_size": 250_002, "max_position_embeddings": 514, **wide}
    return {
        "COMET-22 (XLM-R large, three texts)": (_three_texts, lambda: _encoder("xlm-roberta", **xlm_r)),
        "CometKiwi (XLM-R large, both texts in one)": (_both_in_one, lambda: _encoder("xlm-roberta", **xlm_r)),
        "BERTScore (multilingual BERT)": (_two_texts, lambda: _encoder("bert", vocab_size=119_547)),
        "Prism (M2M100 418M, both directions)": (_both_directions, _translator),
    }


def _encoder(kind: str, **shape: Any) -> Any:
    return AutoModel.from_config(AutoConfig.for_model(kind, **shape))


def _translator() -> Any:
    return M2M100ForConditionalGeneration(M2M100Config())  # the defaults are those of 418M


def _three_texts(model: Any, lengths: Sequence[Sequence[int]]) -> None:
    for each in range(3):
        _encoded(model, [of[each] for of in lengths])


def _two_texts(model: Any, lengths: Sequence[Sequence[int]]) -> None:
    for each in (1, 2):
        _encoded(model, [of[each] for of in lengths])


def _both_in_one(model: Any, lengths: Sequence[Sequence[int]]) -> None:
    _encoded(model, [of[0] + of[1] for of in lengths])


def _encoded(model: Any, lengths: Sequence[int]) -> None:
    model(input_ids=_pieces(lengths), attention_mask=_mask(lengths))


def _both_directions(model: Any, lengths: Sequence[Sequence[int]]) -> None:
    for first, second in ((1, 2), (2, 1)):
        given, wanted = [of[first] for of in lengths], [of[second] for of in lengths]
        model(input_ids=_pieces(given), attention_mask=_mask(given), labels=_pieces(wanted))


def _pieces(lengths: Sequence[int]) -> Any:
    return torch.randint(5, 30_000, (len(lengths), max(lengths)))


def _mask(lengths: Sequence[int]) -> Any:
    return (torch.arange(max(lengths))[None, :] < torch.tensor(lengths)[:, None]).long()


if __name__ == "__main__":
    main()
