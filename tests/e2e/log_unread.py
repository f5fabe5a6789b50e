#!/usr/bin/env python3
"""A log and answers that nobody reads hold up no race: ticks go on, lines are dropped and counted,
and what was dropped is said once somebody reads again.
"""
import fcntl
import os
import signal
import subprocess
import sys
import time
import urllib.request

F_SETPIPE_SZ = 1031
SERVER = os.environ["APEX_SERVER"]


def small_pipe():
    reader, writer = os.pipe()
    fcntl.fcntl(writer, F_SETPIPE_SZ, 4096)
    return reader, writer


def take(reader, seconds, until=None):
    """What can be read within so many seconds, or until a text has come."""
    os.set_blocking(reader, False)
    taken, end = b"", time.monotonic() + seconds
    while time.monotonic() < end and (until is None or until not in taken):
        try:
            taken += os.read(reader, 65536)
        except BlockingIOError:
            time.sleep(0.02)
    return taken


log_reader, log_writer = small_pipe()
answer_reader, answer_writer = small_pipe()
server = subprocess.Popen(
    [SERVER, "--bots", "1", "--players", "1", "--laps", "999", "--track", "oval", "--port", "0",
     "--web", "127.0.0.1:0", "--log-level", "debug", "--races", "1"],
    stdin=subprocess.PIPE, stdout=answer_writer, stderr=log_writer)


def fail(why):
    print(f"FAILED: {why}", file=sys.stderr)
    server.kill()
    sys.exit(1)


signal.signal(signal.SIGALRM, lambda *_: fail("it stands still while nobody reads"))
signal.alarm(60)
started = take(log_reader, 20, b"page: http://127.0.0.1:")
started += take(log_reader, 1)
page = started.split(b"page: http://127.0.0.1:")[1].split(b"/")[0].decode()


def ask(path):
    with urllib.request.urlopen(f"http://127.0.0.1:{page}{path}", timeout=5) as answer:
        return answer.read().decode()


def ticks():
    for line in ask("/metrics").splitlines():
        if line.startswith("apex_ticks_total"):
            return float(line.split()[-1])
    fail("no apex_ticks_total")


# Some 60 orders a loop, each with a line of the log and one of the answers.
before = ticks()
for _ in range(60):
    server.stdin.write((("say " + 80 * "x" + "\nrestart\n") * 300).encode())
    server.stdin.flush()
    time.sleep(0.05)
between = ticks()
if between - before < 60:
    fail(f"{between - before} ticks in three seconds while nobody read")

# Somebody reads again: what was dropped is told, and ticks had gone on.
taken = take(log_reader, 15, b"lines of this log were dropped")
if b"lines of this log were dropped" not in taken:
    fail(f"{len(taken)} bytes of log, and no word of dropped lines")
if b"an answer on standard output was dropped" not in taken:
    fail("no word of dropped answers")
take(answer_reader, 1)
server.stdin.write(b"help\n")
server.stdin.flush()
if b"status" not in take(answer_reader, 5, b"status"):
    fail("nobody is answered any more")

# It ends, too, with nobody to read its last lines.
server.send_signal(signal.SIGINT)
server.send_signal(signal.SIGINT)
try:
    code = server.wait(10)
except subprocess.TimeoutExpired:
    fail("it does not end while nobody reads")
if code not in (0, 130):
    fail(f"it ended with {code}")
