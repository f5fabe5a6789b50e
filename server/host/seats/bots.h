/// The cars that the server drives from the start: the driver of each, his speed and his lane are
/// drawn from each race's seed.
#pragma once

#include "driver/driver.h"
#include "host/news/news.h"
#include "host/simulation/simulation.h"
#include "host/tick_frame.h"

/// The cars that the server drives from the start.
typedef struct host_bots {
    uint32_t count; ///< seated at the start; a bot that was removed since stays in the list
    apex_player_id *players; ///< [count]
    bool *made_room;         ///< [count] for a person; seated again where there is a place
    apex_driver_lot *lots;   ///< [count], of the race `drawn_race`
    uint32_t drawn_race;     ///< its number; 0: none yet
} host_bots;

apex_err host_bots_create(host_bots *bots, uint32_t bots_wanted);
void host_bots_destroy(host_bots *bots);

/// Before the first tick.
void host_bots_seat(host_bots *bots, host_simulation *simulation, const host_setup *setup);
/// For a person who finds the race full the last of them leaves.
/// @return false: there is none, or a place would not help, as where nobody may join late
bool host_bots_make_room(host_bots *bots, host_simulation *simulation, const host_setup *setup);
/// Before each tick: for a race that has not begun yet the lots are drawn, once.
void host_bots_draw(const host_frame *frame, host_bots *bots, host_simulation *simulation,
                    host_roster_news *roster, host_clients *clients);
