#!/usr/bin/env python3
# labels: asan
"""A siege of the page's port: heads and bodies that trickle, readers that take a byte at a time,
WebSockets that fall silent, requests by the hundred in one breath, ten thousand connections, and
whatever a path, a key or a method can be. Each is ended or answered as it should be, and afterwards
the server has as many open files as before and no more memory than it needs."""

import os
import pathlib
import resource
import socket
import sys
import time

sys.dont_write_bytecode = True

import lib
import lib_web as web

CONNECTIONS = int(os.environ.get("APEX_SIEGE_COUNT", "10000"))
GROWTH_MIB_MAX = float(os.environ.get("APEX_SIEGE_MIB", "24"))
CONNECTIONS_MAX = 1024  # of the gateway
IS_SANITIZED = "asan" in os.environ.get("APEX_SERVER", "")


def open_files(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def resident_mib(pid):
    pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / 2**20


def gauge(port, name):
    text = web.get(port, "/metrics")[2]
    return next(float(line.split()[-1]) for line in text.splitlines()
                if line.startswith(name + " "))


def say(port, lines, rest=b"", source="127.0.0.1"):
    """The status of the first answer to what is said, 0 if there is none; and all that came."""
    link = web.connect(port, source)
    said = lines if isinstance(lines, bytes) else lines.encode("latin-1")
    heard = b""
    try:
        link.sendall(said + rest)
        while True:
            more = link.recv(65536)
            if not more:
                break
            heard += more
    except OSError:
        pass
    link.close()
    return (int(heard.split(b" ")[1]) if heard.startswith(b"HTTP/") else 0), heard


def head(first, *lines):
    return "\r\n".join((first, "Host: localhost", "Connection: close") + lines) + "\r\n\r\n"


def check_paths(port):
    for path, status in (
            ("/replay/../../etc/passwd", 400), ("/replay/%2e%2e/%2e%2e/etc/passwd", 400),
            ("/replay/..%2f..%2fetc%2fpasswd", 400), ("/replay/%2e%2e%2fetc", 400),
            ("/../etc/passwd", 400), ("/.", 400), ("/./api/races", 400), ("/..", 400),
            ("/a/..", 400), ("/%00", 400), ("/%0a", 400), ("/%", 400), ("/%4", 400), ("/%zz", 400),
            ("/%23", 400), ("//etc/passwd", 404), ("/etc/passwd", 404), ("/%2f", 404),
            ("/replay%2f..", 400), ("/api/races/01", 404), ("/api/races/%31", 200),
            ("/api/races/99999999999", 404), ("/api/races/-1", 404), ("/api//races", 404),
            ("/api/races/1/", 404), ("/api/races?x=1", 200), ("/api/races%3fx=1", 404),
            ("/%c0%ae%c0%ae/", 404), ("/\xff\xfe", 404), ("/" + "a" * 254, 404),
            ("/" + "a" * 255, 414), ("/api/races?" + "a" * 511, 200), ("/?" + "a" * 512, 414),
            ("http://localhost/api/races", 400), ("*", 400), ("localhost:80", 400), ("", 400)):
        lib.expect(f"GET {path[:40]!r}", say(port, head(f"GET {path} HTTP/1.1"))[0], status)


def check_methods(port):
    for first, status in (
            ("HEAD /api/races HTTP/1.1", 200), ("OPTIONS / HTTP/1.1", 405),
            ("OPTIONS * HTTP/1.1", 400), ("TRACE / HTTP/1.1", 405), ("PUT / HTTP/1.1", 405),
            ("DELETE /api/races/1 HTTP/1.1", 405), ("CONNECT localhost:22 HTTP/1.1", 400),
            ("get / HTTP/1.1", 405), ("PRI * HTTP/2.0", 505), ("GET / HTTP/0.9", 505),
            ("GET /", 400), ("GET  / HTTP/1.1", 400), ("GET / HTTP/1.1 ", 400),
            ("GET\t/ HTTP/1.1", 400), ("\x16\x03\x01\x02\x00", 400)):
        got, heard = say(port, head(first))
        lib.expect(repr(first), got, status)
        if status == 405 and b"\r\nAllow: " not in heard:
            lib.fail(f"{first!r}: a 405 says what is allowed")
    _, heard = say(port, head("HEAD /api/races HTTP/1.1"))
    lib.expect("what follows a HEAD's head", heard.partition(b"\r\n\r\n")[2], b"")
    # Parts of an answer are not given: the whole of it is what HTTP has for a client that asks for
    # them.
    lib.expect("a range", say(port, head("GET /api/races HTTP/1.1", "Range: bytes=0-3"))[0], 200)


def check_keeping(port):
    page = head("GET / HTTP/1.1", "Accept-Encoding: gzip")
    status, heard = say(port, page)
    lib.expect("the page", status, 200)
    etags = [line[6:] for line in heard.split(b"\r\n\r\n")[0].decode().split("\r\n")
             if line.startswith("ETag: ")]
    if not etags:
        return  # it was built without a page
    for known, wanted in ((etags[0], 304), ("W/" + etags[0], 304), ("*", 304),
                          (f'"x", {etags[0]}', 304), ('"x"', 200), (etags[0].strip('"'), 200)):
        asked = head("GET / HTTP/1.1", "Accept-Encoding: gzip", f"If-None-Match: {known}")
        lib.expect(f"the page for who knows {known}", say(port, asked)[0], wanted)


def check_heads(port):
    for what, said, status in (
            ("a head of 8 KiB", head("GET /api/races HTTP/1.1", "X: " + "y" * 8000), 200),
            ("a longer one", head("GET /api/races HTTP/1.1", "X: " + "y" * 8200), 431),
            ("an endless one", "GET / HTTP/1.1\r\n" + "X: y\r\n" * 20000, 431),
            ("100 lines", head("GET /api/races HTTP/1.1", *["X: y"] * 98), 200),
            ("101 lines", head("GET /api/races HTTP/1.1", *["X: y"] * 99), 431),
            ("a folded line", head("GET / HTTP/1.1", "X: y", " z"), 400),
            ("a name with a blank", head("GET / HTTP/1.1", "X : y"), 400),
            ("two lengths", head("POST /api/x HTTP/1.1", *["Content-Length: 0"] * 2), 400),
            ("two hosts", head("GET / HTTP/1.1", "Host: localhost"), 400),
            ("a chunked body", head("POST /api/x HTTP/1.1", "Transfer-Encoding: chunked"), 411),
            ("both", head("POST /api/x HTTP/1.1", "Transfer-Encoding: chunked",
                          "Content-Length: 4"), 411),
            ("a body of no length", head("POST /api/x HTTP/1.1", "Content-Length: +4"), 400),
            ("a body of gigabytes", head("POST /api/x HTTP/1.1", "Content-Length: 4294967296"),
             413),
            ("bare line feeds", "GET / HTTP/1.1\nHost: localhost\n\n" + "x" * 9000, 431)):
        lib.expect(what, say(port, said)[0], status)


def check_upgrades(port):
    key = "dGhlIHNhbXBsZSBub25jZQ=="
    for what, status, changed in (
            ("a key", 101, {}), ("no key", 400, {"Sec_WebSocket_Key": None}),
            ("an empty key", 400, {"Sec_WebSocket_Key": ""}),
            ("a short key", 400, {"Sec_WebSocket_Key": key[4:]}),
            ("a long key", 400, {"Sec_WebSocket_Key": key * 20}),
            ("a key without its end", 400, {"Sec_WebSocket_Key": key[:22] + "AA"}),
            ("a key of other letters", 400, {"Sec_WebSocket_Key": "\x7e" * 22 + "=="}),
            ("another version", 426, {"Sec_WebSocket_Version": "8"}),
            ("several versions", 426, {"Sec_WebSocket_Version": "8, 13"}),
            ("compression", 101, {"Sec_WebSocket_Extensions": "permessage-deflate"}),
            ("several subprotocols", 101, {"Sec_WebSocket_Protocol": "chat, apex-1"}),
            ("a length of nothing", 101, {"Content_Length": "0"})):
        link = web.WebSocket(port, "/race/1", **changed)
        lib.expect(f"an upgrade with {what}", link.status, status)
        link.close()
    asked = web.handshake(port, "/race/1", Content_Length="5")
    lib.expect("an upgrade with a body", say(port, asked, b"hello")[0], 400)
    asked = web.handshake(port, "/race/1")
    lib.expect("an upgrade and more", say(port, asked, b"GET / HTTP/1.1\r\n\r\n")[0], 400)
    post = web.handshake(port, "/race/1").replace(b"GET", b"POST", 1)
    lib.expect("an upgrade by POST", say(port, post)[0], 400)
    h2c = head("GET /api/races HTTP/1.1", "Upgrade: h2c")
    lib.expect("an upgrade to what is not here", say(port, h2c)[0], 200)


def check_pipeline(port):
    """Hundreds in one breath are answered one by one, in order."""
    count = 150
    said = b"".join(f"GET /api/races/{1 + i % 2} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
                    for i in range(count - 1))
    status, heard = say(port, said, head("GET /nowhere HTTP/1.1").encode(), "127.0.4.1")
    lib.expect("the first of many", status, 200)
    statuses = [part[:3] for part in heard.split(b"HTTP/1.1 ")[1:]]
    lib.expect("answers to requests behind each other", statuses,
               [b"200", b"404"] * (count // 2 - 1) + [b"200", b"404"])


def opened(port, count, said=b"", of_each=100, base=5):
    links = []
    for i in range(count):
        try:
            link = web.connect(port, f"127.0.{base + i // of_each // 200}.{1 + i // of_each % 200}")
            link.setblocking(False)
            if said:
                link.send(said)
            links.append(link)
        except OSError:
            pass
    return links


def ask_for_much(port, count):
    """Readers that want a lot of figures, and have little room for them."""
    links = []
    for i in range(count):
        link = web.connect(port, f"127.0.9.{i + 1}", 2304)
        link.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n" * 60)
        link.setblocking(False)
        links.append(link)
    return links


def go_on(links, readers):
    """A byte more of each."""
    for link in links:
        try:
            link.send(b"y")
        except OSError:
            pass
    for link in readers:
        try:
            link.recv(8)
        except OSError:
            pass


def check_patience(port):
    """Heads and bodies of a byte at a time, answers taken by the byte, and WebSockets that do not
    answer pings: each holds its place for some seconds, however busy it looks, and others do not
    notice."""
    heads = opened(port, 300, b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ", 60, 6)
    bodies = opened(port, 300, head("POST /api/races/1/say HTTP/1.1",
                                    "Content-Length: 4096").encode() + b"{", 60, 7)
    readers = ask_for_much(port, 40)
    silent = [web.WebSocket(port, "/race/1", f"127.0.8.{i + 1}") for i in range(20)]
    lib.wait_until("all are there", lambda: gauge(port, "apex_web_connections") >= 660, 5)
    until = time.monotonic() + 40
    while gauge(port, "apex_web_connections") > 1 and time.monotonic() < until:
        asked = time.monotonic()
        lib.expect("beside them", web.get(port, "/healthz")[0], 200)
        lib.expect("an answer within a second", time.monotonic() - asked < 1, True)
        go_on(heads + bodies, readers)
        time.sleep(0.5)
    lib.expect("who is left", gauge(port, "apex_web_connections"), 1)
    cut = [link.recv(4096)[:12] for link in heads + bodies]
    lib.expect("heads and bodies that trickle", set(cut), {b"HTTP/1.1 408"})
    for link in heads + bodies + readers:
        link.close()
    for link in silent:
        link.close()


def check_crowd(port):
    """As many connections as there may be and ten times more; others are served all the while."""
    links = opened(port, CONNECTIONS, of_each=20, base=20)
    time.sleep(1.5)  # idle for a second: they have to make room
    lib.expect("connections that are open", gauge(port, "apex_web_connections") <= CONNECTIONS_MAX,
               True)
    for _ in range(5):
        lib.expect("one more", web.get(port, "/api/races")[0], 200)
    for link in links:
        link.close()


def main():
    files_wanted = min(CONNECTIONS + 1000, 12000)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, files_wanted), hard), hard))
    replays = lib.folder / "replays"
    replays.mkdir()
    server = lib.Server("--web", "127.0.0.1:0", "--bots", "8", "--replays", replays)
    port = int(server.wait_said(r"page: http://127\.0\.0\.1:(\d+)/", 30)[1])
    server.wait_said("race 1: race$", 60)
    pid = server.child.pid
    checks = (check_paths, check_methods, check_keeping, check_heads, check_upgrades,
              check_pipeline, check_patience, check_crowd)
    for check in checks[:6]:  # what is used once is memory that is kept
        check(port)
    lib.wait_until("all are gone", lambda: gauge(port, "apex_web_connections") <= 1, 20)
    files, memory = open_files(pid), resident_mib(pid)
    for check in checks:
        check(port)
        lib.wait_until(f"{check.__name__}: all are gone",
                       lambda: gauge(port, "apex_web_connections") <= 1, 20)
        lib.wait_until(f"{check.__name__}: open files", lambda: open_files(pid) <= files, 5)
        grown = resident_mib(pid) - memory
        print(f"{check.__name__}: {open_files(pid)} files, {grown:+.1f} MiB", flush=True)
        if not IS_SANITIZED and grown > GROWTH_MIB_MAX:
            lib.fail(f"{check.__name__}: {grown:.1f} MiB more than before")
    server.quit()


if __name__ == "__main__":
    try:
        main()
    except (socket.timeout, ConnectionError) as broken:
        lib.fail(f"the server does not answer: {broken}")
