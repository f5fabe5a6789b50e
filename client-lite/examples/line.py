"""Driving by a line: the driver of bot.py and look_ahead.py, written to be changed."""

import math
import sys

AUTOMATIC, LOCK, ANGLE = 126, 32767, math.pi / 32768
STEP_M, SIGHT = 2, 100  # between two points of the line that is followed; so many are looked at
GRIP_MPS2, BRAKING_MPS2 = 6.5, 5.0
STEER = 9 * LOCK  # wheelbase doubled, by the angle of full lock
PATIENCE_S = 5


class Line:
    """The centre line of a TrackDef: straight from point to point, with a point each STEP_M or so.
    Appendix A has the curve that the server lays."""

    def __init__(self, name, track):
        self.name = name
        given = list(zip(track.points.x_m, track.points.y_m))
        if not given:
            sys.exit(f"{name} has no line to follow")
        self.points, self.closed = [], track.closed
        for (ax, ay), (bx, by) in zip(given, given[1:] + given[:1] if track.closed else given[1:]):
            parts = max(1, round(math.dist((ax, ay), (bx, by)) / STEP_M))
            self.points += [(ax + (bx - ax) * k / parts, ay + (by - ay) * k / parts)
                            for k in range(parts)]
        self.bends = [self.bend(at) for at in range(len(self.points))]  # curvature, 1/m

    def index(self, at):
        count = len(self.points)
        return at % count if self.closed else max(0, min(at, count - 1))

    def bend(self, at, reach=5):
        before, here, after = (self.points[self.index(at + way)] for way in (-reach, 0, reach))
        turn = math.remainder(direction(here, after) - direction(before, here), 2 * math.pi)
        return abs(turn) / (reach * STEP_M)

    def nearest(self, place):
        return min(range(len(self.points)), key=lambda at: math.dist(self.points[at], place))


def direction(a, b):
    return math.atan2(b[1] - a[1], b[0] - a[0])


class Driver:
    """Follows a line with the car that snapshots tell of."""

    def __init__(self, line, tick_hz, phase_of_race):
        self.line, self.patience, self.phase_of_race = line, PATIENCE_S * tick_hz, phase_of_race
        self.resets, self.moved_tick = 0, 0

    def decide(self, car, snapshot):
        """The driver's answer to what it sees: what a ControlSample is to say."""
        line, place = self.line, (car.x_mm / 1e3, car.y_mm / 1e3)
        speed_mps = math.hypot(car.vx_cmps, car.vy_cmps) / 1e2
        at = line.nearest(place)
        target = line.points[line.index(at + int((6 + speed_mps / 2) / STEP_M))]
        angle = math.remainder(direction(place, target) - car.yaw * ANGLE, 2 * math.pi)
        # On the circle that leads to the target.
        steer = STEER * angle / math.dist(place, target)
        # As fast as each bend in sight allows, with the way that there is to brake for it.
        allowed_mps = min(math.sqrt(GRIP_MPS2 / max(line.bends[line.index(at + way)], 1e-4)
                                    + 2 * BRAKING_MPS2 * STEP_M * way) for way in range(SIGHT))
        pedal = max(-1, min(1, 0.3 * (allowed_mps - speed_mps)))
        if speed_mps > 1 or snapshot.phase != self.phase_of_race:
            self.moved_tick = snapshot.tick
        elif snapshot.tick > self.moved_tick + self.patience:  # stuck
            self.resets, self.moved_tick = (self.resets + 1) % 256, snapshot.tick
        return {"steer": int(max(-LOCK, min(LOCK, steer))), "throttle": int(255 * max(0, pedal)),
                "brake": int(255 * max(0, -pedal)), "gear": AUTOMATIC, "reset": self.resets}
