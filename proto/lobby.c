// The lobby's sentence, for the server's operator and for everybody in the lobby alike.
#include <inttypes.h>
#include <stdio.h>

#include "proto/proto.h"

bool apex_lobby_text(uint32_t start_players, uint32_t players, uint64_t left_us,
                     char out[APEX_LOBBY_TEXT_BYTES]) {
    out[0] = '\0';
    if (start_players == 0) {
        snprintf(out, APEX_LOBBY_TEXT_BYTES, "waiting for the operator to start");
        return true;
    }
    if (players >= start_players) {
        return false; // the grid forms in the coming tick
    }
    uint32_t missing = start_players - players;
    int length = snprintf(out, APEX_LOBBY_TEXT_BYTES, "waiting for %" PRIu32 "%s driver%s", missing,
                          players > 0 ? " more" : "", missing == 1 ? "" : "s");
    if (left_us > 0) {
        uint64_t left_s = left_us / 1000000 + (left_us % 1000000 > 0);
        snprintf(out + length, APEX_LOBBY_TEXT_BYTES - (size_t)length,
                 "; starts in %" PRIu64 " s with who is here", left_s);
    }
    return true;
}
