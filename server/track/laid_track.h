/// What the files of track share. The way of a definition: check -> curve (spline) -> stations
/// (every metre) -> ribbon (cross-section of road, strips and verge) -> ground tiles, walls.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "track/track.h"

/// A sample of the centre line. They stand `spacing_m` apart along the lap, at most a metre.
typedef struct track_station {
    double x_m, y_m, z_m;
    double along_x, along_y; ///< unit tangent in the plan
    double heading_rad;      ///< -pi..pi
    double curvature_per_m;  ///< in the plan
    double slope_cos;        ///< plan length of a metre of lap
    double slope_sin;        ///< rise of a metre of lap
    double banking_rad;
    double cross_slope; ///< tangent of the banking: rise to the left
    double left_m, right_m;
    float alone_left_m,
        alone_right_m; ///< a point beside it, nearer than this, has no nearer station
    uint32_t point;    ///< definition's point at or before it; for messages
} track_station;

struct apex_track {
    char name[APEX_NAME_BYTES];
    bool closed;
    bool has_lap; ///< false: a terrain without a course
    uint32_t station_count;
    uint32_t
        segment_count; ///< between stations; as many as stations on a closed lap, else one less
    track_station *stations; ///< the first stands at first_s_m
    double spacing_m;
    double first_s_m; ///< 0 on a closed track; minus the run-up on an open one
    double curve_m;   ///< the whole definition, run-up and run-off included
    double length_m;  ///< line to line
    double half_width_m_max;
    uint32_t sector_count;
    double sector_end_m[APEX_TRACK_SECTORS_MAX];
    apex_track_grid grid;
    uint32_t box_count; ///< of a terrain without a course; instead of the grid
    apex_terrain_box boxes[APEX_TERRAIN_BOXES_MAX];
    apex_track_pit_lane pit_lane;
    double pit_entry_s_m, pit_length_m;
    uint32_t surface_count;
    apex_surface_def surfaces[APEX_SURFACES_MAX];
    uint32_t material_count;
    apex_wall_material materials[APEX_WALL_MATERIALS_MAX];
    apex_ground ground;
    uint32_t *directory;
    apex_ground_tile *tiles;
    apex_walls walls;
    apex_wall_segment *wall_segments;
    uint32_t free_segment; ///< the first of free walls; beside a road each piece is one
    apex_wall_post *wall_posts;
};

/// Writes "field: reason" into the problem (which may be NULL).
/// @param format of the whole; the first ": " parts the two.
/// @return APEX_ERR_INVALID, for the caller to hand on.
apex_err track_refuse(apex_def_problem *problem, const char *format, ...);

// --- check.c, names.c -------------------------------------------------------------------------

/// Every range and name that can be told without the curve.
apex_err track_check_def(const apex_track_def *def, apex_def_problem *problem);
/// Ranges along the lap, once its length is known.
apex_err track_check_distances(const apex_track_def *def, double curve_m,
                               apex_def_problem *problem);

/// Built-in surfaces and materials, then the definition's own (or changed ones in their place).
apex_err track_collect_surfaces(const apex_track_def *def, apex_track *track,
                                apex_def_problem *problem);
apex_err track_collect_materials(const apex_track_def *def, apex_track *track,
                                 apex_def_problem *problem);
/// @return the index, or -1 if there is none of that name.
int track_find_surface(const apex_track *track, const char *name);
int track_find_material(const apex_track *track, const char *name);

// --- fit.c, facing.c --------------------------------------------------------------------------

/// Refuses what no car could drive, of a track that is laid.
apex_err track_check_fit(const apex_track_def *def, const apex_track *track,
                         apex_def_problem *problem);
/// Free walls with their back to the road.
apex_err track_check_facing(const apex_track_def *def, const apex_track *track,
                            apex_def_problem *problem);

// --- pits.c -----------------------------------------------------------------------------------

/// Across the road, outwards from its edge on the pits' side.
typedef struct track_pit_section {
    bool exists;          ///< false away from the pits
    double near_m, far_m; ///< of the lane; near is negative where the lane is still on the road
    double boxes_m;       ///< to here lie the boxes; far_m where there are none
    double since_m;       ///< the entry
    double heading_offset_rad; ///< of the lane to the road, to the left
} track_pit_section;

/// @param s_m lap distance.
track_pit_section track_pits_at(const apex_track *track, double s_m);
/// Whether a point so far outside the edge of the pits' side is on lane or boxes, `spare_m` inside
/// their edges.
bool track_pits_cover(const track_pit_section *pits, double outside_m, double spare_m);
apex_err track_check_pit_lane(const apex_track_pit_lane *lane, apex_def_problem *problem);
/// Takes it over, once stations are laid; refuses what cannot lie along this road.
apex_err track_lay_pits(const apex_track_def *def, apex_track *track, apex_def_problem *problem);
/// Free walls and posts in the pits.
apex_err track_check_pits_free(const apex_track_def *def, const apex_track *track,
                               apex_def_problem *problem);

// --- stations.c -------------------------------------------------------------------------------

/// Fills stations, lengths and sectors.
apex_err track_lay_stations(const apex_track_def *def, apex_track *track,
                            apex_def_problem *problem);

static inline uint32_t track_next_station(const apex_track *track, uint32_t station) {
    uint32_t next = station + 1;
    return next < track->station_count ? next : track->closed ? 0 : station;
}

/// How far along the lap a followed car is looked for, to both sides.
#define TRACK_WINDOW_M 60.0

/// Lap distance brought into 0..length_m on a closed track; left alone on an open one.
double track_wrap_s(const apex_track *track, double s_m);

// --- place.c ----------------------------------------------------------------------------------

/// How far outside the road a point is, over all stretches whose road is within `reach_z_m` of z;
/// negative on the road. Larger distances than limit_m are all reported as limit_m.
/// @param[out] point of the definition where the nearest road is; may be NULL.
typedef struct track_clearance_query {
    double x_m, y_m, z_m;
    double reach_z_m;
    double limit_m;
} track_clearance_query;

double track_clearance(const apex_track *track, const track_clearance_query *query,
                       uint32_t *point);

/// How near the road can be at most, from below: where this is positive no road is nearer.
double track_distance_bound_m(const apex_track *track, double x_m, double y_m);

// --- numbers --------------------------------------------------------------------------------

/// Largest integer not above a value; saturates. libm's floor is a call on plain x86-64.
static inline int32_t track_floor(double value) {
    if (!(value > -2147483647.0)) {
        return -2147483647;
    }
    if (value >= 2147483646.0) {
        return 2147483646;
    }
    int32_t whole = (int32_t)value;
    return (double)whole > value ? whole - 1 : whole;
}

static inline double track_lerp(double from, double to, double t) {
    return from + (to - from) * t;
}

static inline double track_clamp(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

static inline double track_min(double a, double b) {
    return a < b ? a : b;
}
static inline double track_max(double a, double b) {
    return a > b ? a : b;
}
