"""The process in which a checker runs: a request comes on standard input as JSON, the answer goes to standard output.

What the checker itself prints goes to standard error.
"""

import json
import resource
import sys
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from grader.checkers import ActualOutput, CheckResult

_MEMORY_BYTES = 2 << 30


def main() -> None:
    """Answer one request."""
    replies, sys.stdout = sys.stdout, sys.stderr
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY_BYTES, _MEMORY_BYTES))
    request: dict[str, Any] = json.load(sys.stdin)
    check = _check_function(request["checker"], request["file"])
    answer = check(request["input"], request["expected"], ActualOutput(**request["actual"]), **request["options"])
    if not isinstance(answer, CheckResult):
        raise TypeError(f"check() returned {answer!r}; expected passed(), wrong(reason) or unknown(reason)")
    score = None if answer.score is None else str(answer.score)
    json.dump({"status": answer.status, "reason": answer.reason, "score": score}, replies)


def _check_function(name: str, file: str) -> Callable[..., CheckResult]:
    """The function `check` in `file`, which may import what lies beside it."""
    sys.path.insert(0, str(Path(file).parent))
    loader = SourceFileLoader(f"checker_{name}", file)
    module = ModuleType(loader.name)
    module.__file__ = file
    sys.modules[loader.name] = module
    loader.exec_module(module)
    check: Callable[..., CheckResult] = module.check
    return check


if __name__ == "__main__":
    main()
