// The list of what happened since the last tick began. All rooms may write to it.
#pragma once

#include "race/race.h"

typedef struct race_log {
    apex_race_event *events;
    uint32_t count, capacity, contacts;
    bool read; // the next event begins a new list
} race_log;
