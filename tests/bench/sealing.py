#!/usr/bin/python3
"""What the seal costs a server and its clients: a crowd races over the same server twice, sealed and
plain, and the processor time of both programs is compared. For a machine that has nothing else to
do: tests/bench/sealing.py [clients] [seconds]"""

import pathlib
import re
import resource
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
    clients, seconds = (int(value) for value in (sys.argv[1:] + ["1000", "60"][len(sys.argv) - 1:]))
    with tempfile.TemporaryDirectory() as folder:
        sealed = run(folder, clients, seconds)
        plain = run(folder, clients, seconds, "--no-seal")
    for name, with_seal, without in zip(("server", "clients"), sealed, plain):
        print(f"sealing.{name}_cpu {with_seal:.2f} s")
        print(f"plain.{name}_cpu {without:.2f} s")
        print(f"sealing.{name}_more {100 * (with_seal / without - 1):.1f} %")


main()
