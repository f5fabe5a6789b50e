// The judges of the world's events of a tick: those of single cars, and contacts.
#pragma once

#include "race/rules/verdict.h"

// A tick of the wait for the next reset has passed.
void race_judge_waited(race_watch *watch);
void race_judge_car_event(const race_facts *facts, const apex_car_event *event, race_watch *watch,
                          race_verdicts *out);

// A touch as the world tells of it, and whose cars those are.
typedef struct race_touch {
    const apex_contact_event *contact;
    uint32_t slot;
    uint32_t other; // RACE_SLOT_NONE: no car, or nobody's
} race_touch;

// @return whether it is one to speak of: a touch begins, and it is more than noise.
bool race_contact_counts(const apex_contact_event *contact);
void race_judge_contact(const race_touch *touch, race_verdicts *out);
