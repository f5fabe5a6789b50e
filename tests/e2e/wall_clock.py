#!/usr/bin/python3
"""A server whose clock is put right while it runs dates what it stores by the clock as it is then."""

import json
import os
import sys
import time

sys.dont_write_bytecode = True
import lib

AHEAD = lib.folder / "ahead"
HOUR_S = 3600


def begin():
    """A server whose clock can be put ahead."""
    environment = {"LD_PRELOAD": os.environ["APEX_CLOCK_AHEAD_LIBRARY"],
                   "APEX_CLOCK_AHEAD": str(AHEAD)}
    os.environ.update(environment)
    server = lib.Server("--track", "oval", "--players", 1, "--races", 3, "--results",
                        lib.folder / "results")
    for name in environment:
        del os.environ[name]
    return server


def newest_s(events):
    lines = events.read_text(encoding="utf-8").splitlines() if events.exists() else []
    return json.loads(lines[-1])["unix_us"] / 1e6 if lines else 0


def drive_a_moment(server, name):
    bot = lib.Bots(server, "--count", 1, "--seconds", 3, "--name", name, name=name)
    lib.expect(f"{name}: exit code", bot.ended(30), 0)


def main():
    AHEAD.write_text("0", encoding="utf-8")
    events = lib.folder / "results" / "events.jsonl"
    server = begin()
    drive_a_moment(server, "early")
    lib.wait_until("events are stored", lambda: abs(newest_s(events) - time.time()) < 60, 10)
    AHEAD.write_text(str(HOUR_S), encoding="utf-8")
    time.sleep(2)  # the program tells its servers once a second
    drive_a_moment(server, "late")
    lib.wait_until("events are stored an hour later",
                   lambda: abs(newest_s(events) - HOUR_S - time.time()) < 60, 10)
    server.quit()
    ticks = [json.loads(line)["tick"] for line in events.read_text(encoding="utf-8").splitlines()]
    if not 0 < max(ticks) < 60 * 60:
        lib.fail(f"{max(ticks)} ticks in what was no minute")
    print("the time of what is stored follows the clock, and ticks do not")


main()
