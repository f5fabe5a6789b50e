// Lines of standard input become orders to the console.

#include "program/operator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/api.h"
#include "base/log.h"

enum { ANSWERS_BYTES_MAX = 256 * 1024, ANSWERS_WAIT_MS = 500 };

static bool is_word(const char *line, const char *word) {
    size_t length = strlen(word);
    line += strspn(line, " \t");
    return strncmp(line, word, length) == 0 &&
           line[length + strspn(line + length, " \t\r")] == '\0';
}

// Of all races together.
static void reload(const server_operator *console, FILE *answer) {
    char said[APEX_WEB_WHY_BYTES];
    (void)server_reload_all(console->reload, said);
    fprintf(answer, "%s\n", said);
}

// "2 status" is for the second race, "status" for all of them.
static void obey(const server_operator *console, const char *line, FILE *answer) {
    if (is_word(line, "reload")) {
        reload(console, answer);
        return;
    }
    char *rest = NULL;
    unsigned long race = strtoul(line, &rest, 10);
    bool is_for_one = console->server_count > 1 && rest != line;
    if (is_for_one && (race < 1 || race > console->server_count)) {
        fprintf(answer, "there are races 1 to %u; for example: 1 status\n", console->server_count);
        return;
    }
    for (uint32_t i = 0; i < console->server_count; i++) {
        if (is_for_one && i + 1 != race) {
            continue;
        }
        if (console->server_count > 1) {
            fprintf(answer, "--- race %u\n", i + 1);
            apex_log_set_race(i + 1);
        }
        apex_server_console(console->servers[i], is_for_one ? rest : line, answer);
        apex_log_set_race(0);
    }
    if (is_word(line, "help")) {
        fprintf(answer, "  %-8s %-5s %s\n", "reload", "",
                "read anew who may come, and the page's certificate");
    }
}

// An answer that nobody reads waits on another thread, and one that finds no room there is dropped:
// the order itself was carried out.
static void answer_line(server_operator *console, const char *line) {
    char *text = NULL;
    size_t length = 0;
    FILE *answer = open_memstream(&text, &length);
    if (answer == NULL) {
        return;
    }
    obey(console, line, answer);
    if (fclose(answer) == 0 && !apex_outlet_put(console->answers, text, length)) {
        apex_log_limited(APEX_LOG_WARN, "main",
                         "an answer on standard output was dropped: nobody reads them");
    }
    free(text);
}

static void take_input(server_operator *console, const char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] != '\n') {
            if (console->line_length < OPERATOR_LINE_BYTES - 1) {
                console->line[console->line_length++] = bytes[i];
            }
            continue;
        }
        console->line[console->line_length] = '\0';
        console->line_length = 0;
        answer_line(console, console->line);
    }
}

static void on_allocate(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
    (void)suggested;
    server_operator *console = handle->data;
    *buffer = uv_buf_init(console->read, sizeof console->read);
}

static void on_input(uv_stream_t *stream, ssize_t length, const uv_buf_t *buffer) {
    if (length > 0) {
        take_input(stream->data, buffer->base, (size_t)length);
    } else if (length < 0) {
        uv_read_stop(stream); // the end of input is no reason to end a race
    }
}

void server_operator_start(server_operator *console, uv_loop_t *uv) {
    if (apex_outlet_create(STDOUT_FILENO, ANSWERS_BYTES_MAX, &console->answers) != APEX_OK) {
        return;
    }
    int opened = -1;
    switch (uv_guess_handle(STDIN_FILENO)) {
    case UV_TTY:
        opened = uv_tty_init(uv, &console->input.tty, STDIN_FILENO, 1);
        break;
    case UV_NAMED_PIPE:
        opened = uv_pipe_init(uv, &console->input.pipe, 0);
        if (opened == 0) {
            opened = uv_pipe_open(&console->input.pipe, STDIN_FILENO);
        }
        break;
    default:
        return; // a file or nothing: no operator
    }
    if (opened != 0) {
        return;
    }
    console->has_input = true;
    console->input.stream.data = console;
    uv_read_start(&console->input.stream, on_allocate, on_input);
}

void server_operator_stop(server_operator *console) {
    if (console->has_input && !uv_is_closing(&console->input.handle)) {
        uv_close(&console->input.handle, NULL);
    }
    (void)apex_outlet_destroy(console->answers, ANSWERS_WAIT_MS);
    console->answers = NULL;
}
