"""Chance, time, other processes, and limits."""

PROGRAMS = {
    "chance with a seed": r"""
import random
random.seed(5)
print(random.random(), random.sample(range(52), 5), random.getrandbits(64))
""",
    "chance from a seeded generator": r"""
import random
game = random.Random('x')
cards = list(range(9))
game.shuffle(cards)
print(cards)
""",
    "chance without a seed": "import random\nprint(random.random() != random.random(), random.Random().random() < 1)",
    "hashes": "print(hash('card'), hash(b'card'), hash((1, 'a')), list({'b', 'a', 'c', 'd', 'e'}))",
    "the order of a set": "print({str(n) for n in range(40)}, frozenset('solitaire'))",
    "the hash seed": r"""
import os, sys
print(os.environ['PYTHONHASHSEED'], sys.flags.hash_randomization, sys.hash_info)
""",
    "variables": r"""
import os
for name in sorted(os.environ):
    print(name, os.environ[name])
print(os.getcwd(), os.path.expanduser('~'))
""",
    "variables are set": r"""
import os, subprocess
os.environ['CARDS'] = '52'
print(os.getenv('CARDS'), flush=True)
subprocess.run('echo $CARDS $HOME', shell=True)
print(os.environb[b'CARDS'])
""",
    "os and posix agree": r"""
import os, posix
print({os.fsdecode(k): os.fsdecode(v) for k, v in posix.environ.items()} == dict(os.environ))
""",
    "the program in the variables of the kernel": "print(open('/proc/self/comm').read())",
    "time": r"""
import time
before = time.perf_counter()
time.sleep(0.01)
print(time.perf_counter() - before >= 0.01, time.tzname, time.timezone)
print(time.process_time() < 5, time.strftime('%Z'))
""",
    "local time": r"""
import datetime
print(datetime.datetime.fromtimestamp(0), datetime.datetime.now().astimezone().tzinfo)
""",
    "a child by fork": r"""
import os
print('before', flush=True)
pid = os.fork()
if pid == 0:
    print('child')
    exit(3)
print('parent', os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
""",
    "a child by fork, not flushed": "import os\nprint('twice', end=' ')\nif os.fork():\n    os.wait()\nprint('end')",
    "a child by fork that fails": "import os\nif os.fork():\n    print(os.wait()[1])\nelse:\n    1 / 0\n",
    "a child that is left behind": "import os, time\nif os.fork() == 0:\n    time.sleep(30)\nprint('on')",
    "subprocess": r"""
import subprocess, sys
done = subprocess.run([sys.executable, '-c', 'print(1 + 1)'], capture_output=True, text=True)
print(done.stdout, done.returncode)
""",
    "subprocess on the terminal": r"""
import subprocess, sys
print('a', flush=True)
subprocess.run([sys.executable, '-c', 'print(input("child? "))'])
""",
    "subprocess that runs the program's sibling": r"""
import subprocess, sys
print(subprocess.run([sys.executable, 'other.py', 'x'], capture_output=True, text=True).stdout)
# file: other.py
import sys
print(sys.argv)
""",
    "os.system": r"""
import os
print(os.system('exit 3'), flush=True)
os.system('pwd')
print(os.popen('echo hi').read())
""",
    "multiprocessing by fork": r"""
import multiprocessing
def double(n):
    return 2 * n
if __name__ == '__main__':
    context = multiprocessing.get_context('fork')
    with context.Pool(2) as pool:
        print(pool.map(double, range(4)))
""",
    "multiprocessing by spawn": r"""
import multiprocessing
print('loaded as', __name__, flush=True)
def double(n, queue):
    queue.put(2 * n)
if __name__ == '__main__':
    context = multiprocessing.get_context('spawn')
    queue = context.SimpleQueue()
    process = context.Process(target=double, args=(4, queue)); process.start()
    print(queue.get()); process.join(); print(process.exitcode)
""",
    "multiprocessing that is not joined": r"""
import multiprocessing, time
def work():
    time.sleep(0.02); print('worked')
multiprocessing.get_context('fork').Process(target=work).start()
print('on')
""",
    "signals to a child": r"""
import os, signal
pid = os.fork()
if pid == 0:
    signal.pause()
os.kill(pid, signal.SIGTERM)
print(os.waitstatus_to_exitcode(os.wait()[1]))
""",
    "asyncio": r"""
import asyncio
async def main():
    print(await asyncio.gather(*(asyncio.sleep(0, n) for n in range(3))))
asyncio.run(main())
""",
    "limits": r"""
import resource
for name in ('CPU', 'DATA', 'FSIZE', 'NOFILE', 'CORE', 'STACK'):
    print(name, resource.getrlimit(getattr(resource, 'RLIMIT_' + name)))
""",
    "niceness": "import os\nprint(os.nice(0), os.umask(0o22), os.getpriority(os.PRIO_PROCESS, 0))",
    "too much memory": "x = bytearray(3 << 30)",
    "too many open files": "files = [open(__file__) for n in range(2000)]",
    "too large a file": "with open('big', 'wb') as file:\n    file.truncate(100 << 20)",
    "numbers": "print(0.1 + 0.2, 10 ** 30, -7 // 2, 7 % -3, round(2.5), 1e308 * 10, 2 ** 0.5, divmod(-7, 2))",
    "a very long number": "print(len(str(10 ** 5000)))",
    "decimal contexts": r"""
import decimal
print(decimal.getcontext())
decimal.getcontext().prec = 3
print(decimal.Decimal(1) / 3)
""",
    "context variables": "import contextvars\nprint(len(contextvars.copy_context()))",
    "the files beside": "import os\nprint(sorted(os.listdir()), os.path.abspath('x'))\n",
    "the platform": r"""
import platform, sys
print(platform.python_version(), sys.byteorder, sys.maxsize, platform.system())
""",
    "interned texts": "a = 'card'\nb = ''.join(['ca', 'rd'])\nprint(a is b, a == b)",
    "identities": "x = 256\ny = int('256')\nprint(x is y, () is tuple())\n",
    "curses": r"""
import curses
try:
    curses.setupterm()
    print(curses.tigetnum('colors'))
except curses.error as error:
    print(error)
""",
    "the stack of threads": r"""
import sys, threading
print(threading.stack_size(), sys.getswitchinterval(), sys.get_int_max_str_digits())
""",
    "tkinter is not there": r"""
try:
    import tkinter
    tkinter.Tk()
except Exception as error:
    print(type(error).__name__)
""",
    "references to constants": "import sys\nname = 'Alice'\nprint(sys.getrefcount(name), sys.getrefcount(1000))\n",
    "all kinds of errors": "print(sorted(kind.__name__ for kind in OSError.__subclasses__()))\n",
    "what is called at the end": r"""
import sys
def show(frame, event, value):
    if event == 'call':
        print(frame.f_code.co_name)
sys.setprofile(show)
""",
}
