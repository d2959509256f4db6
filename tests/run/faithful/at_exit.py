"""What happens at the end: exit functions, finalizers, last words."""

SPEAKER = """\
class Deck:
    def __init__(self, name):
        self.name = name
    def __del__(self):
        print('gone', self.name)
"""

PROGRAMS = {
    "exit functions": r"""
import atexit
for name in 'abc':
    atexit.register(print, 'exit', name)
print('on')
""",
    "an exit function is unregistered": r"""
import atexit
atexit.register(print, 'a')
atexit.unregister(print)
print(atexit._ncallbacks())
""",
    "an exit function fails": r"""
import atexit
atexit.register(print, 'first registered')
@atexit.register
def fail():
    1 / 0
atexit.register(print, 'last registered')
""",
    "an exit function exits": r"""
import atexit, sys
atexit.register(print, 'first registered')
atexit.register(sys.exit, 5)
""",
    "an exit function registers another": "import atexit\natexit.register(lambda: atexit.register(print, 'inner'))\n",
    "exit functions after an error": "import atexit\natexit.register(print, 'bye')\n1 / 0\n",
    "exit functions after exit": "import atexit, sys\natexit.register(print, 'bye')\nsys.exit(3)\n",
    "exit functions after an interrupt": "import atexit\natexit.register(print, 'bye')\nraise KeyboardInterrupt\n",
    "an exit function that asks": "import atexit\natexit.register(lambda: print(input('Really? ')))\n",
    "an exit function that starts a thread": r"""
import atexit, threading
def late():
    thread = threading.Thread(target=print, args=('late',))
    thread.start(); thread.join()
atexit.register(late)
""",
    "an exit function that calls os._exit": "import atexit, os\natexit.register(os._exit, 6)\nprint('a')",
    "last words": SPEAKER + "deck = Deck('a')\nother = Deck('b')\n_private = Deck('c')\n",
    "last words in a list": SPEAKER + "decks = [Deck(n) for n in range(3)]\nprint('on')\n",
    "last words in a circle": SPEAKER + "deck = Deck('a')\ndeck.self = deck\nprint('on')\n",
    "last words in a module": "import helper\nprint('on')\n# file: helper.py\n" + SPEAKER + "deck = Deck('inner')\n",
    "last words of an attribute of a class": SPEAKER + "class Game:\n    deck = Deck('of the class')\nprint('on')\n",
    "last words in a default argument": SPEAKER + "def f(deck=Deck('default')): pass\nprint('on')\n",
    "last words in a function's cache": r"""
import functools
class Deck:
    def __del__(self):
        print('gone')
@functools.cache
def deck():
    return Deck()
deck()
""",
    "last words in a builtin": SPEAKER + "import builtins\nbuiltins.deck = Deck('builtin')\n",
    "last words in sys": SPEAKER + "import sys\nsys.deck = Deck('in sys')\n",
    "last words in a standard module": SPEAKER
    + "import math, random\nmath.deck = Deck('in math')\nrandom.deck = Deck('in random')\n",
    "what is written to a file in sys": "import os, sys\nsys.log = os.fdopen(os.dup(1), 'w')\nsys.log.write('late')\n",
    "what is written to a file in a standard module": r"""
import os, random
random.log = os.fdopen(os.dup(1), 'wb')
random.log.write(b'late')
""",
    "what is written to a file that a thread has": r"""
import os, threading
local = threading.local()
local.log = os.fdopen(os.dup(1), 'w')
local.log.write('late')
""",
    "what is written to a file in a builtin": r"""
import builtins, os
builtins.log = os.fdopen(os.dup(1), 'w')
log.write('late')
""",
    "last words in a thread": SPEAKER + "import threading\nlocal = threading.local()\nlocal.deck = Deck('local')\n",
    "last words that fail": "class Deck:\n    def __del__(self):\n        undefined\ndeck = Deck()\n",
    "last words that use globals": r"""
import sys
name = 'x'
class Deck:
    def __del__(self):
        print(name, sys, len)
deck = Deck()
""",
    "last words of an error": SPEAKER + "def f():\n    deck = Deck('local')\n    1 / 0\nf()\n",
    "last words after exit": SPEAKER + "def f():\n    deck = Deck('local')\n    raise SystemExit(2)\nf()\n",
    "last words of a generator": r"""
def numbers():
    try:
        yield 1
    finally:
        print('generator closed')
kept = numbers()
next(kept)
""",
    "last words of a context manager": r"""
import contextlib
@contextlib.contextmanager
def game():
    try:
        yield
    finally:
        print('game over')
kept = game()
kept.__enter__()
""",
    "finalizers": r"""
import weakref
class Deck: pass
deck = Deck()
weakref.finalize(deck, print, 'finalized')
weakref.finalize(Deck, print, 'finalized the class')
print('on')
""",
    "weak references": r"""
import weakref
class Deck: pass
deck = Deck()
kept = weakref.ref(deck, lambda ref: print('dead'))
""",
    "is_finalizing": r"""
import atexit, sys
atexit.register(lambda: print(sys.is_finalizing()))
class Deck:
    def __del__(self):
        print(sys.is_finalizing())
deck = Deck()
""",
    "the garbage collector is off": r"""
import gc
gc.disable()
class Deck:
    def __del__(self):
        print('gone')
deck = Deck()
deck.me = deck
del deck
""",
    "temporary files": r"""
import tempfile
folder = tempfile.TemporaryDirectory()
file = tempfile.NamedTemporaryFile()
print('on')
""",
    "logging": r"""
import logging
logging.basicConfig(level=logging.DEBUG, format='%(name)s %(message)s')
logging.info('info')
logging.warning('♠')
""",
    "warnings": r"""
import warnings
warnings.warn('careful')
warnings.warn('old', DeprecationWarning)
warnings.warn('careful')
""",
    "warnings as errors": "import warnings\nwarnings.simplefilter('error')\nwarnings.warn('careful')\n",
    "warnings in a function": "import warnings\ndef f():\n    warnings.warn('in f', stacklevel=2)\nf()\nf()\n",
    "the filters of warnings": r"""
import sys, warnings
print(warnings.filters, sys.warnoptions, warnings.showwarning.__name__)
""",
    "a lock held at the end": "import threading\nlock = threading.Lock()\nlock.acquire()\nprint('on')\n",
    "a timer": "import threading\nthreading.Timer(0.02, print, ['late']).start()\nprint('on')\n",
    "what is written to a file of a class": r"""
import os
class Log:
    file = os.fdopen(os.dup(1), 'w')
Log.file.write('late')
""",
    "what is written to a file in a circle": r"""
import os
class Log:
    def __init__(self):
        self.file = os.fdopen(os.dup(1), 'w')
        self.commands = {'write': self.write}
    def write(self, text):
        self.file.write(text)
log = Log()
log.commands['write']('late')
""",
    "a generator that uses globals at the end": r"""
LAST = 'late'
def say(text):
    print(text)
def numbers():
    try:
        yield 1
    finally:
        say(LAST)
kept = numbers()
next(kept)
""",
    "a generator of a module that uses globals at the end": r"""
import helper
next(helper.kept)
# file: helper.py
LAST = 'late'
def numbers():
    try:
        yield 1
    finally:
        print(LAST)
kept = numbers()
""",
    **{
        f"a generator in a function that ends by {name}": f"""
import atexit
atexit.register(print, 'exit function')
def numbers():
    try:
        yield 1
    finally:
        print('closed')
def main():
    kept = numbers()
    next(kept)
    {ending}
main()
"""
        for name, ending in {
            "exit": "exit(3)",
            "an error": "1 / 0",
            "an interrupt": "raise KeyboardInterrupt",
        }.items()
    },
    "an interrupt of a kind of its own": "class Stop(KeyboardInterrupt): pass\nraise Stop\n",
    "a global that is no text": "globals()[1] = 2\n",
    "a coroutine that is never awaited": r"""
async def play():
    print('played')
kept = play()
print('on')
""",
    "a coroutine in a function that ends by exit": r"""
async def play():
    print('played')
def main():
    kept = play()
    exit(2)
main()
""",
    "a thread that goes on at the end": r"""
import threading, time
def spin():
    while True:
        time.sleep(0.0001)
threading.Thread(target=spin, daemon=True).start()
kept = [[number] for number in range(100_000)]
""",
    "what C has not written": "import ctypes\nctypes.CDLL(None).printf(b'late')\n",
}
