"""The application: the page at each URL, and the handling of forms."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from grader.errors import GraderError, quoted
from grader.model.mark import VerdictOverride
from grader.plugins.web.serve.editing.decisions import DecideOverride, Decision, SayToStudent, WriteRequest
from grader.plugins.web.serve.editing.edit import ChangedMeanwhileError
from grader.plugins.web.serve.entry_keys import LONGEST_NAME, Entry, EntryKeys, Marker, fits_as_name
from grader.plugins.web.serve.forms import FormContext, FormError, decision_in, fields_of_form
from grader.plugins.web.serve.live_class import ClassView, LiveClass
from grader.plugins.web.serve.pages import MarkerPages, PageReader, RefusedDecision
from grader.plugins.web.serve.remarks import reworded
from grader.plugins.web.serve.security import Gate

_FOREVER = "private, max-age=31536000, immutable"
_TRIES = 5
_MAX_DIGITS = 18
_MakePage: TypeAlias = Callable[[ClassView, PageReader, str], str | None]


@dataclass(frozen=True, kw_only=True)
class MarkerApp:
    """The answers to requests about a class."""

    live: LiveClass
    pages: MarkerPages
    entry: Entry

    def application(self) -> Starlette:
        """Return the application that a server runs."""
        routes = [
            Route("/", self.enter, methods=["GET"]),
            Route("/enter", self.entered, methods=["POST"]),
            Route("/assets/{name}", self.asset),
            Route("/index.html", self.page(lambda view, reader, _: self.pages.class_page(view, reader))),
            Route("/overview.html", self.page(lambda view, reader, _: self.pages.overview(view, reader))),
            Route("/groups.html", self.page(lambda view, reader, _: self.pages.groups(view, reader))),
            Route("/requests.html", self.page(lambda view, reader, _: self.pages.requests(view, reader))),
            Route("/search.html", self.search),
            Route("/students/{name}.html", self.student),
            Route("/items/{name}.html", self.item),
            Route("/tests/{name}.html", self.page(self._test)),
            Route("/changes", self.changes),
            Route("/decide/{kind}", self.decided, methods=["POST"]),
        ]
        return Starlette(routes=routes, middleware=[Middleware(Gate, is_behind_proxy=self.entry.is_behind_proxy)])

    @property
    def keys(self) -> EntryKeys:
        """The keys of this run."""
        return self.entry.keys

    async def enter(self, request: Request) -> Response:
        """Return the page that asks for a name, given the token, or the class for a marker who already has a name."""
        token = request.query_params.get("token", "")
        if self.entry.user_header or not self.keys.fits(token):
            if self._marker(request):
                return RedirectResponse("/index.html", 303)
            return self._refuse_stranger()
        return HTMLResponse(self.pages.entry(token))

    async def entered(self, request: Request) -> Response:
        """Give the marker a cookie."""
        try:
            fields = await fields_of_form(request)
        except FormError as error:
            return PlainTextResponse(str(error), 400)
        token, name = fields.get("token", ""), " ".join(fields.get("name", "").split())
        if self.entry.user_header or not self.keys.fits(token):
            return self._refuse_stranger()
        if not fits_as_name(name):
            problem = f"Give a name of at most {LONGEST_NAME} characters: it stands beside what you decide."
            return HTMLResponse(self.pages.entry(token, problem), 400)
        response = RedirectResponse("/index.html", 303)
        response.set_cookie(self.entry.cookie, self.keys.cookie_for(name), httponly=True, samesite="strict", path="/")
        return response

    async def asset(self, request: Request) -> Response:
        """Return the style or script of all pages."""
        kinds = {"text/css": self.pages.style, "text/javascript": self.pages.script}
        for kind, asset in kinds.items():
            if asset.url == request.url.path:
                return Response(asset.content, media_type=kind, headers={"Cache-Control": _FOREVER})
        return self._not_found()

    def page(self, make: _MakePage) -> Callable[[Request], Awaitable[Response]]:
        """Return an endpoint for the page that `make` renders in a thread; None means that the page does not exist."""

        async def answer(request: Request) -> Response:
            marker = self._marker(request)
            if marker is None:
                return self._refuse_stranger()
            name = str(request.path_params.get("name", ""))
            text = await run_in_threadpool(lambda: make(self.live.view(), self._reader(marker), name))
            return self._not_found() if text is None else HTMLResponse(text)

        return answer

    async def student(self, request: Request) -> Response:
        """Return a student's page in the part of the class that the URL selects."""
        asked = request.query_params
        return await self.page(lambda view, reader, name: self._student(view, reader, name, asked))(request)

    async def item(self, request: Request) -> Response:
        """Return an item for the student in the URL."""
        asked = request.query_params
        return await self.page(lambda view, reader, name: self.pages.item(view, reader, name, asked))(request)

    async def search(self, request: Request) -> Response:
        """Return the lines of submitted files that contain the requested text."""
        text = request.query_params.get("text", "")
        return await self.page(lambda view, reader, _: self.pages.search(view, reader, text))(request)

    async def changes(self, request: Request) -> Response:
        """Return the rows of the class that have changed since a version, for a page that shows it."""
        if self._marker(request) is None:
            return self._refuse_stranger()
        since = request.query_params.get("since", "")
        version = int(since) if since.isdecimal() and since.isascii() and len(since) <= _MAX_DIGITS else 0
        return JSONResponse(await run_in_threadpool(self._changes, version))

    async def decided(self, request: Request) -> Response:
        """Write a decision; the answer redirects to its page, or explains why it was not written."""
        marker = self._marker(request)
        if marker is None:
            return self._refuse_stranger()
        try:
            fields = await fields_of_form(request)
        except FormError as error:
            return await run_in_threadpool(self._refused, marker, "", error, {})
        if not self.keys.is_form_key(marker, fields.get("form_key", "")):
            return PlainTextResponse("This form was not made for you: open its page anew.", 403)
        return await run_in_threadpool(self._decide, marker, str(request.path_params["kind"]), fields)

    def _decide(self, marker: Marker, kind: str, sent: dict[str, str]) -> Response:
        fields = {**sent, "back": _own_path(sent.get("back", ""))}
        for tries_left in reversed(range(_TRIES)):
            try:
                decision = decision_in(kind, fields, self._context(marker))
                others = list(self._attached_decisions(decision, fields))
                self.live.decide(decision, fields.get("seen", ""), marker.name)
                unchanged = [other for other, seen in others if not self._is_decided(other, seen, marker)]
                if unchanged:
                    return self._refused(marker, kind, _partly_saved(unchanged), fields)
            except ChangedMeanwhileError as error:
                if tries_left and _is_new_request(decision, fields):
                    # Another marker has taken the number.
                    continue
                conflict = self.live.conflict(kind, decision, error.current)
                text = self.pages.conflict(self.live.view(), self._reader(marker), conflict, fields)
                return HTMLResponse(text, 409)
            except GraderError as error:
                return self._refused(marker, kind, error, fields)
            break
        return RedirectResponse(fields["back"], 303)

    def _attached_decisions(self, decision: Decision, fields: Mapping[str, str]) -> Iterator[tuple[Decision, str]]:
        """Yield the decisions that belong to a decision, each with the value seen."""
        match decision:
            case SayToStudent() if fields.get("everywhere"):
                yield from reworded(decision, self.live.view().files.comments)
            case DecideOverride(override=VerdictOverride() as verdict):
                tests = {test.id for test in self.pages.source.assignment.tests} - {verdict.test}
                for test in tests & set(fields.get("alike", "").split()):
                    yield replace(decision, test=test, override=replace(verdict, test=test)), ""

    def _is_decided(self, decision: Decision, seen: str, marker: Marker) -> bool:
        """Save a decision that belongs to another one; a change that another marker made in the meantime stays."""
        try:
            self.live.decide(decision, seen, marker.name)
        except ChangedMeanwhileError:
            return False
        return True

    def _refused(self, marker: Marker, kind: str, error: GraderError, fields: dict[str, str]) -> Response:
        field = error.field if isinstance(error, FormError) else ""
        problem = RefusedDecision(kind, self.live.words_of(error), field)
        return HTMLResponse(self.pages.problem(self.live.view(), self._reader(marker), problem, fields), 400)

    def _changes(self, since: int) -> dict[str, object]:
        view = self.live.view()
        changed = [row for row in view.graded.rows if view.changed.get(row.student, 0) > since]
        return {
            "version": view.version,
            "state": view.state,
            "is_graded": view.is_graded,
            "faults": list(view.faults),
            "rows": self.pages.rows(view, changed),
        }

    def _student(self, view: ClassView, reader: PageReader, name: str, asked: Mapping[str, str]) -> str | None:
        shown = next((shown for shown, page in self.pages.source.names.pages.items() if page == name), None)
        row = view.row(shown) if shown is not None else None
        return None if row is None else self.pages.student(view, reader, row, asked)

    def _test(self, view: ClassView, reader: PageReader, name: str) -> str | None:
        return self.pages.test(view, reader, name)

    def _context(self, marker: Marker) -> FormContext:
        view, names = self.live.view(), self.pages.source.names
        digests = {row.student: row.graded.digest for row in view.graded.rows}
        return FormContext(
            assignment=self.pages.source.assignment,
            by=marker.name,
            student_at=names.student_at,
            digest_of=lambda student: digests.get(names.shown[student], ""),
            files_of=self._files_of,
            requests={regrade_request.id: regrade_request for regrade_request in view.files.requests.all},
        )

    def _files_of(self, student: str) -> dict[str, str]:
        source = self.pages.source
        submissions = (each for each in source.submissions.submissions if each.student == student)
        return {source.names.file(file.name): file.name for each in submissions for file in each.files}

    def _marker(self, request: Request) -> Marker | None:
        logins = request.headers.getlist(self.entry.user_header) if self.entry.user_header else ()
        return self.entry.marker(request.cookies.get(self.entry.cookie), logins)

    def _reader(self, marker: Marker) -> PageReader:
        return PageReader(marker, self.keys.form_key(marker))

    def _refuse_stranger(self) -> Response:
        if self.entry.user_header:
            return PlainTextResponse("The proxy has passed on no login.", 403)
        return PlainTextResponse("Come in by the address that `grader serve` printed when it was started.", 403)

    def _not_found(self) -> Response:
        return PlainTextResponse("There is nothing here: the class is at /index.html.", 404)


def _is_new_request(decision: Decision, fields: dict[str, str]) -> bool:
    return isinstance(decision, WriteRequest) and not fields.get("request") and not fields.get("seen")


def _own_path(path: str) -> str:
    """Return a path of this server to return to, never a URL elsewhere."""
    is_own = path.startswith("/") and not path.startswith("//") and path.isprintable() and "\\" not in path
    return path if is_own else "/index.html"


def _partly_saved(unchanged: Sequence[Decision]) -> FormError:
    """Return an error that names what stays as another marker decided it; students are not named."""
    tests = [quoted(str(decision.test)) for decision in unchanged if isinstance(decision, DecideOverride)]
    kept = ", ".join(sorted(tests)) or f"{len(unchanged)} comments"
    return FormError(f"Your decision is saved, except for what another marker changed in the meantime: {kept}.")
