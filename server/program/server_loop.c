// The loop of the process: signals, standard input, the site and the ticker. Real time is read in
// this module alone (DECISIONS 5).

#include "program/server_loop.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

#include "base/assert.h"
#include "base/log.h"
#include "program/operator.h"
#include "program/process.h"
#include "program/process_clock.h"
#include "program/recordings_folder.h"
#include "program/service.h"
#include "program/ticker.h"

enum {
    FAST_BATCH_US = 5000, ///< of ticks between two looks at all else, when there is no pace
    SIGNALS = 3,
    LOOK_MS = 1000, ///< between two looks at the process
};

struct server_loop {
    uv_loop_t uv;
    apex_site *site;
    apex_server *const *servers;
    uint32_t server_count, finished_count;
    race_ticker *tickers[APEX_SITE_RACES_MAX];
    server_operator console;
    recordings_folder recordings;
    server_service *service; ///< NULL: none is listening
    uv_signal_t signals[SIGNALS];
    uv_check_t turn;
    uv_timer_t look;
    apex_process_times times; ///< as of the last look
    uv_timer_t alarm;         ///< of races that wait for somebody
    bool reloads;             ///< on SIGHUP, and goes on
    bool hears_signals, stopped_by_signal, hurried, is_closing;
};

static void close_handle(uv_handle_t *handle) {
    if (!uv_is_closing(handle)) {
        uv_close(handle, NULL);
    }
}

static void close_all(server_loop *loop) {
    if (loop->is_closing) {
        return;
    }
    loop->is_closing = true;
    server_service_ending(loop->service);
    server_service_stop(loop->service);
    for (uint32_t i = 0; i < loop->server_count; i++) {
        race_ticker_stop(loop->tickers[i]);
    }
    server_operator_stop(&loop->console);
    // Still heard, or one more would end the process while its files are written; but nobody waits
    // for one.
    for (int i = 0; i < SIGNALS; i++) {
        uv_unref((uv_handle_t *)&loop->signals[i]);
    }
    close_handle((uv_handle_t *)&loop->turn);
    close_handle((uv_handle_t *)&loop->look);
    apex_site_destroy(loop->site);
    loop->site = NULL;
}

static void on_finished(void *context) {
    server_loop *loop = context;
    if (++loop->finished_count == loop->server_count) {
        close_all(loop);
    }
}

// An operator who cannot wait for last words need not, but the race has its end and its results,
// which are made in a tick.
static void make_last_tick(server_loop *loop) {
    for (uint32_t i = 0; i < loop->server_count; i++) {
        apex_site_tick(loop->site, i, server_monotonic_us());
    }
}

// A terminal that closes ends the race with it, as ever; where there is none, SIGHUP is what
// services are told to read their files anew with (DECISIONS 55).
static bool reloads_on_hangup(const server_loop *loop) {
    bool is_service = server_reload_has_files(loop->console.reload) || loop->service != NULL;
    return is_service && !isatty(STDIN_FILENO) && !isatty(STDERR_FILENO);
}

static void reload(const server_loop *loop) {
    char said[APEX_WEB_WHY_BYTES];
    if (!server_reload_has_files(loop->console.reload)) {
        apex_log(APEX_LOG_INFO, "main", "hangup: no file is there to be read anew");
        return;
    }
    (void)server_reload_all(loop->console.reload, said);
}

static void on_signal(uv_signal_t *handle, int number) {
    server_loop *loop = handle->data;
    if (loop->is_closing) {
        return; // nobody is waited for any more
    }
    if (loop->stopped_by_signal) {
        loop->hurried = true;
        make_last_tick(loop);
        close_all(loop);
        return;
    }
    if (number == SIGHUP && loop->reloads) {
        reload(loop);
        return;
    }
    loop->stopped_by_signal = true;
    server_service_ending(loop->service);
    char text[96];
    snprintf(text, sizeof text, "the server was asked to stop (%s)",
             number == SIGINT ? "interrupt" : (number == SIGTERM ? "terminate" : "hangup"));
    for (uint32_t i = 0; i < loop->server_count; i++) {
        apex_server_stop(loop->servers[i], APEX_REASON_SHUTDOWN, text);
    }
}

static bool is_ignored(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static void start_signals(server_loop *loop) {
    // The reader of the log or of the answers may go; the race goes on.
    signal(SIGPIPE, SIG_IGN);
    loop->hears_signals = true;
    loop->reloads = reloads_on_hangup(loop);
    const int numbers[SIGNALS] = {SIGINT, SIGTERM, SIGHUP};
    for (int i = 0; i < SIGNALS; i++) {
        uv_signal_init(&loop->uv, &loop->signals[i]);
        loop->signals[i].data = loop;
        if (numbers[i] != SIGHUP || !is_ignored(SIGHUP)) { // nohup is to be respected
            uv_signal_start(&loop->signals[i], on_signal, numbers[i]);
        }
    }
}

static void on_turn(uv_check_t *check) {
    server_loop *loop = check->data;
    apex_site_serve(loop->site, server_monotonic_us());
}

// Ticks that were dropped since the last look are explained by what the process was given.
static void on_look(uv_timer_t *timer) {
    server_loop *loop = timer->data;
    apex_log_set_time(server_unix_us()); // also while nobody is here, and no ticks set it
    server_process_times(&loop->times);
    recordings_folder_look(&loop->recordings, &loop->uv);
    apex_site_watch_certificate(loop->site, (int64_t)(server_unix_us() / 1000000));
    for (uint32_t i = 0; i < loop->server_count; i++) {
        apex_log_set_race(loop->server_count > 1 ? i + 1 : 0);
        apex_server_account_process(loop->servers[i], &loop->times);
        apex_server_set_time_of_day(loop->servers[i], server_monotonic_us(), server_unix_us());
    }
    apex_log_set_race(0);
}

static void start_looking(server_loop *loop) {
    uv_timer_init(&loop->uv, &loop->look);
    loop->look.data = loop;
    uv_timer_start(&loop->look, on_look, 0, LOOK_MS);
}

static apex_err start_tickers(server_loop *loop, double speed) {
    apex_err err = APEX_OK;
    for (uint32_t i = 0; err == APEX_OK && i < loop->server_count; i++) {
        race_ticker_def def = {
            .uv = &loop->uv,
            .site = loop->site,
            .server = loop->servers[i],
            .race = i,
            .logged_race = loop->server_count > 1 ? i + 1 : 0,
            .speed = speed,
            .on_finished = on_finished,
            .loop = loop,
        };
        err = race_ticker_start(&def, &loop->tickers[i]);
    }
    return err;
}

static void on_alarm(uv_timer_t *timer) {
    (void)timer; // it has ended the sleep
}

// Until something comes in, or somebody has been waited for long enough.
static void sleep_until(server_loop *loop, uint64_t wake_us) {
    uint64_t now_us = server_monotonic_us();
    uv_update_time(&loop->uv);
    if (wake_us > now_us && wake_us != UINT64_MAX) {
        uv_timer_start(&loop->alarm, on_alarm, (wake_us - now_us + 999) / 1000, 0);
    }
    uv_run(&loop->uv, wake_us > now_us ? UV_RUN_ONCE : UV_RUN_NOWAIT);
    uv_timer_stop(&loop->alarm);
}

static void run_unpaced(server_loop *loop) {
    uv_timer_init(&loop->uv, &loop->alarm);
    while (!loop->is_closing) {
        uint64_t until_us = server_monotonic_us(), wake_us = UINT64_MAX;
        for (uint32_t i = 0; i < loop->server_count; i++) {
            until_us += FAST_BATCH_US / loop->server_count;
            uint64_t again_us = race_ticker_hurry(loop->tickers[i], until_us);
            wake_us = again_us < wake_us ? again_us : wake_us;
        }
        if (!loop->is_closing) {
            sleep_until(loop, wake_us);
        }
    }
    close_handle((uv_handle_t *)&loop->alarm);
}

apex_err server_loop_create(server_loop **out) {
    server_loop *loop = calloc(1, sizeof *loop);
    // libuv's errors are errno's with a minus; it needs files of its own.
    int failed = loop != NULL ? uv_loop_init(&loop->uv) : UV_ENOMEM;
    if (failed != 0) {
        free(loop);
        return apex_err_from_errno(-failed);
    }
    loop->service = server_service_create();
    *out = loop;
    return APEX_OK;
}

const apex_process_times *server_loop_times(const server_loop *loop) {
    return &loop->times;
}

// Listeners on it may have handles that are yet to be closed.
void server_loop_destroy(server_loop *loop) {
    if (loop == NULL) {
        return;
    }
    for (int i = 0; i < SIGNALS && loop->hears_signals; i++) {
        close_handle((uv_handle_t *)&loop->signals[i]);
    }
    uv_run(&loop->uv, UV_RUN_DEFAULT);
    uv_loop_close(&loop->uv);
    server_service_destroy(loop->service);
    free(loop);
}

void server_loop_limit_recordings(server_loop *loop, const char *path, uint64_t bytes_max) {
    loop->recordings.path = path;
    loop->recordings.bytes_max = bytes_max;
}

struct uv_loop_s *server_loop_uv(server_loop *loop) {
    return &loop->uv;
}

void server_loop_set_reload(server_loop *loop, server_reload *reload) {
    loop->console.reload = reload;
}

// Nothing else is open by now: what failed for want of files is tried once more. What the disk does
// not take now is lost.
static bool store_the_rest(apex_server *const servers[], uint32_t server_count) {
    bool is_stored = true;
    for (uint32_t i = 0; i < server_count; i++) {
        apex_log_set_race(server_count > 1 ? i + 1 : 0);
        is_stored &=
            !apex_server_has_blocking_work(servers[i]) || apex_server_do_blocking_work(servers[i]);
    }
    apex_log_set_race(0);
    return is_stored;
}

int server_loop_run(server_loop *loop, apex_site *site, apex_server *const servers[],
                    uint32_t server_count, double speed) {
    loop->site = site;
    APEX_ASSERT(loop->console.reload != NULL);
    loop->servers = servers;
    loop->server_count = server_count;
    start_signals(loop);
    loop->console.site = site;
    loop->console.servers = servers;
    loop->console.server_count = server_count;
    server_operator_start(&loop->console, &loop->uv);
    uv_check_init(&loop->uv, &loop->turn);
    loop->turn.data = loop;
    uv_check_start(&loop->turn, on_turn);
    start_looking(loop);
    apex_err err = start_tickers(loop, speed);
    if (err != APEX_OK) {
        apex_log(APEX_LOG_ERROR, "main", "the races have no clock: %s", apex_err_text(err));
        close_all(loop);
    } else {
        server_service_start(loop->service, &loop->uv, loop->tickers, servers, server_count);
    }
    if (err == APEX_OK && speed <= 0.0) {
        run_unpaced(loop);
    }
    uv_run(&loop->uv, UV_RUN_DEFAULT); // until all handles are closed and the disk has answered
    uv_tty_reset_mode();
    for (uint32_t i = 0; i < server_count; i++) {
        race_ticker_free(loop->tickers[i]);
    }
    bool is_stored = store_the_rest(servers, server_count);
    return err != APEX_OK || !is_stored ? EXIT_FAILURE : (loop->hurried ? 130 : 0);
}
