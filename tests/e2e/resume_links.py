#!/usr/bin/python3
"""One driver and two kinds of link: his client goes away by ENet and comes back by WebSocket with his
token, and the other way round. He has his car, his place and his laps each time. Written from
proto/PROTOCOL.md; Debian puts ENet and protobuf where the system's own Python finds them."""

import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import lib
import lib_web

try:
    import enet
    subprocess.run(["protoc", f"--proto_path={lib.SOURCES / 'proto'}",
                    f"--python_out={lib.folder}", "wire.proto"], check=True)
    sys.path.insert(0, str(lib.folder))
    import wire_pb2 as wire
except (ImportError, FileNotFoundError) as missing:
    print(f"SKIPPED: {missing}; tests/run installs python3-enet, python3-protobuf and protoc")
    sys.exit(lib.SKIPPED)

NAME, SPEED, AHEAD_TICKS, SAMPLES, AUTOMATIC = "two links", 4, 20, 8, 126


class ByEnet:
    def __init__(self, server):
        self.host = enet.Host(None, 1, 2)
        self.peer = self.host.connect(enet.Address(b"127.0.0.1", server.port), 2, 0)
        lib.wait_until("a link by ENet", lambda: any(
            event.type == enet.EVENT_TYPE_CONNECT for event in self.events()), 5)

    def events(self):
        while (event := self.host.service(5)) and event.type != enet.EVENT_TYPE_NONE:
            yield event

    def send(self, content, channel):
        flag = enet.PACKET_FLAG_UNSEQUENCED if channel else enet.PACKET_FLAG_RELIABLE
        self.peer.send(channel, enet.Packet(content, flag))
        self.host.flush()

    def received(self):
        return [event.packet.data for event in self.events()
                if event.type == enet.EVENT_TYPE_RECEIVE]

    def vanish(self):
        """Not a word to the server, which hears of it by silence."""
        self.peer.reset()


class ByWeb:
    def __init__(self, server):
        self.socket = lib_web.WebSocket(server.web, "/race/1")
        lib.expect("a link by WebSocket", self.socket.status, 101)
        self.socket.socket.settimeout(0.005)
        self.buffer = self.socket.buffer

    def send(self, content, _channel):
        self.socket.send(content)

    def received(self):
        try:
            self.buffer += self.socket.socket.recv(65536)
        except TimeoutError:
            pass
        frames = iter(self.take_frame, None)
        return [content for opcode, content in frames if opcode == lib_web.BINARY]

    def take_frame(self):
        """(opcode, content), or None until the next one is whole."""
        at, length = 2, self.buffer[1] & 127 if len(self.buffer) > 1 else 0
        if length == 126:
            at, length = 4, int.from_bytes(self.buffer[2:4], "big")
        elif length == 127:
            at, length = 10, int.from_bytes(self.buffer[2:10], "big")
        if len(self.buffer) < at + length:
            return None
        frame = self.buffer[0] & 15, self.buffer[at:at + length]
        self.buffer = self.buffer[at + length:]
        return frame

    def vanish(self):
        """The connection ends without a close frame."""
        self.socket.close()


class Client:
    def __init__(self, link, token=b""):
        self.link, self.newest, self.stamp, self.secret = link, {}, 0, 0
        self.say(hello=wire.Hello(protocol_version=3, client="resume_links", resume_token=token))
        self.welcome = self.told("welcome")
        self.secret = self.welcome.secret

    def say(self, channel=0, **body):
        self.link.send(wire.ClientMessage(secret=self.secret, **body).SerializeToString(), channel)

    def hear(self):
        for content in self.link.received():
            message = wire.ServerMessage.FromString(content)
            kind = message.WhichOneof("body")
            self.newest[kind] = getattr(message, kind)

    def told(self, kind):
        return lib.wait_until(kind, lambda: (self.hear(), self.newest.get(kind))[1], 10)

    def drive(self, seconds):
        """Keeps the brake down: a car that stands still is nobody else's doing."""
        until = time.monotonic() + seconds
        sample = wire.ControlSample(brake=255, gear=AUTOMATIC)
        while time.monotonic() < until:
            self.hear()
            snapshot = self.newest.pop("snapshot", None)
            if snapshot is not None:
                self.say(1, controls=wire.Controls(
                    first_tick=snapshot.tick + AHEAD_TICKS, samples=[sample] * SAMPLES))


def line_of(server):
    race = lib_web.get_json(server.web, "/api/races/1")
    return next(line for line in race["order"] if line["name"] == NAME)


def place_of(line):
    return line["player"], line["laps"], line["position"], line["state"]


def laps_on(server, laps):
    """Waits while the server drives."""
    return lib.wait_until(f"{laps} laps by the server",
                          lambda: line_of(server)["laps"] >= laps and line_of(server), 60)


def comes_back(server, before, joined, link):
    """@return his client by the new link, after it has driven."""
    was = line_of(server)
    client = Client(link, before.welcome.resume_token)
    again = client.told("joined")
    lib.expect("player, car and how", (again.player, again.car, again.resumed),
               (joined.player, joined.car, True))
    if client.welcome.resume_token == before.welcome.resume_token:
        lib.fail("a token is good once: the Welcome has to bring another")
    client.drive(1.0)
    line = line_of(server)
    lib.expect("who drives", line["driven_by_server"], False)
    lib.expect("player, laps, place and state", place_of(line), place_of(was))
    return client


def takes_over_an_open_link(server, before, joined):
    """The server still believes in the first link, which is told why it ends."""
    client = comes_back(server, before, joined, ByEnet(server))
    goodbye = before.told("goodbye")
    lib.expect("why the first link ends", wire.Reason.Name(goodbye.reason), "REASON_RESUMED")
    return client


def main():
    server = lib.Server("--speed", SPEED, "--web", "127.0.0.1:0", "--bots", 1)
    server.web = int(server.wait_said(r"page: http://127\.0\.0\.1:(\d+)")[1])
    first = Client(ByEnet(server))
    first.say(join=wire.Join(name=NAME))
    joined = first.told("joined")
    server.wait_said(r"race 1: race$", 30)
    first.drive(1.0)
    first.link.vanish()
    server.wait_said(f"{NAME} lost the connection", 15)
    laps_on(server, 1)

    second = comes_back(server, first, joined, ByWeb(server))
    second.link.vanish()
    lib.wait_until("the second loss", lambda: len(
        re.findall(f"{NAME} lost the connection", server.said())) == 2, 15)
    laps_on(server, 2)

    third = comes_back(server, second, joined, ByEnet(server))
    third.link.vanish()  # and this time the server has not noticed
    fourth = comes_back(server, third, joined, ByWeb(server))
    fifth = takes_over_an_open_link(server, fourth, joined)
    counters = server.counters()
    lib.expect("resumed", counters["sessions-resumed"], 4)
    lib.expect("wrong tokens", counters.get("refused-token", 0), 0)
    fifth.say(leave=wire.Leave())
    fifth.told("goodbye")
    line = line_of(server)
    print(f"{NAME}: {line['laps']} laps by five links")
    server.quit()


main()
