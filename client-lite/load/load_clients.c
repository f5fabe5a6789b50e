// A client acts when its socket can be read and when it has something to say, never in between.
//
// Of what a client costs, half is the kernel's and ENet's (two thirds of that for sending), a fifth
// the decoding of forty cars twenty times a second, and the rest the way to memory: of thousands of
// clients none is in the cache when its turn comes. Tried without gain: huge pages, fetching a
// client's memory ahead of its turn. A snapshot that --decode-every leaves out must not be
// acknowledged: the server would lean on it. Where the core is full, four clients speak for each
// that is heard: with all that are due before the next is heard, round trips doubled and packets of
// controls halved. DECISIONS 31 says why clients are real.
#include "client-lite/load/load_clients.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "client-lite/cli/loop.h"
#include "client-lite/cli/options.h"
#include "client-lite/load/load_measure.h"
#include "client-lite/pilot/pilot.h"

enum {
    SAMPLED_MAX = 16,  ///< clients that keep all cars and drive with open eyes
    LOOK_MS = 20,      ///< at a client that is not in yet, or on its way out
    QUIET_US = 100000, ///< after which a socket is read unasked: ENet sends again then
    TURNS_PER_READ = 4,
    ROUND_US_MAX = 10000,
    CONNECT_US = 15000000, ///< a crowd may have to wait at the door
    SILENCE_US = 5000000,
};

static void go_out(cli_load_one *one, uint64_t time_us) {
    cli_load_crowd *load = one->load;
    if (load->phase == CLI_LOAD_MEASURING) {
        cli_load_one_measured(one, time_us);
    }
    one->measured_us = 0;
    if (one->in) {
        one->in = false;
        load->counts.in--;
        load->spectators_in -= one->spectates;
    }
}

static void on_poll_closed(uv_handle_t *handle) {
    cli_load_one *one = handle->data;
    apex_client_destroy(one->client);
    one->client = NULL;
    bool again = one->comes_again && one->load->phase != CLI_LOAD_LEAVING;
    one->comes_again = one->leaving = false;
    one->state = CLI_LOAD_GONE;
    one->load->running--;
    if (again) {
        cli_load_one_start(one, cli_now_us());
    }
}

static void count_end(cli_load_one *one) {
    cli_load_crowd *load = one->load;
    apex_reason reason = apex_client_close_reason(one->client, NULL);
    if (one->leaving) {
        load->counts.left++;
    } else if (one->in) {
        load->counts.lost++;
        load->counts.lost_by[reason]++;
    } else {
        load->counts.refused++;
        load->counts.refused_by[reason]++;
    }
    if (!one->leaving && one->index == 0 && !load->ready) {
        char why[CLI_WHY_BYTES];
        cli_complain("%s", cli_entry_why(one->load->entry, one->client,
                                         why)); // all are refused like the first
    }
}

static void on_closed(cli_load_one *one, uint64_t time_us) {
    count_end(one);
    go_out(one, time_us);
    one->state = CLI_LOAD_CLOSING;
    uv_poll_stop(&one->poll);
    uv_close((uv_handle_t *)&one->poll, on_poll_closed);
}

void cli_load_one_leave(cli_load_one *one, bool comes_again) {
    uint64_t time_us = cli_now_us(); // others may have spoken since the round began
    one->leaving = true;
    one->comes_again = comes_again;
    apex_client_leave(one->client);
    apex_client_update(one->client, time_us);
    if (apex_client_state_of(one->client) == APEX_CLIENT_CLOSED) {
        on_closed(one, time_us);
    }
}

static void come_in(cli_load_one *one, uint64_t time_us) {
    cli_load_crowd *load = one->load;
    one->in = true;
    one->news_us = 0;
    load->counts.joined++;
    load->counts.in++;
    load->spectators_in += one->spectates;
    load->counts.in_max =
        load->counts.in > load->counts.in_max ? load->counts.in : load->counts.in_max;
    if (load->phase == CLI_LOAD_MEASURING) {
        cli_load_one_measure(one, time_us);
    }
    client_crowd_manner manner = load->def.manner;
    bool follows = manner == CLIENT_CROWD_RACE || manner == CLIENT_CROWD_CRUISE;
    one->has_pilot =
        follows && (load->line == NULL || (one->sampled && manner == CLIENT_CROWD_RACE));
    if (one->has_pilot) {
        one->pilot = client_pilot_create(load->plan, 0.9, 0.0);
    }
}

// After anything that may have changed it. @return false when it is gone.
static bool look_after(cli_load_one *one, uint64_t time_us) {
    apex_client_state state = apex_client_state_of(one->client);
    if (state == APEX_CLIENT_CLOSED) {
        on_closed(one, time_us);
        return false;
    }
    bool is_in = state == APEX_CLIENT_DRIVING || state == APEX_CLIENT_SPECTATING;
    if (is_in && !one->in && one->load->ready) {
        come_in(one, time_us);
    }
    if (one->in && !one->spectates && apex_client_demoted(one->client)) {
        one->spectates = true; // as the server has it now
        one->load->counts.demoted++;
        one->load->spectators_in++;
    }
    return true;
}

static void drive(cli_load_one *one, const apex_client_view *view, uint64_t time_us) {
    cli_load_crowd *load = one->load;
    if (one->has_pilot) {
        client_pilot_drive(&one->pilot, one->client, time_us);
        return;
    }
    double tick_hz = (double)apex_client_welcome(one->client)->tick_hz;
    double ahead_s =
        (apex_client_controls_tick(one->client, time_us) - (double)one->own_tick) / tick_hz;
    bool may_go = view->phase == APEX_WIRE_PHASE_RACE || view->phase == APEX_WIRE_PHASE_FINISH;
    apex_control_sample controls =
        client_crowd_drive(&one->driver, load->line, view->own, may_go, ahead_s);
    apex_client_set_controls(one->client, &controls);
}

static void speak(cli_load_one *one, uint64_t time_us) {
    bool is_in = one->in && !one->leaving;
    if (is_in) {
        apex_client_view view = apex_client_newest(one->client);
        if (!one->spectates) {
            drive(one, &view, time_us);
        }
        cli_load_one_note_age(one, &view, time_us);
        if (one->sampled) {
            cli_load_one_note_shown(one, time_us);
        }
    }
    if (is_in && time_us - one->heard_us < (uint64_t)QUIET_US) {
        apex_client_speak(one->client, time_us);
    } else {
        one->heard_us = time_us;
        apex_client_update(one->client, time_us);
        cli_load_one_note_news(one, time_us);
    }
    if (!look_after(one, time_us)) {
        return;
    }
    uint64_t time_ms = time_us / 1000;
    uint64_t due_ms = apex_client_due_us(one->client, time_us) / 1000 + 1;
    uint64_t look_ms = time_ms + (uint64_t)(is_in ? QUIET_US / 1000 : LOOK_MS);
    due_ms = due_ms < look_ms ? due_ms : look_ms;
    client_wheel_set(&one->load->wheel, one->index, due_ms > time_ms ? due_ms : time_ms + 1);
}

void cli_load_turn(cli_load_crowd *load, uint32_t turns_max) {
    uint64_t time_ms = cli_now_us() / 1000;
    for (uint32_t turns = 0; turns < turns_max; turns++) {
        uint32_t item = client_wheel_take(&load->wheel, time_ms);
        if (item == CLIENT_WHEEL_NONE) {
            return;
        }
        if (load->all[item].state == CLI_LOAD_RUNNING) {
            speak(&load->all[item], cli_now_us());
        }
    }
}

static void on_readable(uv_poll_t *poll, int status, int events) {
    (void)status; // an error on the socket shows itself as silence
    (void)events;
    cli_load_one *one = poll->data;
    if (one->state != CLI_LOAD_RUNNING) {
        return;
    }
    uint64_t time_us = cli_now_us();
    one->heard_us = time_us;
    apex_client_hear(one->client, time_us);
    if (one->has_pilot) {
        client_pilot_listen(&one->pilot, one->client);
    }
    cli_load_one_note_news(one, time_us);
    if (one->spectates && apex_client_due_us(one->client, time_us) <= time_us) {
        apex_client_speak(one->client, time_us); // drivers acknowledge with their controls
    }
    if (look_after(one, time_us)) {
        // A thousand sockets may be readable at once, and again when all have been read: neither
        // turns nor the clock wait for that. Nor do sockets for turns, where there are too many of
        // both: a few more speak than are heard, as it should be.
        cli_load_turn(one->load, TURNS_PER_READ);
    }
    if (time_us > one->load->round_over_us + (uint64_t)ROUND_US_MAX) {
        one->load->loop.on_round(one->load);
    }
}

void cli_load_one_create(cli_load_one *one, cli_load_crowd *load, uint32_t index) {
    one->load = load;
    one->index = index;
    one->spectates = index >= load->def.clients;
    uint32_t apart = (load->total + SAMPLED_MAX - 1) / SAMPLED_MAX;
    one->sampled = index % apart == 0;
}

static apex_err open_client(cli_load_one *one) {
    const cli_load_def *load_def = &one->load->def;
    char name[APEX_WIRE_NAME_BYTES];
    snprintf(name, sizeof name, "load-%05" PRIu32, one->index + 1);
    apex_client_def def = apex_default_client_def();
    cli_entry_apply(one->load->entry, &def);
    def.name = name;
    def.car = load_def->car;
    def.spectate = one->spectates;
    def.want_defs = def.server_stats = one->index == 0;
    def.own_car_only = !one->sampled;
    def.show = one->sampled;
    // Who drives blind has no use for it: rivals are stepped where a pilot looks at them.
    def.predict = one->sampled && !one->spectates;
    def.ahead = def.predict && load_def->manner == CLIENT_CROWD_RACE;
    def.tracks = client_plans_tracks(one->load->plans);
    def.decode_every = one->sampled ? 1 : load_def->decode_every;
    // Neighbours by index are spread evenly over a tick.
    double turn = one->index * 0.6180339887498949;
    def.controls_shift_ticks = turn - floor(turn);
    if (one->index > 0) { // the first has the door to itself
        def.connect_timeout_us = CONNECT_US;
    }
    def.silence_timeout_us = SILENCE_US;
    apex_err err = apex_client_create(&def, &one->client);
    return err == APEX_OK
               ? apex_client_connect(one->client, load_def->server.host, load_def->server.port)
               : err;
}

void cli_load_one_start(cli_load_one *one, uint64_t time_us) {
    cli_load_crowd *load = one->load;
    apex_err err = open_client(one);
    if (err != APEX_OK ||
        uv_poll_init(&load->loop.loop, &one->poll, apex_client_socket(one->client)) != 0) {
        if (load->counts.without_socket++ == 0) {
            cli_complain("cannot open a socket to '%s': %s", load->def.server.host,
                         apex_err_text(err != APEX_OK ? err : APEX_ERR_IO));
        }
        one->state = CLI_LOAD_GONE;
        return;
    }
    one->poll.data = one;
    one->state = CLI_LOAD_RUNNING;
    load->running++;
    one->heard_us = time_us;
    one->spectates = one->index >= load->def.clients; // the one before may have been demoted
    one->seen = one->base = (apex_client_stats){0};
    uint64_t seed = (uint64_t)load->def.seed << 40 | (uint64_t)one->lives++ << 24 | one->index;
    one->driver = client_crowd_driver_create(load->def.manner, seed);
    uv_poll_start(&one->poll, UV_READABLE, on_readable);
    client_wheel_set(&load->wheel, one->index, time_us / 1000);
}
