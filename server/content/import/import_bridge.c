/// Bridges of an imported circuit. A table of points has no heights: if its line crosses itself,
/// the branch that comes later in the lap is lifted over the other, level above it, with a long
/// smooth ramp to each side (DECISIONS 19).
#include "content/import/import_bridge.h"

#include <math.h>

// From road to road; cars and the beams under the upper road want 5 m.
#define CLEARANCE_M 6.5
#define LEAST_M     5.0
// A ramp of 250 m leads up with at most 4.9 %, and a car at 70 m/s keeps two thirds of its weight
// at its top. A shorter lap makes do with less, down to one road in ten.
#define RAMP_M        250.0
#define GRADE_MAX     0.10
#define SPARE_M       5.0
#define SIN_MIN       0.2 // roads that cross at less than 12 degrees lie on each other for too long
#define PARALLEL      1e-6
#define GRADE_OF_RAMP 1.875 // steepest of 6t^5 - 15t^4 + 10t^3

typedef struct crossing {
    uint32_t first, second; ///< points before it on both branches
    double first_m, second_m;
    double sin, cos; ///< of the angle between the roads
} crossing;

/// Finds the crossing of the way from a point to the next with another such way. @return false if
/// there is none.
static bool cross(const import_line *line, uint32_t i, uint32_t k, crossing *out) {
    const apex_track_point *a = &line->points[i], *b = &line->points[import_next(line, i)];
    const apex_track_point *c = &line->points[k], *d = &line->points[import_next(line, k)];
    double ab_x = b->x_m - a->x_m, ab_y = b->y_m - a->y_m;
    double cd_x = d->x_m - c->x_m, cd_y = d->y_m - c->y_m;
    double ac_x = c->x_m - a->x_m, ac_y = c->y_m - a->y_m;
    double area = ab_x * cd_y - ab_y * cd_x;
    double ab_m = hypot(ab_x, ab_y), cd_m = hypot(cd_x, cd_y);
    if (fabs(area) < PARALLEL * ab_m * cd_m) {
        return false;
    }
    double t = (ac_x * cd_y - ac_y * cd_x) / area;
    double u = (ac_x * ab_y - ac_y * ab_x) / area;
    if (!(t >= 0 && t < 1 && u >= 0 && u < 1)) {
        return false;
    }
    *out = (crossing){.first = i,
                      .second = k,
                      .first_m = line->along_m[i] + t * ab_m,
                      .second_m = line->along_m[k] + u * cd_m,
                      .sin = fabs(area) / (ab_m * cd_m),
                      .cos = fabs(ab_x * cd_x + ab_y * cd_y) / (ab_m * cd_m)};
    return true;
}

/// @return how many; more than fit are told by one more.
static uint32_t find_crossings(const import_line *line,
                               crossing out[APEX_CIRCUIT_BRIDGES_MAX + 1]) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < line->count; i++) {
        // Neighbours meet in a point and do not cross.
        uint32_t last = i == 0 ? line->count - 1 : line->count;
        for (uint32_t k = i + 2; k < last; k++) {
            if (cross(line, i, k, &out[found]) && ++found > APEX_CIRCUIT_BRIDGES_MAX) {
                return found;
            }
        }
    }
    return found;
}

static double wider_m(const apex_track_point *point) {
    return fmax(point->left_m, point->right_m);
}

static double height_at_m(const import_line *line, uint32_t index, double along_m) {
    const apex_track_point *from = &line->points[index];
    const apex_track_point *to = &line->points[import_next(line, index)];
    double step_m = line->along_m[index + 1] - line->along_m[index];
    return from->z_m + (to->z_m - from->z_m) * (along_m - line->along_m[index]) / step_m;
}

/// Lifts the second branch. The two ramps must be up before they reach the first branch again.
static bool lift(import_line *line, const crossing *at) {
    double under_m = wider_m(&line->points[at->first]);
    double over_m = wider_m(&line->points[at->second]);
    double level_m = (under_m + over_m * at->cos) / at->sin + SPARE_M;
    double below_m = (over_m + under_m * at->cos) / at->sin + SPARE_M;
    double room_m = import_apart_m(line, at->first_m, at->second_m) - level_m - below_m;
    double ramp_m = fmin(RAMP_M, room_m);
    if (!(ramp_m > 0 && GRADE_OF_RAMP * CLEARANCE_M / ramp_m <= GRADE_MAX)) {
        return false;
    }
    for (uint32_t i = 0; i < line->count; i++) {
        double beyond_m = import_apart_m(line, line->along_m[i], at->second_m) - level_m;
        double t = fmin(fmax(1 - beyond_m / ramp_m, 0), 1);
        double share = t * t * t * (10 - 15 * t + 6 * t * t);
        double height_m = round(1000.0 * CLEARANCE_M * share) / 1000.0;
        line->points[i].z_m = fmax(line->points[i].z_m, height_m);
    }
    apex_circuit *circuit = line->circuit;
    circuit->bridge_m[circuit->bridge_count] = at->second_m;
    circuit->bridge_under_m[circuit->bridge_count++] = at->first_m;
    circuit->bridge_height_m = CLEARANCE_M;
    circuit->bridge_grade = fmax(circuit->bridge_grade, GRADE_OF_RAMP * CLEARANCE_M / ramp_m);
    return true;
}

static apex_err no_room(const import_text *from, const import_line *line, const crossing *at,
                        const char *why) {
    return import_refuse(from, line->text_line[at->second], 1,
                         "the lap crosses itself here and on line %u, and %s",
                         line->text_line[at->first], why);
}

apex_err import_bridges(const import_text *from, import_line *line) {
    crossing found[APEX_CIRCUIT_BRIDGES_MAX + 1];
    uint32_t count = find_crossings(line, found);
    if (count > APEX_CIRCUIT_BRIDGES_MAX) {
        return import_refuse(from, line->text_line[found[count - 1].second], 1,
                             "the lap crosses itself more than %d times", APEX_CIRCUIT_BRIDGES_MAX);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (found[i].sin < SIN_MIN) {
            return no_room(from, line, &found[i], "at too small an angle for a bridge");
        }
        if (!lift(line, &found[i])) {
            return no_room(from, line, &found[i], "there is no room for the ramps of a bridge");
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        double upper_m = height_at_m(line, found[i].second, found[i].second_m);
        double lower_m = height_at_m(line, found[i].first, found[i].first_m);
        if (upper_m - lower_m < LEAST_M) {
            return no_room(from, line, &found[i], "a ramp of another bridge is in the way");
        }
    }
    return APEX_OK;
}
