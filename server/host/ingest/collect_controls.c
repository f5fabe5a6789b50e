// Each player's controls for the coming tick come out of his buffer.

#include "host/ingest/collect_controls.h"

#include "base/assert.h"

void host_collect_controls(const host_frame *frame, host_clients *clients,
                           host_simulation *simulation) {
    APEX_ASSERT(clients->player_capacity <= apex_race_player_capacity(simulation->race));
    uint32_t tick = (uint32_t)apex_world_tick(apex_race_world(simulation->race)) + 1;
    APEX_ASSERT(frame->shown_tick + 1 == tick);
    for (uint32_t slot = 0; slot < clients->player_capacity; slot++) {
        uint32_t place1 = clients->of_player[slot];
        if (place1 == 0) {
            simulation->controls[slot] = (apex_controls){0};
            continue;
        }
        APEX_ASSERT(place1 <= clients->end);
        host_client *client = &clients->at[place1 - 1];
        if (client->lost) {
            simulation->controls[slot] = (apex_controls){0};
            continue;
        }
        simulation->controls[slot] =
            host_controls_take(&client->controls, tick, &clients->controls_counters);
        client->viewer.controls_tick = client->controls.used_tick;
        client->viewer.controls_depth = host_controls_least(&client->controls);
    }
}
