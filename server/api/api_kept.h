/// Answers for all who ask within a tick.
#pragma once

#include "api/api_call.h"
#include "api/api_memory.h"

/// Answers with what was written before, or else has it written.
void api_answer_kept(const api_call *call, api_kept_kind kind, void (*write)(const api_call *));
void api_forget_kept(api_kept *kept, size_t count);
