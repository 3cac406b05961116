"""`./assay neural`: the models of metrics that need one."""

from typing import NoReturn

from bootstrap import environment
from bootstrap.commands.application import become
from bootstrap.places import RUN_LOCK
from bootstrap.steps import SetUpError

USAGE = "Use ./assay neural install light, ./assay neural models [--json] or ./assay neural check."


def neural(arguments: list[str]) -> NoReturn:
    match arguments:
        case ["install", "light"]:
            command = ["neural_install", "light"]
        case ["models", *options]:
            command = ["neural_models", *options]
        case ["check", *options]:
            command = ["neural_check", *options]
        case _:
            raise SetUpError(f"unknown: ./assay neural {' '.join(arguments)}".rstrip() + f". {USAGE}")
    become(environment.prepare(RUN_LOCK), command)
