/// The event's list of entries: who of those who ask to drive is on it, as what, and who may not.
#pragma once

#include "net/player_name.h"
#include "proto/proto.h"
#include "race/race.h"
#include "store/store.h"

/// The list as it is looked at: how names on it look is found once.
typedef struct host_entries {
    const apex_entry_list_def *list; ///< borrowed
    struct {
        bool has_look;
        apex_name_look look;
    } at[APEX_ENTRIES_MAX];
} host_entries;

void host_entries_begin(host_entries *entries, const apex_entry_list_def *list,
                        const apex_name_judge *judge);

typedef struct host_entry {
    const apex_race_entry_def *entry; ///< NULL: he is not on the list
    apex_reason refused;              ///< APEX_REASON_NONE: he may drive
    char why[APEX_WIRE_TEXT_BYTES];   ///< a sentence, if he may not
} host_entry;

/// An entry with a key is its driver's alone, under whatever name he comes; in the race he is
/// called as it says. One without is for who comes under its name. Names are compared as people see
/// them.
/// @param who as he has proved @param name that he wants
host_entry host_entry_of(const host_entries *entries, const apex_name_judge *judge,
                         const apex_store_who *who, const char *name);
