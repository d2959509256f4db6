"""What programs leave behind that end with an error."""

PROGRAMS = {
    "an error at the top": "x = 1\nprint(x)\nx / 0\n",
    "an error in functions": r"""
def f(n):
    return g(n - 1) + 1

def g(n):
    return [n][n]

print(f(3))
""",
    "an error without a text": "raise ValueError",
    "an error with a text of several lines": "raise ValueError('one\\ntwo')",
    "an error of its own class": r"""
class CardError(Exception):
    pass
raise CardError('♠', 3)
""",
    "an error in a nested class": r"""
class Deck:
    class Empty(Exception):
        def __str__(self):
            return 'nothing left'
raise Deck.Empty
""",
    "an error that cannot be shown": r"""
class Mute(Exception):
    def __str__(self):
        raise RuntimeError('mute')
raise Mute
""",
    "an error caused by another": r"""
def f():
    try:
        {}['a']
    except KeyError as error:
        raise ValueError('no a') from error
f()
""",
    "an error during another": r"""
try:
    int('x')
except ValueError:
    undefined
""",
    "an error from None": r"""
try:
    int('x')
except ValueError:
    raise LookupError('no') from None
""",
    "an error with notes": r"""
error = ValueError('bad')
error.add_note('a note'); error.add_note('another\nnote')
raise error
""",
    "an error with a traceback of its own": r"""
def f():
    raise ValueError(1)
try:
    f()
except ValueError as error:
    kept = error
raise kept
""",
    "an error without a traceback": "raise ValueError('x').with_traceback(None)",
    "a group of errors": r"""
def fail(n):
    raise ValueError(n)
errors = []
for n in range(3):
    try:
        fail(n)
    except ValueError as error:
        errors.append(error)
raise ExceptionGroup('several', [*errors, ExceptionGroup('inner', [TypeError('t')])])
""",
    "a group with except*": r"""
try:
    raise ExceptionGroup('g', [ValueError(1), TypeError(2)])
except* ValueError as group:
    print('handled', group.exceptions)
""",
    "a syntax error": "print('a')\nif True print('b')\n",
    "a syntax error at the end": "print((1, 2\n",
    "an indentation error": "def f():\nreturn 1\n",
    "tabs and blanks": "if True:\n        x = 1\n\ty = 2\n",
    "a NUL in the source": "print('a\0b')",
    "bytes that are not UTF-8 in the source": "print('a\udcff')",
    "a declared encoding": "# -*- coding: latin-1 -*-\nprint('\udce9', ascii('\udce9'))\n",
    "an unknown encoding": "# coding: nonsense\nprint(1)\n",
    "a byte-order mark": "\ufeffprint('marked')\n1 / 0\n",
    "an invalid escape": "print('\\d')\n",
    "an is with a literal": "x = 1\nprint(x is 1)\n",
    "a return outside": "return 1\n",
    "a syntax error in a module": "import helper\n# file: helper.py\nx = = 1\n",
    "a syntax error in eval": "eval('1 +')",
    "a syntax error in compile": "compile('def f(:', 'inner.py', 'exec')",
    "a syntax error raised": "raise SyntaxError('my own', ('cards.py', 3, 2, 'one two', 3, 5))",
    "an error in exec": "exec('x = 1\\nx.y')",
    "an error in a module": "import helper\nhelper.f(0)\n# file: helper.py\ndef f(n):\n    return 1 / n\n",
    "an error while a module is imported": "print('a')\nimport helper\n# file: helper.py\nprint('b')\n[][0]\n",
    "a module that is missing": "import no_such_module",
    "a name that is missing in a module": "from math import square",
    "a name nearly right": "import collections\nlength = 3\nprint(lenght)",
    "an attribute nearly right": "'abc'.uper()",
    "a deep recursion": "def f(n):\n    return f(n + 1)\nf(0)\n",
    "a mutual recursion": "def f(n):\n    return g(n + 1)\ndef g(n):\n    return f(n + 1)\nf(0)\n",
    "a recursion that is caught": r"""
def depth(n):
    try:
        return depth(n + 1)
    except RecursionError as error:
        print(error)
        return n > 900
print(depth(0))
""",
    "a recursion to its very depth": r"""
def depth(n):
    try:
        return depth(n + 1)
    except RecursionError:
        return n
print(depth(1))
""",
    "a recursion within a limit of its own": r"""
import sys
print(sys.getrecursionlimit())
sys.setrecursionlimit(5000)
def f(n):
    return n and 1 + f(n - 1)
print(f(4000), sys.getrecursionlimit())
""",
    "an excepthook": r"""
import sys
def hook(kind, value, trace):
    print('hook', kind, value, trace.tb_lineno, trace.tb_frame.f_code.co_name, trace.tb_next)
sys.excepthook = hook
1 / 0
""",
    "an excepthook that fails": r"""
import sys
def hook(kind, value, trace):
    {}['inner']
sys.excepthook = hook
def f():
    1 / 0
f()
""",
    "an excepthook that exits": r"""
import sys
sys.excepthook = lambda *error: sys.exit(17)
1 / 0
""",
    "an excepthook that is None": "import sys\nsys.excepthook = None\n1 / 0\n",
    "an excepthook that is deleted": "import sys\ndel sys.excepthook\n1 / 0\n",
    "a limit on tracebacks": r"""
import sys
sys.tracebacklimit = 1
def f():
    1 / 0
f()
""",
    "no tracebacks": "import sys\nsys.tracebacklimit = 0\ndef f():\n    1 / 0\nf()\n",
    "an unraisable error in __del__": r"""
class Deck:
    def __del__(self):
        raise ValueError('in del')
deck = Deck()
del deck
print('on')
""",
    "an unraisablehook": r"""
import sys
sys.unraisablehook = lambda unraisable: print('unraisable', unraisable.exc_value, unraisable.err_msg)
class Deck:
    def __del__(self):
        raise ValueError('in del')
deck = Deck()
del deck
""",
    "a traceback that is printed": r"""
import traceback
def f():
    traceback.print_stack()
    try:
        1 / 0
    except ZeroDivisionError:
        traceback.print_exc()
f()
""",
    "the frames above": r"""
import inspect, sys
def f():
    frame = sys._getframe()
    while frame:
        print(frame.f_code.co_name, frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    print(len(inspect.stack()))
f()
""",
    "an error in a comprehension": "print([1 / n for n in (1, 0)])",
    "an error in a generator": r"""
def numbers():
    yield 1
    raise StopIteration
for n in numbers():
    print(n)
""",
    "an error in a class body": "class Deck:\n    size = 1 / 0\n",
    "an error in a decorator": "def d(f):\n    raise TypeError(f.__name__)\n@d\ndef play():\n    pass\n",
    "an error in a coroutine": r"""
import asyncio
async def play():
    await asyncio.sleep(0)
    raise ValueError('played')
asyncio.run(play())
""",
    "a coroutine never awaited": "async def play():\n    pass\nplay()\nprint('on')\n",
    "a failed assertion": "assert 1 + 1 == 3, 'arithmetic'",
    "an error in a line of several lines": "print(max(1,\n          2,\n          int('x'),\n          3))\n",
    "the source is changed while it runs": r"""
with open(__file__, 'w') as file:
    file.write('# all gone\n' * 9)
1 / 0
""",
    "the source is removed while it runs": "import os\nos.remove(__file__)\n1 / 0\n",
    "the folder is left": "import os\nos.chdir('/')\nprint(__file__)\n1 / 0\n",
}
