// Messages from a server about the race: events, state, who drives what, order and results.
#include "wire.pb-c.h"

#include "proto/codec/codec_fields.h"
#include "proto/codec/codec_messages.h"

#define EVENT_FIELDS(D)                                           \
    D##_ENUM(race_event, Apex__EventKind, uint32_t, kind, 0, 25); \
    D##_ANY(race_event, tick);                                    \
    D##_ANY(race_event, race_number);                             \
    D##_ANY(race_event, player);                                  \
    D##_ANY(race_event, other);                                   \
    D##_ANY(race_event, value);                                   \
    D##_ANY(race_event, time_us);                                 \
    D##_TEXT(race_event, name, 31);                               \
    D##_TEXT(race_event, other_name, 31);

#define STATE_FIELDS(D)                                       \
    D##_ENUM(race_state, Apex__Phase, uint32_t, phase, 0, 6); \
    D##_ANY(race_state, race_number);                         \
    D##_ANY(race_state, race_time_us);                        \
    D##_ANY(race_state, laps);                                \
    D##_ANY(race_state, players);                             \
    D##_ANY(race_state, running);                             \
    D##_ANY(race_state, start_players);                       \
    D##_ANY(race_state, lobby_left_us);                       \
    D##_ANY(race_state, seed);

#define ENTRY_FIELDS(D)            \
    D##_ANY(roster, player);       \
    D##_ANY(roster, car);          \
    D##_TEXT(roster, name, 31);    \
    D##_TEXT(roster, car_def, 31); \
    D##_FLAG(roster, driven_by_server);

#define STANDING_FIELDS(D)                                          \
    D##_ANY(standing, position);                                    \
    D##_ANY(standing, player);                                      \
    D##_TEXT(standing, name, 31);                                   \
    D##_TEXT(standing, car_def, 31);                                \
    D##_ENUM(standing, Apex__StandingState, uint32_t, state, 0, 3); \
    D##_ANY(standing, laps);                                        \
    D##_REAL(standing, lap_m);                                      \
    D##_ANY(standing, last_lap_us);                                 \
    D##_ANY(standing, best_lap_us);                                 \
    D##_ANY(standing, total_us);                                    \
    D##_ANY(standing, gap_us);                                      \
    D##_ANY(standing, grid);                                        \
    D##_INT(standing, uint32_t, sector, 0, 7);                      \
    D##_FLAG(standing, kicked);                                     \
    D##_FLAG(standing, not_started);                                \
    D##_ANY(standing, class1);                                      \
    D##_ANY(standing, class_position);                              \
    D##_ANY(standing, number);                                      \
    D##_ANY(standing, best_counting_us);                            \
    D##_ANY(standing, penalty_us);                                  \
    D##_ENUM(standing, Apex__PitPhase, uint32_t, pit, 0, 3);        \
    D##_ANY(standing, stops);                                       \
    D##_ANY(standing, lap_voids);                                   \
    D##_ANY(standing, incident_points);                             \
    D##_ANY(standing, points);                                      \
    D##_ENUM(standing, Apex__ResultStatus, uint32_t, status, 0, 3); \
    D##_ANY(standing, ideal_us);                                    \
    D##_ANY(standing, trap_cmps);

#define STANDINGS_FIELDS(D)   \
    D##_ANY(standings, tick); \
    D##_ANY(standings, total);

#define RESULTS_FIELDS(D)          \
    D##_ANY(results, race_number); \
    D##_TEXT(results, track, 31);  \
    D##_ANY(results, laps);        \
    D##_ANY(results, state_hash);

static_assert(APEX__EVENT_KIND__EVENT_FAULT == 25, "the limit of race_event: kind");
static_assert(APEX__PHASE__PHASE_OVER == 6, "the limit of race_state: phase");
static_assert(APEX__STANDING_STATE__STANDING_DNF == 3, "the limit of standing: state");

static void put_event(codec_writer *writer, const apex_race_event_message *plain) {
    Apex__RaceEvent message = APEX__RACE_EVENT__INIT, *pb = &message;
    EVENT_FIELDS(PUT);
    codec_write(writer, &message.base);
}

static void put_past_event(codec_writer *writer, uint32_t number,
                           const apex_race_event_message *plain) {
    Apex__RaceEvent message = APEX__RACE_EVENT__INIT, *pb = &message;
    EVENT_FIELDS(PUT);
    codec_write_element(writer, number, &message.base);
}

static void put_past_events(codec_writer *writer, const apex_past_events *plain) {
    assert(plain->event_count <= APEX_PAST_EVENTS_MAX);
    for (uint32_t number = 1; number <= 2; number++) {
        for (uint32_t i = 0; i < plain->event_count; i++) {
            bool is_control = plain->events[i].kind >= CODEC_CONTROL_EVENTS_FROM;
            if (number == (is_control ? 2u : 1u)) {
                put_past_event(writer, number, &plain->events[i]);
            }
        }
    }
}

static void put_state(codec_writer *writer, const apex_race_state *plain) {
    Apex__RaceState message = APEX__RACE_STATE__INIT, *pb = &message;
    STATE_FIELDS(PUT);
    codec_write(writer, &message.base);
}

static void put_entry(codec_writer *writer, const apex_roster_entry *plain) {
    Apex__RosterEntry message = APEX__ROSTER_ENTRY__INIT, *pb = &message;
    ENTRY_FIELDS(PUT);
    pb->driver = codec_bytes(plain->driver, plain->has_driver ? APEX_WIRE_DRIVER_BYTES : 0);
    codec_write_element(writer, 2, &message.base);
}

static void put_roster(codec_writer *writer, const apex_roster *plain) {
    Apex__Roster message = APEX__ROSTER__INIT, *pb = &message;
    assert(plain->entry_count <= APEX_ROSTER_ENTRIES_MAX);
    PUT_FLAG(roster, complete);
    codec_write(writer, &message.base);
    for (uint32_t i = 0; i < plain->entry_count; i++) {
        put_entry(writer, &plain->entries[i]);
    }
}

static void put_standing(codec_writer *writer, uint32_t number, const apex_wire_standing *plain) {
    Apex__Standing message = APEX__STANDING__INIT, *pb = &message;
    assert(plain->sector_count <= APEX_WIRE_SECTORS_MAX);
    STANDING_FIELDS(PUT);
    message.n_sector_us = message.n_best_sector_us = plain->sector_count;
    message.sector_us = (uint64_t *)plain->sector_us;
    message.best_sector_us = (uint64_t *)plain->best_sector_us;
    codec_write_element(writer, number, &message.base);
}

static void put_rest_of_standings(codec_writer *writer, const apex_standings *plain) {
    Apex__Standings message = APEX__STANDINGS__INIT;
    assert(plain->sector_count <= APEX_WIRE_SECTORS_MAX);
    message.n_best_sector_us = plain->sector_count;
    message.best_sector_us = (uint64_t *)plain->best_sector_us;
    codec_write(writer, &message.base);
}

static void put_standings(codec_writer *writer, const apex_standings *plain) {
    Apex__Standings message = APEX__STANDINGS__INIT, *pb = &message;
    assert(plain->line_count <= APEX_STANDINGS_LINES_MAX);
    STANDINGS_FIELDS(PUT);
    codec_write(writer, &message.base);
    for (uint32_t i = 0; i < plain->line_count; i++) {
        put_standing(writer, 3, &plain->lines[i]);
    }
    put_rest_of_standings(writer, plain); // fields go in the order of their numbers
}

static void put_results(codec_writer *writer, const apex_results *plain) {
    Apex__Results message = APEX__RESULTS__INIT, *pb = &message;
    assert(plain->line_count <= APEX_RESULTS_LINES_MAX);
    assert(plain->apart_count <= APEX_RESULTS_LINES_MAX);
    RESULTS_FIELDS(PUT);
    codec_write(writer, &message.base);
    for (uint32_t i = 0; i < plain->line_count; i++) {
        put_standing(writer, 5, &plain->lines[i]);
    }
    for (uint32_t i = 0; i < plain->apart_count; i++) {
        put_standing(writer, 6, &plain->apart[i]);
    }
    Apex__Results last = APEX__RESULTS__INIT;
    last.seed = plain->seed;
    codec_write(writer, &last.base); // fields go in the order of their numbers
}

void codec_put_race(codec_writer *writer, const apex_server_message *message) {
    switch (message->kind) {
    case APEX_SERVER_RACE_EVENT:
        put_event(writer, &message->event);
        break;
    case APEX_SERVER_RACE_STATE:
        put_state(writer, &message->race_state);
        break;
    case APEX_SERVER_ROSTER:
        put_roster(writer, &message->roster);
        break;
    case APEX_SERVER_STANDINGS:
        put_standings(writer, &message->standings);
        break;
    case APEX_SERVER_RESULTS:
        put_results(writer, &message->results);
        break;
    case APEX_SERVER_PLAYBACK_STATE:
        codec_put_playback_state(writer, &message->playback_state);
        break;
    case APEX_SERVER_PAST_EVENTS:
        put_past_events(writer, &message->past_events);
        break;
    case APEX_SERVER_SESSION_STATE:
        codec_put_session(writer, &message->session);
        break;
    case APEX_SERVER_PENALTIES:
        codec_put_penalties(writer, &message->penalties);
        break;
    case APEX_SERVER_CONDUCT:
        codec_put_conduct(writer, &message->conduct);
        break;
    default: // every other kind is codec_server.c's
        assert(message->kind == APEX_SERVER_RESULTS);
    }
}

static bool get_event(codec_reader *reader, const Apex__RaceEvent *pb,
                      apex_race_event_message *plain) {
    EVENT_FIELDS(GET);
    return true;
}

static bool get_past_events(codec_reader *reader, const Apex__PastEvents *pb,
                            apex_past_events *plain) {
    if (pb->n_events > APEX_PAST_EVENTS_MAX ||
        pb->n_control > APEX_PAST_EVENTS_MAX - pb->n_events) {
        return codec_refuse(reader, "past_events: there are more than 50 events");
    }
    size_t count = pb->n_events + pb->n_control;
    apex_race_event_message *events = codec_take(reader, count, sizeof events[0]);
    if (events == NULL) {
        return false;
    }
    for (size_t i = 0, plain_taken = 0, control_taken = 0; i < count; i++) {
        bool is_control = plain_taken == pb->n_events ||
                          (control_taken < pb->n_control &&
                           pb->control[control_taken]->tick < pb->events[plain_taken]->tick);
        const Apex__RaceEvent *next =
            is_control ? pb->control[control_taken++] : pb->events[plain_taken++];
        if (!get_event(reader, next, &events[i])) {
            return false;
        }
    }
    plain->event_count = (uint32_t)count;
    plain->events = events;
    return true;
}

static bool get_state(codec_reader *reader, const Apex__RaceState *pb, apex_race_state *plain) {
    STATE_FIELDS(GET);
    return true;
}

static bool get_entry(codec_reader *reader, const Apex__RosterEntry *pb, apex_roster_entry *plain) {
    ENTRY_FIELDS(GET);
    if (pb->driver.len != 0 && pb->driver.len != APEX_WIRE_DRIVER_BYTES) {
        return codec_refuse(reader, "roster: driver is not 16 bytes long");
    }
    plain->has_driver = pb->driver.len != 0;
    if (plain->has_driver) {
        memcpy(plain->driver, pb->driver.data, APEX_WIRE_DRIVER_BYTES);
    }
    return true;
}

static bool get_roster(codec_reader *reader, const Apex__Roster *pb, apex_roster *plain) {
    GET_FLAG(roster, complete);
    if (pb->n_entries > APEX_ROSTER_ENTRIES_MAX) {
        return codec_refuse(reader, "roster: there are more than 8192 entries");
    }
    apex_roster_entry *entries = codec_take(reader, pb->n_entries, sizeof entries[0]);
    if (entries == NULL) {
        return false;
    }
    for (size_t i = 0; i < pb->n_entries; i++) {
        if (!get_entry(reader, pb->entries[i], &entries[i])) {
            return false;
        }
    }
    plain->entry_count = (uint32_t)pb->n_entries;
    plain->entries = entries;
    return true;
}

static bool get_sectors(codec_reader *reader, const uint64_t from[], size_t count,
                        uint64_t to[APEX_WIRE_SECTORS_MAX]) {
    if (count > APEX_WIRE_SECTORS_MAX) {
        return codec_refuse(reader, "standings: there are more than 8 sectors");
    }
    for (size_t i = 0; i < count; i++) {
        to[i] = from[i];
    }
    return true;
}

static bool get_standing(codec_reader *reader, const Apex__Standing *pb,
                         apex_wire_standing *plain) {
    STANDING_FIELDS(GET);
    if (pb->n_sector_us != pb->n_best_sector_us) {
        return codec_refuse(reader, "standing: best_sector_us is not as long as sector_us");
    }
    plain->sector_count = (uint32_t)pb->n_sector_us;
    return get_sectors(reader, pb->sector_us, pb->n_sector_us, plain->sector_us) &&
           get_sectors(reader, pb->best_sector_us, pb->n_best_sector_us, plain->best_sector_us);
}

static const apex_wire_standing *get_lines(codec_reader *reader, Apex__Standing *const pb[],
                                           size_t count) {
    apex_wire_standing *lines = codec_take(reader, count, sizeof lines[0]);
    for (size_t i = 0; lines != NULL && i < count; i++) {
        if (!get_standing(reader, pb[i], &lines[i])) {
            return NULL;
        }
    }
    return lines;
}

static bool get_standings(codec_reader *reader, const Apex__Standings *pb, apex_standings *plain) {
    STANDINGS_FIELDS(GET);
    if (pb->n_lines > APEX_STANDINGS_LINES_MAX) {
        return codec_refuse(reader, "standings: there are more than 65 lines");
    }
    plain->sector_count = (uint32_t)pb->n_best_sector_us;
    if (!get_sectors(reader, pb->best_sector_us, pb->n_best_sector_us, plain->best_sector_us)) {
        return false;
    }
    plain->lines = get_lines(reader, pb->lines, pb->n_lines);
    plain->line_count = (uint32_t)pb->n_lines;
    return plain->lines != NULL;
}

static bool get_results(codec_reader *reader, const Apex__Results *pb, apex_results *plain) {
    RESULTS_FIELDS(GET);
    plain->seed = pb->seed;
    if (pb->n_lines > APEX_RESULTS_LINES_MAX || pb->n_apart > APEX_RESULTS_LINES_MAX) {
        return codec_refuse(reader, "results: there are more than 8192 lines");
    }
    plain->lines = get_lines(reader, pb->lines, pb->n_lines);
    plain->line_count = (uint32_t)pb->n_lines;
    if (plain->lines == NULL) {
        return false;
    }
    plain->apart = get_lines(reader, pb->apart, pb->n_apart);
    plain->apart_count = (uint32_t)pb->n_apart;
    return plain->apart != NULL;
}

bool codec_get_race(codec_reader *reader, const Apex__ServerMessage *pb, apex_server_message *out) {
    switch (pb->body_case) {
    case APEX__SERVER_MESSAGE__BODY_RACE_EVENT:
        return get_event(reader, pb->race_event, &out->event);
    case APEX__SERVER_MESSAGE__BODY_RACE_STATE:
        return get_state(reader, pb->race_state, &out->race_state);
    case APEX__SERVER_MESSAGE__BODY_ROSTER:
        return get_roster(reader, pb->roster, &out->roster);
    case APEX__SERVER_MESSAGE__BODY_STANDINGS:
        return get_standings(reader, pb->standings, &out->standings);
    case APEX__SERVER_MESSAGE__BODY_RESULTS:
        return get_results(reader, pb->results, &out->results);
    case APEX__SERVER_MESSAGE__BODY_PLAYBACK_STATE:
        return codec_get_playback_state(reader, pb->playback_state, &out->playback_state);
    case APEX__SERVER_MESSAGE__BODY_PAST_EVENTS:
        return get_past_events(reader, pb->past_events, &out->past_events);
    case APEX__SERVER_MESSAGE__BODY_SESSION_STATE:
        return codec_get_session(reader, pb->session_state, &out->session);
    case APEX__SERVER_MESSAGE__BODY_PENALTIES:
        return codec_get_penalties(reader, pb->penalties, &out->penalties);
    case APEX__SERVER_MESSAGE__BODY_CONDUCT:
        return codec_get_conduct(reader, pb->conduct, &out->conduct);
    default:
        return codec_refuse(reader, "message has no body that this version knows");
    }
}
