// The watcher is a spectator on one loop: it tells what is new after each update.
#include "client-lite/watch/watch_run.h"

#include <stdio.h>

#include "base/print.h"
#include "client-lite/cli/json_lines.h"
#include "client-lite/cli/json_penalty.h"
#include "client-lite/cli/loop.h"
#include "client-lite/cli/options.h"
#include "client-lite/cli/races.h"
#include "client-lite/commands.h"
#include "client-lite/text/text.h"
#include "client-lite/text/text_tables.h"
#include "client-lite/watch/screen.h"

enum { ROUND_MS = 20, SNAPSHOT_HZ = 5 };

// A killed server must be noticed, and told, within five seconds.
static const uint64_t SILENCE_US = 4000000;
static const uint64_t DRAW_US = 200000;
static const uint64_t SUMMARY_US = 1000000;
typedef struct watch {
    cli_watch_def def;
    bool told_lost; ///< and not yet that the link is back
    char server_text[CLIENT_HOST_BYTES + 8];
    apex_client *client;
    cli_loop loop;
    uv_poll_t poll;
    cli_screen screen;
    uint64_t begun_us, shown_us;
    uint32_t results_told, standings_tick, stats_tick;
    cli_races races;
    int code;
    bool done;
} watch;

static bool live(const watch *self) {
    return !self->def.once && !self->def.json && !self->def.plain;
}

static void finish(watch *self, int code) {
    if (self->done) {
        return;
    }
    self->done = true;
    self->code = code;
    uv_poll_stop(&self->poll);
    uv_close((uv_handle_t *)&self->poll, NULL);
    cli_loop_end(&self->loop);
}

static void tell_results(watch *self) {
    const apex_results *results = apex_client_results(self->client);
    if (results == NULL || self->def.once || results->race_number <= self->results_told) {
        return;
    }
    self->results_told = results->race_number;
    if (self->def.json) {
        cli_json_results(self->client, results);
        return;
    }
    cli_screen_erase(&self->screen);
    client_text_results(
        stdout, results,
        &(client_table_style){.colours = self->screen.colours, .client = self->client});
    puts("");
    fflush(stdout);
}

// Tells the events from before one came.
static void tell_past(watch *self) {
    size_t count;
    const apex_race_event_message *events = apex_client_past_events(self->client, &count);
    for (size_t i = 0; !self->def.once && i < count; i++) {
        char text[CLIENT_EVENT_BYTES];
        if (self->def.json) {
            cli_json_past_event(self->client, &events[i]);
        } else if (!client_text_sentence(self->client, &events[i], text)) {
            continue;
        } else if (self->def.plain && !self->def.laps) {
            apex_print_line(stdout, "before: %s", text);
        } else if (!self->def.plain) {
            cli_screen_note(&self->screen, text);
        }
    }
}

static void tell_events(watch *self, uint64_t now_us) {
    size_t count;
    tell_past(self);
    const apex_race_event_message *events = apex_client_events(self->client, &count);
    for (size_t i = 0; !self->def.once && i < count; i++) {
        char text[CLIENT_EVENT_BYTES];
        if (self->def.json) {
            cli_json_penalty(self->client, &events[i]);
            cli_json_event(self->client, &events[i]);
        } else if (self->def.laps) {
            cli_screen_lap(&self->screen, self->client, &events[i]);
        } else if (!self->def.plain) {
            cli_screen_event(&self->screen, self->client, &events[i], now_us);
        } else if (client_text_sentence(self->client, &events[i], text)) {
            apex_print_line(stdout, "%s", text);
        }
    }
    const char *const *notices = apex_client_notices(self->client, &count);
    for (size_t i = 0; !self->def.once && !self->def.json && i < count; i++) {
        if (self->def.plain) {
            apex_print_line(stdout, "server: %s", notices[i]);
        } else {
            cli_screen_note(&self->screen, notices[i]);
        }
    }
}

static void tell_link(watch *self, const char *type, const char *text, uint64_t now_us) {
    if (self->def.json) {
        apex_json_writer json = cli_json_begin(type);
        apex_json_text(&json, "text", text);
        cli_json_end(&json);
    } else if (self->def.plain) {
        apex_print_line(stdout, "%s", text);
        fflush(stdout);
    } else {
        cli_screen_note(&self->screen, text);
        if (apex_client_standings(self->client) != NULL) {
            cli_screen_draw(&self->screen, self->client, now_us);
        }
    }
}

static void tell_of_link(watch *self, uint64_t now_us) {
    apex_client_state state = apex_client_state_of(self->client);
    if (state == APEX_CLIENT_RECONNECTING && !self->told_lost) {
        char text[400];
        snprintf(text, sizeof text, "%s; trying to come back for %u s",
                 apex_client_lost_text(self->client),
                 (unsigned)apex_client_welcome(self->client)->resume_grace_s);
        self->told_lost = true;
        tell_link(self, "reconnecting", text, now_us);
    } else if (state == APEX_CLIENT_SPECTATING && self->told_lost) {
        self->told_lost = false;
        tell_link(self, "back", "the connection is back", now_us);
    }
}

static void tell_json(watch *self) {
    const apex_standings *standings = apex_client_standings(self->client);
    if (standings != NULL && standings->tick != self->standings_tick) {
        self->standings_tick = standings->tick;
        cli_json_standings(self->client, standings);
    }
    const apex_server_stats *stats = apex_client_server_stats(self->client);
    if (stats != NULL && stats->tick != self->stats_tick && !self->def.once) {
        self->stats_tick = stats->tick;
        cli_json_stats(stats);
    }
}

static void tell_order(watch *self, uint64_t now_us) {
    bool known =
        apex_client_standings(self->client) != NULL && apex_client_newest(self->client).tick != 0;
    if (self->def.json) {
        if (known) {
            tell_json(self);
        }
    } else if (self->def.once && known) {
        cli_screen_print(stdout, &self->screen, self->client);
        fflush(stdout);
    }
    if (self->def.once && known) {
        finish(self, CLI_OK);
    }
    if (self->def.once || self->def.json || !known) {
        return;
    }
    uint64_t period_us = self->def.plain ? SUMMARY_US : DRAW_US;
    if (now_us - self->shown_us < period_us) {
        return;
    }
    self->shown_us = now_us;
    if (self->def.plain) {
        bool moves = apex_client_newest(self->client).phase < APEX_WIRE_PHASE_RESULTS;
        if (moves && !self->def.laps) { // then nothing moves any more
            cli_screen_summary(stdout, self->client);
            fflush(stdout);
        }
    } else {
        cli_screen_draw(&self->screen, self->client, now_us);
    }
}

static void tell_end(watch *self) {
    const char *text;
    apex_reason reason = apex_client_close_reason(self->client, &text);
    bool over = reason == APEX_REASON_NONE || reason == APEX_REASON_EVENT_OVER;
    if (self->def.json && !self->def.once) {
        apex_json_writer json = cli_json_begin("closed");
        apex_json_text(&json, "reason", apex_reason_name(reason));
        apex_json_text(&json, "text", text);
        cli_json_end(&json);
    }
    if (!over) {
        char why[CLI_WHY_BYTES];
        cli_complain("%s", cli_entry_why(self->def.entry, self->client, why));
    }
    // A watcher that wanted one look and got none has failed.
    finish(self, over && !self->def.once ? CLI_OK : CLI_FAILED);
}

static void update(watch *self) {
    uint64_t now_us = cli_now_us();
    apex_client_update(self->client, now_us);
    cli_entry_note(self->def.entry, self->client);
    tell_events(self, now_us);
    tell_results(self);
    tell_of_link(self, now_us);
    if (apex_client_state_of(self->client) == APEX_CLIENT_CLOSED) {
        // Results say it all; without them the last frame is what the viewer wants to keep.
        if (live(self) && self->results_told != 0) {
            cli_screen_erase(&self->screen);
        }
        tell_end(self);
    } else if (apex_client_state_of(self->client) == APEX_CLIENT_SPECTATING) {
        tell_order(self, now_us);
    }
    bool is_late =
        self->def.seconds > 0.0 && (double)(now_us - self->begun_us) / 1e6 >= self->def.seconds;
    if (!self->done && (is_late || cli_races_are_done(&self->races, self->client))) {
        apex_client_leave(self->client);
    }
}

static void on_round(void *context) {
    watch *self = context;
    if (!self->done) {
        update(self);
    }
}

static void on_readable(uv_poll_t *poll, int status, int events) {
    (void)status; // an error on the socket shows itself as silence
    (void)events;
    on_round(poll->data);
}

static void on_stop(void *context) {
    watch *self = context;
    apex_client_leave(self->client);
}

static bool open_client(watch *self) {
    apex_client_def def = apex_default_client_def();
    cli_entry_apply(self->def.entry, &def);
    def.name = "watch";
    def.spectate = true;
    def.snapshot_hz = SNAPSHOT_HZ;
    def.standings = true;
    def.server_stats = true;
    def.show = live(self);
    def.silence_timeout_us = SILENCE_US;
    def.reconnect = !self->def.no_reconnect && !self->def.once;
    apex_err err = apex_client_create(&def, &self->client);
    if (err == APEX_OK) {
        err = apex_client_connect(self->client, self->def.server.host, self->def.server.port);
    }
    if (err == APEX_ERR_NOT_FOUND) {
        cli_complain("no host is called '%s': check the name", self->def.server.host);
    } else if (err != APEX_OK) {
        cli_complain("cannot open a socket: %s", apex_err_text(err));
    }
    return err == APEX_OK;
}

static int run(watch *self) {
    snprintf(self->server_text, sizeof self->server_text, "%s:%u", self->def.server.host,
             (unsigned)self->def.server.port);
    self->screen = cli_screen_create(self->server_text);
    self->loop.on_round = on_round;
    self->loop.on_stop = on_stop;
    self->loop.context = self;
    self->begun_us = cli_now_us();
    if (!open_client(self)) {
        apex_client_destroy(self->client);
        return CLI_FAILED;
    }
    if (!cli_loop_open(&self->loop, ROUND_MS)) {
        cli_complain("cannot make an event loop");
        apex_client_destroy(self->client);
        return CLI_FAILED;
    }
    uv_poll_init(&self->loop.loop, &self->poll, apex_client_socket(self->client));
    self->poll.data = self;
    uv_poll_start(&self->poll, UV_READABLE, on_readable);
    cli_loop_run(&self->loop);
    apex_client_destroy(self->client);
    cli_screen_free(&self->screen);
    return self->code;
}

int cli_watch_run(const cli_watch_def *def) {
    watch self = {.def = *def, .races = {.wanted = def->races}};
    return run(&self);
}
