// The list of what happened, of which the tick's own share is kept free.
#include "race/field/event_log.h"

#include "base/assert.h"

// A player's own events in one tick at most: reset, off, wrong way, blown, retired, a lap with its
// sectors, finished; and joining and leaving before it. With cards also: a lap that is void,
// offences and their penalties, an incident, the pits, flags. Contacts have their own share, so
// that a pile-up cannot crowd out a lap.
enum { EVENTS_PER_PLAYER = 12, EVENTS_PER_CARD = 12, COMMAND_ROOM = 64 };

void race_log_begin(race_log *log) {
    if (log->read) {
        log->count = 0;
        log->contacts = 0;
        log->read = false;
    }
}

bool race_log_has_room(const race_log *log) {
    uint32_t each = EVENTS_PER_PLAYER + (log->with_cards ? EVENTS_PER_CARD : 0);
    uint32_t kept_for_tick = each * log->player_capacity;
    return log->read || log->count + kept_for_tick + COMMAND_ROOM <= log->capacity;
}

static void push(race_log *log, const apex_race_event *event) {
    if (log->count < log->capacity) {
        log->events[log->count++] = *event;
    }
}

void race_log_add(race_log *log, apex_race_event_kind kind, apex_player_id player, int64_t value,
                  uint64_t time_us) {
    APEX_ASSERT((uint32_t)kind < APEX_EVENT_KINDS && kind != APEX_EVENT_CONTACT);
    apex_race_event event = {
        .kind = kind,
        .tick = log->tick,
        .race_number = log->race_number,
        .player = player,
        .value = value,
        .time_us = time_us,
    };
    push(log, &event);
}

static void push_pair(race_log *log, apex_race_event_kind kind, const apex_player_id who[2],
                      int64_t value) {
    apex_race_event event = {
        .kind = kind,
        .tick = log->tick,
        .race_number = log->race_number,
        .player = who[0],
        .other = who[1],
        .value = value,
    };
    push(log, &event);
}

void race_log_pair(race_log *log, apex_race_event_kind kind, apex_player_id player,
                   apex_player_id other, int64_t value) {
    APEX_ASSERT((uint32_t)kind < APEX_EVENT_KINDS && kind != APEX_EVENT_CONTACT);
    push_pair(log, kind, (apex_player_id[2]){player, other}, value);
}

void race_log_contact(race_log *log, apex_player_id player, apex_player_id other,
                      int64_t impulse_ns) {
    APEX_ASSERT(player.index1 != 0);
    if (log->contacts >= 4 * log->player_capacity) {
        return;
    }
    log->contacts++;
    push_pair(log, APEX_EVENT_CONTACT, (apex_player_id[2]){player, other}, impulse_ns);
}
