"""Lines to and from an engine. Read `Link.exchange`; an engine that misbehaves raises `Fault`.

NOTE(ending) An engine runs in a session of its own and carries a token in its environment. When
the link is closed the whole process group is killed, while its leader has not been reaped, so that
its number cannot have been given to anybody else; on Linux also whoever has left the group but
carries the token.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import secrets
import selectors
import shlex
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, Protocol

from quarantia_checker.commands import UsageError

LONGEST_REPLY = 64_000_000  # bytes
CHUNK = 1 << 16
KEPT = 4_000  # bytes of standard error that are shown
TOKEN = "QUARANTIA_ENGINE"
LISTEN = 0.3  # seconds of silence after which it is looked whether the engine still runs
GRACE = 1.0  # seconds for an engine to exit by itself
SETTLE = 0.02  # seconds in which a line that nobody asked for is noticed


class Misdeed(Enum):
    """What an engine can do instead of answering."""

    NOT_STARTED = "not started"
    HANG = "hang"
    CRASH = "crash"
    GARBAGE = "garbage"
    FLOOD = "flood"
    UNASKED = "unasked"
    OUT_OF_ORDER = "out of order"
    BAD_REPLY = "bad reply"


class Fault(Exception):
    """The engine did not answer as the protocol asks. `reply` counts from 0 in an exchange."""

    def __init__(self, misdeed: Misdeed, message: str, reply: int = 0) -> None:
        super().__init__(message)
        self.misdeed = misdeed
        self.reply = reply
        self.errors = ""  # the last that it wrote to standard error


class Link(Protocol):
    """A way to talk to an engine."""

    def exchange(self, requests: Sequence[str]) -> list[bytes]:
        """The replies to some requests, one line each; raises Fault. `requests` have no newline."""
        ...

    def quiet(self) -> None:
        """Raises Fault when the engine has said something that nobody asked for."""
        ...

    def close(self) -> None: ...


class Pipe:
    """An engine that is a program of its own."""

    def __init__(self, command: str, timeout: float, folder: str | None = None) -> None:
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise UsageError(f"`{command}` is not a command: {error}") from None
        if not words:
            raise UsageError("--engine needs a command")
        self.timeout = timeout
        self._token = secrets.token_hex(16)
        self._errors: deque[bytes] = deque()
        self._kept = 0
        self._buffer = bytearray()
        self._searched = 0  # so far there is no end of a line in the buffer
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                bufsize=0,
                cwd=folder,
                env={**os.environ, TOKEN: self._token},
            )
        except OSError as error:
            raise UsageError(
                f"cannot start `{words[0]}`: {error.strerror}", "is it installed and executable?"
            ) from None
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        self._err = self._process.stderr.fileno()
        for handle in (self._in, self._out, self._err):
            os.set_blocking(handle, False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._out, selectors.EVENT_READ)
        self._selector.register(self._err, selectors.EVENT_READ)
        self._ended = False

    # --- talking --------------------------------------------------------------------------------

    def exchange(self, requests: Sequence[str]) -> list[bytes]:
        to_send = memoryview("".join(f"{request}\n" for request in requests).encode())
        replies: list[bytes] = []
        wanted = len(requests)
        deadline = time.monotonic() + self.timeout
        self._selector.register(self._in, selectors.EVENT_WRITE)
        writing = True
        try:
            while len(replies) < wanted:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise self._fault(
                        Misdeed.HANG, f"no reply for {self.timeout:g} seconds", len(replies)
                    )
                events = self._selector.select(min(left, LISTEN))
                if not events and self._exit_status(0) is not None:
                    # Somebody else may still hold its output open.
                    raise self._crash(len(replies))
                for key, _ in events:
                    if key.fd == self._err:
                        self._read_errors()
                    elif key.fd == self._in:
                        try:
                            to_send = to_send[os.write(self._in, to_send[:CHUNK]) :]
                        except BlockingIOError:
                            continue
                        except OSError:
                            # It has closed its input; what it has said before still counts.
                            to_send = to_send[:0]
                        if not to_send and writing:
                            self._selector.unregister(self._in)
                            writing = False
                    elif self._read():
                        before = len(replies)
                        self._take_lines(replies, wanted)
                        if len(replies) > before:
                            deadline = time.monotonic() + self.timeout
                    else:
                        self._take_lines(replies, wanted)
                        if len(replies) < wanted:
                            raise self._crash(len(replies))
        finally:
            if writing:
                self._selector.unregister(self._in)
        if self._buffer:
            raise self._unasked()
        return replies

    def quiet(self) -> None:
        for key, _ in self._selector.select(SETTLE):
            if key.fd == self._err:
                self._read_errors()
            elif not self._read() and not self._buffer:
                raise self._crash(0)
        if self._buffer:
            raise self._unasked()

    def _read(self) -> bool:
        """Takes in what has come; false at the end of the engine's output."""
        try:
            data = os.read(self._out, CHUNK)
        except BlockingIOError:
            return True
        self._buffer += data
        return bool(data)

    def _take_lines(self, replies: list[bytes], wanted: int) -> None:
        while len(replies) < wanted:
            end = self._buffer.find(b"\n", self._searched)
            self._searched = 0
            if end < 0:
                self._searched = len(self._buffer)
                if len(self._buffer) > LONGEST_REPLY:
                    raise self._fault(
                        Misdeed.FLOOD,
                        f"more than {LONGEST_REPLY:,} bytes without the end of a line",
                        len(replies),
                    )
                return
            replies.append(bytes(self._buffer[:end]))
            del self._buffer[: end + 1]

    def _read_errors(self) -> None:
        try:
            data = os.read(self._err, CHUNK)
        except BlockingIOError:
            return
        if not data:
            self._selector.unregister(self._err)
            return
        self._errors.append(data)
        self._kept += len(data)
        while self._kept - len(self._errors[0]) > KEPT:
            self._kept -= len(self._errors.popleft())

    # --- what can go wrong ------------------------------------------------------------------------

    def _fault(self, misdeed: Misdeed, message: str, reply: int) -> Fault:
        fault = Fault(misdeed, message, reply)
        if self._err in self._selector.get_map():
            self._read_errors()
        fault.errors = printable(b"".join(self._errors)[-KEPT:].strip())
        return fault

    def _crash(self, reply: int) -> Fault:
        status = self._exit_status(GRACE)
        if status is None:
            message = "the engine has closed its output"
        elif status < 0:
            message = f"the engine was ended by signal {-status}"
        else:
            message = f"the engine has exited with status {status}"
        return self._fault(Misdeed.CRASH, message, reply)

    def _unasked(self) -> Fault:
        line = printable(bytes(self._buffer[:120]).partition(b"\n")[0])
        return self._fault(Misdeed.UNASKED, f"the engine wrote without being asked: {line}", 0)

    def _exit_status(self, seconds: float) -> int | None:
        """How the engine exited, without reaping it; None when it still runs. NOTE(ending)"""
        end = time.monotonic() + seconds
        while True:
            found = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
            if found is not None:
                killed = found.si_code in (os.CLD_KILLED, os.CLD_DUMPED)
                return -found.si_status if killed else found.si_status
            if time.monotonic() >= end:
                return None
            time.sleep(0.005)

    # --- the end ----------------------------------------------------------------------------------

    def close(self) -> None:
        """Ends the engine and everything that it has started."""
        if self._ended:
            return
        self._ended = True
        self._selector.close()
        process = self._process
        assert process.stdin and process.stdout and process.stderr
        for stream in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(OSError):
                stream.close()
        self._exit_status(GRACE)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        _end_carriers(self._token)


def printable(text: bytes) -> str:
    """What an engine wrote, fit for a terminal."""
    shown = text.decode(errors="replace")
    return "".join(sign if sign.isprintable() or sign == "\n" else "\ufffd" for sign in shown)


def _end_carriers(token: str) -> None:
    """Ends processes that carry the token: children that have left the group."""
    wanted = f"{TOKEN}={token}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                os.kill(int(folder.name), signal.SIGKILL)


class Direct:
    """An engine in this process: an object whose `handle` takes a request and gives a reply.

    It is asked in turn and must not keep what it is given.
    """

    def __init__(self, handle: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> None:
        self._handle = handle

    def exchange(self, requests: Sequence[str]) -> list[bytes]:
        replies: list[bytes] = []
        for number, request in enumerate(requests):
            replies.append(json.dumps(self.answer(json.loads(request), number)).encode())
        return replies

    def answer(self, request: Mapping[str, Any], number: int = 0) -> Mapping[str, Any]:
        try:
            return self._handle(request)
        except Exception as error:
            message = f"the engine raised {type(error).__name__}: {error}"
            raise Fault(Misdeed.CRASH, message, number) from error

    def quiet(self) -> None:
        pass

    def close(self) -> None:
        pass


def direct(target: str) -> Direct:
    """The engine that `module:factory` makes. Raises UsageError."""
    name, colon, attribute = target.partition(":")
    if not colon:
        raise UsageError(f"`{target}` names no engine", "write python:MODULE:FACTORY")
    try:
        factory = getattr(importlib.import_module(name), attribute)
    except (ImportError, AttributeError) as error:
        raise UsageError(f"cannot find `{target}`: {error}") from None
    engine = factory()
    handle = getattr(engine, "handle", engine)
    if not callable(handle):
        raise UsageError(f"what `{target}` makes has no method `handle`")
    return Direct(handle)
