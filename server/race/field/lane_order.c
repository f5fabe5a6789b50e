// Who comes up the pit lane behind a car.
#include "race/field/lane_order.h"

#include <math.h>

static const double LOOK_M = 150.0;
static const double MOVES_MPS = 0.5;

void race_lane_behind(const race_field *field, uint32_t slot, double *behind_m,
                      double *behind_mps) {
    RACE_ASSERT_LIVE(field, slot);
    APEX_ASSERT(field->cards != NULL && field->rank_along[slot] < field->along_count);
    uint32_t count = field->along_count;
    for (uint32_t i = 1; i < count; i++) {
        uint32_t other = field->along[(field->rank_along[slot] + count - i) % count];
        double gap_m =
            apex_track_gap_m(field->track, field->players[other].s_m, field->players[slot].s_m);
        if (gap_m < 0.0 || gap_m > LOOK_M) {
            return;
        }
        const double *v = race_field_pose(field, other)->velocity_mps;
        double speed_mps = sqrt(v[0] * v[0] + v[1] * v[1]);
        if (field->cards[other].lap.in_lane && speed_mps >= MOVES_MPS) {
            *behind_m = gap_m;
            *behind_mps = speed_mps;
            return;
        }
    }
}
