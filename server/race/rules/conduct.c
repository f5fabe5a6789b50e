// All judges of rules, in the order in which they are asked.
#include "race/rules/conduct.h"

#include "race/rules/courtesy.h"

void race_judge_conduct(const race_facts *facts, race_conduct_watch *watch, race_verdicts *out) {
    APEX_ASSERT(facts->rules != NULL);
    race_judge_start(facts, &watch->start, out);
    if (facts->lights_on) {
        return; // whoever stands in his box can break no other rule
    }
    race_judge_limits(facts, &watch->limits, out);
    race_judge_lane(facts, &watch->lane, out);
    race_judge_wrong_way(facts, &watch->direction, out);
    race_judge_blocking(facts, &watch->blocking, out);
    race_judge_incident(facts, &watch->incidents, out);
    race_judge_courtesy(facts, out);
}

void race_judge_conduct_touch(const race_facts *facts, const race_touch *touch,
                              race_conduct_watch *watch, race_verdicts *out) {
    if (touch->contact->kind == APEX_CONTACT_CAR) {
        race_start_touched(&watch->start);
    }
    race_judge_incident_touch(facts, touch, &watch->incidents, out);
}

void race_conduct_put_back(race_conduct_watch *watch) {
    race_limits_put_back(&watch->limits);
}

void race_conduct_forget(race_conduct_watch *watch) {
    *watch = (race_conduct_watch){.limits = {.off = false}};
}

void race_conduct_walk(race_walk *io, race_conduct_watch *watch) {
    race_limits_walk(io, &watch->limits);
    race_start_walk(io, &watch->start);
    race_lane_walk(io, &watch->lane);
    race_direction_walk(io, &watch->direction);
    race_blocking_walk(io, &watch->blocking);
    race_incident_walk(io, &watch->incidents);
}
