// A change of pace or place is passed on to the clock, the snapshots and the cars that are shown.
#include "client-lite/session/showing/session_playback.h"

static double ticks_per_s(const client_session *session, const apex_playback_state *state) {
    bool is_going = state->playing && !state->seeking;
    double hz = (double)session->knowledge.welcome.tick_hz;
    return is_going ? hz * (double)state->speed_permille / 1000.0 : 0.0;
}

static void set_pace(client_session *session, uint64_t now_us) {
    const apex_playback_state *state = &session->knowledge.playback;
    double pace = ticks_per_s(session, state);
    double hz = (double)session->knowledge.welcome.tick_hz;
    client_clock_pace(&session->clock, (double)state->tick, pace, now_us);
    client_snapshots_pace(&session->snapshots, pace > hz ? pace : hz);
    // The clock is to find out at once how far away the server is by the new pace.
    session->times_asked = 1;
    session->ask_time_us = now_us;
    if (state->seeking) { // `tick` is where it will be, not where it is
        client_interpolation_hold(&session->shown, now_us);
    } else if (!session->jumped) {
        client_interpolation_pace(&session->shown, (double)state->tick, pace, now_us);
    }
}

// The cars of before stay in sight until those of there have come.
static void jump(client_session *session, uint64_t now_us) {
    client_session_begin_deltas(session);
    client_interpolation_hold(&session->shown, now_us);
    session->knowledge.has_telemetry = false;
    session->knowledge.has_results = false;
    session->knowledge.heard_tick1 = 0;
    session->jumped = true;
}

void client_session_land(client_session *session, uint64_t now_us) {
    if (!session->jumped) {
        return;
    }
    const apex_playback_state *state = &session->knowledge.playback;
    session->jumped = false;
    client_snapshots_forget(&session->snapshots);
    client_interpolation_forget(&session->shown);
    client_interpolation_pace(&session->shown, (double)state->tick, ticks_per_s(session, state),
                              now_us);
}

uint32_t client_session_near_tick(const client_session *session) {
    if (session->jumped) {
        return session->knowledge.playback.tick;
    }
    return session->snapshots.any ? session->snapshots.tick : session->knowledge.welcome.tick;
}

bool client_session_on_playback(client_session *session, const apex_playback_state *state,
                                uint64_t now_us) {
    if (!session->def.spectate) {
        return false;
    }
    client_knowledge *knowledge = &session->knowledge;
    bool is_first = !knowledge->has_playback;
    bool is_elsewhere = !is_first && state->epoch != knowledge->playback.epoch;
    double before = ticks_per_s(session, &knowledge->playback);
    client_knowledge_playback(knowledge, state);
    if (is_elsewhere) {
        jump(session, now_us);
    }
    if (is_first || is_elsewhere || ticks_per_s(session, state) != before) {
        set_pace(session, now_us);
    }
    return true;
}

static uint32_t within(uint32_t value, uint32_t low, uint32_t high) {
    return value < low ? low : (value > high ? high : value);
}

void client_session_play(client_session *session, const apex_playback_wish *wish) {
    apex_playback_wish *all = &session->play_wish;
    if (session->state != APEX_CLIENT_SPECTATING) {
        return;
    }
    all->play = wish->play != APEX_PLAY_KEEP ? wish->play : all->play;
    all->seek = wish->seek != 0 ? wish->seek : all->seek;
    if (wish->speed_permille != 0) {
        all->speed_permille = within(wish->speed_permille, APEX_PLAYBACK_SPEED_PERMILLE_MIN,
                                     APEX_PLAYBACK_SPEED_PERMILLE_MAX);
    }
}

bool client_session_wishes_play(const client_session *session) {
    const apex_playback_wish *wish = &session->play_wish;
    return wish->play != APEX_PLAY_KEEP || wish->speed_permille != 0 || wish->seek != 0;
}

void client_session_say_play(client_session *session) {
    const apex_playback_wish *wish = &session->play_wish;
    if (!client_session_wishes_play(session)) {
        return;
    }
    client_outbox_say(&session->outbox,
                      &(apex_client_message){.kind = APEX_CLIENT_PLAYBACK, .playback = *wish});
    session->play_wish = (apex_playback_wish){.play = APEX_PLAY_KEEP};
}
