"""Programs' keys."""

from campaigns.actions import make_api_token, revoke_api_token
from campaigns.models import ApiToken, AuditEntry
from campaigns.secret_keys import hash_secret
from tests.cast import Cast


def test_the_key_is_shown_once_and_kept_as_its_hash(cast: Cast) -> None:
    token, key = make_api_token(account=cast.annotator, name="notebook", by=cast.annotator)
    assert key.startswith("assay_")
    assert ApiToken.objects.get(secret_hash=hash_secret(key)) == token
    assert key not in repr([*ApiToken.objects.values_list(), *AuditEntry.objects.values_list()])


def test_revoking_twice_keeps_the_first_time(cast: Cast) -> None:
    token, _key = make_api_token(account=cast.annotator, name="notebook", by=cast.annotator)
    first = revoke_api_token(token=token, by=cast.organiser).revoked_at
    assert first is not None
    assert revoke_api_token(token=token, by=cast.annotator).revoked_at == first
    assert AuditEntry.objects.get(action="api_token_revoked").actor == cast.organiser
