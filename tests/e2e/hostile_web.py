#!/usr/bin/env python3
# labels: asan
"""Tests of what no honest browser would do, against a server on which two honest bots drive: damaged
requests, frames and messages, giants, wrong origins and hosts, readers that do not read, crowds of
connections. Nothing breaks, nobody is disturbed, everything is counted.
APEX_HOSTILE_SEED picks other bytes."""

import os
import random
import socket
import sys
import time

sys.dont_write_bytecode = True

import lib
import lib_web as web

SEED = int(os.environ.get("APEX_HOSTILE_SEED", "1"))
CONNECTIONS = int(os.environ.get("APEX_HOSTILE_COUNT", "3000"))
DATAGRAM_BYTES_MAX = 1200
HELLO = b"\x0a\x02\x08\x03"  # Hello{protocol_version 3}
SPECTATE = b"\x1a\x00"
SUBSCRIBE_WHOLE = b"\x3a\x02\x08\x14"  # Subscribe{snapshot_hz 20}, whole snapshots

rng = random.Random(SEED)


def counter(port, name):
    text = web.get(port, "/metrics")[2]
    lines = [line for line in text.splitlines() if line.startswith(name + " ")]
    lib.expect(f"lines of {name}", len(lines), 1)
    return float(lines[0].split()[-1])


def refusals(port, reason):
    return counter(port, f'apex_refusals_total{{layer="web",reason="{reason}"}}')


def spoken_to(port, **changed):
    """A WebSocket of a race, and how it was answered."""
    return web.WebSocket(port, "/race/1", **changed)


def check_doors(port):
    """The requests that may come in at all."""
    lib.expect("an honest handshake", spoken_to(port).status, 101)
    lib.expect("from the page", spoken_to(port, Origin=f"http://127.0.0.1:{port}").status, 101)
    for what, status, changed in (
            ("another site's page", 403, {"Origin": "https://evil.example"}),
            ("a site named like us", 403, {"Origin": f"http://127.0.0.1.evil.example:{port}"}),
            ("another name for us", 421, {"Host": "evil.example"}),
            ("no subprotocol of ours", 400, {"Sec_WebSocket_Protocol": "chat"})):
        got = spoken_to(port, **changed).status
        lib.expect(what, got if got != 0 else status, status)
    lib.expect("a race that is none", web.WebSocket(port, "/race/7").status, 404)


def check_frames(port):
    """Messages that a link must not say, and the answers to them."""
    for what, codes, said in (
            ("text", (1003,), [web.frame(b"hello", web.TEXT)]),
            ("a giant", (1009,), [web.frame(bytes(DATAGRAM_BYTES_MAX + 1))]),
            ("a giant in pieces", (1009,),
             [web.frame(bytes(700), final=False), web.frame(bytes(700), 0)]),
            # A link that is no WebSocket may also end without another word.
            ("no opcode of this world", (1002, 0), [web.frame(HELLO, opcode=3)])):
        link = spoken_to(port)
        for piece in said:
            link.socket.sendall(piece)
        lib.expect(f"the end of who says {what}", link.close_code() in codes, True)
    link = spoken_to(port)
    link.send(HELLO)
    lib.expect("a welcome", link.receive()[1][:1], b"\x0a")
    link.send(b"\xff" * 40)
    lib.expect("a refusal", link.receive()[1][:1], b"\x12")


def mutated(content):
    content = bytearray(content)
    for _ in range(rng.choice((1, 1, 3))):
        at = rng.randrange(len(content))
        if rng.random() < 0.5:
            content[at] ^= 1 << rng.randrange(8)
        else:
            content[at:at] = rng.randbytes(rng.randrange(1, 12))
    return bytes(content)


def damaged(port):
    """One connection that says something damaged."""
    what = rng.randrange(6)
    link = web.connect(port, f"127.0.1.{rng.randrange(1, 200)}")
    asked = web.handshake(port, "/race/1")
    if what == 0:
        said = rng.randbytes(rng.randrange(1, 400))
    elif what == 1:
        said = mutated(asked)
    elif what == 2:
        said = asked[:rng.randrange(len(asked))]
    elif what == 3:
        said = b"GET /" + b"a" * rng.choice((300, 5000, 70000)) + b" HTTP/1.1\r\n\r\n"
    elif what == 4:
        said = asked + rng.randbytes(rng.randrange(1, 600))
    else:
        frames = [web.frame(message) for message in (HELLO, SPECTATE, SUBSCRIBE_WHOLE)]
        said = asked + mutated(b"".join(frames))
    try:
        link.sendall(said)
        if rng.random() < 0.5:
            link.settimeout(0.02)
            link.recv(4096)
    except OSError:
        pass
    link.close()


def crowd(port, count):
    """So many connections of one address that its share of a second is used up."""
    answered = 0
    for _ in range(count):
        try:
            link = web.connect(port, "127.0.9.1")
            link.close()
            answered += 1
        except OSError:
            pass
    return answered


def sleepers(port, count):
    """Spectators that want everything and read nothing."""
    made = []
    for i in range(count):
        link = web.WebSocket(port, "/race/1", f"127.0.2.{i + 1}", 2304)
        for message in (HELLO, SPECTATE, SUBSCRIBE_WHOLE):
            link.send(message)
        made.append(link)
    return made


def main():
    server = lib.Server("--web", "127.0.0.1:0", "--bots", "20", "--clients", "200",
                        "--clients-per-address", "100")
    port = int(server.wait_said(r"page: http://127\.0\.0\.1:(\d+)/", 30)[1])
    honest = lib.Bots(server, "--name", "honest", "--count", 2, name="honest")
    server.wait_said("race 1: race$", 60)

    check_doors(port)
    check_frames(port)
    denied = web.get(port, "/api/races/1/quit", "POST", "{}")[0]
    lib.expect("orders without a token", denied in (401, 403), True)
    readers = sleepers(port, 8)
    for _ in range(CONNECTIONS // 10):
        damaged(port)
    for _ in range(3):
        crowd(port, CONNECTIONS // 3)
        time.sleep(1)

    lib.wait_until("readers that do not read are closed",
                   lambda: refusals(port, "closed_slow") >= len(readers), 60)
    for name in ("origin", "host", "room", "rate", "request", "message"):
        lib.expect(f"refused for its {name}", refusals(port, name) > 0, True)
    state = web.get_json(port, "/api/races/1")
    lib.expect("the race goes on", state["phase"], "race")
    lib.expect("honest bots", honest.is_running(), True)
    lib.expect("honest drivers", sum(line["connected"] for line in state["order"]), 2)
    for link in readers:
        link.close()
    server.quit()


if __name__ == "__main__":
    try:
        main()
    except (socket.timeout, ConnectionError) as broken:
        lib.fail(f"the server does not answer: {broken}")
