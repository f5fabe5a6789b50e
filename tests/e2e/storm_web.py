#!/usr/bin/env python3
# labels: asan
"""Everything that a browser or an operator may do, at once and without manners, against two races
and their recordings: frames in pieces with pings between them, masks of zero, tokens used by two,
orders of all kinds in all phases, files cut and exchanged while they are watched. Then each race's
recording must come out as it was driven.
APEX_STORM_S says for how long, APEX_STORM_SEED with which bytes."""

import http.client
import json
import os
import random
import re
import select
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True

import lib
import lib_web as web

SECONDS = float(os.environ.get("APEX_STORM_S", "5"))
SEED = int(os.environ.get("APEX_STORM_SEED", "1"))
VERSION = int(re.search(r"PROTOCOL_VERSION (\d+)",
                        (lib.SOURCES / "proto/proto.h").read_text(encoding="utf-8"))[1])
JOINED, SNAPSHOT, PLAYBACK_STATE = 3, 6, 16  # kinds of ServerMessage
MET = ("links", f"kind {JOINED}", f"kind {SNAPSHOT}", f"kind {PLAYBACK_STATE}", "kick 200",
       "restart 200", "status 200")
TOKEN = "a-token-of-operators"
GONE = (OSError, ConnectionError, TimeoutError, struct.error, IndexError, ValueError)

until = 0.0
said = {}
said_lock = threading.Lock()


def count(what):
    with said_lock:
        said[what] = said.get(what, 0) + 1


def hello(token=b""):
    return web.field(1, web.field(1, VERSION) + (web.field(3, token) if token else b""))


def join(name):
    return web.field(2, web.field(1, name.encode()))


SPECTATE = web.field(3, b"")
LEAVE = web.field(4, b"")


def subscribe(rng):
    """All there is, or any of it."""
    wish = web.field(1, rng.choice((20, 60, 240, 1)))
    for key, most in ((2, 60), (3, 1), (4, 1), (5, 1), (6, 1), (7, 0x10001), (8, 1200), (9, 1)):
        if rng.random() < 0.8:
            wish += web.field(key, rng.randint(0, most))
    return web.field(7, wish)


def playback(rng):
    return web.field(11, web.field(1, rng.randint(0, 2)) + web.field(3, rng.randrange(3000)) +
                     web.field(2, rng.choice((125, 1000, 16000))))


def controls(rng):
    sample = web.field(2, web.field(1, rng.randrange(65534)) + web.field(2, rng.randrange(256)) +
                       web.field(6, 252))
    return web.field(8, web.field(1, rng.randrange(1 << 20)) + sample * rng.randint(1, 16))


def noise(rng):
    return rng.randbytes(rng.randrange(1200))


def key_of(content):
    """The kind of a ServerMessage: its one field's number."""
    key = content[0] & 127 | (content[1] << 7 if content[0] > 127 else 0)
    return key >> 3


def token_of(content):
    """Of a Welcome."""
    found = re.search(rb"\x1a\x10(.{16})", content, re.DOTALL)
    return found.group(1) if content[:1] == b"\x0a" and found else b""


def zero_masked(content, first=0x82):
    head = bytes([first])
    head += bytes([0x80 | len(content)]) if len(content) < 126 else \
        bytes([0x80 | 126]) + struct.pack(">H", len(content))
    return head + bytes(4) + content


def framed(rng, message):
    """One message in one of the ways in which it may come."""
    how = rng.randrange(6)
    if how == 0:
        return zero_masked(message)
    if how == 1:  # in pieces, with a ping between them
        out, first = b"", True
        while True:
            cut = rng.randint(0, max(1, len(message) // 2))
            piece, message = message[:cut], message[cut:]
            out += web.frame(piece, opcode=web.BINARY if first else 0, final=not message)
            first = False
            if not message:
                return out
            if rng.random() < 0.5:
                out += web.frame(rng.randbytes(rng.randrange(126)), opcode=web.PING)
    if how == 2:
        return web.frame(b"", opcode=web.PING) + web.frame(message) + web.frame(b"x", web.PONG)
    return web.frame(message)


def mean(rng):
    """The ways to end a link."""
    content = rng.randbytes(rng.randrange(2000))
    return rng.choice((
        lambda: web.frame(content, web.TEXT),
        lambda: web.frame(bytes(65535)),
        lambda: web.frame(bytes(65536)),
        lambda: zero_masked(b"\x0a\x02\x08\x01", 0xC2),  # compressed, they say
        lambda: zero_masked(b"\x0a\x02\x08\x01", 0xA2),
        lambda: zero_masked(b"\x0a\x02\x08\x01", 0x92),
        lambda: web.frame(b"\x0a\x02", 0),  # goes on with what has not begun
        lambda: web.frame(b"\x0a", final=False) + web.frame(b"\x0a"),
        lambda: web.frame(content[:100], web.PING, final=False),
        lambda: bytes([0x89, 0xFE]) + struct.pack(">H", 200) + bytes(204),  # too long a ping
        lambda: web.frame(b"\x0a\x02\x08\x01", masked=False),
        lambda: bytes([0x82, 0xFF]) + struct.pack(">Q", 1 << 63) + bytes(4),
        lambda: bytes([0x82, 0xFF]) + struct.pack(">Q", 5) + bytes(9),
        lambda: web.frame(b"", web.CLOSE),
        lambda: web.frame(b"\x03", web.CLOSE),
        lambda: web.frame(struct.pack(">H", rng.randrange(65536)) + content[:100], web.CLOSE),
        lambda: web.frame(b"\x03\xe8", web.CLOSE) + web.frame(b"\x0a\x02\x08\x01") * 3,
        lambda: web.frame(content, rng.randrange(16), rng.random() < 0.5),
        lambda: content,
    ))()


def drain(link, rng):
    """Takes what is there, most of the time. @return the newest Welcome's token."""
    token = b""
    for _ in range(rng.choice((0, 1, 5, 40))):
        if not link.buffer and not select.select([link.socket], [], [], 0.005)[0]:
            break
        opcode, content = link.receive()
        if opcode == web.PING:
            link.send(content, opcode=web.PONG)
        elif opcode == web.CLOSE:
            raise ConnectionError
        elif opcode == web.BINARY:
            count(f"kind {key_of(content)}")
            token = token_of(content) or token
    return token


def end(link, rng):
    """By a reset, a close frame, or a plain end; it may never have begun, or be gone."""
    if link is None:
        return
    how = rng.randrange(3)
    try:
        if how == 0:
            link.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        elif how == 1:
            link.send(struct.pack(">H", 1000), opcode=web.CLOSE)
        link.close()
    except GONE:
        pass


tokens = []  # of players, for a client that wants to be one


def browser(port, number):
    rng = random.Random(SEED * 1000 + number)
    while time.monotonic() < until:
        link = None
        try:
            source = f"127.0.{3 + number}.{rng.randrange(1, 250)}"
            link = web.WebSocket(port, rng.choice(("/race/1", "/race/1", "/race/2")), source)
            if link.status != 101:
                count(f"handshake {link.status}")
                continue
            count("links")
            stolen = rng.choice(tokens) if tokens and rng.random() < 0.5 else b""
            name = rng.choice(("Ada", "Bob", "ada", "\u00e9", f"driver {number}"))
            opening = rng.choice((
                [hello(stolen), join(name)], [hello(stolen), join(name), join(name)],
                [hello(stolen), SPECTATE], [hello(stolen)], [join(name)],
                [hello(), hello(stolen), join(name), LEAVE, join(name)],
                [hello(stolen), join(name), LEAVE, LEAVE, SPECTATE, SPECTATE]))
            link.socket.sendall(b"".join(framed(rng, message) for message in opening))
            for _ in range(rng.choice((0, 3, 30))):
                token = drain(link, rng)
                if token:
                    tokens[:] = tokens[-8:] + [token]
                message = rng.choice((subscribe, controls, playback, lambda _: join(name),
                                      lambda _: LEAVE, noise))(rng)
                link.socket.sendall(framed(rng, message[:1200]))
            if rng.random() < 0.5:
                link.socket.sendall(mean(rng))
                drain(link, rng)
        except GONE:
            pass
        finally:
            end(link, rng)


def operator(port, number):
    rng = random.Random(SEED * 2000 + number)
    orders = ("say", "kick", "start", "restart", "status")
    while time.monotonic() < until:
        order = rng.choice(orders)
        body = rng.choice((
            lambda: b"{}", lambda: b"", lambda: b"{",  lambda: b"null", lambda: b"[" * 4000,
            lambda: b'{"text":' + b'"' + b"\\u0000" * 9 + b'"}', lambda: b'{"text":"\xff\xfe"}',
            lambda: json.dumps({"text": "five \u202e \" \\ \x07 minutes"}).encode(),
            lambda: json.dumps({"text": "x" * rng.randrange(300)}).encode(),
            lambda: b'{"name":"Ada"}', lambda: b'{"name":"driver 1"}',
            lambda: b'{"name":"Bob","name":"Ada"}', lambda: b'{"player":1e400}',
            lambda: b'{"player":65537}', lambda: b'{"player":-1}',
            lambda: json.dumps({"name": f"Bot {rng.randrange(1, 9)}"}).encode(),
            lambda: b'{"player":%d}' % (rng.choice((1, 2, 3)) << 16 | rng.randrange(40)),
            lambda: b"\x00" * 50, lambda: rng.randbytes(rng.randrange(200))))()
        headers = {"Authorization": f"Bearer {TOKEN}"}
        path = f"/api/races/{rng.choice((1, 1, 2, 3, 0, '01', '%31', '4294967297'))}/{order}"
        try:
            link = http.client.HTTPConnection(
                "127.0.0.1", port, timeout=5,
                source_address=(f"127.4.{number}.{rng.randrange(1, 250)}", 0))
            link.request("GET" if order == "status" else "POST", path, body, headers)
            answer = link.getresponse()
            status, text = answer.status, answer.read().decode()
            link.close()
            count(f"{order} {status}")
            json.loads(text)
        except (OSError, ConnectionError, TimeoutError):
            count("no answer")
        except ValueError:
            lib.fail(f"{path} answered what is no JSON: {text[:100]}")


def stranger(port, number):
    """Reads what everybody may, guesses tokens, and asks in all encodings."""
    rng = random.Random(SEED * 3000 + number)
    paths = ("/", "/api/races", "/api/races/1", "/api/races/2", "/api/replays", "/metrics",
             "/healthz", "/readyz", "/admin", "/race/1", "/replay/x.apexr", "/api/races/1?x=%zz",
             "/replay/%2e%2e%2fstorm.yaml", "/replay/..", "/%00", "/api/", "/api/races/", "//")
    while time.monotonic() < until:
        path = rng.choice(paths)
        try:
            made = web.connect(port, f"127.1.{number}.{rng.randrange(1, 250)}")
            asked = "".join(
                f"{rng.choice(('GET', 'HEAD', 'POST', 'PUT', 'OPTIONS'))} {path} HTTP/1.1\r\n"
                f"Host: 127.0.0.1:{port}\r\nAuthorization: Bearer {rng.randrange(1 << 60)}\r\n"
                f"Accept-Encoding: {rng.choice(('gzip', 'br', 'gzip;q=0', '*', 'identity'))}\r\n"
                f"Content-Length: 0\r\n\r\n" for _ in range(rng.randint(1, 5)))
            made.sendall(asked.encode())
            if rng.random() < 0.7:
                made.settimeout(1)
                count(f"{path} {made.recv(65536).split(b' ')[1].decode()}")
            made.close()
        except GONE:
            pass


def watcher(port, number, names):
    """Recordings, whatever happens to their files."""
    rng = random.Random(SEED * 4000 + number)
    while time.monotonic() < until:
        link = None
        try:
            name = rng.choice(names)
            link = web.WebSocket(port, f"/replay/{name}", f"127.2.{number}.{rng.randrange(1, 250)}")
            if link.status != 101:
                count(f"recording {link.status}")
                time.sleep(0.1)
                continue
            link.socket.sendall(b"".join(framed(rng, message) for message in (
                hello(), rng.choice((SPECTATE, SPECTATE, join("Ada"))), subscribe(rng))))
            if rng.random() < 0.8:
                select.select([link.socket], [], [], 5)  # opening it may take a while
            for _ in range(rng.choice((1, 20, 400))):
                drain(link, rng)
                link.socket.sendall(framed(rng, playback(rng)))
        except GONE:
            pass
        finally:
            end(link, rng)


def saboteur(replays, tape):
    """Files that are cut, grow, go, and become others while they are watched."""
    rng = random.Random(SEED * 5000)
    whole = tape.read_bytes()
    while time.monotonic() < until:
        target = replays / rng.choice(("cut.apexr", "other.apexr", "link.apexr", "a%2fb.apexr"))
        how = rng.randrange(5)
        try:
            if how == 0:
                target.write_bytes(whole[:rng.randrange(len(whole))])
            elif how == 1:
                with open(target, "r+b") as file:
                    file.seek(rng.randrange(len(whole)))
                    file.write(rng.randbytes(64))
            elif how == 2:
                fresh = replays / "fresh"
                fresh.write_bytes(whole)
                fresh.replace(target)
            elif how == 3:
                target.unlink(missing_ok=True)
                target.symlink_to(tape)
            else:
                target.write_bytes(b"")
        except OSError:
            pass
        time.sleep(0.02)


def race_file(name, races):
    path = lib.folder / f"{name}.yaml"
    text = lib.RACE.replace("name: e2e", f"name: {name}").replace("laps: 50", "laps: 3")
    text = text.replace("races: 1", f"races: {races}")
    text += f"  resume_grace_s: 1\nweb:\n  listen: 127.0.0.1:0\n  token: {TOKEN}\n"
    path.write_text(text, encoding="utf-8")
    return path


def verify(path):
    ran = subprocess.run([lib.SERVER, "replay", "verify", path], capture_output=True, timeout=300,
                         check=False, text=True)
    if ran.returncode != 0:
        lib.fail(f"{path.name}: {ran.stdout}{ran.stderr}")
    return ran.stdout


def main():
    global until
    replays = lib.folder / "replays"
    replays.mkdir()
    server = lib.Program("server", lib.SERVER, "--config", race_file("first", 0), "--config",
                         race_file("second", 0), "--bots", "6", "--clients", "60",
                         "--clients-per-address", "60", "--replays", replays, "--port", "0",
                         typed=True)
    port = int(server.wait_said(r"page: http://127\.0\.0\.1:(\d+)/", 30)[1])
    recorded = sorted(replays.glob("*.apexr"))
    lib.expect("recordings of the two races", len(recorded), 2)
    tape = lib.folder / "tape.apexr"
    subprocess.run([lib.SERVER, "--config", race_file("taped", 1), "--bots", "4", "--speed", "max",
                    "--web", "off", "--record", tape, "--laps", "1"], check=True, timeout=120,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    names = ["cut.apexr", "other.apexr", "link.apexr", "a%252fb.apexr", "whole.apexr", "no.apexr"]
    shutil.copy(tape, replays / "whole.apexr")
    names += [path.name for path in recorded]
    until = time.monotonic() + 120
    storm = [threading.Thread(target=browser, args=(port, i)) for i in range(6)]
    storm += [threading.Thread(target=operator, args=(port, i)) for i in range(2)]
    storm += [threading.Thread(target=stranger, args=(port, i)) for i in range(2)]
    storm += [threading.Thread(target=watcher, args=(port, i, names)) for i in range(4)]
    storm += [threading.Thread(target=saboteur, args=(replays, tape))]
    for each in storm:
        each.start()
    time.sleep(SECONDS)
    for what in MET:
        lib.wait_until(f"the storm meets '{what}'", lambda what=what: said.get(what, 0) > 0, 60)
    until = 0.0
    for each in storm:
        each.join()
    if not server.is_running():
        lib.fail("the server did not stand the storm")
    left_open = [web.WebSocket(port, path, "127.3.0.1") for path in
                 ("/race/1", "/race/2", "/replay/whole.apexr") * 3]
    lib.expect("who comes after the storm", {link.status for link in left_open}, {101})
    for link in left_open:
        link.send(hello())
        link.send(SPECTATE)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    for race in (1, 2):
        lib.expect("an order after the storm",
                   web.get(port, f"/api/races/{race}/quit", "POST", b"{}", **headers)[0], 200)
    lib.expect("the server's exit code", server.ended(30), 0)
    for word in ("Sanitizer", "runtime error:", "ssertion"):
        if word in server.said():
            lib.fail(f"the server said '{word}'")
    for path in recorded:
        print(path.name, verify(path).strip().splitlines()[-1])


main()
