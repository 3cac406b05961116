"""What is left of a questionnaire once its annotator is forgotten."""

import pytest

from campaigns.models import AuditEntry, Campaign, FormAnswer, Withdrawal
from metrics.actions.forgetting import forget_person
from tests.cast import Cast
from tests.rows_made_once import made_once
from tests.sample_campaign import make_campaign
from tests.sample_questionnaire import answer_questionnaire, make_questionnaire

stored, cast, test_set, campaign = made_once(make_campaign)


@pytest.mark.parametrize(("how", "left"), [(Withdrawal.PSEUDONYMISED, 4), (Withdrawal.ERASED, 0)])
def test_a_number_keeps_what_names_nobody(campaign: Campaign, cast: Cast, how: str, left: int) -> None:
    """Words about oneself go."""
    form = make_questionnaire(campaign)
    answer_questionnaire(campaign, cast.annotator)
    answer_questionnaire(campaign, cast.second_annotator)
    forget_person(account=cast.annotator, how=how, by=cast.organiser)
    others = FormAnswer.objects.exclude(annotator=cast.second_annotator)
    assert others.count() == left
    assert not others.filter(question__kind="text").exists()
    assert not others.filter(annotator=cast.annotator).exists()
    assert form.replies.exclude(annotator=cast.second_annotator).count() == bool(left)
    assert FormAnswer.objects.filter(annotator=cast.second_annotator).count() == 5
    assert not AuditEntry.objects.filter(actor=cast.annotator).exists()
