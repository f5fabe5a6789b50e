// A race that runs as fast as it can would leave behind everybody who drives in it over a network:
// a driver over a socket needs a round trip, and in that time such a server made a hundred ticks.
// So its next tick waits for each connected player's sample, and its lobby, which waits for people
// and programs to come, keeps real time. Each tick has the controls that were meant for it, however
// busy the machine is; eight bots make three laps of the oval in 1.4 s.
//
// The limit (`controls_wait_ms`, a second) is for a client that hangs: it is given up at once, not
// tick by tick, and any word of its takes it back. With 100 ms a machine that stopped for an
// instant had all drivers given up at once, and the race was over, without them, 30 ms later. Words
// that come in time would be asked too much: the race they would have to be in time for runs off as
// fast as it can meanwhile (DECISIONS 43).

#include "host/ingest/await.h"

#include "base/log.h"

enum { GIVEN_UP_MAX = 10 }; // in a row: then it goes on for 8192 ticks

bool host_is_led(const host_setup *setup, const host_ending *ending) {
    return setup->speed_permille == 0 && !ending->stopping && !ending->goodbyes_said;
}

bool host_is_lobby_waiting(const apex_race *race) {
    apex_race_status status = apex_race_status_of(race);
    return status.phase == APEX_PHASE_LOBBY &&
           (status.start_players == 0 || status.players < status.start_players);
}

static bool is_awaited(const host_client *client, uint32_t tick) {
    bool drives = client->admitted && client->player.index1 != 0 && !client->lost;
    bool is_going = client->leaving || client->kicked;
    if (!drives || is_going || client->is_silent || tick < client->awaited_from_tick) {
        return false;
    }
    // Controls that have come for later ticks but not for this one were lost, or left out.
    return client->controls.newest == 0 || host_controls_depth(&client->controls, tick) < 0;
}

static uint32_t coming_tick(const apex_race *race) {
    return (uint32_t)apex_world_tick(apex_race_world(race)) + 1;
}

bool host_is_anybody_awaited(const host_clients *clients, const apex_race *race) {
    uint32_t tick = coming_tick(race);
    for (uint32_t i = 0; i < clients->end; i++) {
        if (is_awaited(&clients->at[i], tick)) {
            return true;
        }
    }
    return false;
}

// A driver who was late once is waited for as soon as a word of his comes. With words that are
// always too late he could hold up every tick so, and each time the race goes on for longer before
// it waits.
static uint32_t ticks_without(uint32_t given_up) {
    return given_up == 0 ? 0 : UINT32_C(8) << given_up;
}

void host_await_heard(host_client *client, uint32_t tick) {
    client->is_silent = false;
    if (client->controls.newest != 0 && host_controls_depth(&client->controls, tick) >= 0) {
        client->given_up = client->awaited_from_tick = 0;
    }
}

void host_await_no_longer(host_clients *clients, const apex_race *race) {
    uint32_t tick = coming_tick(race);
    for (uint32_t i = 0; i < clients->end; i++) {
        host_client *client = &clients->at[i];
        apex_standing standing;
        if (!is_awaited(client, tick)) {
            continue;
        }
        client->is_silent = true;
        client->awaited_from_tick = tick + ticks_without(client->given_up);
        client->given_up += client->given_up < GIVEN_UP_MAX;
        if (!client->told_silent && apex_race_player_standing(race, client->player, &standing)) {
            client->told_silent = true;
            apex_log(APEX_LOG_INFO, "race",
                     "%s sends no controls: the race waits for them again when some come",
                     standing.name);
        }
    }
}
