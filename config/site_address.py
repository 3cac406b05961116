"""Where people reach the site when no setting says so: `serve` stores it next to the database, for commands to read."""

from pathlib import Path
from urllib.parse import urlsplit

HOST = "127.0.0.1"
PORT = 8000


def local_address(port: int | str = PORT) -> str:
    return f"http://{HOST}:{port}"


def served_address(data: Path) -> str:
    """Of the server that was started last with this data folder; it may have stopped since."""
    try:
        written = (data / "address").read_text(encoding="utf-8").strip()
        return written if urlsplit(written).hostname else local_address()
    except (OSError, ValueError):
        return local_address()


def write_served_address(data: Path, address: str) -> None:
    (data / "address").write_text(f"{address}\n", encoding="utf-8")
