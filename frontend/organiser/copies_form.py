"""The form of several copies of a campaign: what they share, and a row of fields for each."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.campaign_spec import NAME_LIMIT, PARAMETERS
from campaigns.actions.enrolment import Access, with_hashes
from campaigns.invalid_input import InvalidInput
from campaigns.languages import language_problem
from campaigns.models import Account, Campaign, TestSet, TestSetStatus
from campaigns.new_people import Person
from campaigns.queries import test_sets_of
from campaigns.reading.people_list import read_people, without_passwords
from exchange.campaign_copies import MOST_COPIES, CopyErrors, CopyPlan, CopyRow, check_copies, check_project
from frontend.organiser.new_campaign_form import LanguageField
from frontend.organiser.people_form import ACCESS_CHOICES, PeopleField
from frontend.uploads import UploadError, queue_inspection, store_upload, stored_files_of

FIRST_ROWS = 2
SAYS = ("source_language", "target_language", "upload", "name", "test_set", "people")  # what a copy is of
MOST_ANNOTATORS = 500
_PAIR = re.compile(r"(?:^|[^A-Za-z])([a-z]{2,3}(?:_[A-Z]{2})?)-([a-z]{2,3}(?:_[A-Z]{2})?)(?=[^A-Za-z_]|$)")
_ERROR = re.compile(r"(\d+) ([a-z_]+): (.*)")


def pair_in(file_name: str) -> tuple[str, str]:
    """`news.en-de.csv` is en and de; empty texts where a name tells nothing."""
    for source, target in _PAIR.findall(file_name):
        tags = source.replace("_", "-"), target.replace("_", "-")
        if not any(map(language_problem, tags)):
            return tags
    return "", ""


class SharedForm(forms.Form):
    project = forms.CharField(
        label=gettext_lazy("Project"),
        max_length=PARAMETERS["project"].high,
        required=False,
        help_text=gettext_lazy("Its page shows the totals of all copies. The original joins it if it has none."),
    )
    access = forms.ChoiceField(
        label=gettext_lazy("Access"), choices=ACCESS_CHOICES, widget=forms.RadioSelect, initial=Access.LINK
    )
    practice = forms.BooleanField(
        label=gettext_lazy("Copy practice items to other languages, too"),
        required=False,
        help_text=gettext_lazy("Their texts stay in the languages of the original until you replace them."),
    )
    open_now = forms.BooleanField(label=gettext_lazy("Open for judging immediately"), required=False)

    def clean_project(self) -> str:
        project = str(self.cleaned_data["project"]).strip()
        try:
            check_project(project)
        except InvalidInput as error:
            raise forms.ValidationError(error.errors["project"]) from error
        return project

    def plan(self) -> CopyPlan:
        cleaned = self.cleaned_data
        return CopyPlan(project=cleaned["project"], practice=cleaned["practice"], open=cleaned["open_now"])


class RowForm(forms.Form):
    """One copy. `stored` are the names of its uploaded files; a file is stored at once, so that no error loses it."""

    source_language = LanguageField(label=gettext_lazy("Source language"))
    target_language = LanguageField(label=gettext_lazy("Target language"))
    file = forms.FileField(label=gettext_lazy("Or a file"), required=False)
    upload = forms.UUIDField(required=False, widget=forms.HiddenInput)
    name = forms.CharField(label=gettext_lazy("Name"), max_length=NAME_LIMIT, required=False)
    annotators = forms.IntegerField(
        label=gettext_lazy("Number of annotators"), min_value=0, max_value=MOST_ANNOTATORS, initial=3, required=False
    )

    def __init__(self, *args: Any, stock: "Stock", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stock = stock
        self.stored: list[dict[str, Any]] = []
        choices = [("", _("From a file")), *((str(key), each.name) for key, each in stock.test_sets.items())]
        self.fields["test_set"] = forms.ChoiceField(label=_("Stored test set"), choices=choices, required=False)
        self.fields["people"] = PeopleField(count_into=f"id_{self.prefix}-annotators")
        self.fields["people"].help_text = _("One person per line, or a table with a header.")

    def clean_test_set(self) -> TestSet | None:
        chosen = self.cleaned_data["test_set"]
        return self.stock.test_sets[int(chosen)] if chosen else None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("test_set"):
            cleaned["upload"] = None  # chosen after the file
        upload = cleaned.get("upload")
        self.stored = self.stock.files.get(str(upload), [])
        if upload and not self.stored:
            self.add_error("file", _("The file is no longer on the server. Choose it again."))
        people, problems = read_people(cleaned.get("people", ""))
        cleaned["listed"] = people
        for problem in problems:
            self.add_error("people", str(problem))
        return cleaned

    @property
    def is_filled(self) -> bool:
        cleaned = getattr(self, "cleaned_data", {})
        return bool(self.errors) or any(cleaned.get(name) for name in SAYS)

    @property
    def file_names(self) -> list[str]:
        return [file["name"] for file in self.stored]

    def refuse(self, name: str, message: str) -> None:
        """What is wrong with a file stands beside it."""
        shown = name if name in self.fields and name != "test_set" else "file" if self.stored else "test_set"
        if message not in self.errors.get(shown, []):
            self.add_error(shown, message)

    def row(self) -> CopyRow:
        cleaned = self.cleaned_data
        return CopyRow(
            name=cleaned.get("name", ""),
            source_language=cleaned.get("source_language", ""),
            target_language=cleaned.get("target_language", ""),
            test_set=cleaned.get("test_set"),
            files=self.stored,
            annotators=0 if cleaned["listed"] else cleaned.get("annotators") or 0,
            people=cleaned["listed"],
            upload=str(cleaned.get("upload") or ""),
        )


@dataclass(frozen=True)
class Stock:
    """What an account may choose from: stored test sets by key, the files of its uploads. Two queries for all rows."""

    test_sets: Mapping[int, TestSet]
    files: Mapping[str, list[dict[str, Any]]]

    @staticmethod
    def of(account: Account, data: Mapping[str, Any], count: int) -> "Stock":
        sets = test_sets_of(account).filter(status=TestSetStatus.READY).order_by("name")
        uploads = []
        for place in range(count):
            with suppress(ValueError):
                uploads.append(str(UUID(data.get(f"row-{place}-upload", ""))))
        return Stock({each.pk: each for each in sets}, stored_files_of(account, uploads) if uploads else {})


@dataclass
class CopiesForm:
    """All of the page; `rows` are those that are shown, `problems` what no field can say."""

    source: Campaign
    account: Account
    shared: SharedForm
    rows: list[RowForm]
    problems: list[str] = field(default_factory=list)

    @staticmethod
    def blank(source: Campaign, account: Account) -> "CopiesForm":
        shared = SharedForm(initial={"project": source.project or source.name[: PARAMETERS["project"].high]})
        stock = Stock.of(account, {}, 0)
        rows = [RowForm(prefix=f"row-{place}", stock=stock) for place in range(FIRST_ROWS)]
        return CopiesForm(source, account, shared, rows)

    @staticmethod
    def of_run(source: Campaign, account: Account, arguments: Mapping[str, Any], error: str) -> "CopiesForm":
        """As it was sent, with what the run says about each row; passwords were not kept."""
        data = QueryDict(mutable=True)
        shared = {**arguments, "open_now": arguments["open"]}
        data.update({name: str(shared[name]) for name in SharedForm.base_fields if shared[name]})
        for place, row in enumerate(arguments["rows"]):
            listed = [Person(**each) for each in row["people"]]
            people = without_passwords(listed) if listed else ""
            for name, value in {**row, "people": people}.items():
                if name != "files" and value not in (None, ""):
                    data[f"row-{place}-{name}"] = str(value)
        made = CopiesForm.sent(source, account, data, len(arguments["rows"]))
        made.is_valid(checks=False)
        for line in error.splitlines():
            match = _ERROR.fullmatch(line)
            if match and int(match[1]) <= len(made.rows):
                made.rows[int(match[1]) - 1].refuse(match[2], match[3])
            else:
                made.problems.append(line)
        return made

    @staticmethod
    def sent(source: Campaign, account: Account, data: QueryDict, count: int) -> "CopiesForm":
        stock = Stock.of(account, data, count)
        rows = [RowForm(data, prefix=f"row-{place}", stock=stock) for place in range(min(count, MOST_COPIES))]
        return CopiesForm(source, account, SharedForm(data), rows)

    def add_row(self) -> None:
        if len(self.rows) < MOST_COPIES:
            stock = self.rows[0].stock if self.rows else Stock.of(self.account, {}, 0)
            self.rows.append(RowForm(prefix=f"row-{len(self.rows)}", stock=stock))

    @property
    def filled(self) -> list[RowForm]:
        return [row for row in self.rows if row.is_filled]

    def is_valid(self, *, checks: bool = True) -> bool:
        """All errors at once, each beside its row."""
        valid = [self.shared.is_valid(), *(row.is_valid() for row in self.rows)]
        filled = self.filled
        if not checks:
            return all(valid)
        if not filled:
            self.problems.append(_("Describe at least one copy: its languages, texts and annotators."))
            return False
        errors = check_copies(self.source, [row.row() for row in filled], self.shared.cleaned_data.get("project", ""))
        show_in_rows(errors, filled)
        return all(valid) and not errors.by_row

    def arguments(self) -> tuple[list[CopyRow], CopyPlan, str]:
        rows = [row.row() for row in self.filled]
        hashed = [replace(row, people=with_hashes(row.people, None)) for row in rows]
        return hashed, self.shared.plan(), self.shared.cleaned_data["access"]


def show_in_rows(errors: CopyErrors, rows: Sequence[RowForm]) -> None:
    for place, fields in errors.by_row.items():
        for name, messages in fields.items():
            for message in messages:
                rows[place].refuse(name, message)


def with_stored_files(account: Account, data: QueryDict, files: "MultiValueDict[str, UploadedFile[Any]]") -> QueryDict:
    """Each row's file is stored and named by its upload; each of `files` fills an empty row or a new one, its pair read
    from its name.

    Raises UploadError.
    """
    stored = data.copy()
    count = rows_sent(data)
    for place in range(count):
        if file := files.get(f"row-{place}-file"):
            stored[f"row-{place}-upload"] = _stored(account, file)
            stored[f"row-{place}-test_set"] = ""
    empty = [place for place in range(count) if not any(stored.get(f"row-{place}-{name}") for name in SAYS)]
    for file in files.getlist("files"):
        place = empty.pop(0) if empty else count
        if place >= MOST_COPIES:
            raise UploadError(_("At most %(most)d copies at once.") % {"most": MOST_COPIES})
        source, target = pair_in(file.name or "")
        stored[f"row-{place}-upload"] = _stored(account, file)
        stored[f"row-{place}-source_language"], stored[f"row-{place}-target_language"] = source, target
        stored.setdefault(f"row-{place}-annotators", "3")
        count = max(count, place + 1)
    stored["rows"] = str(count)
    return stored


def _stored(account: Account, file: "UploadedFile[Any]") -> str:
    upload, stored = store_upload([file], unpacks=True)
    queue_inspection(account, upload, stored)
    return str(upload)


def rows_sent(data: QueryDict) -> int:
    value = data.get("rows", "")
    return min(int(value[:4]), MOST_COPIES) if value.isascii() and value.isdecimal() else FIRST_ROWS
