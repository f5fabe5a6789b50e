#!/usr/bin/python3
"""A client written from proto/PROTOCOL.md alone, in another language: it joins, keeps the server's
time, drives full throttle along the centre line for ten seconds, sees its car get there, and leaves.

The system's own Python is named above, since that is where Debian puts ENet and protobuf."""

import math
import subprocess
import sys
import time

sys.dont_write_bytecode = True

import lib

try:
    import enet
    import google.protobuf  # pylint: disable=unused-import
    subprocess.run(["protoc", f"--proto_path={lib.SOURCES / 'proto'}",
                    f"--python_out={lib.folder}", "wire.proto", "defs.proto"], check=True)
except (ImportError, FileNotFoundError) as missing:
    print(f"SKIPPED: {missing}; tests/run installs python3-enet, python3-protobuf and protoc")
    sys.exit(lib.SKIPPED)
sys.path.insert(0, str(lib.folder))
import defs_pb2 as defs  # noqa: E402  pylint: disable=import-error,wrong-import-position
import wire_pb2 as wire  # noqa: E402  pylint: disable=import-error,wrong-import-position

# A packet every other tick, and two ticks against jitter.
LEAD_TICKS, REPEATS, AUTOMATIC, LEFT_LOCK = 2 + 2, 8, 126, 32767
DRIVE_S = 10


def now_us():
    return time.monotonic_ns() // 1000


class Client:
    """What it has been told last, by kind, and all race events."""

    def __init__(self, port):
        self.host = enet.Host(None, 1, 2)
        self.peer = self.host.connect(enet.Address(b"127.0.0.1", port), 2, 0)
        self.newest, self.events, self.samples, self.newest_stamp = {}, [], [], 0
        self.tick_at_zero, self.round_trip_us_min, self.ticks_per_us = 0.0, math.inf, 0.0

    def say(self, channel=0, **body):
        flag = enet.PACKET_FLAG_UNSEQUENCED if channel else enet.PACKET_FLAG_RELIABLE
        packet = enet.Packet(wire.ClientMessage(**body).SerializeToString(), flag)
        self.peer.send(channel, packet)
        self.host.flush()

    def hear(self):
        event = self.host.service(5)
        while event is not None and event.type != enet.EVENT_TYPE_NONE:
            if event.type == enet.EVENT_TYPE_RECEIVE:
                message = wire.ServerMessage.FromString(event.packet.data)
                kind = message.WhichOneof("body")
                self.newest[kind] = body = getattr(message, kind)
                if kind == "race_event":
                    self.events.append(body)
                elif kind == "time_reply":
                    self.keep_time(body)
            event = self.host.service(0)

    def until(self, what, true):
        return lib.wait_until(what, lambda: (self.hear(), true())[1], 10)

    def until_peer_is(self, state):
        self.until(f"peer in state {state}", lambda: self.peer.state == state)

    def told(self, kind):
        return self.until(kind, lambda: self.newest.get(kind))

    def keep_time(self, reply):
        """Section 4; the answer with the shortest round trip is the best."""
        round_trip_us = now_us() - reply.client_us
        if round_trip_us <= self.round_trip_us_min:
            self.round_trip_us_min = round_trip_us
            tick = reply.tick + (reply.into_tick_us + round_trip_us / 2) * self.ticks_per_us
            self.tick_at_zero = tick - now_us() * self.ticks_per_us

    def drive(self, sample):
        """Section 5: a sample for each tick, stamped with when it will be there, and repeats."""
        stamp = int(self.tick_at_zero + LEAD_TICKS +
                    (now_us() + self.round_trip_us_min / 2) * self.ticks_per_us)
        first = self.newest_stamp + 1 if self.samples else stamp
        if self.samples and stamp < first + 1:
            return
        self.samples = (self.samples + [sample] * (stamp + 1 - first))[-REPEATS:]
        self.newest_stamp = stamp
        self.say(1, controls=wire.Controls(first_tick=stamp + 1 - len(self.samples),
                                           samples=self.samples))


def nearest(line, x_m, y_m):
    return min(range(len(line)), key=lambda i: math.dist(line[i], (x_m, y_m)))


def steer_for(line, car):
    """Towards a point of the centre line some way ahead; left is positive, like yaw."""
    x_m, y_m = car.x_mm / 1e3, car.y_mm / 1e3
    at = nearest(line, x_m, y_m)
    ahead_m = 12 + 0.006 * math.hypot(car.vx_cmps, car.vy_cmps)
    while math.dist(line[at], (x_m, y_m)) < ahead_m:
        at = (at + 1) % len(line)
    bearing = math.atan2(line[at][1] - y_m, line[at][0] - x_m) - car.yaw * math.pi / 32768
    bearing = math.remainder(bearing, 2 * math.pi)
    return int(max(-1.0, min(1.0, 2.0 * bearing)) * LEFT_LOCK)


def centre_line(client, welcome):
    name = next(d for d in welcome.defs if d.kind == wire.DEF_TRACK)
    client.say(def_request=wire.DefRequest(hash=name.hash))
    track = client.told("def")
    lib.expect("hash and length", (track.hash, len(track.content)), (name.hash, name.length))
    points = defs.TrackDef.FromString(track.content).points
    ends = list(zip(points.x_m, points.y_m))
    return [(a[0] + (b[0] - a[0]) * part / 8, a[1] + (b[1] - a[1]) * part / 8)
            for a, b in zip(ends, ends[1:] + ends[:1]) for part in range(8)]


def race(client, car_id, line):
    """Ten seconds from the start. Returns the way driven in metres."""
    car, stops_at, driven_m, depths, seen = None, math.inf, 0.0, [], 0
    while time.monotonic() < stops_at:
        client.hear()
        snapshot = client.newest.get("snapshot")
        if snapshot is not None and snapshot.tick != seen:
            seen, before = snapshot.tick, car
            car = next(c for c in snapshot.cars if c.id == car_id)
            driven_m += math.hypot(car.x_mm - before.x_mm, car.y_mm - before.y_mm) / 1e3 \
                if before else 0
            if snapshot.phase == wire.PHASE_RACE:
                stops_at = min(stops_at, time.monotonic() + DRIVE_S)
                depths.append(snapshot.controls_depth)
        if car is not None:
            client.drive(wire.ControlSample(steer=steer_for(line, car), throttle=255,
                                            gear=AUTOMATIC))
    depth = sorted(depths)[len(depths) // 2]
    place = (car.x_mm / 1e3, car.y_mm / 1e3)
    aside_m = math.dist(place, line[nearest(line, *place)])
    # Full throttle takes this car from 0 to 100 km/h in six seconds.
    if driven_m < 120 or aside_m > 15 or car.flags & 16 or not 1 <= depth <= 6:
        lib.fail(f"drove {driven_m:.0f} m, is {aside_m:.0f} m off the centre line, "
                 f"flags {car.flags}, depth of controls {depth}")
    return f"drove {driven_m:.0f} m in {DRIVE_S} s, controls {depth} ticks ahead"


def main():
    server = lib.Server()
    client = Client(server.port)
    client.until_peer_is(enet.PEER_STATE_CONNECTED)
    client.say(hello=wire.Hello(protocol_version=1, client="protocol_client"))
    welcome = client.told("welcome")
    client.ticks_per_us = welcome.tick_hz * welcome.speed_permille / 1e9
    line = centre_line(client, welcome)
    for _ in range(5):
        client.newest.pop("time_reply", None)
        client.say(1, time_request=wire.TimeRequest(client_us=now_us()))
        client.told("time_reply")
    client.say(join=wire.Join(name="from the book"))
    joined = client.told("joined")
    roster = {entry.player: entry for entry in client.told("roster").entries}
    lib.expect("the roster's car", roster[joined.player].car, joined.car)
    said = race(client, joined.car, line)
    lib.expect("told that it goes", any(event.kind == wire.EVENT_LIGHTS and event.value == 0
                                        for event in client.events), True)
    client.say(leave=wire.Leave())
    lib.expect("goodbye", wire.Reason.Name(client.told("goodbye").reason), "REASON_NONE")
    client.until_peer_is(enet.PEER_STATE_DISCONNECTED)
    server.quit()
    print(said)


main()
