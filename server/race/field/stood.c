// The place where a car last stood upright: in an open session a reset puts it back there.
#include "race/field/stood.h"

static const double STOOD_STEP_M = 6.0;    // a newer place counts when it is so far from the last
static const double UPRIGHT_COS_MIN = 0.7; // of the tilt, 45 degrees

bool race_stood_is_upright(const apex_car_pose *pose) {
    const double *q = pose->orientation;
    return 1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]) > UPRIGHT_COS_MIN;
}

static void remember(race_player *player, const apex_car_pose *pose) {
    player->stood.x_m = pose->position_m[0];
    player->stood.y_m = pose->position_m[1];
    player->stood.yaw_rad = pose->yaw_rad;
    player->stood.used = false;
}

void race_stood_remember(race_field *field, uint32_t slot) {
    remember(&field->players[slot], race_field_pose(field, slot));
}

void race_stood_follow(race_field *field, uint32_t slot) {
    race_player *player = &field->players[slot];
    const apex_car_pose *pose = race_field_pose(field, slot);
    double x_m = pose->position_m[0] - player->stood.x_m;
    double y_m = pose->position_m[1] - player->stood.y_m;
    bool away = x_m * x_m + y_m * y_m >= STOOD_STEP_M * STOOD_STEP_M;
    if (away && !pose->airborne && race_stood_is_upright(pose) &&
        apex_track_project(field->track, pose->position_m[0], pose->position_m[1], player->s_m)
            .on_road) {
        remember(player, pose);
    }
}

apex_placement race_stood_back(race_field *field, uint32_t slot) {
    race_player *player = &field->players[slot];
    apex_placement at = {
        .x_m = player->stood.x_m, .y_m = player->stood.y_m, .yaw_rad = player->stood.yaw_rad};
    if (player->stood.used && player->grid > 0) {
        at = apex_track_grid_placement(field->track, player->grid - 1);
        player->stood.x_m = at.x_m;
        player->stood.y_m = at.y_m;
        player->stood.yaw_rad = at.yaw_rad;
    }
    player->stood.used = true;
    player->safe_s_m = apex_track_find(field->track, at.x_m, at.y_m, at.z_m).s_m;
    return at;
}
