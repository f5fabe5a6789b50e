/// The body of an order over the web, and its answer.
#pragma once

#include <jansson.h>

#include "api/api_call.h"

/// @return the body, an object with no other keys than these; NULL after a refusal
json_t *api_read_body(const api_call *call, const char *const keys[], size_t count);
/// Answers that an order was carried out, or why not.
void api_answer_order(const api_call *call, apex_err err, const char *said);
