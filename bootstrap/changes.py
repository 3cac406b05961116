"""Which files of this clone differ from `main`."""

import subprocess
from collections.abc import Iterable
from pathlib import Path

MAIN = ("origin/main", "main")


def changed_files(root: Path) -> frozenset[Path]:
    """Since this branch left `main`; on `main` itself, since the last commit. New and deleted files too."""

    def git(*arguments: str) -> list[str]:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
        return [name for name in done.stdout.split("\0") if name.strip()] if done.returncode == 0 else []

    bases = [base[0].strip() for name in MAIN if (base := git("merge-base", "HEAD", name))]
    newest = next((base for base in bases if len(bases) == 1 or not _is_before(root, base, bases)), "HEAD")
    names = git("diff", "--name-only", "--no-renames", "-z", newest)
    return frozenset(map(Path, [*names, *git("ls-files", "--others", "--exclude-standard", "-z")]))


def _is_before(root: Path, base: str, others: Iterable[str]) -> bool:
    """Whether one of the others comes after it."""
    ancestor = ["git", "merge-base", "--is-ancestor", base]
    return any(
        other != base and subprocess.run([*ancestor, other], cwd=root, check=False).returncode == 0 for other in others
    )
