#!/usr/bin/python3
"""What the service manager hears: that the races are ready, alive, stopping. A race whose ticks have
stopped is not alive, whether its loop turns or is stuck itself."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

sys.dont_write_bytecode = True

import lib

PATIENCE_S = 0.9  # of the watchdog; a look comes three times as often

# The ticks' timer is the one timerfd of the process: libuv waits without. Once a file is there it is
# either set no more, so that the loop turns and no tick comes, or setting it never returns.
BREAKS_TIMER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

int timerfd_settime(int file, int flags, const struct itimerspec *at, struct itimerspec *was) {
    int (*real)(int, int, const struct itimerspec *, struct itimerspec *);
    *(void **)&real = dlsym(RTLD_NEXT, "timerfd_settime");
    while (access(getenv("BREAK_STUCK"), F_OK) == 0) {
        sleep(1);
    }
    return access(getenv("BREAK_SILENT"), F_OK) == 0 ? 0 : real(file, flags, at, was);
}
"""


class Manager:
    """A socket of our own, as systemd has one."""

    def __init__(self, address):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address.replace("@", "\0", 1))
        self.heard = []  # (when, line)

    def listen(self, seconds):
        """Returns the lines that came within this time."""
        came = []
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                lines = self.socket.recv(4096).decode().splitlines()
            except TimeoutError:
                break
            came += lines
        self.heard += came
        return came

    def wait(self, line, seconds):
        until = time.monotonic() + seconds
        while not any(re.fullmatch(line, heard) for heard in self.heard):
            if time.monotonic() > until:
                lib.fail(f"the manager heard no {line} within {seconds} s, but {self.heard}")
            self.listen(0.1)


def start(name, address, *arguments, **environment):
    own = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": str(int(1e6 * PATIENCE_S)), **environment}
    os.environ.update(own)
    try:
        server = lib.Program(name, lib.SERVER, "--track", "oval", "--port", "0", "--web", "off",
                             *arguments, typed=True)
    finally:
        for variable in own:
            del os.environ[variable]
    return server


def alive(lines):
    return lines.count("WATCHDOG=1")


def end(server, manager):
    server.child.terminate()
    lib.expect("the exit code", server.ended(20), 0)
    manager.wait("STOPPING=1", 2)
    lib.expect("how often it stops", manager.heard.count("STOPPING=1"), 1)
    lib.expect("how often it is ready", manager.heard.count("READY=1"), 1)


def expect_life(name, address, *arguments):
    """READY=1 once it listens, WATCHDOG=1 in time, STOPPING=1."""
    manager = Manager(address)
    server = start(name, address, *arguments)
    server.wait_said(r"UDP port \d+", 30)
    manager.wait("READY=1", 30)
    lib.expect("the first word", manager.heard[0], "READY=1")
    lib.expect("the second", manager.heard[1].split(":")[0], "STATUS=1 race")
    if alive(manager.listen(3 * PATIENCE_S)) < 3:
        lib.fail(f"{name}: not alive within its time: {manager.heard}")
    end(server, manager)


def expect_reload():
    """What the manager's reload says ends no race, also where there is nothing to read anew."""
    address = f"@apex-e2e-{os.getpid()}-reload"
    manager = Manager(address)
    server = start("reload", address)
    manager.wait("READY=1", 30)
    server.child.send_signal(signal.SIGHUP)
    server.wait_said("hangup: no file is there", 10)
    lib.expect("whether it ended", server.child.poll(), None)
    end(server, manager)


def broken_library():
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    source, library = lib.folder / "break.c", lib.folder / "break.so"
    source.write_text(BREAKS_TIMER, encoding="utf-8")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library


def expect_silence(kind, library):
    """A race under way, until its ticks end."""
    files = {"BREAK_SILENT": lib.folder / "silent", "BREAK_STUCK": lib.folder / "stuck"}
    for path in files.values():
        path.unlink(missing_ok=True)
    address = f"@apex-e2e-{os.getpid()}-{kind}"
    manager = Manager(address)
    server = start(kind, address, "--bots", "2", "--races", "1", "--laps", "50",
                   LD_PRELOAD=str(library), **{name: str(path) for name, path in files.items()})
    manager.wait("WATCHDOG=1", 30)
    files[kind].touch()
    manager.listen(PATIENCE_S)  # what was under way, and the round that a look has seen
    lib.expect(f"{kind}: alive without ticks", alive(manager.listen(3 * PATIENCE_S)), 0)
    if kind == "BREAK_SILENT":
        # The loop turns: it still answers, and is not to be mistaken for a race that goes on.
        before = len(server.said())
        server.child.stdin.write(b"help\n")
        server.child.stdin.flush()
        lib.wait_until("an answer", lambda: "this list" in server.said()[before:], 5)
    server.child.kill()
    server.child.wait()


def main():
    expect_life("path", str(lib.folder / "manager"), "--bots", "2", "--races", "1", "--laps", "50")
    # Nobody is there and none is to come: it makes no ticks, by right.
    abstract = f"@apex-e2e-{os.getpid()}"
    expect_life("idle", abstract)
    expect_life("hasty", abstract + "-hasty", "--speed", "max", "--bots", "2", "--races", "0")

    expect_reload()

    deaf = start("deaf", "relative")
    deaf.wait_said("NOTIFY_SOCKET relative: .* expected /PATH or @NAME", 30)
    deaf.wait_said(r"UDP port \d+", 30)
    deaf.child.terminate()
    lib.expect("the exit code", deaf.ended(20), 0)

    library = broken_library()
    if library is None or "asan" in lib.SERVER:
        print("no compiler, or a sanitizer: no race with a broken timer")
        return
    expect_silence("BREAK_SILENT", library)
    expect_silence("BREAK_STUCK", library)


main()
