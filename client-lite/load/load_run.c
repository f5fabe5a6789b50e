// Thousands of clients on one loop. A client is looked at when its socket can be read and when it
// has something to say, which a wheel of milliseconds knows; nothing is done for all of them at
// each turn of the loop.
#include "client-lite/load/load_run.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <math.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client-lite/cli/endpoint.h"
#include "client-lite/cli/loop.h"
#include "client-lite/cli/open_files.h"
#include "client-lite/cli/options.h"
#include "client-lite/commands.h"
#include "client-lite/load/load_clients.h"
#include "client-lite/load/load_measure.h"
#include "client-lite/load/report/load_figures.h"
#include "client-lite/load/report/load_report.h"
#include "client-lite/load/report/load_tally.h"
#include "client-lite/pilot/plans.h"

enum {
    FILES_BESIDES = 32, // standard streams, the loop's own
    ROUND_MS = 1,
    LEAVING_PER_ROUND = 20,
    PROGRESS_MS = 5000,
    PROGRESS_MS_TERMINAL = 500,
};

static const uint64_t ALL_IN_US_MAX = 10000000; // after the last has begun; then it is measured
static const uint64_t SETTLE_US = 1000000;
static const uint64_t ENOUGH_US = 2000000; // to tell a client's own rate by

static void start_due(cli_load_crowd *load, uint64_t time_us) {
    double allowed = 1.0;
    if (load->ready) {
        if (load->ramp_us == 0) {
            load->ramp_us = time_us;
        }
        allowed += (double)(time_us - load->ramp_us) / 1e6 * load->def.ramp_per_s;
    }
    while (load->started < load->total && (double)load->started < allowed) {
        cli_load_one_start(&load->all[load->started++], time_us);
        load->last_started_us = time_us;
    }
}

// The first brings the definitions; what is made from them serves all.
static void make_ready(cli_load_crowd *load) {
    cli_load_one *first = &load->all[0];
    if (load->ready || first->state != CLI_LOAD_RUNNING ||
        apex_client_state_of(first->client) < APEX_CLIENT_JOINING) {
        return;
    }
    cli_entry_note(load->entry, first->client);
    const char *problem;
    load->plan = client_plans_for(load->plans, first->client, load->def.car, &problem);
    if (load->plan == NULL) {
        cli_complain("%s", problem);
        load->hopeless = true;
        return;
    }
    load->line = client_crowd_line_create(client_plans_track(load->plans, load->plan),
                                          client_plans_car(load->plans, load->plan));
    const apex_welcome *welcome = apex_client_welcome(first->client);
    double speed = welcome->speed_permille / 1000.0;
    load->tally.tick_hz = welcome->tick_hz * (speed > 0.0 ? speed : 1.0);
    load->tally.snapshot_hz = welcome->snapshot_hz * (speed > 0.0 ? speed : 1.0);
    load->ready = true;
}

static uint32_t chance(cli_load_crowd *load) {
    uint64_t x = load->random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    load->random = x;
    return (uint32_t)((x * 0x2545F4914F6CDD1Du) >> 32);
}

// The first stays: it brings the server's figures.
static void churn(cli_load_crowd *load, uint64_t time_us) {
    if (load->def.churn_per_s <= 0.0 || load->total < 2 || load->started < load->total) {
        return;
    }
    if (load->churn_us == 0) {
        load->churn_us = time_us;
    }
    double due = (double)(time_us - load->churn_us) / 1e6 * load->def.churn_per_s;
    while ((double)load->churned < due) {
        load->churned++;
        cli_load_one *one = &load->all[1 + chance(load) % (load->total - 1)];
        if (one->state == CLI_LOAD_RUNNING && one->in && !one->leaving) {
            cli_load_one_leave(one, true);
        }
    }
}

static double cpu_s(void) {
    uv_rusage_t spent;
    uv_getrusage(&spent);
    return (double)spent.ru_utime.tv_sec + (double)spent.ru_stime.tv_sec +
           (double)(spent.ru_utime.tv_usec + spent.ru_stime.tv_usec) / 1e6;
}

static void begin_measuring(cli_load_crowd *load, uint64_t time_us) {
    load->phase = CLI_LOAD_MEASURING;
    load->phase_us = time_us;
    load->tally.cpu_s = -cpu_s();
    load->tally.snapshots_per_s_min = (double)INFINITY;
    for (uint32_t i = 0; i < load->started; i++) {
        cli_load_one_measure(&load->all[i], time_us);
    }
}

static void end_measuring(cli_load_crowd *load, uint64_t time_us) {
    load->tally.measured_s = (double)(time_us - load->phase_us) / 1e6;
    load->tally.cpu_s += cpu_s();
    for (uint32_t i = 0; i < load->started; i++) {
        cli_load_one *one = &load->all[i];
        double rate = cli_load_one_measured(one, time_us);
        bool all_the_time = one->in && one->measured_us == load->phase_us;
        if (all_the_time && time_us - load->phase_us >= ENOUGH_US) {
            load->tally.snapshots_per_s_min = fmin(load->tally.snapshots_per_s_min, rate);
        }
        if (one->state == CLI_LOAD_RUNNING && !one->in) {
            load->counts.waiting++;
            load->counts.waiting_by[apex_client_last_reject(one->client, NULL)]++;
        }
    }
    // From now on every end is in order.
    load->counts_at_end = load->counts;
}

static void begin_leaving(cli_load_crowd *load, uint64_t time_us) {
    if (load->phase == CLI_LOAD_LEAVING) {
        return;
    }
    if (load->phase == CLI_LOAD_MEASURING) {
        end_measuring(load, time_us);
    } else {
        load->counts_at_end = load->counts;
    }
    load->phase = CLI_LOAD_LEAVING;
    load->phase_us = time_us;
}

static void leave_some(cli_load_crowd *load) {
    for (uint32_t i = 0; i < LEAVING_PER_ROUND && load->told_to_leave < load->started; i++) {
        cli_load_one *one = &load->all[load->told_to_leave++];
        if (one->state == CLI_LOAD_RUNNING) {
            cli_load_one_leave(one, false);
        }
    }
    if (load->told_to_leave == load->started && load->running == 0) {
        cli_loop_end(&load->loop);
    }
}

static void advance_phase(cli_load_crowd *load, uint64_t time_us) {
    uint64_t in_phase_us = time_us - load->phase_us;
    bool nobody_left = load->started == load->total && load->running == 0;
    if (load->hopeless || (!load->ready && load->started > 0 && load->running == 0) ||
        (nobody_left && load->def.churn_per_s <= 0.0)) {
        begin_leaving(load, time_us);
    }
    switch (load->phase) {
    case CLI_LOAD_RAMP: {
        uint32_t settled = load->counts.in + (uint32_t)(load->counts.lost + load->counts.refused +
                                                        load->counts.without_socket);
        bool all_in = load->started == load->total && settled >= load->total;
        bool waited =
            load->started == load->total && time_us - load->last_started_us > ALL_IN_US_MAX;
        if (all_in || waited) {
            load->phase = CLI_LOAD_SETTLING;
            load->phase_us = time_us;
        }
        break;
    }
    case CLI_LOAD_SETTLING:
        if (in_phase_us >= SETTLE_US) {
            begin_measuring(load, time_us);
        }
        break;
    case CLI_LOAD_MEASURING:
        if ((double)in_phase_us / 1e6 >= load->def.seconds) {
            begin_leaving(load, time_us);
        }
        break;
    case CLI_LOAD_LEAVING:
        leave_some(load);
        break;
    }
}

static void tell_progress(cli_load_crowd *load, uint64_t time_us) {
    static const char *const PHASES[] = {"ramp", "settling", "measuring", "leaving"};
    uint64_t period_us = 1000u * (load->on_terminal ? PROGRESS_MS_TERMINAL : PROGRESS_MS);
    if (time_us - load->told_us < period_us || load->phase == CLI_LOAD_LEAVING) {
        return;
    }
    load->lately.seconds = (double)(time_us - load->told_us) / 1e6;
    load->told_us = time_us;
    cli_load_progress(PHASES[load->phase], &load->counts, load->spectators_in, &load->lately,
                      &load->tally);
    memset(&load->lately, 0, sizeof load->lately);
}

static void hear_server(cli_load_crowd *load, uint64_t time_us) {
    const cli_load_one *first = &load->all[0];
    if (load->phase == CLI_LOAD_LEAVING || first->state != CLI_LOAD_RUNNING) {
        return;
    }
    const apex_server_stats *stats = apex_client_server_stats(first->client);
    if (stats == NULL) {
        return;
    }
    if (load->phase == CLI_LOAD_MEASURING) {
        cli_load_hear_server(&load->tally, stats, time_us);
    } else { // so that the live line has something to say
        cli_load_glance_at_server(&load->tally, stats);
    }
}

static void on_round(void *context) {
    cli_load_crowd *load = context;
    uint64_t time_us = cli_now_us();
    if (load->phase == CLI_LOAD_MEASURING && load->round_us != 0) {
        uint64_t late_us = time_us - load->round_us;
        late_us = late_us > 1000u * ROUND_MS ? late_us - 1000u * ROUND_MS : 0;
        apex_histogram_add(&load->tally.round_late_us, late_us);
    }
    load->round_us = time_us;
    cli_load_turn(load, load->total);
    make_ready(load);
    if (load->phase != CLI_LOAD_LEAVING) {
        start_due(load, time_us);
        churn(load, time_us);
    }
    hear_server(load, time_us);
    advance_phase(load, time_us);
    tell_progress(load, time_us);
    load->round_over_us = cli_now_us();
}

static void on_stop(void *context) {
    begin_leaving(context, cli_now_us());
}

static void destroy(cli_load_crowd *load) {
    for (uint32_t i = 0; load->all != NULL && i < load->total; i++) {
        apex_client_destroy(load->all[i].client);
    }
    client_wheel_destroy(&load->wheel);
    client_crowd_line_destroy(load->line);
    client_plans_destroy(load->plans);
    free(load->all);
    free(load);
}

static cli_load_crowd *create(const cli_load_def *def) {
    cli_load_crowd *load = calloc(1, sizeof *load);
    if (load == NULL) {
        return NULL;
    }
    load->def = *def;
    load->total = def->clients + def->spectators;
    load->random = ((uint64_t)def->seed << 20 | 0x5EED) * 0x9E3779B97F4A7C15u | 1u;
    load->all = calloc(load->total, sizeof *load->all);
    load->plans = client_plans_create();
    load->loop.on_round = on_round;
    load->loop.on_stop = on_stop;
    load->loop.context = load;
    if (load->all == NULL || load->plans == NULL ||
        !client_wheel_create(&load->wheel, load->total, cli_now_us() / 1000)) {
        destroy(load);
        return NULL;
    }
    for (uint32_t i = 0; i < load->total; i++) {
        cli_load_one_create(&load->all[i], load, i);
    }
    load->on_terminal = uv_guess_handle(fileno(stderr)) == UV_TTY;
    return load;
}

// @return false, having complained, if the system will not let so many sockets be open.
static bool allow_files(uint32_t clients) {
    uint64_t wanted = (uint64_t)clients + FILES_BESIDES;
    uint64_t allowed = cli_raise_open_files();
    if (allowed < wanted) {
        cli_complain("%" PRIu32 " clients need %" PRIu64
                     " open files, and the system allows %" PRIu64
                     ": raise its hard limit (ulimit -Hn, limits.conf, LimitNOFILE=)",
                     clients, wanted, allowed);
    }
    return allowed >= wanted;
}

// Once for all: each client's own look-up would hold up all others.
static bool look_up(client_endpoint *server) {
    struct addrinfo wanted = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM};
    struct addrinfo *found = NULL;
    char address[INET_ADDRSTRLEN];
    if (getaddrinfo(server->host, NULL, &wanted, &found) != 0) {
        cli_complain("no host is called '%s': check the name", server->host);
        return false;
    }
    const struct sockaddr_in *first = (const struct sockaddr_in *)(const void *)found->ai_addr;
    if (inet_ntop(AF_INET, &first->sin_addr, address, sizeof address) != NULL) {
        snprintf(server->host, sizeof server->host, "%s", address);
    }
    freeaddrinfo(found);
    return true;
}

int cli_load_run(const cli_load_def *wanted, cli_entry *entry) {
    cli_load_def found = *wanted;
    const cli_load_def *def = &found;
    if (!look_up(&found.server) || !allow_files(def->clients + def->spectators)) {
        return CLI_FAILED;
    }
    cli_load_crowd *load = create(def);
    if (load == NULL || !cli_loop_open(&load->loop, ROUND_MS)) {
        cli_complain("out of memory");
        if (load != NULL) {
            destroy(load);
        }
        return CLI_FAILED;
    }
    load->entry = entry;
    load->told_us = load->phase_us = cli_now_us();
    cli_loop_run(&load->loop);
    if (load->on_terminal) {
        cli_load_progress_end();
    }
    bool anybody = load->counts.joined > 0;
    int code = CLI_FAILED;
    if (anybody) {
        cli_load_figures figures;
        cli_load_figures_of(&load->tally, &load->counts_at_end, &figures);
        cli_load_report(def, &load->tally, &load->counts_at_end);
        code = cli_load_judge(def, &load->counts_at_end, &figures);
    }
    destroy(load);
    return code;
}
