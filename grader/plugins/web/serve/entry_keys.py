"""Permission to change marks, for people who have the printed URL.

This URL contains a token; anyone who presents it gives a name and gets a cookie signed with the token. Each
form carries a signature derived from the cookie.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from secrets import compare_digest, token_urlsafe

from itsdangerous import BadSignature, Signer, URLSafeSerializer

LONGEST_NAME = 80


@dataclass(frozen=True)
class Marker:
    """A marker: the given name, and a value that distinguishes this browser from others."""

    name: str
    session: str


@dataclass(frozen=True)
class EntryKeys:
    """The token of one run, and the keys signed with this token."""

    token: str

    def fits(self, token: str) -> bool:
        """Return whether this is the token."""
        return compare_digest(token.encode("utf-8", "replace"), self.token.encode())

    def cookie_for(self, name: str) -> str:
        """Return the cookie of a marker who has just entered."""
        cookie: str = URLSafeSerializer(self.token, salt="marker").dumps([name, token_urlsafe(12)])
        return cookie

    def marker(self, cookie: str | None) -> Marker | None:
        """Return the marker whose cookie this is, or None if it is not from this run."""
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
        """Return whether a form was made for this marker."""
        return compare_digest(key.encode("utf-8", "replace"), self.form_key(marker).encode())


@dataclass(frozen=True, kw_only=True)
class Entry:
    """The way in: the keys, and the port, which distinguishes the cookies of several servers.

    Behind a proxy, `user_header` names the header with the login of a marker, if the proxy asks for one.
    """

    keys: EntryKeys
    port: int
    is_behind_proxy: bool = False
    user_header: str | None = None

    @property
    def cookie(self) -> str:
        """The name of the cookie, which is all that browsers use to distinguish servers on the same machine."""
        return f"grader-{self.port}"

    def marker(self, cookie: str | None, logins: Sequence[str]) -> Marker | None:
        """Return the marker with this cookie, or with the login that the proxy has passed on."""
        if self.user_header is None:
            return self.keys.marker(cookie)
        name = " ".join(_decoded(logins[0]).split()) if len(logins) == 1 else ""
        return Marker(name, f"login {name}") if fits_as_name(name) else None


def fits_as_name(name: str) -> bool:
    """Return whether a marker may have this name."""
    return 0 < len(name) <= LONGEST_NAME and name.isprintable()


def _decoded(header: str) -> str:
    """Decode a header, which proxies write in UTF-8."""
    return header.encode("latin-1").decode("utf-8", "replace")


def new_keys() -> EntryKeys:
    """Make the keys of a new run."""
    return EntryKeys(token_urlsafe(24))
