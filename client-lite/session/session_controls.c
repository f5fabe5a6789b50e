// The stamp of controls follows the clock of the server and the trim.
#include "client-lite/session/session_controls.h"

// Of a client with controls to send; the clock may have been wrong.
static const uint64_t WAIT_US_MAX = 1000000;

client_trim_now client_session_trim_now(const client_session *session, uint64_t now_us) {
    const client_clock *clock = &session->clock;
    double half_trip = client_clock_half_trip(clock);
    return (client_trim_now){.own_tick = client_clock_own_tick(clock, now_us),
                             .arrival = client_clock_tick(clock, now_us) + half_trip,
                             .trip = 2.0 * half_trip};
}

double client_session_controls_tick(const client_session *session, uint64_t now_us) {
    if (!session->clock.known) {
        return 0.0;
    }
    if (session->clock.as_fast_as_possible) {
        bool has_begun = session->controls.started;
        return has_begun ? session->controls.next_tick : session->clock.heard_tick + 1.0;
    }
    client_trim_now now = client_session_trim_now(session, now_us);
    const client_trim *trim = &session->controls.trim;
    double stamp =
        trim->started ? client_trim_stamp(trim, now.own_tick) : now.arrival + trim->lead_ticks;
    return stamp + session->controls.shift_ticks;
}

uint64_t client_session_controls_due_us(const client_session *session, uint64_t now_us) {
    const client_controls *controls = &session->controls;
    const client_clock *clock = &session->clock;
    if (clock->as_fast_as_possible) {
        uint64_t due_us = client_controls_follow_us(controls, clock->heard_tick, clock->heard_us);
        return due_us > now_us ? due_us : now_us;
    }
    double stamp = client_session_controls_tick(session, now_us);
    double due = (double)controls->next_tick + (double)controls->group - 1.0 - controls->unsent;
    if (!controls->started || due <= stamp) {
        return now_us;
    }
    double wait_us = (due - stamp) / session->clock.ticks_per_us;
    return now_us + (wait_us < (double)WAIT_US_MAX ? (uint64_t)wait_us + 1 : WAIT_US_MAX);
}

// @return whether there is a packet, and perhaps another.
static bool sample(client_session *session, uint64_t now_us, apex_controls_message *out) {
    const client_clock *clock = &session->clock;
    if (clock->as_fast_as_possible) {
        return client_controls_follow(&session->controls, clock->heard_tick, clock->heard_us,
                                      now_us, out);
    }
    client_trim_now now = client_session_trim_now(session, now_us);
    return client_controls_advance(&session->controls, &now, now_us, out);
}

void client_session_send_controls(client_session *session, uint64_t now_us) {
    if (!session->clock.known) {
        return;
    }
    if (session->def.ahead) { // who races side by side is worth the packets
        client_controls_judge_line(&session->controls,
                                   client_link_quality_is_good(&session->link_quality));
    }
    apex_client_message message = {.kind = APEX_CLIENT_CONTROLS};
    while (sample(session, now_us, &message.controls)) {
        message.controls.ack = client_deltas_ack(&session->deltas);
        client_outbox_say(&session->outbox, &message);
        if (!session->clock.as_fast_as_possible) {
            break; // the next packet has its time
        }
    }
    if (session->predict != NULL) {
        client_predict_advance(session->predict, &session->controls);
    }
}
