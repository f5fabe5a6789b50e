// The judge of track limits: all wheels off the road. One excursion is one offence, of who did not
// clearly lose by it; it is judged where it ends, on the road, in the pit lane or at the line.
#pragma once

#include "race/rules/verdict.h"
#include "race/walk.h"

typedef struct race_limits_watch {
    bool off;         // an excursion is under way
    bool settled;     // nothing more comes of it
    bool lost;        // it clearly cost him: he spun, or went at less than half his speed
    bool near_line;   // a part of it was as near to the line as voids the next lap, too
    bool crossed;     // the line, since it began
    double began_mps; // his speed as it began
    double gained_m;  // way along the lap in it, beyond what he would have made on the road
    double line_left_m;
    double own_m, driven_m; // of the last seconds on the road, fading: his way, the driver's
} race_limits_watch;

// OFFENCE TRACK_LIMITS (value: mm of way gained, at least 0), VOID and VOID_NEXT of CUT. The voids
// are given as he leaves the road or, if the rule is lenient, with the offence.
void race_judge_limits(const race_facts *facts, race_limits_watch *watch, race_verdicts *out);
// The car was put elsewhere: its excursion ends without a judgement.
void race_limits_put_back(race_limits_watch *watch);
void race_limits_walk(race_walk *io, race_limits_watch *watch);
