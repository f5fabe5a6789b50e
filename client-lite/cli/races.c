// A race counts as done when its results have come.
#include "client-lite/cli/races.h"

// Results that were there when the client came are those of a race before it.
static void note_first(cli_races *races, const apex_client *client) {
    const apex_race_state *race = apex_client_race_state(client);
    if (races->first == 0 && race != NULL) {
        races->first = race->race_number + (race->phase >= APEX_WIRE_PHASE_RESULTS ? 1 : 0);
    }
}

bool cli_races_are_done(cli_races *races, const apex_client *client) {
    note_first(races, client);
    const apex_results *results = apex_client_results(client);
    return races->wanted > 0 && races->first > 0 && results != NULL &&
           results->race_number + 1 >= races->first + races->wanted;
}
