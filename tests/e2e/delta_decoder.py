"""A decoder of delta snapshots written from proto/PROTOCOL.md alone: short, plain and slow. It has
the table of fields and the lengths of codes from that page itself, so that these are tried, too."""

import pathlib
import re

PAGE = (pathlib.Path(__file__).parents[2] / "proto" / "PROTOCOL.md").read_text(encoding="utf-8")
# Name: bits, sign, and how many lowest bits far cars lack ("": all of them).
TABLE = re.findall(r"^\| ([a-z ]+?) \| (\d+) \| (signed|circle|) ?\| (\d|) ?\| (no|) ?\|",
                   PAGE, re.MULTILINE)
FIELDS = {name: (int(bits), sign, far) for name, bits, sign, far, _ in TABLE}
LISTED = [name for name, _, _, far, lacks in TABLE if far and not lacks]
# Fields whose differences share a symbol, and the largest difference that has a digit.
GROUPS = ({"acceleration": 3, "along": 2}, {"aside": 3, "yaw rate": 3}, {"yaw": 1, "x": 1, "y": 1},
          {"climb": 1, "z": 1, "pitch": 1, "roll": 1},
          {"rpm": 1, "steer": 1, "throttle": 1, "brake": 1})
AGE_TICKS_MAX = 63


def number_codes(letters):
    """{(length, code): symbol}, from a letter for each symbol."""
    codes, following, before = {}, 0, 0
    for length, symbol in sorted((ord(letter) - ord("a") + 1, symbol)
                                 for symbol, letter in enumerate(letters)):
        following <<= length - before
        codes[length, following] = symbol
        following, before = following + 1, length
    return codes


CODES = {(int(of), int(group)): number_codes("".join(letters.split()))
         for of, group, letters in re.findall(r"^(\d) (\d)  ([a-z\s]+)", PAGE, re.MULTILINE)}


class Refused(Exception):
    """The packet is wrong or leans on what is not there: drop it, and ask for repair."""


class Bits:
    def __init__(self, data):
        self.left = [byte >> at & 1 for byte in reversed(data) for at in reversed(range(8))]

    def take(self, count, sign=""):
        if count > len(self.left):
            raise Refused("the packet ends too early")
        value = sum(self.left.pop() << at for at in range(count))
        return value - (1 << count) if sign == "signed" and value >> count - 1 else value

    def ones(self):
        count = 0
        while self.take(1):
            count += 1
        return count

    def counted(self):
        """A number from 1: its digits below the highest are counted, and follow."""
        digits = self.ones()
        return 1 << digits | self.take(digits)

    def symbol(self, codes):
        code = 0
        for length in range(1, 27):
            code = code << 1 | self.take(1)
            if (length, code) in codes:
                return codes[length, code]
        raise Refused("there is no such code")


def nearest(low, bits, known):
    """The number with these lowest bits that is nearest to `known`."""
    half = 1 << bits - 1
    return known + (low - known + half) % (1 << bits) - half


def divided(number, by):
    return (2 * abs(number) + by) // (2 * by) * (-1 if number < 0 else 1)


def sine(yaw):
    if yaw % 8192 >= 4096:
        return -sine(yaw + 4096)
    z = min(yaw % 8192, 4096 - yaw % 8192)
    q = z * z >> 8
    t = 10539 - (q * 1191 >> 14)
    t = 25733 - (q * t >> 14)
    return z * t >> 11


def foretold(name, b, n, age, hz):
    """A field, from those of the baseline and the new ones before it."""
    if name == "along":
        return b[name] + divided(5 * age * (b["acceleration"] + n["acceleration"]), hz)
    if name == "yaw":
        return b[name] + divided(163 * age * (b["yaw rate"] + n["yaw rate"]), 16 * hz)
    if name == "x":
        s = sum(sine(car["yaw"] + 2048) * car["along"] - sine(car["yaw"]) * car["aside"]
                for car in (b, n))
        return b[name] + divided(5 * age * (s >> 9), 64 * hz)
    if name == "y":
        s = sum(sine(car["yaw"]) * car["along"] + sine(car["yaw"] + 2048) * car["aside"]
                for car in (b, n))
        return b[name] + divided(5 * age * (s >> 9), 64 * hz)
    if name == "z":
        return b[name] + divided(5 * age * (b["climb"] + n["climb"]), 2 * hz)
    if name == "rpm" and n["gear"] == b["gear"] and abs(b["along"]) > 39:
        return max(0, min(255, int(b[name] * n["along"] / b["along"])))
    return b[name]


def fields_of(far):
    """Those a car of this class has: name, bits told, sign, and lowest bits that are not told."""
    for name, (bits, sign, lacks) in FIELDS.items():
        if lacks or not far:
            yield name, bits - int(far and lacks), sign, int(far and lacks)


def alone(bits, slot, far):
    identity = {"id": bits.take(16) << 16 | slot, "far": far}
    return identity | {name: bits.take(told, sign) for name, told, sign, _ in fields_of(far)}


def listed(bits, before):
    """A car of the list, and the one before it there."""
    slot, upper = (before["id"] + 1) % (1 << 16), before["id"] >> 16
    slot = bits.take(16) if bits.take(1) else slot
    upper = bits.take(16) if bits.take(1) else upper
    flags = bits.take(8) if bits.take(1) else before["flags"]
    values = {name: bits.take(told, sign) for name, told, sign, _ in fields_of(True)
              if name in LISTED and name != "flags"}
    return {"id": upper << 16 | slot, "flags": flags, **values}


def changed(bits, base, age, hz):
    of = 3 if base["far"] else 0 if 12 * age <= hz else 1 if 6 * age <= hz else 2
    differences, news, rare = {}, {}, 0
    for group, fields in enumerate(GROUPS):
        symbol = bits.symbol(CODES[of, group])
        if group == 0:
            symbol, rare = divmod(symbol, 2)
        for name, most in reversed(fields.items()):
            symbol, digit = divmod(symbol, 2 * most + 2)
            differences[name] = digit - most
        for name, most in fields.items():
            if differences[name] > most:
                differences[name] = (-1 if bits.take(1) else 1) * (bits.counted() + most)
    for name, told, sign, _ in fields_of(base["far"]):
        if rare and name in ("gear", "flags", "damage") and bits.take(1):
            news[name] = bits.take(told, sign)
    b = dict.fromkeys(FIELDS, 0) | {name: base[name] << lacks
                                    for name, _, _, lacks in fields_of(base["far"])}
    car, n = {"id": base["id"], "far": base["far"]}, {}
    for name, told, sign, lacks in fields_of(base["far"]):
        value = (foretold(name, b, n, age, hz) >> lacks) + differences.get(name, 0)
        value = news.get(name, value) % (1 << told) if sign == "circle" else news.get(name, value)
        low = -(1 << told - 1) if sign == "signed" else 0
        if not low <= value < low + (1 << told):
            raise Refused(f"{name} {value} is outside its bits")
        car[name], n[name] = value, value << lacks
    return car


def hash_of(car):
    h = (2166136261 ^ car["id"]) * 16777619
    for name in FIELDS:
        h = (h ^ car.get(name, 0)) * 16777619 % (1 << 32)
    return h >> 16


class Decoder:
    def __init__(self, tick_hz, tick, sequence=0):
        self.hz, self.tick, self.sequence, self.kept = tick_hz, tick, sequence, {}

    def decode(self, packet):
        """The head, the cars and those of the list. A refused packet leaves no trace."""
        bits = Bits(packet)
        head = {"tick": nearest(bits.take(16), 16, self.tick),
                "sequence": nearest(bits.take(8), 8, self.sequence)}
        if self.kept and head["tick"] > self.tick and head["sequence"] <= self.sequence:
            head["sequence"] += 256
        age, count, spread = (bits.take(width) for width in (6, 8, 4))
        plain, has_race, has_controls, has_list = (bits.take(1) for _ in range(4))
        if has_race:
            head |= {"phase": bits.take(3), "race_time_ms": bits.take(32, "signed")}
        if has_controls:
            head |= {"controls_age": bits.take(8), "controls_depth": bits.take(8, "signed")}
        list_count = bits.take(7) if has_list else 0
        cars, slot = {}, 0
        for _ in range(count):
            if slot == 0:
                slot = bits.counted()
            else:
                slot += 1 + (0 if spread == 15 else bits.ones() << spread | bits.take(spread))
            cars[slot] = self.car(bits, slot, head["tick"], None if plain else bits.take(1), age)
        told = []
        for _ in range(list_count):
            told.append(listed(bits, told[-1] if told else {"id": 0, "flags": 0}))
        total = head["tick"] + (head["tick"] >> 16)
        total += sum(hash_of(car) for car in [*cars.values(), *told])
        if bits.take(16) != total % (1 << 16) or len(bits.left) > 7 or any(bits.left):
            raise Refused("the checksum is wrong, or something follows it")
        self.tick = max(self.tick, head["tick"])
        self.sequence = max(self.sequence, head["sequence"])
        self.kept[head["tick"]] = cars
        self.kept = {tick: kept for tick, kept in self.kept.items()
                     if tick >= self.tick - AGE_TICKS_MAX}
        return head, list(cars.values()), told

    def car(self, bits, slot, tick, kind, age):
        if kind and bits.take(1):
            return alone(bits, slot, bool(bits.take(1)))
        age = bits.take(6) if kind else age
        base = self.kept.get(tick - age, {}).get(slot)
        if base is None:
            raise Refused(f"nothing is known of slot {slot} in tick {tick - age}")
        return changed(bits, base, age, self.hz)
