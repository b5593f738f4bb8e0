"""Produces results a few steps ahead in a background thread."""

import queue
import threading
from collections.abc import Callable, Iterator
from typing import TypeVar

T = TypeVar("T")
AHEAD = 4


def in_background(make: Callable[[], T], count: int) -> Iterator[T]:
    """Yields the results of `count` calls of `make`, re-raising its exceptions. Closing the iterator stops the
    thread."""
    ready: queue.Queue = queue.Queue(AHEAD)
    stop = threading.Event()

    def offer(item) -> bool:
        while not stop.is_set():
            try:
                ready.put(item, timeout=1)
                return True
            except queue.Full:
                continue
        return False

    def work():
        try:
            for _ in range(count):
                if not offer(make()):
                    return
            offer(None)
        except Exception as error:  # re-raised by the consuming loop
            offer(error)

    threading.Thread(target=work, daemon=True).start()
    try:
        while (item := ready.get()) is not None:
            if isinstance(item, Exception):
                raise item
            yield item
    finally:
        stop.set()
