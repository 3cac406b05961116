"""The commands of `./assay`, by name."""

import sys
from collections.abc import Callable

from bootstrap.commands.application import bench, convert, install, manage, run
from bootstrap.commands.check import check, format_all, types
from bootstrap.commands.neural import neural
from bootstrap.commands.pins import lock, pin_images
from bootstrap.commands.suite import suite
from bootstrap.steps import SetUpError, say

Command = Callable[[list[str]], int]
COMMANDS: dict[str, Command] = {
    "run": run,
    "test": suite,
    "check": check,
    "format": format_all,
    "bench": bench,
    "manage": manage,
    "convert": convert,
    "install": install,
    "neural": neural,
    "types": types,
    "lock": lock,
    "pin_images": pin_images,
}
HELP = """\
Assay: human evaluation of machine translation.

  ./assay run [--port N] [--data DIR] [--no-demo]   start Assay on this machine; set up what is missing
  ./assay test [arguments of pytest]                run every test, or those named
  ./assay check                                     style, types, import contracts, templates, migrations, docs
  ./assay bench [NAME …]                            measure speed and size
  ./assay manage COMMAND …                          a command of the application: import, invite, export …
  ./assay convert IN --to FORMAT OUT                a file of texts or judgments in another format; no database needed
  ./assay install object-store                      the client for files in an object store (35 MB)
  ./assay install tokenizers                        for BLEU in Japanese and Korean, and with SentencePiece (150 MB)
  ./assay neural install light | models | check     the model of BERTScore and YiSi (91 MB), and whether it is right
  ./assay neural install environment | NAME         what COMET, BLEURT and Prism run in (1.5 GB), and a model of theirs
  ./assay pin_images                                write the digests of the images into compose file and Dockerfile
  ./assay help                                      this page

For those who change Assay:

  ./assay test --database sqlite …                  on SQLite instead of PostgreSQL
  ./assay test --changed                            what changed since main may touch, and why
  ./assay test --all                                also what the suite otherwise draws a part of
  ./assay format                                    format Python, TypeScript and style sheets
  ./assay types                                     generate the front end's types from the API
  ./assay lock [--upgrade]                          renew the locks of the Python packages
"""


def main(arguments: list[str]) -> int:
    name, *others = arguments or ["help"]
    if name in ("help", "-h", "--help"):
        sys.stdout.write(HELP)
        return 0
    command = COMMANDS.get(name)
    if command is None:
        say(f"unknown command {name!r}. ./assay help lists all commands.")
        return 2
    try:
        return command(others)
    except SetUpError as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        return 130
