"""Input, output, buffering and encoding."""

PROGRAMS = {
    "input": "name = input('Name: ')\nprint('Hello,', name)\nprint(int(input()) * 2)",
    "input with readline": "import readline\nprint(input('? '))",
    "input from sys.stdin": r"""
import sys
print(repr(sys.stdin.readline()))
for line in sys.stdin:
    print('read', repr(line))
""",
    "input by reading all": "import sys\nprint(repr(sys.stdin.read()))",
    "input by os.read": "import os\nprint(os.read(0, 100))",
    "getpass": "import getpass\nprint(len(getpass.getpass()))",
    "no flush": "import time\nprint('a', end='')\ntime.sleep(0.01)\nprint('b', end='')",
    "no flush before an error": "print('a', end='')\n1 / 0",
    "no flush before a signal": "import os\nprint('a', end='')\nos.kill(os.getpid(), 9)",
    "stdout and stderr": r"""
import sys
for n in range(3):
    print(n)
    print(n, file=sys.stderr)
sys.stdout.write('x')
sys.stderr.write('y')
""",
    "print to the raw terminal": r"""
import os, sys
print('a', end='')
os.write(1, b'b')
sys.stdout.buffer.write(b'c')
sys.stdout.buffer.raw.write(b'd')
""",
    "the streams": r"""
import sys
for stream in (sys.stdin, sys.stdout, sys.stderr):
    print(stream, stream.isatty(), stream.fileno(), stream.encoding, stream.errors, stream.line_buffering,
          stream.newlines, stream.write_through, type(stream.buffer), stream.mode, stream.name)
print(sys.stdout is sys.__stdout__, sys.stdin.buffer.raw.name, sys.stdout.buffer.raw.mode)
""",
    "the terminal": r"""
import os, shutil, sys, termios
print(os.isatty(0), os.get_terminal_size(), shutil.get_terminal_size())
print(os.tcgetpgrp(0) == os.getpgrp(), os.getsid(0) == os.getpid(), open('/dev/tty').isatty())
print([x for x in termios.tcgetattr(0) if not isinstance(x, list)])
""",
    "the name of the terminal": "import os\nprint(os.ttyname(0) == os.ttyname(2))",
    "open descriptors": r"""
import os
print(sorted(int(n) for n in os.listdir('/proc/self/fd'))[:-1])
print(open(__file__).fileno(), os.get_inheritable(0))
""",
    "stdout replaced": "import io, sys\nsys.stdout = io.StringIO()\nprint('lost')\nsys.stderr.write('shown')",
    "stdout replaced by a class": r"""
import sys
class Upper:
    def write(self, text):
        sys.__stdout__.write(text.upper())
sys.stdout = Upper()
print('loud')
""",
    "stdout redirected for a while": r"""
import contextlib, io
with contextlib.redirect_stdout(io.StringIO()) as kept:
    print('inner')
print(repr(kept.getvalue()))
""",
    "stdout detached": "import io, sys\nsys.stdout = io.TextIOWrapper(sys.stdout.detach(), 'utf-8')\nprint('a')\n",
    "stdout detached for bytes": """
import codecs, sys
sys.stdout = codecs.getwriter('utf-8')(sys.stdout.detach())
print('a')
""",
    "stdout detached and gone": "import sys\nsys.stdout.detach()\nprint('a')\n",
    "stdout is None": "import sys\nsys.stdout = None\nprint('lost')\n",
    "stdout deleted": "import sys\ndel sys.stdout\nprint('lost')\n",
    "stdout closed": "import sys\nprint('a')\nsys.stdout.close()\n",
    "stdout closed and used": "import sys\nsys.stdout.close()\nprint('a')\n",
    "descriptor 1 closed": "import os\nprint('a')\nos.close(1)\nprint('b')\n",
    "all descriptors closed": "import os\nos.closerange(0, 10)\nprint('b')\n",
    "stderr closed": "import sys\nsys.stderr.close()\n1 / 0\n",
    "stderr replaced": "import io, sys\nsys.stderr = io.StringIO()\n1 / 0\n",
    "stderr is None": "import sys\nsys.stderr = None\n1 / 0\n",
    "stdin closed": "import sys\nsys.stdin.close()\ninput('? ')\n",
    "stdin replaced": "import io, sys\nsys.stdin = io.StringIO('typed\\n')\nprint(input('? '))\n",
    "a write that fails at the end": "import os, sys\nsys.stdout = open('/dev/full', 'w')\nprint('lost')\n",
    "a broken pipe": "import os, sys\nr, w = os.pipe()\nos.close(r)\nsys.stdout = os.fdopen(w, 'w')\nprint('lost')\n",
    "encodings": r"""
import locale, os, sys
print(sys.getdefaultencoding(), sys.getfilesystemencoding(), sys.getfilesystemencodeerrors())
print(locale.getpreferredencoding(), locale.setlocale(locale.LC_ALL), locale.getlocale(), sys.flags.utf8_mode)
print(open(__file__).encoding, os.fsencode('é'))
""",
    "the locale": r"""
import locale
print(locale.setlocale(locale.LC_ALL, ''), locale.localeconv())
print(f'{1234567:n}')
""",
    "all kinds of characters": "print('é ♠ 🂡 \\ufe0f \\u0301 \\x1b[31m red \\x07')",
    "a lone surrogate": "print('a')\nprint('\\udc80')\n",
    "another encoding": "import sys\nsys.stdout.reconfigure(encoding='latin-1', errors='replace')\nprint('é♠')\n",
    "bytes that are not UTF-8": "import sys\nsys.stdout.buffer.write(b'\\xff\\xfe\\n')\n",
    "carriage returns": "print('a\\rb\\r\\nc')\n",
    "much output": "for n in range(3000):\n    print(n, 'x' * 20)\n",
    "a long line": "print('x' * 100_000)",
    "unflushed bytes": "import sys\nsys.stdout.buffer.write(b'kept')\n",
    "a copy of stdout": "import os\nfile = os.fdopen(os.dup(1), 'w')\nfile.write('copied')\n",
    "a file that is not closed": "file = open('out.txt', 'w')\nfile.write('x')\nprint('on')\n",
    "a file that is not closed, with warnings": r"""
import warnings
warnings.simplefilter('default')
open(__file__)
file = open(__file__)
print('on')
""",
    "print with odd arguments": r"""
print(1, 2, sep=', ', end='.\n')
print(*range(3), sep='\n')
print(flush=True)
print('a', file=None)
""",
    "input asks with an object": "print(input([1, 2]))",
    "displayhook": "import sys\nsys.displayhook(3)\nprint(_)",
}
