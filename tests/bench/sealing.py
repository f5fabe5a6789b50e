#!/usr/bin/python3
"""What the seal costs a server and its clients: a crowd races over the same server twice a round,
sealed and plain, and the processor time of both programs is compared, the median of the rounds.
For a machine that has nothing else to do: tests/bench/sealing.py [clients] [seconds] [rounds]"""

import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile

from hosted import PROGRAM, ROOT, Server

CLIENT = str(ROOT / "build/release/apex-client")
RACE = (ROOT / "server/content/races/crowd.yaml").read_text(encoding="utf-8")


def children_s():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(folder, clients, seconds, *options):
    """@return processor seconds of the server and of the clients."""
    server = Server(PROGRAM, RACE, folder)
    said = (pathlib.Path(folder) / "log").read_text(encoding="utf-8")
    port = re.search(r"UDP port (\d+)", said)[1]
    before, server_before = children_s(), server.cpu_s()
    done = subprocess.run([CLIENT, "load", f"127.0.0.1:{port}", "--clients", str(clients), "--ramp",
                           "200", "--seconds", str(seconds), *options], capture_output=True,
                          text=True, check=False)
    figures = server.cpu_s() - server_before, children_s() - before
    server.end()
    if done.returncode != 0:
        sys.exit(f"load {' '.join(options)} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return figures


def main():
    defaults = ["1000", "60", "1"]
    given = sys.argv[1:]
    clients, seconds, rounds = (int(value) for value in given + defaults[len(given):])
    runs = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            runs.append((*run(folder, clients, seconds),
                         *run(folder, clients, seconds, "--no-seal")))
    figures = [statistics.median(column) for column in zip(*runs)]
    for name, with_seal, without in zip(("server", "clients"), figures[:2], figures[2:]):
        print(f"sealing.{name}_cpu {with_seal:.2f} s")
        print(f"plain.{name}_cpu {without:.2f} s")
        print(f"sealing.{name}_more {100 * (with_seal / without - 1):.1f} %")


main()
