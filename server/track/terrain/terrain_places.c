// A terrain instead of a road, or with a course over it.
//
// All that asks for a place on the lap (order along the lap, neighbours, maps) works on a terrain
// without a course as well, because it gets a line: straight from west to east through the middle,
// as wide as the terrain. s_m then is metres from the western edge, offset_m metres north of the
// middle.
#include "track/terrain/terrain_ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

#define COORDINATE_M_MAX 100000.0
#define HEIGHT_M_MAX     5000.0
#define SIDE_NODES_MAX   (APEX_TERRAIN_NODES_MAX >> 1)
#define SPAN_M_MIN       16.0
#define SPAN_M_MAX       8000.0
#define CELL_M_MIN       0.5
#define CELL_M_MAX       16.0
#define FAR_AWAY_M       1e6f
#define RISE_MAX         0.7 // a metre of lap; as steep as a road may be

static bool within(double value, double low, double high) {
    return value >= low && value <= high;
}

#define CHECK_RANGE(value, low, high, path)                                          \
    if (!within((value), (low), (high))) {                                           \
        return track_refuse(problem, path ": %g is outside %g..%g", (double)(value), \
                            (double)(low), (double)(high));                          \
    }

static apex_err check_shape(const apex_terrain *map, apex_def_problem *problem) {
    CHECK_RANGE(map->rows, 2, SIDE_NODES_MAX, "terrain.rows")
    CHECK_RANGE(map->columns, 2, SIDE_NODES_MAX, "terrain.columns")
    if ((uint64_t)map->columns * map->rows > APEX_TERRAIN_NODES_MAX) {
        return track_refuse(problem, "terrain.heights: %u by %u nodes are more than %u",
                            map->columns, map->rows, APEX_TERRAIN_NODES_MAX);
    }
    CHECK_RANGE(map->cell_m, CELL_M_MIN, CELL_M_MAX, "terrain.cell_m")
    CHECK_RANGE(map->x_m, -COORDINATE_M_MAX, COORDINATE_M_MAX, "terrain.x_m")
    CHECK_RANGE(map->y_m, -COORDINATE_M_MAX, COORDINATE_M_MAX, "terrain.y_m")
    const double span_m[2] = {(map->columns - 1) * map->cell_m, (map->rows - 1) * map->cell_m};
    for (int i = 0; i < 2; i++) {
        if (!(span_m[i] >= SPAN_M_MIN && span_m[i] <= SPAN_M_MAX)) {
            return track_refuse(problem, "terrain.heights: %g m from %s, not %g..%g m", span_m[i],
                                i == 0 ? "west to east" : "south to north", SPAN_M_MIN, SPAN_M_MAX);
        }
    }
    CHECK_RANGE(map->low_m, -HEIGHT_M_MAX, HEIGHT_M_MAX, "terrain.low_m")
    CHECK_RANGE(map->step_m, 0, 1, "terrain.step_m")
    return map->heights ? APEX_OK : track_refuse(problem, "terrain.heights: there are none");
}

static apex_err check_surfaces(const apex_terrain *map, apex_def_problem *problem) {
    CHECK_RANGE(map->surface_count, 0, APEX_SURFACES_MAX, "terrain.palette")
    for (uint32_t i = 0; i < map->surface_count; i++) {
        if (!memchr(map->surfaces[i], 0, APEX_NAME_BYTES)) {
            return track_refuse(problem, "terrain.palette[%u].surface: the name is too long", i);
        }
    }
    if ((map->surface_count > 0) != (map->surface_map != NULL)) {
        return track_refuse(problem, "terrain.surfaces: a palette goes with a map of surfaces");
    }
    size_t count = map->surface_map ? (size_t)map->columns * map->rows : 0;
    for (size_t i = 0; i < count; i++) {
        if (map->surface_map[i] >= map->surface_count) {
            return track_refuse(problem,
                                "terrain.surfaces: node %zu has %u, the palette ends at %u", i,
                                map->surface_map[i], map->surface_count - 1);
        }
    }
    return APEX_OK;
}

static apex_err check_boxes(const apex_track_def *def, apex_def_problem *problem) {
    const apex_terrain *map = &def->terrain;
    CHECK_RANGE(map->box_count, 0, APEX_TERRAIN_BOXES_MAX, "terrain.boxes")
    if ((map->box_count > 0) == (def->point_count > 0)) {
        return track_refuse(problem, def->point_count > 0
                                         ? "terrain.boxes: on a course cars start behind its line"
                                         : "terrain.boxes: there are none to start from");
    }
    double east_m = map->x_m + (map->columns - 1) * map->cell_m;
    double north_m = map->y_m + (map->rows - 1) * map->cell_m;
    for (uint32_t i = 0; i < map->box_count; i++) {
        const apex_terrain_box *box = &map->boxes[i];
        if (!(box->x_m >= map->x_m && box->x_m <= east_m && box->y_m >= map->y_m &&
              box->y_m <= north_m)) {
            return track_refuse(problem, "terrain.boxes[%u]: (%g, %g) is not on the terrain", i,
                                box->x_m, box->y_m);
        }
        if (!(box->heading_rad >= -7 && box->heading_rad <= 7)) {
            return track_refuse(problem, "terrain.boxes[%u]: the heading is outside +-360 degrees",
                                i);
        }
    }
    return APEX_OK;
}

// What is laid along a road has none to lie along.
static apex_err check_company(const apex_track_def *def, apex_def_problem *problem) {
    if (def->strip_count > 0) {
        return track_refuse(problem, "strips[0]: a terrain's surfaces are those of its map");
    }
    if (def->wall_count > 0) {
        return track_refuse(problem, "walls[0]: a terrain has no road for them; use free_walls");
    }
    if (def->pit_lane.given) {
        return track_refuse(problem, "pit_lane: a terrain has no road for it to leave; remove it");
    }
    if (def->sector_count > 0 && def->point_count == 0) {
        return track_refuse(problem, "sector_m: there is no lap to divide");
    }
    CHECK_RANGE(def->point_count, 0, APEX_TERRAIN_POINTS_MAX, "points")
    for (uint32_t i = 0; i < def->point_count; i++) {
        if (def->points[i].z_m < 0 || def->points[i].z_m > 0) {
            return track_refuse(problem, "points[%u].z_m: a course lies on its terrain, leave 0",
                                i);
        }
    }
    return APEX_OK;
}

apex_err track_check_terrain(const apex_track_def *def, apex_def_problem *problem) {
    apex_err err = check_shape(&def->terrain, problem);
    if (err == APEX_OK) {
        err = check_surfaces(&def->terrain, problem);
    }
    if (err == APEX_OK) {
        err = check_boxes(def, problem);
    }
    return err == APEX_OK ? check_company(def, problem) : err;
}

// --- The line that gives places ----------------------------------------------------------------

static double ground_m(const apex_track *track, double x_m, double y_m) {
    return apex_ground_at(&track->ground, x_m, y_m, 0).height_m;
}

static apex_err lay_line(const apex_terrain *map, apex_track *track) {
    double length_m = (map->columns - 1) * map->cell_m;
    double half_m = 0.5 * (map->rows - 1) * map->cell_m;
    track->length_m = track->curve_m = length_m;
    track->segment_count = (uint32_t)track_floor(length_m);
    track->station_count = track->segment_count + 1;
    track->spacing_m = length_m / track->segment_count;
    track->half_width_m_max = half_m;
    track->sector_count = 1;
    track->sector_end_m[0] = length_m;
    track->stations = calloc(track->station_count, sizeof *track->stations);
    if (!track->stations) {
        return APEX_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < track->station_count; i++) {
        double x_m = map->x_m + i * track->spacing_m;
        double y_m = map->y_m + half_m;
        track->stations[i] = (track_station){
            .x_m = x_m,
            .y_m = y_m,
            .z_m = ground_m(track, x_m, y_m),
            .along_x = 1,
            .slope_cos = 1,
            .left_m = half_m,
            .right_m = half_m,
            .alone_left_m = FAR_AWAY_M,
            .alone_right_m = FAR_AWAY_M,
        };
    }
    return APEX_OK;
}

// A course is measured in the plan and then takes the ground's heights.
static void drape(apex_track *track) {
    for (uint32_t i = 0; i < track->station_count; i++) {
        track_station *station = &track->stations[i];
        station->z_m = ground_m(track, station->x_m, station->y_m);
    }
    for (uint32_t i = 0; i < track->station_count; i++) {
        uint32_t next = track_next_station(track, i);
        uint32_t before = i > 0 ? i - 1 : track->closed ? track->station_count - 1 : 0;
        double steps = (next != i ? 1 : 0) + (before != i ? 1 : 0);
        double rise_m = track->stations[next].z_m - track->stations[before].z_m;
        track->stations[i].slope_sin =
            track_clamp(rise_m / (steps * track->spacing_m), -RISE_MAX, RISE_MAX);
    }
}

static apex_err lay_places(const apex_track_def *def, apex_track *track,
                           apex_def_problem *problem) {
    if (def->point_count > 0) {
        apex_err err = track_lay_stations(def, track, problem);
        if (err == APEX_OK) {
            drape(track);
        }
        return err;
    }
    memcpy(track->name, def->name, sizeof track->name);
    track->closed = false;
    track->has_lap = false;
    track->grid = def->grid;
    track->box_count = def->terrain.box_count;
    memcpy(track->boxes, def->terrain.boxes, sizeof track->boxes);
    return lay_line(&def->terrain, track);
}

apex_err track_lay_terrain(const apex_track_def *def, apex_track *track,
                           apex_def_problem *problem) {
    APEX_ASSERT(track_has_terrain(def));
    apex_err err = track_lay_terrain_ground(def, track, problem);
    if (err == APEX_OK) {
        err = lay_places(def, track, problem);
    }
    if (err == APEX_OK) {
        err = track_lay_free_walls(def, track, problem);
    }
    return err == APEX_OK ? track_finish_walls(def, track, problem) : err;
}
