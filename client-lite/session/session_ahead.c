// Every car is shown as it was; then the own one and those near it show themselves at their moment.
#include "client-lite/session/session_ahead.h"

#include <string.h>

#include "client-lite/session/session_controls.h"

static double ticks_per_s(const client_session *session) {
    return session->clock.ticks_per_us * 1e6;
}

size_t client_session_shown(client_session *session, uint64_t now_us, apex_client_pose out[],
                            size_t capacity) {
    client_frame frame = {.server_tick = client_clock_tick(&session->clock, now_us),
                          .out = out,
                          .capacity = capacity};
    return session->def.show
               ? client_interpolation_show(&session->shown, &session->snapshots, now_us, &frame)
               : 0;
}

bool client_session_predicted(client_session *session, uint64_t now_us, apex_client_pose *out) {
    double tick = client_session_controls_tick(session, now_us);
    if (session->predict == NULL ||
        !client_predict_show(session->predict, tick, ticks_per_s(session), now_us, out)) {
        return false;
    }
    out->car = session->car;
    return true;
}

// The own car's place in a list that is sorted by id; `count` if it is not there.
static size_t find_own(const client_session *session, const apex_client_pose poses[],
                       size_t count) {
    size_t at = 0;
    while (at < count && poses[at].car != session->car) {
        at++;
    }
    return at;
}

static void bring_to_front(apex_client_pose poses[], size_t at) {
    apex_client_pose first = poses[at];
    memmove(poses + 1, poses, at * sizeof *poses);
    poses[0] = first;
}

size_t client_session_ahead(client_session *session, uint64_t now_us, apex_client_pose out[],
                            size_t capacity) {
    size_t count = client_session_shown(session, now_us, out, capacity);
    size_t own = find_own(session, out, count);
    apex_client_pose predicted;
    bool is_predicted = client_session_predicted(session, now_us, &predicted);
    if (is_predicted) {
        client_predict_begin_frame(session->predict, &predicted);
    }
    for (size_t i = 0; session->predict != NULL && i < count; i++) {
        if (i != own) {
            (void)client_predict_show_rival(session->predict, ticks_per_s(session), now_us,
                                            &out[i]);
        }
    }
    if (own == count && is_predicted && capacity > 0) { // the last gives way to it
        own = own < capacity ? own : capacity - 1;
        count = own + 1;
    }
    if (own < count) {
        out[own] = is_predicted ? predicted : out[own];
        bring_to_front(out, own);
    }
    return count;
}
