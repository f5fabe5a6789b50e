/// A request on its way to its answer, and how answers are given.
#pragma once

#include "api/answer/answer_json.h"
#include "api/api.h"

typedef struct api_call {
    const apex_api *api;
    const apex_web_request *request;
    apex_arena *arena;
    apex_web_answer *answer;
    uint32_t race;       ///< from 1; 0 where the path names none
    apex_server *server; ///< of that race
    bool is_operators;   ///< the client has shown the operators' token
} api_call;

void api_answer_json(const api_call *call, uint32_t status, apex_json_writer *json);
/// Answers {"error": a sentence that says what to do}.
__attribute__((format(printf, 3, 4))) void api_refuse(const api_call *call, uint32_t status,
                                                      const char *format, ...);
/// The answer had no room: what is said in its place.
void api_answer_too_long(const api_call *call);
