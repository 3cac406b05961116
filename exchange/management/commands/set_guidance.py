"""`set_guidance TEST_SET`: what annotators are told beside its texts: an instruction, and a glossary."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.db import transaction
from django.utils.translation import gettext as _

from campaigns.actions.text_guidance import Scope, set_glossary, set_instruction
from campaigns.invalid_input import InvalidInput
from campaigns.management.working_command import WorkingCommand
from campaigns.reading.problems import Problems
from exchange.formats.glossary_table import read_glossary
from exchange.reading import ImportFileError


class Command(WorkingCommand):
    help = "Gives a test set, a domain of it or a document an instruction and a glossary; see docs/formats.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("test_set", metavar="TEST_SET", help="name or slug")
        parser.add_argument("--document", default="", metavar="NAME", help="for this document alone")
        parser.add_argument("--domain", default="", metavar="NAME", help="for the documents of this domain")
        parser.add_argument("--instruction", type=Path, metavar="FILE", help="plain text; an empty file takes it away")
        parser.add_argument(
            "--glossary", type=Path, metavar="FILE", help="a table: term, required, forbidden, note; replaces the terms"
        )
        parser.add_argument("--no-glossary", action="store_true", help="takes the terms away")

    def handle(self, **options: Any) -> None:
        test_set = self.test_set(options["test_set"])
        scope = Scope(options["document"], options["domain"])
        if not (options["instruction"] or options["glossary"] or options["no_glossary"]):
            raise CommandError(_("Name a file with --instruction or --glossary, or use --no-glossary."))
        file, problems = options["glossary"], Problems()
        try:
            terms = read_glossary(file, file.name, problems) if file else []
            text = options["instruction"] and options["instruction"].read_text(encoding="utf-8-sig")
            with transaction.atomic():
                if options["instruction"]:
                    set_instruction(test_set=test_set, scope=scope, text=text, by=None)
                if options["glossary"] or options["no_glossary"]:
                    set_glossary(test_set=test_set, scope=scope, terms=terms, by=None)
        except ImportFileError as error:
            raise CommandError("\n".join([str(error), *problems.notes])) from error
        except InvalidInput as error:
            raise CommandError(str(error)) from error
        except (OSError, UnicodeDecodeError) as error:
            message = _("%(file)s cannot be read as UTF-8 text: %(reason)s.")
            raise CommandError(message % {"file": options["instruction"], "reason": error}) from error
        for note in problems.notes:
            self.stderr.write(note)
        self.stdout.write(_("Stored. Terms of the glossary: %(count)d.") % {"count": len(terms)})
