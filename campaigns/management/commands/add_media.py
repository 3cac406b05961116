import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from campaigns.actions.media_folders import FolderOutcome, add_media_folder
from campaigns.management.working_command import WorkingCommand
from campaigns.media.errors import MediaError

_NAMED = 20


class Command(WorkingCommand):
    help = "Puts pictures, audio and video of a folder beside the texts of a test set, by media.csv or by their names."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("test_set", help="name or slug")
        parser.add_argument("folder", type=Path, metavar="FOLDER")
        parser.add_argument("--json", action="store_true", help="print the outcome as JSON")

    def handle(self, *, test_set: str, folder: Path, **options: Any) -> None:
        if not folder.is_dir():
            raise CommandError(f"{folder} is not a folder.")
        try:
            outcome = add_media_folder(test_set=self.test_set(test_set), folder=folder, by=None)
        except MediaError as error:
            raise CommandError(f"{error}\nNothing was stored.") from error
        if options["json"]:
            self.stdout.write(json.dumps(as_json(outcome), ensure_ascii=False))
        else:
            self.stdout.write("\n".join(as_sentences(outcome)))


def as_json(outcome: FolderOutcome) -> dict[str, Any]:
    added = outcome.added
    counts = {"added": added.added, "replaced": added.replaced, "unchanged": added.unchanged}
    lists = {"unused": outcome.unused, "unequal": outcome.unequal, "documents_without": outcome.without}
    return counts | {name: list(names) for name, names in lists.items()}


def as_sentences(outcome: FolderOutcome) -> list[str]:
    added = outcome.added
    sentences = [f"Added: {added.added}. Replaced: {added.replaced}. There before: {added.unchanged}."]
    listed = (
        (outcome.unequal, "Documents without one picture for each segment, so none is used"),
        (outcome.without, "Documents without a medium"),
        (outcome.unused, "Files that belong to no text"),
    )
    for names, what in listed:
        if names:
            shown = ", ".join(names[:_NAMED]) + (" …" if len(names) > _NAMED else "")
            sentences.append(f"{what} ({len(names)}): {shown}.")
    return sentences
