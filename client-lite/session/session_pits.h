/// A driver's plan for his next stop, on its way to the server.
#pragma once

#include "client-lite/session/state/session_state.h"

/// As apex_client_pit_plan.
void client_session_plan_pits(client_session *session, const apex_wire_pit_plan *plan);
/// @return when the plan is to be said; UINT64_MAX: there is none
uint64_t client_session_plan_due_us(const client_session *session);
void client_session_say_plan(client_session *session, uint64_t now_us);
