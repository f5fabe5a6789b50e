#!/usr/bin/python3
"""A bot for Apex: joins a race, reads the track, and drives laps of it until the event is over.

It is "Your first bot" of proto/PROTOCOL.md as a program, written to be changed: decide() is the
driver, all else is what any bot needs. Debian's python3-enet, python3-protobuf and
protobuf-compiler are all it takes; the messages' classes are made by protoc when it starts.

    build/release/apex-server --track oval &
    client-lite/examples/bot.py --name "my bot"
"""

import argparse
import math
import pathlib
import subprocess
import sys
import tempfile
import time

import enet

with tempfile.TemporaryDirectory() as folder:
    proto = pathlib.Path(__file__).resolve().parents[2] / "proto"
    subprocess.run(["protoc", f"--proto_path={proto}", f"--python_out={folder}", "wire.proto",
                    "defs.proto"], check=True)
    sys.path.insert(0, folder)
    sys.dont_write_bytecode = True
    import defs_pb2 as defs
    import wire_pb2 as wire

AUTOMATIC, LOCK, ANGLE = 126, 32767, math.pi / 32768
STEP_M, SIGHT = 2, 100  # between two points of the line that is followed; so many are looked at
GRIP_MPS2, BRAKING_MPS2 = 6.5, 5.0
STEER = 9 * LOCK  # wheelbase doubled, by the angle of full lock
AHEAD_MAX, PACKET_MAX, REPEATS, SILENT_S = 62, 16, 8, 0.02


class Link:
    """One message a packet: ClientMessage up, ServerMessage down. Sections 1 and 2."""

    def __init__(self, host, port):
        self.host, self.secret = enet.Host(None, 1, 2), 0
        self.peer = self.host.connect(enet.Address(host.encode(), port), 2, 0)
        if self.host.service(5000).type != enet.EVENT_TYPE_CONNECT:
            sys.exit(f"no answer from {host}:{port}: is apex-server running there?")

    def say(self, channel=0, **body):
        flag = enet.PACKET_FLAG_UNSEQUENCED if channel else enet.PACKET_FLAG_RELIABLE
        message = wire.ClientMessage(secret=self.secret, **body)
        self.peer.send(channel, enet.Packet(message.SerializeToString(), flag))
        self.host.flush()

    def hear(self, timeout_ms=10):
        """The next message, as its name and itself; None, None if none comes in that time."""
        event = self.host.service(timeout_ms)
        if event.type == enet.EVENT_TYPE_DISCONNECT:
            sys.exit("the server has closed the connection")
        if event.type != enet.EVENT_TYPE_RECEIVE:
            return None, None
        message = wire.ServerMessage.FromString(event.packet.data)
        name = message.WhichOneof("body")
        if name in ("reject", "goodbye"):
            reason = getattr(message, name)
            print(reason.text)
            sys.exit(0 if reason.reason in (wire.REASON_NONE, wire.REASON_EVENT_OVER) else 1)
        return (name, getattr(message, name)) if name else (None, None)

    def news(self):
        """All that has come, or comes within a moment."""
        name, message = self.hear()
        while name:
            yield name, message
            name, message = self.hear(0)

    def ask(self, answer, **body):
        self.say(**body)
        name, message = None, None
        while name != answer:
            name, message = self.hear(100)
        return message


class Line:
    """The centre line of a TrackDef: straight from point to point, with a point each STEP_M or so.
    Appendix A has the curve that the server lays."""

    def __init__(self, name, track):
        self.name = name
        given = list(zip(track.points.x_m, track.points.y_m))
        self.points, self.closed = [], track.closed
        for (ax, ay), (bx, by) in zip(given, given[1:] + given[:1] if track.closed else given[1:]):
            parts = max(1, round(math.dist((ax, ay), (bx, by)) / STEP_M))
            self.points += [(ax + (bx - ax) * k / parts, ay + (by - ay) * k / parts)
                            for k in range(parts)]
        self.bends = [self.bend(at) for at in range(len(self.points))]  # curvature, 1/m

    def index(self, at):
        count = len(self.points)
        return at % count if self.closed else max(0, min(at, count - 1))

    def bend(self, at, reach=5):
        before, here, after = (self.points[self.index(at + way)] for way in (-reach, 0, reach))
        turn = math.remainder(direction(here, after) - direction(before, here), 2 * math.pi)
        return abs(turn) / (reach * STEP_M)

    def nearest(self, place):
        return min(range(len(self.points)), key=lambda at: math.dist(self.points[at], place))


def direction(a, b):
    return math.atan2(b[1] - a[1], b[0] - a[0])


def decide(line, car):
    """The driver's answer to what it sees: a ControlSample. Sections 5 and 6."""
    place, speed_mps = (car.x_mm / 1e3, car.y_mm / 1e3), math.hypot(car.vx_cmps, car.vy_cmps) / 1e2
    at = line.nearest(place)
    target = line.points[line.index(at + int((6 + speed_mps / 2) / STEP_M))]
    angle = math.remainder(direction(place, target) - car.yaw * ANGLE, 2 * math.pi)
    # On the circle that leads to the target.
    steer = STEER * angle / math.dist(place, target)
    # As fast as each bend in sight allows, with the way that there is to brake for it.
    allowed_mps = min(math.sqrt(GRIP_MPS2 / max(line.bends[line.index(at + way)], 1e-4)
                                + 2 * BRAKING_MPS2 * STEP_M * way) for way in range(SIGHT))
    pedal = max(-1, min(1, 0.3 * (allowed_mps - speed_mps)))
    return wire.ControlSample(steer=int(max(-LOCK, min(LOCK, steer))), gear=AUTOMATIC,
                              throttle=int(255 * max(0, pedal)), brake=int(255 * max(0, -pedal)))


class Hands:
    """Which tick a sample is for, and when it is said. Section 5."""

    def __init__(self, link, welcome):
        self.link, self.tick_hz, self.waited_for = link, welcome.tick_hz, not welcome.speed_permille
        self.period = round(welcome.tick_hz / welcome.snapshot_hz)
        self.lead = self.period + (1 if self.waited_for else 4)
        self.samples, self.newest, self.tick, self.calm_tick, self.heard_s = [], 0, 0, 0, 0.0

    def heard(self, snapshot):
        """A server that keeps time says how far ahead samples came; one that waits need not."""
        self.tick, self.heard_s = snapshot.tick, time.monotonic()
        is_early = snapshot.controls_depth > 3
        if not self.waited_for and snapshot.controls_depth < 1:
            self.lead = min(self.lead + 1, AHEAD_MAX)
        elif not self.waited_for and is_early and self.tick > self.calm_tick + 2 * self.tick_hz:
            self.lead, is_early = self.lead - 1, False
        self.calm_tick = self.calm_tick if is_early else self.tick

    def act(self, sample):
        silences = int((time.monotonic() - self.heard_s) / SILENT_S) if self.waited_for else 0
        until = self.tick + min(self.lead + silences * self.period, AHEAD_MAX)
        if self.newest < self.tick:  # at first, and after a pause
            self.samples, self.newest = [], self.tick
        new = min(until - self.newest, PACKET_MAX)
        if new > 0:
            self.samples = self.samples[-PACKET_MAX:] + [sample] * new
            self.newest += new
            said = self.samples[-max(REPEATS, new):]
            self.link.say(1, controls=wire.Controls(first_tick=self.newest + 1 - len(said),
                                                    samples=said))


def tell(event):
    words = {wire.EVENT_LAP: "lap", wire.EVENT_FINISHED: "finished in place"}
    if event.kind in words:
        time_s = event.time_us // 1000 / 1000  # cut, not rounded, as times are
        print(f"{words[event.kind]} {event.value}: {time_s:.3f} s", flush=True)


def drive(link, welcome, joined, line):
    """Acts on what comes, until the link ends."""
    hands, sample, resets, moved_tick = Hands(link, welcome), None, 0, 0
    while True:
        snapshot, own = None, None
        for name, message in link.news():
            if name == "snapshot" and message.tick > (snapshot or hands).tick:
                found = next((car for car in message.cars if car.id == joined.car), None)
                snapshot, own = (message, found) if found else (snapshot, own)
            elif name == "race_event" and message.player == joined.player:
                tell(message)
            elif name == "notice":
                print(message.text, flush=True)
            elif name == "joined" and not message.player:
                sys.exit("the car is gone: this link only watches now")
        if own:
            hands.heard(snapshot)
            is_free = math.hypot(own.vx_cmps, own.vy_cmps) > 100
            if is_free or snapshot.phase != wire.PHASE_RACE:
                moved_tick = snapshot.tick
            elif snapshot.tick > moved_tick + 5 * welcome.tick_hz:  # stuck
                resets, moved_tick = (resets + 1) % 256, snapshot.tick
            sample = decide(line, own)
            sample.reset = resets
        if sample:
            hands.act(sample)


def enter(link):
    """Says hello and reads the track: what the server says of the race, and the line to follow."""
    welcome = link.ask("welcome", hello=wire.Hello(protocol_version=3, client="bot.py"))
    link.secret = welcome.secret  # shows that what comes from this address is ours
    track = next(each for each in welcome.defs if each.kind == wire.DEF_TRACK)
    answer = link.ask("def", def_request=wire.DefRequest(hash=track.hash))
    line = Line(track.name, defs.TrackDef.FromString(answer.content))
    if not line.points:
        sys.exit(f"{track.name} has no line to follow")
    return welcome, line


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("host", nargs="?", default="127.0.0.1")
    parser.add_argument("port", nargs="?", type=int, default=26000)
    parser.add_argument("--name", default="bot.py")
    parser.add_argument("--password", default="")
    parser.add_argument("--car", default="", help="one of those the server offers; else its first")
    wish = parser.parse_args()
    link = Link(wish.host, wish.port)
    welcome, line = enter(link)
    joined = link.ask("joined", join=wire.Join(name=wish.name, car=wish.car,
                                               password=wish.password))
    print(f"{wish.name} drives {joined.car_def} on {line.name}", flush=True)
    drive(link, welcome, joined, line)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
