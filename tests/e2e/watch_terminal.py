#!/usr/bin/python3
"""The live view on a terminal that is too small for it: the frame stays within the terminal, since a
cursor can't go up to what has scrolled away, and no line is wrapped. Interrupted, it ends well."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

sys.dont_write_bytecode = True

import lib

ROWS, COLUMNS = 5, 30
FRAMES = 10


def watch(port, frame=b"\x1b[J", **environment):
    """Runs until enough frames were drawn, then interrupts. Returns what came on the terminal."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    with subprocess.Popen([lib.CLIENT, "watch", f"127.0.0.1:{port}"], stdin=theirs, stdout=theirs,
                          stderr=theirs, env={**os.environ, **environment}) as child:
        os.close(theirs)
        said, until = b"", time.monotonic() + 20
        while said.count(frame) < FRAMES and time.monotonic() < until:
            if select.select([ours], [], [], 1)[0]:
                said += os.read(ours, 65536)
        child.send_signal(signal.SIGINT)
        try:
            lib.expect("exit code after an interrupt", child.wait(5), 0)
        finally:
            child.kill()
            os.close(ours)
    return said.decode("utf-8")


def main():
    server = lib.Server("--bots", "12")
    server.wait_said("race 1: race$")
    # What is said of a new key stands above the frames, and is as long as its path.
    lib.expect("key new", subprocess.call([lib.CLIENT, "key", "new"], stdout=subprocess.DEVNULL), 0)
    said = watch(server.port, LC_ALL="C.UTF-8", NO_COLOR="1", TERM="xterm")
    frames = said.count("\x1b[J")
    if frames < FRAMES:
        lib.fail(f"{frames} frames only: {said!r}")
    ups = [int(lines) for lines in re.findall(r"\x1b\[(\d+)A", said)]
    lib.expect("the cursor stays on the terminal", max(ups) < ROWS, True)
    lines = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", said).replace("\r", "").split("\n")
    widest = max(lines, key=len)
    if len(widest) >= COLUMNS:
        lib.fail(f"a line of {len(widest)} columns: {widest!r}")
    lib.expect("colours in spite of NO_COLOR", "\x1b[1m" in said, False)
    lib.expect("colours", "\x1b[1m" in watch(server.port, NO_COLOR="", TERM="xterm"), True)
    said = watch(server.port, frame=b"\nrace", TERM="dumb")
    lib.expect("lines on a terminal that knows no more", "\x1b" in said or "race" not in said, False)
    server.quit()


main()
