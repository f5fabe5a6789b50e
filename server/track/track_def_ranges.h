/// Between what the numbers of a track may lie, each said once: the check of definitions and the
/// keys of track files read it here.
#pragma once

#include "base/range.h"

/// Plenty for a track in a map's coordinates, and few enough for whole numbers of half metres.
#define APEX_TRACK_COORDINATE_M_MAX   100000.0
#define APEX_TRACK_COORDINATE_M_RANGE -APEX_TRACK_COORDINATE_M_MAX, APEX_TRACK_COORDINATE_M_MAX
#define APEX_TRACK_HEIGHT_M_RANGE     -5000.0, 5000.0
#define APEX_TRACK_WIDTH_M_RANGE      1.0, 50.0
#define APEX_TRACK_ASIDE_M_RANGE      -100.0, 100.0
#define APEX_TRACK_WALL_M_RANGE       0.1, 100.0

#define APEX_RANGE_apex_track_point_x_m         APEX_TRACK_COORDINATE_M_RANGE
#define APEX_RANGE_apex_track_point_y_m         APEX_TRACK_COORDINATE_M_RANGE
#define APEX_RANGE_apex_track_point_z_m         APEX_TRACK_HEIGHT_M_RANGE
#define APEX_RANGE_apex_track_point_left_m      APEX_TRACK_WIDTH_M_RANGE
#define APEX_RANGE_apex_track_point_right_m     APEX_TRACK_WIDTH_M_RANGE
#define APEX_RANGE_apex_track_point_banking_rad -1.0, 1.0

#define APEX_RANGE_apex_track_def_verge_m 0.0, 100.0

#define APEX_RANGE_apex_track_grid_first_m      0.0, 1000.0
#define APEX_RANGE_apex_track_grid_spacing_m    1.0, 100.0
#define APEX_RANGE_apex_track_grid_columns      1.0, 8.0
#define APEX_RANGE_apex_track_grid_column_gap_m 0.0, 50.0

#define APEX_RANGE_apex_surface_def_friction         0.01, 3.0
#define APEX_RANGE_apex_surface_def_rolling_ratio    0.0, 100.0
#define APEX_RANGE_apex_surface_def_plough_n_per_mps 0.0, 10000.0
#define APEX_RANGE_apex_surface_def_roughness_m      0.0, 0.5

#define APEX_RANGE_apex_wall_material_restitution 0.0, 1.0
#define APEX_RANGE_apex_wall_material_friction    0.0, 3.0

#define APEX_RANGE_apex_track_strip_inner_m  APEX_TRACK_ASIDE_M_RANGE
#define APEX_RANGE_apex_track_strip_outer_m  APEX_TRACK_ASIDE_M_RANGE
#define APEX_RANGE_apex_track_strip_height_m -1.0, 1.0

#define APEX_RANGE_apex_track_wall_distance_m 0.0, 100.0
#define APEX_RANGE_apex_track_wall_height_m   APEX_TRACK_WALL_M_RANGE

#define APEX_RANGE_apex_track_free_wall_base_m   APEX_TRACK_HEIGHT_M_RANGE
#define APEX_RANGE_apex_track_free_wall_height_m APEX_TRACK_WALL_M_RANGE

#define APEX_RANGE_apex_track_post_x_m      APEX_TRACK_COORDINATE_M_RANGE
#define APEX_RANGE_apex_track_post_y_m      APEX_TRACK_COORDINATE_M_RANGE
#define APEX_RANGE_apex_track_post_radius_m 0.01, 20.0
#define APEX_RANGE_apex_track_post_height_m 0.05, 100.0

#define APEX_RANGE_apex_track_pit_lane_taper_m         10.0, 500.0
#define APEX_RANGE_apex_track_pit_lane_distance_m      0.0, 60.0
#define APEX_RANGE_apex_track_pit_lane_width_m         3.0, 30.0
#define APEX_RANGE_apex_track_pit_lane_speed_limit_mps 1.0, 100.0
#define APEX_RANGE_apex_track_pit_lane_box_count       1.0, APEX_TRACK_PIT_BOXES_MAX
#define APEX_RANGE_apex_track_pit_lane_box_spacing_m   3.0, 100.0
#define APEX_RANGE_apex_track_pit_lane_box_depth_m     2.0, 20.0
#define APEX_RANGE_apex_track_pit_lane_wall_height_m   0.1, 20.0

#define APEX_RANGE_apex_terrain_x_m    APEX_TRACK_COORDINATE_M_RANGE
#define APEX_RANGE_apex_terrain_y_m    APEX_TRACK_COORDINATE_M_RANGE
#define APEX_RANGE_apex_terrain_cell_m 0.5, 16.0
#define APEX_RANGE_apex_terrain_low_m  APEX_TRACK_HEIGHT_M_RANGE
