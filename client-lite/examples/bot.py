#!/usr/bin/python3
"""A bot for Apex: joins a race, reads the track, and drives laps of it until the event is over.

It is "Your first bot" of proto/PROTOCOL.md as a program: what any bot needs. How it drives is in
line.py beside it, to be changed. Debian's python3-enet, python3-protobuf and protobuf-compiler are
all it takes; client-lite/BOTS.md says how to begin.
"""

import argparse
import signal
import sys
import time

import enet

sys.dont_write_bytecode = True
import line
from messages import defs, wire

AHEAD_MAX, PACKET_MAX, REPEATS, SILENT_S = 62, 16, 8, 0.02
TOLD = {wire.EVENT_LAP: "lap", wire.EVENT_FINISHED: "finished in place"}


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
        body = getattr(message, name) if name else None
        if name in ("reject", "goodbye"):
            print(body.text)
            sys.exit(0 if body.reason in (wire.REASON_NONE, wire.REASON_EVENT_OVER) else 1)
        return name, body

    def news(self):
        """All that has come, or comes within a moment."""
        name, message = self.hear()
        while name:
            yield name, message
            name, message = self.hear(0)

    def ask(self, answer, **body):
        self.say(**body)
        while (heard := self.hear(100))[0] != answer:
            pass
        return heard[1]


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
            self.link.say(1, controls={"first_tick": self.newest + 1 - len(said), "samples": said})


def drive(link, joined, hands, driver):
    """Acts on what comes, until the link ends."""
    sample = None
    while True:
        snapshot, own = None, None
        for name, message in link.news():
            if name == "snapshot" and message.tick > (snapshot or hands).tick:
                found = next((car for car in message.cars if car.id == joined.car), None)
                snapshot, own = (message, found) if found else (snapshot, own)
            elif name == "race_event" and message.player == joined.player and message.kind in TOLD:
                time_s = message.time_us // 1000 / 1000  # cut, not rounded, as times are
                print(f"{TOLD[message.kind]} {message.value}: {time_s:.3f} s", flush=True)
            elif name == "joined" and not message.player:
                sys.exit("the car is gone: this link only watches now")
        if own:
            hands.heard(snapshot)
            sample = wire.ControlSample(**driver.decide(own, snapshot))
        if sample:
            hands.act(sample)


def enter(link):
    """Says hello and reads the track: what the server says of the race, and a driver for it."""
    welcome = link.ask("welcome", hello=wire.Hello(protocol_version=3, client="bot.py"))
    link.secret = welcome.secret  # shows that what comes from this address is ours
    track = next(each for each in welcome.defs if each.kind == wire.DEF_TRACK)
    answer = link.ask("def", def_request=wire.DefRequest(hash=track.hash))
    followed = line.Line(track.name, defs.TrackDef.FromString(answer.content))
    return welcome, line.Driver(followed, welcome.tick_hz, wire.PHASE_RACE)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("host", nargs="?", default="127.0.0.1")
    parser.add_argument("port", nargs="?", type=int, default=26000)
    parser.add_argument("--name", default="bot.py")
    parser.add_argument("--password", default="")
    parser.add_argument("--car", default="", help="one of those the server offers; else its first")
    wish = parser.parse_args()
    link = Link(wish.host, wish.port)
    welcome, driver = enter(link)
    joined = link.ask("joined", join=wire.Join(name=wish.name, car=wish.car,
                                               password=wish.password))
    print(f"{wish.name} drives {joined.car_def} on {driver.line.name}", flush=True)
    drive(link, joined, Hands(link, welcome), driver)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # to be interrupted is no error
    main()
