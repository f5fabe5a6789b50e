// All judges of rules: what they remember of one player, and the order in which they are asked.
#pragma once

#include "race/rules/blocking.h"
#include "race/rules/direction.h"
#include "race/rules/incident_points.h"
#include "race/rules/jump_start.h"
#include "race/rules/pit_manner.h"
#include "race/rules/track_limits.h"

typedef struct race_conduct_watch {
    race_limits_watch limits;
    race_start_watch start;
    race_lane_watch lane;
    race_direction_watch direction;
    race_blocking_watch blocking;
    race_incident_watch incidents;
} race_conduct_watch;

// A tick of a player who races on a lap or, with facts->lights_on, stands on the grid; his contacts
// of that tick come before it. At most 13 verdicts.
void race_judge_conduct(const race_facts *facts, race_conduct_watch *watch, race_verdicts *out);
// Each contact of his. For two cars it is called for both, each with the facts and the watch that
// are his, and with `slot` and `other` as he sees them. At most 3 verdicts.
void race_judge_conduct_touch(const race_facts *facts, const race_touch *touch,
                              race_conduct_watch *watch, race_verdicts *out);
// The rules have put his car elsewhere. An excursion ends there without a judgement; a visit to the
// pit lane with one, since a reset would hide how fast he was.
void race_conduct_put_back(race_conduct_watch *watch);
// Before the next session.
void race_conduct_forget(race_conduct_watch *watch);
void race_conduct_walk(race_walk *io, race_conduct_watch *watch);
