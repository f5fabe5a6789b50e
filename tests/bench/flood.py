#!/usr/bin/env python3
"""What a flood from 50,000 addresses of 127/8 does to a race, and to those who want to join it.

usage: flood.py [--seconds N] [--per-second N] [KIND ...]

Needs a release build. A line for each kind of flood (flood.c says which there are; `quiet` is none): the
99th percentile of a tick and of how late ticks began, ticks dropped, the share of controls that came
for their tick, the server's share of a core, seconds until a stock client of ENet and a sealed one were
in, bytes that came back for each byte sent, and resident memory before and a while after. A
percentile is the bound of the histogram's bucket that holds it, so it is that or less: bounds are 1.4
times apart.
"""

import argparse
import pathlib
import re
import subprocess
import tempfile
import time
import urllib.request

import hosted

BUILD = hosted.ROOT / "build/release"
KINDS = ("quiet", "garbage", "connects", "proofs", "pings", "hellos")
BOTS = 8
RACE = """kind: race
name: flood
track: oval
cars: [boxster-s]
laps: 500
player_capacity: 32
start_players: 1
countdown_s: 1
server: {port: 0, address: 127.0.0.1}
"""


def on_time():
    """Programs that are measured come before all that wants processors, where the system lets them."""
    try:
        found = subprocess.call(["chrt", "--rr", "1", "true"], stderr=subprocess.DEVNULL) == 0
    except FileNotFoundError:
        return []
    return ["chrt", "--rr", "1"] if found else []


class Race:
    def __init__(self, folder):
        self.server = hosted.Server(str(BUILD / "apex-server"), RACE, folder, on_time())
        self.port = re.search(r"UDP port (\d+)", (pathlib.Path(folder) / "log").read_text())[1]
        self.bots = self.client("--count", BOTS, "--name", "honest")

    def client(self, *arguments):
        return subprocess.Popen([*on_time(), BUILD / "apex-client", "bot", f"127.0.0.1:{self.port}",
                                 *map(str, arguments)], stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, text=True)

    def figure(self, pattern):
        text = urllib.request.urlopen(f"http://127.0.0.1:{self.server.port}/metrics").read().decode()
        return sum(float(value) for value in re.findall(rf"^{pattern} (\S+)$", text, re.M))

    def controls(self):
        on_tick = self.figure(r'apex_controls_total\{[^}]*outcome="on_tick"\}')
        return on_tick, self.figure(r"apex_controls_total\{[^}]*\}")

    def dropped(self):
        return self.figure(r"apex_ticks_dropped_total\{[^}]*\}")

    def memory_kb(self):
        status = pathlib.Path(f"/proc/{self.server.child.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1])

    def seconds_to_join(self, *arguments):
        """Until a client has joined."""
        began = time.monotonic()
        client = self.client("--count", 1, "--seconds", 9, "--name", "newcomer", *arguments)
        joined = any("joined" in line for line in client.stdout)
        taken = time.monotonic() - began
        client.terminate()
        client.wait()
        return f"{taken:.1f}" if joined else f">{taken:.0f}"


def measure(race, kind, options):
    memory = race.memory_kb()
    controls, dropped = race.controls(), race.dropped()
    span = hosted.Span(race.server)
    command = [BUILD / "tests/bench/flood", kind, race.port, str(options.per_second),
               str(options.seconds)]
    flood = subprocess.Popen(command if kind != "quiet" else ["sleep", str(options.seconds)],
                             stdout=subprocess.PIPE, text=True)
    time.sleep(1)
    stock = race.seconds_to_join("--no-seal", "--guest")
    sealed = race.seconds_to_join("--guest")
    said = flood.communicate()[0].split()
    span.end()
    then = race.controls()
    share = (then[0] - controls[0]) / max(1, then[1] - controls[1])
    dropped = race.dropped() - dropped
    time.sleep(6)
    print(f"{kind:9} {span.tick_p99:8.2f} {span.late_p99:8.2f} {dropped:7.0f} {100 * share:9.1f} "
          f"{span.cores:6.2f} {stock:>8} {sealed:>9} {said[1] if said else '-':>8} "
          f"{said[5] if said else '-':>7} {memory / 1024:7.1f} {race.memory_kb() / 1024:7.1f}",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--per-second", type=int, default=100000)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        race = Race(folder)
        time.sleep(4)
        print(f"{'kind':9} {'tick_p99':>8} {'late_p99':>8} {'dropped':>7} {'on_tick_%':>9} "
              f"{'cores':>6} {'stock_s':>8} {'sealed_s':>9} {'sent/s':>8} {'amplif':>7} "
              f"{'MiB':>7} {'after':>7}")
        for kind in options.kinds or KINDS:
            measure(race, kind, options)
        race.bots.terminate()
        race.server.end()


if __name__ == "__main__":
    main()
