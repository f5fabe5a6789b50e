#include "pace.h"

#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "clock.h"
#include "base/assert.h"
#include "base/log.h"

enum {
    CATCH_UP_TICKS_MAX = 4,
    STORE_RETRY_US = 100000, ///< after the disk refused
    DROP_LOG_US = 1000000,
};

struct race_pace {
    race_pace_def def;
    double period_ns;  ///< 0: no pace
    uint64_t first_ns; ///< deadline k is first_ns + k * period_ns
    uint64_t next_tick;
    int timer_file; ///< -1: none
    uv_poll_t timer;
    bool is_finished;
    uv_work_t store_work;
    bool store_busy, store_refused;
    uint64_t store_retry_us;
    uint64_t dropped, dropped_told_us;
};

// --- Blocking work ------------------------------------------------------------------------------

static void do_store_work(uv_work_t *work) {
    race_pace *pace = work->data;
    pace->store_refused = !apex_server_do_blocking_work(pace->def.server);
}

static void store_work_done(uv_work_t *work, int status) {
    (void)status;
    race_pace *pace = work->data;
    pace->store_busy = false;
    if (pace->store_refused) {
        pace->store_retry_us = server_monotonic_us() + STORE_RETRY_US;
    }
}

static void begin_store_work(race_pace *pace, uint64_t now_us) {
    if (pace->store_busy || now_us < pace->store_retry_us ||
        !apex_server_has_blocking_work(pace->def.server)) {
        return;
    }
    pace->store_work.data = pace;
    pace->store_busy =
        uv_queue_work(pace->def.uv, &pace->store_work, do_store_work, store_work_done) == 0;
}

// --- Ticks --------------------------------------------------------------------------------------

static uint64_t deadline_ns(const race_pace *pace, uint64_t tick) {
    return pace->first_ns + (uint64_t)((double)tick * pace->period_ns);
}

static void run_tick(race_pace *pace, uint64_t late_us) {
    uint64_t began_us = server_monotonic_us();
    apex_log_set_time(server_unix_us());
    apex_site_tick(pace->def.site, pace->def.race, began_us);
    apex_server_account(pace->def.server, server_monotonic_us() - began_us, late_us);
    apex_server_account_cpu(pace->def.server, server_cpu_us());
    pace->next_tick++;
    begin_store_work(pace, began_us);
}

static void arm(race_pace *pace) {
    uint64_t at = deadline_ns(pace, pace->next_tick);
    struct itimerspec when = {
        .it_value = {.tv_sec = (time_t)(at / 1000000000u), .tv_nsec = (long)(at % 1000000000u)}};
    int armed = timerfd_settime(pace->timer_file, TFD_TIMER_ABSTIME, &when, NULL);
    APEX_ASSERT(armed == 0);
}

// Time that was lost is dropped, not caught up with: a server that fell behind for a second would
// only fall further behind by simulating that second in a hurry.
static void drop_lost_time(race_pace *pace, uint64_t now_ns) {
    uint64_t due_ns = deadline_ns(pace, pace->next_tick);
    if (now_ns <= due_ns) {
        return;
    }
    uint64_t lost = (uint64_t)((double)(now_ns - due_ns) / pace->period_ns);
    if (lost == 0) {
        return;
    }
    pace->first_ns += (uint64_t)((double)lost * pace->period_ns);
    pace->dropped += lost;
    apex_server_account_dropped(pace->def.server, lost);
    uint64_t now_us = now_ns / 1000u;
    if (now_us - pace->dropped_told_us > DROP_LOG_US) {
        apex_log(APEX_LOG_WARN, "loop", "behind: %llu ticks dropped so far",
                 (unsigned long long)pace->dropped);
        pace->dropped_told_us = now_us;
    }
}

static void note_end(race_pace *pace) {
    if (pace->is_finished || !apex_server_finished(pace->def.server)) {
        return;
    }
    pace->is_finished = true;
    pace->def.on_finished(pace->def.loop);
}

static void run_due_ticks(race_pace *pace) {
    uint64_t now_ns = server_monotonic_ns();
    for (int i = 0; i < CATCH_UP_TICKS_MAX && now_ns >= deadline_ns(pace, pace->next_tick); i++) {
        run_tick(pace, (now_ns - deadline_ns(pace, pace->next_tick)) / 1000u);
        now_ns = server_monotonic_ns();
    }
    drop_lost_time(pace, now_ns);
}

static void on_timer(uv_poll_t *poll, int status, int events) {
    (void)status;
    (void)events;
    race_pace *pace = poll->data;
    uint64_t expirations = 0;
    if (read(pace->timer_file, &expirations, sizeof expirations) < 0) {
        return; // woken for nothing
    }
    apex_log_set_race(pace->def.logged_race);
    run_due_ticks(pace);
    apex_log_set_race(0);
    note_end(pace);
    if (!pace->is_finished) {
        arm(pace);
    }
}

void race_pace_hurry(race_pace *pace, uint64_t until_us) {
    apex_log_set_race(pace->def.logged_race);
    while (!pace->is_finished && server_monotonic_us() < until_us) {
        run_tick(pace, 0);
        note_end(pace);
    }
    apex_log_set_race(0);
}

bool race_pace_is_finished(const race_pace *pace) {
    return pace->is_finished;
}

// --- Life ---------------------------------------------------------------------------------------

static void start_timer(race_pace *pace) {
    pace->period_ns = 1e9 / ((double)apex_server_tick_hz(pace->def.server) * pace->def.speed);
    pace->first_ns = server_monotonic_ns();
    pace->timer_file = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    APEX_ASSERT(pace->timer_file >= 0);
    uv_poll_init(pace->def.uv, &pace->timer, pace->timer_file);
    pace->timer.data = pace;
    uv_poll_start(&pace->timer, UV_READABLE, on_timer);
    arm(pace);
}

race_pace *race_pace_start(const race_pace_def *def) {
    race_pace *pace = calloc(1, sizeof *pace);
    APEX_ASSERT(pace != NULL);
    pace->def = *def;
    pace->timer_file = -1;
    if (def->speed > 0.0) {
        start_timer(pace);
    }
    return pace;
}

void race_pace_stop(race_pace *pace) {
    if (pace->timer_file >= 0 && !uv_is_closing((uv_handle_t *)&pace->timer)) {
        uv_close((uv_handle_t *)&pace->timer, NULL);
    }
}

void race_pace_free(race_pace *pace) {
    if (pace->timer_file >= 0) {
        close(pace->timer_file);
    }
    free(pace);
}
