// Track definitions whose geometry is known in closed form, and one that has everything. For tests,
// golden hashes and benchmarks of what lies on a track. All points come from base/trig, so that the
// definitions have the same bits everywhere.

#pragma once

#include "track/track.h"

// Counter-clockwise round (0, 0), first point at (radius, 0) heading along +y.
apex_track_def track_scene_circle(double radius_m, uint32_t points, double banking_rad);

// Two straights along x at y = +-radius, joined by half circles; counter-clockwise, first point at
// (0, -radius) heading along +x. Flat.
apex_track_def track_scene_oval(double straight_m, double radius_m);

// A lying 8 through (0, 0), where one branch, climbing from no height at all, passes over the other
// by `bridge_m`. 200 m to each side, about 1.2 km.
apex_track_def track_scene_eight(double bridge_m);

// A straight along +x from x = 0 to 800, start line at 100, finish line at 502.336.
apex_track_def track_scene_drag(void);

// About `length_m` of hills, bends both ways, banking, kerbs, gravel, a wet patch, walls, posts and
// a free wall.
apex_track_def track_scene_circuit(double length_m);

// A level terrain at 0 m (value 100 of -1 m and steps of a centimetre) with its south-western node
// at (0, 0): concrete, with grass as the other surface of its palette, sand outside and one box at
// (20, 20). Heights and surfaces are there to be changed.
apex_track_def track_scene_terrain(uint32_t columns, uint32_t rows, double cell_m);

// Room for `count` points, zeroed, in place of those it has; ends the program when there is none.
void track_scene_resize(apex_track_def *def, uint32_t count);
