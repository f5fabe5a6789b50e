// When the next tick of a server is to be made, and whom it waits for until then.

#include "base/assert.h"
#include "host/host_private.h"
#include "host/ingest/await.h"
#include "host/news/tell.h"

static uint64_t wait_us_max(const host_setup *setup) {
    return UINT64_C(1000) * setup->file.controls_wait_ms;
}

static bool awaits(const apex_server *server) {
    const apex_race *race = server->simulation.race;
    return wait_us_max(&server->setup) > 0 && host_is_led(&server->setup, &server->ending) &&
           !host_is_lobby_waiting(race) && host_is_anybody_awaited(&server->clients, race);
}

void apex_server_await(apex_server *server, uint64_t now_us) {
    host_clock *clock = &server->clock;
    if (!awaits(server)) {
        clock->awaits_since_us = 0;
        return;
    }
    clock->awaits_since_us = clock->awaits_since_us != 0 ? clock->awaits_since_us : now_us;
    APEX_ASSERT(clock->awaits_since_us <= now_us); // time does not go back
    if (now_us - clock->awaits_since_us >= wait_us_max(&server->setup)) {
        host_await_no_longer(&server->clients, server->simulation.race);
        clock->awaits_since_us = 0;
    }
}

bool apex_server_is_due(const apex_server *server, uint64_t now_us, uint64_t *due_us) {
    const apex_race *race = server->simulation.race;
    const host_clock *clock = &server->clock;
    *due_us = now_us;
    // A disk that does not take the results is asked again ten times a second, and no tick helps
    // it.
    bool is_for_disk =
        apex_race_phase_of(race) == APEX_PHASE_OVER && !host_all_is_told(&server->news);
    bool is_for_players =
        host_is_led(&server->setup, &server->ending) && host_is_lobby_waiting(race);
    if (is_for_disk || is_for_players) {
        *due_us = clock->ticked_us + 1000000u / apex_race_tick_hz(race);
    } else if (awaits(server)) {
        uint64_t since_us = clock->awaits_since_us != 0 ? clock->awaits_since_us : now_us;
        *due_us = since_us + wait_us_max(&server->setup);
    }
    return *due_us <= now_us;
}
