"""Filters as text: what is read, in which form it is stored, and what is said about one that cannot be read."""

import pytest

from metrics.filters import FIELDS, MOST_CHARACTERS, FilterError, canonical, read_filter


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("domain = news", "domain = news"),
        ("  DOMAIN=news  ", "domain = news"),
        ("length>9 AND domain = news", "domain = news and length > 9"),
        ("domain != news and tag <> idiom", "domain ≠ news and tag ≠ idiom"),
        ("length < 007", "length < 7"),
        ("domain = social media", 'domain = "social media"'),
        ('domain = "news and views"', 'domain = "news and views"'),
        ("domain = “news and views”", 'domain = "news and views"'),
        ('document = "the ""best"" one"', 'document = "the ""best"" one"'),
        ('domain = "and"', 'domain = "and"'),
        ('domain = "="', 'domain = "="'),
        ('category = ""', 'category = ""'),
        ("category = Accuracy/Addition", "category = accuracy/addition"),
        ("passed = YES and kind ≠ Repeat", "passed = yes and kind ≠ repeat"),
        ("tag = b and tag = a and tag = b", "tag = a and tag = b"),
        ("document = قصة and annotator = Zoë", "document = قصة and annotator = Zoë"),
        ("", ""),
        ("   ", ""),
    ],
)
def test_a_filter_has_one_stored_form(written: str, stored: str) -> None:
    assert canonical(written) == stored
    assert canonical(stored) == stored
    assert read_filter(written) == read_filter(stored)


@pytest.mark.parametrize("field", FIELDS)
def test_every_field_can_be_compared(field: str) -> None:
    value = {"length": "3", "passed": "no", "kind": "regular", "severity": "major"}.get(field, "word")
    for operator in FIELDS[field]:
        [condition] = read_filter(f"{field} {operator} {value}").conditions
        assert (condition.field, condition.operator, condition.value) == (field, operator, value)


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("colour = red", "At character 1: Unknown field “colour”. Allowed: domain, tag, document, length, annotator"),
        ("domain news", "At character 8: A comparison is missing after “domain”: one of = ≠."),
        ("length", "At character 7: A comparison is missing after “length”: one of = ≠ < >."),
        ("domain < news", "At character 8: “<” is not possible with domain. Allowed: = ≠."),
        ("length > many", "At character 10: length is a whole number of characters, not “many”."),
        ("length > -3", "At character 10: length is a whole number"),
        ("length > ٣", "At character 10: length is a whole number"),
        ("length > 99999999999", "At character 10: length is a whole number"),
        ("domain =", "At character 9: A value is missing after “=”."),
        ("domain = and tag = x", "At character 10: A value is missing after “=”."),
        ("and domain = news", "At character 1: A condition is missing here"),
        ("domain = news and", "At character 18: A condition is missing here"),
        ("domain = news length > 3", "At character 22: “and” is missing before this second comparison."),
        ('domain = "news', "At character 10: The closing quotation mark is missing."),
        ('domain = "a" "b"', "At character 14: “and” is missing after the value."),
        ("passed = maybe", "At character 10: Unknown passed “maybe”. There are: yes, no."),
        (
            "kind = practice",
            "At character 8: Unknown kind “practice”. There are: regular, repeat, degraded, reference.",
        ),
        ("severity = grave", "There are: neutral, minor, major, critical."),
        ('"domain" = news', "At character 1: Unknown field “domain”"),
        ("= = =", "At character 1: Unknown field “=”"),
        ("!", "At character 1: Unknown field “!”"),
        ("__import__('os')", "Unknown field"),
        ("domain = x" * 200, f"A filter has at most {MOST_CHARACTERS} characters; this one has 2000."),
    ],
)
def test_a_problem_is_named_with_its_place(written: str, problem: str) -> None:
    with pytest.raises(FilterError) as error:
        read_filter(written)
    assert problem in str(error.value)
    assert canonical(written) == written


def test_all_problems_are_reported_together() -> None:
    with pytest.raises(FilterError) as error:
        read_filter("colour < red and length = long and domain and kind = odd and tag = fine")
    assert [line.partition(":")[0] for line in str(error.value).splitlines()] == [
        "At character 1",
        "At character 27",
        "At character 43",
        "At character 54",
    ]


def test_annotators_are_renamed_and_nobody_else() -> None:
    chosen = read_filter("annotator = zoe and domain = zoe and annotator ≠ ana")
    renamed = chosen.renamed({"zoe": "annotator 1", "ana": "annotator 2"})
    assert str(renamed) == 'domain = zoe and annotator = "annotator 1" and annotator ≠ "annotator 2"'


def test_a_kind_that_is_named_is_what_counts() -> None:
    assert read_filter("kind = repeat").rows(("regular",)) == ("repeat",)
    assert read_filter("kind ≠ repeat").rows(("regular", "repeat")) == ("regular", "repeat")
