// links: playback client host
// A benchmark of what a recording of 24 cars costs the server that plays it, on one thread: opening
// it, a tick of the server at several speeds with one watcher, a jump to where it may have been
// before, and the memory that it holds.

#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

#include "windows.h"
#include "base/assert.h"
#include "base/log.h"
#include "client-lite/client_internal.h"
#include "client-lite/session/session.h"
#include "client-lite/session/session_receive.h"
#include "host/host.h"
#include "playback/playback.h"

enum { CARS = 24, TICKS = 3600, WINDOWS = 7, WINDOW_TICKS = 60, JUMPS = 15, ROUND_US = 16667 };

typedef struct show {
    apex_playback *playback;
    apex_client *client;
    uint64_t now_us;
} show;

static char path[] = "/tmp/apex-bench-XXXXXX";

static void record(void) {
    static apex_server_def def;
    char why[APEX_HOST_WHY_BYTES] = "";
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "ridgeway");
    file.race.laps = 20;
    file.race.player_capacity = CARS;
    file.race.start_players = CARS;
    file.race.countdown_s = 2.0;
    file.bots = CARS;
    file.results_dir[0] = '\0';
    apex_err err = apex_server_def_load(&file, NULL, &def, why);
    APEX_ASSERT(err == APEX_OK);
    snprintf(def.record_path, sizeof def.record_path, "%s", path);
    apex_server *server = NULL;
    err = apex_server_create(&def, &server, why);
    APEX_ASSERT(err == APEX_OK);
    apex_track_def_free(&def.track);
    for (uint64_t tick = 1; tick <= TICKS; tick++) {
        apex_server_tick(server, tick * ROUND_US);
    }
    apex_server_destroy(server);
}

static void deliver(show *self) {
    const apex_link_packet *packets = NULL;
    size_t count = apex_server_outbox(apex_playback_server(self->playback), &packets);
    for (size_t i = 0; i < count; i++) {
        client_session_receive(client_session_of(self->client), packets[i].channel,
                               packets[i].bytes, packets[i].length, self->now_us);
    }
}

// @return the processor time of the server's tick.
static double run(show *self) {
    client_session *session = client_session_of(self->client);
    apex_link_event events[CLIENT_OUTBOX_PACKETS + 1];
    size_t event_count = 0, count = 0;
    apex_link link = {.index1 = 1, .generation = 1};
    if (session->state == APEX_CLIENT_CONNECTING) {
        events[event_count++] = (apex_link_event){.kind = APEX_LINK_OPENED, .link = link};
        client_session_opened(session, self->now_us);
    }
    client_session_update(session, self->now_us);
    const client_packet *packets = NULL;
    count = client_outbox_packets(&session->outbox, &packets);
    for (size_t i = 0; i < count; i++) {
        events[event_count++] = (apex_link_event){.kind = APEX_LINK_BYTES,
                                                  .link = link,
                                                  .channel = packets[i].channel,
                                                  .bytes = packets[i].bytes,
                                                  .length = packets[i].length};
    }
    apex_server_feed(apex_playback_server(self->playback), events, event_count);
    double began_ms = windows_thread_ms();
    apex_playback_tick(self->playback, self->now_us);
    double took_ms = windows_thread_ms() - began_ms;
    client_outbox_clear(&session->outbox);
    deliver(self);
    self->now_us += ROUND_US;
    return took_ms;
}

static void play(show *self, apex_playback_wish wish) {
    apex_client_play(self->client, &wish);
    run(self);
}

// The core that a second takes, in per cent.
static void measure_speed(show *self, uint32_t speed_permille, const char *name) {
    double shares[WINDOWS];
    play(self, (apex_playback_wish){
                   .play = APEX_PLAY_ON, .speed_permille = speed_permille, .seek = 1 + 700});
    for (int i = 0; i < WINDOWS; i++) {
        double spent_ms = 0.0;
        for (int tick = 0; tick < WINDOW_TICKS; tick++) {
            spent_ms += run(self);
            if (tick % 10 == 9 && speed_permille > 4000) {
                play(self, (apex_playback_wish){.seek = 1 + 1200}); // or it would be over
            }
        }
        shares[i] = spent_ms / (WINDOW_TICKS * ROUND_US * 1e-3) * 100.0;
    }
    printf("playback.%s.core %.2f %%\n", name, windows_median(shares, WINDOWS));
}

static void measure_jumps(show *self) {
    double spent[JUMPS], longest_ms = 0.0;
    for (int i = 0; i < JUMPS; i++) {
        play(self, (apex_playback_wish){.play = APEX_PLAY_PAUSE,
                                        .seek = 1 + 599 + 600 * (uint32_t)(i * 7 % 5)});
        spent[i] = 1.0;
        apex_playback_state state;
        do {
            double took_ms = run(self);
            longest_ms = took_ms > longest_ms ? took_ms : longest_ms;
            spent[i] += 1.0;
            state = apex_playback_state_of(self->playback);
        } while (state.seeking);
        run(self);
    }
    printf("playback.jump %.0f ticks\n", windows_median(spent, JUMPS));
    printf("playback.jump.tick_max %.2f ms\n", longest_ms);
}

static double heap_mb(void) {
    struct mallinfo2 info = mallinfo2();
    return (double)(info.uordblks + info.hblkhd) / 1e6;
}

static uint64_t thread_us(void) {
    return (uint64_t)(windows_thread_ms() * 1e3);
}

static void open_show(show *self) {
    char why[APEX_HOST_WHY_BYTES] = "";
    self->now_us = 1000000;
    apex_playback_def def = apex_default_playback_def();
    def.path = path;
    def.now_us = self->now_us;
    def.clock_us = thread_us;
    double began_ms = windows_thread_ms();
    apex_err err = apex_playback_open(&def, &self->playback, why);
    APEX_ASSERT(err == APEX_OK);
    printf("playback.open %.1f ms\n", windows_thread_ms() - began_ms);
    apex_client_def client = apex_default_client_def();
    client.name = "watcher";
    client.spectate = true;
    client.standings = true;
    client.snapshot_hz = 20;
    err = apex_client_create(&client, &self->client);
    APEX_ASSERT(err == APEX_OK);
    client_session_begin(client_session_of(self->client), "bench:0", self->now_us);
}

// Until it has been looked through for marks.
static void gather_marks(show *self) {
    apex_playback_state state;
    double spent_ms = 0.0;
    int rounds = 0;
    uint32_t marks = 0;
    play(self, (apex_playback_wish){.play = APEX_PLAY_PAUSE});
    for (int still = 0; still < 120; still++, rounds++) {
        double took_ms = run(self);
        spent_ms += took_ms;
        state = apex_playback_state_of(self->playback);
        still = state.mark_count != marks || took_ms > 0.5 ? 0 : still;
        marks = state.mark_count;
    }
    printf("playback.marks %d ticks\n", rounds - 120);
    printf("playback.marks.core %.1f ms\n", spent_ms);
}

int main(void) {
    static show self;
    apex_log_set_level(APEX_LOG_ERROR);
    int file = mkstemp(path);
    APEX_ASSERT(file >= 0);
    close(file);
    record();
    double before_mb = heap_mb();
    open_show(&self);
    for (int i = 0; i < 30; i++) {
        run(&self);
    }
    printf("playback.heap.scouting %.1f MB\n", heap_mb() - before_mb);
    gather_marks(&self);
    printf("playback.heap %.1f MB\n", heap_mb() - before_mb);
    measure_speed(&self, 1000, "1x");
    measure_speed(&self, 4000, "4x");
    measure_speed(&self, 16000, "16x");
    measure_jumps(&self);
    apex_client_destroy(self.client);
    apex_playback_close(self.playback);
    unlink(path);
    return 0;
}
