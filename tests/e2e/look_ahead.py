#!/usr/bin/python3
"""Drivers who look ahead, as their programs tell it: both examples side by side, then bots. In a race
that hurries nobody is foretold, and bots drive all the same."""

import json
import os
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

IN_C = os.environ["APEX_LOOK_AHEAD"]
IN_PYTHON = lib.SOURCES / "client-lite" / "examples" / "look_ahead.py"
SECONDS = 20
OFF = r"^  95 in 100 were off by less than ([\d.]+) cm along and ([\d.]+) cm across.* (\d+) compared$"
PLACE = r"^  {}: ([\d.]+) m (ahead|behind), [\d.]+ m to the (?:left|right)(?:, (\d+) ms before)?$"


def check_errors(who, said, seldom):
    """A rival at the oval's speed goes 30 cm in a hundredth of a second: a moment that is off shows."""
    along, across, compared = map(float, re.findall(OFF, said, re.M)[-1])
    if not (0 < along < 50 and 0 < across < 25 and compared > seldom):
        lib.fail(f"{who}: off by {along} and {across} cm, {compared} compared")
    return f"{who} {along} and {across} cm"


def gaps_to(name, said):
    """In metres, second by second: ahead counts as positive."""
    return [(float(gap) if way == "ahead" else -float(gap), before)
            for gap, way, before in re.findall(PLACE.format(re.escape(name)), said, re.M)]


def check_examples():
    server = lib.Server("--players", 2)
    c_side = lib.Program("in-c", IN_C, "127.0.0.1", server.port, SECONDS)
    python_side = lib.Program("in-python", sys.executable, IN_PYTHON, "127.0.0.1", server.port,
                              "--name", "snake", "--seconds", SECONDS)
    lib.expect("exit code in C", c_side.ended(60), 0)
    lib.expect("exit code in Python", python_side.ended(60), 0)
    server.quit()
    lib.expect("the last word in C", c_side.said().splitlines()[-1], "left")
    told = [check_errors("in C", c_side.said(), 50), check_errors("in Python", python_side.said(), 50)]
    # Each sees the other where the other sees himself, at that moment.
    by_c, by_python = gaps_to("snake", c_side.said()), gaps_to("look_ahead", python_side.said())
    if min(len(by_c), len(by_python)) < 5:
        lib.fail(f"they saw each other in {len(by_c)} and {len(by_python)} seconds")
    at_once = sum(before_ms == "0" for _, before_ms in by_c)
    if at_once <= len(by_c) / 2:
        lib.fail(f"shown at the moment of the own car in {at_once} of {len(by_c)} seconds")
    for second, (gap_m, _) in enumerate(by_c):
        # Their seconds begin at different times, in which a gap may open by many metres.
        others_m = [other_m for other_m, _ in by_python[max(0, second - 1):second + 2]]
        if others_m and not min(others_m) - 4 <= -gap_m <= max(others_m) + 4:
            lib.fail(f"second {second}: {gap_m} m ahead, but {others_m} m: {by_c}, {by_python}")
    ahead_ms = [int(ms) for ms in re.findall(r"^(\d+) ms ahead of the server$", c_side.said(), re.M)]
    if not 0 < sorted(ahead_ms)[len(ahead_ms) // 2] < 200:
        lib.fail(f"{ahead_ms} ms ahead of the server")
    print(", ".join(told))


def bots(server, *arguments):
    """@return what bots say at their end."""
    program = lib.Bots(server, "--count", 4, *arguments)
    lib.expect("the bots' exit code", program.ended(60), 0)
    return json.loads(program.said().splitlines()[-1])


def check_bots():
    server = lib.Server("--players", 4, name="bots-server")
    rivals = bots(server, "--seconds", 10)["rivals"]
    lib.expect("bots who had rivals", rivals["drivers"], 4)
    if not (rivals["compared"] > 200 and 0 < rivals["along_p50_mm"] < 50 and
            rivals["along_p50_mm"] <= rivals["along_p95_mm"] <= rivals["along_p99_mm"] and
            0 < rivals["across_p50_mm"] < 50 and 5 < rivals["horizon_p50_ms"] < 250 and
            0 <= rivals["correction_p99_mps"] <= rivals["correction_max_mps"] < 50):
        lib.fail(f"bots on their rivals: {rivals}")
    server.quit()


def check_texts():
    """For people: asked for, and only then."""
    server = lib.Server("--players", 2, name="texts-server")
    told = lib.Program("told", lib.CLIENT, "bot", "--count", 2, "--seconds", 6, "--figures",
                       f"127.0.0.1:{server.port}")
    lib.expect("exit code with --figures", told.ended(40), 0)
    server.quit()
    for line in (r"^controls on their tick +[\d.]+  %$", r"^rivals within 15 m +p50 +p95 +p99$",
                 r"^  off along +[\d.]+ +[\d.]+ +[\d.]+  cm$", r"^  foretold by +[\d.]+ +[\d.]+  ms$",
                 r"^  corrected at +[\d.]+  m/s, [\d.]+ at most$",
                 r"^  compared +\d+  told of, as 2 drivers saw them$"):
        lib.expect(f"a line like {line}", bool(re.search(line, told.said(), re.M)), True)


def check_hurry():
    for speed in (8, "max"):
        server = lib.Server("--players", 4, "--speed", speed, "--laps", 1, name=f"hurry-{speed}")
        said = bots(server)
        lib.expect(f"rivals at {speed}", said["rivals"], None)
        lib.expect(f"bots over at {speed}", said["over"], 4)
        lib.expect("the server's exit code", server.ended(30), 0)


check_examples()
check_bots()
check_texts()
check_hurry()
