"""Shares work out among processes that hold all that this one holds, as only a fork gives them."""

import gc
import multiprocessing
from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def share_out(work: Callable[[Sequence[Item]], None], items: Sequence[Item], processes: int) -> None:
    """Call `work` with every item in one of as many parts as there are to be processes.

    Where there is no fork, or one process is enough, that is this one. Raises OSError when a part did.
    """
    parts = [items[number::processes] for number in range(min(processes, len(items)))]
    if len(parts) < 2 or "fork" not in multiprocessing.get_all_start_methods():
        work(items)
        return
    context = multiprocessing.get_context("fork")
    errors = context.SimpleQueue()

    def do(part: Sequence[Item]) -> None:
        # What is there already stays; to look through it for garbage again and again takes long.
        gc.freeze()
        try:
            work(part)
        except OSError as error:
            errors.put(str(error))

    workers = [context.Process(target=do, args=(part,)) for part in parts]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if not errors.empty():
        raise OSError(errors.get())
    if any(worker.exitcode for worker in workers):
        raise RuntimeError("a process that writes pages has failed")
