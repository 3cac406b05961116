"""OpenID Connect: what is asked of the provider, and how its answer is verified before anything is believed.

mozilla-django-oidc begins the flow (state, nonce, PKCE), fetches tokens and checks signature and nonce. What it leaves
to its users is here: discovery, choice of key, issuer, audience, subject, and errors in words (docs/decisions/0067).
Imported only when somebody signs in by a provider, because it brings large libraries along.
"""

import logging
import time
from collections.abc import Mapping
from enum import Enum, auto
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponseRedirect

import jwt
import requests
from mozilla_django_oidc.auth import OIDCAuthenticationBackend
from mozilla_django_oidc.views import OIDCAuthenticationRequestView

from campaigns.actions.identities import ProvedPerson

logger = logging.getLogger(__name__)

STATES = "oidc_states"  # of the session, as the library names it
TIMEOUT = 5  # seconds for each answer of the provider
KNOWN_FOR = 3600  # seconds for which its addresses are remembered
BEGUN_FOR = 600  # seconds in which somebody signs in there
# what the library raises of answers that are not as they should be
_NOT_AS_AGREED = (
    requests.RequestException, jwt.PyJWTError, SuspiciousOperation, LookupError, TypeError, ValueError, AttributeError,
)  # fmt: skip
_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")


class Problem(Enum):
    """Why a sign-in by the provider did not come about, without fault of the account."""

    UNREACHABLE = auto()
    NOT_BEGUN = auto()
    DENIED = auto()
    NOT_VERIFIED = auto()


class ProviderError(Exception):
    """The reason for the log is not shown: it is about the provider, not about the person."""

    def __init__(self, problem: Problem, reason: object = "") -> None:
        self.problem = problem
        super().__init__(str(reason))
        logger.warning("sign-in by the provider: %s %s", problem.name.lower(), reason)


# --- what the provider is ---------------------------------------------------------------------------------------------
def provider() -> Mapping[str, Any]:
    """Its description (OpenID Connect Discovery 1.0), for an hour. Raises ProviderError."""
    issuer: str = settings.PROVIDER_ISSUER
    key = f"openid:{issuer}"
    known: Mapping[str, Any] | None = cache.get(key)
    if known is None:
        known = _described(issuer)
        cache.set(key, known, KNOWN_FOR)
    return known


def _described(issuer: str) -> Mapping[str, Any]:
    try:
        answer = requests.get(f"{issuer.rstrip('/')}/.well-known/openid-configuration", timeout=TIMEOUT)
        answer.raise_for_status()
        described = answer.json()
    except (requests.RequestException, ValueError) as error:
        raise ProviderError(Problem.UNREACHABLE, error) from error
    if not isinstance(described, dict) or str(described.get("issuer", "")).rstrip("/") != issuer.rstrip("/"):
        raise ProviderError(Problem.NOT_VERIFIED, "it describes another issuer than ASSAY_OIDC_ISSUER")
    scheme = urlsplit(issuer).scheme
    if any(urlsplit(str(described.get(name, ""))).scheme not in {"https", scheme} for name in _ENDPOINTS):
        raise ProviderError(Problem.NOT_VERIFIED, f"it does not say all of {', '.join(_ENDPOINTS)}, with https")
    return described


def sign_out_address(after: str) -> str:
    """Where people sign out at the provider, too (RP-Initiated Logout 1.0); empty where it has no such page."""
    try:
        address = provider().get("end_session_endpoint")
    except ProviderError:
        return ""
    values = urlencode({"client_id": settings.PROVIDER_CLIENT_ID, "post_logout_redirect_uri": after})
    return f"{address}{'&' if '?' in str(address) else '?'}{values}" if address else ""


def _setting(name: str, *default: Any) -> Any:
    """The library's settings, from ours and from what the provider says of itself."""
    described = provider()
    methods = described.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
    values = {
        "OIDC_OP_AUTHORIZATION_ENDPOINT": described["authorization_endpoint"],
        "OIDC_OP_TOKEN_ENDPOINT": described["token_endpoint"],
        "OIDC_OP_USER_ENDPOINT": described.get("userinfo_endpoint", ""),
        "OIDC_OP_JWKS_ENDPOINT": described["jwks_uri"],
        "OIDC_RP_CLIENT_ID": settings.PROVIDER_CLIENT_ID,
        "OIDC_RP_CLIENT_SECRET": settings.PROVIDER_CLIENT_SECRET,
        "OIDC_RP_SCOPES": settings.PROVIDER_SCOPES,
        "OIDC_RP_SIGN_ALGO": settings.PROVIDER_ALGORITHM,
        "OIDC_TOKEN_USE_BASIC_AUTH": "client_secret_post" not in methods,
        "OIDC_AUTHENTICATION_CALLBACK_URL": "provider-callback",
        "OIDC_USE_PKCE": True,
        "OIDC_TIMEOUT": TIMEOUT,
    }
    return values.get(name, *default)


# --- there ------------------------------------------------------------------------------------------------------------
class _Begun(OIDCAuthenticationRequestView):
    get_settings = staticmethod(_setting)


def begin(request: HttpRequest, **remembered: object) -> HttpResponseRedirect:
    """To the provider. `remembered` is kept with the state, in the session. Raises ProviderError."""
    answer: HttpResponseRedirect = _Begun().get(request)
    [state] = parse_qs(urlsplit(answer.url).query)["state"]
    request.session[STATES][state].update(remembered)
    request.session.modified = True
    return answer


# --- and back ---------------------------------------------------------------------------------------------------------
def take_flow(request: HttpRequest) -> dict[str, Any]:
    """What was remembered when the flow was begun, in this browser; once. Raises ProviderError."""
    flow: dict[str, Any] | None = request.session.get(STATES, {}).pop(request.GET.get("state", ""), None)
    request.session.modified = True
    if flow is None and "error" in request.GET:  # some leave the state out then, and nothing follows from it
        raise ProviderError(Problem.DENIED, request.GET["error"][:80])
    if flow is None or time.time() > flow["added_on"] + BEGUN_FOR:
        raise ProviderError(Problem.NOT_BEGUN)
    return flow


def person_of(request: HttpRequest, flow: Mapping[str, Any]) -> ProvedPerson:
    """Who came back from the provider. Raises ProviderError."""
    described = provider()
    if request.GET.get("iss", described["issuer"]) != described["issuer"]:  # RFC 9207
        raise ProviderError(Problem.NOT_VERIFIED, "the answer is of another issuer")
    if "error" in request.GET or "code" not in request.GET:
        raise ProviderError(Problem.DENIED, request.GET.get("error", "no code")[:80])
    try:
        person = _Answer().authenticate(request, nonce=flow["nonce"], code_verifier=flow["code_verifier"])
    except (requests.ConnectionError, requests.Timeout) as error:
        raise ProviderError(Problem.UNREACHABLE, error) from error
    except _NOT_AS_AGREED as error:
        raise ProviderError(Problem.NOT_VERIFIED, f"{type(error).__name__}: {str(error)[:200]}") from error
    if not isinstance(person, ProvedPerson):
        raise ProviderError(Problem.NOT_VERIFIED, "no identity came")
    return person


class _Answer(OIDCAuthenticationBackend):
    """Exchanges the code, and verifies what comes (OpenID Connect Core 1.0, section 3.1.3.7)."""

    get_settings = staticmethod(_setting)

    def retrieve_matching_jwk(self, token: str) -> jwt.PyJWK:
        """The provider's key by its `kid`; a token may name none where only one key fits. The library asks for one."""
        algorithm: str = settings.PROVIDER_ALGORITHM
        kind = "RSA" if algorithm.startswith("RS") else "EC"
        kid = jwt.get_unverified_header(token).get("kid")
        answer = requests.get(self.OIDC_OP_JWKS_ENDPOINT, timeout=TIMEOUT)
        answer.raise_for_status()
        fitting = [
            key
            for key in answer.json()["keys"]
            if (key.get("kty"), key.get("use", "sig"), key.get("alg", algorithm)) == (kind, "sig", algorithm)
            and kid in (None, key.get("kid"))
        ]
        if len(fitting) != 1:
            raise ProviderError(Problem.NOT_VERIFIED, f"{len(fitting)} keys fit the token")
        return jwt.PyJWK(fitting[0], algorithm=algorithm)

    def verify_token(self, token: str, **kwargs: Any) -> dict[str, Any]:
        """Signature, algorithm, nonce and time by the library; whom it is from, and for, here."""
        claims: dict[str, Any] = super().verify_token(token, **kwargs)
        audience = claims.get("aud")
        audiences = audience if isinstance(audience, list) else [audience]
        client = settings.PROVIDER_CLIENT_ID
        if claims.get("iss") != provider()["issuer"]:
            raise ProviderError(Problem.NOT_VERIFIED, "the token is of another issuer")
        if client not in audiences or (len(audiences) > 1 and "azp" not in claims):
            raise ProviderError(Problem.NOT_VERIFIED, "the token is for another client")
        if claims.get("azp", client) != client:
            raise ProviderError(Problem.NOT_VERIFIED, "the token was issued to another client")
        if "exp" not in claims or not isinstance(claims.get("sub"), str) or not 0 < len(claims["sub"]) <= 255:
            raise ProviderError(Problem.NOT_VERIFIED, "the token has no end or no subject")
        return claims

    def get_or_create_user(self, access_token: str, id_token: str, payload: dict[str, Any]) -> ProvedPerson:
        """A person, not an account yet. Claims of the userinfo endpoint count if they are of the same subject."""
        claims = dict(payload)
        if "email_verified" not in claims:  # the address counts as verified only by who names it
            claims.pop("email", None)
        if self.OIDC_OP_USER_ENDPOINT:
            more = self.get_userinfo(access_token, id_token, payload)
            if not isinstance(more, dict) or more.get("sub") != payload["sub"]:
                raise ProviderError(Problem.NOT_VERIFIED, "the userinfo is of another subject")
            if "email" in claims:
                more.pop("email", None)
            claims = more | claims
        return _person(claims)


def _person(claims: Mapping[str, Any]) -> ProvedPerson:
    def text(name: str) -> str:
        value = claims.get(name)
        return " ".join(value.replace("\x00", "").split()) if isinstance(value, str) else ""

    address = text("email") if claims.get("email_verified") is True else ""
    return ProvedPerson(
        issuer=claims["iss"],
        subject=claims["sub"],
        name=text("name"),
        username=text("preferred_username"),
        email=address if len(address) <= 254 else "",
        organises=_organises(claims),
    )


def _organises(claims: Mapping[str, Any]) -> bool | None:
    """`realm_access.roles` is a claim within a claim; a name that has dots itself is looked for as it is first."""
    path = settings.PROVIDER_ORGANISER_CLAIM
    if not path:
        return None
    value: Any = claims
    for part in [path] if path in claims else path.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    values = value if isinstance(value, list) else [value]
    return any(each in settings.PROVIDER_ORGANISER_VALUES for each in values if isinstance(each, str))
