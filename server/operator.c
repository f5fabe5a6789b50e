#include "operator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// "2 status" is for the second race, "status" for all of them.
static void obey(const server_operator *operator, const char * line) {
    char *rest = NULL;
    unsigned long race = strtoul(line, &rest, 10);
    bool is_for_one = operator->server_count> 1 && rest != line;
    if (is_for_one && (race < 1 || race > operator->server_count)) {
        printf("there are races 1 to %u; for example: 1 status\n", operator->server_count);
        return;
    }
    for (uint32_t i = 0; i < operator->server_count; i++) {
        if (is_for_one && i + 1 != race) {
            continue;
        }
        if (operator->server_count> 1) {
            printf("--- race %u\n", i + 1);
        }
        apex_server_console(operator->servers[i], is_for_one ? rest : line, stdout);
    }
}

static void take_input(server_operator *operator, const char * bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] != '\n') {
            if (operator->line_length<OPERATOR_LINE_BYTES - 1) {
                operator->line[operator->line_length++] = bytes[i];
            }
            continue;
        }
        operator->line[operator->line_length] = '\0';
        operator->line_length = 0;
        obey(operator, operator->line);
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
    if (length > 0) {
        take_input(stream->data, buffer->base, (size_t)length);
    } else if (length < 0) {
        uv_read_stop(stream); // the end of input is no reason to end a race
    }
}

void server_operator_start(server_operator *operator, uv_loop_t * uv, apex_server *const servers[],
                           uint32_t server_count) {
    operator->servers = servers;
    operator->server_count = server_count;
    int opened = -1;
    switch (uv_guess_handle(STDIN_FILENO)) {
    case UV_TTY:
        opened = uv_tty_init(uv, &operator->input.tty, STDIN_FILENO, 1);
        break;
    case UV_NAMED_PIPE:
        opened = uv_pipe_init(uv, &operator->input.pipe, 0);
        if (opened == 0) {
            opened = uv_pipe_open(&operator->input.pipe, STDIN_FILENO);
        }
        break;
    default:
        return; // a file or nothing: no operator
    }
    if (opened != 0) {
        return;
    }
    operator->has_input = true;
    operator->input.stream.data = operator;
    uv_read_start(&operator->input.stream, on_allocate, on_input);
}

void server_operator_stop(server_operator *operator) {
    if (operator->has_input && !uv_is_closing(&operator->input.handle)) {
        uv_close(&operator->input.handle, NULL);
    }
}
