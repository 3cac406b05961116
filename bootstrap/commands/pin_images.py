"""`./assay pin_images`: the digests of all images that are not ours, written behind their names."""

import re
import shutil
import subprocess
from collections.abc import Mapping

from bootstrap.places import ROOT
from bootstrap.terminal import SetUpError, say

FILES = [ROOT / "docker-compose.yml", ROOT / "Dockerfile"]
IMAGE = re.compile(r"^(?P<before> +image: |FROM )(?P<name>[\w./-]+:[\w.-]+)(?:@sha256:[0-9a-f]{64})?", re.MULTILINE)
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def pin_images(arguments: list[str]) -> int:
    """Nothing is written before every digest is known."""
    if arguments:
        raise SetUpError("pin_images takes no arguments.")
    docker = shutil.which("docker")
    if docker is None:
        raise SetUpError("Docker, which asks registries for digests, is not installed here. Nothing was changed.")
    texts = {path: path.read_text(encoding="utf-8") for path in FILES}
    digests = {name: _digest_of(docker, name) for name in images_in("".join(texts.values()))}
    for path, text in texts.items():
        path.write_text(pinned(text, digests), encoding="utf-8")
    for name, digest in digests.items():
        say(f"{name} is {digest}")
    return 0


def images_in(text: str) -> list[str]:
    return sorted({match["name"] for match in IMAGE.finditer(text)})


def pinned(text: str, digests: Mapping[str, str]) -> str:
    return IMAGE.sub(lambda match: f"{match['before']}{match['name']}@{digests[match['name']]}", text)


def _digest_of(docker: str, name: str) -> str:
    command = [docker, "buildx", "imagetools", "inspect", name, "--format", "{{.Manifest.Digest}}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    digest = done.stdout.strip()
    if done.returncode or not DIGEST.fullmatch(digest):
        reason = (done.stderr.strip() or "no digest came").splitlines()[0].rstrip(".")
        raise SetUpError(f"The digest of {name} cannot be had: {reason}. Nothing was changed.")
    return digest
