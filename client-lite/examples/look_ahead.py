#!/usr/bin/python3
"""A bot that looks ahead: once a second it says who is near, and where, when its controls act.

It drives as bot.py beside it does. Without the server's physics a car is best taken to go on with
the acceleration it had; client-lite/BOTS.md says how far that is off. What a snapshot then tells is
compared with what was foretold of its tick.

    build/release/apex-server --track oval --bots 6 &
    client-lite/examples/look_ahead.py --name "my bot"
"""

import argparse
import math
import sys
import time

sys.dont_write_bytecode = True
import bot
import line
from messages import wire

NEAR_M, RIVAL_M = 50, 15  # who is told of, and who counts
HORIZON_S = 0.25          # farther ahead nobody is foretold


def place_of(car):
    return car.x_mm / 1e3, car.y_mm / 1e3


def in_frame_of(own_yaw, way):
    """Along and to the left of a car's nose."""
    sine, cosine = math.sin(own_yaw), math.cos(own_yaw)
    return way[0] * cosine + way[1] * sine, way[1] * cosine - way[0] * sine


class Motion:
    """A car by its last two states: between them it had this acceleration, and it keeps it."""

    def __init__(self, tick, car):
        self.tick, self.car, self.acceleration = tick, car, (0, 0)
        self.velocity = (car.vx_cmps / 1e2, car.vy_cmps / 1e2)

    def after(self, tick, car, tick_hz):
        new, passed_s = Motion(tick, car), (tick - self.tick) / tick_hz
        new.acceleration = tuple((is_ - was) / passed_s
                                 for is_, was in zip(new.velocity, self.velocity))
        return new

    def place(self, tick, tick_hz):
        ahead_s = min((tick - self.tick) / tick_hz, HORIZON_S)
        return tuple(at + ahead_s * v + ahead_s ** 2 / 2 * a for at, v, a in
                     zip(place_of(self.car), self.velocity, self.acceleration))


class Sight:
    """All cars as they were told last, and what was foretold of them."""

    def __init__(self, tick_hz):
        self.tick_hz, self.motions, self.names, self.foretold, self.errors = tick_hz, {}, {}, {}, []

    def hear(self, snapshot, own_id):
        """A part of a snapshot: is it as was foretold?"""
        own = next((car for car in snapshot.cars if car.id == own_id), None)
        for car in snapshot.cars:
            was = self.motions.get(car.id)
            if was and was.tick >= snapshot.tick:
                continue
            foretold = self.foretold.pop((car.id, snapshot.tick), None)
            is_near = own and car.id != own_id and math.dist(place_of(own), place_of(car)) < RIVAL_M
            if foretold and is_near:
                way = (foretold[0] - car.x_mm / 1e3, foretold[1] - car.y_mm / 1e3)
                self.errors.append(tuple(map(abs, in_frame_of(car.yaw * line.ANGLE, way))))
            self.motions[car.id] = (was.after(snapshot.tick, car, self.tick_hz) if was else
                                    Motion(snapshot.tick, car))

    def foretell(self, tick, told_tick):
        """Notes where all cars will be. What is older than a second was never told of."""
        for car, motion in self.motions.items():
            if motion.tick == told_tick:
                self.foretold[car, tick] = motion.place(tick, self.tick_hz)
        self.foretold = {key: place for key, place in self.foretold.items()
                         if key[1] > told_tick - self.tick_hz}

    def tell(self, own_id, tick):
        """Who is near at that tick, all cars at one moment."""
        own = self.motions[own_id]
        print(f"tick {tick}, {1000 * (tick - own.tick) / self.tick_hz:.0f} ms ahead of what was told")
        for car, motion in self.motions.items():
            way = [to - at for to, at in zip(motion.place(tick, self.tick_hz),
                                             own.place(tick, self.tick_hz))]
            if car != own_id and math.hypot(*way) < NEAR_M:
                ahead_m, left_m = in_frame_of(own.car.yaw * line.ANGLE, way)
                print(f"  {self.names.get(car, 'somebody')}: {abs(ahead_m):.1f} m "
                      f"{'ahead' if ahead_m > 0 else 'behind'}, {abs(left_m):.1f} m to the "
                      f"{'left' if left_m > 0 else 'right'}")
        if self.errors:
            along, across = (sorted(column)[len(self.errors) * 95 // 100] for column in
                             zip(*self.errors))
            print(f"  95 in 100 were off by less than {100 * along:.1f} cm along and "
                  f"{100 * across:.1f} cm across; {len(self.errors)} compared")
        sys.stdout.flush()


def drive(link, welcome, joined, driver, until_s):
    hands, sight = bot.Hands(link, welcome), Sight(welcome.tick_hz)
    sample, told_s = None, time.monotonic()
    while time.monotonic() < until_s:
        for name, message in link.news():
            if name == "roster":
                sight.names |= {entry.car: entry.name for entry in message.entries if entry.car}
            elif name == "snapshot":
                sight.hear(message, joined.car)
                own = sight.motions.get(joined.car)
                if own and own.tick == message.tick:
                    hands.heard(message)
                    sample = wire.ControlSample(**driver.decide(own.car, message))
        if not sample:
            continue
        hands.act(sample)
        # Controls set now act from here on; a snapshot tells of this tick or of the next such one.
        ahead = math.ceil((hands.newest - hands.tick) / hands.period) * hands.period
        sight.foretell(hands.tick + ahead, hands.tick)
        if time.monotonic() > told_s + 1:
            told_s = time.monotonic()
            sight.tell(joined.car, hands.newest)
    link.say(leave=wire.Leave())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("host", nargs="?", default="127.0.0.1")
    parser.add_argument("port", nargs="?", type=int, default=26000)
    parser.add_argument("--name", default="look_ahead.py")
    parser.add_argument("--seconds", type=float, default=math.inf, help="leave after this time")
    wish = parser.parse_args()
    link = bot.Link(wish.host, wish.port)
    welcome, driver = bot.enter(link)
    joined = link.ask("joined", join=wire.Join(name=wish.name))
    print(f"{wish.name} drives {joined.car_def}", flush=True)
    drive(link, welcome, joined, driver, time.monotonic() + wish.seconds)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
