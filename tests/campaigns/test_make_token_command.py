"""`make_token`: the first token of an installation, without a page."""

from datetime import timedelta
from io import StringIO

from django.core.management import CommandError, call_command
from django.utils import timezone

import pytest

from campaigns.models import ApiToken
from campaigns.secret_keys import hash_secret
from tests.cast import Cast


def test_it_prints_the_token_alone_and_keeps_its_hash(cast: Cast) -> None:
    printed = StringIO()
    call_command("make_token", "olive", "--scope", "read", "--scope", "write", "--days", "2", stdout=printed)
    token = ApiToken.objects.get(secret_hash=hash_secret(printed.getvalue().strip()))
    assert (token.account, token.scope_names) == (cast.organiser, ["read", "write"])
    assert token.expires_at is not None
    assert abs(token.expires_at - timezone.now() - timedelta(days=2)) < timedelta(minutes=1)


@pytest.mark.parametrize(
    ("arguments", "message"), [(["nobody"], "no account"), (["olive", "--days", "0"], "time in the future")]
)
def test_impossible_tokens_are_refused(cast: Cast, arguments: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("make_token", *arguments)
    assert not ApiToken.objects.exists()
