// The facts of a player that only rules ask for: where he is in the pits, and how he stands to the
// lap.
#include "race/rule_facts.h"

#include "race/field/lane_order.h"

#include "base/trig.h"

#include <math.h>

// Where he is between the lane's lines, as the rules see it: who has come onto the lane or a box is
// inside until he is back on the road or past it.
static race_lane_facts lane_of(race_field *field, uint32_t slot) {
    apex_track_pits pits = apex_track_pits_of(field->track);
    race_lap_card *card = &field->cards[slot].lap;
    bool was_inside = card->in_lane;
    if (!pits.exists) {
        return (race_lane_facts){.behind_m = (double)INFINITY};
    }
    const apex_track_place *place = &field->places[slot];
    apex_track_pit_place pit = apex_track_pit_place_of(field->track, place);
    bool stays =
        was_inside && !place->on_road && pit.since_m >= 0.0 && pit.since_m <= pits.length_m;
    card->in_lane = pit.in_lane || pit.in_boxes || stays;
    race_lane_facts lane = {
        .inside = card->in_lane,
        .entered = card->in_lane && !was_inside,
        .left = was_inside && !card->in_lane,
        .limit_mps = pits.speed_limit_mps,
        .behind_m = (double)INFINITY,
    };
    if (lane.inside) {
        race_lane_behind(field, slot, &lane.behind_m, &lane.behind_mps);
    }
    return lane;
}

void race_find_rule_facts(race_field *field, race_facts *facts, race_advance advance) {
    if (field->cards == NULL) {
        return;
    }
    facts->lane = lane_of(field, facts->slot);
    if (field->rules == NULL || field->open_session) {
        return;
    }
    double heading_rad = apex_track_frame_at(field->track, facts->player->s_m).heading_rad;
    facts->line_left_m = advance.line_left_m;
    facts->heading_off_rad = fabs(apex_wrap_angle(facts->pose->yaw_rad - heading_rad));
    facts->driven_mps =
        apex_driver_plan_speed_mps(field->plans[facts->player->car], facts->player->s_m);
}
