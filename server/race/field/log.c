#include "race/race_private.h"

#include "base/assert.h"

// A player's own events in one tick at most: reset, off, wrong way, blown, retired, a lap with its
// sectors, finished; and joining and leaving before it. Contacts have their own share, so that a
// pile-up cannot crowd out a lap.
enum { EVENTS_PER_PLAYER = 12, COMMAND_ROOM = 64 };

void race_event_begin(apex_race *race) {
    if (race->log.read) {
        race->log.count = 0;
        race->log.contacts = 0;
        race->log.read = false;
    }
}

bool race_event_has_room(const apex_race *race) {
    uint32_t kept_for_tick = EVENTS_PER_PLAYER * race->field.capacity;
    return race->log.read || race->log.count + kept_for_tick + COMMAND_ROOM <= race->log.capacity;
}

static void push(apex_race *race, const apex_race_event *event) {
    if (race->log.count < race->log.capacity) {
        race->log.events[race->log.count++] = *event;
    }
}

void race_event_add(apex_race *race, apex_race_event_kind kind, uint32_t slot, int64_t value,
                    uint64_t time_us) {
    apex_race_event event = {
        .kind = kind,
        .tick = apex_world_tick(race->field.world),
        .race_number = race->event.race_number,
        .value = value,
        .time_us = time_us,
    };
    if (slot < race->field.capacity) {
        event.player = race->field.players[slot].id;
    }
    push(race, &event);
}

void race_event_contact(apex_race *race, apex_player_id player, apex_player_id other,
                        int64_t impulse_ns) {
    if (race->log.contacts >= 4 * race->field.capacity) {
        return;
    }
    race->log.contacts++;
    apex_race_event event = {
        .kind = APEX_EVENT_CONTACT,
        .tick = apex_world_tick(race->field.world),
        .race_number = race->event.race_number,
        .player = player,
        .other = other,
        .value = impulse_ns,
    };
    push(race, &event);
}

const apex_race_event *apex_race_events(const apex_race *race, size_t *count) {
    APEX_ASSERT(race != NULL && count != NULL);
    *count = race->log.count;
    return race->log.events;
}

const char *apex_race_event_name(apex_race_event_kind kind) {
    static const char *const names[] = {
        [APEX_EVENT_PHASE] = "phase",
        [APEX_EVENT_JOINED] = "joined",
        [APEX_EVENT_LEFT] = "left",
        [APEX_EVENT_LIGHTS] = "lights",
        [APEX_EVENT_SECTOR] = "sector",
        [APEX_EVENT_LAP] = "lap",
        [APEX_EVENT_BEST_LAP] = "best-lap",
        [APEX_EVENT_FINISHED] = "finished",
        [APEX_EVENT_DNF] = "dnf",
        [APEX_EVENT_RESET] = "reset",
        [APEX_EVENT_CONTACT] = "contact",
        [APEX_EVENT_ENGINE_BLEW] = "engine-blew",
        [APEX_EVENT_OFF_TRACK] = "off-track",
        [APEX_EVENT_WRONG_WAY] = "wrong-way",
        [APEX_EVENT_IDLE] = "idle",
    };
    uint32_t index = (uint32_t)kind;
    return index < sizeof names / sizeof names[0] ? names[index] : "unknown";
}
