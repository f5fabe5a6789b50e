// Answers as JSON, and refusals, which say what to do.
#include "api/api_call.h"

#include <stdarg.h>
#include <stdio.h>

static const char JSON[] = "application/json";

void api_answer_too_long(const api_call *call) {
    static const char text[] = "{\"error\":\"the answer is longer than the server has room for; "
                               "ask for less at a time\"}\n";
    *call->answer =
        (apex_web_answer){.status = 503, .type = JSON, .bytes = text, .length = sizeof text - 1};
}

void api_answer_json(const api_call *call, uint32_t status, apex_json_writer *json) {
    size_t length = 0;
    const char *bytes = answer_json_end(call->arena, json, &length);
    if (bytes == NULL) {
        api_answer_too_long(call);
        return;
    }
    call->answer->status = status;
    call->answer->type = JSON;
    call->answer->bytes = bytes;
    call->answer->length = length;
}

void api_refuse(const api_call *call, uint32_t status, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    apex_json_writer json = answer_json_begin(call->arena);
    apex_json_open(&json, NULL, '{');
    answer_json_text(&json, "error", text);
    apex_json_close(&json);
    api_answer_json(call, status, &json);
}
