#!/usr/bin/python3
# labels: asan
"""Tests of the answers to clients that ask for what they can't have, and that nobody else feels it.

The clients are stock ENet and protobuf from another language: proof too that nothing but PROTOCOL.md
is needed to join. The system's own Python is named above, since that is where Debian puts both."""

import json
import subprocess
import sys
import time

sys.dont_write_bytecode = True

import lib

try:
    import enet
    import google.protobuf  # pylint: disable=unused-import
except ImportError as missing:
    print(f"SKIPPED: {missing}; tests/run installs python3-enet and python3-protobuf")
    sys.exit(lib.SKIPPED)

try:
    subprocess.run(["protoc", f"--proto_path={lib.SOURCES / 'proto'}",
                    f"--python_out={lib.folder}", "wire.proto"], check=True)
except FileNotFoundError:
    print("SKIPPED: protoc is missing; tests/run installs protobuf-compiler")
    sys.exit(lib.SKIPPED)
sys.path.insert(0, str(lib.folder))
import wire_pb2 as wire  # noqa: E402  pylint: disable=import-error,wrong-import-position

RELIABLE, STATE = 0, 1
PASSWORD = "sesame"


class Guest:
    """A stock ENet client that keeps every message it is sent."""

    secret = 0  # until a Welcome tells one

    def __init__(self, port):
        self.host = enet.Host(None, 1, 2)
        self.peer = self.host.connect(enet.Address(b"127.0.0.1", port), 2, 0)
        self.inbox = []
        self.gone = False
        self.until("an answer to connect", lambda: self.peer.state == enet.PEER_STATE_CONNECTED)

    def service(self):
        event = self.host.service(10)
        while event is not None and event.type != enet.EVENT_TYPE_NONE:
            if event.type == enet.EVENT_TYPE_RECEIVE:
                message = wire.ServerMessage()
                message.ParseFromString(event.packet.data)
                self.inbox.append(message)
            elif event.type == enet.EVENT_TYPE_DISCONNECT:
                self.gone = True
            event = self.host.service(0)

    def until(self, what, true, seconds=8):
        end = time.monotonic() + seconds
        while True:
            self.service()
            got = true()
            if got:
                return got
            if time.monotonic() > end:
                said = [message.WhichOneof("body") for message in self.inbox]
                lib.fail(f"{what}: not within {seconds} s; had {said[-20:]}")

    def send_bytes(self, content, channel=RELIABLE):
        flag = enet.PACKET_FLAG_RELIABLE if channel == RELIABLE else enet.PACKET_FLAG_UNSEQUENCED
        self.peer.send(channel, enet.Packet(content, flag))
        self.host.flush()

    def send(self, channel=RELIABLE, **body):
        message = wire.ClientMessage(secret=self.secret, **body)
        self.send_bytes(message.SerializeToString(), channel)

    def send_garbage(self, content):
        """With the secret behind it, which shows whose it is."""
        self.send_bytes(content + wire.ClientMessage(secret=self.secret).SerializeToString())

    def receive(self, kind):
        """The next message of a kind that has not been taken yet."""
        def take():
            for index, message in enumerate(self.inbox):
                if message.WhichOneof("body") == kind:
                    del self.inbox[index]
                    return getattr(message, kind)
            return None
        return self.until(kind, take)

    def refused(self, reason, part, closing=False):
        reject = self.receive("reject")
        lib.expect("the reason", wire.Reason.Name(reject.reason), f"REASON_{reason}")
        lib.expect(f"{reason}: closing", reject.closing, closing)
        if part not in reject.text:
            lib.fail(f"{reason}: '{reject.text}' does not say '{part}'")
        if closing:
            self.until("the end of the link", lambda: self.gone)

    def hello(self, version=3):
        self.send(hello=wire.Hello(protocol_version=version, client="e2e"))

    def welcomed(self):
        self.hello()
        welcome = self.receive("welcome")
        self.secret = welcome.secret
        return welcome

    def join(self, name="guest", car="", password=PASSWORD):
        self.send(join=wire.Join(name=name, car=car, password=password))

    def joined(self, name="guest"):
        self.welcomed()
        self.join(name)
        return self.receive("joined")

    def time(self):
        self.send(STATE, time_request=wire.TimeRequest(client_us=77))
        return self.receive("time_reply").client_us == 77

    def leave(self):
        """Its link is gone afterwards, and so is its place if it is no player."""
        self.peer.disconnect()
        self.until("the end of the link", lambda: self.gone)

    def leave_race(self):
        self.send(leave=wire.Leave())
        self.until("the end of the link", lambda: self.gone)


def server_of(name, *arguments):
    server = lib.Server("--password", PASSWORD, *arguments, name=name)
    honest = lib.Bots(server, "--name", "honest", "--password", PASSWORD, name=f"{name}-bot")
    server.wait_said("race 1: race$")
    return server, honest


def still_drives(server, honest):
    """The honest bot: it is there, its controls arrive, nobody has refused it anything."""
    def on_their_tick():
        answer = server.ask("status", r"^controls: (\d+) on their tick")
        return int(answer.split()[1])

    def half_a_second():
        before = on_their_tick()
        time.sleep(0.5)
        return on_their_tick() >= before + 15
    # Within seconds, since a machine may be busy elsewhere for one of them.
    lib.wait_until("half a second in which the honest bot drives", half_a_second, 10)
    if not honest.is_running() or '"lost"' in honest.said():
        lib.fail("the honest bot was disturbed")


def greetings(server):
    guest = Guest(server.port)
    guest.hello(version=99)
    guest.refused("VERSION", "99", closing=True)

    guest = Guest(server.port)
    guest.join()
    guest.refused("OUT_OF_ORDER", "")
    lib.expect("the protocol after it", guest.welcomed().protocol_version, 3)
    guest.hello()
    guest.refused("OUT_OF_ORDER", "")
    guest.leave()


def joins(server):
    guest = Guest(server.port)
    welcome = guest.welcomed()
    lib.expect("password needed", welcome.password_needed, True)
    lib.expect("definitions", sorted((d.kind, d.name) for d in welcome.defs),
               [(wire.DEF_CAR, "boxster-s"), (wire.DEF_TRACK, "oval")])
    guest.join(password="")
    guest.refused("PASSWORD", "password")
    guest.join(password="Sesame")
    guest.refused("PASSWORD", "password")
    guest.join(car="hovercraft")
    guest.refused("UNKNOWN_CAR", "hovercraft")
    guest.join(name="")
    guest.refused("BAD_NAME", "name")
    guest.join(name=" \u200b ")
    guest.refused("BAD_NAME", "")
    guest.send(spectate=wire.Spectate(password="nope"))
    guest.refused("PASSWORD", "password")
    guest.send(def_request=wire.DefRequest(hash=12345))
    guest.refused("UNKNOWN_DEF", "")
    # After all that the same client may still come in, once.
    guest.join(name="patient")
    joined = guest.receive("joined")
    lib.expect("the car", joined.car_def, "boxster-s")
    roster = guest.receive("roster")
    lib.expect("the roster", sorted(entry.name for entry in roster.entries),
               ["honest", "patient"])
    guest.join(name="again")
    guest.refused("ALREADY_JOINED", "")
    guest.receive("snapshot")
    server.ask("status", r"patient +boxster-s")
    guest.leave_race()
    server.wait_said("patient left")


def wrong_names(server):
    for name in ("bell\x07", "line\nbreak", "delete\x7f", "turn\u202earound", "x" * 32):
        guest = Guest(server.port)
        guest.welcomed()
        guest.join(name=name)
        guest.refused("BAD_MESSAGE", "name")
        guest.leave()


def controls(server):
    guest = Guest(server.port)
    guest.joined("clumsy")
    tick = guest.receive("snapshot").tick
    for wrong, part in (({"steer": 40000}, "steer"), ({"throttle": 256}, "throttle"),
                        ({"gear": 11}, "gear"), ({"aids_off": 64}, "aids")):
        sample = wire.ControlSample(**wrong)
        guest.send(STATE, controls=wire.Controls(first_tick=tick, samples=[sample]))
        guest.refused("BAD_MESSAGE", part)
    guest.send(STATE, controls=wire.Controls(first_tick=tick,
                                             samples=[wire.ControlSample()] * 17))
    guest.refused("BAD_MESSAGE", "")
    # Good ones still count: the car moves off.
    guest.inbox.clear()
    tick = guest.receive("snapshot").tick
    sample = wire.ControlSample(throttle=255, gear=126)
    guest.send(STATE, controls=wire.Controls(first_tick=tick + 5, samples=[sample] * 8))
    lib.wait_until("controls in time", lambda: newest(guest).controls_tick >= tick + 5, 5)
    guest.leave_race()
    server.wait_said("clumsy left")


def newest(guest):
    guest.inbox.clear()
    return guest.receive("snapshot")


def wrong_channels(server):
    guest = Guest(server.port)
    guest.welcomed()
    guest.send(STATE, join=wire.Join(name="guest", password=PASSWORD))
    guest.refused("BAD_MESSAGE", "channel")
    guest.send_bytes(b"\xff\xff\xff\xff")
    guest.refused("BAD_MESSAGE", "")
    guest.send_bytes(b"")
    guest.refused("BAD_MESSAGE", "")
    guest.leave()

    # Twenty are too many.
    guest = Guest(server.port)
    guest.welcomed()
    for _ in range(20):
        guest.send_garbage(b"\xff")
        guest.service()
    guest.until("the end of the link", lambda: guest.gone)

    # But not of those that may be another's.
    guest = Guest(server.port)
    guest.welcomed()
    for _ in range(40):
        guest.send_bytes(b"\xff")
        guest.service()
    lib.expect("no end of the link", (guest.gone, guest.time()), (False, True))
    guest.leave()


def without_secret(server):
    """What anybody may have sent is dropped without a word, and the guest goes on."""
    guest = Guest(server.port)
    guest.joined("plain")
    before = server.counters().get("refused-secret", 0)
    tick = guest.receive("snapshot").tick
    for secret in (0, 1, guest.secret ^ 1, guest.secret << 8 & 0xFFFFFFFFFFFFFFFF):
        for channel, body in ((RELIABLE, {"leave": wire.Leave()}),
                              (STATE, {"time_request": wire.TimeRequest(client_us=5)}),
                              (STATE, {"controls": wire.Controls(
                                  first_tick=tick + 500, samples=[wire.ControlSample()])})):
            message = wire.ClientMessage(secret=secret, **body)
            guest.send_bytes(message.SerializeToString(), channel)
    lib.wait_until("12 refused",
                   lambda: server.counters().get("refused-secret", 0) == before + 12, 5)
    lib.expect("an answer with the secret", guest.time(), True)
    told = {message.WhichOneof("body") for message in guest.inbox}
    lib.expect("a word about it", told & {"reject", "goodbye", "time_reply"}, set())
    # A disconnect is no leave: the place is kept.
    guest.leave()
    server.wait_said("plain lost the connection")
    server.ask("kick plain", "plain is out")


def flood(server):
    guest = Guest(server.port)
    guest.joined("flood")
    tick = guest.receive("snapshot").tick
    samples = [wire.ControlSample()] * 8
    for _ in range(1200):
        guest.send(STATE, controls=wire.Controls(first_tick=tick, samples=samples))
    guest.until("the end of the link", lambda: guest.gone)
    told = [m.reject for m in guest.inbox if m.HasField("reject")]
    lib.expect("reasons", {wire.Reason.Name(reject.reason) for reject in told}, {"REASON_RATE"})
    # Refused messages are not answered one for one.
    lib.expect("how often", 2 <= len(told) <= 12, True)
    lib.expect("only the last one closes", [reject.closing for reject in told],
               [False] * (len(told) - 1) + [True])


def fragments(server):
    guest = Guest(server.port)
    guest.welcomed()
    # ENet cuts this into reliable fragments, which the server lets nobody send; but anybody may
    # have sent them, so that they end nothing.
    guest.send_bytes(b"\x0a" + b"x" * 5000)
    guest.until("a fragment refused", lambda: server.counters().get("refused-fragment", 0) > 0)
    lib.expect("no end of the link", (guest.gone, guest.time()), (False, True))
    guest.peer.reset()


def full_server():
    server, honest = server_of("full", "--clients", 2)
    second = Guest(server.port)
    second.welcomed()
    third = Guest(server.port)
    third.hello()
    third.refused("SERVER_FULL", "full", closing=True)
    second.leave()
    lib.wait_until("a place", lambda: server.ask("status", r"\d+ clients").startswith("1 "), 5)
    fourth = Guest(server.port)
    fourth.welcomed()
    fourth.leave()
    still_drives(server, honest)
    lib.expect("refused as full", server.counters().get("refused-full"), 1)
    server.quit()


def address_limit():
    server, honest = server_of("address", "--clients-per-address", 2)
    second = Guest(server.port)
    second.welcomed()
    third = Guest.__new__(Guest)
    third.inbox, third.gone = [], False
    third.host = enet.Host(None, 1, 2)
    third.peer = third.host.connect(enet.Address(b"127.0.0.1", server.port), 2, 0)
    third.until("a link or none", lambda: third.peer.state == enet.PEER_STATE_CONNECTED or
                server.counters().get("refused-address"), 8)
    if third.peer.state == enet.PEER_STATE_CONNECTED:
        third.hello()
        third.refused("ADDRESS_LIMIT", "address", closing=True)
    still_drives(server, honest)
    server.quit()


def main():
    server, honest = server_of("server")
    for test in (greetings, joins, wrong_names, controls, wrong_channels, without_secret, flood,
                 fragments):
        began = time.monotonic()
        test(server)
        still_drives(server, honest)
        print(f"{test.__name__}: {time.monotonic() - began:.1f} s")
    counters = server.counters()
    print(json.dumps(counters))
    for name in ("refused-version", "refused-password", "refused-name", "refused-order",
                 "refused-message", "refused-channel", "refused-rate", "refused-fragment"):
        if counters.get(name, 0) < 1:
            lib.fail(f"{name} was not counted")
    lib.expect("refused-version", counters["refused-version"], 1)
    lib.expect("refused-password", counters["refused-password"], 3)
    server.quit()
    full_server()
    address_limit()


main()
