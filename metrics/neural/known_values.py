"""Values of the light model that the original tokenizer and torch computed, to compare an installation with.

Source: the reference computation of tests/metrics/neural, from which these are taken: states by torch in float32.
"""

from collections.abc import Iterator

import numpy as np

from metrics.neural.encoder import Encoder
from metrics.neural.light_model import LIGHT
from metrics.neural.model_file import ModelFile
from metrics.neural.tokenizer import Tokenizer

TOLERANCE = 1e-4
PIECES = {
    "The talks will continue on Friday.": [0, 581, 22120, 7, 1221, 21342, 98, 41626, 5, 2],
    "Die Gespräche werden am Freitag fortgesetzt.": [0, 622, 64225, 13, 1331, 444, 72151, 10204, 52308, 5, 2],
    "会谈将于周五继续进行。": [0, 6, 195400, 75080, 187914, 15442, 3327, 30, 2],
}
# The first three numbers of the second piece after layer 9.
STATES = {
    "The talks will continue on Friday.": [-0.039926, 0.230336, 0.852334],
    "Die Gespräche werden am Freitag fortgesetzt.": [0.270422, -0.089296, 0.507808],
    "会谈将于周五继续进行。": [0.26909, -0.107148, 0.151188],
}
_MEASURED = 64


def differences(file: ModelFile) -> list[str]:
    """A line for each text that has other pieces or states here; usually empty."""
    return list(_differences(Tokenizer(file.tables), Encoder(file, LIGHT.layer)))


def _differences(tokenizer: Tokenizer, encoder: Encoder) -> Iterator[str]:
    for text, pieces in PIECES.items():
        numbers = tokenizer.numbers(text)
        if numbers != pieces:
            yield f"{text} has the pieces {numbers}, not {pieces}."
            continue
        state = encoder.states([numbers])[0][1, :3]
        if np.abs(state - STATES[text]).max() > TOLERANCE:
            yield f"{text} has the state {state.tolist()}, not {STATES[text]}."


def measured_texts(file: ModelFile) -> int:
    """Encodes some texts of about 30 pieces, and says how many."""
    tokenizer, encoder = Tokenizer(file.tables), Encoder(file, LIGHT.layer)
    texts = [f"{' '.join([text] * 3)} {number}" for number in range(_MEASURED // len(PIECES)) for text in PIECES]
    encoder.states([tokenizer.numbers(text) for text in texts])
    return len(texts)
