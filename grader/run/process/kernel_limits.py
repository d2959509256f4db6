"""The limits that the kernel enforces on a program. They are not listed anywhere else."""

import resource

from grader.errors import SessionError
from grader.model.program import Limits

SHELL_LIMITS = {
    resource.RLIMIT_CPU: ("t", 1),
    resource.RLIMIT_DATA: ("d", 1024),
    resource.RLIMIT_STACK: ("s", 1024),
    resource.RLIMIT_FSIZE: ("f", 512),
    resource.RLIMIT_NOFILE: ("n", 1),
    resource.RLIMIT_CORE: ("c", 512),
    resource.RLIMIT_AS: ("v", 1024),
}
"""The `ulimit` option for each limit, and the number of bytes in its unit (POSIX: -f counts 512 bytes)."""


def kernel_limits(limits: Limits) -> dict[int, int]:
    """Map each resource of setrlimit(2) to the amount that a process can use. Core files are never written."""
    return {
        resource.RLIMIT_CPU: limits.processor_seconds,
        resource.RLIMIT_DATA: limits.most_data_bytes,
        resource.RLIMIT_STACK: limits.stack_bytes,
        resource.RLIMIT_FSIZE: limits.file_bytes,
        resource.RLIMIT_NOFILE: limits.open_files,
        resource.RLIMIT_CORE: 0,
    }


def allowed_limit(kind: int, limit: int) -> int:
    """Return the limit, or the highest limit that this process can set if that is lower."""
    hard = resource.getrlimit(kind)[1]
    return limit if hard == resource.RLIM_INFINITY else min(limit, hard)


def refuse_lower_limits(limits: Limits) -> None:
    """Raise SessionError if this process cannot give a program everything that the limits allow.

    A program that fails for this reason is not at fault.
    """
    # The limit on address space restricts memory too.
    for kind, least in (*kernel_limits(limits).items(), (resource.RLIMIT_AS, limits.memory_bytes)):
        allowed = allowed_limit(kind, least)
        if allowed < least:
            raise SessionError(
                f"a test may use {least} here, and the shell or service that grades allows {allowed}: "
                f"raise what `ulimit -H{SHELL_LIMITS[kind][0]}` shows, or lower the limit in assignment.yaml"
            )
