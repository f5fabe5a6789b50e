// A short race of bots, recorded, with all that it had at each tick; and a server that plays it to
// clients, fed by hand in virtual time.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "client-lite/client_internal.h"
#include "client-lite/session/session.h"
#include "client-lite/session/session_receive.h"
#include "host/simulation/race_commands.h"
#include "playback/playback_private.h"
#include "support/base/check_main.h"

enum {
    TAPE_BOTS = 5,
    TAPE_TICKS_MAX = 6000,
    TAPE_EVENTS_MAX = 512,
    TAPE_BYTES_MAX = 4 * 1024 * 1024,
    WATCHERS_MAX = 3,
    ROUND_US = 16667,
};

typedef struct taped_event {
    apex_race_event_kind kind;
    uint64_t tick;
    int64_t value;
} taped_event;

/// The race as it was, tick by tick; a tick's number is how many were made.
typedef struct race_tape {
    char folder[CHECK_PATH_BYTES], path[CHECK_PATH_BYTES + 16];
    uint32_t ticks;
    uint64_t hashes[TAPE_TICKS_MAX];
    apex_wire_car cars[TAPE_TICKS_MAX][TAPE_BOTS]; ///< by slot
    apex_race_phase phases[TAPE_TICKS_MAX];
    uint32_t event_count;
    taped_event events[TAPE_EVENTS_MAX];
    apex_standing results[2 * TAPE_BOTS];
    size_t result_count;
} race_tape;

static race_tape tape;

/// What the first test has recorded: all others play the same.
typedef struct taped_race {
    race_tape tape;
    size_t length; ///< of the recording; set last, 0: nothing is recorded yet
    uint8_t bytes[TAPE_BYTES_MAX];
} taped_race;

static taped_race *taped;

__attribute__((constructor)) static void tape_map(void) {
    taped = check_shared(sizeof *taped);
}

static inline void tape_keep(const apex_race *race) {
    uint64_t tick = apex_world_tick(apex_race_world(race));
    ck_assert_uint_lt(tick, TAPE_TICKS_MAX);
    tape.ticks = (uint32_t)tick;
    tape.hashes[tick] = apex_race_hash(race);
    tape.phases[tick] = apex_race_phase_of(race);
    uint32_t end = 0;
    const apex_car_pose *poses = apex_race_poses(race, &end);
    for (uint32_t slot = 0; slot < end; slot++) {
        tape.cars[tick][slot] = apex_replicate_quantise(&poses[slot]);
    }
    size_t count = 0;
    const apex_race_event *events = apex_race_events(race, &count);
    for (size_t i = 0; tick > 0 && i < count; i++) {
        ck_assert_uint_lt(tape.event_count, TAPE_EVENTS_MAX);
        tape.events[tape.event_count++] =
            (taped_event){events[i].kind, events[i].tick, events[i].value};
        if (events[i].kind == APEX_EVENT_PHASE && events[i].value == APEX_PHASE_RESULTS) {
            tape.result_count = apex_race_standings(race, tape.results, 2 * TAPE_BOTS);
        }
    }
}

static double tape_countdown_s = 2.0;
/// What is different of the race; NULL: nothing.
static void (*tape_change)(apex_race_file *file);

static inline apex_race_file tape_race_file(void) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    snprintf(file.race.name, sizeof file.race.name, "taped");
    file.race.laps = 1;
    file.race.races = 1;
    file.race.start_players = TAPE_BOTS;
    file.race.player_capacity = TAPE_BOTS;
    file.race.countdown_s = tape_countdown_s;
    file.race.results_s = 4.0;
    file.bots = TAPE_BOTS;
    file.results_dir[0] = '\0';
    if (tape_change != NULL) {
        tape_change(&file);
    }
    return file;
}

/// Of each file of the recording; 0: it is one.
static uint64_t tape_bytes_max;

// Until the race has been over for a second.
static inline void tape_run(void) {
    static apex_server_def def;
    char why[APEX_HOST_WHY_BYTES] = "";
    apex_race_file file = tape_race_file();
    ck_assert_int_eq(apex_server_def_load(&file, NULL, &def, why), APEX_OK);
    snprintf(def.record_path, sizeof def.record_path, "%s", tape.path);
    def.record_bytes_max = tape_bytes_max;
    def.now_us = 1000000;
    apex_server *server = NULL;
    apex_err err = apex_server_create(&def, &server, why);
    ck_assert_msg(err == APEX_OK, "%s", why);
    apex_track_def_free(&def.track);
    const apex_race *race = apex_server_race(server);
    tape_keep(race);
    for (uint64_t now_us = 1000000, after = 0; after < 60; now_us += ROUND_US) {
        apex_server_tick(server, now_us);
        tape_keep(race);
        after += apex_race_phase_of(race) == APEX_PHASE_OVER;
    }
    apex_server_destroy(server);
    ck_assert_uint_gt(tape.ticks, 1900);
    ck_assert_uint_eq(tape.result_count, TAPE_BOTS);
}

static inline void tape_keep_file(void) {
    FILE *file = fopen(tape.path, "rb");
    ck_assert_ptr_nonnull(file);
    size_t length = fread(taped->bytes, 1, sizeof taped->bytes, file);
    ck_assert_uint_lt(length, sizeof taped->bytes);
    fclose(file);
    taped->tape = tape;
    taped->length = length;
}

static inline void tape_copy_file(void) {
    FILE *file = fopen(tape.path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(taped->bytes, 1, taped->length, file), taped->length);
    ck_assert_int_eq(fclose(file), 0);
}

/// The recording, in a folder of its own; it is made when the first test asks for it.
static inline void tape_record(void) {
    apex_log_set_level(APEX_LOG_ERROR);
    tape = taped->tape;
    check_make_folder(tape.folder, "playback");
    snprintf(tape.path, sizeof tape.path, "%s/race.replay", tape.folder);
    if (taped->length > 0) {
        tape_copy_file();
    } else {
        tape_run();
        tape_keep_file();
    }
}

static inline void tape_drop(void) {
    unlink(tape.path);
    ck_assert_int_eq(rmdir(tape.folder), 0);
}

typedef struct watcher {
    apex_client *client;
    uint64_t seen_parts;
    uint32_t epoch;
    uint64_t compared;      ///< cars
    uint32_t states, jumps; ///< newly told
    uint32_t events_told[APEX_EVENT_KINDS], past_told[APEX_EVENT_KINDS];
    uint32_t snapshots; ///< packets
    uint32_t snapshot_bytes;
    char notice[APEX_WIRE_TEXT_BYTES]; ///< the newest
    uint32_t notices;
} watcher;

typedef struct cinema {
    apex_playback *playback;
    uint64_t now_us;
    uint32_t watcher_count;
    watcher watchers[WATCHERS_MAX];
} cinema;

static inline apex_err cinema_try(cinema *self, const char *path, char why[APEX_HOST_WHY_BYTES]) {
    memset(self, 0, sizeof *self);
    self->now_us = 5000000;
    apex_playback_def def = apex_default_playback_def();
    def.path = path;
    def.now_us = self->now_us;
    return apex_playback_open(&def, &self->playback, why);
}

static inline void cinema_open(cinema *self) {
    char why[APEX_HOST_WHY_BYTES] = "";
    apex_err err = cinema_try(self, tape.path, why);
    ck_assert_msg(err == APEX_OK, "%s", why);
    // The server that recorded it had seated its bots before the first tick.
    tape.hashes[0] = apex_race_hash(apex_server_race(apex_playback_server(self->playback)));
}

static inline void cinema_close(cinema *self) {
    for (uint32_t i = 0; i < self->watcher_count; i++) {
        apex_client_destroy(self->watchers[i].client);
    }
    apex_playback_close(self->playback);
}

static inline apex_client_def watcher_def(void) {
    apex_client_def def = apex_default_client_def();
    def.name = "watcher";
    def.spectate = true;
    def.show = true;
    def.standings = true;
    return def;
}

static inline watcher *cinema_enter(cinema *self, const apex_client_def *def) {
    ck_assert_uint_lt(self->watcher_count, WATCHERS_MAX);
    watcher *who = &self->watchers[self->watcher_count++];
    ck_assert_int_eq(apex_client_create(def, &who->client), APEX_OK);
    client_session *session = client_session_of(who->client);
    client_session_begin(session, "virtual:0", self->now_us);
    return who;
}

static inline apex_playback_state cinema_state(const cinema *self) {
    return apex_playback_state_of(self->playback);
}

static inline uint64_t cinema_tick(const cinema *self) {
    return apex_world_tick(apex_race_world(apex_server_race(apex_playback_server(self->playback))));
}

static inline bool is_close(const apex_wire_car *a, const apex_wire_car *b) {
    enum { DECIMETRE = 110 }; // of a far car, and some
    return abs(a->x_mm - b->x_mm) <= DECIMETRE && abs(a->y_mm - b->y_mm) <= DECIMETRE &&
           abs(a->z_mm - b->z_mm) <= DECIMETRE;
}

// Each car that a client knows was there at the tick that it says.
static inline void watcher_compare(watcher *who) {
    client_session *session = client_session_of(who->client);
    const client_snapshots *snapshots = &session->snapshots;
    if (snapshots->parts == who->seen_parts || session->jumped) {
        return;
    }
    who->seen_parts = snapshots->parts;
    for (size_t i = 0; i < snapshots->count; i++) {
        uint32_t tick = snapshots->ticks[i], slot = (snapshots->cars[i].id & 0xffff) - 1;
        ck_assert(tick <= tape.ticks && slot < TAPE_BOTS);
        const apex_wire_car *was = &tape.cars[tick][slot];
        ck_assert_msg(was->id == snapshots->cars[i].id && is_close(was, &snapshots->cars[i]),
                      "car %x at tick %u: %d %d, was at %d %d", was->id, tick,
                      snapshots->cars[i].x_mm, snapshots->cars[i].y_mm, was->x_mm, was->y_mm);
        who->compared++;
    }
}

static inline void watcher_note(watcher *who) {
    size_t count = 0;
    const apex_race_event_message *events = apex_client_events(who->client, &count);
    for (size_t i = 0; i < count; i++) {
        who->events_told[events[i].kind]++;
    }
    events = apex_client_past_events(who->client, &count);
    for (size_t i = 0; i < count; i++) {
        who->past_told[events[i].kind]++;
    }
    const char *const *notices = apex_client_notices(who->client, &count);
    for (size_t i = 0; i < count; i++) {
        snprintf(who->notice, sizeof who->notice, "%s", notices[i]);
        who->notices++;
    }
    const apex_playback_state *state = apex_client_playback(who->client);
    if (state != NULL && state->epoch != who->epoch) {
        who->epoch = state->epoch;
        who->jumps++;
    }
    watcher_compare(who);
}

static inline size_t gather_events(cinema *self, apex_link_event events[], size_t most) {
    size_t count = 0;
    for (uint32_t i = 0; i < self->watcher_count; i++) {
        client_session *session = client_session_of(self->watchers[i].client);
        apex_link link = {.index1 = (uint16_t)(i + 1), .generation = 1};
        if (session->state == APEX_CLIENT_CONNECTING) {
            events[count++] =
                (apex_link_event){.kind = APEX_LINK_OPENED, .link = link, .address = "virtual"};
            client_session_opened(session, self->now_us);
        }
        const client_packet *packets = NULL;
        size_t packet_count = client_outbox_packets(&session->outbox, &packets);
        for (size_t k = 0; k < packet_count; k++) {
            ck_assert_uint_lt(count, most);
            events[count++] = (apex_link_event){.kind = APEX_LINK_BYTES,
                                                .link = link,
                                                .channel = packets[k].channel,
                                                .bytes = packets[k].bytes,
                                                .length = packets[k].length};
        }
    }
    return count;
}

static inline void deliver(cinema *self) {
    const apex_link_packet *packets = NULL;
    size_t count = apex_server_outbox(apex_playback_server(self->playback), &packets);
    for (size_t i = 0; i < count; i++) {
        watcher *who = &self->watchers[packets[i].link.index1 - 1];
        bool is_snapshot = packets[i].channel == APEX_CHANNEL_STATE;
        who->snapshots += is_snapshot;
        who->snapshot_bytes += is_snapshot ? (uint32_t)packets[i].length : 0;
        client_knowledge_begin_update(&client_session_of(who->client)->knowledge);
        client_session_receive(client_session_of(who->client), packets[i].channel, packets[i].bytes,
                               packets[i].length, self->now_us);
        watcher_note(who);
    }
}

/// Ticks of the server. Whatever it shows is the race that was recorded.
static inline void cinema_run(cinema *self, uint32_t rounds) {
    for (uint32_t i = 0; i < rounds; i++) {
        apex_link_event events[256];
        for (uint32_t k = 0; k < self->watcher_count; k++) {
            client_session_update(client_session_of(self->watchers[k].client), self->now_us);
        }
        size_t count = gather_events(self, events, 256);
        apex_server_feed(apex_playback_server(self->playback), events, count);
        apex_playback_tick(self->playback, self->now_us);
        for (uint32_t k = 0; k < self->watcher_count; k++) {
            client_outbox_clear(&client_session_of(self->watchers[k].client)->outbox);
        }
        deliver(self);
        self->now_us += ROUND_US;
        uint64_t tick = cinema_tick(self);
        ck_assert_uint_le(tick, tape.ticks);
        ck_assert_msg(apex_race_hash(apex_server_race(apex_playback_server(self->playback))) ==
                          tape.hashes[tick],
                      "another race at tick %u", (unsigned)tick);
    }
}

/// A client that watches, once the recording has begun to play.
static inline watcher *cinema_begin(cinema *self) {
    apex_client_def def = watcher_def();
    watcher *who = cinema_enter(self, &def);
    cinema_run(self, 30);
    ck_assert_int_eq(apex_client_state_of(who->client), APEX_CLIENT_SPECTATING);
    return who;
}

static inline void watcher_play(watcher *who, apex_play_wish play, uint32_t speed_permille) {
    apex_playback_wish wish = {.play = play, .speed_permille = speed_permille};
    apex_client_play(who->client, &wish);
}

static inline void watcher_seek(watcher *who, uint32_t tick) {
    apex_playback_wish wish = {.seek = 1 + tick};
    apex_client_play(who->client, &wish);
}
