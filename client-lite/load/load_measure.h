/// The measurements that one client adds to the load generator's tally.
#pragma once

#include "client-lite/load/load_state.h"

/// Counts from now on.
void cli_load_one_measure(cli_load_one *one, uint64_t time_us);
/// Adds what it counted. @return snapshots in a second.
double cli_load_one_measured(cli_load_one *one, uint64_t time_us);
/// After its socket was read.
void cli_load_one_note_news(cli_load_one *one, uint64_t time_us);
/// The age of what a player would see now, if nothing were moved on: the newest snapshot.
void cli_load_one_note_age(cli_load_one *one, const apex_client_view *view, uint64_t time_us);
/// The age of what a player does see.
void cli_load_one_note_shown(cli_load_one *one, uint64_t time_us);
