"""What students sent is read from files of every kind."""

import json
import mailbox
import time
from email.message import EmailMessage
from pathlib import Path

import pytest

from grader.plugins.requests.messages import ReceivedRequest, RequestFileError, received_requests

FORM = "Student: ann\nAbout: small\nRequest:\nWhy?\nFrom here on.\n"


def read(file: Path) -> list[tuple[int, str, str, str, str]]:
    return [values(one) for one in received_requests(file)]


def values(one: ReceivedRequest) -> tuple[int, str, str, str, str]:
    return one.place.line, one.student, one.sender, one.about, one.text


def mail(text: str, sender: str = "Ann <ann@uni.example>", charset: str = "utf-8") -> EmailMessage:
    message = EmailMessage()
    message["From"] = sender
    message["Subject"] = "[doubles] Please look again"
    message.set_content(text, charset=charset)
    return message


def test_a_mail(tmp_path: Path) -> None:
    (tmp_path / "one.eml").write_bytes(mail(FORM.replace("Why", "Wär"), charset="iso-8859-1").as_bytes())
    assert read(tmp_path / "one.eml") == [(1, "ann", "ann@uni.example", "small", "Wär?\nFrom here on.")]


def test_a_mail_in_html_alone(tmp_path: Path) -> None:
    message = mail("x")
    message.set_content("<p>Student: ann</p><div>Request: 1 &lt; 2<br>so</div>", subtype="html")
    (tmp_path / "one.eml").write_bytes(message.as_bytes())
    assert read(tmp_path / "one.eml") == [(1, "ann", "ann@uni.example", "", "1 < 2\nso")]


def test_a_mailbox_of_several(tmp_path: Path) -> None:
    box = mailbox.mbox(tmp_path / "all.mbox")
    for message in (mail(FORM), mail("Please look at it.", "bob@uni.example")):
        box.add(message)
    box.close()
    lines = (tmp_path / "all.mbox").read_text().splitlines()
    second = [number for number, line in enumerate(lines, 1) if line.startswith("From ")][1] + 1
    assert read(tmp_path / "all.mbox") == [
        (2, "ann", "ann@uni.example", "small", "Why?\nFrom here on."),
        (second, "", "bob@uni.example", "", "Please look at it."),
    ]


def test_issues_of_github_and_gitlab(tmp_path: Path) -> None:
    body = "### Student\r\n\r\nann\r\n\r\n### About\r\n\r\nsmall\r\n\r\n### Request\r\n\r\nWhy?"
    issues = [
        {"number": 1, "title": "x", "body": body, "user": {"login": "ann-at-github"}},
        {"number": 2, "title": "a change", "body": "", "user": {"login": "bob"}, "pull_request": {}},
        {"iid": 3, "title": "y", "description": "Look.", "author": {"username": "bob"}},
    ]
    (tmp_path / "issues.json").write_text("[\n" + ",\n".join(map(json.dumps, issues)) + "\n]\n")
    assert read(tmp_path / "issues.json") == [(2, "ann", "ann-at-github", "small", "Why?"), (4, "", "bob", "", "Look.")]
    (tmp_path / "one.json").write_text(json.dumps(issues[2], indent=1))
    assert read(tmp_path / "one.json") == [(1, "", "bob", "", "Look.")]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_the_table_of_a_feedback_activity(delimiter: str, encoding: str, tmp_path: Path) -> None:
    titles = ["User's name", "Date", "(student) What is your name?", "(about) What?", "(request) Why?"]
    rows = [titles, ["Ann Ö", "1 May", "ann", "small", '"Why?\nSo."'], ["Bob", "2 May", "", "", "Look."]]
    text = "".join(delimiter.join(row) + "\n" for row in rows)
    (tmp_path / "feedback.csv").write_bytes(text.encode(encoding))
    assert read(tmp_path / "feedback.csv") == [(2, "ann", "Ann Ö", "small", "Why?\nSo."), (4, "", "Bob", "", "Look.")]


def test_a_text_with_several(tmp_path: Path) -> None:
    (tmp_path / "all.txt").write_text("\nStudent: ann\nRequest: x\n\nStudent: bob\nRequest: y\n")
    assert read(tmp_path / "all.txt") == [(2, "ann", "", "", "x"), (5, "bob", "", "", "y")]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.pdf", "x", "a.pdf: expected a file that ends in .eml, .mbox, .json, .csv, .txt, .md"),
        ("a.csv", "student,text\nann,x\n", "a.csv:1: expected a column `request`, found `student`, `text`"),
        ("a.json", '[\n{"body": "x"},\n{]', "a.json:3: this is no JSON"),
        ("a.json", "[1]", "a.json:1: expected an issue"),
    ],
)
def test_what_cannot_be_read_is_told(name: str, content: str, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(RequestFileError) as error:
        received_requests(tmp_path / name)
    assert said in str(error.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RequestFileError):
        received_requests(tmp_path / "a.txt")


SENDERS = {
    "an angle": "<",
    "a quote": '"',
    "a domain that ends": "ann@[",
    "a line within": "=?utf-8?q?=0A?=",
    "a group": "a:;b",
    "many parentheses": "(" * 30_000,
    "many commas": "," * 50_000,
    "an encoding that does not exist": "=?nothing-known?q?x?=",
}
TEXTS = {
    "comments without an end": "Content-Type: text/plain\n\n" + "<!--" * 100_000,
    "angles": "Content-Type: text/html\n\n" + ("<" * 900 + "\n") * 1000,
    "spaces after a heading": "\n# student" + " " * 200_000 + "x",
    "an encoding that does not exist": 'Content-Type: text/plain; charset="nothing-known"\n\nx',
    "parts without an end": "Content-Type: multipart/mixed; boundary=x\n\n--x\n",
    "parts in parts": "".join(f"Content-Type: multipart/mixed; boundary=x{n}\n\n--x{n}\n" for n in range(2000)),
    "a transfer that fails": "Content-Transfer-Encoding: base64\n\n\x00\x01===",
}
AFTER = "\n\nFrom bob@x Mon Mar  2 10:00:00 2026\nFrom: bob@x.edu\n\nStudent: bob\nRequest:\nplease look again\n"


def mailbox_of(first: str) -> str:
    return f"From ann@x Mon Mar  2 09:00:00 2026\n{first}{AFTER}"


@pytest.mark.parametrize(
    "first",
    [
        *(f"From: {sender}\n\nRequest: x" for sender in SENDERS.values()),
        *(f"From: a@x\n{text}" for text in TEXTS.values()),
    ],
    ids=[*SENDERS, *TEXTS],
)
def test_a_mail_of_any_content_keeps_none_from_the_next(first: str, tmp_path: Path) -> None:
    (tmp_path / "all.mbox").write_text(mailbox_of(first))
    started = time.process_time()
    last = read(tmp_path / "all.mbox")[-1]
    assert last[1:] == ("bob", "bob@x.edu", "", "please look again")
    assert time.process_time() - started < 10


def test_a_mail_that_cannot_be_parsed_is_shown_as_it_is(tmp_path: Path) -> None:
    nested = "".join(f"Content-Type: multipart/mixed; boundary=x{n}\n\n--x{n}\n" for n in range(2000))
    (tmp_path / "all.mbox").write_text(mailbox_of(f"{nested}why?"))
    first, _ = received_requests(tmp_path / "all.mbox")
    assert (first.sender, first.text.endswith("why?")) == ("", True)


def test_a_long_cell_of_a_table(tmp_path: Path) -> None:
    (tmp_path / "all.csv").write_text(
        f'Email address,Q01_(student),Q03_(request)\na@x,ann,"{"x" * 140_000}"\rb@x,bob,y\n'
    )
    assert [len(request.text) for request in received_requests(tmp_path / "all.csv")] == [140_000, 1]
