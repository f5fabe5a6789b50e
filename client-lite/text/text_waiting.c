// A lobby's sentence is the protocol's, and only a race in its lobby has one.
#include "client-lite/text/text_waiting.h"

bool client_text_waiting(const apex_race_state *race, char out[APEX_LOBBY_TEXT_BYTES]) {
    return race->phase == APEX_WIRE_PHASE_LOBBY &&
           apex_lobby_text(race->start_players, race->players, race->lobby_left_us, out);
}
