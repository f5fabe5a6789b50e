// What a lobby waits for, and for how long, as people see it.

#include "host/news/waiting.h"

#include <stdio.h>

apex_race_status host_race_status(const apex_race *race, uint32_t speed_permille) {
    apex_race_status status = apex_race_status_of(race);
    if (speed_permille > 0) { // as fast as possible it has a lobby in real time
        status.lobby_left_us = status.lobby_left_us * 1000 / speed_permille;
    }
    return status;
}

const char *host_waiting(const apex_race_status *status, char out[HOST_WAITING_BYTES]) {
    out[0] = '\0';
    if (status->phase != APEX_PHASE_LOBBY) {
        return out;
    }
    if (status->start_players == 0) {
        snprintf(out, HOST_WAITING_BYTES, "waiting for the operator to start");
        return out;
    }
    uint32_t missing =
        status->start_players > status->players ? status->start_players - status->players : 0;
    if (missing == 0) {
        return out; // the grid forms in the coming tick
    }
    int length = snprintf(out, HOST_WAITING_BYTES, "waiting for %u%s driver%s", missing,
                          status->players > 0 ? " more" : "", missing == 1 ? "" : "s");
    if (status->lobby_left_us > 0) {
        snprintf(out + length, HOST_WAITING_BYTES - (size_t)length,
                 "; starts in %lld s with who is here",
                 (long long)((status->lobby_left_us + 999999) / 1000000));
    }
    return out;
}
