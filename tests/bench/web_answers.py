#!/usr/bin/env python3
"""Measures what requests cost the server, and what a flood of honest ones does to its ticks.

  web_answers.py [--server PATH] [--cars 1000] [--seconds 10] [--readers 200]

A race of bots that stand on the grid (nobody starts it) is asked for its dearest answers, one after
the other, and then by a crowd of readers from many addresses, each of which asks again as soon as
it has been answered. Processor time is the server's, read from /proc. Prints "name value unit"
lines, as tests/bench/run does."""

import argparse
import os
import pathlib
import re
import selectors
import socket
import statistics
import tempfile
import time

import hosted

RACE = """kind: race
name: asked
track: wide-oval
cars: [boxster-s]
laps: 500
races: 1
player_capacity: {cars}
start_players: {cars}
lobby_s: 1
countdown_s: 600
bots: {cars}
server: {{port: 0}}
"""


def resident_mib(pid):
    pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / 2**20


class Reader:
    """A keep-alive connection; `answers` counts whole ones."""

    def __init__(self, port, path, source="127.0.0.1"):
        self.socket = socket.socket()
        self.socket.bind((source, 0))
        self.socket.connect(("127.0.0.1", port))
        self.said = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        self.left, self.head = 0, b""
        self.answers = self.refused = self.bytes = 0

    def ask(self):
        self.head, self.left = b"", -1
        self.socket.sendall(self.said)

    def hear(self):
        """@return whether an answer is whole."""
        more = self.socket.recv(1 << 20)
        if not more:
            raise ConnectionError("closed")
        self.bytes += len(more)
        if self.left < 0:
            self.head += more
            head, end, body = self.head.partition(b"\r\n\r\n")
            if not end:
                return False
            self.refused += not head.startswith(b"HTTP/1.1 200")
            self.left = int(re.search(rb"Content-Length: (\d+)", head)[1]) - len(body)
        else:
            self.left -= len(more)
        if self.left > 0:
            return False
        self.answers += 1
        return True


def one_by_one(server, path, seconds):
    """Milliseconds from asking to the whole answer, and its bytes."""
    reader, took = Reader(server.port, path), []
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        asked = time.monotonic()
        reader.ask()
        while not reader.hear():
            pass
        took.append((time.monotonic() - asked) * 1000)
        time.sleep(0.02)  # of an address 200 requests a second are answered
    return statistics.median(took), reader.bytes / max(1, reader.answers)


def flood(server, path, readers, seconds):
    choice, made = selectors.DefaultSelector(), []
    for i in range(readers):
        reader = Reader(server.port, path, f"127.0.{1 + i // 100}.{1 + i % 100}")
        made.append(reader)
        choice.register(reader.socket, selectors.EVENT_READ, reader)
        reader.ask()
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        for key, _ in choice.select(0.1):
            try:
                if key.data.hear():
                    key.data.ask()
            except OSError:
                choice.unregister(key.fileobj)
    return sum(r.answers for r in made) / seconds, sum(r.refused for r in made) / seconds, \
        sum(r.bytes for r in made) / seconds / 2**20


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    options.add_argument("--server", default=hosted.PROGRAM)
    options.add_argument("--cars", type=int, default=1000)
    options.add_argument("--seconds", type=float, default=10)
    options.add_argument("--readers", type=int, default=200)
    options = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = hosted.Server(options.server, RACE.format(cars=options.cars), folder)
        try:
            time.sleep(3)
            span = hosted.Span(server)
            time.sleep(options.seconds)
            alone = span.end()
            name = f"web.answers.{options.cars}"
            print(f"{name}.alone.cores {alone.cores:.3f} cores")
            print(f"{name}.alone.tick_p99 {alone.tick_p99:.2f} ms")
            print(f"{name}.alone.late_p99 {alone.late_p99:.2f} ms")
            for word, path in (("race", "/api/races/1"), ("metrics", "/metrics"),
                               ("races", "/api/races")):
                took, length = one_by_one(server, path, options.seconds / 3)
                print(f"{name}.{word}.asked_ms {took:.2f} ms")
                print(f"{name}.{word}.bytes {length:.0f} B")
            for word, path in (("race", "/api/races/1"), ("metrics", "/metrics")):
                span = hosted.Span(server)
                rate, refused, mib = flood(server, path, options.readers, options.seconds)
                time.sleep(0.5)
                flooded = span.end()
                print(f"{name}.flood.{word}.answers_per_s {rate:.0f} Hz")
                print(f"{name}.flood.{word}.refused_per_s {refused:.0f} Hz")
                print(f"{name}.flood.{word}.mib_per_s {mib:.0f} MiB")
                print(f"{name}.flood.{word}.cores {flooded.cores - alone.cores:.3f} cores")
                print(f"{name}.flood.{word}.tick_p99 {flooded.tick_p99:.2f} ms")
                print(f"{name}.flood.{word}.late_p50 {flooded.late_p50:.2f} ms")
                print(f"{name}.flood.{word}.late_p99 {flooded.late_p99:.2f} ms")
                print(f"{name}.resident {resident_mib(server.child.pid):.0f} MiB", flush=True)
        finally:
            server.end()


if __name__ == "__main__":
    main()
