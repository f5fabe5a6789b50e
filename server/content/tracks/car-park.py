#!/usr/bin/env python3
"""Draws the maps of the car park: car-park-heights.pgm, car-park-surfaces.pgm, into this folder.

A node each metre, 201 by 151, (-100, -75) in the south-west; heights in centimetres.
"""

import pathlib

COLUMNS, ROWS, WEST, SOUTH = 201, 151, -100, -75
ASPHALT, CONCRETE, KERB, GRASS, PAINT = 0, 60, 120, 180, 240

heights = [[0] * COLUMNS for _ in range(ROWS)]  # the southern row first
surfaces = [[ASPHALT] * COLUMNS for _ in range(ROWS)]


def nodes(west, south, east, north):
    for y in range(south, north + 1):
        for x in range(west, east + 1):
            yield x, y


def put(x, y, surface=None, height=None):
    if surface is not None:
        surfaces[y - SOUTH][x - WEST] = surface
    if height is not None:
        heights[y - SOUTH][x - WEST] = height


def island(west, south, east, north):
    """Grass behind a kerb of 12 cm."""
    for x, y in nodes(west, south, east, north):
        edge = x in (west, east) or y in (south, north)
        put(x, y, KERB if edge else GRASS, 12 if edge else 15)


def verge():
    for x, y in nodes(-100, -75, 100, 75):
        if abs(x) > 97 or abs(y) > 72:
            put(x, y, GRASS, 15)


def bays(west, east, south, north):
    """Painted lines on both sides of an island, a car's width and a half apart."""
    for x in range(west, east + 1, 4):
        for y in [*range(south - 5, south), *range(north + 1, north + 6)]:
            put(x, y, PAINT)


def deck():
    """Up 1.6 m at 8 %, 25 m of deck, down again; 20 m wide."""
    for x, y in nodes(10, 25, 75, 45):
        put(x, y, CONCRETE, min(8 * (x - 10), 160, 8 * (75 - x)))


def roundabout(middle_x, middle_y, radius):
    for x, y in nodes(middle_x - radius, middle_y - radius, middle_x + radius, middle_y + radius):
        square = (x - middle_x) ** 2 + (y - middle_y) ** 2
        if square <= radius * radius:
            inside = square <= (radius - 1) ** 2
            put(x, y, GRASS if inside else KERB, 15 if inside else 12)


def hump(west, south, north):
    for y in range(south, north + 1):
        for i, height in enumerate([3, 8, 10, 8, 3]):
            put(west + i, y, PAINT, height)


def write(name, rows):
    picture = b"P5\n%d %d\n255\n" % (COLUMNS, ROWS) + b"".join(bytes(row) for row in reversed(rows))
    (pathlib.Path(__file__).parent / name).write_bytes(picture)


verge()
for x, y in nodes(-85, -55, -5, -15):  # the slalom's square
    put(x, y, CONCRETE)
for south in (12, 40):
    bays(-80, -20, south, south + 3)
    island(-80, south, -20, south + 3)
deck()
roundabout(60, -35, 7)
hump(15, -60, -20)
write("car-park-heights.pgm", heights)
write("car-park-surfaces.pgm", surfaces)
