// The sentence is made of the race's own count of drivers and of its clock.
#include "client-lite/text/text_waiting.h"

#include <inttypes.h>
#include <stdio.h>

bool client_text_waiting(const apex_race_state *race, char out[CLIENT_EVENT_BYTES]) {
    if (race->phase != APEX_WIRE_PHASE_LOBBY) {
        return false;
    }
    if (race->start_players == 0) {
        snprintf(out, CLIENT_EVENT_BYTES, "waiting for the operator to start");
        return true;
    }
    uint32_t missing =
        race->start_players > race->players ? race->start_players - race->players : 0;
    if (missing == 0) {
        return false; // the grid forms in the coming tick
    }
    int length = snprintf(out, CLIENT_EVENT_BYTES, "waiting for %" PRIu32 "%s driver%s", missing,
                          race->players > 0 ? " more" : "", missing == 1 ? "" : "s");
    if (race->lobby_left_us > 0) {
        uint64_t left_s = race->lobby_left_us / 1000000 + (race->lobby_left_us % 1000000 > 0);
        snprintf(out + length, CLIENT_EVENT_BYTES - (size_t)length,
                 "; starts in %" PRIu64 " s with who is here", left_s);
    }
    return true;
}
