// The facts of a player that only rules ask for: how he stands to the lap, and to those who lap
// him.
#include "race/rule_facts.h"

#include "base/trig.h"

#include <math.h>

static const double LOOK_M = 250.0; // back from a car, for one that laps it

enum { LOOK_CARS_MAX = 16 };

// How long the nearest car that laps him takes to his place.
static double lapper_s(const race_field *field, const race_facts *facts) {
    uint32_t count = field->along_count;
    for (uint32_t i = 1; i < count && i <= LOOK_CARS_MAX; i++) {
        uint32_t other = field->along[(field->rank_along[facts->slot] + count - i) % count];
        const race_player *his = &field->players[other];
        double gap_m = apex_track_gap_m(field->track, his->s_m, facts->player->s_m);
        if (gap_m < 0.0 || gap_m > LOOK_M) {
            break;
        }
        bool laps_him = his->way_m > facts->player->way_m + 0.5 * facts->lap_m;
        if (laps_him && !his->ghost && !field->cards[other].lap.in_lane) {
            const double *v = race_field_pose(field, other)->velocity_mps;
            double speed_mps = sqrt(v[0] * v[0] + v[1] * v[1]);
            return speed_mps > 0.0 ? gap_m / speed_mps : (double)INFINITY;
        }
    }
    return (double)INFINITY;
}

void race_find_rule_facts(const race_field *field, race_facts *facts, race_advance advance) {
    facts->lapper_s = (double)INFINITY;
    facts->since_joined_us = INT64_MAX;
    if (field->rules == NULL || field->open_session) {
        return;
    }
    const race_card *card = &field->cards[facts->slot];
    if (card->late) {
        facts->since_joined_us = facts->race_time_us - (int64_t)card->joined_us;
    }
    facts->lap_m = apex_track_length_m(field->track);
    if (field->rules->courtesy.lapped && facts->is_race) {
        facts->lapper_s = lapper_s(field, facts);
    }
    double heading_rad = apex_track_heading_rad(field->track, facts->player->s_m);
    facts->line_left_m = advance.line_left_m;
    facts->heading_off_rad = fabs(apex_wrap_angle(facts->pose->yaw_rad - heading_rad));
    facts->driven_mps =
        apex_driver_plan_speed_mps(field->plans[facts->player->car], facts->player->s_m);
}
