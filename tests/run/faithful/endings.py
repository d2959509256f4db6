"""How programs end: exit statuses, signals, threads."""

PROGRAMS = {
    "falls off the end": "print('done')",
    "empty": "",
    "exit with nothing": "import sys; print(1); sys.exit()",
    "exit with None": "import sys; sys.exit(None)",
    "exit with a number": "import sys; sys.exit(3)",
    "exit with True": "import sys; sys.exit(True)",
    "exit with a large number": "import sys; sys.exit(256 + 7)",
    "exit with a huge number": "import sys; sys.exit(2 ** 70)",
    "exit with a negative number": "import sys; sys.exit(-1)",
    "exit with a text": "import sys; print('a', end=''); sys.exit('no such card')",
    "exit with an object": "raise SystemExit({'a': [1, 2]})",
    "exit with several things": "raise SystemExit(1, 2)",
    "exit with an object that cannot be shown": r"""
class Mute:
    def __str__(self):
        raise ValueError('mute')
raise SystemExit(Mute())
""",
    "exit with a subclass of int": r"""
import enum, sys
class Code(enum.IntEnum):
    BAD = 4
sys.exit(Code.BAD)
""",
    "exit with a changed code": r"""
error = SystemExit(5)
error.code = 6
raise error
""",
    "exit is caught": r"""
try:
    exit(3)
except SystemExit as error:
    print('caught', error.code)
""",
    "the builtins exit and quit": "print(exit, quit); quit(9)",
    "exit in a finally": r"""
import sys
try:
    1 / 0
finally:
    sys.exit(8)
""",
    "exit in a function of a module": "import helper\n# file: helper.py\nraise SystemExit(12)\n",
    "exit in a thread": r"""
import sys, threading
thread = threading.Thread(target=sys.exit, args=(3,))
thread.start(); thread.join(); print('still here')
""",
    "os._exit": "import os; print('lost?', end=''); os._exit(4)",
    "os._exit in a thread": r"""
import os, threading
thread = threading.Thread(target=os._exit, args=(5,))
thread.start(); thread.join(); print('not reached')
""",
    "abort": "import os; print('x', flush=True); os.abort()",
    "killed by itself": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "terminated by itself": "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
    "a signal raised": "import signal; signal.raise_signal(signal.SIGUSR1)",
    "an alarm": "import signal, time; signal.setitimer(signal.ITIMER_REAL, 0.01); time.sleep(5)",
    "a signal handled": r"""
import signal
def handler(number, frame):
    print('got', number, frame.f_code.co_name, frame.f_lineno)
signal.signal(signal.SIGUSR1, handler)
signal.raise_signal(signal.SIGUSR1)
print('on')
""",
    "a signal handler that raises": r"""
import signal
def handler(number, frame):
    raise ValueError(number)
signal.signal(signal.SIGTERM, handler)
signal.raise_signal(signal.SIGTERM)
""",
    "signal dispositions": r"""
import signal
for number in sorted(signal.valid_signals()):
    print(number, signal.getsignal(number))
print(signal.pthread_sigmask(signal.SIG_BLOCK, []))
""",
    "an interrupt raised": "raise KeyboardInterrupt",
    "an interrupt by a signal": r"""
import signal; print('on'); signal.raise_signal(signal.SIGINT); print('not reached')
""",
    "an interrupt with a text": "def f():\n    raise KeyboardInterrupt('enough')\nf()",
    "an interrupt caught": r"""
import signal
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt as error:
    print('caught', repr(error))
""",
    "an interrupt turned into something else": r"""
try:
    raise KeyboardInterrupt
except KeyboardInterrupt:
    raise ValueError('stopped')
""",
    "end of input": "print(input('? ')); print(input('? ')); print(input('? '))",
    "a crash of the interpreter": "import ctypes; ctypes.string_at(0)",
    "a fault with faulthandler": "import faulthandler, os; faulthandler.enable(); os.abort()",
    "replaced by another program": "import os; print('before', flush=True); os.execvp('echo', ['echo', 'after'])",
    "a thread that is running at the end": r"""
import threading, time
def work():
    time.sleep(0.03); print('thread done')
threading.Thread(target=work).start()
print('main done')
""",
    "a daemon thread that is running at the end": r"""
import threading, time
def work():
    print('begun', flush=True)
    begun.set()
    while True: time.sleep(0.005)
begun = threading.Event()
threading.Thread(target=work, daemon=True).start()
begun.wait(); print('main done')
""",
    "an error in a thread": r"""
import threading
def work():
    raise ValueError('in a thread')
thread = threading.Thread(target=work, name='worker'); thread.start(); thread.join(); print('main done')
""",
    "an error in the main thread while another runs": r"""
import threading
threading.Thread(target=lambda: (threading.main_thread().join(), print('thread done'))).start()
1 / 0
""",
    "a pool of threads": r"""
from concurrent.futures import ThreadPoolExecutor
pool = ThreadPoolExecutor(3)
futures = [pool.submit(pow, n, 2) for n in range(5)]
print([future.result() for future in futures])
""",
    "threads and their names": r"""
import threading
print(threading.main_thread().name, threading.current_thread() is threading.main_thread(), threading.active_count())
thread = threading.Thread(target=lambda: print(threading.current_thread().name)); thread.start(); thread.join()
""",
    "exit with a text where standard error is another object": r"""
import sys
class Screen:
    def write(self, text):
        print('written', repr(text))
    def flush(self): pass
sys.stderr = Screen()
sys.exit('bye')
""",
    "exit with a text without standard error": "import sys\nsys.stderr = None\nsys.exit('bye')\n",
    "exit with a text where standard error is closed": "import sys\nsys.stderr.close()\nsys.exit('bye')\n",
    "exit with a text where standard error is deleted": "import sys\ndel sys.stderr\nsys.exit('bye')\n",
    "exit with a text where print is another": r"""
import builtins, sys
say = print
builtins.print = lambda *values, **named: say('printed', *values)
sys.exit('bye')
""",
}
