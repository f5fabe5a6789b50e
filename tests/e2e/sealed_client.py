#!/usr/bin/python3
"""The bot of first_bot.py behind a seal that is written from section 10 of PROTOCOL.md alone: a
relay in this script agrees on keys with the server, seals what the bot's ENet sends, and opens what
comes."""

import contextlib
import hashlib
import json
import pathlib
import re
import select
import socket
import sys
import threading
import time

sys.dont_write_bytecode = True
import lib

try:
    import enet  # pylint: disable=unused-import
    import google.protobuf  # pylint: disable=unused-import
    from nacl import bindings as sodium
    from nacl.exceptions import CryptoError
    from nacl.hash import siphash24
    from nacl.encoding import RawEncoder
except ImportError as missing:
    print(f"SKIPPED: {missing}; tests/run installs python3-enet, python3-protobuf and python3-nacl")
    sys.exit(lib.SKIPPED)

TWICE = 50
BOT = lib.SOURCES / "client-lite" / "examples" / "bot.py"


# What a plain client needs in addition begins here,
def mix(data, key=b"", size=32):
    return hashlib.blake2b(data, key=key, digest_size=size).digest()


class Way:
    """One direction: its keys, each for 65,536 datagrams, and its mask."""

    def __init__(self, master, name):
        self.keys, self.mask, self.count = [mix(name, master)], mix(name + b", mask", master, 16), 0

    def at(self, counter):
        while len(self.keys) <= counter >> 16:
            self.keys.append(mix(b"next", self.keys[-1]))
        return bytes(4) + counter.to_bytes(8, "little"), self.keys[counter >> 16]

    def masked(self, low, tag):
        return low ^ int.from_bytes(siphash24(tag, self.mask, RawEncoder)[:4], "little")


class Seal:
    def __init__(self, server, pinned):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.connect(server)
        e, secret = sodium.crypto_box_keypair()
        answer = self.ask(b"\xC1\x01" + e + bytes(30), b"\xC2\x01", 58)
        S = answer[2:34]
        assert S == pinned and answer[50:] == e[:8], "another server"
        answer = self.ask(b"\xC3\x01" + answer[34:50] + e + bytes(14), b"\xC4\x01", 54)
        self.number, E, proof = answer[2:6], answer[6:38], answer[38:]
        shared = b"".join(sodium.crypto_scalarmult(secret, public) for public in (S, E))
        master = mix(b"apex seal 1" + shared + S + e + E + self.number)
        assert proof == mix(b"proof", master, 16), "somebody else"
        self.up, self.down = Way(master, b"client to server"), Way(master, b"server to client")

    def ask(self, question, kind, size):
        for wait_s in (0.2, 0.4, 0.8, 1.6, 2):
            self.socket.send(question)
            came = select.select([self.socket], [], [], wait_s)[0]
            answer = self.socket.recv(2048) if came else b""
            if len(answer) == size and answer.startswith(kind):
                return answer
        raise TimeoutError("no answer")

    def sealed(self, plain):
        counter, self.up.count = self.up.count, self.up.count + 1
        head, where = b"\xC5" + self.number, self.up.at(counter)
        body = sodium.crypto_aead_chacha20poly1305_ietf_encrypt(plain, head, *where)
        return head + self.up.masked(counter % 2**32, body[-16:]).to_bytes(4, "little") + body

    def opened(self, datagram):
        head, masked, body = datagram[:5], int.from_bytes(datagram[5:9], "little"), datagram[9:]
        ahead = (self.down.masked(masked, body[-16:]) - self.down.count + 2**31) % 2**32 - 2**31
        plain = sodium.crypto_aead_chacha20poly1305_ietf_decrypt(
            body, head, *self.down.at(max(0, self.down.count + ahead)))
        self.down.count += max(0, ahead)
        return plain


class Relay(threading.Thread):
    """Between plain ENet, which finds it at a port of its own, and the server."""

    def __init__(self, seal):
        super().__init__(daemon=True)
        self.seal, self.plain = seal, socket.socket(type=socket.SOCK_DGRAM)
        self.plain.bind(("127.0.0.1", 0))

    def run(self):
        while True:
            for ready in select.select([self.plain, self.seal.socket], [], [])[0]:
                datagram, sender = ready.recvfrom(2048)
                with contextlib.suppress(CryptoError):
                    if ready is self.seal.socket:
                        self.plain.sendto(self.seal.opened(datagram), bot)
                    else:
                        bot, _ = sender, self.seal.socket.send(self.seal.sealed(datagram))
# and ends here.


class Troublemaker(Seal):
    """Sends things once more than it should, and with a bit changed, while it is told to."""

    again = 0

    def sealed(self, plain):
        datagram = super().sealed(plain)
        if self.again > 0:
            self.again -= 1
            self.socket.send(datagram)
            self.socket.send(datagram[:-1] + bytes([datagram[-1] ^ 1]))
        return datagram


def lines_of_seal():
    text = pathlib.Path(__file__).read_text(encoding="utf-8")
    part = text[text.index("# What a plain client"):text.index("# and ends here")]
    return [line for line in part.splitlines() if re.match(r"\s*[^\s#\"]", line)]


def main():
    results = lib.folder / "results"
    server = lib.Server("--track", "oval", "--laps", 1, "--races", 1, "--speed", 2, "--plain",
                        "none", "--results", results)
    key = bytes.fromhex(server.wait_said(r"HOST:\d+#([0-9a-f]{64})")[1])
    address = ("127.0.0.1", server.port)

    lines = lines_of_seal()
    if len(lines) >= 60:
        lib.fail(f"the seal takes {len(lines)} lines, more than it should")

    # Without a seal nobody comes in here; a server with another key is found out.
    plain = lib.Program("plain", sys.executable, BOT, *address, "--name", "plain")
    try:
        Seal(address, bytes(32))
        lib.fail("a server with another key was believed")
    except AssertionError as error:
        lib.expect("of another key", str(error), "another server")
    lib.expect("the plain bot's exit code", plain.ended(30), 1)
    lib.expect("what it says", "no answer from" in plain.said(), True)

    # Its first datagrams lie before a change of key, and the race beyond it.
    seal = Troublemaker(address, key)
    seal.up.count = 65000
    relay = Relay(seal)
    relay.start()
    began_s = time.monotonic()
    bot = lib.Program("sealed", sys.executable, BOT, "127.0.0.1", relay.plain.getsockname()[1],
                      "--name", "sealed")
    bot.wait_said(r"^sealed drives boxster-s on oval$")
    seal.again = TWICE
    lib.wait_until("datagrams are said twice", lambda: seal.again == 0, 20)
    lib.wait_until("they are counted",
                   lambda: server.counters().get("refused-seal", 0) >= 2 * TWICE, 10)
    counters = server.counters()
    lib.expect("repeated and changed, refused", counters["refused-seal"], 2 * TWICE)
    lib.expect("plain ones were refused", counters["refused-plain"] > 0, True)
    bot.wait_said(r"^finished in place 1: ", 120)
    lib.expect("the bot's exit code", bot.ended(60), 0)
    lib.expect("the server's exit code", server.ended(30), 0)
    lib.expect("the relay runs", relay.is_alive(), True)
    lib.expect("keys of the way up", len(seal.up.keys) >= 2, True)
    if seal.down.count < 200:
        lib.fail(f"only {seal.down.count} datagrams came")
    lines = json.loads(next(results.glob("*.json")).read_text(encoding="utf-8"))["results"]
    lib.expect("who finished", [(line["name"], line["state"]) for line in lines],
               [("sealed", "finished")])
    lap_s = float(re.search(r"^lap 1: ([\d.]+) s$", bot.said(), re.MULTILINE)[1])
    if not 40 < lap_s < 62:
        lib.fail(f"a lap of {lap_s} s")
    print(f"a lap of {lap_s} s in {time.monotonic() - began_s:.1f} s, sealed from PROTOCOL.md: "
          f"{seal.up.count} datagrams up, {seal.down.count} down")


main()
