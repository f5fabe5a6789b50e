#!/usr/bin/python3
"""Decodes the packets of proto/delta_vectors.txt with a decoder that was written from PROTOCOL.md
alone, and compares all that the file says of them."""

import pathlib
import sys

sys.dont_write_bytecode = True

import delta_decoder as delta

VECTORS = pathlib.Path(delta.__file__).parents[2] / "proto" / "delta_vectors.txt"
TICK_HZ, TICK, SEQUENCE = 60, 65500, 200


def lines_of(head, cars, listed):
    """The cars that were decoded, as the file has them."""
    yield "head " + " ".join(f"{name} {value}" for name, value in head.items())
    told = [("far" if car["far"] else "near", car) for car in cars]
    for what, car in told + [("listed", car) for car in listed]:
        values = (str(car[name]) for name in delta.FIELDS if name in car)
        yield f"{what} {car['id']} {' '.join(values)}"


def is_refused(decoder, packet):
    try:
        decoder.decode(packet)
    except delta.Refused:
        return True
    return False


def main():
    decoder = delta.Decoder(TICK_HZ, TICK, SEQUENCE)
    blocks = VECTORS.read_text(encoding="utf-8").split("\npacket ")[1:]
    for number, block in enumerate(blocks):
        code, *wanted = block.strip().split("\n")
        packet = bytes.fromhex(code)
        # Too short or too long it is refused, and leaves nothing behind that spoils what follows.
        for length in range(len(packet)):
            assert is_refused(decoder, packet[:length]), f"packet {number} of {length} bytes"
        assert is_refused(decoder, packet + b"\0"), f"packet {number} with a byte too much"
        got = list(lines_of(*decoder.decode(packet)))
        assert got == wanted, f"packet {number}:\n" + "\n".join(got + ["is not"] + wanted)
        # A decoder that has not seen what a packet leans on must notice.
        stranger = delta.Decoder(TICK_HZ, TICK, SEQUENCE)
        assert is_refused(stranger, packet) == (number > 0), f"packet {number} first of all"
    assert len(blocks) >= 4, "the file has too few packets"
    print(f"{len(blocks)} packets")


main()
