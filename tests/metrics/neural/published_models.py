"""Folders as models are published, with files that need not be models: what is installed is decided by names."""

from pathlib import Path

HPARAMS = """\
activations: Tanh
class_identifier: regression_metric
encoder_model: XLM-RoBERTa
pretrained_model: xlm-roberta-large
train_data:
- data/2017-da.csv
"""


def put(folder: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    return folder


def comet(folder: Path, hparams: str = HPARAMS) -> Path:
    files = {"hparams.yaml": hparams, "checkpoints/model.ckpt": "weights", "LICENSE": "Apache", "README.md": "read me"}
    return put(folder, files | {".gitattributes": "*.ckpt filter=lfs", "checkpoints/optimizer.pt": "more"})


def encoder(folder: Path, model_type: str = "xlm-roberta") -> Path:
    config = f'{{"model_type": "{model_type}", "num_hidden_layers": 12}}'
    files = {"config.json": config, "tokenizer.json": "{}", "sentencepiece.bpe.model": "pieces", "README.md": "read me"}
    weights = ("model.safetensors", "pytorch_model.bin", "tf_model.h5", "flax_model.msgpack", "rust_model.ot")
    return put(folder, files | dict.fromkeys((*weights, "onnx/model.onnx", "onnx/config.json"), "weights"))
