// The judge of jump starts: who moves before the lights are out.
#pragma once

#include "race/rules/verdict.h"
#include "race/walk.h"

typedef struct race_start_watch {
    bool placed;     // the place is that of this start
    bool pushed;     // another car has touched his since the lights came on
    bool told;       // it is one offence, however far he goes
    double x_m, y_m; // where the car stood
} race_start_watch;

// To be asked while the lights are on, and once after. OFFENCE JUMP_START (value: mm moved by
// then). A car that was pushed by another has not jumped unless its driver drives it.
void race_judge_start(const race_facts *facts, race_start_watch *watch, race_verdicts *out);
// Another car has touched his.
void race_start_touched(race_start_watch *watch);
void race_start_walk(race_walk *io, race_start_watch *watch);
