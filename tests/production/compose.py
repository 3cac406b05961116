"""docker-compose.yml as its engine would read it, for a machine without one."""

import ast
import re
import shlex
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
ENV_FILE = {
    "ASSAY_HOST": "assay.example.org",
    "ASSAY_SECRET_KEY": "k" * 50,
    "POSTGRES_PASSWORD": "herons",
    "REDIS_PASSWORD": "rooks",
}


class MissingVariable(Exception):
    """The file asks for a variable that .env lacks."""


def read_services(env_file: dict[str, str]) -> dict[str, dict[str, Any]]:
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    services: dict[str, dict[str, Any]] = yaml.safe_load(interpolated(text, env_file))["services"]
    return services


def interpolated(text: str, env_file: dict[str, str]) -> str:
    """`${NAME:?}` must be set, `${NAME:-default}` may be; `$$` is a dollar of the command's own."""

    def value_of(match: re.Match[str]) -> str:
        value = env_file.get(match["name"]) or match["default"]
        if not value and match["kind"] == "?":
            raise MissingVariable(match["name"])
        return value

    return re.sub(r"(?<!\$)\$\{(?P<name>[A-Z_]+):(?P<kind>[?-])(?P<default>[^}]*)\}", value_of, text).replace("$$", "$")


def our_services(env_file: dict[str, str]) -> dict[str, dict[str, Any]]:
    return {
        name: service
        for name, service in read_services(env_file).items()
        if service.get("image", "").startswith("assay")
    }


def command_of(service: dict[str, Any]) -> list[str]:
    command = service["command"]
    return shlex.split(command) if isinstance(command, str) else command


def postgres_settings() -> dict[str, str]:
    """Those of PostgreSQL that the file gives it, by name."""
    words = command_of(read_services(ENV_FILE)["postgres"])
    return dict(word.split("=", 1) for word in words if "=" in word)


def variables_of_settings() -> set[str]:
    tree = ast.parse((ROOT / "config" / "settings.py").read_text(encoding="utf-8"))
    return {
        str(node.args[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id.startswith("read_")
        and isinstance(node.args[0], ast.Constant)
    }
