#!/usr/bin/env python3
# labels: asan
"""A hundred thousand datagrams that no honest client would send, against a server on which two
honest bots drive: garbage, damaged CONNECTs, floods of half-open connections, whole sessions with
damaged datagrams and damaged messages in them, fragments, giants. Nothing breaks, nobody is
disturbed, everything is counted. APEX_HOSTILE_SEED picks other bytes."""

import json
import os
import random
import re
import select
import socket
import struct
import sys
import threading
import time

sys.dont_write_bytecode = True

import lib

TOTAL = int(os.environ.get("APEX_HOSTILE_COUNT", "100000"))
SEED = int(os.environ.get("APEX_HOSTILE_SEED", "1"))
# A socket's queue holds some hundred small datagrams, and the server empties it once a tick.
BURST, PAUSE_S = 40, 0.005
SESSIONS = 12

rng = random.Random(SEED)


class Recorder(threading.Thread):
    """Passes datagrams between one client and the server on, and keeps those of the client."""

    def __init__(self, server_port):
        super().__init__(daemon=True)
        self.front = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.front.bind(("127.0.0.1", 0))
        self.back = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.back.connect(("127.0.0.1", server_port))
        self.port = self.front.getsockname()[1]
        self.recorded = []
        self.over = False

    def run(self):
        client = None
        while not self.over:
            for ready in select.select([self.front, self.back], [], [], 0.1)[0]:
                try:
                    if ready is self.front:
                        content, client = self.front.recvfrom(65536)
                        self.recorded.append(content)
                        self.back.send(content)
                    elif client is not None:
                        self.front.sendto(self.back.recv(65536), client)
                except ConnectionError:
                    pass


def messages_of(datagrams):
    """The payloads of the commands that carry some: (channel, bytes)."""
    sizes = {1: 8, 2: 48, 3: 44, 4: 8, 5: 4, 6: 6, 7: 8, 8: 24, 9: 8, 10: 12, 11: 16, 12: 24}
    found = []
    for datagram in datagrams:
        at = 4 if datagram[0] & 0x80 else 2
        while at + 4 <= len(datagram):
            number, channel = datagram[at] & 0x0F, datagram[at + 1]
            start = at + sizes.get(number, len(datagram))
            length = 0
            if number in (6, 9):
                length = struct.unpack_from(">H", datagram, start - 2)[0]
                found.append((channel, datagram[start:start + length]))
            at = start + length
    return found


def mutated(content):
    content = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 4))):
        what = rng.randrange(6)
        at = rng.randrange(len(content)) if content else 0
        if what == 0 and content:
            content[at] ^= 1 << rng.randrange(8)
        elif what == 1 and content:
            content[at] = rng.choice((0, 1, 0x7F, 0x80, 0xFF))
        elif what == 2:
            del content[at:]
        elif what == 3:
            content[at:at] = rng.randbytes(rng.randrange(1, 20))
        elif what == 4:
            content[at:at] = content[at:at + rng.randrange(64)]
        elif what == 5 and len(content) >= 2:
            struct.pack_into(">H", content, min(at, len(content) - 2),
                             rng.choice((0, 1, 0xFFFF, 0x7FFF, 0x8000, len(content))))
    return bytes(content[:4000])


def connect_datagram(data=0):
    return struct.pack(">HHBBHHBBIIIIIIIII", 0x8FFF, 0, 0x82, 0xFF, 1, rng.randrange(16), 0xFF,
                       0xFF, 1400, 65536, 2, 0, 0, 5000, 2, 2, rng.getrandbits(32)) + \
        struct.pack(">I", data)


class Attack:
    """Counts all that is sent and limits its rate."""

    def __init__(self, port):
        self.to = ("127.0.0.1", port)
        self.sent = {}
        self.total = 0
        # Each loopback address is an address of its own for the server's limits.
        self.strangers = [self.socket(f"127.0.1.{i + 1}") for i in range(8)]

    @staticmethod
    def socket(address):
        made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        made.bind((address, 0))
        made.setblocking(False)
        return made

    def send(self, kind, content, origin=None):
        origin = origin or rng.choice(self.strangers)
        try:
            origin.sendto(content, self.to)
        except BlockingIOError:
            return
        self.sent[kind] = self.sent.get(kind, 0) + 1
        self.total += 1
        if self.total % BURST == 0:
            time.sleep(PAUSE_S)

    def stranger(self, recorded):
        """One datagram of somebody who has no session."""
        what = rng.randrange(100)
        if what < 40:
            self.send("garbage", rng.randbytes(rng.randrange(1, 200)))
        elif what < 55:
            # The beginning of a command, cut anywhere.
            header = struct.pack(">HH", 0x8000 | rng.randrange(0x1000), 0)
            self.send("cut", header + rng.randbytes(rng.randrange(12)))
        elif what < 70:
            self.send("connect", mutated(connect_datagram()))
        elif what < 85:
            self.send("replayed", mutated(rng.choice(recorded)))
        elif what < 88:
            self.send("giant", rng.randbytes(rng.choice((1501, 2000, 4096))))
        elif what < 89:
            self.send("monster", bytes(rng.choice((4097, 9000, 30000))))
        elif what < 90:
            self.send("empty", b"")
        elif what < 95:
            word = struct.pack(">HH", 0xC000 | rng.randrange(64), 0)
            self.send("compressed", word + rng.randbytes(rng.randrange(1, 60)))
        else:
            fragment = struct.pack(">HHBBHHHIIII", 0x8000 | rng.randrange(64), 0, 0x88, 0, 1, 1, 4,
                                   1000000, 0, 1 << 30, 0)
            self.send("fragment", fragment + b"data")


class Session:
    """A link like a client's, by hand, for what a client would not do with it."""

    def __init__(self, attack, number):
        self.attack = attack
        self.socket = attack.socket(f"127.0.2.{number + 1}")
        self.peer = self.session = None
        self.reliable, self.group = [1, 1], 0
        self.attack.send("session", connect_datagram(), self.socket)

    def listen(self):
        """Takes VERIFY_CONNECT from what has come."""
        while True:
            try:
                content = self.socket.recv(65536)
            except BlockingIOError:
                return
            if len(content) >= 48 and content[4] & 0x0F == 3 and self.peer is None:
                self.peer = struct.unpack_from(">H", content, 8)[0]
                self.session = content[11]
                self.send("session", b"\x01\xff" + content[6:8] + content[6:8] + content[2:4])

    def header(self):
        return struct.pack(">HH", 0x8000 | self.session << 12 | self.peer, 0)

    def send(self, kind, commands):
        self.attack.send(kind, self.header() + commands, self.socket)

    def message(self, kind, channel, content):
        if channel == 0:
            command = struct.pack(">BBHH", 0x86, 0, self.reliable[0], len(content))
            self.reliable[0] += 1
        else:
            self.group += 1
            command = struct.pack(">BBHHH", 0x49, 1, 0, self.group, len(content))
        self.send(kind, command + content)

    def attack_once(self, messages, recorded):
        what = rng.randrange(100)
        if what < 60:
            channel, content = rng.choice(messages)
            self.message("message", channel, mutated(content)[:1200])
        elif what < 85:
            datagram = rng.choice(recorded)
            self.send("command", mutated(datagram[4 if datagram[0] & 0x80 else 2:]))
        elif what < 90:
            self.send("ahead", struct.pack(">BBHH", 0x86, 0, self.reliable[0] + 5000, 1) + b"x")
        elif what < 95:
            self.send("many", struct.pack(">BBH", 0x85, 0xFF, 1) * rng.randrange(33, 100))
        else:
            self.send("fragment", struct.pack(">BBHHHIIII", 0x4C, 1, 1, 1, 4, 3, 0, 1 << 20, 0) +
                      b"data")

    def end(self):
        if self.peer is not None:
            self.send("session", struct.pack(">BBHI", 0x44, 0xFF, 0xFFFF, 0))
        self.socket.close()


def one_round(attack, messages, recorded, first_words):
    sessions = [Session(attack, number) for number in range(SESSIONS)]
    for _ in range(700):
        attack.stranger(recorded)
        if attack.total % 50 == 0:
            for session in sessions:
                session.listen()
    alive = [session for session in sessions if session.peer is not None]
    for session in alive:
        # Some have said Hello and joined; so all states are tried.
        for channel, content in first_words[:rng.randrange(len(first_words) + 1)]:
            session.message("session", channel, content)
    for _ in range(rng.randrange(20, 60)):
        for session in alive:
            session.attack_once(messages, recorded)
    for session in sessions:
        session.end()
    return len(alive)


def record(server):
    recorder = Recorder(server.port)
    recorder.start()
    bot = lib.Bots(server, "--name", "recorded", "--seconds", 4, "--no-seal", name="recorded",
                   port=recorder.port)
    lib.expect("the recorded bot's exit code", bot.ended(30), 0)
    recorder.over = True
    recorder.join()
    return recorder.recorded


def crowd(attack):
    """More half-open connections than the server puts up with, and wrong answers to its cookies."""
    sockets = [attack.socket(f"127.0.3.{i % 8 + 1}") for i in range(200)]
    for half_open in sockets:
        attack.send("half open", connect_datagram(), half_open)
    time.sleep(0.3)
    for half_open in sockets:
        try:
            content = half_open.recv(65536)
        except BlockingIOError:
            continue
        if len(content) >= 48 and content[4] & 0x0F == 3:
            head = struct.pack(">HH", 0x8000 | content[11] << 12 | content[8] << 8 | content[9], 0)
            attack.send("proof", head + b"\x01\xff" + content[6:8] + content[6:8] +
                        bytes([content[2], content[3] ^ 1]), half_open)
    for half_open in sockets:
        half_open.close()


def main():
    # With a short grace: those who are lost come to be held, and are gone before it is counted.
    server = lib.Server("--clients", "100", "--tick-hz", "120", "--resume-grace", "1")
    honest = lib.Bots(server, "--name", "honest", "--count", 2, name="honest")
    server.wait_said("race 1: race$", 60)
    recorded = record(server)
    messages = messages_of(recorded)
    if len(recorded) < 50 or len(messages) < 50:
        lib.fail(f"only {len(recorded)} datagrams with {len(messages)} messages were recorded")
    first_words = [message for message in messages if message[0] == 0][:2]
    before = server.counters()

    attack = Attack(server.port)
    began = time.monotonic()
    rounds = alive = 0
    while attack.total < TOTAL:
        if not server.is_running():
            lib.fail(f"the server ended with {server.child.returncode} in round {rounds}")
        alive += one_round(attack, messages, recorded, first_words)
        rounds += 1
        if rounds % 10 == 3:
            crowd(attack)
    seconds = time.monotonic() - began
    # Half-open connections and ended sessions are gone after two seconds.
    time.sleep(2.5)
    after = server.counters()
    judge(server, honest, attack, {name: after[name] - before.get(name, 0) for name in after})
    print(f"seed {SEED}: {attack.total} datagrams in {seconds:.1f} s, {rounds} rounds, "
          f"{alive} of {rounds * SESSIONS} sessions came about")
    if alive < rounds * SESSIONS // 2:
        lib.fail("too few sessions came about to try what they may do")
    server.quit()


def drive_in_time(server):
    """Measures whether of a second's ticks at most every fourth is without its controls."""
    def controls():
        answer = server.ask("status", r"^controls: .*")
        return [int(number) for number in re.findall(r"\d+", answer.splitlines()[0])]
    first = controls()
    time.sleep(1)
    then = controls()
    used, missed = then[0] - first[0], then[1] - first[1]
    print(f"the honest bots' controls: {used} in time, {missed} missing")
    return used > 100 and used > 3 * missed


def judge(server, honest, attack, rose):
    print(json.dumps(attack.sent))
    print(json.dumps(rose))
    # The share that came in at all, or was dropped by the system because it could not be ours.
    came = rose["packets-in"] + rose.get("refused-by-system", 0)
    share = came / attack.total
    if share < 0.9:
        lib.fail(f"only {share:.0%} of what was sent came in: nothing was put to the test")
    for counter, kinds in (("refused-oversize", ("monster",)),
                           ("refused-by-system", ("compressed", "empty")),
                           ("refused-sequence", ()), ("refused-commands", ()),
                           ("refused-stranger", ("replayed",)), ("refused-fragment", ()),
                           ("refused-malformed", ()), ("refused-cookie", ()),
                           ("cookies-sent", ()), ("half-open-reset", ()),
                           ("refused-message", ()), ("refused-order", ())):
        wanted = max(1, sum(attack.sent[kind] for kind in kinds) // 2)
        if rose.get(counter, 0) < wanted:
            lib.fail(f"{counter} rose by {rose.get(counter, 0)}, not by {wanted} or more")
    refused = sum(count for name, count in rose.items() if name.startswith("refused-"))
    if refused < attack.total // 2:
        lib.fail(f"of {attack.total} datagrams only {refused} were refused")

    if not honest.is_running() or '"lost"' in honest.said():
        lib.fail("the honest bots were disturbed")

    # Within seconds, since a machine that is busy elsewhere keeps whole seconds of controls back.
    lib.wait_until("a second in which the honest bots' controls are in time",
                   lambda: drive_in_time(server), 10)
    answer = server.ask("status", r"^race \d+: .*clients$").splitlines()[0]
    if not answer.endswith("2 players, 2 clients"):
        lib.fail(f"others are still there: {answer}")


main()
