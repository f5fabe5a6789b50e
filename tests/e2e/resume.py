#!/usr/bin/env python3
"""A bot whose address changes in the race, as behind a big NAT: the link breaks, the server drives
on, the bot comes back with its token and finishes with its laps. The other bots notice nothing."""
# labels: asan

import json
import select
import socket
import sys
import threading
import time

sys.dont_write_bytecode = True

import lib


class Relay:
    """Carries one client's datagrams to a server, from a port that changes when told. What comes
    to an old port is lost, as it is behind a NAT."""

    def __init__(self, port):
        self.down = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.down.bind(("127.0.0.1", 0))
        self.port = self.down.getsockname()[1]
        self.server, self.client, self.old = ("127.0.0.1", port), None, []
        self.silent = False
        self.change()
        threading.Thread(target=self.carry, daemon=True).start()

    def change(self):
        self.up = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.up.bind(("127.0.0.1", 0))
        self.old.append(self.up)  # kept, so that its port is nobody else's

    def carry(self):
        lib.come_on_time()
        while True:
            up = self.up
            for ready in select.select([self.down, up], [], [], 0.05)[0]:
                datagram, sender = ready.recvfrom(65536)
                if self.silent:
                    continue
                if ready is self.down:
                    self.client = sender
                    up.sendto(datagram, self.server)
                elif self.client:
                    self.down.sendto(datagram, self.client)


def told(bots, kind):
    """The JSON lines of a kind."""
    lines = [json.loads(line) for line in bots.said().splitlines() if line.startswith("{")]
    return [line for line in lines if line.get("type") == kind]


def wait_told(bots, kind, count, seconds):
    return lib.wait_until(f"{bots.name}: {count} {kind}",
                          lambda: len(told(bots, kind)) >= count and told(bots, kind), seconds)


def moved(server, relay, bots):
    """The address of a client without a seal changes. The client notices by itself, or the server does before it."""
    relay.change()
    wait_told(bots, "reconnecting", 1, 8)
    back = wait_told(bots, "back", 1, 8)[0]
    lib.expect("resumed", back["resumed"], True)
    lib.expect("the player", back["player"], told(bots, "joined")[0]["player"])
    server.wait_said(r"moved is back from 127\.0\.0\.1")


def cut_off(server, relay, bots):
    """Nothing gets through for so long that the server sees the link end; then another address."""
    relay.silent = True
    server.wait_said("moved lost the connection", 10)
    time.sleep(1)
    relay.change()
    relay.silent = False
    back = wait_told(bots, "back", 2, 8)[1]
    lib.expect("resumed again", back["resumed"], True)


def main():
    server = lib.Server("--laps", 3, "--speed", 3, "--players", 5, "--races", 1, "--results",
                        lib.folder / "results")
    relay = Relay(server.port)
    stay = lib.Bots(server, "--count", 3, "--name", "stay", name="stay")
    bots = lib.Bots(server, "--name", "moved", "--no-seal", port=relay.port)
    other_relay = Relay(server.port)
    sealed = lib.Bots(server, "--name", "sealed", name="sealed", port=other_relay.port)
    server.wait_said(r"race 1: race$", 30)
    time.sleep(2)
    other_relay.change()  # its link goes along, and nobody notices
    moved(server, relay, bots)
    time.sleep(2)
    cut_off(server, relay, bots)
    counters = server.counters()
    lib.expect("resumed", counters["sessions-resumed"], 2)
    lib.expect("wrong tokens", counters.get("refused-token", 0), 0)
    for program in (bots, stay, sealed):
        lib.expect(f"the exit code of {program.name}", program.ended(150), 0)
    lib.expect("the server's exit code", server.ended(20), 0)
    for program in (stay, sealed):
        lib.expect(f"what {program.name} lost", told(program, "reconnecting"), [])
    results = json.loads(next((lib.folder / "results").glob("*.json")).read_text("utf-8"))
    lines = {line["name"]: line for line in results["results"]}
    lib.expect("who raced", sorted(lines), ["moved", "sealed", "stay-01", "stay-02", "stay-03"])
    for name, line in lines.items():
        lib.expect(f"{name}: state and laps", (line["state"], line["laps"]), ("finished", 3))
    print(f"moved finished as number {lines['moved']['position']}, "
          f"{lines['moved']['total_s'] - min(l['total_s'] for l in lines.values()):.1f} s behind")


main()
