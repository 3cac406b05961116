"""A language as people write it, by name or by tag; kept as a tag."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from campaigns.languages import language_problem, tag_of_name


class LanguageField(forms.CharField):
    """Takes "German" as well as "de"; its control offers the languages known here."""

    def __init__(self, **words: Any) -> None:
        super().__init__(max_length=35, required=False, **words)
        self.widget.attrs.update({"list": "languages", "autocomplete": "off", "spellcheck": "false"})

    def to_python(self, value: Any) -> str:
        said = (super().to_python(value) or "").strip()
        return tag_of_name(said) or said

    def validate(self, value: str) -> None:
        super().validate(value)
        problem = language_problem(value) if value else None
        if problem:
            raise ValidationError(problem)
