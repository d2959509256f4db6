"""Checks that requests only come from this server's pages.

A page of another site can neither read nor send anything: the host name in the address must be this machine's own (so
that no foreign name can point here), browsers report where a form comes from, and forms carry a key (see `entry_keys`).
"""

import re

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
    # With `no-referrer`, browsers would not report where a form comes from.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def refusal(method: str, headers: Headers, *, is_behind_proxy: bool = False) -> str | None:
    """Return the reason to refuse a request, or None. A proxy answers to its own name, over TLS unless it is local."""
    host = headers.get("host", "")
    if len(headers.getlist("host")) != 1 or not (is_behind_proxy or _OWN_NAMES.fullmatch(host)):
        return "This server answers to 127.0.0.1 and localhost only: use the address that it printed."
    is_plain = headers.get("origin") == f"http://{host}"
    if is_plain and not _OWN_NAMES.fullmatch(host):
        return (
            "Markers' names and marks would travel unencrypted: let the proxy serve https. For a trial without it, use "
            "http://localhost, or an SSH tunnel to the server."
        )
    if not is_plain and headers.get("origin") not in (None, f"https://{host}" if is_behind_proxy else None):
        return "This request comes from a page of another site."
    if method not in _SAFE and headers.get("sec-fetch-site") not in _SAME:
        return "This form comes from a page of another site."
    return None


class Gate:
    """A gate in front of the application, which refuses requests from elsewhere and adds rules for browsers."""

    def __init__(self, app: ASGIApp, *, is_behind_proxy: bool) -> None:
        self.app = app
        self.is_behind_proxy = is_behind_proxy

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

        reason = refusal(scope["method"], Headers(scope=scope), is_behind_proxy=self.is_behind_proxy)
        answer: ASGIApp = self.app if reason is None else PlainTextResponse(reason, 403)
        await answer(scope, receive, send_with_headers)
