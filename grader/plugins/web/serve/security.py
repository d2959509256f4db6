"""Who may ask for pages and change marks: holders of the address that was printed, from pages of this server alone.

The first address has a token; who comes with it gives a name and gets a cookie that is signed with the token. A page of
another site can neither read nor send anything: the name in the address must be this machine's own (so no foreign name
can be made to lead here), browsers say where a form comes from, and each form has a signature of the cookie's.
"""

import re
from dataclasses import dataclass
from secrets import compare_digest, token_urlsafe

from itsdangerous import BadSignature, Signer, URLSafeSerializer
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_OWN_NAMES = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?")
_SAFE = ("GET", "HEAD")
_SAME = (None, "none", "same-origin")
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # With none at all, browsers would not say where a form comes from.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

LONGEST_NAME = 80


@dataclass(frozen=True)
class Marker:
    """Who marks: the name that was given, and what tells this browser from others."""

    name: str
    session: str


@dataclass(frozen=True)
class EntryKeys:
    """The token of one run, and what is signed with it."""

    token: str

    def fits(self, token: str) -> bool:
        """Return whether this is the token."""
        return compare_digest(token.encode("utf-8", "replace"), self.token.encode())

    def cookie_for(self, name: str) -> str:
        """Return the cookie of a marker who has just come in."""
        cookie: str = URLSafeSerializer(self.token, salt="marker").dumps([name, token_urlsafe(12)])
        return cookie

    def marker(self, cookie: str | None) -> Marker | None:
        """Return the marker whose cookie this is; None if it is not from this run."""
        try:
            name, session = URLSafeSerializer(self.token, salt="marker").loads(cookie or "")
        except (BadSignature, ValueError, TypeError):
            return None
        return Marker(name, session)

    def form_key(self, marker: Marker) -> str:
        """Return the key that a marker's forms carry."""
        key: bytes = Signer(self.token, salt="form").get_signature(marker.session)
        return key.decode()

    def is_form_key(self, marker: Marker, key: str) -> bool:
        """Return whether a form is one that was made for this marker."""
        return compare_digest(key.encode("utf-8", "replace"), self.form_key(marker).encode())


def new_keys() -> EntryKeys:
    """Make the keys of a new run."""
    return EntryKeys(token_urlsafe(24))


def refusal(method: str, headers: Headers) -> str | None:
    """Return the reason to refuse a request, or None."""
    host = headers.get("host", "")
    if len(headers.getlist("host")) != 1 or not _OWN_NAMES.fullmatch(host):
        return "This server answers to 127.0.0.1 and localhost only: use the address that it printed."
    if headers.get("origin") not in (None, f"http://{host}"):
        return "This request comes from a page of another site."
    if method not in _SAFE and headers.get("sec-fetch-site") not in _SAME:
        return "This form comes from a page of another site."
    return None


class Gate:
    """Stands before the application: refuses requests from elsewhere, and adds what browsers are to keep to."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        reason = refusal(scope["method"], Headers(scope=scope))
        answer: ASGIApp = self.app if reason is None else PlainTextResponse(reason, 403)
        await answer(scope, receive, send_with_headers)
