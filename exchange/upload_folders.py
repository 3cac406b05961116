"""Uploaded files until they are used: a folder for each upload; with an object store also there, for other machines.

A file is known by its path on the machine that took it, whose data folder may be another than here.
"""

import os
import re
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings

from campaigns.file_stores import FileStore, upload_store

UNUSED_SECONDS = 7 * 24 * 3600
COPY_SECONDS = 24 * 3600  # for which a copy of what is in the object store stays on a machine that used it
_INNER = re.compile(r"/incoming/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.+)", re.DOTALL)


def upload_folder(upload: UUID | str) -> Path:
    """Where an upload's files lie on this machine."""
    return _incoming() / str(upload)


def share_upload(upload: UUID | str, inner: str = "") -> None:
    """Lets other machines read what is in the folder now, or in a folder within it."""
    store = upload_store()
    if store is None:
        return
    for path in (upload_folder(upload) / inner).rglob("*"):
        if path.is_file():
            store.put(path.relative_to(_incoming()).as_posix(), path)


def path_here(path: str | Path) -> Path:
    """Where this machine can read an uploaded file; there is nothing if it was removed."""
    store, inner = upload_store(), _INNER.search(Path(path).as_posix())
    if store is None or inner is None:
        return Path(path)
    here = _incoming() / inner[1]
    if not here.is_file():
        _fetch(store, inner[1], here)
    return here


def files_here(files: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Files as a run takes them, with paths on this machine."""
    return [{**file, "path": str(path_here(file["path"]))} for file in files]


def is_upload_there(upload: UUID | str) -> bool:
    """Somebody may have removed it on another machine."""
    store = upload_store()
    if store is None:
        return upload_folder(upload).is_dir()
    return next(store.names(f"{UUID(str(upload))}/"), None) is not None


def delete_upload(upload: UUID | str) -> None:
    shutil.rmtree(upload_folder(upload), ignore_errors=True)
    store = upload_store()
    if store is not None:
        for name in [name for name, _at in store.names(f"{upload}/")]:
            store.remove(name)


def forget_old_folders() -> None:
    """Removes this machine's folders of uploads that were not used for a week, copies after a day."""
    seconds = UNUSED_SECONDS if upload_store() is None else COPY_SECONDS
    incoming = _incoming()
    if not incoming.is_dir():
        return
    for folder in incoming.iterdir():
        if folder.stat().st_mtime < time.time() - seconds:
            shutil.rmtree(folder, ignore_errors=True)


def forget_old_uploads() -> None:
    """Also what is in the object store; workers call it daily."""
    forget_old_folders()
    store = upload_store()
    if store is None:
        return
    before = time.time() - UNUSED_SECONDS
    for name in [name for name, changed_at in store.names() if changed_at < before]:
        store.remove(name)


def _incoming() -> Path:
    return Path(settings.UPLOAD_DIR) / "incoming"


def _fetch(store: FileStore, name: str, here: Path) -> None:
    here.parent.mkdir(parents=True, exist_ok=True)
    handle, written = tempfile.mkstemp(prefix=".", dir=here.parent)
    try:
        with os.fdopen(handle, "wb") as target:
            target.writelines(store.pieces(name))
        Path(written).replace(here)
    except FileNotFoundError:
        return
    finally:
        Path(written).unlink(missing_ok=True)
