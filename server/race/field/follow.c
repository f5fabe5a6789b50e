// A car's place on the lap is followed from tick to tick.
#include "race/field/follow.h"

#include "race/field/stood.h"

static const double REJOIN_M = 3.0; // this far outside the road's edge it may be another road

// Following from tick to tick never jumps to another part of the lap. A car that stands on a road,
// but well outside the one it is followed on, has cut across and gets a new place.
bool race_follow(const race_field *field, race_player *player) {
    const apex_car_pose *pose = race_field_pose_of(field, player);
    const double *at = pose->position_m;
    apex_track_place place = apex_track_project(field->track, at[0], at[1], player->s_m);
    bool outside =
        place.offset_m > place.left_m + REJOIN_M || place.offset_m < -place.right_m - REJOIN_M;
    if (outside && pose->wheels_on_road == pose->wheel_count) {
        apex_track_place found = apex_track_find(field->track, at[0], at[1], at[2]);
        double moved_m = apex_track_gap_m(field->track, place.s_m, found.s_m);
        if (found.on_road && (moved_m > 1.0 || moved_m < -1.0)) {
            player->s_m = found.s_m;
            if (field->places != NULL) {
                field->places[player->id.index1 - 1] = found;
            }
            return false;
        }
    }
    player->s_m = place.s_m;
    if (field->places != NULL) {
        field->places[player->id.index1 - 1] = place;
    }
    return true;
}

void race_follow_only(race_field *field, uint32_t slot) {
    race_follow(field, &field->players[slot]);
    if (field->open_session) {
        race_stood_follow(field, slot);
    } else if (race_field_pose(field, slot)->wheels_on_road > 0) {
        field->players[slot].safe_s_m = field->players[slot].s_m;
    }
}
