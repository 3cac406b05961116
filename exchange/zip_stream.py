"""Several files as one ZIP file, sent while it is written."""

import io
import zipfile
from collections.abc import Iterable, Iterator
from datetime import datetime

from exchange.tables.csv_and_json import PIECE


class ZipStream:
    """`add` writes one file and yields the bytes that are ready to send; `close` yields the rest."""

    def __init__(self, made_at: datetime) -> None:
        self._sink = _Sink()
        self._zip = zipfile.ZipFile(self._sink, "w", zipfile.ZIP_DEFLATED, compresslevel=6)
        self._made_at = made_at.timetuple()[:6]

    def add(self, name: str, pieces: Iterable[bytes], *, is_packed: bool = False) -> Iterator[bytes]:
        about = zipfile.ZipInfo(name, self._made_at)
        about.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
        about.external_attr = 0o644 << 16
        with self._zip.open(about, "w", force_zip64=True) as file:
            for piece in pieces:
                file.write(piece)
                if self._sink.size > PIECE:
                    yield self._sink.taken()
        yield self._sink.taken()

    def abandon(self) -> None:
        """The reader has gone: what is not yet written never will be."""
        self._zip.fp = None

    def close(self) -> Iterator[bytes]:
        self._zip.close()
        yield self._sink.taken()


class _Sink(io.RawIOBase):
    """A stream for zipfile that cannot seek, like a pipe."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self.size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: "bytes | bytearray | memoryview") -> int:  # type: ignore[override]
        self._pieces.append(bytes(data))
        self.size += len(data)
        return len(data)

    def taken(self) -> bytes:
        pieces, self._pieces, self.size = self._pieces, [], 0
        return b"".join(pieces)
