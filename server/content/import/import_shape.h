/// A surveyed line made passable.
#pragma once

#include "content/import/import_line.h"

/// Measures the way along the line.
void import_measure(import_line *line);
/// Of the circle through three points, which are not all in one place; left positive.
double import_curvature_per_m(const apex_track_point *a, const apex_track_point *b,
                              const apex_track_point *c);
/// Moves points of kinks that no road has, and narrows the road where it would fold.
void import_shape(import_line *line);
