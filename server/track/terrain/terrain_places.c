// Places on a terrain, which lies instead of a road or has a course over it.
//
// All that asks for a place on the lap (order along the lap, neighbours, maps) works on a terrain
// without a course as well, because it gets a line: straight from west to east through the middle,
// as wide as the terrain. s_m then is metres from the western edge, offset_m metres north of the
// middle. (DECISIONS 20)
#include "track/terrain/terrain_places.h"

#include <stdlib.h>
#include <string.h>

#include "track/lap/stations.h"

#define FAR_AWAY_M 1e6f
#define RISE_MAX   0.7 // a metre of lap; as steep as a road may be

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
    if (track->stations == NULL) {
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

apex_err track_lay_terrain_places(const apex_track_def *def, apex_track *track,
                                  apex_def_problem *problem) {
    if (def->point_count > 0) {
        apex_err err = track_lay_stations(def, track, problem);
        if (err == APEX_OK) {
            drape(track);
        }
        return err;
    }
    track->closed = false;
    track->has_lap = false;
    track->grid = def->grid;
    track->box_count = def->terrain.box_count;
    memcpy(track->boxes, def->terrain.boxes, sizeof track->boxes);
    return lay_line(&def->terrain, track);
}
