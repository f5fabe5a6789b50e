/// Surroundings that a table of points does not know.
#pragma once

#include "content/import/import_line.h"

/// Columns as far apart as the road allows, before a track is laid of it.
void import_place_grid(import_line *line);
/// Sectors, kerbs, gravel traps and rails for a lap of that length.
void import_furnish(import_line *line, double lap_m);
