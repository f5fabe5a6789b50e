/// A straight line through points, by least squares.
#pragma once

/// A line through points by least squares.
typedef struct proving_line {
    double n, x, y, xx, xy;
} proving_line;

void proving_line_add(proving_line *line, double x, double y);
double proving_line_slope(const proving_line *line); ///< NaN of fewer than two places
double proving_line_start(const proving_line *line); ///< y at x = 0
