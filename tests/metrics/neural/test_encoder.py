"""The light encoder with its real weights, compared with states of torch and pieces of the original tokenizer."""

import unicodedata

import numpy as np
import pytest

from metrics.neural import encoded
from metrics.neural.encoded import TextEncoder
from metrics.neural.encoder import Encoder
from metrics.neural.light_model import LIGHT
from metrics.neural.model_file import ModelFile, read_model
from metrics.neural.tokenizer import MOST_PIECES, Tokenizer
from tests.metrics.neural.light_model_files import expected, models_folder, wmt23

ROW = 384 * 4  # bytes


@pytest.fixture(scope="module")
def file() -> ModelFile:
    return read_model(LIGHT, models_folder())


@pytest.fixture(scope="module")
def tokenizer(file: ModelFile) -> Tokenizer:
    return Tokenizer(file.tables)


@pytest.mark.real_data
def test_pieces_are_those_of_the_original(tokenizer: Tokenizer) -> None:
    pieces = expected()["tokens"]
    assert len(pieces) == 6
    assert {text: tokenizer.numbers(text) for text in pieces} == pieces


def test_an_empty_text_has_its_begin_and_its_end(tokenizer: Tokenizer) -> None:
    assert tokenizer.numbers("") == [0, 2]


def test_a_long_text_is_cut_after_512_pieces(tokenizer: Tokenizer) -> None:
    pieces = tokenizer.numbers("fog " * 2_000)
    assert (len(pieces), pieces[0], pieces[-1]) == (MOST_PIECES, 0, 2)


def test_neighbouring_unknown_characters_are_one_piece(tokenizer: Tokenizer) -> None:
    assert tokenizer.numbers("\U00012000\U00012001") == [0, 6, 3, 2]


def test_composed_and_decomposed_letters_are_the_same(tokenizer: Tokenizer) -> None:
    text = "Ärger über Größe"
    assert tokenizer.numbers(unicodedata.normalize("NFD", text)) == tokenizer.numbers(text)


@pytest.mark.real_data
def test_states_are_those_of_torch(file: ModelFile, tokenizer: Tokenizer) -> None:
    case = expected()
    values, tolerance = case["hidden_states"]["values"], case["tolerance"]["hidden_states"]
    texts = [tokenizer.numbers(text) for text in values]
    ninth, twelfth = Encoder(file, 9).states(texts), Encoder(file, 12).states(texts)
    for at, stored in enumerate(values.values()):
        assert ninth[at][1, :3] == pytest.approx(stored["layer 9, token 1"], abs=tolerance)
        assert twelfth[at].mean(axis=0)[:3] == pytest.approx(stored["layer 12, mean"], abs=tolerance)


@pytest.mark.real_data
def test_a_text_has_the_same_states_alone_and_among_others(file: ModelFile, tokenizer: Tokenizer) -> None:
    texts = [tokenizer.numbers(text) for text in wmt23(segments=40).references]
    encoder = Encoder(file, 9)
    together = encoder.states(texts)
    again = encoder.states(texts)
    for at in (0, 7, 39):
        assert np.abs(encoder.states([texts[at]])[0] - together[at]).max() < 1e-5
        assert np.array_equal(again[at], together[at])


def test_no_layer_is_read_that_the_model_does_not_have(file: ModelFile) -> None:
    with pytest.raises(ValueError, match="layers 0 to 12, not 13"):
        Encoder(file, 13)


def test_a_text_is_encoded_once() -> None:
    encoder = TextEncoder(LIGHT, models_folder(), 1)
    first = encoder.encode(["fog on the quay", "fog", " fog "])
    assert encoder.encoded == 2
    second = encoder.encode(["fog", "a ferry"])
    assert encoder.encoded == 3
    assert second["fog"] is first["fog"] is first[" fog "]
    assert np.linalg.norm(first["fog"].vectors, axis=1) == pytest.approx(1, abs=1e-6)


def test_what_was_not_used_for_longest_is_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoded, "ROOM", 3 * 3 * ROW)
    encoder = TextEncoder(LIGHT, models_folder(), encoded.STATIC)
    for text in ("a", "b", "c", "a", "d"):  # three pieces each, with begin and end
        encoder.encode([text])
    assert encoder.encoded == 4
    encoder.encode(["a", "c", "d"])
    assert encoder.encoded == 4
    encoder.encode(["b"])
    assert encoder.encoded == 5
