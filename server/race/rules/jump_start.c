// The judge of jump starts. Moved is moved, whichever way: a car that rolls back leaves its place,
// too. The place is where the car stood as the lights came on, and not the box, since a car that
// has settled on its springs is not quite where it was put.
#include "race/rules/jump_start.h"

#include "race/pedal.h"

static const double MM_PER_M = 1000.0;

// Revving with the clutch down, or in neutral, moves no car.
static bool drives(const race_facts *facts) {
    return race_pedal_is_pressed(facts->used->throttle) &&
           !race_pedal_is_pressed(facts->used->clutch) && facts->pose->gear != 0;
}

void race_judge_start(const race_facts *facts, race_start_watch *watch, race_verdicts *out) {
    race_facts_assert(facts);
    APEX_ASSERT(facts->rules != NULL);
    if (!facts->rules->start.on || !facts->lights_on) {
        *watch = (race_start_watch){.told = false};
        return;
    }
    const double *at = facts->pose->position_m;
    if (!watch->placed || (watch->pushed && !drives(facts))) {
        watch->placed = true;
        watch->x_m = at[0];
        watch->y_m = at[1];
    }
    double x_m = at[0] - watch->x_m;
    double y_m = at[1] - watch->y_m;
    double moved_m = sqrt(x_m * x_m + y_m * y_m);
    if (!watch->told && moved_m > facts->rules->start.move_m) {
        watch->told = true;
        race_verdict_offend(out, facts->slot, APEX_OFFENCE_JUMP_START,
                            (int64_t)(moved_m * MM_PER_M + 0.5));
    }
}

void race_start_touched(race_start_watch *watch) {
    watch->pushed = true;
}

void race_start_walk(race_walk *io, race_start_watch *watch) {
    race_walk_bool(io, &watch->placed);
    race_walk_bool(io, &watch->pushed);
    race_walk_bool(io, &watch->told);
    race_walk_double(io, &watch->x_m);
    race_walk_double(io, &watch->y_m);
}
