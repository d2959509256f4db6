"""Programs that look for a way out: at the first process, at the kernel, at files outside."""

from pathlib import Path

import pytest

from grader.model.assignment import Isolation
from grader.model.judgement import Verdict
from grader.model.program import Limits
from grader.run.environment import RunEnvironment
from grader.run.toolchain import shown_outside_system
from tests.attacks.arena import SECRET, Arena
from tests.building import TEST

SHOW = """
def attempt(name, act):
    try:
        print(name, "worked:", repr(act()))
    except BaseException as error:
        print(name, "failed:", error)

import ctypes, os, signal, socket, sys
libc = ctypes.CDLL(None, use_errno=True)

def check(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
"""
"""Every attempt must fail."""

ATTEMPTS = {
    "looking at the first process": """
for name in "environ", "mem", "maps", "syscall", "stack", "auxv":
    attempt(name, lambda: open(f"/proc/1/{name}", "rb").read(1))
for name in "fd", "map_files", "cwd", "root", "fdinfo":
    attempt(name, lambda: os.listdir(f"/proc/1/{name}/"))
attempt("exe", lambda: os.readlink("/proc/1/exe"))
""",
    "tracing the first process": """
PTRACE_ATTACH, PTRACE_SEIZE = 16, 0x4206
attempt("attach", lambda: check(libc.ptrace(PTRACE_ATTACH, 1, 0, 0)))
attempt("seize", lambda: check(libc.ptrace(PTRACE_SEIZE, 1, 0, 0)))
class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
here = ctypes.create_string_buffer(8)
mine, its = Piece(ctypes.addressof(here), 8), Piece(ctypes.addressof(here), 8)
attempt("write", lambda: check(libc.process_vm_writev(1, ctypes.byref(mine), 1, ctypes.byref(its), 1, 0)))
attempt("steal", lambda: check(libc.syscall(438, os.pidfd_open(1), 0, 0)))
""",
    "opening sockets": """
attempt("connect", lambda: socket.create_connection(("192.0.2.1", 80), 1))
attempt("names", lambda: socket.getaddrinfo("example.org", 80))
attempt("datagram", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 53)))
attempt("six", lambda: socket.create_connection(("2001:db8::1", 80), 1))
attempt("packet", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
attempt("local", lambda: socket.create_connection(("127.0.0.1", PORT), 1))
attempt("abstract", lambda: socket.socket(socket.AF_UNIX).connect("\\0" + NAME))
""",
    "sockets of every kind": """
for family in range(64):
    for kind in range(1, 11):
        if family != socket.AF_UNIX:
            attempt(f"family {family}", lambda: socket.socket(family, kind))
            attempt(f"pair of {family}", lambda: socket.socketpair(family, kind))
""",
    "new namespaces": """
CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWNET, CLONE_NEWPID = 0x10000000, 0x20000, 0x40000000, 0x20000000
for flag in CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWNET, CLONE_NEWPID, CLONE_NEWUSER | CLONE_NEWNS:
    attempt(hex(flag), lambda: check(libc.unshare(flag)))
stack = ctypes.create_string_buffer(1 << 16)
child = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(lambda _: os._exit(0))
top = ctypes.c_void_p(ctypes.addressof(stack) + 65536 - 16)
attempt("clone", lambda: check(libc.clone(child, top, CLONE_NEWUSER | signal.SIGCHLD, None)))
arguments = (ctypes.c_uint64 * 11)(CLONE_NEWUSER, 0, 0, 0, signal.SIGCHLD)
def clone3():
    pid = check(libc.syscall(435, arguments, 88))
    if pid == 0:
        os._exit(0)
    return pid
attempt("clone3", clone3)
""",
    "mounting": """
attempt("tmpfs", lambda: check(libc.mount(b"none", b"/tmp", b"tmpfs", 0, b"size=1g")))
attempt("proc", lambda: check(libc.mount(b"proc", b"/proc", b"proc", 0, None)))
attempt("writable", lambda: check(libc.mount(b"none", b"/", None, 0x20 | 0x1000, None)))
attempt("unmount", lambda: check(libc.umount2(b"/work", 2)))
attempt("pivot", lambda: check(libc.syscall(155, b"/work", b"/work")))
attempt("chroot", lambda: os.chroot("/tmp"))
""",
    "becoming another user": """
for name in "setuid", "setgid", "setreuid":
    attempt(name, lambda: check(getattr(libc, name)(*([0] * (1 + name.count("re"))))))
attempt("groups", lambda: os.setgroups([0]))
attempt("chown", lambda: [open("/tmp/mine", "w").close(), os.chown("/tmp/mine", 0, 0)])
attempt("device", lambda: os.mknod("/tmp/device", 0o060666, os.makedev(8, 0)))
attempt("hostname", lambda: socket.sethostname("owned"))
attempt("priority", lambda: os.setpriority(os.PRIO_PROCESS, 0, -5))
attempt("capabilities", lambda: check(-1 if "CapEff:\\t0000000000000000" in open("/proc/self/status").read() else 0))
attempt("setuid program", lambda: check(-1 if "NoNewPrivs:\\t1" in open("/proc/self/status").read() else 0))
""",
    "crippling the first process": """
import resource
for kind in resource.RLIMIT_CPU, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC:
    attempt("limit", lambda: resource.prlimit(1, kind, (0, 0)))
attempt("read limit", lambda: resource.prlimit(1, resource.RLIMIT_CPU))
""",
    "writing outside": """
for folder in "/", "/usr", "/etc", "/bin", "/submission", "/opt/python", sys.base_prefix, "/proc", "/dev", "/root":
    attempt(folder, lambda: open(f"{folder}/owned", "w"))
for file in "/etc/passwd", "/submission/peace.py", "/opt/python/server/__main__.py", sys.executable:
    attempt(file, lambda: open(file, "r+b"))
attempt("/proc/sysrq-trigger", lambda: open("/proc/sysrq-trigger", "w"))
attempt("remove", lambda: os.unlink("/submission/peace.py"))
attempt("link", lambda: os.link("/submission/peace.py", "/work/link"))
attempt("mode", lambda: os.chmod("/submission/peace.py", 0o777))
""",
    "holes in the kernel": """
attempt("keyring", lambda: check(libc.syscall(250, 0, -4, 1)))
attempt("add a key", lambda: check(libc.syscall(248, b"user", b"note", b"x", 1, -4)))
attempt("bpf", lambda: check(libc.syscall(321, 0, 0, 0)))
attempt("perf", lambda: check(libc.syscall(298, 0, 0, 0, 0, 0)))
attempt("io_uring", lambda: check(libc.syscall(425, 1, ctypes.create_string_buffer(200))))
attempt("userfaultfd", lambda: check(libc.syscall(323, 0)))
attempt("module", lambda: check(libc.syscall(313, 0, b"", 0)))
attempt("reboot", lambda: check(libc.reboot(0)))
attempt("queue", lambda: check(libc.mq_open(b"/note", os.O_CREAT | os.O_RDWR, 0o666, None)))
""",
}


@pytest.mark.parametrize("name", ATTEMPTS)
def test_there_is_no_way_out(name: str, arena: Arena) -> None:
    spoils = arena.grade({"attack.py": SHOW + ATTEMPTS[name]}, "session")
    said = spoils.transcript("session")
    assert "failed:" in said
    assert "worked:" not in said, said
    assert spoils.result("session").verdict is Verdict.WRONG_OUTPUT, said


NEEDED = """\
import asyncio, multiprocessing, socket, subprocess


async def converse():
    process = await asyncio.create_subprocess_exec("/bin/cat", stdin=-1, stdout=-1)
    return (await process.communicate(b"asyncio"))[0].decode()


def answer(pipe):
    pipe.send("multiprocessing")


def refused(act):
    try:
        return act()
    except OSError:
        return "no network"


if __name__ == "__main__":
    print(subprocess.run(["/bin/echo", "subprocess"], capture_output=True, text=True).stdout.strip())
    print(asyncio.run(converse()))
    for method in "fork", "spawn", "forkserver":
        context = multiprocessing.get_context(method)
        ours, theirs = context.Pipe()
        process = context.Process(target=answer, args=(theirs,))
        process.start()
        print(ours.recv(), method)
        process.join()
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(pool.map(abs, [-1, 2]), multiprocessing.Value("i", 7).value)
    socket.socket(socket.AF_UNIX).bind("/tmp/mine")
    print(refused(socket.if_nameindex))
    print(refused(lambda: socket.getaddrinfo("localhost", 80)[0][4]))
    print(refused(lambda: socket.create_server(("", 0))))
"""


@pytest.mark.slow
def test_a_program_has_what_it_needs_of_sockets(sandboxes: RunEnvironment, tmp_path: Path) -> None:
    (tmp_path / "game.py").write_text(NEEDED)
    with sandboxes.runner([(tmp_path / "game.py", "game.py")]) as runner:
        outcome = runner.run(TEST, Limits(wall_seconds=100), Isolation.FRESH_PROCESS, {})
    assert outcome.transcript.splitlines() == [
        "subprocess",
        "asyncio",
        "multiprocessing fork",
        "multiprocessing spawn",
        "multiprocessing forkserver",
        "[1, 2] 7",
        *["no network"] * 3,
    ]


DEVICES = """
import os
print(sorted(os.listdir("/dev")))
for name in "null", "tty", "random", "urandom", "zero", "ptmx":
    os.close(os.open(f"/dev/{name}", os.O_RDWR))
print(os.listdir("/dev/pts"), os.path.samestat(os.stat("/dev/console"), os.stat("/dev/null")))
"""


def test_there_are_no_devices_but_what_a_program_needs(arena: Arena) -> None:
    said = arena.grade({"attack.py": DEVICES}, "session").transcript("session").splitlines()
    names = ["console", "core", "fd", "full", "null", "ptmx", "pts", "random", "shm", "stderr", "stdin", "stdout"]
    assert said == [str([*names, "tty", "urandom", "zero"]), "['ptmx'] True"]


KILLERS = {
    "kills all it can": "os.kill(-1, signal.SIGKILL)",
    "kills its group": "os.kill(0, signal.SIGKILL)",
    "kills its parent": "os.kill(os.getppid(), signal.SIGKILL); os.kill(os.getpid(), signal.SIGKILL)",
    "stops the first process": "os.kill(1, signal.SIGSTOP); os.kill(os.getpid(), signal.SIGKILL)",
    "all signals to the first process": """
for number in range(1, 65):
    try:
        os.kill(1, number)
    except OSError:
        pass
time.sleep(0.2)
os.kill(os.getpid(), signal.SIGKILL)
""",
    "all signals to everybody": """
os.fork(); os.fork()
for number in range(1, 65):
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
        os.kill(-1, number)
os.kill(-1, signal.SIGKILL)
os.kill(os.getpid(), signal.SIGKILL)
""",
}


@pytest.mark.parametrize("name", KILLERS)
def test_who_kills_dies_alone(name: str, arena: Arena) -> None:
    spoils = arena.grade({"attack.py": f"import os, signal, time\n{KILLERS[name]}"}, "session")
    assert spoils.result("session").verdict is Verdict.CRASH, spoils.transcript("session")


SEARCH = """
import os, sys
from pathlib import Path

SKIPPED = "/usr", "/proc/sys", "/sys", sys.base_prefix, "/opt/python/lib", *TOOLS

def search(top):
    for path, folders, files in os.walk(top, onerror=lambda error: None):
        folders[:] = [name for name in folders if not os.path.join(path, name).startswith(SKIPPED)]
        for name in files:
            file = os.path.join(path, name)
            own = file.endswith("/attack.py") or file == f"/proc/{os.getpid()}/mem"
            if own or file.startswith("/proc") and "/task/" in file or file.startswith("/dev/"):
                continue
            try:
                if os.path.isfile(file):
                    with open(file, "rb") as stream:
                        yield file, stream.read(100_000)
            except OSError:
                pass

needle = b"below the " + b"third palm"
for file, content in search("/"):
    if needle in content or b"host-only" in content:
        print("found in", file, content[-300:])
for place in PLACES:
    try:
        print("found", place, sorted(os.listdir(place)) if os.path.isdir(place) else open(place, "rb").read())
    except OSError:
        pass
print(sorted(os.environ))
print(open("/etc/passwd").read())
"""


@pytest.mark.slow
def test_nothing_of_the_course_can_be_found(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADER_TOKEN", "host-only secret")
    course = arena.course
    (course / ".grader").mkdir()
    (course / ".grader" / "store.sqlite3").write_text(SECRET)
    # All files of the system take a while to read.
    assignment = course / "test_specs" / "heist" / "assignment.yaml"
    assignment.write_text(assignment.read_text().replace("wall_seconds: 2\n", "wall_seconds: 100\n"))
    places = [course, course / "reference" / "attack.py", course / "submissions" / "alice", course / "test_specs"]
    places += [course / ".grader" / "store.sqlite3", Path("/etc/shadow"), Path.home(), Path(__file__), Path("/var")]
    places += [Path("/home"), Path("/sys/kernel"), Path("/run"), Path("/etc/ssh")]
    search = SEARCH.replace("PLACES", repr(list(map(str, places))))
    search = search.replace("TOOLS", repr(tuple(map(str, shown_outside_system()))))
    spoils = arena.grade({"attack.py": search}, "session")
    said = spoils.transcript("session")
    # Folders on the way to the interpreter and to compilers can be seen, but there is nothing else in them.
    shown = (arena.environment.interpreter.installation, *shown_outside_system())
    on_the_way = {
        f"found {top} {sorted({one.relative_to(top).parts[0] for one in shown if one.is_relative_to(top)})}"
        for path in shown
        for top in path.parents
    }
    assert not [line for line in said.splitlines() if line.startswith("found") and line not in on_the_way], said
    assert "host-only" not in said
    assert SECRET not in said
    assert "GRADER" not in said
    assert said.split()[-3:] == [
        "root:x:0:0::/:/bin/sh",
        "student:x:1000:1000::.:/bin/sh",
        "nobody:x:65534:65534::/:/bin/false",
    ]
