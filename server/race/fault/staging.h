// From the history of two cars to the scene of their contact.
#pragma once

#include "race/fault/corner.h"
#include "race/fault/history.h"
#include "race/fault/scene.h"

typedef struct race_touching {
    const apex_contact_event *contact; // of two cars
    uint32_t slots[2];                 // of contact->car, of contact->other
    bool blue[2];                      // is shown the blue flag for the other
    double s_m;                        // lap distance of the contact, filled in by race_stage
} race_touching;

void race_stage(const race_history *history, const race_corners *corners, const race_field *field,
                race_touching *touching, race_scene *out);
