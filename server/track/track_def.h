/// The definition of a track: the words of a track file. Part of the public face of track; include
/// "track/track.h". Distances along the lap are metres on the centre line from its first point,
/// offsets across it metres to the left. SI units, radians.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "physics/physics.h"
#include "track/terrain_def.h"

enum {
    APEX_TRACK_POINTS_MAX = 8192,
    APEX_TRACK_STRIPS_MAX = 128,
    APEX_TRACK_WALLS_MAX = 128,
    APEX_TRACK_WALL_POINTS_MAX = 64, ///< of one free-standing wall
    APEX_TRACK_POSTS_MAX = 512,
    APEX_TRACK_SECTORS_MAX = 8,
    APEX_TRACK_LENGTH_M_MAX = 30000,
    APEX_TRACK_PIT_BOXES_MAX = 64,
};

/// A point of the centre line. A smooth curve runs through all of them.
typedef struct apex_track_point {
    double x_m, y_m, z_m;
    double left_m, right_m; ///< width of the road to each side, 1..50
    double banking_rad;     ///< positive raises the left edge
} apex_track_point;

typedef enum apex_track_side { APEX_SIDE_LEFT, APEX_SIDE_RIGHT, APEX_SIDE_BOTH } apex_track_side;

/// A strip of another surface along a stretch of the lap: a kerb, a verge, a gravel trap, a wet
/// patch. Counted outwards from the road's edge when from_edge, else as an offset from the centre
/// line. Later strips lie on top of earlier ones.
typedef struct apex_track_strip {
    char surface[APEX_NAME_BYTES];
    apex_track_side side; ///< of the road, for strips counted from the edge
    double from_m, to_m;  ///< along the lap; from > to wraps over the line; both 0: all of it
    bool from_edge;
    double inner_m, outer_m; ///< inner < outer
    double height_m;         ///< at the outer edge, rising linearly from the inner edge (kerbs)
} apex_track_strip;

/// A wall along a stretch of the lap at a distance from the road's edge, facing the road.
typedef struct apex_track_wall {
    char material[APEX_NAME_BYTES];
    apex_track_side side;
    double from_m, to_m; ///< as in a strip
    double distance_m;   ///< outside the road's edge
    double height_m;
} apex_track_wall;

/// A wall anywhere: cars stay on its left, seen from its first point to its last.
typedef struct apex_track_free_wall {
    char material[APEX_NAME_BYTES];
    uint32_t point_count;
    double x_m[APEX_TRACK_WALL_POINTS_MAX], y_m[APEX_TRACK_WALL_POINTS_MAX];
    double base_m, height_m; ///< the base is above the ground on a terrain
    bool closed;
} apex_track_free_wall;

typedef struct apex_track_post {
    char material[APEX_NAME_BYTES];
    double x_m, y_m, radius_m, height_m;
} apex_track_post;

/// Boxes behind the start line, two columns unless `columns` says otherwise, pole on `pole_side`.
typedef struct apex_track_grid {
    double first_m;      ///< nose of the first box behind the line
    double spacing_m;    ///< from one box to the next
    uint32_t columns;    ///< 1..8
    double column_gap_m; ///< between the columns' middles
    apex_track_side pole_side;
} apex_track_grid;

/// A lane beside the road. From the entry it leaves the road's edge over taper_m, runs along the
/// road at a distance, and comes back over taper_m to the exit. Its boxes lie on its far side.
typedef struct apex_track_pit_lane {
    bool given;             ///< false: the track has none, and the rest means nothing
    apex_track_side side;   ///< of the road; not both
    double entry_m, exit_m; ///< along the lap; entry > exit runs over the line
    double taper_m;
    double distance_m; ///< from the road's edge to the lane, where they run side by side
    double width_m;
    double speed_limit_mps;
    uint32_t box_count;
    double box_spacing_m, box_depth_m; ///< the row is centred between the tapers
    char surface[APEX_NAME_BYTES];
    char wall_material[APEX_NAME_BYTES]; ///< between road and lane; empty: no wall
    double wall_height_m;
} apex_track_pit_lane;

typedef struct apex_track_def {
    char name[APEX_NAME_BYTES]; ///< [a-z0-9-]
    char title[APEX_TITLE_BYTES];
    char author[APEX_TITLE_BYTES];
    bool closed; ///< a lap; else a stretch with its start line and finish line
    uint32_t point_count;
    apex_track_point *points; ///< owned by the def's maker; see apex_track_def_free
    char road_surface[APEX_NAME_BYTES];
    char outside_surface[APEX_NAME_BYTES]; ///< beyond the verge
    double verge_m; ///< ground is laid this far outside the road's edges, 0..100
    char verge_surface[APEX_NAME_BYTES];
    double start_m;        ///< of the start line along the centre line
    double finish_m;       ///< open tracks: of the finish line; closed ones: same as start_m
    uint32_t sector_count; ///< marks between sectors, beside the line itself
    double sector_m[APEX_TRACK_SECTORS_MAX]; ///< rising, along the lap from the start line
    apex_track_grid grid;
    apex_track_pit_lane pit_lane;
    uint32_t surface_count; ///< surfaces of its own or changed ones; the built-in ones are known
    apex_surface_def surfaces[APEX_SURFACES_MAX];
    uint32_t material_count;
    apex_wall_material materials[APEX_WALL_MATERIALS_MAX];
    uint32_t strip_count;
    apex_track_strip strips[APEX_TRACK_STRIPS_MAX];
    uint32_t wall_count;
    apex_track_wall walls[APEX_TRACK_WALLS_MAX];
    uint32_t free_wall_count;
    apex_track_free_wall *free_walls; ///< owned like points
    uint32_t post_count;
    apex_track_post *posts; ///< owned like points
    uint64_t roughness_seed;
    apex_terrain terrain; ///< ground of its own; points then are a course over it, or none
} apex_track_def;

/// An empty closed track with sane grid, surfaces "asphalt" and "grass"; it has no points yet.
apex_track_def apex_default_track_def(void);
/// A lane of 80 km/h and 12 boxes, `given`; side, entry and exit are still to be said.
apex_track_pit_lane apex_default_track_pit_lane(void);
/// Frees points, free_walls, posts and the terrain's maps and forgets them.
void apex_track_def_free(apex_track_def *def);
