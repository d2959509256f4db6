"""A reverse proxy asks for passwords over TLS and passes on who logged in; the header counts over the socket alone."""

import base64
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from pathlib import Path
from threading import Event
from urllib.parse import urlencode

import pytest

from grader.api.request import GradeOptions, GradeRequest
from grader.errors import GraderError
from grader.model.program import SandboxKind
from grader.plugins.web.serve.api import ServeOptions, serve
from tests import ROOT
from tests.conftest import SmallCourse
from tests.plugins.web.serve.marked_course import Answer, entries, marked_course
from tests.sandbox import is_missing
from tools.document_steps import Command, steps

HEADER = "X-Remote-User"
NGINX = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
needs_nginx = pytest.mark.skipif(NGINX is None, reason="nginx is not installed; on Debian: apt-get install nginx-light")
FRAME = """\
pid nginx.pid; error_log stderr; daemon off; user root;
events {{}}
http {{
  access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
{server}
}}
"""


class AtPath(HTTPConnection):
    """A connection to a Unix socket."""

    def __init__(self, path: Path) -> None:
        super().__init__("marks.example.edu")
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(str(self.path))


def answer_of(response: HTTPResponse) -> Answer:
    """What the server said, read to its end."""
    return Answer(response.status, dict(response.getheaders()), response.read().decode())


def ask(path: Path, method: str, page: str, body: str | None = None, **headers: str) -> Answer:
    with closing(AtPath(path)) as connection:
        connection.request(method, page, body, {name.replace("_", "-"): text for name, text in headers.items()})
        return answer_of(connection.getresponse())


def options(path: Path | None, header: str | None) -> ServeOptions:
    return ServeOptions(port=0, socket=path, user_header=header)


def request_of(course: SmallCourse) -> GradeRequest:
    sandbox = SandboxKind.NONE if is_missing else SandboxKind.BWRAP
    return GradeRequest(folder=course.students, course=course.folder, options=GradeOptions(sandbox=sandbox))


@pytest.fixture
def path(course: SmallCourse, tmp_path: Path) -> Iterator[Path]:
    """The socket of a server that takes logins from a header."""
    place = tmp_path / "marks.sock"
    with serve(request_of(course), options(place, HEADER)) as served:
        assert served.address == f"{place}, /"
        wait_until_graded(place)
        yield place
    assert not place.exists()


def wait_until_graded(place: Path) -> None:
    pause = Event()
    while '"is_graded":false' in ask(place, "GET", "/changes?since=0", X_Remote_User="Eve").text:
        pause.wait(0.1)


def test_a_header_without_a_socket_is_refused(course: SmallCourse) -> None:
    with pytest.raises(GraderError, match="only over a socket"), serve(request_of(course), options(None, HEADER)):
        pass


def test_a_header_at_a_port_counts_for_nothing(address: str) -> None:
    where = address.removeprefix("http://").partition("/")[0]
    with closing(HTTPConnection(where)) as connection:
        connection.request("GET", "/index.html", headers={HEADER: "Eve"})
        assert answer_of(connection.getresponse()).status == 403


@pytest.mark.slow
def test_a_login_over_the_socket_marks(path: Path, course: SmallCourse) -> None:
    assert path.stat().st_mode & 0o777 == 0o660
    page = ask(path, "GET", "/students/ann.html", X_Remote_User="Zoë Doe".encode().decode("latin-1"))
    assert '<span class="who">Zoë Doe</span>' in page.text
    fields = {name: page.value(name, 'id="item-names"') for name in ("form_key", "seen", "back")}
    body = urlencode({**fields, "student": "ann", "item": "names", "points": "1"})
    sent = {"Origin": "https://marks.example.edu", "Content_Type": "application/x-www-form-urlencoded"}
    other = ask(path, "POST", "/decide/points", body, X_Remote_User="Dan", **sent)
    assert other.status == 403, "the form is of another marker"
    foreign = ask(path, "POST", "/decide/points", body, **{**sent, "Origin": "https://evil.example"})
    assert foreign.status == 403
    login = "Zoë Doe".encode().decode("latin-1")
    assert ask(path, "POST", "/decide/points", body, X_Remote_User=login, **sent).status == 303
    assert entries(course, "marks.yaml") == [{"student": "ann", "points": {"names": "1"}}]


@pytest.mark.parametrize(
    ("host", "words"),
    [
        ("marks.example.edu", "let the proxy serve https"),
        ("localhost:8080", "This form was not made for you"),
        ("127.0.0.1", "This form was not made for you"),
    ],
)
def test_forms_come_over_https_except_on_this_machine(host: str, words: str, path: Path) -> None:
    answer = ask(path, "POST", "/decide/points", "", X_Remote_User="Eve", Host=host, Origin=f"http://{host}")
    assert (answer.status, words in answer.text) == (403, True), answer.text


@pytest.mark.parametrize("login", ["", " ", "x" * 81])
def test_without_a_login_nobody_comes_in(login: str, path: Path) -> None:
    assert ask(path, "GET", "/index.html", X_Remote_User=login).status == 403
    assert ask(path, "GET", "/index.html").status == 403
    assert ask(path, "GET", "/?token=x").status == 403


@pytest.mark.slow
def test_a_socket_of_a_killed_server_is_taken_over_and_one_in_use_is_not(path: Path, tmp_path: Path) -> None:
    other = marked_course(tmp_path / "other", ("ann",))
    with pytest.raises(GraderError, match="cannot be used"), serve(request_of(other), options(path, HEADER)):
        pass
    stale = tmp_path / "stale.sock"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(stale))
    with serve(request_of(other), options(stale, HEADER)):
        assert ask(stale, "GET", "/index.html", X_Remote_User="Eve").status == 200


def test_the_documented_service_runs_a_command_that_the_guide_tries() -> None:
    document = ROOT / "docs" / "guides" / "department.md"
    [service] = re.findall(r"^ExecStart=/opt/grader/bin/(.*)$", document.read_text(), re.M)
    tried = [step.line.partition("   #")[0] for step in steps(document) if isinstance(step, Command)]
    assert service.replace("/run/grader-%i/", "").replace("%i", "sums") in tried


@pytest.mark.slow
@needs_nginx
def test_the_documented_proxy_asks_for_a_password_and_passes_the_login_on(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "proxy"
    folder.mkdir()
    port = free_port()
    make_certificate(folder)
    (folder / "markers").write_text("eve:{PLAIN}secret\n")
    document = (ROOT / "docs" / "reference" / "web-pages.md").read_text()
    server = document.partition("```nginx\n")[2].partition("```")[0]
    places = {
        "443 ssl": f"127.0.0.1:{port} ssl",
        "/etc/ssl/marks.pem": str(folder / "marks.pem"),
        "/etc/ssl/marks.key": str(folder / "marks.key"),
        "/etc/nginx/markers": str(folder / "markers"),
        "/run/grader-sums/marks.sock": str(path),
    }
    for documented, place in places.items():
        assert documented in server
        server = server.replace(documented, place)
    (folder / "nginx.conf").write_text(FRAME.format(server=server))
    command = [str(NGINX), "-p", str(folder), "-c", str(folder / "nginx.conf")]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as proxy:
        try:
            wait_for(port)
            login = base64.b64encode(b"eve:secret").decode()
            assert through(folder, port).status == 401
            assert through(folder, port, Authorization=f"Basic {login}").text.count('<span class="who">eve</span>') == 1
            claimed = through(folder, port, Authorization=f"Basic {login}", X_Remote_User="Dan")
            assert '<span class="who">eve</span>' in claimed.text, "a browser cannot say who it is"
        finally:
            proxy.terminate()


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def make_certificate(folder: Path) -> None:
    names = ["-subj", "/CN=marks.example.edu", "-addext", "subjectAltName=IP:127.0.0.1"]
    keys = ["-keyout", str(folder / "marks.key"), "-out", str(folder / "marks.pem")]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", *names, *keys]
    subprocess.run(command, check=True, capture_output=True)


def wait_for(port: int) -> None:
    pause = Event()
    for _ in range(100):
        with socket.socket() as asking:
            if asking.connect_ex(("127.0.0.1", port)) == 0:
                return
        pause.wait(0.1)
    pytest.fail("nginx does not listen")


def through(folder: Path, port: int, **headers: str) -> Answer:
    context = ssl.create_default_context(cafile=str(folder / "marks.pem"))
    sent = {name.replace("_", "-"): text for name, text in headers.items()}
    with closing(HTTPSConnection("127.0.0.1", port, context=context)) as connection:
        connection.request("GET", "/index.html", headers=sent)
        return answer_of(connection.getresponse())
