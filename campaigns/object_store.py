"""Files in a bucket of an S3-compatible store, through django-storages; imported only where a setting asks for it.

Nothing is ever public: no access list is sent, and no address of the store leaves the site.
"""

import logging
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from boto3.exceptions import Boto3Error
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from storages.backends.s3 import S3Storage

from campaigns.file_stores import PIECE, StoreAway

LARGE = 64 * 1024 * 1024  # bytes; from here on a file is sent in parts
logger = logging.getLogger(__name__)


class ObjectStore(S3Storage):
    """A FileStore below `location` in a bucket."""

    def __init__(self, *, addressing_style: str, **options: Any) -> None:
        if addressing_style == "auto" and options.get("endpoint_url"):
            addressing_style = "path"  # a bucket's own host name is not known everywhere
        client = Config(
            signature_version="s3v4",
            s3={"addressing_style": addressing_style},
            connect_timeout=5,
            read_timeout=30,
            retries={"mode": "standard", "total_max_attempts": 3},
            # newer sums, which stores of others do not all know; the signature has a sum of each body already
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
        )
        parts = TransferConfig(multipart_threshold=LARGE, multipart_chunksize=LARGE, use_threads=False)
        super().__init__(client_config=client, transfer_config=parts, default_acl=None, **options)

    def scratch(self) -> Path | None:
        return None

    def put(self, name: str, path: Path) -> None:
        with _answering():
            self.bucket.upload_file(str(path), self._key(name), Config=self.transfer_config)

    def size(self, name: str) -> int:
        with _answering():
            return int(self.bucket.Object(self._key(name)).content_length)

    def pieces(self, name: str, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        if end is not None and end <= start:
            return
        last = "" if end is None else end - 1
        wanted = {"Range": f"bytes={start}-{last}"} if start or end is not None else {}
        with _answering(), closing(self.bucket.Object(self._key(name)).get(**wanted)["Body"]) as body:
            yield from body.iter_chunks(PIECE)

    def changed_at(self, name: str) -> float:
        with _answering():
            return float(self.bucket.Object(self._key(name)).last_modified.timestamp())

    def names(self, prefix: str = "") -> Iterator[tuple[str, float]]:
        before = self._key("")
        with _answering():
            for each in self.bucket.objects.filter(Prefix=before + prefix):
                yield each.key.removeprefix(before), each.last_modified.timestamp()

    def remove(self, name: str) -> None:
        with _answering():
            self.bucket.Object(self._key(name)).delete()

    def _key(self, name: str) -> str:
        return f"{self.location}/{name}"


@contextmanager
def _answering() -> Iterator[None]:
    """What the client library raises, as what a FileStore raises."""
    try:
        yield
    except ClientError as error:
        code = error.response.get("Error", {}).get("Code", "")
        if code in ("404", "NoSuchKey"):
            raise FileNotFoundError(code) from error
        logger.warning("the object store refused: %s", error)
        raise StoreAway from error
    except (BotoCoreError, Boto3Error) as error:
        logger.warning("the object store did not answer: %s", error)
        raise StoreAway from error
