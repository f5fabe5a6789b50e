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
};

struct race_pace {
    race_pace_def def;
    double period_ns;  ///< 0: no pace
    uint64_t first_ns; ///< deadline k is first_ns + k * period_ns
    uint64_t next_tick;
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
    if (!apex_server_is_idle(pace->def.server)) {
        apex_server_account(pace->def.server, server_monotonic_us() - began_us, late_us);
    }
    apex_server_account_cpu(pace->def.server, server_cpu_us());
    pace->next_tick++;
    begin_store_work(pace, began_us);
}

static void arm(race_pace *pace, uint64_t at) {
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
    apex_server_account_dropped(pace->def.server, lost);
}

static void note_end(race_pace *pace) {
    if (pace->is_finished || !apex_server_finished(pace->def.server)) {
        return;
    }
    pace->is_finished = true;
    for (size_t i = 0; i < pace->socket_count; i++) { // nobody reads them any more
        uv_poll_stop(&pace->sockets[i]);
    }
    pace->def.on_finished(pace->def.loop);
}

// @return that it waits. From where it goes on deadlines are counted anew: no time was lost.
static bool note_waiting(race_pace *pace) {
    bool is_waiting = apex_server_is_idle(pace->def.server);
    if (is_waiting || pace->is_waiting) {
        pace->first_ns = server_monotonic_ns();
        pace->next_tick = 1;
    }
    pace->is_waiting = is_waiting;
    return is_waiting;
}

static void run_due_ticks(race_pace *pace) {
    uint64_t now_ns = server_monotonic_ns();
    for (int i = 0; i < CATCH_UP_TICKS_MAX && now_ns >= deadline_ns(pace, pace->next_tick); i++) {
        run_tick(pace, (now_ns - deadline_ns(pace, pace->next_tick)) / 1000u);
        now_ns = server_monotonic_ns();
        if (note_waiting(pace)) {
            return;
        }
    }
    drop_lost_time(pace, now_ns);
}

static void look_around(race_pace *pace) {
    run_tick(pace, 0);
    note_waiting(pace);
}

static void arm_next(race_pace *pace) {
    if (pace->is_finished) {
        return;
    }
    if (pace->is_waiting) {
        arm(pace, pace->first_ns + 1000u * apex_server_leisure_us(pace->def.server));
    } else if (pace->def.speed > 0.0) {
        arm(pace, deadline_ns(pace, pace->next_tick));
    }
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
    if (pace->is_waiting) {
        look_around(pace);
    } else {
        run_due_ticks(pace);
    }
    apex_log_set_race(0);
    note_end(pace);
    arm_next(pace);
}

// It ends the loop's sleep, and then whoever is waited for is heard. Who comes to a server that
// nobody used is heard here.
static void on_socket(uv_poll_t *poll, int status, int events) {
    (void)status;
    (void)events;
    race_pace *pace = poll->data;
    if (pace->is_waiting && !pace->is_finished) {
        apex_log_set_race(pace->def.logged_race);
        look_around(pace);
        apex_log_set_race(0);
        note_end(pace);
        arm_next(pace);
    }
}

static bool is_due(race_pace *pace, uint64_t now_us, uint64_t *due_us) {
    apex_log_set_time(server_unix_us());
    return apex_site_is_due(pace->def.site, pace->def.race, now_us, due_us);
}

uint64_t race_pace_hurry(race_pace *pace, uint64_t until_us) {
    uint64_t due_us = 0, now_us = server_monotonic_us();
    apex_log_set_race(pace->def.logged_race);
    while (!pace->is_finished && !pace->is_waiting && now_us < until_us &&
           is_due(pace, now_us, &due_us)) {
        run_tick(pace, 0);
        note_end(pace);
        if (note_waiting(pace)) {
            arm_next(pace);
        }
        due_us = 0;
        now_us = server_monotonic_us();
    }
    apex_log_set_race(0);
    bool is_asleep = pace->is_finished || pace->is_waiting;
    return is_asleep ? UINT64_MAX : (due_us > now_us ? due_us : 0);
}

// --- Life ---------------------------------------------------------------------------------------

static void create_timer(race_pace *pace) {
    pace->timer_file = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    APEX_ASSERT(pace->timer_file >= 0);
    uv_poll_init(pace->def.uv, &pace->timer, pace->timer_file);
    pace->timer.data = pace;
    uv_poll_start(&pace->timer, UV_READABLE, on_timer);
}

static void watch_sockets(race_pace *pace) {
    int sockets[APEX_SOCKETS_MAX];
    size_t count = apex_server_sockets(pace->def.server, sockets);
    for (size_t i = 0; i < count; i++) {
        int err = uv_poll_init(pace->def.uv, &pace->sockets[i], sockets[i]);
        APEX_ASSERT(err == 0);
        pace->sockets[i].data = pace;
        uv_poll_start(&pace->sockets[i], UV_READABLE, on_socket);
    }
    pace->socket_count = count;
}

race_pace *race_pace_start(const race_pace_def *def) {
    race_pace *pace = calloc(1, sizeof *pace);
    APEX_ASSERT(pace != NULL);
    pace->def = *def;
    create_timer(pace);
    if (def->speed > 0.0) {
        pace->period_ns = 1e9 / ((double)apex_server_tick_hz(def->server) * def->speed);
        pace->first_ns = server_monotonic_ns();
        arm_next(pace);
    } else {
        watch_sockets(pace);
    }
    return pace;
}

void race_pace_stop(race_pace *pace) {
    for (size_t i = 0; i < pace->socket_count; i++) {
        if (!uv_is_closing((uv_handle_t *)&pace->sockets[i])) {
            uv_close((uv_handle_t *)&pace->sockets[i], NULL);
        }
    }
    if (!uv_is_closing((uv_handle_t *)&pace->timer)) {
        uv_close((uv_handle_t *)&pace->timer, NULL);
    }
}

void race_pace_free(race_pace *pace) {
    close(pace->timer_file);
    free(pace);
}
