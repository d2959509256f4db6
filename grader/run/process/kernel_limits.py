"""The limits that the kernel holds a program to: the one list of them."""

import resource

from grader.errors import SessionError
from grader.model.program import Limits

_OPTIONS = {
    resource.RLIMIT_CPU: "-Ht",
    resource.RLIMIT_DATA: "-Hd",
    resource.RLIMIT_STACK: "-Hs",
    resource.RLIMIT_FSIZE: "-Hf",
    resource.RLIMIT_NOFILE: "-Hn",
    resource.RLIMIT_AS: "-Hv",
}


def kernel_limits(limits: Limits) -> dict[int, int]:
    """Map the resources of setrlimit(2) to what each process may use, but for processes; there is never a core file."""
    return {
        resource.RLIMIT_CPU: limits.processor_seconds,
        resource.RLIMIT_DATA: limits.most_data_bytes,
        resource.RLIMIT_STACK: limits.stack_bytes,
        resource.RLIMIT_FSIZE: limits.file_bytes,
        resource.RLIMIT_NOFILE: limits.open_files,
        resource.RLIMIT_CORE: 0,
    }


def allowed_limit(kind: int, limit: int) -> int:
    """Return the limit, or what this process may allow at most."""
    hard = resource.getrlimit(kind)[1]
    return limit if hard == resource.RLIM_INFINITY else min(limit, hard)


def refuse_lower_limits(limits: Limits) -> None:
    """Raise SessionError if this process may give a program less than the limits: that is no fault of the program."""
    # All memory has addresses.
    for kind, least in (*kernel_limits(limits).items(), (resource.RLIMIT_AS, limits.memory_bytes)):
        allowed = allowed_limit(kind, least)
        if allowed < least:
            raise SessionError(
                f"a test may use {least} here, and the shell or service that grades allows {allowed}: "
                f"raise what `ulimit {_OPTIONS[kind]}` shows, or lower the limit in assignment.yaml"
            )
