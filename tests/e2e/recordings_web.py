#!/usr/bin/env python3
# labels: asan
"""Recordings watched over WebSockets by more than is good for them: eight who want to be elsewhere
ten times a second, some who leave in the middle of it, and a live race beside them that goes on."""

import os
import random
import select
import subprocess
import time

import lib
import lib_web as web

SECONDS = float(os.environ.get("APEX_RECORDINGS_S", "6"))
VIEWERS = 8
HELLO = b"\x0a\x02\x08\x03"  # Hello{protocol_version 3}
SPECTATE = b"\x1a\x00"
SUBSCRIBE = b"\x3a\x02\x08\x14"  # Subscribe{snapshot_hz 20}
PLAYBACK_STATE = 16
GOODBYE = 15
TICK, SEEKING = 1, 6

rng = random.Random(7)


def playback(play=0, speed_permille=0, seek=0):
    """A ClientMessage with Playback."""
    body = b"".join(web.varint(number << 3) + web.varint(value) for number, value in
                    ((1, play), (2, speed_permille), (3, seek)) if value)
    return web.field(11, body)


def take_varint(content, at):
    value = shift = 0
    while True:
        byte = content[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def whole_message(content):
    """(kind, content) of a ServerMessage."""
    key, at = take_varint(content, 0)
    length, at = take_varint(content, at)
    return key >> 3, content[at:at + length]


def numbers(content):
    """Fields that are numbers, by theirs."""
    found, at = {}, 0
    while at < len(content):
        key, at = take_varint(content, at)
        value, at = take_varint(content, at)
        if key & 7 == 2:
            at += value
        else:
            found[key >> 3] = value
    return found


class Viewer:
    def __init__(self, port, name, source):
        self.link = web.WebSocket(port, f"/replay/{name}", source)
        lib.expect("the handshake of a recording", self.link.status, 101)
        for message in (HELLO, SPECTATE, SUBSCRIBE):
            self.link.send(message)
        self.tick, self.is_in, self.goodbye = None, False, None

    def listen(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            is_here = self.link.buffer or select.select([self.link.socket], [], [], 0.01)[0]
            if not is_here:
                continue
            opcode, content = self.link.receive()
            if opcode == web.PING:
                self.link.send(content, opcode=web.PONG)
            elif opcode == web.BINARY:
                self.hear(*whole_message(content))

    def hear(self, kind, body):
        if kind == PLAYBACK_STATE:
            state = numbers(body)
            self.is_in = True
            self.tick = None if SEEKING in state else state.get(TICK, 0)
        elif kind == GOODBYE:
            self.goodbye = body


def record():
    """A minute of bots in a folder of recordings."""
    replays = lib.folder / "replays"
    replays.mkdir()
    race = lib.folder / "taped.yaml"
    race.write_text(lib.RACE.replace("laps: 50", "laps: 2"), encoding="utf-8")
    subprocess.run([lib.SERVER, "--config", race, "--bots", "10", "--speed", "max", "--web", "off",
                    "--record", replays / "taped.apexr"], check=True, timeout=120,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   stdin=subprocess.DEVNULL)
    (replays / "broken.apexr").write_bytes(b"laps: 3\n")
    return replays


def ticks(port):
    text = web.get(port, "/metrics")[2]
    return sum(float(line.split()[-1]) for line in text.splitlines()
               if line.startswith("apex_ticks_total{"))


def figure(port, name):
    text = web.get(port, "/metrics")[2]
    return next(float(line.split()[-1]) for line in text.splitlines()
                if line.startswith(name + " "))


def check_refusals(port):
    outside = web.WebSocket(port, "/replay/..%2Ftaped.yaml", "127.0.2.9")
    lib.expect("a file that is no recording", outside.status, 400)
    for name in ("nobody.apexr", "broken.apexr", ".hidden"):
        viewer = Viewer(port, name, "127.0.2.9")
        try:
            viewer.listen(2)
        except ConnectionError:
            pass
        if viewer.goodbye is None:
            lib.fail(f"{name}: nobody said why it is not shown")


def check_shares(port):
    """One address does not keep the others out."""
    viewers = [Viewer(port, "taped.apexr", "127.0.2.50") for _ in range(5)]
    lib.wait_until("the one too many is told",
                   lambda: any(told(viewer) for viewer in viewers[4:]), 20)
    lib.expect("what it is told", b"watched from your address" in viewers[4].goodbye, True)
    other = Viewer(port, "taped.apexr", "127.0.2.51")
    lib.wait_until("another address is let in", lambda: told(other) or other.is_in, 60)
    lib.expect("a goodbye to another address", other.goodbye, None)
    for viewer in viewers + [other]:
        viewer.link.close()
    lib.wait_until("nobody watches", lambda: figure(port, "apex_playbacks") == 0, 20)


def told(viewer):
    try:
        viewer.listen(0.1)
    except ConnectionError:
        pass
    return viewer.goodbye is not None


def check_full(port):
    """A viewer that finds all places taken is told so; a browser's WebSocket shows no status."""
    viewers = [Viewer(port, "taped.apexr", f"127.0.3.{i + 1}") for i in range(VIEWERS)]
    late = Viewer(port, "taped.apexr", "127.0.3.9")
    try:
        late.listen(5)
    except ConnectionError:
        pass
    if late.goodbye is None or b"watched" not in late.goodbye:
        lib.fail(f"one viewer too many heard {late.goodbye}")
    lib.expect("those who were there", [viewer.goodbye for viewer in viewers], [None] * VIEWERS)
    viewers[0].link.close()
    lib.wait_until("a place that was given back", lambda: is_shown(port), 30)
    for viewer in viewers[1:]:
        viewer.link.close()


def is_shown(port):
    viewer = Viewer(port, "taped.apexr", "127.0.3.9")
    try:
        viewer.listen(3)
    except ConnectionError:
        pass
    viewer.link.close()
    return viewer.is_in


def settle(viewer):
    if viewer.is_in and viewer.tick != 100:
        viewer.link.send(playback(play=2, seek=1 + 100))
    viewer.listen(0.2)
    return viewer.tick == 100


def hammer(port):
    viewers = [Viewer(port, "taped.apexr", f"127.0.2.{i + 1}") for i in range(VIEWERS)]
    for viewer in viewers:
        viewer.listen(0.3)
    before, began = ticks(port), time.monotonic()
    while time.monotonic() - began < SECONDS:
        for viewer in viewers:
            if viewer.is_in:
                viewer.link.send(playback(play=rng.choice((1, 1, 2)), speed_permille=16000,
                                          seek=1 + rng.randrange(4000)))
            viewer.listen(0.01)
        if rng.random() < 0.2:  # in the middle of whatever it asked for
            at = rng.randrange(VIEWERS)
            viewers[at].link.close()
            viewers[at] = Viewer(port, "taped.apexr", f"127.0.2.{at + 1}")
    made = (ticks(port) - before) / (time.monotonic() - began)
    lib.wait_until("everybody is where they last wanted to be",
                   lambda: all([settle(viewer) for viewer in viewers]), 90)
    lib.expect("recordings watched", figure(port, "apex_playbacks"), VIEWERS)
    lib.expect("ticks made again", figure(port, "apex_playback_ticks_total") > 4000, True)
    lib.expect("time they took", figure(port, "apex_playback_seconds_total") > 0.1, True)
    return made


def main():
    replays = record()
    server = lib.Server("--web", "127.0.0.1:0", "--bots", "8", "--replays", replays,
                        "--clients-per-address", "64")
    port = int(server.wait_said(r"page.*http://127\.0\.0\.1:(\d+)")[1])
    check_refusals(port)
    check_shares(port)
    check_full(port)
    made = hammer(port)
    print(f"beside {VIEWERS} busy viewers the race made {made:.1f} ticks a second")
    if made < float(os.environ.get("APEX_RECORDINGS_TICKS", "30")):  # of 60; machines that test other things too are slow
        lib.fail("the race stood still for the recordings")
    server.quit()  # with all of them still there


main()
