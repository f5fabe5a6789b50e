// A session on a track without a lap: a car park, a quarry. There is no way to make and no wrong
// one, so all that is left to the marshals is to put cars back.
#include "race/race_private.h"

static const double STOOD_STEP_M = 6.0;    // a newer place counts when it is so far from the last
static const double UPRIGHT_COS_MIN = 0.7; // of the tilt, 45 degrees
static const double STILL_MPS = 0.5;

static bool is_upright(const apex_car_pose *pose) {
    const double *q = pose->orientation;
    return 1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]) > UPRIGHT_COS_MIN;
}

static bool is_still(const apex_car_pose *pose) {
    const double *v = pose->velocity_mps;
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2] < STILL_MPS * STILL_MPS;
}

static void remember(race_player *player, const apex_car_pose *pose) {
    player->stood.x_m = pose->position_m[0];
    player->stood.y_m = pose->position_m[1];
    player->stood.yaw_rad = pose->yaw_rad;
    player->stood.used = false;
}

void race_open_stand(apex_race *race, uint32_t slot) {
    remember(&race->field.players[slot], race_player_pose(race, slot));
}

void race_open_follow(apex_race *race, uint32_t slot) {
    race_player *player = &race->field.players[slot];
    const apex_car_pose *pose = race_player_pose(race, slot);
    double x_m = pose->position_m[0] - player->stood.x_m;
    double y_m = pose->position_m[1] - player->stood.y_m;
    bool away = x_m * x_m + y_m * y_m >= STOOD_STEP_M * STOOD_STEP_M;
    if (away && !pose->airborne && is_upright(pose) &&
        apex_track_project(race->field.track, pose->position_m[0], pose->position_m[1], player->s_m)
            .on_road) {
        remember(player, pose);
    }
}

apex_placement race_open_back(apex_race *race, uint32_t slot) {
    race_player *player = &race->field.players[slot];
    apex_placement at = {
        .x_m = player->stood.x_m, .y_m = player->stood.y_m, .yaw_rad = player->stood.yaw_rad};
    if (player->stood.used && player->grid > 0) {
        at = apex_track_grid_placement(race->field.track, player->grid - 1);
        player->stood.x_m = at.x_m;
        player->stood.y_m = at.y_m;
        player->stood.yaw_rad = at.yaw_rad;
    }
    player->stood.used = true;
    player->safe_s_m = apex_track_find(race->field.track, at.x_m, at.y_m, at.z_m).s_m;
    return at;
}

// Standing about is nobody's fault here; lying on the roof, or with a dead engine, is no way to
// spend a session.
void race_open_watch(apex_race *race, uint32_t slot) {
    race_player *player = &race->field.players[slot];
    const apex_car_pose *pose = race_player_pose(race, slot);
    bool lost = !is_upright(pose) || player->watch.crippled;
    player->watch.stuck_ticks = lost && is_still(pose) ? player->watch.stuck_ticks + 1 : 0;
    if (race->def.stuck_s <= 0.0 ||
        player->watch.stuck_ticks < race_phase_ticks(race, race->def.stuck_s)) {
        return;
    }
    player->watch.stuck_ticks = 0;
    if (player->watch.crippled) {
        race_watch_retire(race, slot);
    } else {
        race_grid_reset(race, slot);
    }
}

void race_open_end(apex_race *race, uint32_t slot) {
    race_player *player = &race->field.players[slot];
    player->state = APEX_STANDING_FINISHED;
    player->lap.total_us = (uint64_t)race_phase_time_us(race);
    race_grid_ghost(race, slot, true);
}
