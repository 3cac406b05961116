"""Programs' keys."""

import pytest

from campaigns.actions.tokens import make_api_token, revoke_api_token
from campaigns.invalid_input import InvalidInput
from campaigns.models import ApiToken, AuditEntry
from campaigns.queries import valid_tokens
from campaigns.secret_keys import hash_secret
from tests.cast import Cast


def test_the_key_is_shown_once_and_stored_as_its_hash(cast: Cast) -> None:
    token, key = make_api_token(account=cast.annotator, name="notebook", by=cast.annotator)
    assert key.startswith("assay_")
    assert ApiToken.objects.get(secret_hash=hash_secret(key)) == token
    assert key not in repr([*ApiToken.objects.values_list(), *AuditEntry.objects.values_list()])


def test_a_token_ends_with_the_one_it_was_made_with_and_takes_no_other_along(cast: Cast) -> None:
    first, _key = make_api_token(account=cast.annotator, name="first", by=cast.annotator)
    child, _key = make_api_token(account=cast.annotator, name="child", by=cast.annotator, within=first)
    make_api_token(account=cast.annotator, name="grandchild", by=cast.annotator, within=child)
    make_api_token(account=cast.annotator, name="sibling", by=cast.annotator, within=first)
    make_api_token(account=cast.annotator, name="other", by=cast.annotator)
    revoke_api_token(token=child, by=cast.annotator)
    assert _standing(cast) == {"first", "sibling", "other"}
    revoke_api_token(token=first, by=cast.annotator)
    assert _standing(cast) == {"other"}
    assert [entry.detail["tokens"] for entry in AuditEntry.objects.filter(action="api_token_revoked")] == [2, 2]


def test_a_token_that_has_ended_makes_none(cast: Cast) -> None:
    first, _key = make_api_token(account=cast.annotator, name="first", by=cast.annotator)
    child, _key = make_api_token(account=cast.annotator, name="child", by=cast.annotator, within=first)
    revoke_api_token(token=first, by=cast.annotator)
    with pytest.raises(InvalidInput, match="access has ended"):
        make_api_token(account=cast.annotator, name="grandchild", by=cast.annotator, within=child)


def _standing(cast: Cast) -> set[str]:
    return {token.name for token in valid_tokens(cast.annotator)}


def test_revoking_twice_keeps_the_first_time(cast: Cast) -> None:
    token, _key = make_api_token(account=cast.annotator, name="notebook", by=cast.annotator)
    first = revoke_api_token(token=token, by=cast.organiser).revoked_at
    assert first is not None
    assert revoke_api_token(token=token, by=cast.annotator).revoked_at == first
    assert AuditEntry.objects.get(action="api_token_revoked").actor == cast.organiser
