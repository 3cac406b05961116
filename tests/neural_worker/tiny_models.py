"""Small models with random weights, made and saved by the libraries' own code, and what the libraries give for texts.

Runs in the environment of those libraries: `python -m tests.neural_worker.tiny_models FOLDER` makes the models in
FOLDER and writes `expected.json` there, offline, with FOLDER/hub as the hub's cache (`conftest.py` sees to it). The
numbers mean nothing; they show that Assay loads and calls as it should.
"""

import json
import shutil
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sentencepiece
import torch
import yaml
from bert_score import BERTScorer
from bleurt_pytorch import BleurtConfig, BleurtForSequenceClassification, BleurtTokenizer
from bleurt_pytorch.bleurt.tokenization_bleurt_fast import BleurtTokenizerFast
from comet import load_from_checkpoint
from comet.models import str2model
from tokenizers import Tokenizer
from tokenizers.models import Unigram
from tokenizers.normalizers import NFKC
from tokenizers.pre_tokenizers import Metaspace
from tokenizers.processors import TemplateProcessing
from transformers import (
    BertConfig,
    M2M100Config,
    M2M100ForConditionalGeneration,
    M2M100Tokenizer,
    XLMRobertaConfig,
    XLMRobertaModel,
    XLMRobertaTokenizerFast,
)

from tests.neural_worker.texts import LAYER, LONG, SAMPLES, Sample

_WORDS = """
    fog ferry quay harbour lantern gull tide rope anchor sailor morning bell window letter garden stone bread market
    Nebel Fähre Hafen Laterne Möwe Flut Seil Anker Matrose Morgen Glocke Fenster Brief Garten Stein Brot Markt über
"""
ENDINGS = ("", "s", "en", "er", "ing", "lich", "chen")


def main() -> None:
    home = Path(sys.argv[1])
    home.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    text = home / "text.txt"
    text.write_text("\n".join(_lines()), encoding="utf-8")
    _encoder(home / "tiny-encoder", text)
    expected: dict[str, Any] = {}
    _minilm(home / "minilm", home / "tiny-encoder", home / "hub")
    for name, settings in COMETS.items():
        folder = home / name
        _comet(folder, home / ("minilm" if name == "tiny-minilm" else "tiny-encoder"), settings)
        expected[name] = _comet_values(folder)
    _comet_without_its_encoder(home / "tiny-headless", home / "tiny-regression")
    _comet_with_code(home / "tiny-with-code", home / "tiny-regression")
    _bleurt(home / "tiny-bleurt")
    expected["tiny-bleurt"] = _bleurt_values(home / "tiny-bleurt")
    _m2m100(home / "tiny-m2m100", text)
    expected["tiny-m2m100"] = _prism_values(home / "tiny-m2m100")
    expected["tiny-encoder"] = _bertscore_values(home / "tiny-encoder")
    expected["states"] = _states(home / "tiny-encoder")
    text.unlink()
    for name in ("minilm", "hub"):
        shutil.rmtree(home / name)
    (home / "expected.json").write_text(json.dumps(expected), encoding="utf-8")


def _begin(name: str) -> None:
    """A model has the same weights whatever is made before it."""
    torch.manual_seed(zlib.crc32(name.encode()))


def _lines() -> list[str]:
    made = [word + ending for word in _WORDS.split() for ending in ENDINGS]
    return [" ".join(made[(at * step) % len(made)] for step in range(1, 9)) + "." for at in range(600)]


def _trained(text: Path, pieces: int) -> Path:
    into = text.parent / "pieces"
    sentencepiece.SentencePieceTrainer.train(
        input=str(text),
        model_prefix=str(into),
        vocab_size=pieces,
        hard_vocab_limit=False,
        minloglevel=2,
        num_threads=1,
    )
    into.with_suffix(".vocab").unlink()
    return into.with_suffix(".model")


def _fast(pieces: Path) -> Tokenizer:
    """XLM-R's tokenizer of the same pieces: the conversion in transformers needs another protobuf."""
    processor = sentencepiece.SentencePieceProcessor(model_file=str(pieces))
    own = [(processor.id_to_piece(at), processor.get_score(at)) for at in range(3, len(processor))]
    vocabulary = [*((name, 0.0) for name in ("<s>", "<pad>", "</s>", "<unk>")), *own, ("<mask>", 0.0)]
    tokenizer = Tokenizer(Unigram(vocabulary, unk_id=3))
    tokenizer.normalizer = NFKC()
    tokenizer.pre_tokenizer = Metaspace()
    ends = [("<s>", 0), ("</s>", 2)]
    tokenizer.post_processor = TemplateProcessing(single="<s> $A </s>", special_tokens=ends)
    return tokenizer


def _encoder(folder: Path, text: Path) -> None:
    pieces = _trained(text, 300)
    tokenizer = XLMRobertaTokenizerFast(tokenizer_object=_fast(pieces), model_max_length=512)
    tokenizer.save_pretrained(folder)
    pieces.replace(folder / "sentencepiece.bpe.model")
    config = XLMRobertaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=514,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        type_vocab_size=1,
        initializer_range=0.3,  # or all texts would look alike
    )
    _begin(folder.name)
    XLMRobertaModel(config).eval().save_pretrained(folder)


def _minilm(folder: Path, encoder: Path, hub: Path) -> None:
    """A BERT with the pieces of XLM-R. The library takes them from the hub's folder on this machine."""
    snapshot = hub / "models--xlm-roberta-base" / "snapshots" / "1"
    for target in (folder, snapshot):
        shutil.copytree(encoder, target, ignore=shutil.ignore_patterns("*.safetensors", "config.json"))
    (snapshot.parents[1] / "refs").mkdir()
    (snapshot.parents[1] / "refs" / "main").write_text("1")
    described = json.loads((encoder / "config.json").read_text())
    sizes = {key: described[key] for key in ("vocab_size", "hidden_size", "num_hidden_layers", "intermediate_size")}
    BertConfig(**sizes, num_attention_heads=4, max_position_embeddings=512, pad_token_id=1).save_pretrained(folder)


_HEAD: dict[str, Any] = {"hidden_sizes": [16, 8], "nr_frozen_epochs": 0, "encoder_model": "XLM-RoBERTa"}
_UNIFIED: dict[str, Any] = {**_HEAD, "sent_layer": "mix", "layer_transformation": "sparsemax", "word_layer": 0}
_MARKING: dict[str, Any] = {"word_level_training": True, "cross_entropy_weights": [0.1, 0.3, 0.6]}
COMETS: dict[str, dict[str, Any]] = {
    "tiny-regression": {**_HEAD, "class_identifier": "regression_metric"},
    "tiny-minilm": {**_HEAD, "encoder_model": "MiniLM", "class_identifier": "regression_metric"},
    "tiny-ranking": {"class_identifier": "ranking_metric", "nr_frozen_epochs": 0, "encoder_model": "XLM-RoBERTa"},
    "tiny-referenceless": {**_HEAD, "class_identifier": "referenceless_regression_metric"},
    "tiny-unified": {**_UNIFIED, "class_identifier": "unified_metric", "input_segments": ["mt", "src", "ref"]},
    "tiny-kiwi": {**_UNIFIED, **_MARKING, "class_identifier": "unified_metric", "input_segments": ["mt", "src"]},
    "tiny-xcomet": {
        **_HEAD,
        "class_identifier": "xcomet_metric",
        "layer_transformation": "sparsemax",
        "word_layer": 0,  # the words themselves: neighbouring pieces get different marks
        "cross_entropy_weights": [0.08, 0.486, 0.505, 0.533],
        "error_labels": ["minor", "major", "critical"],
    },
}


def _comet(folder: Path, encoder: Path, settings: dict[str, Any]) -> None:
    """As Lightning saves it, with the encoder's configuration and tokenizer beside it."""
    (folder / "checkpoints").mkdir(parents=True)
    home = folder / "encoder"
    home.mkdir()
    for source in encoder.iterdir():
        if source.suffix != ".safetensors":
            (home / source.name).write_bytes(source.read_bytes())
    chosen = {key: value for key, value in settings.items() if key != "class_identifier"}
    _begin(folder.name)
    chosen |= {"pretrained_model": str(home), "load_pretrained_weights": False, "local_files_only": True}
    model = str2model[settings["class_identifier"]](**chosen).eval()
    for parameter in model.parameters():
        if parameter.dim() > 1:
            torch.nn.init.normal_(parameter, std=0.3)
    if hasattr(model, "hidden2tag"):
        torch.nn.init.normal_(model.hidden2tag.weight, std=2.0)
    hparams = {**dict(model.hparams), "class_identifier": settings["class_identifier"]}
    checkpoint = {
        "epoch": 0,
        "global_step": 0,
        "pytorch-lightning_version": "2.6.6",
        "state_dict": model.state_dict(),
        "hyper_parameters": hparams,
    }
    torch.save(checkpoint, folder / "checkpoints" / "model.ckpt")
    shown = {**hparams, "pretrained_model": "xlm-roberta-large"}  # as published; it is not there
    (folder / "hparams.yaml").write_text(yaml.safe_dump(shown), encoding="utf-8")


def _copied(folder: Path, source: Path, change: Callable[[dict[str, Any]], None]) -> None:
    for file in source.rglob("*"):
        if file.is_file():
            target = folder / file.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read_bytes())
    path = folder / "checkpoints" / "model.ckpt"
    checkpoint = torch.load(path, weights_only=True)
    change(checkpoint)
    torch.save(checkpoint, path)


def _comet_without_its_encoder(folder: Path, source: Path) -> None:
    def change(checkpoint: dict[str, Any]) -> None:
        states = checkpoint["state_dict"]
        checkpoint["state_dict"] = {key: value for key, value in states.items() if not key.startswith("encoder.")}

    _copied(folder, source, change)


class _Code:
    """Would leave a file behind where it is unpickled."""

    def __init__(self, into: Path) -> None:
        self._into = into

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Path.touch, (self._into,)


def _comet_with_code(folder: Path, source: Path) -> None:
    def change(checkpoint: dict[str, Any]) -> None:
        checkpoint["callbacks"] = {"trap": _Code(folder / "was-run")}

    _copied(folder, source, change)


def _comet_values(folder: Path) -> dict[str, Any]:
    """By the library's own loader and `predict`."""
    model = load_from_checkpoint(folder / "checkpoints" / "model.ckpt", strict=True, local_files_only=True)
    pairs = [(at, sample, ref) for at, sample in enumerate(SAMPLES) for ref in sample.refs]
    inputs = [{"src": sample.src, "mt": sample.mt, "ref": ref} for _at, sample, ref in pairs]
    with_references = _predicted(model, inputs)
    found: dict[str, Any] = {"scores": [[] for _ in SAMPLES], "spans": [None for _ in SAMPLES]}
    for (at, _sample, _ref), (score, spans) in zip(pairs, with_references, strict=True):
        found["scores"][at].append(score)
        found["spans"][at] = spans if found["spans"][at] is None else found["spans"][at]
    if model.hparams.class_identifier in ("unified_metric", "xcomet_metric"):
        plain = _predicted(model, [{"src": sample.src, "mt": sample.mt} for sample in SAMPLES])
        found["without references"] = [score for score, _spans in plain]
    return found


def _predicted(model: Any, inputs: list[dict[str, str]]) -> list[tuple[float, Any]]:
    if model.hparams.get("input_segments") == ["mt", "src"]:
        inputs = [{key: text for key, text in each.items() if key != "ref"} for each in inputs]
    predicted = model.predict(inputs, batch_size=4, gpus=0, num_workers=0, progress_bar=False)
    spans = (predicted.get("metadata") or {}).get("error_spans") or [None] * len(inputs)
    return list(zip(predicted["scores"], spans, strict=True))


def _bleurt(folder: Path) -> None:
    folder.mkdir()
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    words = sorted({word.lower() for word in _WORDS.split()})
    vocabulary = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        *words,
        *letters,
        *(f"##{letter}" for letter in letters),
    ]
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    BleurtTokenizerFast(vocab_file=str(folder / "vocab.txt"), do_lower_case=True, model_max_length=512).save_pretrained(
        folder
    )
    config = BleurtConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=512,
        initializer_range=0.3,
    )
    _begin(folder.name)
    BleurtForSequenceClassification(config).eval().save_pretrained(folder)


def _bleurt_values(folder: Path) -> dict[str, Any]:
    model = BleurtForSequenceClassification.from_pretrained(folder, local_files_only=True, use_safetensors=True).eval()
    tokenizer = BleurtTokenizer.from_pretrained(str(folder), local_files_only=True)

    def value(reference: str, translation: str) -> float:
        inputs = tokenizer([reference], [translation], truncation=True, max_length=512, return_tensors="pt")
        with torch.no_grad():
            return float(model(**inputs).logits.flatten()[0])

    return {"scores": [[value(reference, sample.mt) for reference in sample.refs] for sample in SAMPLES]}


def _m2m100(folder: Path, text: Path) -> None:
    folder.mkdir()
    pieces = _trained(text, 300)
    processor = sentencepiece.SentencePieceProcessor(model_file=str(pieces))
    names = ["<s>", "<pad>", "</s>", "<unk>", *(processor.id_to_piece(at) for at in range(3, len(processor)))]
    (folder / "vocab.json").write_text(json.dumps({name: at for at, name in enumerate(names)}), encoding="utf-8")
    pieces.replace(folder / "sentencepiece.bpe.model")
    tokenizer = M2M100Tokenizer(
        vocab_file=str(folder / "vocab.json"), spm_file=str(folder / "sentencepiece.bpe.model"), model_max_length=1024
    )
    tokenizer.save_pretrained(folder)
    config = M2M100Config(
        vocab_size=max(tokenizer.lang_token_to_id.values()) + 9,
        d_model=32,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        max_position_embeddings=1024,
        init_std=0.3,
    )
    _begin(folder.name)
    M2M100ForConditionalGeneration(config).eval().save_pretrained(folder)


def _prism_values(folder: Path) -> dict[str, Any]:
    """Pair by pair: from the model's own loss, which is the mean over all labels, without the language's share."""
    model = M2M100ForConditionalGeneration.from_pretrained(folder, local_files_only=True).eval()
    tokenizer = M2M100Tokenizer.from_pretrained(folder, local_files_only=True)

    def value(given: str, wanted: str, source: str) -> float:
        tokenizer.src_lang, tokenizer.tgt_lang = source, "de"
        inputs = tokenizer([given], text_target=[wanted], truncation=True, max_length=1024, return_tensors="pt")
        with torch.no_grad():
            output = model(**inputs)
        labels = inputs["labels"][0]
        of_language = float(torch.log_softmax(output.logits[0, 0].double(), dim=0)[labels[0]])
        whole = -float(output.loss) * len(labels)
        return (whole - of_language) / (len(labels) - 1) / 0.6931471805599453

    def both(sample: Sample) -> list[float]:
        return [(value(ref, sample.mt, "de") + value(sample.mt, ref, "de")) / 2 for ref in sample.refs]

    samples = [sample for sample in SAMPLES if sample.mt != LONG]
    return {
        "scores": [both(sample) for sample in samples],
        "without references": [value(sample.src, sample.mt, "en") for sample in samples],
    }


def _bertscore_values(folder: Path) -> dict[str, Any]:
    samples = [sample for sample in SAMPLES if sample.mt]
    references = [reference for sample in SAMPLES for reference in sample.refs]
    found = {}
    for name, idf in (("plain", False), ("idf", True)):
        scorer = BERTScorer(
            model_type=str(folder), num_layers=LAYER, device="cpu", nthreads=0, idf=idf, idf_sents=references
        )
        pairs = [(sample.mt, reference) for sample in samples for reference in sample.refs]
        values = torch.stack(scorer.score([a for a, _ in pairs], [b for _, b in pairs]), dim=1).tolist()
        found[name] = [[values.pop(0) for _reference in sample.refs] for sample in samples]
    return found


def _states(folder: Path) -> dict[str, Any]:
    """Of every text: its pieces, and the states after a layer, one text at a time."""
    model = XLMRobertaModel.from_pretrained(folder, local_files_only=True).eval()
    tokenizer = XLMRobertaTokenizerFast.from_pretrained(folder, local_files_only=True)
    texts = {text for sample in SAMPLES for text in (sample.src, sample.mt, *sample.refs) if text != LONG}
    found = {}
    for text in sorted(texts):
        inputs = tokenizer(text, return_tensors="pt")
        with torch.no_grad():
            states = model(**inputs, output_hidden_states=True).hidden_states[LAYER][0]
        found[text] = {"pieces": inputs["input_ids"][0].tolist(), "states": states.tolist()}
    return found


if __name__ == "__main__":
    main()
