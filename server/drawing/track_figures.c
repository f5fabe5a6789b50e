// The figures of a laid track: its line, bends, crossings and surfaces.
#include "drawing/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/trig.h"
#include "drawing/min_max.h"
#include "track/plan.h"

enum { BOXES_MAX = 4096 };

#define STEP_M 2.0
// A bend turns by this much and is no wider than that; told over a stretch, since surveyed lines
// tremble.
#define LOOK_M       12.0
#define BEND_M_MAX   300.0
#define BEND_RAD_MIN 0.2
#define APART_M      30.0 // along the lap, of two places that cross

static void measure_line(const apex_track *track, apex_track_stretch lap, apex_track_figures *out) {
    double last_z_m = apex_track_frame_at(track, lap.from_m).z_m;
    out->lowest_m = out->highest_m = last_z_m;
    out->narrowest_m = HUGE_VAL;
    uint32_t steps = (uint32_t)((lap.to_m - lap.from_m) / STEP_M);
    for (uint32_t i = 0; i <= steps; i++) {
        apex_track_frame at = apex_track_frame_at(track, lap.from_m + i * STEP_M);
        out->narrowest_m = drawing_min(out->narrowest_m, at.left_m + at.right_m);
        out->widest_m = drawing_max(out->widest_m, at.left_m + at.right_m);
        out->lowest_m = drawing_min(out->lowest_m, at.z_m);
        out->highest_m = drawing_max(out->highest_m, at.z_m);
        out->climb_m += drawing_max(at.z_m - last_z_m, 0);
        out->steepest = drawing_max(out->steepest, drawing_size(apex_tan(at.slope_rad)));
        out->banking_rad_max = drawing_max(out->banking_rad_max, drawing_size(at.banking_rad));
        last_z_m = at.z_m;
    }
}

typedef struct bend_count {
    apex_track_figures *out;
    int side;
    double turned_rad;
    double tightest_per_m;
} bend_count;

static void end_bend(bend_count *bends) {
    if (bends->turned_rad >= BEND_RAD_MIN) {
        *(bends->side > 0 ? &bends->out->left_bends : &bends->out->right_bends) += 1;
        double radius_m = 1 / bends->tightest_per_m;
        bool first = bends->out->tightest_m == 0;
        bends->out->tightest_m = first ? radius_m : drawing_min(bends->out->tightest_m, radius_m);
    }
    bends->turned_rad = 0;
    bends->tightest_per_m = 0;
}

static double bend_at_per_m(const apex_track *track, double s_m) {
    double from_rad = apex_track_frame_at(track, s_m - LOOK_M).heading_rad;
    double to_rad = apex_track_frame_at(track, s_m + LOOK_M).heading_rad;
    return apex_wrap_angle(to_rad - from_rad) / (2 * LOOK_M);
}

static void count_bends(const apex_track *track, apex_track_stretch lap, apex_track_figures *out) {
    bend_count bends = {.out = out};
    bool closed = apex_track_closed(track);
    double begin_m = lap.from_m;
    // A lap is counted from a straight, so that no bend is counted twice; a circle has none.
    while (closed && begin_m < lap.to_m &&
           drawing_size(bend_at_per_m(track, begin_m)) > 1 / BEND_M_MAX) {
        begin_m += STEP_M;
    }
    if (begin_m >= lap.to_m) {
        begin_m = lap.from_m;
    }
    uint32_t steps = (uint32_t)((lap.to_m - lap.from_m) / STEP_M);
    for (uint32_t i = 0; i <= steps; i++) {
        double bend_per_m = bend_at_per_m(track, begin_m + i * STEP_M);
        int side = bend_per_m > 1 / BEND_M_MAX ? 1 : bend_per_m < -1 / BEND_M_MAX ? -1 : 0;
        if (side != bends.side) {
            end_bend(&bends);
        }
        bends.side = side;
        if (side != 0) {
            bends.turned_rad += drawing_size(bend_per_m) * STEP_M;
            bends.tightest_per_m = drawing_max(bends.tightest_per_m, drawing_size(bend_per_m));
        }
    }
    end_bend(&bends);
}

static bool cross(const apex_track_spot *a, const apex_track_spot *c, apex_track_crossing *out) {
    const apex_track_frame *from = &a[0].frame;
    const apex_track_frame *other = &c[0].frame;
    double ab_x = a[1].frame.x_m - from->x_m, ab_y = a[1].frame.y_m - from->y_m;
    double cd_x = c[1].frame.x_m - other->x_m, cd_y = c[1].frame.y_m - other->y_m;
    double ac_x = other->x_m - from->x_m, ac_y = other->y_m - from->y_m;
    double area = ab_x * cd_y - ab_y * cd_x;
    double size = sqrt((ab_x * ab_x + ab_y * ab_y) * (cd_x * cd_x + cd_y * cd_y));
    if (drawing_size(area) < 1e-6 * size) {
        return false;
    }
    double t = (ac_x * cd_y - ac_y * cd_x) / area;
    double u = (ac_x * ab_y - ac_y * ab_x) / area;
    if (!(t >= 0 && t < 1 && u >= 0 && u < 1)) {
        return false;
    }
    double one_m = a[0].s_m + t * (a[1].s_m - a[0].s_m);
    double two_m = c[0].s_m + u * (c[1].s_m - c[0].s_m);
    bool over = from->z_m > other->z_m;
    *out = (apex_track_crossing){
        .upper_s_m = over ? one_m : two_m,
        .lower_s_m = over ? two_m : one_m,
        .x_m = from->x_m + t * ab_x,
        .y_m = from->y_m + t * ab_y,
        .height_m = drawing_size(from->z_m - other->z_m),
        .sin = drawing_size(area) / size,
    };
    return true;
}

// The way to another place shrinks by at most two steps with each: far ones are skipped.
static void find_crossings(const apex_track_spot *spots, uint32_t count, bool closed,
                           apex_track_figures *out) {
    double lap_m = spots[count].s_m - spots[0].s_m;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = i + 1;
        while (k < count && out->crossing_count < APEX_TRACK_CROSSINGS_MAX) {
            double dx_m = spots[k].frame.x_m - spots[i].frame.x_m;
            double dy_m = spots[k].frame.y_m - spots[i].frame.y_m;
            double far = sqrt(dx_m * dx_m + dy_m * dy_m) / STEP_M - 3;
            double way_m = spots[k].s_m - spots[i].s_m;
            way_m = closed ? drawing_min(way_m, lap_m - way_m) : way_m;
            if (far < 1 && way_m > APART_M &&
                cross(&spots[i], &spots[k], &out->crossings[out->crossing_count])) {
                out->crossing_count++;
            }
            k += far > 1 ? (uint32_t)far : 1;
        }
    }
}

static apex_err measure_crossings(const apex_track *track, apex_track_stretch lap,
                                  apex_track_figures *out) {
    uint32_t count = (uint32_t)((lap.to_m - lap.from_m) / STEP_M) + 1;
    apex_track_spot *spots = calloc((size_t)count + 1, sizeof *spots);
    if (spots == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    double step_m = (lap.to_m - lap.from_m) / count;
    for (uint32_t i = 0; i <= count; i++) {
        spots[i] = apex_track_spot_at(track, lap.from_m + i * step_m);
    }
    find_crossings(spots, count, apex_track_closed(track), out);
    free(spots);
    return APEX_OK;
}

static void measure_ground(const apex_track *track, apex_track_figures *out) {
    const apex_ground *ground = apex_track_ground(track);
    for (uint32_t i = 0; i < ground->tile_count; i++) {
        for (uint32_t cell = 0; cell < APEX_GROUND_CELLS * APEX_GROUND_CELLS; cell++) {
            uint8_t surface =
                ground->tiles[i].surface[cell / APEX_GROUND_CELLS][cell % APEX_GROUND_CELLS];
            out->surface_m2[surface] += APEX_GROUND_CELL_M * APEX_GROUND_CELL_M;
        }
    }
    const apex_walls *walls = apex_track_walls(track);
    for (uint32_t i = 0; i < walls->segment_count; i++) {
        const apex_wall_segment *wall = &walls->segments[i];
        double dx_m = wall->to_x_m - wall->from_x_m;
        double dy_m = wall->to_y_m - wall->from_y_m;
        out->wall_m[wall->material] += sqrt(dx_m * dx_m + dy_m * dy_m);
    }
    out->memory_bytes = (uint64_t)ground->tile_count * sizeof *ground->tiles +
                        (uint64_t)ground->width * ground->depth * sizeof *ground->directory +
                        (uint64_t)walls->segment_count * sizeof *walls->segments +
                        (uint64_t)walls->post_count * sizeof *walls->posts;
}

// At the end of the room, boxes repeat from the first one on.
static uint32_t count_boxes(const apex_track *track) {
    apex_placement pole = apex_track_grid_placement(track, 0);
    uint32_t count = 1;
    while (count < BOXES_MAX) {
        apex_placement box = apex_track_grid_placement(track, count);
        if (box.x_m == pole.x_m && box.y_m == pole.y_m) {
            break;
        }
        count++;
    }
    return count;
}

static void measure_terrain(const apex_terrain *map, apex_track_figures *out) {
    uint16_t low = UINT16_MAX;
    uint16_t high = 0;
    for (size_t i = 0; i < (size_t)map->columns * map->rows; i++) {
        low = map->heights[i] < low ? map->heights[i] : low;
        high = map->heights[i] > high ? map->heights[i] : high;
    }
    out->east_m = (map->columns - 1) * map->cell_m;
    out->north_m = (map->rows - 1) * map->cell_m;
    out->ground_low_m = map->low_m + map->step_m * low;
    out->ground_high_m = map->low_m + map->step_m * high;
}

apex_err apex_track_measure(const apex_track_def *def, const apex_track *track,
                            apex_track_figures *out) {
    memset(out, 0, sizeof *out);
    out->has_lap = apex_track_has_lap(track);
    out->has_terrain = def->terrain.columns > 0;
    measure_ground(track, out);
    if (out->has_terrain) {
        measure_terrain(&def->terrain, out);
    }
    if (!out->has_lap) { // the line that gives places on it is no road
        out->grid_boxes = def->terrain.box_count;
        return APEX_OK;
    }
    apex_track_stretch lap = apex_track_extent(track);
    out->length_m = apex_track_length_m(track);
    out->grid_boxes = count_boxes(track);
    measure_line(track, lap, out);
    count_bends(track, lap, out);
    // A course crosses itself on its terrain, never over it.
    return out->has_terrain ? APEX_OK : measure_crossings(track, lap, out);
}
