#!/usr/bin/python3
"""The bot that PROTOCOL.md begins with, client-lite/examples/bot.py, as its reader would run it: two
of them race over the oval as fast as it goes, and one in a hurried real time."""

import json
import re
import sys

sys.dont_write_bytecode = True
import lib

try:
    import enet  # pylint: disable=unused-import
    import google.protobuf  # pylint: disable=unused-import
except ImportError as missing:
    print(f"SKIPPED: {missing}; tests/run installs python3-enet and python3-protobuf")
    sys.exit(lib.SKIPPED)

BOT = lib.SOURCES / "client-lite" / "examples" / "bot.py"
LAPS, PASSWORD, LINES_MAX = 2, "let me drive", 150


class Bot(lib.Program):
    def __init__(self, server, name, *arguments):
        super().__init__(name, sys.executable, BOT, "127.0.0.1", server.port, "--name", name,
                         *arguments)

    def laps_s(self):
        return [float(time) for time in re.findall(r"^lap \d+: ([\d.]+) s$", self.said(), re.M)]


def race(speed, names):
    """@return the laps of all bots, and the share of controls that were there on their tick."""
    results = lib.folder / f"results-{speed}"
    server = lib.Server("--track", "oval", "--laps", LAPS, "--races", 1, "--speed", speed,
                        "--players", len(names), "--password", PASSWORD, "--results", results,
                        name=f"server-{speed}")
    stranger = Bot(server, f"stranger-{speed}")
    lib.expect("exit code without the password", stranger.ended(20), 1)
    lib.expect("what it says", "password" in stranger.said(), True)
    bots = [Bot(server, name, "--password", PASSWORD) for name in names]
    for place, bot in enumerate(bots):
        bot.wait_said(r"^\S+ drives boxster-s on oval$")
        bot.wait_said(r"^lap 1: ", 120)
        if place == 0:
            answer = server.ask("status", r"^controls: (\d+) on their tick, (\d+) repeated")
    used, repeated = map(int, re.match(r"controls: (\d+) on their tick, (\d+)", answer).groups())
    for bot in bots:
        lib.expect(f"{bot.name}: exit code", bot.ended(120), 0)
        lib.expect(f"{bot.name}: laps", len(bot.laps_s()), LAPS)
    lib.expect("the server's exit code", server.ended(20), 0)
    files = list(results.glob("**/*.json"))
    lib.expect("results", len(files), 1)
    lines = json.loads(files[0].read_text(encoding="utf-8"))["results"]
    lib.expect("who finished", sorted((line["name"], line["state"]) for line in lines),
               sorted((name, "finished") for name in names))
    return [lap for bot in bots for lap in bot.laps_s()], used / (used + repeated)


def main():
    lines = len(BOT.read_text(encoding="utf-8").splitlines())
    if lines >= LINES_MAX:
        lib.fail(f"a plain client takes {lines} lines, more than it should")
    fast_s, fast_share = race("max", ["north", "south"])
    paced_s, paced_share = race(4, ["alone"])
    # It drives by the line: neither far slower than the road allows, nor ever off it.
    for lap_s in fast_s + paced_s:
        if not 40 < lap_s < 62:
            lib.fail(f"laps of {fast_s} and {paced_s} s")
    if abs(paced_s[-1] / fast_s[-1] - 1) > 0.05:
        lib.fail(f"a flying lap takes {paced_s[-1]} s at four times real time, {fast_s[-1]} s at max")
    if fast_share < 0.99 or paced_share < 0.9:
        lib.fail(f"controls on their tick: {fast_share:.3f} at max, {paced_share:.3f} at 4")
    print(f"laps of {min(fast_s):.3f} to {max(fast_s):.3f} s, controls on their tick: "
          f"{100 * fast_share:.2f} % at max, {100 * paced_share:.2f} % at 4")


main()
