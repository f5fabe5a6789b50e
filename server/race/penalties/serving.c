// How penalties are served in the lane, from the entry line to the exit line.
#include "race/penalties/penalties.h"
#include "race/penalties/penalty_rows.h"

void race_penalties_enter_lane(race_penalties *his, uint64_t time_us, bool barred) {
    his->visit = (race_penalty_visit){.barred = barred, .entered_us = time_us};
}

// Drive-throughs and stop-and-holds take one visit each, to which he came for them: what was given
// to him in the lane needs another. Without a visit that holds of all, since it entered at 0.
static bool can_be_served_now(const race_penalty_visit *visit, const apex_penalty *penalty) {
    return !visit->barred && !visit->served && penalty->state == APEX_PENALTY_OPEN &&
           penalty->given_us < visit->entered_us;
}

race_penalty_hold race_penalties_stop(race_penalties *his) {
    APEX_ASSERT(his->count <= APEX_PENALTIES_EACH_MAX);
    his->visit.stopped = true;
    race_penalty_hold hold = {.no_work = his->visit.served};
    bool taken = false;
    for (uint32_t i = 0; i < his->count; i++) {
        const apex_penalty *penalty = &his->all[i];
        bool seconds = penalty->kind == APEX_PENALTY_TIME && penalty->state == APEX_PENALTY_OPEN;
        bool held = penalty->kind == APEX_PENALTY_STOP_AND_HOLD && !taken &&
                    can_be_served_now(&his->visit, penalty);
        his->standing[i] = seconds || held;
        taken = taken || held;
        hold.stand_us += his->standing[i] ? race_penalty_us(penalty->amount) : 0;
    }
    hold.no_work = hold.no_work || taken;
    return hold;
}

static void serve(apex_penalty *penalty, race_penalty_changes *changes) {
    penalty->state = APEX_PENALTY_SERVED;
    penalty->added_us = 0;
    penalty->due_lap = 0;
    race_penalty_note(changes, penalty);
}

void race_penalties_stood(race_penalties *his, race_penalty_changes *changes) {
    for (uint32_t i = 0; i < his->count; i++) {
        if (his->standing[i]) {
            his->visit.served |= his->all[i].kind == APEX_PENALTY_STOP_AND_HOLD;
            serve(&his->all[i], changes);
            his->standing[i] = false;
        }
    }
}

void race_penalties_leave_lane(race_penalties *his, race_penalty_changes *changes) {
    for (uint32_t i = 0; i < his->count && !his->visit.stopped; i++) {
        if (his->all[i].kind == APEX_PENALTY_DRIVE_THROUGH &&
            can_be_served_now(&his->visit, &his->all[i])) {
            serve(&his->all[i], changes);
            break;
        }
    }
    for (uint32_t i = 0; i < his->count; i++) {
        his->standing[i] = false;
    }
    his->visit = (race_penalty_visit){0};
}
