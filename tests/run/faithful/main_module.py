"""What programs see of themselves: `__main__`, arguments, source, flags."""

PROGRAMS = {
    "the names in main": "print(dir())\nprint(list(globals()))\n",
    "the values in main": r"""
for name, value in list(globals().items()):
    if name != '__builtins__':
        print(name, repr(value), type(value))
print(__builtins__, type(__builtins__))
print(vars(__loader__), __loader__.get_filename('__main__'))
""",
    "the docstring": '"""A game."""\nprint(__doc__)\nimport __main__\nprint(__main__.__doc__)\n',
    "annotations at the top": "x: int = 3\ny: 'str'\nprint(__annotations__)\n",
    "annotations that are used later": "from __future__ import annotations\nx: Card = 3\nprint(__annotations__)\n",
    "future features do not leak": "def f(x: int) -> str: ...\nprint(f.__annotations__, f.__code__.co_flags)\n",
    "main guard": "if __name__ == '__main__':\n    print('main', __name__, __package__)\n",
    "main is imported": r"""
import __main__, sys
print(__main__, sys.modules['__main__'] is __main__, vars(__main__) is globals())
""",
    "the program imports itself": r"""
print('run as', __name__)
import program
print(program, program.__file__, program.__spec__ is not None)
""",
    "arguments": "import sys\nprint(sys.argv, sys.orig_argv[1:])\n",
    "paths": "import sys\nprint(sys.path[0], len(sys.path), sys.path[1:])\nprint(sys.path_importer_cache.keys())\n",
    "the interpreter": "import sys\nprint(sys.executable, sys.prefix, sys.base_prefix, sys.exec_prefix)\n",
    "flags": "import sys\nprint(sys.flags, sys.dont_write_bytecode, sys.flags.hash_randomization)\n",
    "what sys knows": r"""
import sys
skipped = {'_git', 'modules', 'path_importer_cache', 'stdin', 'stdout', 'stderr', 'meta_path', 'path_hooks'}
for name in sorted(vars(sys)):
    if name not in skipped and not name.startswith('__std') and not callable(getattr(sys, name)):
        print(name, repr(getattr(sys, name))[:300])
""",
    "the names in sys": "import sys\nprint(sorted(vars(sys)))\n",
    "the names in builtins": "import builtins\nprint(sorted(vars(builtins)))\n",
    "pickling of its own classes": r"""
import pickle
class Card:
    def __init__(self, rank):
        self.rank = rank
data = pickle.dumps(Card(3))
print(data, pickle.loads(data).rank, Card.__module__, Card)
""",
    "dataclasses": r"""
from dataclasses import dataclass, field
@dataclass(order=True)
class Card:
    rank: int
    suit: str = 'S'
    seen: list[int] = field(default_factory=list)
print(sorted([Card(3), Card(1, 'H')]), Card.__module__)
""",
    "enumerations": r"""
import enum
class Suit(enum.Enum):
    S = 1
    H = enum.auto()
print(list(Suit), Suit.S)
""",
    "named tuples": r"""
from collections import namedtuple
Card = namedtuple('Card', 'rank suit')
print(Card(1, 2), Card.__module__)
""",
    "its own source": r"""
import inspect
def f():
    return 1  # one
class Deck:
    size = 52
print(inspect.getsource(f), inspect.getsource(Deck), inspect.getsourcefile(f), inspect.getfile(Deck))
print(inspect.getmodule(f), len(inspect.getsource(inspect.getmodule(f))))
""",
    "its own file": "print(open(__file__).read())",
    "doctest": r'''
def double(n):
    """Double.

    >>> double(2)
    4
    >>> double(3)
    7
    """
    return 2 * n
import doctest
print(doctest.testmod())
''',
    "unittest": r"""
import unittest
class Tests(unittest.TestCase):
    def test(self):
        self.assertEqual(1, 1)
    def test_no(self):
        self.assertEqual(1, 2)
unittest.main(testRunner=unittest.TextTestRunner(descriptions=False), exit=False)
""",
    "argparse": r"""
import argparse
parser = argparse.ArgumentParser()
parser.add_argument('--n')
parser.print_usage()
parser.parse_args(['-x'])
""",
    "code objects": r"""
import sys
code = sys._getframe().f_code
print(code.co_filename, code.co_name, code.co_firstlineno, code.co_flags, code.co_consts)
def f(): pass
print(f.__code__.co_filename, f.__module__, f.__globals__ is globals())
""",
    "exec and eval": "exec('y = 2'); print(y, eval('y + 1'), locals() is globals())",
    "what is garbage": r"""
import gc
print(gc.isenabled(), gc.get_threshold(), gc.get_debug(), gc.garbage, gc.get_freeze_count() == 0)
""",
    "reference counts": "import sys\nx = object()\nprint(sys.getrefcount(x), sys.getrefcount([]))\n",
    "tracing": r"""
import sys
seen = []
def trace(frame, event, arg):
    seen.append((event, frame.f_code.co_name, frame.f_lineno)); return trace
def f():
    return 1
sys.settrace(trace); f(); sys.settrace(None)
print(seen, sys.gettrace(), sys.getprofile())
""",
    "runpy": r"""
import runpy
print(sorted(runpy.run_path('other.py')))
# file: other.py
print(__name__, __file__)
x = 1
""",
    "a match statement": "match (1, 2):\n    case (1, x):\n        print(x)\n",
    "type parameters, old style": r"""
from typing import Generic, TypeVar
T = TypeVar('T')
class Box(Generic[T]): pass
print(Box[int], T)
""",
    "constants of builtins": r"""
print(__debug__, Ellipsis, NotImplemented, copyright.__class__, license.__class__, help)
""",
    "builtins are changed": r"""
import builtins
builtins.print = lambda *words: None
print('hidden')
import sys
sys.stdout.write('shown\n')
""",
}
