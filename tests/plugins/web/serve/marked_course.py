"""A small course with items that a person marks and rules that ask, and a server on one of its classes."""

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from html import unescape
from http.client import HTTPConnection
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode, urlsplit

import yaml

from grader.api.request import GradeOptions, GradeRequest
from grader.model.program import SandboxKind
from grader.plugins.web.serve.api import ServeOptions, serve
from tests.conftest import ASSIGNMENT, RIGHT, SmallCourse, write_small_course
from tests.sandbox import is_missing

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

STYLE = """\
  - id: style
    title: Style
    marks: 3
    manual:
      - {id: names, title: mnemonic names, marks: 1}
      - {id: comments, title: comments, marks: 2}
rules:
  - {id: main, title: main is used, rule: main-guard, program: double.py, deduct: 1}
due:"""
WRONG = 'print("Doubled:", 2 * int(input("Number: ")))\n'
EVIL = "<img src=x onerror=window.hit=1>"
EVIL_PROGRAM = f'# {EVIL}\nprint("{EVIL}\\x1b[31m", input("Number: "))\n'
STUDENTS = ("ann", "bob", "cy", "con", EVIL)


def marked_course(folder: Path, students: tuple[str, ...] = STUDENTS) -> SmallCourse:
    """The course with a class: bob and cy make the same mistake; all break a rule that asks."""
    course = write_small_course(folder)
    assignment = ASSIGNMENT.replace("due:", STYLE)
    (course.folder / "test_specs" / "doubles" / "assignment.yaml").write_text(assignment)
    programs = {"bob": WRONG, "cy": WRONG, EVIL: EVIL_PROGRAM}
    for student in students:
        course.hand_in(student, programs.get(student, RIGHT))
    return course


@dataclass
class Answer:
    """What the server said."""

    status: int
    headers: dict[str, str]
    text: str

    def value(self, name: str, within: str = "") -> str:
        """The value of the first hidden field of this name, in the part of the page after `within`."""
        start = self.text.index(within)
        found = re.compile(rf'name="{name}" value="([^"]*)"').search(self.text, start)
        assert found, (name, within)
        return unescape(found[1])


@dataclass
class Client:
    """A browser of sorts: keeps its cookie and speaks HTTP, so that it can also say what browsers would not."""

    address: str
    cookie: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def ask(self, method: str, path: str, body: str | bytes | None = None, **headers: str) -> Answer:
        """Send a request."""
        where = urlsplit(self.address)
        sent = {
            "Cookie": self.cookie,
            **self.headers,
            **{name.replace("_", "-"): text for name, text in headers.items()},
        }
        if body is not None:
            sent.setdefault("Content-Type", "application/x-www-form-urlencoded")
        # Tests kill the server while it answers.
        with closing(HTTPConnection(where.hostname or "", where.port)) as connection:
            connection.request(method, path, body, sent)
            with connection.getresponse() as response:
                return Answer(response.status, dict(response.getheaders()), response.read().decode())

    def get(self, path: str) -> Answer:
        """A page."""
        return self.ask("GET", path)

    def post(self, path: str, **fields: str) -> Answer:
        """Send a form as it would come from a page of the server."""
        where = urlsplit(self.address)
        origin = f"{where.scheme}://{where.netloc}"
        return self.ask("POST", path, urlencode(fields), Origin=origin, Sec_Fetch_Site="same-origin")

    def enter(self, name: str) -> "Client":
        """Come in by the first address, under this name."""
        token = urlsplit(self.address).query.removeprefix("token=")
        answer = self.post("/enter", token=token, name=name)
        assert (answer.status, answer.headers["location"]) == (303, "/index.html")
        self.cookie = answer.headers["set-cookie"].split(";")[0]
        return self

    def student(self, name: str) -> Answer:
        """The page of a student."""
        return self.get(f"/students/{quote(name)}.html")

    def decide(self, kind: str, page: Answer, within: str = "", **fields: str) -> Answer:
        """Send the form of this kind that stands on a page, after `within`, with these fields."""
        start = within or f'action="/decide/{kind}"'
        carried = {name: page.value(name, start) for name in ("form_key", "seen", "back")}
        return self.post(f"/decide/{kind}", **{**carried, **fields})


@contextmanager
def served(course: SmallCourse, *, graded: bool = True, anonymous: bool = False) -> Iterator[str]:
    """Serve the class; gives the first address, by default once all is graded."""
    sandbox = SandboxKind.NONE if is_missing else SandboxKind.BWRAP
    request = GradeRequest(folder=course.students, course=course.folder, options=GradeOptions(sandbox=sandbox))
    with serve(request, ServeOptions(port=0, anonymous=anonymous)) as there:
        if graded:
            wait_until_graded(Client(there.address).enter("waiting"))
        yield there.address


def enter(context: "BrowserContext", address: str, name: str) -> "Page":
    """A window of a marker, on the page of the class."""
    page = context.new_page()
    page.goto(address)
    page.get_by_label("Your name").fill(name)
    page.keyboard.press("Enter")
    page.wait_for_url("**/index.html")
    return page


def wait_until_graded(client: Client) -> None:
    """Ask now and then, as a page does, until the whole class is graded."""
    pause = Event()
    while '"is_graded":false' in client.get("/changes?since=0").text:
        pause.wait(0.1)


def entries(course: SmallCourse, name: str) -> list[dict[str, object]]:
    """The list in one of the files about the class, as YAML 1.1 has it."""
    content = yaml.load((course.students / name).read_text(), yaml.BaseLoader)
    found: list[dict[str, object]] = next(value for key, value in content.items() if key != "format")
    return found
