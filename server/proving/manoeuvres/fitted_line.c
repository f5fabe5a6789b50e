// A straight line through points, by least squares.
#include "proving/manoeuvres/fitted_line.h"

#include "proving/rig/units.h"

void proving_line_add(proving_line *line, double x, double y) {
    line->n += 1.0;
    line->x += x;
    line->y += y;
    line->xx += x * x;
    line->xy += x * y;
}

double proving_line_slope(const proving_line *line) {
    double spread = line->n * line->xx - line->x * line->x;
    if (!(spread > 1e-12 * line->n * line->xx)) {
        return proving_nothing();
    }
    return (line->n * line->xy - line->x * line->y) / spread;
}

double proving_line_start(const proving_line *line) {
    return (line->y - proving_line_slope(line) * line->x) / line->n;
}
