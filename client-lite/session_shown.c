#include "client-lite/session_shown.h"

#include <string.h>

#include "client-lite/course.h"
#include "defs/defs.h"

void client_session_begin_showing(client_session *session) {
    const apex_welcome *welcome = &session->knowledge.welcome;
    client_session_end_showing(session);
    uint32_t snapshot_hz = session->def.snapshot_hz;
    client_line_begin(&session->line, welcome->tick_hz,
                      snapshot_hz != 0 ? snapshot_hz : welcome->snapshot_hz);
    if (session->def.show) {
        client_interpolation_begin(&session->shown, welcome->tick_hz);
    }
}

void client_session_end_showing(client_session *session) {
    client_interpolation_free(&session->shown);
    client_predict_destroy(session->predict);
    session->predict = NULL;
    apex_client_courses_destroy(session->own_courses);
    session->own_courses = NULL;
}

static const apex_track *track_of(client_session *session) {
    const client_knowledge *knowledge = &session->knowledge;
    apex_client_courses *courses = session->def.courses;
    int index = client_knowledge_def_find(knowledge, APEX_DEF_TRACK, NULL);
    if (index < 0 || !knowledge->defs[index].bytes) {
        return NULL;
    }
    if (!courses && !session->own_courses) {
        session->own_courses = apex_client_courses_create();
    }
    courses = courses ? courses : session->own_courses;
    const apex_def_name *name = &knowledge->welcome.defs[index];
    return courses ? client_courses_track(courses, name->hash, knowledge->defs[index].bytes,
                                          name->length)
                   : NULL;
}

static bool car_of(const client_session *session, apex_car_def *out) {
    const client_knowledge *knowledge = &session->knowledge;
    int index = client_knowledge_def_find(knowledge, APEX_DEF_CAR, session->car_def);
    apex_def_problem problem;
    return index >= 0 && knowledge->defs[index].bytes &&
           apex_car_def_decode(knowledge->defs[index].bytes, knowledge->welcome.defs[index].length,
                               out, &problem);
}

void client_session_lay_track(client_session *session) {
    if (session->def.predict && !session->def.spectate) {
        (void)track_of(session); // it is found again when it is needed
    }
}

void client_session_begin_predicting(client_session *session) {
    if (!session->def.predict || session->def.spectate || session->predict) {
        return;
    }
    const apex_track *track = track_of(session);
    apex_car_def car;
    if (!track || !car_of(session, &car)) {
        return;
    }
    const apex_welcome *welcome = &session->knowledge.welcome;
    client_predict_def def = {.ground = apex_track_ground(track),
                              .walls = apex_track_walls(track),
                              .car = &car,
                              .tick_hz = welcome->tick_hz,
                              .rules = welcome->world};
    session->predict = client_predict_create(&def);
}

void client_session_show_part(client_session *session, const apex_snapshot_message *part,
                              uint64_t now_us) {
    if (session->predict && part->own) {
        client_predict_take(session->predict, part->tick, part->own, now_us);
    }
    double ticks_per_s = session->clock.ticks_per_us * 1e6;
    if (!session->knowledge.has_playback) { // whose snapshots keep to no count of ticks
        client_line_note(&session->line, part->tick, ticks_per_s, now_us);
    }
    if (session->def.show) {
        client_interpolation_take(&session->shown, part, ticks_per_s, now_us);
    }
}
