"""What pages of other sites, and people without the address, can do: nothing."""

from http.client import HTTPConnection
from urllib.parse import urlencode, urlsplit

import pytest

from tests.conftest import SmallCourse
from tests.plugins.web.serve.marked_course import EVIL, Client

PAGES = (
    "/index.html",
    "/students/ann.html",
    "/groups.html",
    "/requests.html",
    "/overview.html",
    "/changes",
    "/tests/small.html",
)


@pytest.mark.parametrize("path", PAGES)
def test_without_a_cookie_there_is_nothing(path: str, address: str) -> None:
    stranger = Client(address)
    assert stranger.get(path).status == 403
    for cookie in ("", "x", "WyJFdmUiLCJ4Il0.AAAA"):
        stranger.cookie = f"grader-{urlsplit(address).port}={cookie}"
        answer = stranger.get(path)
        assert (answer.status, "ann" in answer.text) == (403, False)


def test_only_the_token_lets_in(address: str) -> None:
    stranger = Client(address)
    assert stranger.get("/").status == stranger.get("/?token=guessed").status == 403
    assert stranger.post("/enter", token="guessed", name="Eve").status == 403
    assert stranger.get(f"/?{urlsplit(address).query}").status == 200


def test_the_cookie_is_for_this_server_alone(address: str) -> None:
    token = urlsplit(address).query.removeprefix("token=")
    cookie = Client(address).post("/enter", token=token, name="Eve").headers["set-cookie"]
    assert cookie.startswith(f"grader-{urlsplit(address).port}=")
    assert {"HttpOnly", "Path=/", "SameSite=strict"} <= set(cookie.split("; "))


@pytest.mark.parametrize("name", ["", "  ", "x" * 81, "a\x1bb", "a\u202eb"])
def test_a_marker_has_a_name_that_can_be_shown(name: str, address: str) -> None:
    token = urlsplit(address).query.removeprefix("token=")
    answer = Client(address).post("/enter", token=token, name=name)
    assert (answer.status, "set-cookie" in answer.headers) == (400, False)


@pytest.mark.parametrize(
    "host", ["evil.test", "evil.test:8765", "127.0.0.1.evil.test", "localhost@evil.test", "[::2]", "", "127.0.0.1:1:2"]
)
def test_another_name_for_this_machine_leads_nowhere(host: str, marker: Client) -> None:
    answer = marker.ask("GET", "/index.html", Host=host)
    assert answer.status == 403
    assert "ann" not in answer.text


def test_a_request_with_two_hosts_or_none_is_refused(marker: Client) -> None:
    where = urlsplit(marker.address)
    for hosts in ([], [where.netloc, "evil.test"]):
        connection = HTTPConnection(where.hostname or "", where.port)
        connection.putrequest("GET", "/index.html", skip_host=True)
        for host in hosts:
            connection.putheader("Host", host)
        connection.putheader("Cookie", marker.cookie)
        connection.endheaders()
        with connection.getresponse() as response:
            assert response.status in (400, 403)
        connection.close()


@pytest.mark.parametrize("host", ["127.0.0.1:9000", "localhost", "[::1]:8765"])
def test_a_tunnel_may_have_another_port(host: str, marker: Client) -> None:
    assert marker.ask("GET", "/index.html", Host=host).status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.test"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_a_form_of_another_site_changes_nothing(
    headers: dict[str, str], marker: Client, shared_course: SmallCourse
) -> None:
    page = marker.student("ann")
    fields = {"form_key": page.value("form_key"), "seen": "", "student": "ann", "item": "names", "points": "1"}
    answer = marker.ask("POST", "/decide/points", urlencode(fields), **headers)
    assert answer.status == 403
    assert not (shared_course.students / "marks.yaml").exists()


def test_a_form_needs_the_key_of_its_marker(address: str, shared_course: SmallCourse) -> None:
    eve, dan = Client(address).enter("Eve"), Client(address).enter("Dan")
    fields = {"seen": "", "student": "ann", "item": "names", "points": "1"}
    for key in ("", "x", dan.student("ann").value("form_key")):
        assert eve.post("/decide/points", form_key=key, **fields).status == 403
    assert not (shared_course.students / "marks.yaml").exists()


@pytest.mark.parametrize(
    "path",
    [
        "/students/../../../etc/passwd.html",
        "/students/..%2f..%2f..%2fetc%2fpasswd.html",
        "/students/%2e%2e.html",
        "/students/ann%00.html",
        "/tests/..%2fassignment.html",
        "/assets/..%2f..%2fapp.py",
        "/assets/serve.js",
        "/students/zed.html",
    ],
)
def test_no_path_leads_out_of_the_class(path: str, marker: Client) -> None:
    answer = marker.get(path)
    assert answer.status == 404
    assert "root:" not in answer.text


@pytest.mark.parametrize(
    "back", ["//evil.test", "http://evil.test", "/\\evil.test", "/\r\nSet-Cookie: a=b", "javascript:alert(1)"]
)
def test_a_form_leads_back_to_this_server_only(back: str, marker: Client, shared_course: SmallCourse) -> None:
    page = marker.student("ann")
    answer = marker.decide("request", page, student="ann", text="x", back=back)
    (shared_course.students / "requests.yaml").unlink()
    assert (answer.status, answer.headers["location"]) == (303, "/index.html")
    assert "set-cookie" not in answer.headers
    fields = {"form_key": page.value("form_key"), "seen": "stale", "student": "ann", "item": "names", "points": "1"}
    conflict = marker.post("/decide/points", **fields, back=back)
    assert conflict.status == 409
    assert '<a href="/index.html">Keep this</a>' in conflict.text


def test_what_students_wrote_and_are_called_is_text(marker: Client) -> None:
    page = marker.get("/index.html")
    assert EVIL not in page.text
    link = next(part.split('"')[0] for part in page.text.split('href="')[1:] if part.startswith("/students/img-src"))
    student = marker.get(link)
    assert student.status == 200
    for text in (student.text, marker.get("/groups.html").text, marker.get("/tests/small.html").text):
        assert EVIL not in text
        assert "\x1b" not in text
    policy = student.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "<script>" not in student.text
    assert " style=" not in student.text


def test_a_student_called_like_a_device_has_a_page(marker: Client) -> None:
    assert marker.get("/students/_con-d85a5a3a84.html").status == 404
    page = marker.get("/index.html").text
    link = next(part.split('"')[0] for part in page.split('href="')[1:] if part.startswith("/students/_con"))
    assert "<h1>con</h1>" in marker.get(link).text


def test_a_form_that_is_none_is_refused(marker: Client) -> None:
    for body in (b"\xff\xfe", b"a=%ff", b"&".join(b"a=1" for _ in range(100))):
        assert marker.ask("POST", "/decide/points", body).status == 400
    assert marker.ask("PUT", "/decide/points", b"").status == 405
    assert marker.get("/decide/points").status == 405
    assert {marker.get(f"/changes?since={since}").status for since in ("%D9%A3", "-1", "9" * 5_000)} == {200}
