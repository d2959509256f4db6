"""What programs import."""

PROGRAMS = {
    "the modules of the server": r"""
import sys
for name in ('confinement', 'folders', 'preparation', 'python_program', 'serving'):
    try:
        __import__(name)
        print(name, 'is there')
    except ImportError as error:
        print(error)
print(sys.path)
""",
    "siblings named like modules of the server": r"""
import folders, serving
print(folders.__file__, serving.__file__)
# file: folders.py
x = 1
# file: serving.py
x = 1
""",
    "a sibling": "import helper\nprint(helper.__name__, helper.__file__, helper.x)\n# file: helper.py\nx = 1\n",
    "a sibling that imports main": r"""
value = 1
import helper
print(value)
# file: helper.py
import __main__
print(__main__.value)
__main__.value = 2
""",
    "a circle": "import a\n# file: a.py\nimport b\nx = 1\n# file: b.py\nfrom a import x\n",
    "a package": r"""
from cards import deck
import cards.deck as other
print(deck.size, other is deck, deck.__package__, deck.__spec__.name)
# file: cards/__init__.py
print('init', __path__)
# file: cards/deck.py
from . import suits
size = len(suits.ALL)
# file: cards/suits.py
ALL = 'SHCD'
""",
    "a package without init": r"""
import cards.deck
print(cards.__path__, cards.__file__)
# file: cards/deck.py
x = 1
""",
    "a module named like a standard one": r"""
import random
print(random.__file__, random.choice([1]))
# file: random.py
def choice(x):
    return 'mine'
""",
    "a module named like one that Python needs": "import dataclasses\n# file: enum.py\nprint('my enum')\n",
    "a module named like one that is loaded at start": r"""
import os, abc
print(os.sep, abc.__file__ == __file__)
# file: abc.py
print('mine')
""",
    "a package named like a standard one": r"""
import json
print(json.__path__, hasattr(json, 'loads'))
# file: json/__init__.py
""",
    "a file named sitecustomize": r"""
import sys
print('sitecustomize' in sys.modules)
# file: sitecustomize.py
print('customized')
""",
    "a file named usercustomize": "print('on')\n# file: usercustomize.py\nprint('customized')\n",
    "a file named readline": "print(input('? '))\n# file: readline.py\nprint('my readline')\n",
    "a file named encodings": "print('é')\n# file: encodings.py\nprint('mine')\n",
    "a file named threading": r"""
import queue
# file: threading.py
print('mine')
class Lock: pass
class Condition:
    def __init__(self, lock): pass
""",
    "standard modules": r"""
import bisect, collections, copy, csv, dataclasses, datetime, decimal, enum, fractions, functools, heapq, itertools
import json, math, operator, pathlib, random, re, statistics, string, struct, textwrap, threading, time, typing
print(decimal.Decimal('1.1') + 1, fractions.Fraction(1, 3), math.pi, statistics.mean([1, 2]))
print(datetime.date(2025, 1, 1).strftime('%A'), re.sub('a', 'b', 'aaa'), json.dumps({'a': 1}))
""",
    "everything that is loaded": "import sys\nprint(sorted(sys.modules))",
    "everything that random loads": "import random, sys\nprint(sorted(sys.modules))",
    "everything that a game loads": r"""
import sys
from dataclasses import dataclass
import re, textwrap, collections
print(sorted(sys.modules))
""",
    "modules that the server needs": r"""
import sys
names = ['ctypes', 'fcntl', 'array', 'resource', 'termios', 'warnings', 'socket', 'atexit', 'gc', 'signal']
print([name for name in names if name in sys.modules])
import array, ctypes, fcntl, resource, socket, termios, warnings
print(array.array('i', [1]), ctypes.sizeof(ctypes.c_int), warnings.filters)
""",
    "a file that is written and imported": r"""
with open('made.py', 'w') as file:
    file.write('x = 42')
import made
print(made.x)
""",
    "importlib": r"""
import importlib, helper
print(importlib.reload(helper) is helper, importlib.import_module('helper').x)
# file: helper.py
print('loaded')
x = 1
""",
    "pyc files": "import helper, os\nprint(sorted(os.listdir()), helper.__cached__ is not None)\n# file: helper.py\n",
    "a module with a warning": "import helper\n# file: helper.py\nx = '\\d'\n",
    "deprecated modules": "import warnings\nwarnings.simplefilter('default')\nimport imp\n",
    "a star import": "from helper import *\nprint(x, '_y' in dir())\n# file: helper.py\nx = 1\n_y = 2\n",
    "__import__": "print(__import__('helper').x)\n# file: helper.py\nx = 'é'\n",
    "a data file": "print(open('cards.txt').read())\n# file: cards.txt\nA♠ K♥\n",
    "a main.py in a package": r"""
import runpy
runpy.run_module('game', run_name='__main__')
# file: game/__main__.py
import sys
print(__name__, __package__, sys.argv)
""",
    "a module in a folder is named like one that is loaded": r"""
import sys
sys.path.insert(0, 'lib')
import random
print(random.mine)
# file: lib/random.py
mine = 1
""",
    "a file is named like a module that is not imported": r"""
import decimal, fractions, numbers
half = decimal.Decimal('0.5')
print(half == fractions.Fraction(1, 2), isinstance(half, numbers.Number))
# file: profile.py
""",
    "a module with a warning that looks at the stack": r"""
import helper
helper.show()
# file: helper.py
import inspect
PATTERN = '\d'
def show():
    print(len(inspect.stack()))
""",
}
