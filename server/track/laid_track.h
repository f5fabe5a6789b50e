/// The laid track, which all parts of the module fill or read. The way of a definition: checked
/// (definition), curve and stations (lap), cross-section and tiles (ground, or terrain), walls, and
/// what must fit.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "track/numbers.h"
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
    double pit_parted_m; ///< from the entry to where no part of the lane lies on the road
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

static inline uint32_t track_next_station(const apex_track *track, uint32_t station) {
    uint32_t next = station + 1;
    return next < track->station_count ? next : track->closed ? 0 : station;
}
