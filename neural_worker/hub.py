"""The only thing that goes online: lists a model's files on the hub, and fetches those it is told to.

`python -m neural_worker.hub list REPOSITORY REVISION`, and `… fetch REPOSITORY COMMIT FOLDER` with a JSON list of names
on stdin. The last line of stdout is JSON: an answer, or the reason why there is none.
"""

import json
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from huggingface_hub import HfApi, snapshot_download
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    LocalEntryNotFoundError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from requests.exceptions import ConnectionError as NoConnection
from requests.exceptions import RequestException


class HubError(Exception):
    """A sentence that says why, and what to do."""


def listed(repository: str, revision: str) -> Mapping[str, object]:
    """The commit that a revision names, and its files with their sizes."""
    with _explained(repository, revision):
        info = HfApi().model_info(repository, revision=revision or None, files_metadata=True)
    return {"revision": info.sha, "files": {each.rfilename: each.size or 0 for each in info.siblings or ()}}


def fetched(repository: str, commit: str, folder: Path, names: Sequence[str]) -> Mapping[str, object]:
    """Puts these files into a folder, and nothing else."""
    with _explained(repository, commit):
        snapshot_download(repository, revision=commit, local_dir=folder, allow_patterns=list(names))
    shutil.rmtree(folder / ".cache", ignore_errors=True)
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        raise HubError(f"{repository} did not arrive whole: {', '.join(missing)} is missing. Try again.")
    return {"files": len(names)}


@contextmanager
def _explained(repository: str, revision: str) -> Iterator[None]:
    try:
        yield
    except GatedRepoError as error:
        raise HubError(
            f"The hub gives {repository} only to accounts that accepted its licence there. Accept it on the model's "
            "page, and set HF_TOKEN to a token of that account."
        ) from error
    except RevisionNotFoundError as error:
        raise HubError(f"{repository} has no revision {revision}.") from error
    except RepositoryNotFoundError as error:
        raise HubError(f"The hub has no model {repository}, or shows it only to other accounts (HF_TOKEN).") from error
    except HFValidationError as error:
        raise HubError(f"{repository} is not the name of a model of the hub.") from error
    except (LocalEntryNotFoundError, OfflineModeIsEnabled, HfHubHTTPError, RequestException, OSError) as error:
        is_offline = isinstance(error, NoConnection | OfflineModeIsEnabled | LocalEntryNotFoundError)
        reason = "no connection" if is_offline else " ".join(str(error).split())[:200]
        raise HubError(
            f"{repository} could not be fetched from the hub: {reason}. Connect this machine to it and try again, or "
            "copy the model from elsewhere and add it: ./assay neural add FOLDER"
        ) from error


def main(arguments: Sequence[str]) -> int:
    try:
        match arguments:
            case ["list", repository, revision]:
                answer = listed(repository, revision)
            case ["fetch", repository, commit, folder]:
                answer = fetched(repository, commit, Path(folder), json.load(sys.stdin))
            case _:
                raise HubError("use: list REPOSITORY REVISION, or fetch REPOSITORY COMMIT FOLDER")
    except HubError as error:
        answer = {"error": str(error)}
    sys.stdout.write(json.dumps(answer) + "\n")
    return 1 if "error" in answer else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
