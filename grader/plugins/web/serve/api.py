"""Opens a class for markers: serves its pages while it is graded and until the caller is done."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from grader.api.request import GradeRequest, Progress, no_progress
from grader.errors import GraderError
from grader.installation import install_command

DEFAULT_PORT = 8765


@dataclass(frozen=True, kw_only=True)
class ServeOptions:
    """Options for serving a class: the port (0: any free port), and whether students appear as numbers.

    A `socket` is a path to listen at instead of a port. A reverse proxy in front of it may pass the login of the user
    in the `user_header`; without a socket that is refused, because anybody could send the header. `reports` is the
    folder with the audit log, by default reports/ of the course.
    """

    port: int = DEFAULT_PORT
    anonymous: bool = False
    reports: Path | None = None
    socket: Path | None = None
    user_header: str | None = None


@dataclass(frozen=True)
class ServedClass:
    """A class being served: the URL or socket for markers, and notes on oddities in its folder."""

    address: str
    notes: tuple[str, ...]


@contextmanager
def serve(
    request: GradeRequest, options: ServeOptions = ServeOptions(), *, progress: Progress = no_progress
) -> Iterator[ServedClass]:
    """Serve the class of a request to markers on this machine, and grade it in the meantime, until the block ends.

    Raises GraderError if the extra is missing, the port or socket is taken, another server has the class, there is more
    than one class, or the class cannot be read.
    """
    try:
        from grader.plugins.web.serve.class_server import serve_class
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("grader"):
            raise
        raise GraderError(
            f"`grader serve` needs Starlette and uvicorn; install them with: {install_command('serve')}"
        ) from None
    if options.user_header is not None and options.socket is None:
        raise GraderError("A login is taken from a header only over a socket: name one with --socket.")
    with serve_class(request, progress, options) as served:
        yield ServedClass(*served)
