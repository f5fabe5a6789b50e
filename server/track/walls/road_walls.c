// Walls along the road, at a distance from its edge.
#include "track/walls/road_walls.h"

#include "base/assert.h"
#include "track/definition/refuse.h"
#include "track/definition/surfaces.h"
#include "track/walls/wall_line.h"

// Of all walls together, a sample each metre: both sides of the longest lap four times over.
#define SAMPLES_MAX 262144u
#define PIT_WALL_M  0.15 // from a pit wall's middle to either face

static apex_err lay_wall(const apex_track_def *def, uint32_t index, const track_ribbon *ribbon,
                         apex_track *track, apex_def_problem *problem) {
    const apex_track_wall *wall = &def->walls[index];
    int material = track_find_material(track, wall->material);
    if (material < 0) {
        return track_refuse(problem, "walls[%u].material: no material is called '%s'", index,
                            wall->material);
    }
    track_wall_line line = {
        .ribbon = ribbon, .track = track, .wall = wall, .material = (uint8_t)material};
    uint32_t before = track->walls.segment_count;
    apex_err err = APEX_OK;
    for (int side = 0; side < 2 && err == APEX_OK; side++) {
        line.left = side == 0;
        if (wall->side == (line.left ? APEX_SIDE_RIGHT : APEX_SIDE_LEFT)) {
            continue;
        }
        err = track_lay_wall_line(&line);
    }
    if (err == APEX_OK && line.in_pits) {
        return track_refuse(problem,
                            "walls[%u].distance_m: stands across the pit lane %.0f m behind its "
                            "entry; end the wall there (from_m, to_m), or move it further out",
                            index, line.in_pits_s_m);
    }
    if (err == APEX_OK && track->walls.segment_count == before) {
        return track_refuse(problem,
                            "walls[%u].distance_m: %g m off the road there is always another "
                            "stretch nearer: it would stand across the road",
                            index, wall->distance_m);
    }
    return err;
}

// Between road and lane, with a face to each, where they run side by side.
static apex_err lay_pit_wall(const track_ribbon *ribbon, apex_track *track,
                             apex_def_problem *problem) {
    const apex_track_pit_lane *lane = &track->pit_lane;
    if (!lane->given || lane->wall_material[0] == '\0') {
        return APEX_OK;
    }
    int material = track_find_material(track, lane->wall_material);
    if (material < 0) {
        return track_refuse(problem, "pit_lane.wall_material: no material is called '%s'",
                            lane->wall_material);
    }
    apex_track_wall wall = {.side = lane->side, .height_m = lane->wall_height_m};
    wall.from_m = lane->entry_m + lane->taper_m;
    wall.to_m = lane->exit_m - lane->taper_m;
    wall.from_m -= track->closed && wall.from_m >= track->curve_m ? track->curve_m : 0;
    wall.to_m += wall.to_m < 0 ? track->curve_m : 0;
    apex_err err = APEX_OK;
    for (int face = 0; face < 2 && err == APEX_OK; face++) {
        wall.distance_m = 0.5 * lane->distance_m + (face == 0 ? -PIT_WALL_M : PIT_WALL_M);
        track_wall_line line = {.ribbon = ribbon,
                                .track = track,
                                .wall = &wall,
                                .material = (uint8_t)material,
                                .left = lane->side == APEX_SIDE_LEFT,
                                .away = face == 1};
        err = track_lay_wall_line(&line);
    }
    return err;
}

static apex_err check_amount(const apex_track_def *def, const apex_track *track,
                             apex_def_problem *problem) {
    double total_m = 0;
    for (uint32_t i = 0; i < def->wall_count; i++) {
        const apex_track_wall *wall = &def->walls[i];
        double length_m = wall->to_m - wall->from_m;
        length_m += length_m <= 0 ? track->curve_m : 0;
        total_m += wall->side == APEX_SIDE_BOTH ? 2 * length_m : length_m;
    }
    if (total_m > SAMPLES_MAX) {
        return track_refuse(problem, "walls: together %.0f m long, at most %u m", total_m,
                            SAMPLES_MAX);
    }
    return APEX_OK;
}

apex_err track_lay_road_walls(const apex_track_def *def, const track_ribbon *ribbon,
                              apex_track *track, apex_def_problem *problem) {
    APEX_ASSERT(ribbon->track == track && track->walls.segment_count == 0);
    apex_err err = check_amount(def, track, problem);
    for (uint32_t i = 0; err == APEX_OK && i < def->wall_count; i++) {
        err = lay_wall(def, i, ribbon, track, problem);
    }
    return err == APEX_OK ? lay_pit_wall(ribbon, track, problem) : err;
}
