"""`./assay neural`: the models of metrics that need one, and the environment that large ones run in."""

import time

from bootstrap import environment, neural_environment
from bootstrap.commands.application import become
from bootstrap.places import NEURAL_VENV, RUN_LOCK
from bootstrap.steps import SetUpError, say

USAGE = """use
  ./assay neural install light | environment [--cpu] | NAME [--revision R] [--accept-licence]
  ./assay neural add FOLDER [--name N] [--kind K] …
  ./assay neural remove environment | NAME
  ./assay neural models [--json]
  ./assay neural check [NAME]"""


def neural(arguments: list[str]) -> int:
    match arguments:
        case ["install", "environment", *options] if not set(options) - {"--cpu"}:
            return _install_environment(cpu="--cpu" in options)
        case ["remove", "environment"]:
            is_removed = neural_environment.remove()
            say(f"removed {NEURAL_VENV}." if is_removed else f"there is no environment in {NEURAL_VENV}.")
            return 0
        case [("install" | "add" | "remove" | "models" | "check") as verb, *options] if options or verb in _ALONE:
            become(environment.prepare(RUN_LOCK), [f"neural_{verb}", *options])
    raise SetUpError(f"unknown: ./assay neural {' '.join(arguments)}".rstrip() + f"; {USAGE}")


_ALONE = ("models", "check")


def _install_environment(*, cpu: bool) -> int:
    began = time.monotonic()
    installed = neural_environment.prepare(cpu=cpu)
    if not installed.is_new:
        say(f"the environment in {NEURAL_VENV} is complete. To make it anew, remove it first.")
        return 0
    seconds, megabytes = round(time.monotonic() - began), neural_environment.megabytes()
    say(f"the environment of the neural metrics is complete: {megabytes:,} MB in {NEURAL_VENV}, {seconds} s.")
    say("next: ./assay neural models lists the models, ./assay neural install NAME installs one.")
    return 0
