"""Programs that wait for input in different ways: each gets its lines when it asks, and not before."""

import pytest

from grader.model.outcome import Termination
from tests.run.conftest import Session

PROGRAMS = {
    "input": """
        a = input('A? ')
        print('got', a)
        b = input('B? ')
        print('got', b)
        """,
    "input without prompt": """
        print('A? ', end='', flush=True)
        print('got', input())
        print('B? ', end='', flush=True)
        print('got', input())
        """,
    "prints that are never flushed": """
        import sys
        sys.stdout.write('A? ')
        print('got', input())
        sys.stdout.write('B? ')
        print('got', input())
        """,
    "lines of stdin": """
        import sys
        print('A? ', end='', flush=True)
        for line in sys.stdin:
            print('got', line, end='')
            print('B? ' if line == '1\\n' else '', end='', flush=True)
            if line == '2\\n':
                break
        """,
    "readline": """
        import sys
        for question in 'AB':
            sys.stdout.write(question + '? ')
            sys.stdout.flush()
            print('got', sys.stdin.readline().rstrip())
        """,
    "os.read": """
        import os
        for question in b'AB':
            os.write(1, bytes([question]) + b'? ')
            os.write(1, b'got ' + os.read(0, 1000))
        """,
    "os.read, one byte at a time": """
        import os
        for question in b'AB':
            os.write(1, bytes([question]) + b'? ')
            line = b''
            while not line.endswith(b'\\n'):
                line += os.read(0, 1)
            os.write(1, b'got ' + line)
        """,
    "the controlling terminal": """
        with open('/dev/tty') as reader:
            print('A? ', end='', flush=True)
            print('got', reader.readline(), end='')
            print('B? ', end='', flush=True)
            print('got', reader.readline(), end='')
        """,
    "sleeping first": """
        import time
        time.sleep(0.15)
        a = input('A? ')
        time.sleep(0.15)
        print('got', a)
        b = input('B? ')
        print('got', b)
        """,
    "computing first": """
        sum(range(1_000_000))
        print('got', input('A? '))
        sum(range(1_000_000))
        print('got', input('B? '))
        """,
    "a thread that reads": """
        import threading
        def talk():
            print('got', input('A? '))
            print('got', input('B? '))
        thread = threading.Thread(target=talk)
        thread.start()
        thread.join()
        """,
    "a child process that reads": """
        import subprocess, sys
        code = "print('got', input('{}? '))"
        subprocess.run([sys.executable, '-c', code.format('A')])
        subprocess.run([sys.executable, '-c', code.format('B')])
        """,
    "a forked child that reads, then its parent": """
        import os
        if os.fork() == 0:
            print('got', input('A? '), flush=True)
            os._exit(0)
        os.wait()
        print('got', input('B? '))
        """,
    "a shell that reads": """
        import os
        os.system('printf "A? "; read x; echo got $x; printf "B? "; read x; echo got $x')
        """,
    "select": """
        import os, select
        for question in b'AB':
            os.write(1, bytes([question]) + b'? ')
            select.select([0], [], [])
            os.write(1, b'got ' + os.read(0, 1000))
        """,
    "select with a time limit, again and again": """
        import os, select
        for question in b'AB':
            os.write(1, bytes([question]) + b'? ')
            while not select.select([0], [], [], 0.02)[0]:
                pass
            os.write(1, b'got ' + os.read(0, 1000))
        """,
    "poll": """
        import os, select
        poll = select.poll()
        poll.register(0, select.POLLIN)
        for question in b'AB':
            os.write(1, bytes([question]) + b'? ')
            poll.poll()
            os.write(1, b'got ' + os.read(0, 1000))
        """,
    "epoll": """
        import os, select
        poll = select.epoll()
        poll.register(0, select.EPOLLIN)
        for question in b'AB':
            os.write(1, bytes([question]) + b'? ')
            poll.poll()
            os.write(1, b'got ' + os.read(0, 1000))
        """,
    "asyncio": """
        import asyncio, sys
        async def main():
            loop = asyncio.get_running_loop()
            reader = asyncio.StreamReader()
            await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
            for question in 'AB':
                print(question + '? ', end='', flush=True)
                print('got', (await reader.readline()).decode(), end='', flush=True)
        asyncio.run(main())
        """,
    "asyncio with a thread": """
        import asyncio
        async def main():
            loop = asyncio.get_running_loop()
            print('got', await loop.run_in_executor(None, input, 'A? '))
            print('got', await loop.run_in_executor(None, input, 'B? '))
        asyncio.run(main())
        """,
    "another descriptor takes the place of stdin for a while": """
        import os, threading, time
        print('got', input('A? '))
        terminal = os.dup(0)
        ours, theirs = os.pipe()
        os.dup2(ours, 0)
        def answer():
            time.sleep(0.1)
            os.write(theirs, b'x')
        threading.Thread(target=answer).start()
        os.read(0, 1)
        os.dup2(terminal, 0)
        print('got', input('B? '))
        """,
}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_lines_are_typed_when_asked_for(session: Session, source: str) -> None:
    outcome = session(source, ["1", "2"])

    assert outcome.transcript == "A? 1\ngot 1\nB? 2\ngot 2\n"
    assert [(typed.offset, typed.text) for typed in outcome.typed] == [(3, "1"), (14, "2")]
    assert (outcome.ending, outcome.exit_code, outcome.unsent) == (Termination.EXITED, 0, 0)


def test_a_program_that_reads_everything_first(session: Session) -> None:
    outcome = session("import sys; print(sys.stdin.read().split())", ["1", "2"])

    assert outcome.transcript == "1\n2\n['1', '2']\n"


def test_a_password_is_not_echoed(session: Session) -> None:
    outcome = session(
        """
        from getpass import getpass
        first, second = getpass('First: '), getpass('Second: ')
        print(first, second, input('Third: '))
        """,
        ["one", "two", "three"],
    )

    assert outcome.transcript == "First: \nSecond: \nThird: three\none two three\n"
    assert [typed.offset for typed in outcome.typed] == [7, 16, 24]


@pytest.mark.parametrize("reset", ["stty sane", "stty onlcr"])
def test_line_ends_stay_as_they_are_when_a_program_resets_the_terminal(session: Session, reset: str) -> None:
    source = f"""
        import os
        os.system({reset!r})
        print("a\\r\\nb", "c\\rd", sep="\\n")
        print("x\\n" * 20_000)
        print(input("name? "), end="\\r")
        """
    outcome = session(source, ["bob"])
    assert outcome.transcript == "a\r\nb\nc\rd\n" + "x\n" * 20_000 + "\nname? bob\nbob\r"


def test_without_echo_only_the_program_is_seen(session: Session) -> None:
    outcome = session(PROGRAMS["input"], ["1", "2"], echo=False)

    assert outcome.transcript == "A? got 1\nB? got 2\n"


SETTINGS = {
    "sane": "os.system('stty sane')",
    "echo": "os.system('stty echo echoctl echonl')",
    "echo by hand": "a = termios.tcgetattr(0); a[3] |= termios.ECHO; termios.tcsetattr(0, termios.TCSANOW, a)",
    "sane before each": "input = lambda prompt, ask=input: (os.system('stty sane'), ask(prompt))[1]",
    "keys": "os.system('stty intr 1 eof 2 lnext 3 kill 1 erase 1 stop 1 ixon icrnl istrip')",
    "raw and back": "os.system('stty raw; stty -raw; stty sane')",
    "size": "os.system('stty rows 2 cols 3')",
    "line ends": "os.system('stty -onlcr'); os.system('stty onlcr')",
    "dumb": "os.environ['TERM'] = 'dumb'",
}


@pytest.mark.parametrize("echo", [False, True])
@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_a_program_may_set_its_terminal_as_that_of_a_person_is(session: Session, setting: str, *, echo: bool) -> None:
    source = f"""
        import os, sys, termios
        {setting}
        print('got', input('A? '))
        print('got', ascii(input('B? ')), flush=True)
        print(sys.stdin.read())
        """
    second = "x\x03\x04\x13\x16\x15\x7fü1" + "y" * 5_000
    outcome = session(source, ["1", second, "3"], echo=echo)
    shown = ["1\n", f"{second}\n", "3\n"] if echo else ["", "", ""]
    assert outcome.ending is Termination.EXITED
    assert outcome.transcript == f"A? {shown[0]}got 1\nB? {shown[1]}got {second!a}\n{shown[2]}3\n\n"


@pytest.mark.parametrize("echo", [False, True])
def test_a_program_may_switch_the_echo_off_and_on(session: Session, *, echo: bool) -> None:
    source = """
        import os
        os.system('stty -echo')
        print('got', input('A? '))
        os.system('stty echo')
        print('got', input('B? '))
        """
    shown = "2\n" if echo else ""
    assert session(source, ["1", "2"], echo=echo).transcript == f"A? got 1\nB? {shown}got 2\n"


def test_line_editing_by_the_program_shows_each_line_once(session: Session) -> None:
    outcome = session("import readline\n" + "print('got', input('A? '))\n" * 2, ["1", "x" * 300])

    assert outcome.transcript == f"A? 1\ngot 1\nA? {'x' * 300}\ngot {'x' * 300}\n"


def test_a_curses_program_gets_its_keys(session: Session) -> None:
    outcome = session(
        """
        import curses, os
        def main(screen):
            keys = b''
            while not keys.endswith(b'\\n'):
                keys += bytes([screen.getch()])
            return keys
        keys = curses.wrapper(main)
        print('keys', keys)
        """,
        ["up"],
        env={"TERM": "xterm"},
    )

    assert outcome.transcript.endswith("keys b'up\\n'\n")
    assert outcome.exit_code == 0


def test_a_thread_may_print_while_the_main_thread_waits_for_input(session: Session) -> None:
    outcome = session(
        """
        import threading
        name = input('Name? ')
        done = threading.Event()
        def work():
            for n in range(3):
                print('step', n)
            done.set()
        threading.Thread(target=work).start()
        done.wait()
        print('Hello', input('Again? '), name)
        """,
        ["a", "b"],
    )

    assert outcome.transcript == "Name? a\nstep 0\nstep 1\nstep 2\nAgain? b\nHello b a\n"
