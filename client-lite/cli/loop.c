// The loop, its timer and its signals over libuv.
#include "client-lite/cli/loop.h"

#include <signal.h>
#include <stdlib.h>

uint64_t cli_now_us(void) {
    return uv_hrtime() / 1000;
}

static void on_timer(uv_timer_t *timer) {
    cli_loop *loop = timer->data;
    loop->on_round(loop->context);
}

static void on_signal(uv_signal_t *signal, int number) {
    cli_loop *loop = signal->data;
    if (loop->asked_to_stop) {
        // Asked twice: wait for nobody.
        exit(128 + number);
    }
    loop->asked_to_stop = true;
    loop->on_stop(loop->context);
}

bool cli_loop_open(cli_loop *loop, uint64_t round_ms) {
    if (uv_loop_init(&loop->loop) != 0) {
        return false;
    }
    uv_timer_init(&loop->loop, &loop->timer);
    uv_signal_init(&loop->loop, &loop->interrupt);
    uv_signal_init(&loop->loop, &loop->terminate);
    uv_signal_init(&loop->loop, &loop->hangup);
    loop->timer.data = loop;
    loop->interrupt.data = loop;
    loop->terminate.data = loop;
    loop->hangup.data = loop;
    uv_timer_start(&loop->timer, on_timer, 0, round_ms);
    uv_signal_start(&loop->interrupt, on_signal, SIGINT);
    uv_signal_start(&loop->terminate, on_signal, SIGTERM);
    uv_signal_start(&loop->hangup, on_signal, SIGHUP);
    return true;
}

void cli_loop_run(cli_loop *loop) {
    uv_run(&loop->loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop->loop);
}

void cli_loop_end(cli_loop *loop) {
    if (loop->ending) {
        return;
    }
    loop->ending = true;
    uv_close((uv_handle_t *)&loop->timer, NULL);
    uv_close((uv_handle_t *)&loop->interrupt, NULL);
    uv_close((uv_handle_t *)&loop->terminate, NULL);
    uv_close((uv_handle_t *)&loop->hangup, NULL);
}
