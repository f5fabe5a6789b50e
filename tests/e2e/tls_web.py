#!/usr/bin/python3
"""The page by TLS without a proxy: requests, WebSockets, what comes without TLS, what is wrong with the
files, and renewals by signal, console and API, while connections live on."""

import os
import re
import signal
import socket
import ssl
import subprocess
import sys

sys.dont_write_bytecode = True

import lib
import lib_web

CERTIFICATE, KEY = lib.folder / "fullchain.pem", lib.folder / "privkey.pem"
TOKEN = "a-token-that-is-long"


def make_pair(name, days=90, bits=None):
    kind = ["rsa:" + str(bits)] if bits else ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    subprocess.run(["openssl", "req", "-x509", "-newkey", *kind, "-nodes", "-keyout", KEY, "-out", CERTIFICATE,
                    "-days", str(days), "-subj", f"/CN={name}", "-addext",
                    "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=True, stderr=subprocess.DEVNULL)


def trusting():
    return ssl.create_default_context(cafile=str(CERTIFICATE))


class SecureSocket(lib_web.WebSocket):
    """A WebSocket over TLS, of a client that trusts the certificate as it is now."""

    def __init__(self, port, path):  # pylint: disable=super-init-not-called
        self.socket = trusting().wrap_socket(lib_web.connect(port), server_hostname="localhost")
        self.socket.sendall(lib_web.handshake(port, path))
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.socket.recv(4096)
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        self.status = int(head.split(b" ")[1])


def ask(port, text, context=None):
    """The whole answer to a request that asks for the end of the connection."""
    link = lib_web.connect(port)
    if context is not None:
        link = context.wrap_socket(link, server_hostname="localhost")
    link.sendall(text.encode())
    answer = b""
    while piece := link.recv(65536):
        answer += piece
    link.close()
    return answer.decode("utf-8", "replace")


def get(port, path, context=None, method="GET", more=""):
    return ask(port, f"{method} {path} HTTP/1.1\r\nHost: localhost:{port}\r\n{more}Connection: close\r\n"
                     "Content-Length: 0\r\n\r\n", context)


def shown(port):
    """The name in the certificate that a new connection is shown."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    with context.wrap_socket(lib_web.connect(port)) as link:
        der = link.getpeercert(binary_form=True)
    said = subprocess.run(["openssl", "x509", "-inform", "der", "-noout", "-subject"], input=der, capture_output=True,
                          check=True).stdout.decode()
    return said.split("CN = ")[1].strip()


def start():
    race = lib.folder / "race.yaml"
    race.write_text(lib.RACE + f"web:\n  listen: 127.0.0.1:0\n  certificate: {CERTIFICATE}\n  key: {KEY}\n"
                               f"  token: {TOKEN}\n", encoding="utf-8")
    server = lib.Program("server", lib.SERVER, "--config", race, typed=True)
    port = int(server.wait_said(r"page: https://127\.0\.0\.1:(\d+)/$", 30).group(1))
    return server, port


def what_is_refused():
    race = lib.folder / "race.yaml"
    make_pair("mine")
    os.chmod(KEY, 0o600)
    CERTIFICATE.write_text("nothing\n", encoding="utf-8")
    race.write_text(lib.RACE + f"web:\n  certificate: {CERTIFICATE}\n  key: {KEY}\n", encoding="utf-8")
    server = lib.Program("bad", lib.SERVER, "--config", race)
    lib.expect("its end", server.ended(20), 1)
    line = (lib.RACE + "web:\n").count("\n") + 1
    if f"race.yaml:{line}:16: web.certificate: " not in server.said() or "is no certificate" not in server.said():
        lib.fail("the place of a bad certificate is not said")
    server = lib.Program("half", lib.SERVER, "--web-certificate", CERTIFICATE, "--web", "127.0.0.1:0",
                         "--port", "0")
    lib.expect("its end", server.ended(20), 1)
    if "web.key: is missing" not in server.said():
        lib.fail("a key that is missing is not said")


def by_tls(port):
    context = trusting()
    if not get(port, "/api/races", context).startswith("HTTP/1.1 200 "):
        lib.fail("/api/races by TLS")
    days = re.search(r"^apex_web_certificate_days (\d+)$", get(port, "/metrics", context), re.MULTILINE)
    lib.expect("days left", int(days.group(1)) in (89, 90), True)  # whole ones: 90 for a second
    status = get(port, "/api/races/1/status", context, more=f"Authorization: Bearer {TOKEN}\r\n")
    lib.expect("days left for operators", f'"certificate_days":{days.group(1)},' in status, True)
    old = ssl.create_default_context(cafile=str(CERTIFICATE))
    old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_2
    lib.expect("TLS 1.2", get(port, "/healthz", old)[:12], "HTTP/1.1 200")


def without_tls(port):
    lib.expect("a page", re.search(r"^HTTP/1.1 308 .*^Location: (\S+)", get(port, "/race/1"),
                                   re.MULTILINE | re.DOTALL).group(1), f"https://localhost:{port}/race/1")
    lib.expect("an order", get(port, "/api/races/1/quit", method="POST")[:12], "HTTP/1.1 403")
    lib.expect("a WebSocket", lib_web.WebSocket(port, "/race/1").status, 403)


def renewals(server, port):
    first = SecureSocket(port, "/race/1")
    lib.expect("a WebSocket", first.status, 101)
    make_pair("by-signal")
    server.child.send_signal(signal.SIGHUP)
    lib.wait_until("a certificate after SIGHUP", lambda: shown(port) == "by-signal", 10)
    make_pair("by-console")
    server.child.stdin.write(b"reload\n")
    server.child.stdin.flush()
    lib.wait_until("a certificate after reload", lambda: shown(port) == "by-console", 10)
    old = trusting()
    make_pair("by-api")
    order = get(port, "/api/reload", old, "POST", f"Authorization: Bearer {TOKEN}\r\n")
    lib.expect("the order", order[:12], "HTTP/1.1 200")
    lib.expect("a certificate after the order", shown(port), "by-api")
    lib.expect("an order of nobody's", get(port, "/api/reload", trusting(), "POST")[:12], "HTTP/1.1 401")
    good = trusting()
    KEY.write_text("half written", encoding="utf-8")
    server.child.send_signal(signal.SIGHUP)
    server.wait_said("the old certificate stays in service: web.key: ", 10)
    lib.expect("the certificate after a bad key", shown(port), "by-api")
    lib.expect("a page after a bad key", get(port, "/healthz", good)[:12], "HTTP/1.1 200")
    first.send(lib_web.field(1, b""), opcode=lib_web.TEXT)  # it lives: its text is refused, not its bytes
    lib.expect("the end of the first WebSocket", first.close_code(), 1003)


def main():
    what_is_refused()
    make_pair("first", bits=2048)
    os.chmod(KEY, 0o644)
    server, port = start()
    server.wait_said("everybody on this machine may read the key", 5)
    lib.expect("the certificate", shown(port), "first")
    by_tls(port)
    without_tls(port)
    renewals(server, port)
    if not server.is_running():
        lib.fail("SIGHUP ended the server")
    server.child.terminate()
    lib.expect("its end", server.ended(20), 0)


main()
