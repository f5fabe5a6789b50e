// A track laid step by step, and what it says of itself.
#include "track/track.h"

#include <stdlib.h>

#include "base/assert.h"
#include "track/definition/def_check.h"
#include "track/definition/surfaces.h"
#include "track/definition/terrain_check.h"
#include "track/fit/fit.h"
#include "track/fit/pits_free.h"
#include "track/ground/ribbon_build.h"
#include "track/ground/road_ground.h"
#include "track/lap/pit_lane_layout.h"
#include "track/lap/stations.h"
#include "track/terrain/terrain_ground.h"
#include "track/terrain/terrain_places.h"
#include "track/track_validator.h"
#include "track/walls/free_walls.h"
#include "track/walls/posts.h"
#include "track/walls/road_walls.h"

typedef enum track_extent { TRACK_WHOLE, TRACK_LINES } track_extent;

static apex_err stand_walls(const apex_track_def *def, const track_ribbon *ribbon,
                            apex_track *track, apex_def_problem *problem) {
    apex_err err = track_lay_road_walls(def, ribbon, track, problem);
    if (err == APEX_OK) {
        err = track_lay_free_walls(def, track, problem);
    }
    return err == APEX_OK ? track_finish_walls(def, track, problem) : err;
}

// Lap, walls and pits, on ground that is level: nobody drives there.
static apex_err draw_on(const apex_track_def *def, apex_track *track, apex_def_problem *problem) {
    track_ribbon ribbon = {0};
    apex_err err = track_ribbon_create(def, track, &ribbon, problem);
    if (err == APEX_OK) {
        track_leave_level(&ribbon, track);
        err = stand_walls(def, &ribbon, track, problem);
        track_ribbon_destroy(&ribbon);
    }
    return err;
}

static apex_err lay_on(const apex_track_def *def, apex_track *track, apex_def_problem *problem) {
    track_ribbon ribbon = {0};
    apex_err err = track_ribbon_create(def, track, &ribbon, problem);
    if (err != APEX_OK) {
        return err;
    }
    err = track_lay_ground(&ribbon, track, problem);
    if (err == APEX_OK) {
        err = stand_walls(def, &ribbon, track, problem);
    }
    if (err == APEX_OK) {
        err = track_check_fit(def, track, problem);
    }
    if (err == APEX_OK) {
        err = track_check_pits_free(def, track, problem);
    }
    track_ribbon_destroy(&ribbon);
    return err;
}

static apex_err lay_terrain(const apex_track_def *def, apex_track *track,
                            apex_def_problem *problem) {
    APEX_ASSERT(track_has_terrain(def));
    apex_err err = track_lay_terrain_ground(def, track, problem);
    if (err == APEX_OK) {
        err = track_lay_terrain_places(def, track, problem);
    }
    if (err == APEX_OK) {
        err = track_lay_free_walls(def, track, problem);
    }
    return err == APEX_OK ? track_finish_walls(def, track, problem) : err;
}

static apex_err lay(const apex_track_def *def, track_extent extent, apex_track *track,
                    apex_def_problem *problem) {
    apex_err err = track_check_def(def, problem);
    if (err == APEX_OK) {
        err = track_collect_surfaces(def, track, problem);
    }
    if (err == APEX_OK) {
        err = track_collect_materials(def, track, problem);
    }
    if (err != APEX_OK) {
        return err;
    }
    track->has_lap = true;
    if (track_has_terrain(def)) {
        return lay_terrain(def, track, problem);
    }
    err = track_lay_stations(def, track, problem);
    if (err == APEX_OK) {
        err = track_lay_pits(def, track, problem);
    }
    if (err != APEX_OK) {
        return err;
    }
    return extent == TRACK_WHOLE ? lay_on(def, track, problem) : draw_on(def, track, problem);
}

static apex_err create(const apex_track_def *def, track_extent extent, apex_track **out,
                       apex_def_problem *problem) {
    APEX_ASSERT(def != NULL && out != NULL);
    apex_track *track = calloc(1, sizeof *track);
    if (track == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    apex_err err = lay(def, extent, track, problem);
    if (err != APEX_OK) {
        apex_track_destroy(track);
        return err;
    }
    APEX_VALIDATE(track_validate(track));
    *out = track;
    return APEX_OK;
}

apex_err apex_track_create(const apex_track_def *def, apex_track **out, apex_def_problem *problem) {
    return create(def, TRACK_WHOLE, out, problem);
}

apex_err apex_track_sketch(const apex_track_def *def, apex_track **out, apex_def_problem *problem) {
    return create(def, TRACK_LINES, out, problem);
}

void apex_track_destroy(apex_track *track) {
    if (track == NULL) {
        return;
    }
    free(track->stations);
    free(track->directory);
    free(track->tiles);
    free(track->wall_segments);
    free(track->wall_posts);
    free(track);
}

const apex_ground *apex_track_ground(const apex_track *track) {
    APEX_ASSERT(track != NULL);
    return &track->ground;
}

const apex_walls *apex_track_walls(const apex_track *track) {
    APEX_ASSERT(track != NULL);
    return &track->walls;
}

bool apex_track_closed(const apex_track *track) {
    APEX_ASSERT(track != NULL);
    return track->closed;
}

bool apex_track_has_lap(const apex_track *track) {
    APEX_ASSERT(track != NULL);
    return track->has_lap;
}

double apex_track_length_m(const apex_track *track) {
    APEX_ASSERT(track != NULL);
    return track->length_m;
}

uint32_t apex_track_sector_count(const apex_track *track) {
    APEX_ASSERT(track != NULL);
    return track->sector_count;
}

double apex_track_sector_end_m(const apex_track *track, uint32_t sector) {
    APEX_ASSERT(track != NULL && sector < track->sector_count);
    return track->sector_end_m[sector];
}
