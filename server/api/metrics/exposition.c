// The exposition: all families of metrics, one after the other.
#include "api/metrics/exposition.h"

#include "api/metrics/families.h"

const char *api_exposition(const apex_api *api, bool with_players, apex_arena *arena,
                           size_t *length) {
    exposition_players players;
    if (with_players && !exposition_gather_players(&players, api, arena)) {
        return NULL;
    }
    exposition out = {.text = answer_text_begin(arena)};
    exposition_of_process(&out, api);
    exposition_of_ticks(&out, api);
    exposition_of_races(&out, api);
    if (with_players) {
        exposition_of_players(&out, &players);
    }
    exposition_of_network(&out, api);
    exposition_of_web(&out, api);
    if (api->playbacks != NULL) {
        exposition_of_playbacks(&out, api->playbacks);
    }
    return answer_text_end(arena, &out.text, length);
}
