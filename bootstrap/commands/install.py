"""`./assay install tokenizers`: packages that not every installation wants, from a lock of their own."""

from bootstrap import environment
from bootstrap.places import RUN_LOCK, TOKENIZERS_LOCK
from bootstrap.steps import StepFailed
from bootstrap.terminal import SetUpError, say

SETS = {"tokenizers": TOKENIZERS_LOCK}


def install(arguments: list[str]) -> int:
    if len(arguments) != 1 or arguments[0] not in SETS:
        say(f"name one set of packages to install: {', '.join(SETS)}.")
        return 2
    environment.prepare(RUN_LOCK)
    try:
        environment.prepare(SETS[arguments[0]])
    except StepFailed as error:
        raise SetUpError(
            f"{error} There are ready-made packages for Linux (glibc; not Alpine), macOS and Windows. "
            "Everything else of Assay works without them."
        ) from error
    say("the tokenizers are installed. Start Assay again.")
    return 0
