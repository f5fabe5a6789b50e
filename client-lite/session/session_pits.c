// A plan may change with each key that is pressed; a server takes two a second. The newest goes.
#include "client-lite/session/session_pits.h"

static const uint64_t AGAIN_US = 500000;

// A server that says nothing of a driver's conduct has no pits to plan for, and refuses a plan.
void client_session_plan_pits(client_session *session, const apex_wire_pit_plan *plan) {
    if (session->state == APEX_CLIENT_DRIVING && session->knowledge.has_conduct) {
        session->pit_wish = *plan;
        session->wishes_pits = true;
    }
}

uint64_t client_session_plan_due_us(const client_session *session) {
    return session->wishes_pits ? session->plan_again_us : UINT64_MAX;
}

void client_session_say_plan(client_session *session, uint64_t now_us) {
    if (!session->wishes_pits || now_us < session->plan_again_us) {
        return;
    }
    client_outbox_say(&session->outbox, &(apex_client_message){.kind = APEX_CLIENT_PIT_PLAN,
                                                               .pit_plan = session->pit_wish});
    session->wishes_pits = false;
    session->plan_again_us = now_us + AGAIN_US;
}
