// Each race is ticked when it is due, and its blocking work is done on other threads.

#include "program/ticker.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/log.h"
#include "program/process_clock.h"

enum {
    CATCH_UP_TICKS_MAX = 4,
    STORE_RETRY_US = 100000, ///< after the disk refused
};

struct race_ticker {
    race_ticker_def def;
    double period_ns;  ///< 0: no pace
    uint64_t first_ns; ///< deadline k is first_ns + k * period_ns
    uint64_t next_tick;
    uint64_t rounds; ///< ticks made, and looks at whether one is due
    int timer_file;
    uv_poll_t timer;
    size_t socket_count; ///< of a race without a pace: what wakes the loop when it waits
    uv_poll_t sockets[APEX_SOCKETS_MAX];
    bool is_finished;
    bool is_waiting; ///< for somebody to come
    uv_work_t store_work;
    bool store_busy, store_refused;
    uint64_t store_retry_us;
};

static void do_store_work(uv_work_t *work) {
    race_ticker *ticker = work->data;
    ticker->store_refused = !apex_server_do_blocking_work(ticker->def.server);
}

static void store_work_done(uv_work_t *work, int status) {
    (void)status;
    race_ticker *ticker = work->data;
    ticker->store_busy = false;
    if (ticker->store_refused) {
        ticker->store_retry_us = server_monotonic_us() + STORE_RETRY_US;
    }
}

static void begin_store_work(race_ticker *ticker, uint64_t now_us) {
    if (ticker->store_busy || now_us < ticker->store_retry_us ||
        !apex_server_has_blocking_work(ticker->def.server)) {
        return;
    }
    ticker->store_work.data = ticker;
    ticker->store_busy =
        uv_queue_work(ticker->def.uv, &ticker->store_work, do_store_work, store_work_done) == 0;
}

static uint64_t deadline_ns(const race_ticker *ticker, uint64_t tick) {
    return ticker->first_ns + (uint64_t)((double)tick * ticker->period_ns);
}

static void run_tick(race_ticker *ticker, uint64_t late_us) {
    uint64_t began_us = server_monotonic_us();
    apex_log_set_time(server_unix_us());
    apex_site_tick(ticker->def.site, ticker->def.race, began_us);
    if (!apex_server_is_idle(ticker->def.server)) {
        apex_server_account(ticker->def.server, server_monotonic_us() - began_us, late_us);
    }
    apex_server_account_cpu(ticker->def.server, server_cpu_us());
    ticker->next_tick++;
    ticker->rounds++;
    begin_store_work(ticker, began_us);
}

static void arm(race_ticker *ticker, uint64_t at) {
    struct itimerspec when = {
        .it_value = {.tv_sec = (time_t)(at / 1000000000u), .tv_nsec = (long)(at % 1000000000u)}};
    int armed = timerfd_settime(ticker->timer_file, TFD_TIMER_ABSTIME, &when, NULL);
    APEX_ASSERT(armed == 0);
}

// Time that was lost is dropped, not caught up with: a server that fell behind for a second would
// only fall further behind by simulating that second in a hurry.
static void drop_lost_time(race_ticker *ticker, uint64_t now_ns) {
    uint64_t due_ns = deadline_ns(ticker, ticker->next_tick);
    if (now_ns <= due_ns) {
        return;
    }
    uint64_t lost = (uint64_t)((double)(now_ns - due_ns) / ticker->period_ns);
    if (lost == 0) {
        return;
    }
    ticker->first_ns += (uint64_t)((double)lost * ticker->period_ns);
    apex_server_account_dropped(ticker->def.server, lost);
}

static void note_end(race_ticker *ticker) {
    if (ticker->is_finished || !apex_server_finished(ticker->def.server)) {
        return;
    }
    ticker->is_finished = true;
    for (size_t i = 0; i < ticker->socket_count; i++) { // nobody reads them any more
        uv_poll_stop(&ticker->sockets[i]);
    }
    ticker->def.on_finished(ticker->def.loop);
}

// @return that it waits. From where it goes on deadlines are counted anew: no time was lost.
static bool note_waiting(race_ticker *ticker) {
    bool is_waiting = apex_server_is_idle(ticker->def.server);
    if (is_waiting || ticker->is_waiting) {
        ticker->first_ns = server_monotonic_ns();
        ticker->next_tick = 1;
    }
    ticker->is_waiting = is_waiting;
    return is_waiting;
}

static void run_due_ticks(race_ticker *ticker) {
    uint64_t now_ns = server_monotonic_ns();
    for (int i = 0; i < CATCH_UP_TICKS_MAX && now_ns >= deadline_ns(ticker, ticker->next_tick);
         i++) {
        run_tick(ticker, (now_ns - deadline_ns(ticker, ticker->next_tick)) / 1000u);
        now_ns = server_monotonic_ns();
        if (note_waiting(ticker)) {
            return;
        }
    }
    drop_lost_time(ticker, now_ns);
}

static void look_around(race_ticker *ticker) {
    run_tick(ticker, 0);
    note_waiting(ticker);
}

static void arm_next(race_ticker *ticker) {
    if (ticker->is_finished) {
        return;
    }
    if (ticker->is_waiting) {
        arm(ticker, ticker->first_ns + 1000u * apex_server_leisure_us(ticker->def.server));
    } else if (ticker->def.speed > 0.0) {
        arm(ticker, deadline_ns(ticker, ticker->next_tick));
    }
}

static void on_timer(uv_poll_t *poll, int status, int events) {
    (void)status;
    (void)events;
    race_ticker *ticker = poll->data;
    uint64_t expirations = 0;
    if (read(ticker->timer_file, &expirations, sizeof expirations) < 0) {
        return; // woken for nothing
    }
    apex_log_set_race(ticker->def.logged_race);
    if (ticker->is_waiting) {
        look_around(ticker);
    } else {
        run_due_ticks(ticker);
    }
    apex_log_set_race(0);
    note_end(ticker);
    arm_next(ticker);
}

// A readable socket ends the loop's sleep, and then a client that is waited for is heard. A client
// that comes to a server that nobody used is heard here.
static void on_socket(uv_poll_t *poll, int status, int events) {
    (void)status;
    (void)events;
    race_ticker *ticker = poll->data;
    if (ticker->is_waiting && !ticker->is_finished) {
        apex_log_set_race(ticker->def.logged_race);
        look_around(ticker);
        apex_log_set_race(0);
        note_end(ticker);
        arm_next(ticker);
    }
}

static bool is_due(race_ticker *ticker, uint64_t now_us, uint64_t *due_us) {
    apex_log_set_time(server_unix_us());
    ticker->rounds++;
    return apex_site_is_due(ticker->def.site, ticker->def.race, now_us, due_us);
}

uint64_t race_ticker_hurry(race_ticker *ticker, uint64_t until_us) {
    uint64_t due_us = 0, now_us = server_monotonic_us();
    apex_log_set_race(ticker->def.logged_race);
    while (!ticker->is_finished && !ticker->is_waiting && now_us < until_us &&
           is_due(ticker, now_us, &due_us)) {
        run_tick(ticker, 0);
        note_end(ticker);
        if (note_waiting(ticker)) {
            arm_next(ticker);
        }
        due_us = 0;
        now_us = server_monotonic_us();
    }
    apex_log_set_race(0);
    bool is_asleep = ticker->is_finished || ticker->is_waiting;
    return is_asleep ? UINT64_MAX : (due_us > now_us ? due_us : 0);
}

static apex_err create_timer(race_ticker *ticker) {
    ticker->timer_file = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (ticker->timer_file < 0) {
        return apex_err_from_errno(errno);
    }
    uv_poll_init(ticker->def.uv, &ticker->timer, ticker->timer_file);
    ticker->timer.data = ticker;
    uv_poll_start(&ticker->timer, UV_READABLE, on_timer);
    return APEX_OK;
}

static void watch_sockets(race_ticker *ticker) {
    int sockets[APEX_SOCKETS_MAX];
    size_t count = apex_server_sockets(ticker->def.server, sockets);
    for (size_t i = 0; i < count; i++) {
        int err = uv_poll_init(ticker->def.uv, &ticker->sockets[i], sockets[i]);
        APEX_ASSERT(err == 0);
        ticker->sockets[i].data = ticker;
        uv_poll_start(&ticker->sockets[i], UV_READABLE, on_socket);
    }
    ticker->socket_count = count;
}

apex_err race_ticker_start(const race_ticker_def *def, race_ticker **out) {
    race_ticker *ticker = calloc(1, sizeof *ticker);
    if (ticker == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    ticker->def = *def;
    apex_err err = create_timer(ticker);
    if (err != APEX_OK) {
        free(ticker);
        return err;
    }
    if (def->speed > 0.0) {
        ticker->period_ns = 1e9 / ((double)apex_server_tick_hz(def->server) * def->speed);
        ticker->first_ns = server_monotonic_ns();
        arm_next(ticker);
    } else {
        watch_sockets(ticker);
    }
    *out = ticker;
    return APEX_OK;
}

uint64_t race_ticker_rounds(const race_ticker *ticker) {
    return ticker->rounds;
}

bool race_ticker_rests(const race_ticker *ticker) {
    return ticker->is_finished || ticker->is_waiting;
}

void race_ticker_stop(race_ticker *ticker) {
    if (ticker == NULL) {
        return;
    }
    for (size_t i = 0; i < ticker->socket_count; i++) {
        if (!uv_is_closing((uv_handle_t *)&ticker->sockets[i])) {
            uv_close((uv_handle_t *)&ticker->sockets[i], NULL);
        }
    }
    if (!uv_is_closing((uv_handle_t *)&ticker->timer)) {
        uv_close((uv_handle_t *)&ticker->timer, NULL);
    }
}

void race_ticker_free(race_ticker *ticker) {
    if (ticker == NULL) {
        return;
    }
    close(ticker->timer_file);
    free(ticker);
}
