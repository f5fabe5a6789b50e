/// The furnishing of a table of points: what lies beside the road is chosen by the bends.
#include "content/import/import_furnish.h"

#include <math.h>

#include "content/import/import_shape.h"

#define VERGE_M 16.0
#define RAIL_M  12.0

// A bend is told over this much to both sides, since a surveyed line trembles.
#define LOOK_M        12.0
#define BEND_M_MAX    130.0 // radius
#define BEND_M_MIN    10.0  // length
#define TRAP_BEND_M   80.0  // radius below which cars fly off
#define KERB_MORE_M   4.0
#define EXIT_BEFORE_M 8.0
#define EXIT_BEHIND_M 30.0
#define TRAP_BEHIND_M 50.0
#define TRAP_FROM_M   4.0
#define TRAP_TO_M     11.0
#define TRAP_SPARE_M  6.0
#define ELSEWHERE_M   80.0  // along the lap: another stretch of road
#define GRID_M        110.0 // behind the line, of two dozen boxes

typedef struct bend {
    uint32_t first, last; ///< points; first > last goes over the line
    bool left;
    double tightest_per_m;
} bend;

typedef struct furnisher {
    import_line *line;
    double lap_m;
    bool traps; ///< this time; else kerbs
} furnisher;

static double bend_at_per_m(const import_line *line, uint32_t index) {
    uint32_t before = index, next = index;
    double along_m = line->along_m[index];
    do {
        before = import_before(line, before);
    } while (import_apart_m(line, line->along_m[before], along_m) < LOOK_M && before != index);
    do {
        next = import_next(line, next);
    } while (import_apart_m(line, line->along_m[next], along_m) < LOOK_M && next != index);
    return import_curvature_per_m(&line->points[before], &line->points[index], &line->points[next]);
}

/// Distance along the laid lap, in whole metres.
static double place_m(const furnisher *furnish, double along_m) {
    double plan_m = furnish->line->along_m[furnish->line->count];
    double share = along_m / plan_m;
    return floor((share - floor(share)) * furnish->lap_m);
}

static void add_strip(const furnisher *furnish, const apex_track_strip *strip) {
    apex_track_def *def = &furnish->line->circuit->def;
    if (def->strip_count == APEX_TRACK_STRIPS_MAX) {
        return;
    }
    apex_track_strip *added = &def->strips[def->strip_count];
    *added = *strip;
    added->from_m = place_m(furnish, strip->from_m);
    added->to_m = place_m(furnish, strip->to_m);
    // Both at the first point would mean all of the lap.
    if (added->from_m == added->to_m) {
        return;
    }
    def->strip_count++;
    if (furnish->traps) {
        furnish->line->circuit->trap_count++;
    } else {
        furnish->line->circuit->kerb_count++;
    }
}

/// @return whether no other stretch of road comes near a trap beside a point.
static bool is_clear(const import_line *line, uint32_t index, bool left) {
    const apex_track_point *here = &line->points[index];
    const apex_track_point *next = &line->points[import_next(line, index)];
    double step_m = line->along_m[index + 1] - line->along_m[index];
    double offset_m = left ? here->left_m + TRAP_TO_M : -here->right_m - TRAP_TO_M;
    double x_m = here->x_m - offset_m * (next->y_m - here->y_m) / step_m;
    double y_m = here->y_m + offset_m * (next->x_m - here->x_m) / step_m;
    for (uint32_t i = 0; i < line->count; i++) {
        const apex_track_point *other = &line->points[i];
        if (import_apart_m(line, line->along_m[i], line->along_m[index]) < ELSEWHERE_M) {
            continue;
        }
        double road_m = fmax(other->left_m, other->right_m);
        if (hypot(other->x_m - x_m, other->y_m - y_m) < road_m + TRAP_SPARE_M) {
            return false;
        }
    }
    return true;
}

static void add_trap(const furnisher *furnish, const bend *at, double from_m, double to_m) {
    const import_line *line = furnish->line;
    if (at->tightest_per_m < 1 / TRAP_BEND_M) {
        return;
    }
    double middle_m = 0.5 * (from_m + to_m);
    double end_m = to_m + TRAP_BEHIND_M;
    uint32_t index = at->first;
    double since_m = 0;
    while (since_m < end_m - from_m) {
        if (!is_clear(line, index, !at->left)) {
            return;
        }
        since_m += line->along_m[index + 1] - line->along_m[index];
        index = import_next(line, index);
    }
    add_strip(furnish, &(apex_track_strip){.surface = "gravel",
                                           .side = at->left ? APEX_SIDE_RIGHT : APEX_SIDE_LEFT,
                                           .from_m = middle_m,
                                           .to_m = end_m,
                                           .from_edge = true,
                                           .inner_m = TRAP_FROM_M,
                                           .outer_m = TRAP_TO_M});
}

/// Inside of the bend, and outside where cars run wide at its exit.
static void add_kerbs(const furnisher *furnish, const bend *at, double from_m, double to_m) {
    apex_track_strip kerb = {.surface = "kerb",
                             .side = at->left ? APEX_SIDE_LEFT : APEX_SIDE_RIGHT,
                             .from_m = from_m - KERB_MORE_M,
                             .to_m = to_m + KERB_MORE_M,
                             .from_edge = true,
                             .outer_m = 1.0,
                             .height_m = 0.04};
    add_strip(furnish, &kerb);
    kerb.side = at->left ? APEX_SIDE_RIGHT : APEX_SIDE_LEFT;
    kerb.from_m = to_m - EXIT_BEFORE_M;
    kerb.to_m = to_m + EXIT_BEHIND_M;
    kerb.height_m = 0.03;
    add_strip(furnish, &kerb);
}

static void furnish_bend(const furnisher *furnish, const bend *at) {
    const import_line *line = furnish->line;
    double from_m = line->along_m[at->first];
    double to_m = line->along_m[at->last];
    to_m += to_m < from_m ? line->along_m[line->count] : 0;
    if (to_m - from_m < BEND_M_MIN) {
        return;
    }
    if (furnish->traps) {
        add_trap(furnish, at, from_m, to_m);
    } else {
        add_kerbs(furnish, at, from_m, to_m);
    }
}

static int side_of(double bend_per_m) {
    return bend_per_m > 1 / BEND_M_MAX ? 1 : bend_per_m < -1 / BEND_M_MAX ? -1 : 0;
}

static void furnish_bends(const furnisher *furnish) {
    const import_line *line = furnish->line;
    uint32_t begin = 0;
    while (begin < line->count && side_of(bend_at_per_m(line, begin)) != 0) {
        begin++;
    }
    bend at = {0};
    int side = 0;
    // From a place outside of all bends once round and back to it; a line without one has no kerbs.
    for (uint32_t i = 0; i <= line->count && begin < line->count; i++) {
        uint32_t index = (begin + i) % line->count;
        double bend_per_m = bend_at_per_m(line, index);
        int now = side_of(bend_per_m);
        if (now != side && side != 0) {
            furnish_bend(furnish, &at);
        }
        if (now != side) {
            at = (bend){.first = index, .left = now > 0};
        }
        side = now;
        at.last = index;
        at.tightest_per_m = fmax(at.tightest_per_m, fabs(bend_per_m));
    }
}

// Two columns want a road to stand on, all the way behind the line.
void import_place_grid(import_line *line) {
    apex_track_grid *grid = &line->circuit->def.grid;
    double half_m = fmin(line->points[0].left_m, line->points[0].right_m);
    for (uint32_t i = 1; i < line->count; i++) {
        if (line->along_m[line->count] - line->along_m[i] <= GRID_M) {
            half_m = fmin(half_m, fmin(line->points[i].left_m, line->points[i].right_m));
        }
    }
    grid->column_gap_m = fmin(grid->column_gap_m, floor(half_m * 10) / 10);
}

void import_furnish(import_line *line, double lap_m) {
    apex_track_def *def = &line->circuit->def;
    def->verge_m = VERGE_M;
    def->sector_count = 2;
    def->sector_m[0] = round(lap_m / 3);
    def->sector_m[1] = round(lap_m * 2 / 3);
    // Kerbs lie on top, so they come last.
    furnish_bends(&(furnisher){line, lap_m, true});
    furnish_bends(&(furnisher){line, lap_m, false});
    def->wall_count = 1;
    def->walls[0] = (apex_track_wall){
        .material = "guard-rail", .side = APEX_SIDE_BOTH, .distance_m = RAIL_M, .height_m = 1};
}
