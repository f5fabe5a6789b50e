#!/usr/bin/python3
# labels: asan
"""The relay that is a bad network: a bot drives a lap through it, an echo comes back as late and as
seldom as was asked for, the counters say so, and signals end it cleanly."""

import json
import os
import pty
import re
import select
import signal
import socket
import subprocess
import sys
import time

sys.dont_write_bytecode = True

import lib


class Relay(lib.Program):
    def __init__(self, to, *arguments, name="netsim"):
        super().__init__(name, lib.CLIENT, "netsim", "--listen", "127.0.0.1:0", "--to",
                         f"127.0.0.1:{to}", "--json", *arguments)
        self.port = int(self.wait_said(r'"listen":"127\.0\.0\.1:(\d+)"')[1])

    def end(self, number):
        """Its last words."""
        self.child.send_signal(number)
        lib.expect(f"{self.name}: exit code", self.ended(5), 0)
        words = json.loads(self.said().splitlines()[-1])
        lib.expect(f"{self.name}: last words", words["type"], "end")
        return words


def about(what, got, low, high):
    if not low <= got <= high:
        lib.fail(f"{what}: {got}, not {low} to {high}")


def drive_a_lap():
    server = lib.Server("--track", "skidpad", "--laps", "1", "--races", "1")
    relay = Relay(server.port, "--loss", "5%", "--delay", "40ms", "--jitter", "10ms",
                  "--duplicate", "1%", "--reorder", "2%", "--seed", "3")
    bots = lib.Bots(server, "--count", "1", port=relay.port)
    lib.expect("the bot's exit code", bots.ended(120), 0)
    lines = [json.loads(line) for line in bots.said().splitlines()]
    results = [line["lines"] for line in lines if line["type"] == "results"]
    lib.expect("results", [(line[0]["state"], line[0]["laps"]) for line in results],
               [("finished", 1)])
    lib.expect("the server's exit code", server.ended(10), 0)
    words = relay.end(signal.SIGINT)
    lib.expect("clients", words["clients"], 1)
    lib.expect("not sent", words["send_errors"], 0)
    for way in ("up", "down"):
        count = words[way]
        sent = count["datagrams"]
        about(f"datagrams {way}", sent, 300, 100000)
        deviation = (0.05 * 0.95 / sent) ** 0.5
        about(f"share lost {way}", count["lost"] / sent, 0.05 - 5 * deviation,
              0.05 + 5 * deviation)
        # Only datagrams under way at the end may be missing.
        about(f"delivered {way}", count["delivered"], sent - count["lost"] - 20,
              sent - count["lost"] + count["doubled"])


def echo():
    sent_count = 400
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server, \
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        server.bind(("127.0.0.1", 0))
        relay = Relay(server.getsockname()[1], "--loss", "25%", "--burst", "2", "--delay", "30ms",
                      "--jitter", "10ms", name="echo")
        client.connect(("127.0.0.1", relay.port))
        trips, heard = [], 0
        for number in range(sent_count + 100):
            if number < sent_count:
                client.send(b"%d %f" % (number, time.monotonic()))
            until = time.monotonic() + 0.002
            while (left := until - time.monotonic()) > 0:
                for ready in select.select([server, client], [], [], left)[0]:
                    if ready is server:
                        datagram, address = server.recvfrom(2000)
                        heard += 1
                        server.sendto(datagram, address)
                    else:
                        trips.append(time.monotonic() - float(client.recv(2000).split()[1]))
        client.send(b"x" * 1500)
        client.send(b"x" * 1501)
        time.sleep(0.2)
        words = relay.end(signal.SIGTERM)
    lib.expect("datagrams up", words["up"]["datagrams"], sent_count + 1)
    # The one of 1,500 bytes comes when nobody listens any more, if it comes.
    about("heard", heard, words["up"]["delivered"] - 1, words["up"]["delivered"])
    lib.expect("came back", len(trips), words["down"]["delivered"])
    lib.expect("too long", words["refused_long"], 1)
    # A share of 25 % in runs of two: one standard deviation is about 4 %.
    about("share lost", words["up"]["lost"] / words["up"]["datagrams"], 0.1, 0.4)
    # Each way 20 to 40 ms, and what the machine adds.
    about("shortest trip", min(trips), 0.0399, 0.100)
    about("usual trip", sorted(trips)[len(trips) // 2], 0.050, 0.150)


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as probe:
            probe.bind(("::1", 0))
        return True
    except OSError:
        return False


def place_of(text):
    """An address and port, as the system takes them."""
    host, port = text.rsplit(":", 1)
    return host.strip("[]"), int(port)


def families(server_host, listen, client_host):
    """Datagrams cross from one family to the other, of two clients each to its own."""
    kind = {True: socket.AF_INET6, False: socket.AF_INET}
    name = f"from-{client_host}-to-{server_host}".replace(":", "_")
    with socket.socket(kind[":" in server_host], socket.SOCK_DGRAM) as server:
        server.bind((server_host, 0))
        server.settimeout(5)
        to = f"[{server_host}]" if ":" in server_host else server_host
        relay = lib.Program(name, lib.CLIENT, "netsim", "--listen", listen, "--to",
                            f"{to}:{server.getsockname()[1]}", "--json")
        port = place_of(relay.wait_said(r'"listen":"([^"]+)"')[1])[1]
        clients = [socket.socket(kind[":" in client_host], socket.SOCK_DGRAM) for _ in range(2)]
        for number, client in enumerate(clients):
            client.settimeout(5)
            client.sendto(b"from %d" % number, (client_host, port))
            said, address = server.recvfrom(2000)
            lib.expect(f"{name}: what arrives", said, b"from %d" % number)
            server.sendto(b"to %d" % number, address)
        for number, client in enumerate(clients):
            lib.expect(f"{name}: what comes back", client.recv(2000), b"to %d" % number)
            client.close()
        relay.child.send_signal(signal.SIGTERM)
        lib.expect(f"{name}: exit code", relay.ended(5), 0)
        words = json.loads(relay.said().splitlines()[-1])
        lib.expect(f"{name}: clients", (words["clients"], words["send_errors"]), (2, 0))


def show_on_a_terminal():
    ours, theirs = pty.openpty()
    with subprocess.Popen([lib.CLIENT, "netsim", "--listen", "127.0.0.1:0", "--to", "127.0.0.1:9"],
                          stdin=theirs, stdout=theirs, stderr=theirs) as child:
        os.close(theirs)
        said, until = b"", time.monotonic() + 10
        try:
            while said.count(b"under way") < 2 and time.monotonic() < until:
                if select.select([ours], [], [], 1)[0]:
                    said += os.read(ours, 65536)
            child.send_signal(signal.SIGINT)
            lib.expect("exit code after an interrupt", child.wait(5), 0)
            said += os.read(ours, 65536)
        finally:
            child.kill()
            os.close(ours)
    if not re.search(rb"listening on UDP 127\.0\.0\.1:\d+, relaying to 127\.0\.0\.1:9", said):
        lib.fail(f"no beginning: {said!r}")
    if not re.search(rb"\r\x1b\[K0 clients   up 0, 0\.0% lost", said):
        lib.fail(f"no status: {said!r}")
    if not re.search(rb"down +0 +0 +0\.0% +0 +0 +0 +0", said):
        lib.fail(f"no table: {said!r}")


def refuse():
    for arguments, code, text in (
            (["--loss", "5"], 2, "--loss: '5' is not a share such as 5%"),
            (["--jitter", "1ms"], 2, "the jitter must not be more than the delay"),
            (["--to", "127.0.0.1:26001"], 1, "the relay would talk to itself"),
            (["--to", "[::1]:26001", "--listen", "[::1]:26001"], 1, "the relay would talk to itself"),
            (["127.0.0.1:26000"], 2, "is one argument too many"),
            (["--listen", "192.0.2.1:0"], 1, "can't listen on UDP port 0 of 192.0.2.1")):
        done = subprocess.run([lib.CLIENT, "netsim", *arguments], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=10, check=False)
        lib.expect(f"exit code of {arguments}", done.returncode, code)
        if text not in done.stderr or done.stdout:
            lib.fail(f"{arguments}: said '{done.stderr}' and '{done.stdout}', not '{text}'")


refuse()
show_on_a_terminal()
echo()
families("127.0.0.1", "localhost:0", "127.0.0.1")
if has_ipv6():
    families("::1", "[::1]:0", "::1")
    families("::1", "127.0.0.1:0", "127.0.0.1")
    families("127.0.0.1", "[::1]:0", "::1")
    families("127.0.0.1", "[::]:0", "127.0.0.1")
drive_a_lap()
