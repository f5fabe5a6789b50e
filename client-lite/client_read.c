// The readable part of the public face: what a client knows between two updates.
#include "client-lite/client.h"
#include "client-lite/client_internal.h"
#include "client-lite/session/session_ahead.h"
#include "client-lite/session/session_controls.h"

apex_reason apex_client_close_reason(const apex_client *client, const char **text) {
    if (text != NULL) {
        *text = client->session->close_text;
    }
    return client->session->close_reason;
}

apex_reason apex_client_last_reject(const apex_client *client, const char **text) {
    if (text != NULL) {
        *text = client->session->reject_text;
    }
    return client->session->reject_reason;
}

bool apex_client_demoted(const apex_client *client) {
    return client->session->demoted;
}

bool apex_client_resumed(const apex_client *client) {
    return client->session->resumed;
}

const char *apex_client_lost_text(const apex_client *client) {
    return client->session->lost_text;
}

const apex_welcome *apex_client_welcome(const apex_client *client) {
    const client_knowledge *knowledge = &client->session->knowledge;
    return knowledge->welcomed ? &knowledge->welcome : NULL;
}

uint32_t apex_client_player(const apex_client *client) {
    return client->session->player;
}

uint32_t apex_client_car(const apex_client *client) {
    return client->session->car;
}

const uint8_t *apex_client_def_bytes(const apex_client *client, apex_def_kind kind,
                                     const char *name, size_t *length, uint64_t *hash) {
    const client_session *session = client->session;
    const client_knowledge *knowledge = &session->knowledge;
    if (kind == APEX_DEF_CAR && name == NULL) {
        // Before the join is answered the wish is the best guess; an empty one means the default.
        const char *own = session->car_def[0] ? session->car_def : session->car_wanted;
        name = own[0] ? own : NULL;
    }
    int index = client_knowledge_def_find(knowledge, kind, name);
    if (index < 0 || knowledge->defs[index].bytes == NULL) {
        return NULL;
    }
    if (length != NULL) {
        *length = knowledge->welcome.defs[index].length;
    }
    if (hash != NULL) {
        *hash = knowledge->welcome.defs[index].hash;
    }
    return knowledge->defs[index].bytes;
}

apex_client_view apex_client_newest(const apex_client *client) {
    const client_session *session = client->session;
    const client_snapshots *snapshots = &session->snapshots;
    apex_client_view view = {.tick = snapshots->tick,
                             .phase = snapshots->phase,
                             .race_time_ms = snapshots->race_time_ms,
                             .received_us = snapshots->received_us,
                             .car_count = snapshots->count,
                             .cars = snapshots->cars};
    view.own = session->car != 0 ? client_snapshots_find(snapshots, session->car) : NULL;
    return view;
}

double apex_client_server_tick(const apex_client *client, uint64_t now_us) {
    return client_clock_tick(&client->session->clock, now_us);
}

double apex_client_controls_tick(const apex_client *client, uint64_t now_us) {
    return client_session_controls_tick(client->session, now_us);
}

size_t apex_client_shown(apex_client *client, uint64_t now_us, apex_client_pose out[],
                         size_t capacity) {
    return client_session_shown(client->session, now_us, out, capacity);
}

size_t apex_client_ahead(apex_client *client, uint64_t now_us, apex_client_pose out[],
                         size_t capacity) {
    return client_session_ahead(client->session, now_us, out, capacity);
}

apex_client_showing apex_client_showing_of(const apex_client *client) {
    return client_interpolation_stats(&client->session->shown);
}

bool apex_client_predicted(apex_client *client, uint64_t now_us, apex_client_pose *pose) {
    return client_session_predicted(client->session, now_us, pose);
}

const apex_client_touch *apex_client_touches(const apex_client *client, size_t *count) {
    const client_predict *predict = client->session->predict;
    *count = 0;
    return predict != NULL ? client_predict_touches(predict, count) : NULL;
}

apex_client_prediction apex_client_prediction_of(const apex_client *client) {
    const client_predict *predict = client->session->predict;
    if (predict == NULL) {
        return (apex_client_prediction){0};
    }
    apex_client_prediction prediction = client_predict_stats(predict);
    prediction.tick = client_predict_tick(predict);
    return prediction;
}

const apex_race_event_message *apex_client_events(const apex_client *client, size_t *count) {
    *count = client->session->knowledge.event_count;
    return client->session->knowledge.events;
}

const apex_race_event_message *apex_client_past_events(const apex_client *client, size_t *count) {
    *count = client->session->knowledge.past_count;
    return client->session->knowledge.past;
}

const char *const *apex_client_notices(const apex_client *client, size_t *count) {
    *count = client->session->knowledge.notice_count;
    return client->session->knowledge.notices;
}

const apex_telemetry *apex_client_telemetry(const apex_client *client) {
    const client_knowledge *knowledge = &client->session->knowledge;
    return knowledge->has_telemetry ? &knowledge->telemetry : NULL;
}

const apex_server_stats *apex_client_server_stats(const apex_client *client) {
    const client_knowledge *knowledge = &client->session->knowledge;
    return knowledge->has_stats ? &knowledge->stats : NULL;
}

const apex_standings *apex_client_standings(const apex_client *client) {
    const client_knowledge *knowledge = &client->session->knowledge;
    return knowledge->has_standings ? &knowledge->standings : NULL;
}

const apex_race_state *apex_client_race_state(const apex_client *client) {
    const client_knowledge *knowledge = &client->session->knowledge;
    return knowledge->has_race_state ? &knowledge->race_state : NULL;
}

const apex_results *apex_client_results(const apex_client *client) {
    const client_knowledge *knowledge = &client->session->knowledge;
    return knowledge->has_results ? &knowledge->results : NULL;
}

const apex_roster_entry *apex_client_roster(const apex_client *client, size_t *count) {
    *count = client->session->knowledge.roster_count;
    return client->session->knowledge.roster;
}

const apex_playback_state *apex_client_playback(const apex_client *client) {
    const client_knowledge *knowledge = &client->session->knowledge;
    return knowledge->has_playback ? &knowledge->playback : NULL;
}

const apex_race_session *apex_client_session(const apex_client *client) {
    const client_knowledge *knowledge = &client->session->knowledge;
    return knowledge->has_session ? &knowledge->session : NULL;
}

const apex_penalty_message *apex_client_penalties(const apex_client *client, size_t *count) {
    *count = client->session->knowledge.penalty_count;
    return client->session->knowledge.penalties;
}

const apex_conduct *apex_client_conduct(const apex_client *client) {
    const client_knowledge *knowledge = &client->session->knowledge;
    bool is_driver = client->session->state == APEX_CLIENT_DRIVING;
    return is_driver && knowledge->has_conduct ? &knowledge->conduct : NULL;
}

apex_client_stats apex_client_stats_of(const apex_client *client) {
    const client_session *session = client->session;
    client_transport_counters traffic = {0};
    if (client->transport != NULL) {
        traffic = client_transport_counters_of(client->transport);
    }
    return (apex_client_stats){.rtt_us = (uint32_t)session->clock.rtt_us,
                               .bytes_in = traffic.bytes_in,
                               .bytes_out = traffic.bytes_out,
                               .packets_in = traffic.packets_in,
                               .packets_out = traffic.packets_out,
                               .snapshots = session->snapshots.parts,
                               .snapshots_late = session->snapshots.late,
                               .undecodable = session->undecodable,
                               .links_lost = session->links_lost,
                               .links_back = session->links_back,
                               .controls_depth = session->controls.depth,
                               .snapshot_loss = client_link_quality_loss(&session->link_quality),
                               .snapshot_jitter_us =
                                   client_link_quality_jitter_us(&session->link_quality),
                               .snapshot_ticks = session->tally.snapshot_ticks,
                               .snapshot_ticks_spanned = session->tally.ticks_spanned,
                               .snapshots_glanced = session->tally.glanced,
                               .own_cars = session->tally.own_cars,
                               .controls_on_tick = session->tally.controls_on_tick,
                               .replies = session->tally.replies,
                               .rtt_newest_us = session->tally.rtt_newest_us,
                               .input_effects = session->controls.effect_us.count};
}

const apex_histogram *apex_client_input_effects(const apex_client *client) {
    return &client->session->controls.effect_us;
}
