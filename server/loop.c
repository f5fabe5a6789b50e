#include "loop.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "base/assert.h"
#include "base/log.h"

enum {
    CATCH_UP_TICKS_MAX = 4,
    FAST_BATCH_US = 5000,    ///< of ticks between two looks at signals, when there is no pace
    STORE_RETRY_US = 100000, ///< after the disk refused
    DROP_LOG_US = 1000000,
    LINE_BYTES_MAX = 512,
};

typedef struct server_loop {
    uv_loop_t uv;
    apex_server *server;
    double period_ns;  ///< 0: no pace
    uint64_t first_ns; ///< deadline k is first_ns + k * period_ns
    uint64_t next_tick;
    int timer_file;
    uv_poll_t timer;
    uv_signal_t signals[3];
    union uv_any_handle input;
    bool has_input, stopped_by_signal, hurried;
    char line[LINE_BYTES_MAX];
    size_t line_length;
    uv_work_t store_work;
    bool store_busy, store_refused;
    uint64_t store_retry_us;
    uint64_t dropped, dropped_told, dropped_told_us;
} server_loop;

static uint64_t clock_ns(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t server_monotonic_us(void) {
    return clock_ns(CLOCK_MONOTONIC) / 1000u;
}

uint64_t server_unix_us(void) {
    return clock_ns(CLOCK_REALTIME) / 1000u;
}

static uint64_t cpu_us(void) {
    struct rusage spent;
    getrusage(RUSAGE_SELF, &spent);
    const struct timeval *user = &spent.ru_utime;
    const struct timeval *kernel = &spent.ru_stime;
    return (uint64_t)(user->tv_sec + kernel->tv_sec) * 1000000u +
           (uint64_t)(user->tv_usec + kernel->tv_usec);
}

// --- Blocking work ------------------------------------------------------------------------------

static void do_store_work(uv_work_t *work) {
    server_loop *loop = work->data;
    loop->store_refused = !apex_server_do_blocking_work(loop->server);
}

static void store_work_done(uv_work_t *work, int status) {
    (void)status;
    server_loop *loop = work->data;
    loop->store_busy = false;
    if (loop->store_refused) {
        loop->store_retry_us = server_monotonic_us() + STORE_RETRY_US;
    }
}

static void begin_store_work(server_loop *loop, uint64_t now_us) {
    if (loop->store_busy || now_us < loop->store_retry_us ||
        !apex_server_has_blocking_work(loop->server)) {
        return;
    }
    loop->store_work.data = loop;
    loop->store_busy =
        uv_queue_work(&loop->uv, &loop->store_work, do_store_work, store_work_done) == 0;
}

// --- Ticks --------------------------------------------------------------------------------------

static uint64_t deadline_ns(const server_loop *loop, uint64_t tick) {
    return loop->first_ns + (uint64_t)((double)tick * loop->period_ns);
}

static void run_tick(server_loop *loop, uint64_t late_us) {
    uint64_t began_us = server_monotonic_us();
    apex_log_set_time(server_unix_us());
    apex_server_tick(loop->server, began_us);
    apex_server_account(loop->server, server_monotonic_us() - began_us, late_us);
    apex_server_account_cpu(loop->server, cpu_us());
    loop->next_tick++;
    begin_store_work(loop, began_us);
}

static void arm(server_loop *loop) {
    uint64_t at = deadline_ns(loop, loop->next_tick);
    struct itimerspec when = {
        .it_value = {.tv_sec = (time_t)(at / 1000000000u), .tv_nsec = (long)(at % 1000000000u)}};
    int armed = timerfd_settime(loop->timer_file, TFD_TIMER_ABSTIME, &when, NULL);
    APEX_ASSERT(armed == 0);
}

// Time that was lost is dropped, not caught up with: a server that fell behind for a second would
// only fall further behind by simulating that second in a hurry.
static void drop_lost_time(server_loop *loop, uint64_t now_ns) {
    uint64_t due_ns = deadline_ns(loop, loop->next_tick);
    if (now_ns <= due_ns) {
        return;
    }
    uint64_t lost = (uint64_t)((double)(now_ns - due_ns) / loop->period_ns);
    if (lost == 0) {
        return;
    }
    loop->first_ns += (uint64_t)((double)lost * loop->period_ns);
    loop->dropped += lost;
    apex_server_account_dropped(loop->server, lost);
    uint64_t now_us = now_ns / 1000u;
    if (now_us - loop->dropped_told_us > DROP_LOG_US) {
        apex_log(APEX_LOG_WARN, "loop", "behind: %llu ticks dropped so far",
                 (unsigned long long)loop->dropped);
        loop->dropped_told_us = now_us;
    }
}

static void stop_handles(server_loop *loop);

static void on_timer(uv_poll_t *poll, int status, int events) {
    (void)status;
    (void)events;
    server_loop *loop = poll->data;
    uint64_t expirations = 0;
    if (read(loop->timer_file, &expirations, sizeof expirations) < 0) {
        return; // woken for nothing
    }
    uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
    for (int i = 0; i < CATCH_UP_TICKS_MAX && now_ns >= deadline_ns(loop, loop->next_tick); i++) {
        run_tick(loop, (now_ns - deadline_ns(loop, loop->next_tick)) / 1000u);
        now_ns = clock_ns(CLOCK_MONOTONIC);
    }
    drop_lost_time(loop, now_ns);
    if (apex_server_finished(loop->server)) {
        stop_handles(loop);
        return;
    }
    arm(loop);
}

static void run_unpaced(server_loop *loop) {
    while (!apex_server_finished(loop->server) && !loop->hurried) {
        uint64_t until_us = server_monotonic_us() + FAST_BATCH_US;
        while (server_monotonic_us() < until_us && !apex_server_finished(loop->server)) {
            run_tick(loop, 0);
        }
        uv_run(&loop->uv, UV_RUN_NOWAIT);
    }
    stop_handles(loop);
}

// --- Operator and signals -----------------------------------------------------------------------

static void take_input(server_loop *loop, const char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] != '\n') {
            if (loop->line_length < LINE_BYTES_MAX - 1) {
                loop->line[loop->line_length++] = bytes[i];
            }
            continue;
        }
        loop->line[loop->line_length] = '\0';
        loop->line_length = 0;
        apex_server_console(loop->server, loop->line, stdout);
        fflush(stdout);
    }
}

static void on_allocate(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
    (void)handle;
    (void)suggested;
    static char bytes[4096];
    *buffer = uv_buf_init(bytes, sizeof bytes);
}

static void on_input(uv_stream_t *stream, ssize_t length, const uv_buf_t *buffer) {
    server_loop *loop = stream->data;
    if (length > 0) {
        take_input(loop, buffer->base, (size_t)length);
    } else if (length < 0) {
        uv_read_stop(stream); // the end of input is no reason to end a race
    }
}

static void open_input(server_loop *loop) {
    int opened = -1;
    switch (uv_guess_handle(STDIN_FILENO)) {
    case UV_TTY:
        opened = uv_tty_init(&loop->uv, &loop->input.tty, STDIN_FILENO, 1);
        break;
    case UV_NAMED_PIPE:
        opened = uv_pipe_init(&loop->uv, &loop->input.pipe, 0);
        if (opened == 0) {
            opened = uv_pipe_open(&loop->input.pipe, STDIN_FILENO);
        }
        break;
    default:
        return; // a file or nothing: no operator
    }
    if (opened != 0) {
        return;
    }
    loop->has_input = true;
    loop->input.stream.data = loop;
    uv_read_start(&loop->input.stream, on_allocate, on_input);
}

static void on_signal(uv_signal_t *handle, int number) {
    server_loop *loop = handle->data;
    if (loop->stopped_by_signal) {
        loop->hurried = true;
        stop_handles(loop);
        return;
    }
    loop->stopped_by_signal = true;
    char text[96];
    snprintf(text, sizeof text, "the server was asked to stop (%s)",
             number == SIGINT ? "interrupt" : (number == SIGTERM ? "terminate" : "hangup"));
    apex_server_stop(loop->server, APEX_REASON_SHUTDOWN, text);
}

// --- Life ---------------------------------------------------------------------------------------

static void close_handle(uv_handle_t *handle, void *context) {
    (void)context;
    if (!uv_is_closing(handle)) {
        uv_close(handle, NULL);
    }
}

static void stop_handles(server_loop *loop) {
    uv_walk(&loop->uv, close_handle, NULL);
}

static bool is_ignored(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static void start_signals(server_loop *loop) {
    // Whoever read the log or the answers may go; the race goes on.
    signal(SIGPIPE, SIG_IGN);
    const int numbers[3] = {SIGINT, SIGTERM, SIGHUP};
    for (int i = 0; i < 3; i++) {
        uv_signal_init(&loop->uv, &loop->signals[i]);
        loop->signals[i].data = loop;
        if (numbers[i] != SIGHUP || !is_ignored(SIGHUP)) { // nohup is to be respected
            uv_signal_start(&loop->signals[i], on_signal, numbers[i]);
        }
    }
}

static void start_timer(server_loop *loop, double speed) {
    loop->period_ns = 1e9 / ((double)apex_server_tick_hz(loop->server) * speed);
    loop->first_ns = clock_ns(CLOCK_MONOTONIC);
    loop->timer_file = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    APEX_ASSERT(loop->timer_file >= 0);
    uv_poll_init(&loop->uv, &loop->timer, loop->timer_file);
    loop->timer.data = loop;
    uv_poll_start(&loop->timer, UV_READABLE, on_timer);
    arm(loop);
}

int server_loop_run(apex_server *server, double speed) {
    server_loop *loop = calloc(1, sizeof *loop);
    APEX_ASSERT(loop != NULL && uv_loop_init(&loop->uv) == 0);
    loop->server = server;
    loop->timer_file = -1;
    start_signals(loop);
    open_input(loop);
    if (speed > 0.0) {
        start_timer(loop, speed);
    } else {
        run_unpaced(loop);
    }
    uv_run(&loop->uv, UV_RUN_DEFAULT); // until all handles are closed and the disk has answered
    int code = loop->hurried ? 130 : 0;
    uv_tty_reset_mode();
    uv_loop_close(&loop->uv);
    if (loop->timer_file >= 0) {
        close(loop->timer_file);
    }
    free(loop);
    return code;
}
