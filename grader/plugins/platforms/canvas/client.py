"""Requests to the API of Canvas (Instructure, "Canvas LMS API": OAuth2, Pagination, Throttling).

A request refused by rate limiting is sent again after a pause, since Canvas has not processed it. Any other request is
sent only once. The token is only sent to the server that the user specified.
"""

from collections.abc import Callable, Iterator, Mapping
from ipaddress import ip_address
from time import sleep
from typing import Any
from urllib.parse import quote

import httpx

from grader.platforms.platform import ExportError
from grader.store.origin import harness_version
from grader.text.escape import escape_controls

_SECONDS = 60.0
# Together about two minutes; Canvas refills the quota faster than that.
_PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0)
_LONGEST_PAUSE = 120.0
_PER_PAGE = 100


class UnknownOutcomeError(ExportError):
    """Canvas may or may not have accepted the data."""


class CanvasClient:
    """A client of the Canvas API at `url`, such as `https://school.instructure.com`, for the owner of the token.

    Raises ExportError if a token must not be sent to this URL. Its methods raise ExportError if Canvas cannot be
    reached or refuses a request; the message never contains the token.
    """

    def __init__(self, url: str, token: str, wait: Callable[[float], None] = sleep) -> None:
        self._origin = _checked_url(url)
        self._token = token
        self._wait = wait
        self._http = httpx.Client(
            headers={"Authorization": f"Bearer {token}", "User-Agent": f"grader/{harness_version()}"},
            timeout=_SECONDS,
        )

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def get(self, *path: str) -> dict[str, Any]:
        """Return the object at a path below api/v1."""
        return _object(self._answer("GET", self._url(path)))

    def get_all(self, *path: str, **parameters: str) -> Iterator[dict[str, Any]]:
        """Return the objects of a list from all its pages."""
        url = self._url(path).copy_merge_params({**parameters, "per_page": str(_PER_PAGE)})
        seen: set[str] = set()
        while True:
            answer = self._answer("GET", url)
            yield from _objects(answer)
            following = answer.links.get("next", {}).get("url")
            if following is None:
                return
            url = self._own(url.join(following))
            if str(url) in seen:
                raise ExportError(f"Canvas gives the page {url.path} again and again.")
            seen.add(str(url))

    def post(self, *path: str, form: Mapping[str, str]) -> dict[str, Any]:
        """Send data and return the answer. Raises UnknownOutcomeError if Canvas may have accepted it anyway."""
        return _object(self._answer("POST", self._url(path), form))

    def _url(self, path: tuple[str, ...]) -> httpx.URL:
        return self._origin.join("/".join(("/api/v1", *(quote(part, safe="") for part in path))))

    def _own(self, url: httpx.URL) -> httpx.URL:
        if (url.scheme, url.host, url.port) != (self._origin.scheme, self._origin.host, self._origin.port):
            raise ExportError(f"Canvas at {self._origin} leads to {url.host}, to which the token is not sent.")
        return url

    def _answer(self, method: str, url: httpx.URL, form: Mapping[str, str] | None = None) -> httpx.Response:
        for pause in (*_PAUSES, None):
            answer = self._sent(method, url, form)
            if not _is_throttled(answer):
                break
            if pause is not None:
                self._wait(min(_asked_pause(answer, pause), _LONGEST_PAUSE))
        return self._checked(method, answer)

    def _sent(self, method: str, url: httpx.URL, form: Mapping[str, str] | None) -> httpx.Response:
        try:
            return self._http.request(method, url, data=form)
        except httpx.ConnectError as error:
            raise ExportError(f"Canvas at {self._origin} cannot be reached: {error}") from None
        except httpx.HTTPError as error:
            why = f"Canvas at {self._origin} gave no answer ({type(error).__name__})."
            raise self._fault(method, why) from None

    def _fault(self, method: str, why: str) -> ExportError:
        if method == "GET":
            return ExportError(why)
        return UnknownOutcomeError(
            f"{why} It is not known whether the marks were taken. Nothing is sent twice: run the command again without "
            "--send, and it says what is missing on Canvas."
        )

    def _checked(self, method: str, answer: httpx.Response) -> httpx.Response:
        if answer.is_success:
            return answer
        where = answer.request.url.path
        if answer.is_server_error:
            raise self._fault(method, f"Canvas answered {where} with a fault of its own ({answer.status_code}).")
        raise ExportError(_refusal(answer, where).replace(self._token, "(token)"))


def _checked_url(text: str) -> httpx.URL:
    try:
        url = httpx.URL(text)
        is_own = url.host == "localhost" or (url.host != "" and ip_address(url.host).is_loopback)
    except httpx.InvalidURL:
        raise ExportError(f"{text!r} is no address; expected one such as https://school.instructure.com") from None
    except ValueError:
        is_own = False
    if not url.host or url.scheme not in ("http", "https") or url.path not in ("", "/") or url.userinfo or url.query:
        raise ExportError(f"{text!r} is no address; expected one such as https://school.instructure.com")
    if url.scheme == "http" and not is_own:
        raise ExportError(f"{text} would send the token for all to read; expected an address with https.")
    return url


def _is_throttled(answer: httpx.Response) -> bool:
    return answer.status_code == 429 or (answer.status_code == 403 and "Rate Limit Exceeded" in answer.text)


def _asked_pause(answer: httpx.Response, otherwise: float) -> float:
    seconds = answer.headers.get("Retry-After", "")
    return float(seconds) if seconds.isdecimal() else otherwise


def _refusal(answer: httpx.Response, where: str) -> str:
    """Explain a refusal; Canvas's own answer may repeat the request."""
    match answer.status_code:
        case 401:
            return "Canvas does not know the token in CANVAS_TOKEN, or it has ended: make one under Account, Settings."
        case 403 if not _is_throttled(answer):
            return f"The owner of the token may not use {where}; marks need the permission to edit grades."
        case 403 | 429:
            return (
                "Canvas takes no more requests for now (rate limit), and nothing was changed by this one; wait a while."
            )
        case 404:
            return f"Canvas knows no {where}: look at --canvas-course and --canvas-assignment."
        case code if answer.is_redirect:
            return f"Canvas answered {where} with a redirection ({code}): give the address that it leads to."
        case code:
            return f"Canvas refused {where} ({code}): {escape_controls(answer.text[:300])}"


def _object(answer: httpx.Response) -> dict[str, Any]:
    content = _json(answer)
    if not isinstance(content, dict):
        raise ExportError(f"Canvas answered {answer.request.url.path} with a list; expected an object.")
    return content


def _objects(answer: httpx.Response) -> list[dict[str, Any]]:
    content = _json(answer)
    if not isinstance(content, list) or not all(isinstance(item, dict) for item in content):
        raise ExportError(f"Canvas answered {answer.request.url.path} with no list of objects.")
    return content


def _json(answer: httpx.Response) -> object:
    try:
        return answer.json()
    except ValueError:
        raise ExportError(
            f"{answer.request.url.host} answered {answer.request.url.path} with no JSON: is this the address of Canvas?"
        ) from None
