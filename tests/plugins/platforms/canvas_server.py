"""A stand-in for Canvas, written from "Canvas LMS API": Assignments, Users, Submissions, Progress, Pagination."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Self
from urllib.parse import parse_qs, urlencode, urlsplit

TOKEN = "7~very-secret"
ASSIGNMENT = {
    "id": 77,
    "name": "Doubling",
    "points_possible": 4.0,
    "published": True,
    "grading_type": "points",
    "group_category_id": None,
    "grade_group_students_individually": False,
}
_GIVEN = re.compile(r"grade_data\[(\d+)\]\[(posted_grade|excuse|text_comment)\]")
_PAGE = 2


@dataclass(frozen=True)
class Answer:
    """What is answered to a request."""

    content: object
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass
class StandInCanvas:
    """The course 5 with the assignment 77 and these users.

    `obstacles` are answered to the next requests by their method and the last part of their path, in place of what is
    asked; an obstacle of None closes the connection after the request was obeyed. `refused` are users whose marks are
    not taken. `states` are those of the Progress.
    """

    users: list[dict[str, Any]]
    assignment: dict[str, Any] = field(default_factory=lambda: dict(ASSIGNMENT))
    submissions: dict[int, dict[str, Any]] = field(default_factory=dict)
    obstacles: list[tuple[str, Answer | None]] = field(default_factory=list)
    refused: set[int] = field(default_factory=set)
    states: list[str] = field(default_factory=lambda: ["queued", "running", "completed"])
    requests: list[str] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)
    address: str = ""

    def __enter__(self) -> Self:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"canvas": self}))
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def sent(self) -> int:
        """How often marks were sent."""
        return sum(request.startswith("POST") for request in self.requests)

    def obey(self, method: str, target: str, form: Mapping[str, list[str]]) -> Answer:
        """What Canvas answers."""
        asked = urlsplit(target)
        match method, asked.path.removeprefix("/api/v1/").split("/"):
            case "GET", ["courses", "5", "assignments", "77"]:
                return Answer(self.assignment)
            case "GET", ["courses", "5", "users"] if parse_qs(asked.query)["enrollment_type[]"] == ["student"]:
                return self._page(self.users, target)
            case "GET", ["courses", "5", "assignments", "77", "submissions"]:
                return self._page(list(self.submissions.values()), target)
            case "POST", ["courses", "5", "assignments", "77", "submissions", "update_grades"]:
                return self._update(form)
            case "GET", ["progress", "9"]:
                return self._progress()
        return Answer({"errors": [{"message": "The specified resource does not exist."}]}, 404)

    def _page(self, items: list[dict[str, Any]], target: str) -> Answer:
        asked = urlsplit(target)
        parameters = parse_qs(asked.query)
        number = int(parameters.get("page", ["1"])[0])
        first = f"{self.address}{asked.path}?{urlencode({**parameters, 'page': 1}, doseq=True)}"
        links = [f'<{first}>; rel="first"']
        if number * _PAGE < len(items):
            following = f"{self.address}{asked.path}?{urlencode({**parameters, 'page': number + 1}, doseq=True)}"
            links.append(f'<{following}>; rel="next"')
        return Answer(items[(number - 1) * _PAGE : number * _PAGE], headers={"Link": ",".join(links)})

    def _update(self, form: Mapping[str, list[str]]) -> Answer:
        for name, (value,) in form.items():
            found = _GIVEN.fullmatch(name)
            assert found, name
            user = int(found[1])
            if user in self.refused:
                continue
            submission = self.submissions.setdefault(user, {"user_id": user, "submission_comments": []})
            match found[2]:
                case "posted_grade":
                    submission |= {"score": float(value), "entered_score": float(value), "excused": False}
                case "excuse":
                    submission |= {"score": None, "entered_score": None, "excused": value == "true"}
                case _:
                    submission["submission_comments"].append({"id": 1, "comment": value})
        return self._progress()

    def _progress(self) -> Answer:
        state = self.states.pop(0) if len(self.states) > 1 else self.states[0]
        return Answer({"id": 9, "workflow_state": state, "message": "Couldn't find User(s)" * (state == "failed")})


class _Handler(BaseHTTPRequestHandler):
    canvas: StandInCanvas

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        said = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self._answer(parse_qs(said, strict_parsing=True))

    def _answer(self, form: Mapping[str, list[str]]) -> None:
        canvas = self.canvas
        canvas.requests.append(f"{self.command} {self.path}")
        canvas.agents.add(self.headers["User-Agent"])
        if self.headers["Authorization"] != f"Bearer {TOKEN}":
            self._say(Answer({"errors": [{"message": "Invalid access token."}]}, 401))
            return
        if canvas.obstacles and f"{self.command} {urlsplit(self.path).path}".endswith(canvas.obstacles[0][0]):
            _, answer = canvas.obstacles.pop(0)
            if answer is None:
                canvas.obey(self.command, self.path, form)
                return
        else:
            answer = canvas.obey(self.command, self.path, form)
        self._say(answer)

    def _say(self, answer: Answer) -> None:
        text = answer.content if isinstance(answer.content, str) else json.dumps(answer.content)
        self.send_response(answer.status)
        for name, value in {"Content-Length": str(len(text.encode())), **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Print nothing."""
