/// The cars that the server drives from the start: who drives which, how fast and on which lane is
/// drawn from each race's seed.
#pragma once

#include "host/host_private.h"

apex_err host_bots_create(host_bots *bots, uint32_t bots_wanted);
void host_bots_destroy(host_bots *bots);

/// Before the first tick.
void host_bots_seat(apex_server *server);
/// For a person who finds the race full the last of them leaves.
/// @return false: there is none, or a place would not help, as where nobody may join late
bool host_bots_make_room(apex_server *server);
/// Before each tick: for a race that has not begun yet the lots are drawn, once.
void host_bots_draw(apex_server *server);
