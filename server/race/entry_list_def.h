/// The list of entries of an event, and its classes. Part of the public face of race; include
/// "race/race.h".
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "physics/physics.h"

enum { APEX_ENTRIES_MAX = 96, APEX_CLASSES_MAX = 8, APEX_ENTRY_KEY_BYTES = 44 };

typedef struct apex_race_class_def {
    char name[APEX_NAME_BYTES];
    uint32_t cars; ///< bits of the race's cars that belong to it
} apex_race_class_def;

typedef struct apex_race_entry_def {
    char name[APEX_NAME_BYTES];     ///< of the driver; one with a key may come under another
    char key[APEX_ENTRY_KEY_BYTES]; ///< fingerprint of his key as text; empty: by name
    uint32_t number;                ///< 1..999; 0: none
    char team[APEX_NAME_BYTES];
    uint32_t car1;     ///< of the race's cars, from 1; 0: his choice
    uint32_t class1;   ///< from 1; 0: that of his car, or none
    double ballast_kg; ///< 0..200
    double restrictor; ///< 0..0.5 of the engine's power is taken
    uint32_t grid;     ///< from 1; 0: none
} apex_race_entry_def;

/// Ballast by the place in the race before.
enum { APEX_SUCCESS_PLACES_MAX = 10 };

typedef struct apex_entry_list_def {
    bool only_listed; ///< nobody else drives
    uint32_t class_count;
    apex_race_class_def classes[APEX_CLASSES_MAX];
    uint32_t count;
    apex_race_entry_def all[APEX_ENTRIES_MAX];
    uint32_t success_count;
    double success_kg[APEX_SUCCESS_PLACES_MAX];
} apex_entry_list_def;
