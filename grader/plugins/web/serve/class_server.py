"""A class behind its server: its folder is locked, one thread grades it, and another serves its pages."""

import gc
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from socket import socket
from threading import Event, Thread

from grader.api.class_grading import ClassGrading, OpenedClass, by_content, open_grading, shared_content
from grader.api.course import only_class
from grader.api.request import GradeRequest, Progress
from grader.class_files.all_files import FILE_NAMES, NamedFiles, read_class_files
from grader.errors import GraderError
from grader.files.folder_lock import folder_lock
from grader.files.owner import owner_of
from grader.files.replace_file import clear_leftovers
from grader.files.scratch import scratch_folder
from grader.model.results import GradedSubmission
from grader.model.submission import Submission
from grader.plugins.web.serve.api import ServeOptions
from grader.plugins.web.serve.app import MarkerApp
from grader.plugins.web.serve.editing.edit import ClassFileEditor
from grader.plugins.web.serve.entry_keys import Entry, new_keys
from grader.plugins.web.serve.interrupted import take_back_interrupted
from grader.plugins.web.serve.kept_secret import NUMBERS_KEY, kept_secret
from grader.plugins.web.serve.listener import HOST, listening
from grader.plugins.web.serve.live_class import LiveClass, LiveSource
from grader.plugins.web.serve.pages import MarkerPages
from grader.plugins.web.serve.prepared_changes import interrupted_changes
from grader.plugins.web.serve.server import running
from grader.plugins.web.serve.student_names import StudentNames, names_of, numbers_of
from grader.reports.audit_log import FILE_NAME as AUDIT_LOG
from grader.spec.course import course_folder_for
from grader.store.database import default_store, open_store


@contextmanager
def serve_class(
    request: GradeRequest, progress: Progress, options: ServeOptions
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Serve a class until the block ends; yield the URL or socket, and notes on its folder. See `api.serve`."""
    course = course_folder_for(request.course, request.folder)
    cancelled = Event()
    with (
        listening(options.port, options.socket) as listener,
        open_store(request.options.store or default_store(course)) as store,
        open_grading(request, course, store, progress=progress, cancelled=cancelled) as grading,
    ):
        opened = grading.opened(only_class(grading.course, request.assignment, request.folder, progress))
        files = watched_files(request.options, opened.beside)
        # A file that is a link may belong to another class too.
        parents = (parent for file in files for parent in (file.resolve().parent, file.parent))
        folders = list({parent.resolve(): parent for parent in parents}.values())
        with ExitStack() as held:
            for folder in folders:
                held.enter_context(folder_lock(folder, _taken(folder)))
            if course.resolve() not in {folder.resolve() for folder in folders}:
                # `grader forget` locks the course, because it changes the reports and the store of all classes.
                held.enter_context(folder_lock(course, "`grader forget` is deleting data here: wait.", shared=True))
            copies = Path(held.enter_context(scratch_folder("grader-serve-")))
            source = _source(
                opened, request, options.reports or course / "reports", copies, anonymous=options.anonymous
            )
            for change in (change for folder in folders for change in interrupted_changes(folder)):
                take_back_interrupted(source.audit_log, source.editor, change)
            leftovers = [file for folder in folders for file in clear_leftovers(folder)]
            live = LiveClass(source)
            with _graded_meanwhile(grading, opened, live, cancelled), _answering(live, listener, options) as address:
                yield address, tuple(map(_leftover_note, leftovers))


def _source(opened: OpenedClass, request: GradeRequest, reports: Path, copies: Path, *, anonymous: bool) -> LiveSource:
    assignment, options = opened.assignment, request.options
    submissions = opened.submissions.submissions
    return LiveSource(
        assignment=assignment,
        submissions=opened.submissions,
        files=opened.files,
        read_files=partial(read_class_files, options, opened.beside, assignment, opened.students, opened.teams),
        watched=watched_files(options, opened.beside),
        editor=ClassFileEditor(assignment=assignment, students=opened.students, named=options, folder=opened.beside),
        audit_log=reports / AUDIT_LOG,
        names=_numbers(submissions, assignment.id, reports, copies) if anonymous else names_of(submissions),
    )


def watched_files(named: NamedFiles, folder: Path) -> tuple[Path, ...]:
    """Return the files that affect `read_class_files`, whether or not they exist."""
    given = {kind: getattr(named, kind, None) for kind in FILE_NAMES}
    defaults = ((folder / name for name in names) for kind, names in FILE_NAMES.items() if given[kind] is None)
    return (*filter(None, given.values()), *(file for files in defaults for file in files))


def _numbers(submissions: Sequence[Submission], assignment: str, reports: Path, copies: Path) -> StudentNames:
    return numbers_of(submissions, assignment, kept_secret(reports / NUMBERS_KEY), copies)


@contextmanager
def _answering(live: LiveClass, listener: socket, options: ServeOptions) -> Iterator[str]:
    """Answer requests about a class, and yield the URL or socket for markers."""
    keys = new_keys()
    port = 0 if options.socket else listener.getsockname()[1]
    entry = Entry(keys=keys, port=port, is_behind_proxy=options.socket is not None, user_header=options.user_header)
    app = MarkerApp(live=live, pages=MarkerPages(live.source), entry=entry)
    with running(app.application(), listener):
        path = "/" if options.user_header else f"/?token={keys.token}"
        yield f"{options.socket}, {path}" if options.socket else f"http://{HOST}:{port}{path}"


@contextmanager
def _graded_meanwhile(grading: ClassGrading, opened: OpenedClass, live: LiveClass, cancelled: Event) -> Iterator[None]:
    """Grade the class in a thread; anything unfinished at the end is abandoned."""
    sharing = by_content(opened.submissions.submissions)

    def report(graded: GradedSubmission) -> None:
        for submission in sharing[shared_content(graded.submission)]:
            live.add(replace(graded, submission=submission))

    def work() -> None:
        try:
            done, faults = grading.graded(opened, report)
        except GraderError as error:
            sys.stderr.write(f"The grading has ended: {error}\n")
            sys.stderr.flush()
            live.fail(str(error))
        except Exception as error:
            live.fail(repr(error))
            raise
        else:
            live.finish(done, faults.warnings, faults.notes)
            # The class stays, and searching it for garbage repeatedly would keep markers waiting.
            gc.freeze()

    thread = Thread(target=work, name="grading")
    thread.start()
    try:
        yield
    finally:
        cancelled.set()
        thread.join()
        gc.unfreeze()


def _taken(folder: Path) -> str:
    return (
        f"Another `grader serve`{_holder(folder)} has {folder} open: go to its address, or end it before you start a "
        "new one."
    )


def _holder(folder: Path) -> str:
    """Return the process that locks a folder and its user, or an empty string if the system does not tell."""
    with suppress(OSError, ValueError):
        inode = folder.stat().st_ino
        for lock in Path("/proc/locks").read_text(encoding="ascii").splitlines():
            _, kind, *_, process, place = lock.split()[:6]
            if kind == "FLOCK" and int(place.rpartition(":")[2]) == inode:
                return f" (process {process} of {owner_of(Path('/proc', process))})"
    return ""


def _leftover_note(file: Path) -> str:
    return f"{file} is from a server that was killed, and may hold what an editor saved: look into it, then remove it"
