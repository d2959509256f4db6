"""`--store postgresql://...`: the same marks and reports as with a file, and the same words when something is wrong."""

import re
import shutil

import pytest

from grader.store.database import open_store
from grader.store.stored_rows import Table
from tests import ROOT
from tests.conftest import RIGHT, WRONG, Grader, SmallCourse, timeless_reports, without_progress
from tests.plugins.postgres.postgres_server import PostgresServer
from tests.plugins.postgres.store_in_test import PostgresInTest
from tests.store.examples import outcome


@pytest.fixture
def handed_in(small_course: SmallCourse) -> SmallCourse:
    small_course.hand_in("right", RIGHT)
    small_course.hand_in("wrong", WRONG)
    small_course.judge_by("passed()")
    return small_course


@pytest.mark.slow
def test_a_class_is_graded_and_reported_as_with_a_file(
    grader: Grader, handed_in: SmallCourse, on_server: PostgresInTest
) -> None:
    command = ("grade", "submissions", "--sandbox", "none")
    first = grader(*command, "--store", on_server.place)
    assert (first.returncode, without_progress(first.stderr)) == (0, "")
    reports = timeless_reports(handed_in)
    tables = {table: len(on_server.rows(table)) for table in Table}
    again = grader("-v", *command, "--store", on_server.place)
    assert again.stdout == first.stdout
    assert "Nothing has changed since the last run" in again.stderr
    shutil.rmtree(handed_in.reports)
    assert grader(*command, "--store", on_server.place).stdout == first.stdout
    assert timeless_reports(handed_in) == reports
    assert {table: len(on_server.rows(table)) for table in Table} == tables | {Table.RUNS: tables[Table.RUNS] + 1}
    pages = grader("report", "submissions", "--sandbox", "none", "--store", on_server.place)
    assert (pages.returncode, without_progress(pages.stderr)) == (0, "")
    assert not (handed_in.folder / ".grader").exists()
    shutil.rmtree(handed_in.reports)
    assert grader(*command).stdout == first.stdout
    assert timeless_reports(handed_in) == reports


def test_what_the_document_says_of_a_server(server: PostgresServer) -> None:
    _, _, section = (ROOT / "docs" / "reference" / "clusters.md").read_text().partition("## A store on a server\n")
    section, _, _ = section.partition("\n## ")
    make, grant = re.findall(r"^```sql\n(.*?)^```$", section, re.M | re.S)
    [address] = re.findall(r"^grader grade submissions/ --store (\S+)$", section, re.M)
    [option] = re.findall(r"`\?(options=\S+)`", section)
    here = f"{address.replace('db.example.edu', '')}?host={server.socket}"
    with server.connect() as connection:
        for statement in make.splitlines():
            connection.execute(statement)
    with open_store(here) as store:
        store.keep("a", outcome("A"))
    with server.connect("course") as connection:
        connection.execute("CREATE ROLE marker LOGIN")
        connection.execute(grant)
    with open_store(f"{here.replace('//course@', '//marker@')}&{option}") as store:
        store.keep("b", outcome("B"))
        assert store.outcomes(["a", "b"]) == {"a": outcome("A"), "b": outcome("B")}


def test_a_server_that_is_not_there(grader: Grader, handed_in: SmallCourse) -> None:
    run = grader("grade", "submissions", "--sandbox", "none", "--store", "postgresql://anna:secret@127.0.0.1:1/course")
    assert run.returncode == 2
    assert run.stderr.startswith("The store in the PostgreSQL database course on 127.0.0.1 cannot be used: connection")
    assert "secret" not in run.stdout + run.stderr
    assert not handed_in.reports.exists()
