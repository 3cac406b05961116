"""Texts as numbers of pieces: the unigram tokenizer of XLM-R, from the tables in the model's file."""

import re
import unicodedata
from functools import lru_cache

from metrics.neural.model_file import PieceTables

MOST_PIECES = 512
_WORD = "\N{LOWER ONE EIGHTH BLOCK}"  # stands for a blank, before each word
_UNKNOWN_PENALTY = 10.0
_CACHED_WORDS = 200_000


class Tokenizer:
    """The pieces of a text with the largest sum of scores, word by word.

    Kudo 2018, "Subword regularization", ACL, equation 6 (the best segmentation). Differs from the original only on
    text that is not in the composed form of Unicode (NFC): it is composed first.
    """

    def __init__(self, tables: PieceTables) -> None:
        special = {tables.begin, tables.end, tables.unknown}
        self._tables = tables
        self._numbers = {
            piece: number
            for number, piece in enumerate(tables.pieces)
            if number not in special and tables.scores[number]
        }
        self._scores = tables.scores.tolist()
        self._lowest = min(self._scores) - _UNKNOWN_PENALTY
        self._longest = max(map(len, self._numbers))
        self._replacements = str.maketrans(dict(tables.replacements))
        self._word = lru_cache(_CACHED_WORDS)(self._best_pieces)

    def numbers(self, text: str) -> list[int]:
        """Of the text's pieces, between those of begin and end; at most 512 in all. An empty text has these two."""
        return self.numbers_and_cut(text)[0]

    def numbers_and_cut(self, text: str) -> tuple[list[int], bool]:
        """And whether the text has more pieces than are read."""
        plain = re.sub(" +", " ", unicodedata.normalize("NFC", text).translate(self._replacements))
        if plain and not plain.startswith(" "):
            plain = f" {plain}"
        words = re.findall(f"{_WORD}?[^{_WORD}]+|{_WORD}", plain.replace(" ", _WORD))
        pieces = [number for word in words for number in self._word(word)]
        read = pieces[: MOST_PIECES - 2]
        return [self._tables.begin, *read, self._tables.end], len(read) < len(pieces)

    def _best_pieces(self, word: str) -> tuple[int, ...]:
        """By dynamic programming over the places of the word; neighbouring unknown characters are one piece."""
        unknown, size = self._tables.unknown, len(word)
        best: list[tuple[float, int, int]] = [(0.0, 0, 0)] + [(float("-inf"), 0, 0)] * size  # score, start, piece
        for start in range(size):
            before = best[start][0]
            for end in range(start + 1, min(size, start + self._longest) + 1):
                number = self._numbers.get(word[start:end])
                if number is not None and before + self._scores[number] > best[end][0]:
                    best[end] = before + self._scores[number], start, number
            if before + self._lowest > best[start + 1][0]:
                best[start + 1] = before + self._lowest, start, unknown
        pieces: list[int] = []
        end = size
        while end:
            _score, start, number = best[end]
            if not (number == unknown and pieces[-1:] == [unknown]):
                pieces.append(number)
            end = start
        return tuple(reversed(pieces))
