"""A server that hosts a race to be measured: what its processor and its ticks do meanwhile."""

import os
import pathlib
import re
import subprocess
import sys
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = str(ROOT / "build/release/apex-server")
FAMILIES = ("apex_tick_seconds", "apex_tick_late_seconds")


class Server:
    def __init__(self, program, race, folder, before=()):
        file, log = pathlib.Path(folder) / "race.yaml", pathlib.Path(folder) / "log"
        file.write_text(race)
        with open(log, "w", encoding="utf-8") as out:
            self.child = subprocess.Popen(  # pylint: disable=consider-using-with
                [*before, program, "--config", file, "--web", "127.0.0.1:0", "--workers", "0"],
                stderr=out, stdin=subprocess.DEVNULL)
        for _ in range(600):
            found = re.search(r"page: http://127\.0\.0\.1:(\d+)/", log.read_text())
            if found:
                self.port = int(found[1])
                return
            time.sleep(0.05)
        sys.exit("the server does not start: " + log.read_text())

    def end(self):
        self.child.terminate()
        self.child.wait()

    def cpu_s(self):
        fields = pathlib.Path(f"/proc/{self.child.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def buckets(self, family):
        text = urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics").read().decode()
        return [(float(bound), float(count)) for bound, count in
                re.findall(rf'^{family}_bucket\{{[^}}]*le="([^"]+)"\}} (\S+)', text, re.M)]


def quantile_ms(before, after, share):
    """The bound of the bucket that holds it."""
    counts = [(bound, late - early) for (bound, late), (_, early) in zip(after, before)]
    total = counts[-1][1]
    return next(bound for bound, count in counts if count >= share * total) * 1000


class Span:
    """Ticks and processor time between two moments."""

    def __init__(self, server):
        self.server = server
        self.ticks, self.late = (server.buckets(family) for family in FAMILIES)
        self.cpu, self.began = server.cpu_s(), time.monotonic()

    def end(self):
        self.cores = (self.server.cpu_s() - self.cpu) / (time.monotonic() - self.began)
        ticks, late = (self.server.buckets(family) for family in FAMILIES)
        self.tick_p99 = quantile_ms(self.ticks, ticks, 0.99)
        self.late_p99 = quantile_ms(self.late, late, 0.99)
        self.late_p50 = quantile_ms(self.late, late, 0.5)
        return self
