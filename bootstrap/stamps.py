"""A stamp beside something made says what it was made from; while that is unchanged nothing is made again."""

import hashlib
from collections.abc import Iterable
from pathlib import Path


def digest_of(sources: Iterable[Path], *, salt: str = "") -> str:
    """By name and content: dates change with every clone and checkout."""
    digest = hashlib.sha256(salt.encode())
    for source in sorted(sources):
        content = source.read_bytes()
        digest.update(f"\0{source}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def is_current(stamp: Path, digest: str) -> bool:
    try:
        return stamp.read_text(encoding="utf-8") == digest
    except OSError:
        return False


def put_stamp(stamp: Path, digest: str) -> None:
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(digest, encoding="utf-8")
