"""A provider of sign-ins in this process, which says what a test has it say; the real one has tests of its own."""

import base64
import hashlib
import json
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.core.cache import cache
from django.test import Client

import jwt
import pytest
import requests
from cryptography.hazmat.primitives.asymmetric import rsa
from pytest_django import Settings

ISSUER, CLIENT_ID, SECRET = "https://id.example", "assay", "a secret of at least thirty-two bytes"
KEY, OTHER_KEY = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _each in range(2))
BEGIN, BACK = "/sign-in/provider/", "/sign-in/provider/back/"


@dataclass
class LyingProvider:
    """`token` and `userinfo` are claims beside the right ones; None takes a claim away."""

    described: dict[str, Any] = field(default_factory=dict)
    token: dict[str, Any] = field(default_factory=dict)
    userinfo: dict[str, Any] = field(default_factory=dict)
    signed_with: Any = KEY
    algorithm: str = "RS256"
    kid: str | None = "1"
    more_keys: list[dict[str, Any]] = field(default_factory=list)
    is_away: bool = False
    asked: dict[str, str] = field(default_factory=dict)  # by the last authorization request
    exchanged: dict[str, str] = field(default_factory=dict)  # in the last token request

    def description(self) -> dict[str, Any]:
        return {
            "issuer": ISSUER,
            "authorization_endpoint": f"{ISSUER}/authorize",
            "token_endpoint": f"{ISSUER}/token",
            "userinfo_endpoint": f"{ISSUER}/userinfo",
            "jwks_uri": f"{ISSUER}/jwks",
            "end_session_endpoint": f"{ISSUER}/end",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
            **self.described,
        }

    def get(self, address: str, **options: Any) -> requests.Response:
        assert options["timeout"]
        if self.is_away:
            raise requests.ConnectionError("nobody is there")
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key()))
        return _answer(
            {
                "/.well-known/openid-configuration": self.description(),
                "/jwks": {"keys": [{**public, "kid": "1", "alg": "RS256"}, *self.more_keys]},
                "/userinfo": {"sub": "ada-1", **self.userinfo},
            }[urlsplit(address).path]
        )

    def post(self, address: str, data: dict[str, str], **options: Any) -> requests.Response:
        assert options["timeout"]
        assert address == f"{ISSUER}/token"
        self.exchanged = data
        return _answer({"access_token": "a", "token_type": "Bearer", "id_token": self.signed()})

    def signed(self) -> str:
        claims = {
            "iss": ISSUER, "aud": CLIENT_ID, "sub": "ada-1", "nonce": self.asked["nonce"], "iat": int(time.time()),
            "exp": int(time.time()) + 60, **self.token,
        }  # fmt: skip
        sent = {name: value for name, value in claims.items() if value is not None}
        key: Any = None if self.algorithm == "none" else self.signed_with
        return jwt.encode(sent, key, algorithm=self.algorithm, headers={"kid": self.kid} if self.kid else None)

    def begun(self, client: Client, address: str = BEGIN) -> str:
        """The state."""
        response = client.get(address)
        assert response["Location"].startswith(f"{ISSUER}/authorize?"), response.content
        self.asked = {name: value for name, [value] in parse_qs(urlsplit(response["Location"]).query).items()}
        return self.asked["state"]

    def came_back(self, client: Client, address: str = BEGIN, **values: str) -> Any:
        state = self.begun(client, address)
        return client.get(BACK, {"code": "c", "state": state, **values})

    def challenge_fits(self) -> bool:
        """PKCE (RFC 7636): what was sent now is what the challenge was made of."""
        digest = hashlib.sha256(self.exchanged["code_verifier"].encode()).digest()
        return self.asked["code_challenge"] == base64.urlsafe_b64encode(digest).decode().rstrip("=")


def _answer(body: object) -> requests.Response:
    response = requests.Response()
    response.status_code = 200
    response.headers["Content-Type"] = "application/json"
    response._content = json.dumps(body).encode()
    return response


@pytest.fixture
def provider(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> LyingProvider:
    cache.clear()
    settings.PROVIDER_ISSUER, settings.PROVIDER_LABEL = ISSUER, "Example University"
    settings.PROVIDER_CLIENT_ID, settings.PROVIDER_CLIENT_SECRET = CLIENT_ID, SECRET
    made = LyingProvider()
    monkeypatch.setattr(requests, "get", made.get)
    monkeypatch.setattr(requests, "post", made.post)
    return made
