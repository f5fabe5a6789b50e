/// A laid track as one block of bytes: laying takes its time, so a page has it done beside itself,
/// by another instance of this very program, and takes over what came of it (DECISIONS 33).
///
/// A client that only watches has the track laid without its ground (apex_track_sketch): that is
/// most of the work, and a page has one thread. When somebody asks for the wheel, a worker lays the
/// ground while he types his name; the join waits for it, so that a car is foretold from its first
/// tick and nothing jumps. Rejected: slices of a few milliseconds a frame, four times as long on a
/// telephone; laying while one only watches, which warms the telephone for nothing.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "physics/physics.h"

/// @return the block, for free(); NULL when out of memory.
uint8_t *client_laid_write(const apex_ground *ground, const apex_walls *walls, size_t *length);
/// Ground and walls that point into the block. Its lengths are checked, not what is in it: it is of
/// one's own making.
/// @param bytes aligned as malloc does. @return false if it is no such block.
bool client_laid_read(const uint8_t *bytes, size_t length, apex_ground *ground, apex_walls *walls);
