"""Who is to come into a campaign, as a form asks: a number, or a list with a line for each."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy, ngettext

from campaigns.actions.enrolment import Access
from campaigns.models import Campaign, Role
from campaigns.new_people import MOST_PEOPLE, Person, check_people
from campaigns.reading.people_list import read_people
from campaigns.reading.problems import Problem

LONGEST_LIST = 200_000
PROBLEMS_SHOWN = 100
ACCESS_CHOICES = (
    (Access.LINK, gettext_lazy("Invitation links")),
    (Access.PASSWORD, gettext_lazy("Names and passwords")),
    (Access.BOTH, gettext_lazy("Both")),
)


class PeopleField(forms.CharField):
    """A list that is typed, pasted, or taken from a file by the page's script, which counts it as it grows."""

    takes_file = ".csv,.tsv,.txt,.xlsx,text/csv,text/plain"
    takes_workbook = "organiser-people-list"  # what reads a workbook, which no browser does
    hint = gettext_lazy(
        "One person per line: a name, optionally followed by a comma and an e-mail address. Or a table whose first "
        "line is name,email,languages,username,password; only a name or a user name is required. "
        "Mail is sent from the page Mail."
    )

    def __init__(self, *, count_into: str) -> None:
        attributes = {"data-people": count_into, "rows": "6", "spellcheck": "false", "autocomplete": "off"}
        super().__init__(
            label=gettext_lazy("Or paste a list of people"),
            help_text=self.hint,
            required=False,
            max_length=LONGEST_LIST,
            widget=forms.Textarea(attributes),
        )


class PeopleForm(forms.Form):
    """`people_problems` are all that is wrong with the list."""

    access = forms.ChoiceField(
        label=gettext_lazy("Access"),
        choices=ACCESS_CHOICES,
        widget=forms.RadioSelect,
        initial=Access.LINK,
        required=False,
        help_text=gettext_lazy(
            "Links need no password. Names and passwords suit agencies that assign work themselves."
        ),
    )
    campaign: Campaign | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.people_listed: list[Person] = []
        self.people_problems: list[Problem] = []
        self.problem_count = 0

    def clean_access(self) -> Access:
        return Access(self.cleaned_data["access"] or Access.LINK)

    def clean_people(self) -> str:
        text = str(self.cleaned_data["people"])
        self.people_listed, unreadable = read_people(text)
        self.refuse_people([*unreadable, *check_people(self.people_listed, self.campaign)])
        return text

    def refuse_people(self, problems: Sequence[Problem]) -> None:
        self.people_problems, self.problem_count = list(problems[:PROBLEMS_SHOWN]), len(problems)
        if problems:
            message = ngettext(
                "The list has %(count)d error; nobody was added.",
                "The list has %(count)d errors; nobody was added.",
                len(problems),
            )
            self.add_error("people", message % {"count": len(problems)})


class InvitationForm(PeopleForm):
    count = forms.IntegerField(
        label=gettext_lazy("How many"), min_value=1, max_value=MOST_PEOPLE, initial=3, required=False
    )
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Role.choices, initial=Role.ANNOTATOR)
    people = PeopleField(count_into="id_count")
    are_programs = forms.BooleanField(
        label=gettext_lazy("These annotators are programs: each gets an API token"),
        required=False,
        help_text=gettext_lazy("You give consent on their behalf. They do the practice items, as people do."),
    )

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.campaign = campaign

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.people_listed and not cleaned.get("count") and not {"count", "people"} & set(self.errors):
            self.add_error("count", gettext_lazy("Enter a number, or list the people."))
        if cleaned.get("are_programs") and cleaned.get("role") != Role.ANNOTATOR:
            self.add_error("are_programs", gettext_lazy("Only annotators can be programs."))
        return cleaned
