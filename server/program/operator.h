/// The operator on standard input: one line a command, answered on standard output.
#pragma once

#include <stdbool.h>
#include <uv.h>

#include "base/outlet.h"
#include "program/reload.h"
#include "site/site.h"

enum { OPERATOR_LINE_BYTES = 512, OPERATOR_READ_BYTES = 4096 };

typedef struct server_operator {
    apex_site *site;
    server_reload *reload;
    apex_server *const *servers;
    uint32_t server_count;
    union uv_any_handle input;
    bool has_input;
    apex_outlet *answers; ///< to standard output
    char line[OPERATOR_LINE_BYTES];
    size_t line_length;
    char read[OPERATOR_READ_BYTES];
} server_operator;

/// Listens, if standard input is a terminal or a pipe. The operator's site and servers, which are
/// borrowed, are set before.
void server_operator_start(server_operator *console, uv_loop_t *uv);
void server_operator_stop(server_operator *console);
