"""Single terms of a glossary: added, changed, removed."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from campaigns.actions.text_guidance import GlossaryTerm, Scope, set_glossary, term_errors
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, TestSet, TextGuidance


def guidance_of(test_set: TestSet, scope: Scope) -> TextGuidance | None:
    rows = TextGuidance.objects.filter(test_set=test_set, domain=scope.domain)
    return rows.filter(document__name=scope.document).first() if scope.document else rows.filter(document=None).first()


def terms_of(guidance: TextGuidance | None) -> list[GlossaryTerm]:
    return [GlossaryTerm.of(stored) for stored in guidance.glossary] if guidance else []


def set_term(*, test_set: TestSet, scope: Scope, term: GlossaryTerm, was: str, by: Account | None) -> None:
    """In place of the term `was`, or after all others; InvalidInput by the part that is wrong."""
    errors = {part: [error] for part, error in term_errors(term).items()}
    with transaction.atomic():
        terms = _locked_terms(test_set, scope)
        place = _place_of(was, terms)
        if was and place is None:
            errors["term"] = [_("This term was changed or removed meanwhile. Load the page again.")]
        if _place_of(term.term, terms) not in (None, place):
            errors["term"] = [_("The glossary has this term already. Change it there.")]
        if errors:
            raise InvalidInput(errors)
        at = len(terms) if place is None else place
        set_glossary(test_set=test_set, scope=scope, terms=[*terms[:at], term, *terms[at + 1 :]], by=by)


def remove_term(*, test_set: TestSet, scope: Scope, term: str, by: Account | None) -> None:
    """Nothing happens if somebody else has removed it."""
    with transaction.atomic():
        terms = _locked_terms(test_set, scope)
        left = [each for each in terms if each.term.casefold() != term.casefold()]
        set_glossary(test_set=test_set, scope=scope, terms=left, by=by)


def _locked_terms(test_set: TestSet, scope: Scope) -> list[GlossaryTerm]:
    TestSet.objects.select_for_update().get(pk=test_set.pk)
    return terms_of(guidance_of(test_set, scope))


def _place_of(term: str, terms: Sequence[GlossaryTerm]) -> int | None:
    own = term.casefold()
    return next((place for place, each in enumerate(terms) if own and each.term.casefold() == own), None)
