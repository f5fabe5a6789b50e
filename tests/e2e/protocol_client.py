#!/usr/bin/python3
"""A client written from proto/PROTOCOL.md alone, in another language: it joins, keeps the server's
time, follows the centre line for a lap, reads its result, and leaves. Debian puts ENet and protobuf
where the system's own Python finds them, so that is named above."""

import math
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import lib

try:
    import enet
    subprocess.run(["protoc", f"--proto_path={lib.SOURCES / 'proto'}",
                    f"--python_out={lib.folder}", "wire.proto", "defs.proto"], check=True)
    sys.path.insert(0, str(lib.folder))
    import defs_pb2 as defs
    import wire_pb2 as wire
except (ImportError, FileNotFoundError) as missing:
    print(f"SKIPPED: {missing}; tests/run installs python3-enet, python3-protobuf and protoc")
    sys.exit(lib.SKIPPED)

NAME, TRACK, SPEED_MAX_MPS = "from the book", "car-park-lap", 20
# A packet for each snapshot, and some ticks against jitter: at twice the speed they are short.
SPEED, LEAD_TICKS, DEPTH_TICKS, REPEATS, AUTOMATIC, LEFT_LOCK = 2, 3 + 4, 4, 8, 126, 32767


class Client:
    """What it has been told last: events of ENet, messages, events of the race."""

    def __init__(self, port):
        self.host = enet.Host(None, 1, 2)
        self.peer = self.host.connect(enet.Address(b"127.0.0.1", port), 2, 0)
        self.newest, self.samples, self.newest_stamp = {}, [], 0
        self.tick_at_zero, self.round_trip_us_min, self.ticks_per_us = 0.0, math.inf, 0.0

    def say(self, channel=0, **body):
        flag = enet.PACKET_FLAG_UNSEQUENCED if channel else enet.PACKET_FLAG_RELIABLE
        self.peer.send(channel, enet.Packet(wire.ClientMessage(**body).SerializeToString(), flag))
        self.host.flush()

    def hear(self):
        while (event := self.host.service(5)) and event.type != enet.EVENT_TYPE_NONE:
            kind = event.type
            if kind == enet.EVENT_TYPE_RECEIVE:
                message = wire.ServerMessage.FromString(event.packet.data)
                kind = message.WhichOneof("body")
                event = getattr(message, kind)
                if kind == "race_event":
                    kind = kind, event.kind
            self.newest[kind] = event

    def told(self, kind):
        return lib.wait_until(kind, lambda: (self.hear(), self.newest.get(kind))[1], 10)

    def ask_time(self):
        """Section 4; the answer with the shortest round trip is the best."""
        self.newest.pop("time_reply", None)
        self.say(1, time_request=wire.TimeRequest(client_us=int(1e6 * time.monotonic())))
        reply = self.told("time_reply")
        now_us = int(1e6 * time.monotonic())
        round_trip_us = now_us - reply.client_us
        if round_trip_us <= self.round_trip_us_min:
            self.round_trip_us_min = round_trip_us
            tick = reply.tick + (reply.into_tick_us + round_trip_us / 2) * self.ticks_per_us
            self.tick_at_zero = tick - now_us * self.ticks_per_us

    def drive(self, sample):
        """Section 5: a sample for each tick, stamped with when it will be there, and repeats."""
        there_us = 1e6 * time.monotonic() + self.round_trip_us_min / 2
        stamp = int(self.tick_at_zero + there_us * self.ticks_per_us) + LEAD_TICKS
        if stamp > self.newest_stamp:
            new = [sample] * min(stamp - self.newest_stamp, REPEATS)
            self.samples, self.newest_stamp = (self.samples + new)[-REPEATS:], stamp
            self.say(1, controls=wire.Controls(first_tick=stamp + 1 - REPEATS,
                                               samples=self.samples))


def centre_line(client, welcome):
    name = next(d for d in welcome.defs if d.kind == wire.DEF_TRACK)
    client.say(def_request=wire.DefRequest(hash=name.hash))
    track = client.told("def")
    lib.expect("hash and length", (track.hash, len(track.content)), (name.hash, name.length))
    points = defs.TrackDef.FromString(track.content).points
    return list(zip(points.x_m, points.y_m))


def sample_for(line, car):
    """Towards a point of the line some way ahead; slowly, where one further on lies aside."""
    place, speed_mps = (car.x_mm / 1e3, car.y_mm / 1e3), math.hypot(car.vx_cmps, car.vy_cmps) / 1e2
    nearest = min(range(len(line)), key=lambda i: math.dist(line[i], place))

    def bearing_rad(points):  # they are about 4 m apart
        x_m, y_m = line[(nearest + points) % len(line)]
        bearing = math.atan2(y_m - place[1], x_m - place[0])
        return math.remainder(bearing - car.yaw * math.pi / 32768, 2 * math.pi)

    excess_mps = speed_mps - (SPEED_MAX_MPS if abs(bearing_rad(7)) < 0.12 else 9)
    steer = int(LEFT_LOCK * max(-1, min(1, 2 * bearing_rad(3))))
    return wire.ControlSample(steer=steer, throttle=200 * (excess_mps < 0),
                              brake=150 * (excess_mps > 2), gear=AUTOMATIC)


def race(client, own_id, line):
    """Drives until there are results: the first line of them, and how far ahead controls came."""
    depths, until = [], time.monotonic() + 120
    while "results" not in client.newest and time.monotonic() < until:
        client.hear()
        snapshot = client.newest.pop("snapshot", wire.Snapshot())
        for car in (car for car in snapshot.cars if car.id == own_id):
            client.drive(sample_for(line, car))
            # A server that was held up drops ticks: what it says of the depth mends the clock.
            client.tick_at_zero += (DEPTH_TICKS - snapshot.controls_depth) / 10
            depths.append(snapshot.controls_depth)
    return client.told("results").lines[0], sorted(depths)[len(depths) // 2]


def main():
    server = lib.Server("--track", TRACK, "--laps", 1, "--speed", SPEED)
    client = Client(server.port)
    client.told(enet.EVENT_TYPE_CONNECT)
    client.say(hello=wire.Hello(protocol_version=2, client="protocol_client"))
    welcome = client.told("welcome")
    client.ticks_per_us = welcome.tick_hz * welcome.speed_permille / 1e9
    line = centre_line(client, welcome)
    for _ in range(5):
        client.ask_time()
    client.say(join=wire.Join(name=NAME))
    joined = client.told("joined")
    result, depth = race(client, joined.car, line)
    least_us = sum(map(math.dist, line, line[1:])) / SPEED_MAX_MPS * 1e6
    lib.expect("result", (result.player, result.name, result.state, result.position, result.laps),
               (joined.player, NAME, wire.STANDING_FINISHED, 1, 1))
    lap = client.newest["race_event", wire.EVENT_LAP]
    lib.expect("lap", (lap.player, lap.value, lap.time_us), (joined.player, 1, result.best_lap_us))
    if not least_us < result.best_lap_us <= result.total_us < 3 * least_us or not 1 <= depth <= 8:
        lib.fail(f"controls {depth} ticks ahead, at least {least_us:.0f} us a lap: {result}")
    client.say(leave=wire.Leave())
    lib.expect("goodbye", wire.Reason.Name(client.told("goodbye").reason), "REASON_NONE")
    client.told(enet.EVENT_TYPE_DISCONNECT)
    server.quit()
    print(f"a lap of {TRACK} in {result.best_lap_us / 1e6:.3f} s, controls {depth} ticks ahead")


main()
