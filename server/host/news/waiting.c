// A lobby's wait in words: the players it waits for, and the time it does.

#include "host/news/waiting.h"

apex_race_status host_race_status(const apex_race *race, uint32_t speed_permille) {
    apex_race_status status = apex_race_status_of(race);
    if (speed_permille > 0) { // as fast as possible it has a lobby in real time
        status.lobby_left_us = status.lobby_left_us * 1000 / speed_permille;
    }
    return status;
}

const char *host_waiting(const apex_race_status *status, char out[HOST_WAITING_BYTES]) {
    out[0] = '\0';
    if (status->phase == APEX_PHASE_LOBBY) {
        uint64_t left_us = status->lobby_left_us > 0 ? (uint64_t)status->lobby_left_us : 0;
        (void)apex_lobby_text(status->start_players, status->players, left_us, out);
    }
    return out;
}
