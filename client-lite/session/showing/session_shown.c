// The predictor, the road and the samples are made when the race is known, and fed by snapshots.
#include "client-lite/session/showing/session_shown.h"

#include <stdlib.h>

#include "client-lite/session/state/garage.h"
#include "client-lite/tracks/track_cache.h"
#include "defs/defs.h"

enum { AHEAD_PERMILLE_MAX = 2000 }; ///< of real time

// A laid track stays: a client that comes back drives on the same one.
static void forget_shown(client_session *session) {
    client_interpolation_free(&session->shown);
    client_road_destroy(session->road);
    apex_track_destroy(session->sketch);
    session->road = NULL;
    session->sketch = NULL;
    session->is_road_sought = false;
    client_session_end_predicting(session);
    client_garage_clear(&session->garage);
}

void client_session_begin_showing(client_session *session) {
    const apex_welcome *welcome = &session->knowledge.welcome;
    forget_shown(session);
    uint32_t snapshot_hz = session->def.snapshot_hz;
    client_link_quality_begin(&session->link_quality, welcome->tick_hz,
                              snapshot_hz != 0 ? snapshot_hz : welcome->snapshot_hz);
    if (session->def.show) {
        client_interpolation_begin(&session->shown, welcome->tick_hz);
    }
}

void client_session_end_showing(client_session *session) {
    forget_shown(session);
    apex_client_tracks_destroy(session->own_tracks);
    session->own_tracks = NULL;
}

// Finds the store that keeps the track, and the track's index among the definitions.
// @return false: it is not here.
static bool find_track(client_session *session, apex_client_tracks **tracks, int *index) {
    const client_knowledge *knowledge = &session->knowledge;
    *index = client_knowledge_def_find(knowledge, APEX_DEF_TRACK, NULL);
    if (*index < 0 || knowledge->defs[*index].bytes == NULL) {
        return false;
    }
    if (session->def.tracks == NULL && session->own_tracks == NULL) {
        session->own_tracks = apex_client_tracks_create();
    }
    *tracks = session->def.tracks != NULL ? session->def.tracks : session->own_tracks;
    return *tracks != NULL;
}

static const client_laid_track *laid_track_of(client_session *session) {
    apex_client_tracks *tracks;
    int index;
    if (!find_track(session, &tracks, &index)) {
        return NULL;
    }
    const apex_def_name *name = &session->knowledge.welcome.defs[index];
    const uint8_t *bytes = session->knowledge.defs[index].bytes;
    apex_def_problem problem;
    return client_track_cache_lay(tracks, name->hash, bytes, name->length, &problem);
}

// Each step of rivals costs: a race in a hurry has more of them than a bot has time for, and nobody
// else drives in one.
static bool hurries(const client_session *session) {
    uint32_t speed_permille = session->knowledge.welcome.speed_permille;
    return speed_permille == 0 || speed_permille > AHEAD_PERMILLE_MAX;
}

static bool predicts(const client_session *session) {
    bool is_too_fast = session->def.ahead && hurries(session);
    return session->def.predict && !session->def.spectate && !is_too_fast;
}

bool client_session_awaits_ground(client_session *session) {
    apex_client_tracks *tracks;
    int index;
    return session->lays_apart && predicts(session) &&
           client_knowledge_defs_complete(&session->knowledge) &&
           find_track(session, &tracks, &index) &&
           client_track_cache_find(tracks, session->knowledge.welcome.defs[index].hash) == NULL;
}

void client_session_keep_ground(client_session *session, uint8_t *laid, size_t length) {
    apex_client_tracks *tracks;
    int index;
    if (laid == NULL || !find_track(session, &tracks, &index)) {
        free(laid);
        return;
    }
    (void)client_track_cache_take(tracks, session->knowledge.welcome.defs[index].hash, laid,
                                  length);
}

void client_session_lay_track(client_session *session) {
    if (predicts(session)) {
        (void)laid_track_of(session); // it is found again when it is needed
    }
}

void client_session_begin_predicting(client_session *session) {
    if (!predicts(session) || session->predict != NULL) {
        return;
    }
    const client_laid_track *laid = laid_track_of(session);
    const apex_car_def *car =
        client_garage_def(&session->garage, &session->knowledge, session->car_def);
    if (laid == NULL || car == NULL) {
        return;
    }
    const apex_welcome *welcome = &session->knowledge.welcome;
    client_predict_def def = {.ground = &laid->ground,
                              .walls = &laid->walls,
                              .car = car,
                              .seen = session->def.ahead ? &session->shown : NULL,
                              .tick_hz = welcome->tick_hz,
                              .rules = welcome->world};
    session->predict = client_predict_create(&def);
}

void client_session_end_predicting(client_session *session) {
    client_predict_destroy(session->predict);
    session->predict = NULL;
}

static apex_track *sketch_of(const client_session *session) {
    const client_knowledge *knowledge = &session->knowledge;
    int index = client_knowledge_def_find(knowledge, APEX_DEF_TRACK, NULL);
    apex_def_problem problem;
    apex_track_def *def = calloc(1, sizeof *def);
    apex_track *sketch = NULL;
    if (def != NULL && index >= 0 && knowledge->defs[index].bytes != NULL &&
        apex_track_def_decode(knowledge->defs[index].bytes, knowledge->welcome.defs[index].length,
                              def, &problem)) {
        (void)apex_track_sketch(def, &sketch, &problem);
        apex_track_def_free(def);
    }
    free(def);
    return sketch;
}

// Not of all cars can each snapshot tell: those it leaves out go on along the road.
static void seek_road(client_session *session) {
    if (session->is_road_sought || session->snapshots.count <= APEX_DELTA_CARS_MAX) {
        return;
    }
    session->is_road_sought = true;
    session->sketch = sketch_of(session);
    session->road = session->sketch != NULL ? client_road_create(session->sketch) : NULL;
    client_interpolation_ride(&session->shown, session->road);
}

static const apex_car_def *def_of(void *context, uint32_t car) {
    client_session *session = context;
    return client_garage_def_of(&session->garage, &session->knowledge, car);
}

// Snapshots count down to the start. @return 0 where nobody waits for it.
static uint32_t go_tick_of(client_session *session, const apex_snapshot_message *part) {
    if (part->phase == APEX_WIRE_PHASE_COUNTDOWN && part->race_time_ms < 0) {
        double ticks = -(double)part->race_time_ms * session->knowledge.welcome.tick_hz / 1000.0;
        session->go_tick = part->tick + (uint32_t)(ticks + 0.5);
    } else if (part->phase != APEX_WIRE_PHASE_RACE) {
        session->go_tick = 0;
    }
    return session->go_tick;
}

static void predict_part(client_session *session, const apex_snapshot_message *part,
                         uint64_t now_us) {
    client_rivals_news rivals = {.tick = part->tick,
                                 .cars = part->cars,
                                 .count = part->car_count,
                                 .own = session->car,
                                 .known = &session->snapshots,
                                 .def_of = def_of,
                                 .context = session};
    client_predict_news news = {.tick = part->tick,
                                .go_tick = go_tick_of(session, part),
                                .own = part->own,
                                .rivals = session->def.ahead ? &rivals : NULL};
    client_predict_take(session->predict, &news, now_us);
}

void client_session_show_part(client_session *session, const apex_snapshot_message *part,
                              uint64_t now_us) {
    if (session->predict != NULL) {
        client_predict_look(session->predict);
    }
    double ticks_per_s = session->clock.ticks_per_us * 1e6;
    // The snapshots of a recording keep to no count of ticks.
    if (!session->knowledge.has_playback && !client_session_is_between(session, part)) {
        client_link_quality_note(&session->link_quality, part->tick, ticks_per_s, now_us);
    }
    if (session->def.show) {
        seek_road(session);
        client_interpolation_take(&session->shown, part, ticks_per_s, now_us);
    }
    if (session->predict != NULL) {
        predict_part(session, part, now_us);
    }
}

static uint32_t car_of_player(const client_knowledge *knowledge, uint32_t player) {
    for (size_t i = 0; i < knowledge->roster_count; i++) {
        if (knowledge->roster[i].player == player) {
            return knowledge->roster[i].car;
        }
    }
    return 0;
}

void client_session_tell_touch(client_session *session, const apex_race_event_message *event) {
    bool is_own = event->player == session->player || event->other == session->player;
    if (session->predict == NULL || event->kind != APEX_WIRE_EVENT_CONTACT || event->other == 0 ||
        !is_own) {
        return;
    }
    uint32_t rival = event->player == session->player ? event->other : event->player;
    uint32_t car = car_of_player(&session->knowledge, rival);
    if (car != 0) {
        apex_client_touch touch = {
            .car = car, .tick = event->tick, .impulse_ns = (double)event->value};
        client_predict_tell_touch(session->predict, &touch);
    }
}
