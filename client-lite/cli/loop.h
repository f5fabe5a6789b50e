/// One libuv loop with a steady timer and the signals that end a program.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

typedef struct cli_loop {
    uv_loop_t loop;
    uv_timer_t timer;
    uv_signal_t interrupt, terminate, hangup;
    void (*on_round)(void *context);
    void (*on_stop)(void *context); ///< the first signal; a second one ends the program
    void *context;
    bool asked_to_stop, ending;
} cli_loop;

uint64_t cli_now_us(void);

/// Set the two callbacks and the context before. @return false when the system refuses.
bool cli_loop_open(cli_loop *loop, uint64_t round_ms);
/// Runs until cli_loop_end and until every other handle is closed.
void cli_loop_run(cli_loop *loop);
void cli_loop_end(cli_loop *loop);
