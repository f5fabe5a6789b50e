// A definition's defaults, and how it is freed.
#include "track/track_def.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

apex_track_def apex_default_track_def(void) {
    apex_track_def def;
    // Definitions are hashed as bytes on their way to clients: padding and string tails are zero.
    memset(&def, 0, sizeof def);
    def.closed = true;
    snprintf(def.name, sizeof def.name, "unnamed");
    snprintf(def.road_surface, sizeof def.road_surface, "asphalt");
    snprintf(def.outside_surface, sizeof def.outside_surface, "grass");
    snprintf(def.verge_surface, sizeof def.verge_surface, "grass");
    def.verge_m = 10.0;
    def.grid.first_m = 1.0;
    def.grid.spacing_m = 8.0;
    def.grid.columns = 2;
    def.grid.column_gap_m = 5.0;
    def.grid.pole_side = APEX_SIDE_LEFT;
    def.roughness_seed = 1;
    return def;
}

apex_track_pit_lane apex_default_track_pit_lane(void) {
    apex_track_pit_lane lane;
    memset(&lane, 0, sizeof lane);
    lane.given = true;
    lane.side = APEX_SIDE_RIGHT;
    lane.taper_m = 50;
    lane.distance_m = 6;
    lane.width_m = 5;
    lane.speed_limit_mps = 80 / 3.6;
    lane.box_count = 12;
    lane.box_spacing_m = 10;
    lane.box_depth_m = 3;
    snprintf(lane.surface, sizeof lane.surface, "asphalt");
    lane.wall_height_m = 1;
    return lane;
}

void apex_track_def_free(apex_track_def *def) {
    free(def->points);
    free(def->free_walls);
    free(def->posts);
    free(def->terrain.heights);
    free(def->terrain.surface_map);
    def->points = NULL;
    def->free_walls = NULL;
    def->posts = NULL;
    def->terrain.heights = NULL;
    def->terrain.surface_map = NULL;
    def->point_count = 0;
    def->free_wall_count = 0;
    def->post_count = 0;
    def->terrain.columns = 0;
    def->terrain.rows = 0;
}
