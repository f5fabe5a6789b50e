#!/usr/bin/env python3
"""Measures what spectators by WebSocket cost the server, and what hostile ones do to its ticks.

  web_spectators.py [--server PATH] [--spectators 200] [--cars 24] [--seconds 20]

A race of bots that the server drives itself is watched by so many WebSockets, each with delta
snapshots at 20 Hz and an acknowledgement for every fourth, as the page has them. Processor time is
the server's, read from /proc, with and without them; then again with a flood of connections and
damaged frames beside it. Prints "name value unit" lines, as tests/bench/run does."""

import argparse
import asyncio
import base64
import os
import random
import struct
import tempfile
import time

import hosted

RACE = """kind: race
name: watched
track: ridgeway
cars: [boxster-s]
laps: 500
races: 1
player_capacity: {cars}
start_players: {cars}
countdown_s: 1
bots: {cars}
server:
  port: 0
  clients_max: 2000
  clients_per_address_max: 2000
"""
HELLO, SPECTATE = b"\x0a\x02\x08\x03", b"\x1a\x00"
SUBSCRIBE = b"\x3a\x04\x08\x14\x28\x01"  # 20 Hz, deltas


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def behind_varint(content, at):
    while content[at] & 0x80:
        at += 1
    return at + 1


def ack(newest, before):
    body = b"\x08" + varint(newest) + b"\x15" + struct.pack("<I", before)
    return b"\x4a" + varint(len(body)) + body


def masked(content):
    head = bytes([0x82, 0x80 | len(content)])
    return head + b"\0\0\0\0" + content  # a mask of zeros is a mask


class Spectator:
    def __init__(self):
        self.snapshots = 0
        self.bytes = 0
        self.sequence = 0

    async def watch(self, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(handshake(port))
        status = await reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in status:
            raise RuntimeError(status)
        for message in (HELLO, SPECTATE, SUBSCRIBE):
            writer.write(masked(message))
        while True:
            first, second = await reader.readexactly(2)
            length = second & 0x7F
            if length == 126:
                length = struct.unpack(">H", await reader.readexactly(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", await reader.readexactly(8))[0]
            content = await reader.readexactly(length)
            if first & 0x0F == 9:
                writer.write(bytes([0x8A, 0x80 | length]) + b"\0\0\0\0" + content)
            elif first & 0x0F == 2 and content[:1] == b"\x32":
                self.snapshots += 1
                self.bytes += length
                self.acknowledge(writer, content)

    def acknowledge(self, writer, content):
        at = behind_varint(content, 1)
        if content[at:at + 1] != b"\x52":  # Snapshot.delta
            raise RuntimeError(f"a snapshot without changes: {content[:16].hex()}")
        at = behind_varint(content, at + 1)
        low = content[at + 2]  # behind 16 bits of the tick
        self.sequence += (low - self.sequence) % 256
        if self.snapshots % 4 == 0:
            writer.write(masked(ack(1 + self.sequence % 65536, 0xFFFFFFFF)))


async def measured(server, seconds):
    span = await asyncio.to_thread(hosted.Span, server)
    await asyncio.sleep(seconds)
    return await asyncio.to_thread(span.end)


def handshake(port, origin=None):
    key = base64.b64encode(os.urandom(16)).decode()
    said = f"Origin: {origin}\r\n" if origin else ""
    return (f"GET /race/1 HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n{said}"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: apex-1\r\n\r\n").encode()


def hostile_words(rng, port):
    """The bytes that one connection of a flood says."""
    return rng.choice((
        lambda: rng.randbytes(rng.randrange(1, 300)),
        lambda: handshake(port)[:rng.randrange(1, 120)],
        lambda: handshake(port, "https://evil.example"),
        lambda: handshake(port) + rng.randbytes(rng.randrange(1, 600)),
        lambda: handshake(port) + b"\x82\xff" + struct.pack(">Q", 1 << 30) + bytes(4000),
        lambda: handshake(port) + masked(HELLO) + masked(rng.randbytes(100)),
    ))()


async def sleeper(port):
    """Wants every car whole, and reads nothing."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1)
    writer.write(handshake(port) + masked(HELLO) + masked(SPECTATE) + masked(b"\x3a\x02\x08\x14"))
    try:
        await asyncio.sleep(3600)
    finally:
        writer.close()
        del reader


async def flood(port, a_second, seconds):
    """New connections at a rate, each with something hostile to say, and readers that sleep."""
    rng = random.Random(1)
    sleepers = [asyncio.create_task(sleeper(port)) for _ in range(8)]
    made, until = 0, time.monotonic() + seconds
    began = time.monotonic()

    async def one():
        try:
            source = f"127.0.{rng.randrange(1, 250)}.{rng.randrange(1, 250)}"
            _, writer = await asyncio.wait_for(
                asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0)), 5)
            writer.write(hostile_words(rng, port))
            writer.close()
        except (OSError, asyncio.TimeoutError):
            pass

    while time.monotonic() < until:
        due = int((time.monotonic() - began) * a_second)
        tasks = [asyncio.create_task(one()) for _ in range(due - made)]
        made = max(made, due)
        if tasks:
            await asyncio.wait(tasks)
        await asyncio.sleep(0.005)
    for each in sleepers:
        each.cancel()
    return made


async def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--server", default=hosted.PROGRAM)
    options.add_argument("--spectators", type=int, default=200)
    options.add_argument("--cars", type=int, default=24)
    options.add_argument("--seconds", type=float, default=20)
    options = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = hosted.Server(options.server, RACE.format(cars=options.cars), folder)
        try:
            await asyncio.sleep(8)
            alone = await measured(server, options.seconds)
            spectators = [Spectator() for _ in range(options.spectators)]
            tasks = []
            for each in spectators:  # an address may open so many in a second
                tasks.append(asyncio.create_task(each.watch(server.port)))
                await asyncio.sleep(0.03)
            await asyncio.sleep(3)
            before = sum(each.snapshots for each in spectators)
            bytes_before = sum(each.bytes for each in spectators)
            watched = await measured(server, options.seconds)
            rate = (sum(each.snapshots for each in spectators) - before) / options.seconds
            size = (sum(each.bytes for each in spectators) - bytes_before) / options.seconds / max(rate, 1)
            flooding = asyncio.create_task(flood(server.port, 1000, options.seconds + 1))
            flooded = await measured(server, options.seconds)
            made = await flooding
            broken = [task for task in tasks if task.done()]
            print(f"web.spectators.{options.spectators}.snapshots_per_s {rate / options.spectators:.2f} Hz")
            print(f"web.spectators.{options.spectators}.bytes_per_snapshot {size:.0f} B")
            print(f"web.spectators.{options.spectators}.cores {watched.cores - alone.cores:.4f} cores")
            print(f"web.alone.cores {alone.cores:.4f} cores")
            print(f"web.flooded.cores {flooded.cores - watched.cores:.4f} cores")
            print(f"web.flooded.connections_per_s {made / (options.seconds + 1):.0f} Hz")
            print(f"web.alone.tick_p99 {alone.tick_p99:.2f} ms")
            print(f"web.spectators.{options.spectators}.tick_p99 {watched.tick_p99:.2f} ms")
            print(f"web.flooded.tick_p99 {flooded.tick_p99:.2f} ms")
            print(f"web.spectators.lost {len(broken)} links")
            for task in tasks:
                task.cancel()
        finally:
            server.end()


asyncio.run(main())
