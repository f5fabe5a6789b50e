#!/usr/bin/python3
"""A server that gets hardly any of its processor says so, and what would help; it does not say that
its ticks are too long."""

import json
import os
import re
import sys
import urllib.request

sys.dont_write_bytecode = True

import lib

TOKEN = "an-operators-word"
SPIN = "import time\nend = time.monotonic() + 15\nwhile time.monotonic() < end: pass"
GIVEN = re.compile(r"behind: \d+ ticks dropped, \d+ so far: the machine gave this program (\d+) % of "
                   r"the processor time it asked for \(waiting for a processor (\d+) ms of the last "
                   r"second\)")

try:
    with open("/proc/self/schedstat", encoding="ascii") as file:
        told = int(file.read().split()[0]) > 0
except OSError:
    told = False
if not told:
    print("this system does not tell who waits for a processor")
    sys.exit(lib.SKIPPED)


def ask(path):
    request = urllib.request.Request(f"http://127.0.0.1:{page}{path}")
    request.add_header("Authorization", f"Bearer {TOKEN}")
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.read().decode()


def waited_s():
    found = re.search(r'^apex_run_delay_seconds_total{thread="loop"} ([0-9.]+)$', ask("/metrics"),
                      re.MULTILINE)
    return float(found[1]) if found else lib.fail("no time of waiting in /metrics")


def find_starved():
    """The complaint since the others began, if it is the one that they must cause."""
    for line in GIVEN.finditer(server.said()[begun:]):
        if int(line[1]) <= 50 and int(line[2]) >= 300:
            return line
    return None


os.environ["APEX_WEB_TOKEN"] = TOKEN
lib.ON_TIME = [] # nobody comes before all others here
core = max(os.sched_getaffinity(0))
pinned = ["taskset", "-c", core]
server = lib.Program("server", *pinned, "nice", "-n", 19, lib.SERVER, "--track", "wide-oval",
                     "--bots", 60, "--races", 1, "--workers", 0, "--port", 0, "--web", "127.0.0.1:0",
                     "--results", lib.folder / "results", typed=True)
page = int(server.wait_said(r"page: http://127\.0\.0\.1:(\d+)/")[1])
server.wait_said(r"race 1: race(,|$)", 60)
before, begun = waited_s(), len(server.said())
crowd = [lib.Program(f"other-{i}", *pinned, sys.executable, "-c", SPIN) for i in range(3)]
said = lib.wait_until("a server that says how little it gets", find_starved, 12)
status = json.loads(ask("/api/races/1/status"))
waited = waited_s() - before
for other in crowd:
    other.child.kill()
lib.expect("advice", server.said().count("what would help: priority"), 1)
if status["given_percent_last_s"] > 80 or status["run_delay_s"] < 0.3 or waited < 0.3:
    lib.fail(f"given {status['given_percent_last_s']} %, waited {status['run_delay_s']} s, "
             f"{waited} s while others were busy")
lib.expect("dropped", status["ticks_dropped"] > 0, True)
server.child.stdin.write(b"quit\n")
server.child.stdin.flush()
lib.expect("the server's exit code", server.ended(20), 0)
print(said[0])
