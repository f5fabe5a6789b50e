#!/usr/bin/python3
"""A server that nobody uses waits instead of racing bots, costs next to nothing meanwhile, and is
there when somebody comes. Its recording is whole, and what it says in the log is said once."""
# labels: asan

import pathlib
import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True

import lib
import lib_web

HELLO, SPECTATE = lib_web.field(1, lib_web.field(1, 3)), lib_web.field(3, b"")
WELCOME = 1  # of ServerMessage
REST_S = 4.0  # that a test looks at the server that nobody uses
SPEED = 4
NOBODY = r"host: nobody is here: waiting; the race goes on when somebody comes"


def race_file():
    path = lib.folder / "idle.yaml"
    path.write_text(lib.RACE.replace("races: 1", "races: 0").replace("laps: 50", "laps: 1")
                    .replace("track: oval", "track: skidpad").replace("results_s: 1", "results_s: 0")
                    + "web:\n  listen: 127.0.0.1:0\n", encoding="utf-8")
    return path


def cpu_s(pid):
    """Of all threads, in nanoseconds by the scheduler's own count."""
    return sum(int(task.read_text().split()[0])
               for task in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9


def ticks(page):
    lines = lib_web.get(page, "/metrics")[2].splitlines()
    return next(int(float(line.split()[-1])) for line in lines if line.startswith("apex_ticks_total"))


def expect_rest(server, page):
    lib.expect("health", lib_web.get(page, "/healthz")[0], 200)
    lib.expect("readiness", lib_web.get(page, "/readyz")[0], 200)
    lib.expect("idle", lib_web.get_json(page, "/api/races/1")["idle"], True)
    before = ticks(page)
    used, began = cpu_s(server.child.pid), time.monotonic()
    time.sleep(REST_S)
    share = (cpu_s(server.child.pid) - used) / (time.monotonic() - began)
    lib.expect("ticks while nobody is here", ticks(page) - before, 0)
    print(f"idle: {100 * share:.2f} % of a core")
    if share > 0.01 and "asan" not in lib.SERVER:
        lib.fail(f"{100 * share:.1f} % of a core for nobody")


def visit(server, page):
    """Says Hello and watches until a race is under way."""
    came = lib_web.WebSocket(page, "/race/1")
    asked = time.monotonic()
    came.send(HELLO)
    first = came.receive()[1]
    print(f"answered after {1000 * (time.monotonic() - asked):.0f} ms")
    lib.expect("the first answer", first[0] >> 3, WELCOME)
    came.send(SPECTATE)
    server.wait_said(r"race 1: race$", 20)
    came.close()


def expect_rest_was_not_made_up_for(said):
    """A clock that went on at rest would have it drop all ticks of that time at once. A machine that
    stops for an instant costs a few, and the server says that it did."""
    at_rest = REST_S * SPEED * 60
    dropped = sum(int(number) for number in re.findall(r"behind: (\d+) ticks dropped", said))
    if dropped > at_rest / 4:
        lib.fail(f"{dropped} ticks dropped, where {at_rest:.0f} passed at rest")


def main():
    record = lib.folder / "idle.apexr"
    server = lib.Program("server", lib.SERVER, "--config", race_file(), "--bots", "2", "--record",
                         record, "--speed", str(SPEED), typed=True)
    page = int(server.wait_said(r"page: http://127\.0\.0\.1:(\d+)/", 30)[1])
    server.wait_said(NOBODY + r" \(--races N runs N races without anybody\)$", 30)
    expect_rest(server, page)
    visit(server, page)
    lib.wait_until("nobody once more", lambda: server.said().count("nobody is here") == 2, 120)
    lib.expect("results, though nobody was there", "race 1: results" in server.said(), True)
    expect_rest(server, page)
    lib.expect("somebody", server.said().count("host: somebody is here: the race goes on"), 1)
    server.child.terminate()
    lib.expect("the exit code", server.ended(10), 0)
    expect_rest_was_not_made_up_for(server.said())
    verified = subprocess.run([lib.SERVER, "replay", "verify", record], capture_output=True,
                              text=True, timeout=120, check=False)
    lib.expect(f"verified: {verified.stdout}", verified.returncode, 0)

    # As fast as it goes without anybody is not at all.
    hasty = lib.Program("hasty", lib.SERVER, "--bots", "12", "--speed", "max", "--port", "0",
                        "--web", "127.0.0.1:0")
    page = int(hasty.wait_said(r"page: http://127\.0\.0\.1:(\d+)/", 30)[1])
    hasty.wait_said(NOBODY, 30)
    expect_rest(hasty, page)
    hasty.child.terminate()
    lib.expect("the exit code", hasty.ended(10), 0)


main()
